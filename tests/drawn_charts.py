"""What stands on a chart, read back from it: rows with names, marks, whiskers, bars, numbers; and whether it breaks."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from cirulla_sim.reporting.charts.sheet import Chart, style

Ends = tuple[float, float]

BETWEEN = 0.95
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
    """The texts that are seen, or those of one kind, from top to bottom and left to right; each in one line."""
    seen = [(text, box) for text, box in boxes_of(figure) if gid in (None, text.get_gid())]
    seen.sort(key=lambda item: (-round(item[1].y1), item[1].x0))
    return [text.get_text().replace("\n", " ") for text, _ in seen]


def rows_of(figure: Figure) -> list[DrawnRow]:
    [axes] = figure.axes
    items: list[tuple[float, str, Any]] = []
    for line in axes.lines:
        if line.get_gid() == "mark":
            [x], [y] = line.get_data()
            items.append((y, "mark", (float(x), line.get_markerfacecolor() != line.get_color())))
    for bar in axes.patches:
        if str(bar.get_gid()).startswith("part-"):
            items.append((bar.get_y() + bar.get_height() / 2, "part", (bar.get_x(), bar.get_width())))  # type: ignore[attr-defined]
    for lines in axes.collections:
        if lines.get_gid() == "whisker":
            for (low, y), (end, _) in lines.get_segments():  # type: ignore[attr-defined]
                items.append((float(y), "whisker", (float(low), float(end))))
    for text in axes.texts:
        if text.get_gid() == "number":
            items.append((text.xy[1], "number", (text.xyann[0], text.get_text())))  # type: ignore[attr-defined]
    for y, label in zip(axes.get_yticks(), axes.get_yticklabels(), strict=True):
        if label.get_gid() == "label":
            items.append((float(y), "label", label.get_text().replace("\n", " ")))
    rows: list[list[tuple[float, str, Any]]] = []
    for item in sorted(items, key=lambda item: item[0]):
        if not rows or item[0] - rows[-1][-1][0] > BETWEEN:
            rows.append([])
        rows[-1].append(item)
    return [_row(row) for row in rows]


def _row(items: list[tuple[float, str, Any]]) -> DrawnRow:
    parts, ends, [label] = _of(items, "part"), sorted(set(_of(items, "whisker"))), _of(items, "label")
    heights = sorted({round(y, 6) for y, kind, _ in items if kind != "label"})
    marks = [] if parts else [_mark([item for item in items if round(item[0], 6) == y]) for y in heights]
    numbers = [text for _, text in _of(items, "number")]
    return DrawnRow(label, marks, [width for _, width in parts], ends if parts else [], numbers)


def _mark(items: list[tuple[float, str, Any]]) -> DrawnMark:
    [(estimate, hollow)], [whisker] = _of(items, "mark"), _of(items, "whisker") or [None]
    return DrawnMark(estimate, whisker, [text for _, text in _of(items, "number")], hollow)


def _of(items: list[tuple[float, str, Any]], kind: str) -> list[Any]:
    return sorted(what for _, own, what in items if own == kind)


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
                inside = min(low, high) <= at <= max(low, high) and label.get_gid() is None
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


def check_chart(figure: Chart) -> None:
    """That every text is on the sheet, none is too small and no two overlap; and names and numbers beside the axes."""
    width, height = figure.get_size_inches()
    sheet = Bbox.from_bounds(0, 0, width * figure.dpi, height * figure.dpi).padded(TOUCH)
    with style(figure.look):  # as it is saved
        figure.draw_without_rendering()
        boxes = list(boxes_of(figure))
    for text, box in boxes:
        assert text.get_fontsize() >= 7 * figure.look.scale, text
        assert sheet.containsx(box.x0), (text, box)
        assert sheet.containsx(box.x1), (text, box)
        assert sheet.containsy(box.y0), (text, box)
        assert sheet.containsy(box.y1), (text, box)
    for (one, a), (other, b) in itertools.combinations(boxes, 2):
        across, up = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        line = 0.35 * min(a.height, b.height)  # lines of one text stand close: ascenders beside descenders
        assert across <= TOUCH or up <= line, (one, a, other, b)
    [axes] = figure.axes
    inner = axes.get_window_extent()
    for text, box in boxes:
        assert text.get_gid() not in ("label", "heading") or box.x1 <= inner.x0, (text, box, inner)
        assert text.get_gid() != "head" or box.x0 >= inner.x1, (text, box, inner)
    for text in axes.texts:
        box = text.get_window_extent()
        if text.get_gid() == "number":  # beside a row, or above a column
            assert box.x0 >= inner.x1 or box.y1 <= inner.y1 + TOUCH, (text, box, inner)
        elif text.get_gid() is None:  # on a map
            assert Bbox.union([box, inner]).padded(-TOUCH).width <= inner.width, (text, box, inner)
            assert Bbox.union([box, inner]).padded(-TOUCH).height <= inner.height, (text, box, inner)
    assert inner.width >= 0.15 * sheet.width, (inner, sheet)
