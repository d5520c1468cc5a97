"""Charts of rows: a name, marks with whiskers or a bar in parts, and numbers in columns.

All of it is measured. Names take a third of the width at most and are broken into lines; numbers stand in columns at
the right; the axis has what is left. What may be left out is, before anything runs into anything else.

The axis is linear. A logarithmic one, which must be asked for, shows sizes, up and down by the marker.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from matplotlib.axes import Axes

from ...core.errors import unknown
from .axis import Scale, ends_of, log_ends, scale_of
from .keys import key_block, marker_of, part_style
from .look import MOST, Look
from .sheet import WHISKERS, Block, Pen, line_height, shortened, text_width, wrapped

LABELS, SERIES, AXIS = 1 / 3, 0.2, 0.25
"""Parts of the width: what names of rows and of series may have, and what the axis must have."""

GAP = 0.11
"""Inches between columns."""

MARK = 3.9
"""How large a mark is, in points."""

SPECK = 0.025
"""The widest interval on a bar that would only be a speck, and is not drawn."""

UP, DOWN = "^", "v"
"""Markers of more and less."""

_LINES = 5
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

    def size(self, signed: bool) -> Mark:
        """The mark of its size, with an interval from 0 if the direction is not clear; ``signed`` shows directions."""
        near, far = sorted((abs(self.low), abs(self.high)))
        low = 0.0 if self.low <= 0 <= self.high else near
        marker = (UP if self.estimate > 0 else DOWN) if signed else self.marker
        return self._replace(low=low, estimate=abs(self.estimate), high=far, marker=marker)


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

    @property
    def size(self) -> float:
        """The size of its largest mark."""
        return max((abs(mark.estimate) for mark in self.marks), default=0.0)


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
    from_zero: bool = False
    reference: tuple[float, str] | None = None
    """A line and its name."""
    others: str = ""
    """What is said of the rows that are not shown."""
    log: bool = False
    """Whether the axis is logarithmic; it is, if the look has it, where something is not 0."""

    @property
    def rows(self) -> list[ChartRow]:
        """The rows of all groups."""
        return [row for group in self.groups for row in group.rows]

    @property
    def marks(self) -> list[Mark]:
        """The marks of all rows."""
        return [mark for row in self.rows for mark in row.marks]

    @property
    def has_scale(self) -> bool:
        """Whether its axis may be logarithmic: bars in parts are whole at 1."""
        return not any(row.parts for row in self.rows)

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
        telling = [row for row in rows if not row.dull] or rows
        if look.rows:
            shown = list(dict.fromkeys(row for name in look.rows for row in rows if name in (row.key, row.label)))
        elif look.all or len(rows) <= look.most:
            shown = rows
        else:
            shown = telling if len(telling) <= look.most else telling[:MOST]
        groups = [Group(heading, tuple(row for row in own if row in shown)) for heading, own in self.groups]
        if look.rows and len(groups) == 1:
            groups = [Group(self.groups[0].heading, tuple(shown))]
        names_of = dict(look.label)
        picked = replace(
            self,
            groups=tuple(_renamed(group, names_of) for group in groups if group.rows),
            series=tuple(names_of.get(name, name) for name in self.series),
            parts=tuple(names_of.get(name, name) for name in self.parts),
            others="" if look.rows else _others(shown, [row for row in rows if row not in shown], look),
        )
        return picked.by_size(look) if look.axis == "log" and any(mark.estimate for mark in picked.marks) else picked

    def by_size(self, look: Look) -> RowChart:
        """The chart with sizes on a logarithmic axis, which says so."""
        signed = any(mark.estimate < 0 for mark in self.marks)
        groups = tuple(
            Group(heading, tuple(replace(row, marks=tuple(mark.size(signed) for mark in row.marks)) for row in rows))
            for heading, rows in self.groups
        )
        name = look.say("sizes on a logarithmic axis: ▲ more, ▼ less" if signed else "logarithmic axis")
        return replace(self, groups=groups, log=True, reference=(math.nan, name))

    def whiskers(self, wide: float, look: Look) -> str:
        """What is said of its whiskers, which marks may hide; nothing if there are none."""
        layout = _layout(self, wide, look)
        part, (_, plot) = layout.scale.part, layout.plot
        half = MARK * look.scale / 72 / 2
        seen = [
            max(part(mark.high) - part(mark.estimate), part(mark.estimate) - part(mark.low)) * plot > half
            for mark in self.marks
            if mark.high > mark.low and mark.estimate
        ]
        ends = [part for row in self.rows for part in row.parts[:1] + row.parts[-1:]]
        seen += [end.high - end.low > SPECK for end in ends if end.high > end.low]
        if all(seen):
            return look.say(WHISKERS) if seen or any(mark.high > mark.low for mark in self.marks) else ""
        return look.say("Whiskers: 95% intervals, where they are wide enough to be seen." if any(seen) else
                        "95% intervals are too narrow to be seen.")  # fmt: skip

    def blocks(self, wide: float, room: float, look: Look) -> list[Block]:
        """The chart in as many parts as it must have; every part has its axis."""
        layout = _layout(self, wide, look)
        around = layout.top + layout.bottom
        pages: list[list[Strip]] = [[]]
        for strip in layout.strips:
            full = sum(one.height for one in pages[-1]) + strip.height + around > room
            if full and any(one.row for one in pages[-1]):
                heading = pages[-1].pop() if not pages[-1][-1].row else None
                pages.append([heading] if heading else [])
            pages[-1].append(strip)
        return [_page(layout, strips, strips is pages[-1]) for strips in pages]


def rounded(number: float, half: float) -> str:
    """A number with as many digits as its interval allows, two below 1, for where there is little room.

    >>> rounded(0.3614, 0.012), rounded(-12.34, 1.5), rounded(3.0, 0)
    ('0.36', '-12', '3')
    """
    if not half or not math.isfinite(half):
        return f"{number:.4g}"
    most = 2 if not number else max(2, 1 - math.floor(math.log10(abs(number))))
    return f"{number:.{min(6, most, max(0, -math.floor(math.log10(half))))}f}"


def _renamed(group: Group, names: Mapping[str, str]) -> Group:
    labels = [names.get(row.label, names.get(row.key, row.label)) for row in group.rows]
    rows = tuple(replace(row, label=label) for row, label in zip(group.rows, labels, strict=True))
    return Group(names.get(group.heading, group.heading), rows)


def _others(shown: Sequence[ChartRow], left_out: Sequence[ChartRow], look: Look) -> str:
    """How many rows are not shown, and whether they are the smaller ones."""
    if not left_out:
        return ""
    dull, count = sum(row.dull for row in left_out), look.numerals(f"{len(left_out):,}")
    if dull == len(left_out):
        return look.say("{n} others: no measurable effect", n=count) if dull > 1 else look.say(
            "1 other: no measurable effect")  # fmt: skip
    if not any(row.marks for row in left_out) or max(row.size for row in left_out) > min(row.size for row in shown):
        return look.say("{n} others are not shown", n=count)
    if dull:
        return look.say("{n} others are smaller, {k} of them without measurable effect", n=count, k=dull)
    return look.say("{n} others are smaller", n=count)


# ------------------------------------------------------------------------------------------------ layout


class Strip(NamedTuple):
    """A row, or the heading of a group."""

    height: float
    lines: list[str]
    row: ChartRow | None


class Layout(NamedTuple):
    """Where things are, in inches from the left."""

    rows: RowChart
    look: Look
    wide: float
    strips: list[Strip]
    plot: tuple[float, float]
    """Left end and width of the axes."""
    series: float | None
    """Where names of series stand, if they do."""
    columns: list[tuple[float, float]]
    """Left end and width of each column of numbers."""
    brief: bool
    scale: Scale
    key: Block
    """What names the series, or the parts of bars; it has no height where nothing must be named."""

    @property
    def top(self) -> float:
        """Inches above the rows: the key, and a line for heads of columns and the name of the reference."""
        heads = self.rows.reference or any(self.rows.heads)
        return self.key.height + (line_height(self.look.type.small) + 0.04 if heads else 0.0)

    @property
    def bottom(self) -> float:
        """Inches below the rows: the axis, and what is said of rows that are not shown."""
        return line_height(self.look.type.small) * (2.4 if self.rows.others else 1.2) + 0.05


def _layout(rows: RowChart, wide: float, look: Look) -> Layout:
    size, small, high, gap = look.type.text, look.type.small, line_height(look.type.text), GAP * look.scale
    labels = {row.label: wrapped(row.label, LABELS * wide, size, most=_LINES) for row in rows.rows}
    widths = [text_width(line, size) for lines in labels.values() for line in lines]
    headings = [text_width(group.heading, small) for group in rows.groups]
    left = max([*widths, *(width for width in headings if width <= LABELS * wide)], default=0.0) + gap
    longest = max((text_width(name, small) for name in rows.series), default=0.0)
    named = len(rows.series) > 1 and any(len(row.marks) > 1 for row in rows.rows) and longest <= SERIES * wide
    series = longest + gap if named else 0.0
    brief = False
    columns = _columns(rows, look, brief)
    room = (1 - AXIS) * wide - left - series
    for _ in range(rows.optional):
        if sum(columns) + gap * len(columns) > room:
            columns.pop()
    if sum(columns) + gap * len(columns) > room and any(mark.brief for mark in rows.marks):
        brief = True
        columns = _columns(rows, look, brief)
    plot = wide - left - series - (sum(columns) + gap * len(columns) or 0.2 * look.scale)
    places, at = [], left + plot + series
    for column in columns:
        places.append((at + gap, column))
        at += gap + column
    strips = []
    for heading, own in rows.groups:
        if heading:
            lines = wrapped(heading, wide, small, most=2)
            strips.append(Strip(len(lines) * line_height(small) + 0.5 * high, lines, None))
        for row in own:
            lines = labels[row.label]
            tall = max(len(lines), len(row.marks) * 0.92, 1.1 if row.parts else 1.0) * high
            strips.append(Strip(tall + 0.35 * high, lines, row))
    key = key_block(rows.parts or (() if named else rows.series), wide, look, bool(rows.parts))
    return Layout(rows, look, wide, strips, (left, plot), left + plot + gap if named else None, places, brief,
                  _scale(rows, plot, look), key)  # fmt: skip


def _scale(rows: RowChart, plot: float, look: Look) -> Scale:
    """The axis, of bars from 0 to 1."""
    if rows.parts:
        return scale_of(0.0, 1.0, plot, look, "share")
    intervals = [(mark.low, mark.estimate, mark.high) for mark in rows.marks]
    lines = () if rows.reference is None else rows.reference[:1]
    low, high = log_ends(intervals) if rows.log else ends_of(intervals, rows.from_zero, lines)
    return scale_of(low, high, plot, look, rows.unit, rows.log)


def _columns(rows: RowChart, look: Look, brief: bool) -> list[float]:
    """How wide each column of numbers is, its head included."""
    lines = [_texts(mark, brief) for mark in rows.marks]
    lines += [tuple(part.text for part in row.parts) for row in rows.rows if row.parts]
    heads = [text_width(head, look.type.small) for head in rows.heads] + [0.0] * max(map(len, lines), default=0)
    return [
        max([text_width(line[n], look.type.text) for line in lines if n < len(line)] + heads[n : n + 1])
        for n in range(max(map(len, lines), default=0))
    ]


def _texts(mark: Mark, brief: bool) -> tuple[str, ...]:
    return (mark.brief,) if brief and mark.brief else mark.texts


# ------------------------------------------------------------------------------------------------ drawing


def _page(layout: Layout, strips: Sequence[Strip], last: bool) -> Block:
    tall, look, (start, plot) = sum(strip.height for strip in strips), layout.look, layout.plot

    def draw(pen: Pen, left: float, top: float) -> None:
        layout.key.draw(pen, left, top)
        under = top + layout.top
        axes = pen.axes(left + start, under, plot, tall)
        axes.set_ylim(tall, 0)
        axes.set_yticks([])
        layout.scale.set_on(axes)
        _heads(pen, axes, layout, left, under)
        at = 0.0
        for strip in strips:
            _strip(pen, axes, strip, layout, left, under, at)
            at += strip.height
        if layout.rows.others and last:
            small = look.type.small
            text = shortened(layout.rows.others, layout.wide, small)
            pen.text(left, under + tall + layout.bottom - line_height(small), text, small, look.colours.muted, "others")

    return Block(layout.top + tall + layout.bottom, draw)


def _heads(pen: Pen, axes: Axes, layout: Layout, left: float, under: float) -> None:
    """Heads of the columns; the line of reference and its name above it."""
    look, rows, (start, plot) = layout.look, layout.rows, layout.plot
    size, colours = look.type.small, look.colours
    top = under - line_height(size) - 0.04
    for (at, width), head in zip(layout.columns, rows.heads, strict=False):
        pen.text(left + at + width, top, head, size, colours.muted, "head", align="right")
    if rows.reference is None:
        return
    value, name = rows.reference
    room = layout.columns[0][0] if any(rows.heads) and layout.columns else layout.wide
    name = shortened(name, room - GAP, size)
    wide, middle = text_width(name, size), start + plot / 2
    if not rows.log:
        middle = start + plot * layout.scale.part(value)
        axes.axvline(value, color=colours.muted, linewidth=0.9 * look.scale, zorder=0.6, gid="reference-line")
    at = min(max(0.0, middle - wide / 2), room - GAP / 2 - wide)
    pen.text(left + at, top, name, size, colours.muted, "reference")


def _strip(pen: Pen, axes: Axes, strip: Strip, layout: Layout, left: float, under: float, at: float) -> None:
    """A heading, or a row with its name at the left, its marks and its numbers."""
    look = layout.look
    sizes, colours = look.type, look.colours
    if strip.row is None:
        for number, line in enumerate(strip.lines):
            top = under + at + strip.height - (len(strip.lines) - number) * line_height(sizes.small)
            pen.text(left, top, line, sizes.small, colours.muted, "heading")
        return
    high, middle, marks = line_height(sizes.text), at + strip.height / 2, strip.row.marks
    for number, line in enumerate(strip.lines):
        top = under + middle + (number - len(strip.lines) / 2) * high
        pen.text(left, top, line, sizes.text, colours.ink, "label")
    if strip.row.parts:
        _bar(axes, strip.row, middle, look)
        _numbers(pen, [part.text for part in strip.row.parts], layout, left, under + middle, colours.ink)
    for number, mark in enumerate(marks):
        y = middle + (number - (len(marks) - 1) / 2) * 0.92 * high
        colour, marker = marker_of(mark.series, look)
        _mark(axes, mark, y, colour, mark.marker or marker, layout)
        if layout.series is not None:
            top = under + y - high / 2 + (sizes.text - sizes.small) / 72
            pen.text(left + layout.series, top, layout.rows.series[mark.series], sizes.small, colour, "series")
        ink = colours.muted if mark.hollow else colour if len(layout.rows.series) > 1 else colours.ink
        _numbers(pen, _texts(mark, layout.brief), layout, left, under + y, ink)


def _numbers(pen: Pen, texts: Sequence[str], layout: Layout, left: float, middle: float, ink: str) -> None:
    size = layout.look.type.text
    for (start, width), text in zip(layout.columns, texts, strict=False):
        pen.text(left + start + width, middle - line_height(size) / 2, text, size, ink, "number", align="right")


def _mark(axes: Axes, mark: Mark, y: float, colour: str, marker: str, layout: Layout) -> None:
    """A mark with its whisker, which ends where the axis does; on a logarithmic axis none for 0."""
    look, scale = layout.look, layout.scale
    low, high = (min(scale.high, max(scale.low, end)) for end in (mark.low, mark.high))
    if high > low:
        axes.hlines(y, low, high, color=colour, linewidth=1.4 * look.scale, gid="whisker")
    if scale.log and mark.estimate <= 0:
        return
    axes.plot(
        [mark.estimate], [y], linestyle="none", marker=marker, color=colour, markersize=MARK * look.scale,
        markerfacecolor=look.colours.paper if mark.hollow else colour, clip_on=False, zorder=3, gid="mark",
    )  # fmt: skip


def _bar(axes: Axes, row: ChartRow, y: float, look: Look) -> None:
    """A bar in parts, with the interval of the first at its end and of the last at its beginning."""
    high, start = line_height(look.type.text), 0.0
    for number, part in enumerate(row.parts):
        axes.barh(y, part.share, left=start, height=0.72 * high, gid=f"part-{number}", **part_style(number, look))
        start += part.share
    first, last = row.parts[0], row.parts[-1]
    for low, end in ((first.low, first.high), (1 - last.high, 1 - last.low)):
        for colour, width in ((look.colours.paper, 2.4), (look.colours.ink, 1.0)) if end - low > SPECK else ():
            axes.hlines(y + 0.46 * high, low, end, color=colour, linewidth=width * look.scale, gid="whisker",
                        clip_on=False)  # fmt: skip
