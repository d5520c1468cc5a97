"""Charts of rows: a name, marks with whiskers or a bar in parts, and numbers in columns.

All of it is measured. Names take a third of the width at most and are broken into lines; numbers stand in columns at
the right; the axis has what is left. Columns that may be left out are, before the axis gets too short.

The axis is linear. A logarithmic one, which must be asked for, shows sizes, up and down by the marker.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, zip_longest
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from ...core.errors import unknown
from .axis import ends_of, log_ends, set_across
from .look import MOST, Look
from .sheet import Block, Pen, key_block, line_height, marker_of, part_style, text_width, wrapped

LABELS, AXIS = 1 / 3, 0.25
"""Parts of the width: what names of rows may have, and what the axis should have."""

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

    def size(self, signed: bool) -> Mark:
        """The mark of its size, with an interval from 0 if the direction is not clear; ``signed`` shows directions."""
        near, far = sorted((abs(self.low), abs(self.high)))
        low = 0.0 if self.low <= 0 <= self.high else near
        marker = (UP if self.estimate > 0 else DOWN) if signed else self.marker
        return self._replace(low=low, estimate=abs(self.estimate), high=far, marker=marker)


@dataclass(frozen=True)
class ChartRow:
    """A name and its marks. ``key`` is its name in the file; rows of one ``heading`` stand under it."""

    label: str
    marks: tuple[Mark, ...]
    key: str = ""
    heading: str = ""

    @property
    def dull(self) -> bool:
        """Whether there is no measurable effect."""
        return all(mark.hollow for mark in self.marks)

    @property
    def size(self) -> float:
        """The size of its largest mark."""
        return max(abs(mark.estimate) for mark in self.marks)


@dataclass(frozen=True)
class RowChart:
    """A chart of rows: what it shows."""

    rows: tuple[ChartRow, ...]
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
    whole: bool = False
    """Whether all rows are shown, however many: those that were asked for by name."""
    others: str = ""
    """What is said of the rows that are not shown."""
    log: bool = False
    """Whether the axis is logarithmic; it is, if the look has it, where something is not 0."""

    @property
    def marks(self) -> list[Mark]:
        """The marks of all rows."""
        return [mark for row in self.rows for mark in row.marks]

    @property
    def has_scale(self) -> bool:
        """Whether its axis may be logarithmic: bars in parts are whole at 1."""
        return not self.stacked

    @property
    def has_hollow(self) -> bool:
        """Whether a mark is of what is not significant."""
        return any(mark.hollow for mark in self.marks)

    @property
    def has_whiskers(self) -> bool:
        """Whether some marks have an interval."""
        return any(mark.high > mark.low for mark in self.marks)

    def chosen(self, look: Look) -> RowChart:
        """The rows that the look names, or the first that show an effect, called as the look has it.

        Raises ``InputError`` for rows and names that there are not.
        """
        new, headings = dict(look.label), list(dict.fromkeys(row.heading for row in self.rows))
        rows = sorted(self.rows, key=lambda row: headings.index(row.heading))
        names = [name for row in rows for name in (row.key, row.label) if name]
        for where, kind, known, given in (
            ("--rows ", "row", names, look.rows),
            ("--label ", "name", [*names, *self.series, *filter(None, headings)], new),
        ):
            if wrong := [name for name in given if name not in known]:
                raise unknown(kind, wrong[0], dict.fromkeys(known), where=where)
        if look.rows:
            shown = list(dict.fromkeys(row for name in look.rows for row in rows if name in (row.key, row.label)))
        elif look.all or self.whole or len(rows) <= MOST + 1:
            shown = rows
        else:
            telling = [row for row in rows if not row.dull] or rows
            shown = telling if len(telling) <= MOST + 1 else telling[:MOST]
        picked = replace(
            self,
            rows=tuple(
                replace(row, label=new.get(row.label, new.get(row.key, row.label)),
                        heading=new.get(row.heading, row.heading))
                for row in shown
            ),
            series=tuple(new.get(name, name) for name in self.series),
            others="" if look.rows else self._left_out(shown, look),
        )  # fmt: skip
        return picked.by_size(look) if look.axis == "log" and any(mark.estimate for mark in picked.marks) else picked

    def _left_out(self, shown: Sequence[ChartRow], look: Look) -> str:
        """How many rows are not shown, and whether they are the smaller ones."""
        left_out = [row for row in self.rows if row not in shown]
        if not left_out:
            return ""
        if all(row.dull for row in left_out):
            sentence = "{n} others: no measurable effect" if len(left_out) > 1 else "1 other: no measurable effect"
        elif self.stacked or max(row.size for row in left_out) > min(row.size for row in shown):
            sentence = "{n} others are not shown"
        else:
            sentence = "{n} others are smaller"
        return look.language.say(sentence, n=look.language.numerals(f"{len(left_out):,}"))

    def by_size(self, look: Look) -> RowChart:
        """The chart with sizes on a logarithmic axis, which says so."""
        signed = any(mark.estimate < 0 for mark in self.marks)
        rows = tuple(replace(row, marks=tuple(mark.size(signed) for mark in row.marks)) for row in self.rows)
        name = "sizes on a logarithmic axis: ▲ more, ▼ less" if signed else "logarithmic axis"
        return replace(self, rows=rows, log=True, reference=(math.nan, look.language.say(name)))

    def blocks(self, wide: float, room: float, look: Look) -> list[Block]:
        """The chart in as many parts as it must have; every part has its axis."""
        layout = Layout.of(self, wide, look)
        pages: list[list[Strip]] = [[]]
        for strip in layout.strips:
            if pages[-1] and sum(one.height for one in pages[-1]) + strip.height + layout.top + layout.bottom > room:
                pages.append([])
            pages[-1].append(strip)
        return [layout.page(strips, strips is pages[-1]) for strips in pages]


# ------------------------------------------------------------------------------------------------ layout


class Strip(NamedTuple):
    """A row, with the heading of a group above its first."""

    row: ChartRow
    height: float
    lines: Sequence[str]
    """Of its name."""
    heading: Sequence[str]
    above: float
    """Inches for the heading."""


@dataclass(frozen=True)
class Layout:
    """Where the things of a chart of rows are, in inches from the left; it draws them."""

    chart: RowChart
    look: Look
    wide: float
    strips: list[Strip]
    plot: tuple[float, float]
    """Left end and width of the axes."""
    columns: list[float]
    """The right end of each column of numbers."""
    key: Block
    """What names the series, or the parts of bars; it has no height where nothing must be named."""

    @classmethod
    def of(cls, chart: RowChart, wide: float, look: Look) -> Layout:
        """The layout of a chart that is ``wide`` inches across."""
        size, small, high, gap = look.type.text, look.type.small, line_height(look.type.text), GAP * look.scale
        strips, above = [], ""
        for row in chart.rows:
            lines, tall = wrapped(row.label, LABELS * wide, size), 1.1 if chart.stacked else 0.92 * len(row.marks)
            heading = wrapped(row.heading if row.heading != above else "", wide, small)
            space = len(heading) * line_height(small) + (0.5 * high if heading else 0.0)
            strips.append(Strip(row, space + max(len(lines), tall, 1.0) * high + 0.35 * high, lines, heading, space))
            above = row.heading
        widths = [text_width(line, size) for strip in strips for line in strip.lines]
        widths += [width for row in chart.rows if (width := text_width(row.heading, small)) <= LABELS * wide]
        left = max(widths) + gap
        numbers = zip_longest(*(texts for row in chart.rows for texts in _numbers(row, chart.stacked)), fillvalue="")
        columns = [gap + max(text_width(text, size) for text in texts) for texts in numbers]
        for number, head in enumerate(chart.heads[: len(columns)]):
            columns[number] = max(columns[number], gap + text_width(head, small))
        for _ in range(chart.optional):
            if sum(columns) > (1 - AXIS) * wide - left:
                columns.pop()
        plot = wide - left - (sum(columns) or 0.2 * look.scale)
        ends = [left + plot + right for right in accumulate(columns)]
        return cls(chart, look, wide, strips, (left, plot), ends, key_block(chart.series, wide, look, chart.stacked))

    @property
    def reference(self) -> list[str]:
        """The name of the reference in lines that end where the axis does, since heads of columns may stand beside."""
        name = self.chart.reference[1] if self.chart.reference else ""
        return wrapped(name, sum(self.plot), self.look.type.small)

    @property
    def top(self) -> float:
        """Inches above the rows: the key, and lines for heads of columns and the name of the reference."""
        lines = max(len(self.reference), any(self.chart.heads))
        return self.key.height + lines * line_height(self.look.type.small) + 0.04

    @property
    def bottom(self) -> float:
        """Inches below the rows: the axis, and what is said of rows that are not shown."""
        return line_height(self.look.type.small) * (2.4 if self.chart.others else 1.2) + 0.05

    def page(self, strips: Sequence[Strip], last: bool) -> Block:
        """A part of the chart, with its axis; the last says what is not shown."""
        tall, small = sum(strip.height for strip in strips), line_height(self.look.type.small)

        def draw(pen: Pen) -> None:
            self.key.draw(pen)
            pen = pen.moved(0, self.top)
            axes = pen.figure.add_axes(pen.fractions(self.plot[0], 0, self.plot[1], tall))
            axes.set_ylim(tall, 0)
            axes.set_yticks([])
            axes.grid(axis="x")
            self._axis(axes)
            self._heads(pen, axes)
            at = 0.0
            for strip in strips:
                pen.lines(0, at + strip.above - len(strip.heading) * small, strip.heading, "heading")
                self._row(pen, axes, at + (strip.above + strip.height) / 2, strip.lines, strip.row)
                at += strip.height
            if self.chart.others and last:
                pen.lines(0, tall + self.bottom - small, [self.chart.others], "others")

        return Block(self.top + tall + self.bottom, draw)

    def _axis(self, axes: Axes) -> None:
        """The axis, of bars from 0 to 1."""
        chart = self.chart
        intervals = [(mark.low, mark.estimate, mark.high) for mark in chart.marks]
        lines = () if chart.reference is None else chart.reference[:1]
        if chart.stacked:
            low, high = 0.0, 1.0
        else:
            low, high = log_ends(intervals) if chart.log else ends_of(intervals, chart.from_zero, lines)
        unit = "share" if chart.stacked else chart.unit
        set_across(axes, low, high, self.plot[1], self.look, unit, log=chart.log)

    def _heads(self, pen: Pen, axes: Axes) -> None:
        """Heads of the columns; the line of reference and its name above it."""
        size, (start, plot), lines = self.look.type.small, self.plot, self.reference
        for at, head in zip(self.columns, self.chart.heads, strict=False):
            pen.lines(at, -line_height(size) - 0.04, [head], "head")
        if self.chart.reference is None:
            return
        value, part = self.chart.reference[0], 0.5
        if not self.chart.log:
            low, high = axes.get_xlim()
            part = (value - low) / (high - low)
            axes.axvline(value, color=self.look.colours.muted, linewidth=0.9 * self.look.scale, zorder=0.6,
                         gid="reference-line")  # fmt: skip
        wide = max(text_width(line, size) for line in lines)
        left = min(max(0.0, start + plot * part - wide / 2), start + plot - wide)
        pen.lines(left, -len(lines) * line_height(size) - 0.04, lines, "reference")

    def _row(self, pen: Pen, axes: Axes, middle: float, lines: Sequence[str], row: ChartRow) -> None:
        """A row with its name at the left, its marks or its bar, and its numbers."""
        look, high, chart = self.look, line_height(self.look.type.text), self.chart
        pen.lines(0, middle - len(lines) / 2 * high, lines, "label")
        numbers = _numbers(row, chart.stacked)
        for number, texts in enumerate(numbers):
            y, ink = middle + (number - (len(numbers) - 1) / 2) * 0.92 * high, ""
            if chart.stacked:
                self._bar(axes, row, y)
            else:
                mark = row.marks[number]
                self._mark(axes, mark, y)
                colour = marker_of(mark.series, look)[0] if len(chart.series) > 1 else ""
                ink = look.colours.muted if mark.hollow else colour
            for at, text in zip(self.columns, texts, strict=False):
                pen.lines(at, y - high / 2, [text], "number", ink)

    def _mark(self, axes: Axes, mark: Mark, y: float) -> None:
        """A mark with its whisker, which ends where the axis does; on a logarithmic axis none for 0."""
        look = self.look
        colour, marker = marker_of(mark.series, look)
        low, high = np.clip((mark.low, mark.high), *axes.get_xlim())
        if high > low:
            axes.hlines(y, low, high, color=colour, linewidth=1.4 * look.scale, gid="whisker")
        if self.chart.log and mark.estimate <= 0:
            return
        axes.plot(
            [mark.estimate], [y], linestyle="none", marker=mark.marker or marker, color=colour, clip_on=False, zorder=3,
            markersize=MARK * look.scale, markerfacecolor=look.colours.paper if mark.hollow else colour, gid="mark",
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


def _numbers(row: ChartRow, stacked: bool) -> list[tuple[str, ...]]:
    """The numbers of a row: a line for each mark, or one for the parts of a bar."""
    return [tuple(mark.texts[0] for mark in row.marks)] if stacked else [mark.texts for mark in row.marks]
