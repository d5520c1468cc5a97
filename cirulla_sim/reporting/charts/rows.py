"""Charts of rows: a name, marks with whiskers or a bar in parts, and numbers in columns.

All of it is measured. Names take a third of the width at most and are broken into lines; numbers stand in columns at
the right; the axis has what is left. What may be left out is, before anything runs into anything else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from matplotlib.axes import Axes

from ...core.errors import unknown
from .keys import key_block, marker_of, part_style
from .look import Look
from .sheet import Block, Pen, Scale, line_height, scale_of, shortened, text_width, wrapped

MOST = 8
"""Rows of a figure, unless all of them are asked for."""

LABELS, SERIES, AXIS = 1 / 3, 0.2, 0.25
"""Parts of the width: what names of rows and of series may have, and what the axis must have."""

GAP = 0.11
"""Inches between columns."""

_LINES = 4
"""Lines of a name; what is longer is shortened."""


class Mark(NamedTuple):
    """An estimate with its interval in the unit of the axis, and its numbers as they are printed."""

    low: float
    estimate: float
    high: float
    texts: tuple[str, ...]
    series: int = 0
    hollow: bool = False
    """Whether it was tested and is not significant."""
    marker: str = ""
    """Its shape, where the series does not decide."""
    brief: str = ""
    """Its number where there is little room."""


class BarPart(NamedTuple):
    """A part of a bar that is whole at 1."""

    low: float
    share: float
    high: float
    text: str


@dataclass(frozen=True)
class ChartRow:
    """A name, and marks or parts of a bar. ``key`` is its name in the file."""

    label: str
    marks: tuple[Mark, ...] = ()
    parts: tuple[BarPart, ...] = ()
    key: str = ""

    @property
    def dull(self) -> bool:
        """Whether there is no measurable effect."""
        return bool(self.marks) and all(mark.hollow for mark in self.marks)


class Group(NamedTuple):
    """Rows under a heading, which may be empty."""

    heading: str
    rows: tuple[ChartRow, ...]


@dataclass(frozen=True)
class RowChart:
    """A chart of rows: what it shows."""

    groups: tuple[Group, ...]
    heads: tuple[str, ...] = ()
    """What the columns of numbers are called."""
    parts: tuple[str, ...] = ()
    """What the parts of bars are called."""
    optional: int = 0
    """Columns, from the right, that are left out where there is little room."""
    series: tuple[str, ...] = ()
    unit: str = ""
    log: bool = False
    from_zero: bool = False
    reference: tuple[float, str] | None = None
    """A line and its name."""
    others: str = ""
    """What is said of the rows that are not shown."""

    @property
    def rows(self) -> list[ChartRow]:
        """The rows of all groups."""
        return [row for group in self.groups for row in group.rows]

    def chosen(self, look: Look) -> RowChart:
        """The rows that the look names, or the first that show an effect, called as the look has it.

        Raises ``InputError`` for rows and names that there are not.
        """
        rows = self.rows
        names = [name for row in rows for name in dict.fromkeys((row.key, row.label)) if name]
        headings = [group.heading for group in self.groups if group.heading]
        for flag, known, given in (
            ("--rows ", names, look.rows),
            ("--label ", [*names, *self.series, *self.parts, *headings], [old for old, _ in look.label]),
        ):
            if wrong := [name for name in given if name not in known]:
                raise unknown("row" if flag == "--rows " else "name", wrong[0], dict.fromkeys(known), where=flag)
        if look.rows:
            shown = [row for name in dict.fromkeys(look.rows) for row in rows if name in (row.key, row.label)]
            shown = list(dict.fromkeys(shown))
        elif look.all or len(rows) <= MOST:
            shown = rows
        else:
            telling = [row for row in rows if not row.dull] or rows
            shown = [row for row in rows if row in telling[:MOST]]
        groups = [Group(heading, tuple(row for row in own if row in shown)) for heading, own in self.groups]
        if look.rows and len(groups) == 1:
            groups = [Group(self.groups[0].heading, tuple(shown))]
        left_out, renamed = [row for row in rows if row not in shown], dict(look.label)
        return replace(
            self,
            groups=tuple(_renamed(group, look) for group in groups if group.rows),
            series=tuple(renamed.get(name, name) for name in self.series),
            parts=tuple(renamed.get(name, name) for name in self.parts),
            others="" if look.rows else _others(left_out, look),
        )

    def blocks(self, wide: float, room: float, look: Look) -> list[Block]:
        """The chart in as many parts as it must have; every part has its axis."""
        layout = layout_of(self, wide, look)
        around = layout.top(self) + layout.bottom(self)
        pages: list[list[Strip]] = [[]]
        for strip in layout.strips:
            full = sum(one.height for one in pages[-1]) + strip.height + around > room
            if full and any(one.row for one in pages[-1]):
                heading = pages[-1].pop() if not pages[-1][-1].row else None
                pages.append([heading] if heading else [])
            pages[-1].append(strip)
        last = len(pages) - 1
        return [_page(self, strips, layout, look, number == last) for number, strips in enumerate(pages)]


def rounded(number: float, half: float) -> str:
    """A number with as many digits as its interval allows, for where there is little room.

    >>> rounded(0.3614, 0.012), rounded(-12.34, 1.5), rounded(3.0, 0)
    ('0.36', '-12', '3')
    """
    if not half or not math.isfinite(half):
        return f"{number:.4g}"
    return f"{number:.{min(6, max(0, -math.floor(math.log10(half))))}f}"


def _renamed(group: Group, look: Look) -> Group:
    names = dict(look.label)

    def label(row: ChartRow) -> str:
        return names.get(row.label, names.get(row.key, row.label))

    heading = names.get(group.heading, group.heading)
    return Group(heading, tuple(replace(row, label=label(row)) for row in group.rows))


def _others(left_out: Sequence[ChartRow], look: Look) -> str:
    if not left_out:
        return ""
    dull, count = sum(row.dull for row in left_out), look.numerals(f"{len(left_out):,}")
    if dull == len(left_out):
        return look.say("{n} others: no measurable effect", n=count) if dull > 1 else look.say(
            "1 other: no measurable effect")  # fmt: skip
    if dull:
        return look.say("{n} others are smaller, {k} of them without measurable effect", n=count, k=dull)
    return look.say("{n} others are not shown", n=count) if len(left_out) > 1 else look.say(
        "1 other is not shown")  # fmt: skip


# ------------------------------------------------------------------------------------------------ layout


class Strip(NamedTuple):
    """A row, or the heading of a group."""

    height: float
    lines: list[str]
    row: ChartRow | None


class RowLayout(NamedTuple):
    """Where things are, in inches from the left."""

    strips: list[Strip]
    plot: tuple[float, float]
    """Left end and width of the axes."""
    series: tuple[float, bool]
    """Where names of series stand, and whether they do."""
    columns: list[tuple[float, float]]
    """Left end and width of each column of numbers."""
    brief: bool
    scale: Scale
    key: Block
    """What names the series, or the parts of bars; it has no height where nothing must be named."""
    wide: float
    look: Look

    def top(self, rows: RowChart) -> float:
        """Inches above the rows: the key, and a line for heads of columns and the name of the reference."""
        return self.key.height + (
            line_height(self.look.type.small) + 0.04 if rows.reference or any(rows.heads) else 0.0
        )

    def bottom(self, rows: RowChart) -> float:
        """Inches below the rows: the axis, and what is said of rows that are not shown."""
        size = self.look.type.small
        return line_height(size) * (2.4 if rows.others else 1.2) + 0.05


def layout_of(rows: RowChart, wide: float, look: Look) -> RowLayout:
    size, high = look.type.text, line_height(look.type.text)
    labels = {row.label: wrapped(row.label, LABELS * wide, size, most=_LINES) for row in rows.rows}
    left = max((text_width(line, size) for lines in labels.values() for line in lines), default=0.0)
    named = _names_fit(rows, wide, look)
    series = max(text_width(name, look.type.small) for name in rows.series) if named else 0.0
    gap = GAP * look.scale
    fixed = left + gap + (series + gap if named else 0.0)
    brief = False
    columns = _columns(rows, look, brief)
    if fixed + _width(columns, gap) > (1 - AXIS) * wide and any(mark.brief for row in rows.rows for mark in row.marks):
        brief = True
        columns = _columns(rows, look, brief)
    for _ in range(rows.optional):
        if fixed + _width(columns, gap) > (1 - AXIS) * wide:
            columns.pop()
    plot = wide - fixed - (_width(columns, gap) or 0.2 * look.scale)
    at = left + gap + plot
    places = []
    series_at = at + gap
    at += series + gap if named else 0.0
    for column in columns:
        places.append((at + gap, column))
        at += gap + column
    strips = []
    for heading, own in rows.groups:
        if heading:
            lines = wrapped(heading, wide, look.type.small, most=2)
            strips.append(Strip(len(lines) * line_height(look.type.small) + 0.5 * high, lines, None))
        for row in own:
            lines = labels[row.label]
            tall = max(len(lines), len(row.marks) * 0.92, 1.1 if row.parts else 1.0) * high
            strips.append(Strip(tall + 0.35 * high, lines, row))
    scale = scale_of(
        [(mark.low, mark.estimate, mark.high) for row in rows.rows for mark in row.marks], plot, look,
        unit=rows.unit, log=rows.log, from_zero=rows.from_zero, reference=rows.reference[0] if rows.reference else None,
        whole=any(row.parts for row in rows.rows),
    )  # fmt: skip
    in_parts = any(row.parts for row in rows.rows)
    key = key_block(rows.parts if in_parts else () if named else rows.series, wide, look, in_parts)
    return RowLayout(strips, (left + gap, plot), (series_at, named), places, brief, scale, key, wide, look)


def _names_fit(rows: RowChart, wide: float, look: Look) -> bool:
    """Whether names of several series fit beside their marks; otherwise there is a key."""
    several = len(rows.series) > 1 and any(len(row.marks) > 1 for row in rows.rows)
    return several and max(text_width(name, look.type.small) for name in rows.series) <= SERIES * wide


def _columns(rows: RowChart, look: Look, brief: bool) -> list[float]:
    """How wide each column of numbers is, its head included."""
    size = look.type.text
    lines = [texts_of(mark, brief) for row in rows.rows for mark in row.marks]
    lines += [tuple(part.text for part in row.parts) for row in rows.rows if row.parts]
    many = max((len(line) for line in lines), default=0)
    widths = [max((text_width(line[n], size) for line in lines if n < len(line)), default=0.0) for n in range(many)]
    heads = [text_width(head, look.type.small) for head in rows.heads]
    return [max(width, *heads[n : n + 1]) if heads[n : n + 1] else width for n, width in enumerate(widths)]


def texts_of(mark: Mark, brief: bool) -> tuple[str, ...]:
    return (mark.brief,) if brief and mark.brief else mark.texts


def _width(columns: Sequence[float], gap: float) -> float:
    return sum(column + gap for column in columns)


# ------------------------------------------------------------------------------------------------ drawing


def _page(rows: RowChart, strips: Sequence[Strip], layout: RowLayout, look: Look, last: bool) -> Block:
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


def _heads(pen: Pen, rows: RowChart, layout: RowLayout, left: float, under: float, look: Look) -> None:
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
    pen: Pen, axes: Axes, rows: RowChart, strip: Strip, layout: RowLayout, place: tuple[float, float, float], look: Look
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
    pen: Pen, axes: Axes, row: ChartRow, y: float, layout: RowLayout, corner: tuple[float, float], look: Look
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


LONGEST_FRACTION = 13
"""Characters of a fraction that are worth printing; longer ones are in the table."""

FEW, FAR, LARGE = 3, 20.0, 0.5
"""An axis of chances is logarithmic for as many as this or more, the largest so many times the least, none above."""


def chance(label: str, row: Mapping[str, Any], look: Look, key: str = "") -> ChartRow:
    """The row of a chance: percentage, odds, and its fraction if it is short."""
    (low, estimate, high), exact = interval(row), row.get("exact")
    fraction = f"= {exact}" if exact is not None and len(exact) <= LONGEST_FRACTION else ""
    texts = (look.percent(estimate), look.odds(estimate, exact is not None), fraction)
    return ChartRow(label, (Mark(low, estimate, high, texts),), key=key or str(row.get("quantity", "")))


def interval(row: Mapping[str, Any]) -> tuple[float, float, float]:
    """The low end, the estimate and the high end; of an exact number that was checked, the simulated interval."""
    low, high = row["ci_low"], row["ci_high"]
    if row.get("simulated_low") is not None:
        low, high = row["simulated_low"], row["simulated_high"]
    if low is None:  # of the most or least seen
        low = high = row["estimate"]
    return low, row["estimate"], high


def chances(groups: Sequence[tuple[str, Sequence[ChartRow]]], look: Look) -> RowChart:
    """Chances in groups, on a logarithmic axis if they are far apart, or if that was asked for."""
    seen = [mark.estimate for _, rows in groups for row in rows for mark in row.marks if mark.estimate > 0]
    far = len(seen) >= FEW and max(seen) <= LARGE and max(seen) >= FAR * min(seen)
    log = bool(seen) and (far or look.axis == "log")
    return RowChart(
        tuple(Group(heading, tuple(rows)) for heading, rows in groups), optional=2, unit="share", log=log,
        from_zero=True,
    )  # fmt: skip
