"""Charts of rows: a name, marks with whiskers or a bar in parts, and numbers in columns.

All of it is measured. Names take a third of the width at most and are broken into lines; numbers stand in columns at
the right; the axis has what is left. What may be left out is, before anything runs into anything else.

The axis is linear. A logarithmic one, which must be asked for, shows sizes, up and down by the marker.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat, zip_longest
from typing import NamedTuple

from matplotlib.axes import Axes

from ...core.errors import unknown
from .axis import Scale, ends_of, log_ends, scale_of
from .look import MOST, Look
from .sheet import (
    TEXTS,
    WHISKERS,
    Block,
    Pen,
    key_block,
    line_height,
    marker_of,
    part_style,
    shortened,
    text_width,
    wrapped,
)

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


class Mark(NamedTuple):
    """An estimate with its interval in the unit of the axis, and its numbers as they are printed.

    In a bar it is the part of its series, of a whole of 1.
    """

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


@dataclass(frozen=True)
class ChartRow:
    """A name and its marks. ``key`` is its name in the file."""

    label: str
    marks: tuple[Mark, ...]
    key: str = ""

    @property
    def dull(self) -> bool:
        """Whether there is no measurable effect."""
        return all(mark.hollow for mark in self.marks)

    @property
    def size(self) -> float:
        """The size of its largest mark."""
        return max(abs(mark.estimate) for mark in self.marks)


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
    optional: int = 0
    """Columns, from the right, that are left out where there is little room."""
    series: tuple[str, ...] = ()
    stacked: bool = False
    """Whether the marks of a row are the parts of a bar, one for each of the series."""
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
        return not self.stacked

    @property
    def hollow(self) -> bool:
        """Whether some marks are hollow, as of what is not significant."""
        return any(mark.hollow for mark in self.marks)

    def chosen(self, look: Look) -> RowChart:
        """The rows that the look names, or the first that show an effect, called as the look has it.

        Raises ``InputError`` for rows and names that there are not.
        """
        rows, new = self.rows, dict(look.label)
        names = [name for row in rows for name in dict.fromkeys((row.key, row.label)) if name]
        headings = [group.heading for group in self.groups if group.heading]
        for where, kind, known, given in (
            ("--rows ", "row", names, look.rows),
            ("--label ", "name", [*names, *self.series, *headings], new),
        ):
            if wrong := [name for name in given if name not in known]:
                raise unknown(kind, wrong[0], dict.fromkeys(known), where=where)
        if look.rows:
            shown = list(dict.fromkeys(row for name in look.rows for row in rows if name in (row.key, row.label)))
        elif look.all or len(rows) <= look.most:
            shown = rows
        else:
            telling = [row for row in rows if not row.dull] or rows
            shown = telling if len(telling) <= look.most else telling[:MOST]
        groups = [Group(heading, tuple(row for row in own if row in shown)) for heading, own in self.groups]
        if look.rows and len(groups) == 1:
            groups = [Group(self.groups[0].heading, tuple(shown))]

        def renamed(row: ChartRow) -> ChartRow:
            return replace(row, label=new.get(row.label, new.get(row.key, row.label)))

        picked = replace(
            self,
            groups=tuple(Group(new.get(head, head), tuple(map(renamed, own))) for head, own in groups if own),
            series=tuple(new.get(name, name) for name in self.series),
            others="" if look.rows else self._left_out(shown, look),
        )
        return picked.by_size(look) if look.axis == "log" and any(mark.estimate for mark in picked.marks) else picked

    def _left_out(self, shown: Sequence[ChartRow], look: Look) -> str:
        """How many rows are not shown, and whether they are the smaller ones."""
        left_out = [row for row in self.rows if row not in shown]
        if not left_out:
            return ""
        dull, n = sum(row.dull for row in left_out), look.language.numerals(f"{len(left_out):,}")
        if dull == len(left_out):
            sentence = "{n} others: no measurable effect" if dull > 1 else "1 other: no measurable effect"
        elif self.stacked or max(row.size for row in left_out) > min(row.size for row in shown):
            sentence = "{n} others are not shown"
        elif dull:
            sentence = "{n} others are smaller, {k} of them without measurable effect"
        else:
            sentence = "{n} others are smaller"
        return look.language.say(sentence, n=n, k=dull)

    def by_size(self, look: Look) -> RowChart:
        """The chart with sizes on a logarithmic axis, which says so."""
        signed = any(mark.estimate < 0 for mark in self.marks)
        groups = tuple(
            Group(heading, tuple(replace(row, marks=tuple(mark.size(signed) for mark in row.marks)) for row in rows))
            for heading, rows in self.groups
        )
        name = "sizes on a logarithmic axis: ▲ more, ▼ less" if signed else "logarithmic axis"
        return replace(self, groups=groups, log=True, reference=(math.nan, look.language.say(name)))

    def whiskers(self, wide: float, look: Look) -> str:
        """What the footer says of its whiskers, which marks may hide; nothing if there are none."""
        layout = Layout.of(self, wide, look)
        if self.stacked:
            drawn = [mark for row in self.rows for mark in (row.marks[0], row.marks[-1]) if mark.high > mark.low]
            seen = [mark.high - mark.low > SPECK for mark in drawn]
        else:
            part, half = layout.scale.part, MARK * look.scale / 72 / 2
            drawn = [mark for mark in self.marks if mark.high > mark.low]
            seen = [
                max(part(mark.high) - part(mark.estimate), part(mark.estimate) - part(mark.low)) * layout.plot[1] > half
                for mark in drawn if mark.estimate
            ]  # fmt: skip
        if not drawn:
            return ""
        sentence = "Whiskers: 95% intervals, where they are wide enough to be seen." if any(seen) else (
            "95% intervals are too narrow to be seen.")  # fmt: skip
        return look.language.say(WHISKERS if all(seen) else sentence)

    def blocks(self, wide: float, room: float, look: Look) -> list[Block]:
        """The chart in as many parts as it must have; every part has its axis."""
        layout = Layout.of(self, wide, look)
        around = layout.top + layout.bottom
        pages: list[list[Strip]] = [[]]
        for strip in layout.strips:
            full = sum(one.height for one in pages[-1]) + strip.height + around > room
            if full and any(one.row for one in pages[-1]):
                heading = pages[-1].pop() if not pages[-1][-1].row else None
                pages.append([heading] if heading else [])
            pages[-1].append(strip)
        return [layout.page(strips, strips is pages[-1]) for strips in pages]


def rounded(number: float, half: float) -> str:
    """A number with as many digits as its interval allows, two below 1, for where there is little room.

    >>> rounded(0.3614, 0.012), rounded(-12.34, 1.5), rounded(3.0, 0)
    ('0.36', '-12', '3')
    """
    if not half or not math.isfinite(half):
        return f"{number:.4g}"
    most = 2 if not number else max(2, 1 - math.floor(math.log10(abs(number))))
    return f"{number:.{min(6, most, max(0, -math.floor(math.log10(half))))}f}"


# ------------------------------------------------------------------------------------------------ layout


class Strip(NamedTuple):
    """A row, or the heading of a group."""

    height: float
    lines: Sequence[str]
    row: ChartRow | None = None


@dataclass(frozen=True)
class Layout:
    """Where the things of a chart of rows are, in inches from the left; it draws them."""

    chart: RowChart
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

    @classmethod
    def of(cls, chart: RowChart, wide: float, look: Look) -> Layout:
        """The layout of a chart that is ``wide`` inches across."""
        size, small, high, gap = look.type.text, look.type.small, line_height(look.type.text), GAP * look.scale
        labels = {row.label: wrapped(row.label, LABELS * wide, size, most=TEXTS["label"].most) for row in chart.rows}
        widths = [text_width(line, size) for lines in labels.values() for line in lines]
        headings = [text_width(group.heading, small) for group in chart.groups]
        left = max([*widths, *(width for width in headings if width <= LABELS * wide)], default=0.0) + gap
        longest = max((text_width(name, small) for name in chart.series), default=0.0)
        beside = not chart.stacked and len(chart.series) > 1 and any(len(row.marks) > 1 for row in chart.rows)
        series = longest + gap if beside and longest <= SERIES * wide else 0.0

        def taken(columns: Sequence[float]) -> float:
            return sum(columns) + gap * len(columns)

        brief, columns, room = False, _columns(chart, look, False), (1 - AXIS) * wide - left - series
        for _ in range(chart.optional):
            if taken(columns) > room:
                columns.pop()
        if taken(columns) > room and any(mark.brief for mark in chart.marks):
            brief, columns = True, _columns(chart, look, True)
        plot = wide - left - series - (taken(columns) or 0.2 * look.scale)
        places, at = [], left + plot + series
        for column in columns:
            places.append((at + gap, column))
            at += gap + column
        strips = []
        for heading, own in chart.groups:
            if heading:
                lines = wrapped(heading, wide, small, most=TEXTS["heading"].most)
                strips.append(Strip(len(lines) * line_height(small) + 0.5 * high, lines))
            for row in own:
                tall = 1.1 if chart.stacked else max(1.0, 0.92 * len(row.marks))
                strips.append(Strip(max(len(labels[row.label]), tall) * high + 0.35 * high, labels[row.label], row))
        key = key_block(() if series else chart.series, wide, look, chart.stacked)
        return cls(chart, look, wide, strips, (left, plot), left + plot + gap if series else None, places, brief,
                   _scale(chart, plot, look), key)  # fmt: skip

    @property
    def top(self) -> float:
        """Inches above the rows: the key, and a line for heads of columns and the name of the reference."""
        heads = self.chart.reference or any(self.chart.heads)
        return self.key.height + (line_height(self.look.type.small) + 0.04 if heads else 0.0)

    @property
    def bottom(self) -> float:
        """Inches below the rows: the axis, and what is said of rows that are not shown."""
        return line_height(self.look.type.small) * (2.4 if self.chart.others else 1.2) + 0.05

    def page(self, strips: Sequence[Strip], last: bool) -> Block:
        """A part of the chart, with its axis; the last says what is not shown."""
        tall, small = sum(strip.height for strip in strips), self.look.type.small

        def draw(pen: Pen) -> None:
            self.key.draw(pen)
            pen = pen.moved(0, self.top)
            axes = pen.axes(self.plot[0], 0, self.plot[1], tall)
            axes.set_ylim(tall, 0)
            axes.set_yticks([])
            self.scale.set_on(axes)
            self._heads(pen, axes)
            at = 0.0
            for strip in strips:
                if strip.row is None:
                    top = at + strip.height - len(strip.lines) * line_height(small)
                    pen.lines(0, top, strip.lines, "heading")
                else:
                    self._row(pen, axes, at + strip.height / 2, strip.lines, strip.row)
                at += strip.height
            if self.chart.others and last:
                text = shortened(self.chart.others, self.wide, small)
                pen.text(0, tall + self.bottom - line_height(small), text, "others")

        return Block(self.top + tall + self.bottom, draw)

    def _heads(self, pen: Pen, axes: Axes) -> None:
        """Heads of the columns; the line of reference and its name above it."""
        size, (start, plot), heads = self.look.type.small, self.plot, self.chart.heads
        top = -line_height(size) - 0.04
        for (at, width), head in zip(self.columns, heads, strict=False):
            pen.text(at + width, top, head, "head")
        if self.chart.reference is None:
            return
        value, name = self.chart.reference
        room = self.columns[0][0] if any(heads) and self.columns else self.wide
        name = shortened(name, room - GAP, size)
        wide, middle = text_width(name, size), start + plot / 2
        if not self.chart.log:
            middle = start + plot * self.scale.part(value)
            axes.axvline(value, color=self.look.colours.muted, linewidth=0.9 * self.look.scale, zorder=0.6,
                         gid="reference-line")  # fmt: skip
        pen.text(min(max(0.0, middle - wide / 2), room - GAP / 2 - wide), top, name, "reference")

    def _row(self, pen: Pen, axes: Axes, middle: float, lines: Sequence[str], row: ChartRow) -> None:
        """A row with its name at the left, its marks or its bar, and its numbers."""
        look, high, several = self.look, line_height(self.look.type.text), len(self.chart.series) > 1
        pen.lines(0, middle - len(lines) / 2 * high, lines, "label")
        if self.chart.stacked:
            self._bar(axes, row, middle)
            self._numbers(pen, middle, [mark.texts[0] for mark in row.marks])
            return
        for number, mark in enumerate(row.marks):
            y = middle + (number - (len(row.marks) - 1) / 2) * 0.92 * high
            colour, marker = marker_of(mark.series, look)
            self._mark(axes, mark, y, colour, mark.marker or marker)
            if self.series is not None:
                top = y - high / 2 + (look.type.text - look.type.small) / 72
                pen.text(self.series, top, self.chart.series[mark.series], "series", colour)
            ink = look.colours.muted if mark.hollow else colour if several else ""
            self._numbers(pen, y, _texts(mark, self.brief), ink)

    def _numbers(self, pen: Pen, middle: float, texts: Sequence[str], ink: str = "") -> None:
        for (start, width), text in zip(self.columns, texts, strict=False):
            pen.text(start + width, middle - line_height(self.look.type.text) / 2, text, "number", ink)

    def _mark(self, axes: Axes, mark: Mark, y: float, colour: str, marker: str) -> None:
        """A mark with its whisker, which ends where the axis does; on a logarithmic axis none for 0."""
        look, scale = self.look, self.scale
        low, high = (min(scale.high, max(scale.low, end)) for end in (mark.low, mark.high))
        if high > low:
            axes.hlines(y, low, high, color=colour, linewidth=1.4 * look.scale, gid="whisker")
        if scale.log and mark.estimate <= 0:
            return
        axes.plot(
            [mark.estimate], [y], linestyle="none", marker=marker, color=colour, markersize=MARK * look.scale,
            markerfacecolor=look.colours.paper if mark.hollow else colour, clip_on=False, zorder=3, gid="mark",
        )  # fmt: skip

    def _bar(self, axes: Axes, row: ChartRow, y: float) -> None:
        """A bar in parts, with the interval of the first at its end and of the last at its beginning."""
        look, high, start = self.look, line_height(self.look.type.text), 0.0
        for number, part in enumerate(row.marks):
            style = part_style(number, look)
            axes.barh(y, part.estimate, left=start, height=0.72 * high, gid=f"part-{number}", **style)
            start += part.estimate
        first, last = row.marks[0], row.marks[-1]
        for low, end in ((first.low, first.high), (1 - last.high, 1 - last.low)):
            for colour, width in ((look.colours.paper, 2.4), (look.colours.ink, 1.0)) if end - low > SPECK else ():
                axes.hlines(y + 0.46 * high, low, end, color=colour, linewidth=width * look.scale, gid="whisker",
                            clip_on=False)  # fmt: skip


def _scale(chart: RowChart, plot: float, look: Look) -> Scale:
    """The axis, of bars from 0 to 1."""
    if chart.stacked:
        return scale_of(0.0, 1.0, plot, look, "share")
    intervals = [(mark.low, mark.estimate, mark.high) for mark in chart.marks]
    lines = () if chart.reference is None else chart.reference[:1]
    low, high = log_ends(intervals) if chart.log else ends_of(intervals, chart.from_zero, lines)
    return scale_of(low, high, plot, look, chart.unit, chart.log)


def _columns(chart: RowChart, look: Look, brief: bool) -> list[float]:
    """How wide each column of numbers is, its head included."""
    lines = [_texts(mark, brief) for mark in chart.marks]
    if chart.stacked:
        lines = [tuple(mark.texts[0] for mark in row.marks) for row in chart.rows]
    columns = zip_longest(*lines, fillvalue="")
    heads = chain(chart.heads, repeat(""))
    return [
        max(text_width(head, look.type.small), *(text_width(text, look.type.text) for text in column))
        for head, column in zip(heads, columns, strict=False)
    ]


def _texts(mark: Mark, brief: bool) -> tuple[str, ...]:
    return (mark.brief,) if brief and mark.brief else mark.texts
