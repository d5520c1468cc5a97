"""Charts cannot break: nothing overlaps, nothing is cut, nothing is too high, and neighbours differ without colours."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from cirulla_sim.reporting.charts.look import SIZES, Look, chosen
from cirulla_sim.reporting.charts.row_chart import MOST, Rows
from cirulla_sim.reporting.charts.rows import Group, Mark, Part, Row
from cirulla_sim.reporting.charts.sheet import Graphic, sheets
from cirulla_sim.reporting.charts.style import Chart

TOUCH = 1.0
"""Dots by which boxes may overlap: rounding."""

LONG = "an exceedingly long name of forty letters"


def texts_of(figure: Figure) -> Iterator[tuple[Text, Bbox]]:
    """The texts that are seen, and their boxes in dots."""
    renderer = figure.canvas.get_renderer()
    for text in figure.findobj(Text):
        if not (text.get_visible() and text.get_text().strip()):
            continue
        axes = text.axes
        if axes is not None and text in axes.texts and text.get_gid() is None:  # labels within a map
            continue
        box = text.get_window_extent(renderer)
        ticks = [] if axes is None else [*axes.get_xticklabels(), *axes.get_yticklabels()]
        if text in ticks and not _seen(text, axes.bbox):
            continue
        yield text, box


def _seen(label: Text, room: Bbox) -> bool:
    """Whether a label is of a mark within the axes: others are not drawn."""
    x, y = label.get_transform().transform(label.get_position())
    return room.x0 - 1 <= x <= room.x1 + 1 or room.y0 - 1 <= y <= room.y1 + 1


def check(figure: Chart, look: Look) -> None:
    """That every text is on the sheet, none is too small and no two overlap, and that the sheet is not too high."""
    width, height = figure.get_size_inches()
    assert height <= look.tallest + 1e-6, (height, look.tallest)
    sheet = Bbox.from_bounds(0, 0, width * figure.dpi, height * figure.dpi)
    boxes = list(texts_of(figure))
    least = SIZES[look.size or "page"].type.footer
    for text, box in boxes:
        assert text.get_fontsize() >= least, text
        assert box.x0 >= sheet.x0 - TOUCH, (text, box)
        assert box.x1 <= sheet.x1 + TOUCH, (text, box)
        assert box.y0 >= sheet.y0 - TOUCH, (text, box)
        assert box.y1 <= sheet.y1 + TOUCH, (text, box)
    for (one, a), (other, b) in itertools.combinations(boxes, 2):
        across, up = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        line = 0.35 * min(a.height, b.height)  # lines of one text stand close: ascenders beside descenders
        assert across <= TOUCH or up <= line, (one, a, other, b)


def drawn(figure: Chart, look: Look) -> None:
    """Check all sheets of a figure."""
    for sheet in (figure, *figure.rest):
        check(sheet, look)


names = st.text(st.sampled_from("abcdefgh mnop"), min_size=1, max_size=40).map(str.strip).filter(bool)


@st.composite
def row_charts(draw: st.DrawFn) -> Rows:
    """Charts of up to 20 rows with up to five series, of differences, levels and bars."""
    count, series = draw(st.sampled_from((1, 2, 8, 12, 20))), draw(st.integers(1, 5))
    labels = draw(st.lists(names, min_size=count, max_size=count, unique=True))
    if draw(st.booleans()):
        share = st.floats(0, 0.5)
        bars = [(draw(share), draw(share)) for _ in labels]
        made = [Row(label, parts=(Part(a, a, a, f"{100 * a:.1f}%"), Part(b, b, b, f"{100 * b:.1f}%"),
                                  Part(1 - a - b, 1 - a - b, 1 - a - b, "100.0%")))
                for label, (a, b) in zip(labels, bars, strict=True)]  # fmt: skip
        return Rows((Group("", tuple(made)),), parts=(draw(names), "tied", draw(names)))
    size = draw(st.sampled_from((1e-3, 1.0, 1e4)))

    def mark(number: int) -> Mark:
        at, half = size * draw(st.floats(-1, 1)), size * draw(st.floats(0, 1))
        text = f"({at:+.3f} ± {half:.3f})"
        return Mark(at - half, at, at + half, (text, draw(st.sampled_from(("", "a", "ab")))), number,
                    draw(st.booleans()), brief=f"{at:+.3g}")  # fmt: skip

    made = [Row(label, tuple(mark(number) for number in range(series))) for label in labels]
    half = len(made) // 2
    groups = (
        (Group(draw(names), tuple(made[:half])), Group("", tuple(made[half:]))) if half else (Group("", tuple(made)),)
    )
    return Rows(
        groups, heads=("", draw(names)), optional=1, series=tuple(f"{LONG[: 8 * n]} {n}" for n in range(1, series + 1)),
        reference=draw(st.sampled_from((None, (0.0, LONG)))),
    )  # fmt: skip


@given(row_charts(), st.sampled_from(list(SIZES)), st.sampled_from(["en", "it"]), st.booleans(), names)
@settings(max_examples=60, deadline=None)
def test_charts_of_rows_cannot_break(rows: Rows, size: str, lang: str, every: bool, title: str) -> None:
    look = chosen(size=size, lang=lang, all=every, dpi=100)
    first, *rest = sheets(Graphic(f"{title} {LONG}", LONG, rows, f"{LONG}. {LONG}", "heading"), look)
    for sheet in (first, *rest):
        check(sheet, look)
    written = {text.get_text() for sheet in (first, *rest) for text, _ in texts_of(sheet) if text.get_gid() == "number"}
    shown = [row for group in rows.chosen(look).groups for row in group.rows]
    assert len(shown) == (len(rows.rows) if every else min(MOST, len(shown)))
    for row in shown:
        for part in row.parts:
            assert part.text in written
        for mark in row.marks:
            assert {mark.texts[0], mark.brief} & written
