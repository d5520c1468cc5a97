"""What stands on a chart, read back from it: rows with names, marks, whiskers, bars, numbers; and whether it breaks."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from cirulla_sim.reporting.charts.look import Chart, Look, style
from cirulla_sim.reporting.charts.sheet import line_height

Ends = tuple[float, float]

BETWEEN = 0.955
"""Lines between what is of two rows; what is of one row is nearer together."""


class DrawnMark(NamedTuple):
    """An estimate, the ends of its whisker if it has one, and the numbers beside it."""

    estimate: float | None
    whisker: Ends | None
    numbers: list[str]
    hollow: bool


class DrawnRow(NamedTuple):
    """A row of a chart: its name, its marks from above, or the widths of the parts of its bar with their numbers."""

    label: str
    marks: list[DrawnMark]
    parts: list[float]
    ends: list[Ends]
    """The whiskers on a bar, from the left."""
    numbers: list[str]


def texts(figure: Figure, gid: str | None = None) -> list[str]:
    """The texts that are seen, or those of one kind, from top to bottom and left to right."""
    found = [
        text
        for text in figure.findobj(Text)
        if text.get_visible() and text.get_text().strip() and (gid is None or text.get_gid() == gid)
    ]
    return [text.get_text() for text in sorted(found, key=_place)]  # type: ignore[union-attr,attr-defined]


def _place(text: Text) -> tuple[float, float]:
    """From the top, then from the left."""
    x, y = text.get_transform().transform(text.get_position())
    return -round(float(y), 3), float(x)


def rows_of(figure: Figure) -> list[DrawnRow]:
    """The rows of a chart of rows whose names have one line each, from top to bottom."""
    [axes] = figure.axes
    high = line_height(_size(figure, "number")) * figure.dpi
    items: list[tuple[float, str, object]] = []

    def add(kind: str, what: object, x: float, y: float) -> None:
        items.append((-float(axes.transData.transform((x, y))[1]), kind, what))

    for line in axes.findobj(Line2D):
        if line.get_gid() == "mark":
            [x], [y] = line.get_data()  # type: ignore[attr-defined]
            add("mark", (float(x), line.get_markerfacecolor() != line.get_color()), x, y)  # type: ignore[attr-defined]
    bars = [bar for bar in axes.patches if str(bar.get_gid()).startswith("part-")]
    for bar in bars:
        add("part", (bar.get_x(), bar.get_width()), 0.5, bar.get_y() + bar.get_height() / 2)  # type: ignore[attr-defined]
    for lines in axes.findobj(LineCollection):
        if lines.get_gid() == "whisker":
            for (low, y), (end, _) in lines.get_segments():  # type: ignore[attr-defined]
                add("whisker", (float(low), float(end)), low, y)
    for text in figure.texts:
        if text.get_gid() in ("label", "number"):
            box = text.get_window_extent()
            items.append((-(box.y0 + box.y1) / 2, str(text.get_gid()), (box.x0, text.get_text())))
    rows: list[list[tuple[float, str, object]]] = []
    for item in sorted(items, key=lambda item: item[0]):
        if not rows or item[0] - rows[-1][-1][0] > BETWEEN * high:
            rows.append([])
        rows[-1].append(item)
    return [_row(row, 0.3 * high) for row in rows]


def _row(items: list[tuple[float, str, object]], near: float) -> DrawnRow:
    """What stands on the same height is of one mark."""
    parts = sorted(what for _, kind, what in items if kind == "part")  # type: ignore[type-var]
    ends = sorted({what for _, kind, what in items if kind == "whisker"})  # type: ignore[type-var]
    [label] = [what[1] for _, kind, what in items if kind == "label"] or [""]  # type: ignore[index]
    lines: list[list[tuple[float, str, object]]] = []
    for item in (item for item in items if item[1] != "label"):
        if not lines or item[0] - lines[-1][0][0] > near:
            lines.append([])
        lines[-1].append(item)
    marks = [] if parts else [_mark(line) for line in lines]
    numbers = [text for _, text in sorted(what for _, kind, what in items if kind == "number")]  # type: ignore[misc,type-var]
    return DrawnRow(label, marks, [width for _, width in parts], ends if parts else [], numbers)  # type: ignore[misc,arg-type]


def _mark(items: list[tuple[float, str, object]]) -> DrawnMark:
    [(estimate, hollow)] = [what for _, kind, what in items if kind == "mark"] or [(None, False)]  # type: ignore[misc]
    [whisker] = [what for _, kind, what in items if kind == "whisker"] or [None]
    numbers = [text for _, text in sorted(what for _, kind, what in items if kind == "number")]  # type: ignore[misc,type-var]
    return DrawnMark(estimate, whisker, numbers, hollow)  # type: ignore[arg-type]


def _size(figure: Figure, gid: str) -> float:
    return max((text.get_fontsize() for text in figure.texts if text.get_gid() == gid), default=8.0)


def line_of(figure: Figure, gid: str) -> tuple[list[float], list[float]]:
    """Across and up of a curve or of dots."""
    [line] = [line for axes in figure.axes for line in axes.findobj(Line2D) if line.get_gid() == gid]
    return np.asarray(line.get_xdata()).tolist(), np.asarray(line.get_ydata()).tolist()  # type: ignore[attr-defined]


def upright_whiskers(figure: Figure, gid: str = "whisker") -> list[tuple[float, float, float]]:
    """Where whiskers that stand upright are across, and their ends; each once, from left to right."""
    segments = [
        segment
        for axes in figure.axes
        for lines in axes.findobj(LineCollection)
        if lines.get_gid() == gid
        for segment in lines.get_segments()  # type: ignore[attr-defined]
    ]
    return sorted({(float(a[0]), float(a[1]), float(b[1])) for a, b in segments})


def ticks_of(figure: Figure) -> Iterator[tuple[str, float]]:
    """The numbers at the marks of axes, as they are written, and where they stand."""
    for axes in figure.axes:
        for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            for at, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True):
                inside = min(low, high) <= at <= max(low, high)
                if inside and label.get_visible() and number_in(label.get_text()) is not None:
                    yield label.get_text(), float(at)


def number_in(text: str) -> float | None:
    """The first number of an English text, a share of 1 where it is in percent."""
    match = re.match(r"\(?([+−-]?[\d,]*\.?\d+)", text)
    if match is None:
        return None
    number = float(match[1].replace(",", "").replace("−", "-"))
    return number / 100 if "%" in text else number


def digits_of(text: str) -> float:
    """Half of the last digit of the first number: how far off it may be."""
    number = re.search(r"[\d,]*\.?\d+", text)
    assert number, text
    _, point, decimals = number[0].partition(".")
    return 0.5 * 10.0 ** -len(decimals if point else "") * (0.01 if "%" in text else 1.0)


def is_near(text: str, number: float) -> bool:
    """Whether a text is this number, as far as it is written."""
    written = number_in(text)
    return written is not None and abs(written - number) <= digits_of(text) * 1.001 + 1e-12


TOUCH = 1.0
"""Dots by which boxes may overlap: rounding."""


def boxes_of(figure: Figure) -> Iterator[tuple[Text, Bbox]]:
    """The texts that are seen, and their boxes in dots; labels within a map may stand where they like."""
    renderer = figure.canvas.get_renderer()
    inside = {text for axes in figure.axes for text in axes.texts if text.get_gid() is None}
    hidden = inside.union(*(_beyond(axes) for axes in figure.axes))
    for text in figure.findobj(Text):
        if text.get_visible() and text.get_text().strip() and text not in hidden:
            yield text, text.get_window_extent(renderer)


def _beyond(axes: Axes) -> set[Text]:
    """Labels of marks beyond the ends of an axis: they are not drawn."""
    return {
        label
        for axis, (low, high) in ((axes.xaxis, sorted(axes.get_xlim())), (axes.yaxis, sorted(axes.get_ylim())))
        for tick in axis.get_major_ticks()
        for label in (tick.label1, tick.label2)
        if not low <= tick.get_loc() <= high
    }


def check_sheet(figure: Figure, look: Look) -> None:
    """That every text is on the sheet, none is too small and no two overlap, and that the sheet is not too high."""
    width, height = figure.get_size_inches()
    assert height <= look.tallest + 1e-6, (height, look.tallest)
    sheet = Bbox.from_bounds(0, 0, width * figure.dpi, height * figure.dpi)
    with style(look):  # as it is saved
        figure.draw_without_rendering()
        boxes = list(boxes_of(figure))
    for text, box in boxes:
        assert text.get_fontsize() >= 7 * look.scale, text
        assert box.x0 >= sheet.x0 - TOUCH, (text, box)
        assert box.x1 <= sheet.x1 + TOUCH, (text, box)
        assert box.y0 >= sheet.y0 - TOUCH, (text, box)
        assert box.y1 <= sheet.y1 + TOUCH, (text, box)
    for (one, a), (other, b) in itertools.combinations(boxes, 2):
        across, up = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        line = 0.35 * min(a.height, b.height)  # lines of one text stand close: ascenders beside descenders
        assert across <= TOUCH or up <= line, (one, a, other, b)


def check_chart(figure: Chart, look: Look) -> None:
    """Check all sheets of a chart."""
    for sheet in (figure, *figure.rest):
        check_sheet(sheet, look)
