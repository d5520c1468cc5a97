"""Drawing a page of a chart of rows, once it is measured."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from .axis import Scale
from .keys import marker_of, part_style
from .look import Look
from .measure import line_height, shortened, text_width
from .row_layout import GAP, Layout, Strip, texts_of
from .rows import Mark, Row, RowData
from .sheet import Block, Pen


def page_block(rows: RowData, strips: Sequence[Strip], layout: Layout, look: Look, last: bool) -> Block:
    top_room, bottom_room = layout.top(rows), layout.bottom(rows)
    tall = sum(strip.height for strip in strips)

    def draw(pen: Pen, left: float, top: float) -> None:
        layout.key.draw(pen, left, top)
        under = top + top_room
        axes = pen.axes(left + layout.plot[0], under, layout.plot[1], tall)
        axes.set_ylim(tall, 0)
        axes.set_yticks([])
        layout.scale.set_on(axes)
        _heads(pen, rows, layout, left, under, look)
        at = 0.0
        for strip in strips:
            _strip(pen, axes, rows, strip, layout, (left, under, at), look)
            at += strip.height
        if rows.others and last:
            size = look.type.small
            text = shortened(rows.others, layout.wide, size)
            pen.text(left, under + tall + bottom_room - line_height(size), text, size, look.colours.muted, gid="others")

    return Block(top_room + tall + bottom_room, draw)


def _heads(pen: Pen, rows: RowData, layout: Layout, left: float, under: float, look: Look) -> None:
    """Heads of the columns, and the name of the reference above its line."""
    size, colours = look.type.small, look.colours
    top = under - line_height(size) - 0.04
    for (at, width), head in zip(layout.columns, rows.heads, strict=False):
        pen.text(left + at + width, top, head, size, colours.muted, align="right", gid="head")
    if rows.reference is None or not rows.reference[1]:
        return
    value, name = rows.reference
    start, plot = layout.plot
    head_room = layout.columns[0][0] if any(rows.heads) and layout.columns else layout.wide
    name = shortened(name, head_room - GAP, size)
    wide = text_width(name, size)
    middle = start + plot * layout.scale.part(value)
    at = min(max(0.0, middle - wide / 2), head_room - GAP / 2 - wide)
    pen.text(left + at, top, name, size, colours.muted, gid="reference")


def _strip(
    pen: Pen, axes: Axes, rows: RowData, strip: Strip, layout: Layout, place: tuple[float, float, float], look: Look
) -> None:
    """A heading, or a row with its name at the left, its marks and its numbers."""
    left, under, at = place
    sizes, colours = look.type, look.colours
    if strip.row is None:
        for number, line in enumerate(strip.lines):
            top = under + at + strip.height - (len(strip.lines) - number) * line_height(sizes.small)
            pen.text(left, top, line, sizes.small, colours.muted, gid="heading")
        return
    high = line_height(sizes.text)
    middle = at + strip.height / 2
    for number, line in enumerate(strip.lines):
        top = under + middle + (number - len(strip.lines) / 2) * high
        pen.text(left, top, line, sizes.text, colours.ink, gid="label")
    if strip.row.parts:
        _bar(pen, axes, strip.row, middle, layout, (left, under), look)
        return
    marks = strip.row.marks
    for number, mark in enumerate(marks):
        y = middle + (number - (len(marks) - 1) / 2) * 0.92 * high
        colour, marker = marker_of(mark.series, look)
        _mark(axes, mark, y, colour, mark.marker or marker, layout.scale, look)
        top = under + y - high / 2
        if layout.series[1]:
            lead = (sizes.text - sizes.small) / 72 * 1.0
            pen.text(left + layout.series[0], top + lead, rows.series[mark.series], sizes.small, colour, gid="series")
        inks = colours.muted if mark.hollow else colour if len(rows.series) > 1 else colours.ink
        for (start, width), text in zip(layout.columns, texts_of(mark, layout.brief), strict=False):
            pen.text(left + start + width, top, text, sizes.text, inks, align="right", gid="number")


def _mark(axes: Axes, mark: Mark, y: float, colour: str, marker: str, scale: Scale, look: Look) -> None:
    """A mark with its whisker, which ends where the axis does; on a logarithmic axis none for 0."""
    low, high = scale.within(mark.low), scale.within(mark.high)
    if high > low:
        axes.hlines(y, low, high, color=colour, linewidth=1.4 * look.scale, gid="whisker")
    if scale.log and mark.estimate <= 0:
        return
    axes.plot(
        [mark.estimate], [y], linestyle="none", marker=marker, color=colour, markersize=4.6 * look.scale,
        markerfacecolor=look.colours.paper if mark.hollow else colour, clip_on=False, zorder=3, gid="mark",
    )  # fmt: skip


def _bar(
    pen: Pen, axes: Axes, row: Row, y: float, layout: Layout, corner: tuple[float, float], look: Look
) -> None:  # fmt: skip
    """A bar in parts, with the interval of the first at its end and of the last at its beginning."""
    left, under = corner
    high = line_height(look.type.text)
    start, last = 0.0, len(row.parts) - 1
    for number, part in enumerate(row.parts):
        axes.barh(y, part.share, left=start, height=0.72 * high, gid=f"part-{number}", **part_style(number, look))
        start += part.share
    for number in {0, last}:
        part = row.parts[number]
        ends = (part.low, part.high) if number == 0 else (1 - part.high, 1 - part.low)
        for colour, width in ((look.colours.paper, 2.4), (look.colours.ink, 1.0)):
            axes.hlines(
                y + 0.46 * high, *ends, color=colour, linewidth=width * look.scale, gid="whisker", clip_on=False
            )
    for (at, width), part in zip(layout.columns, row.parts, strict=False):
        pen.text(left + at + width, under + y - high / 2, part.text, look.type.text, look.colours.ink, align="right",
                 gid="number")  # fmt: skip
