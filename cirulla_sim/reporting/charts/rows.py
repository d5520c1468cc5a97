"""Charts of rows: a name, marks with whiskers or a bar in parts, and numbers in columns at the right.

Columns that may be left out are, before the axis gets too short.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, repeat, zip_longest
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from ...core.errors import unknown
from .look import DATA, MOST, Look, axis_text

ROWS: Mapping[str, float] = DATA["rows"]

LINE = ROWS["line"]
"""Heights of the type from line to line; rows are measured in lines."""

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


@dataclass(frozen=True)
class ChartRow:
    """A name and its marks. ``key`` is its name in the file; rows of one ``heading`` stand under it."""

    label: str
    marks: tuple[Mark, ...]
    key: str = ""
    heading: str = ""
    faded: bool = False
    """Whether others stand out."""

    @property
    def names(self) -> list[str]:
        """What it may be called: its name in the file and its label."""
        return [name for name in (self.key, self.label) if name]

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

    @property
    def marks(self) -> list[Mark]:
        """The marks of all rows."""
        return [mark for row in self.rows for mark in row.marks]

    @property
    def words(self) -> Sequence[str]:
        """A text for each row: heading, name, numbers, each named where there are several."""
        texts, before = [], ""
        for row in self.rows:
            values = []
            for mark in row.marks:
                named = zip_longest(() if self.stacked else self.heads, mark.texts, fillvalue="")
                numbers = ", ".join(f"{head} {text}".strip() for head, text in named if text)
                values.append(f"{self.series[mark.series]} {numbers}" if len(self.series) > 1 else numbers)
            heading = f"{row.heading}: " if row.heading and row.heading != before else ""
            texts.append(f"{heading}{row.label} {', '.join(values)}")
            before = row.heading
        return texts

    # -------------------------------------------------------------------------------------------- what is shown

    def chosen(self, look: Look) -> RowChart:
        """The rows that the look names, or the first that show an effect, in its order and called as it has them.

        Raises ``InputError`` for rows and names that there are not.
        """
        new, headings = dict(look.label), list(dict.fromkeys(row.heading for row in self.rows))
        rows = sorted(self.rows, key=lambda row: headings.index(row.heading))
        named, highlighted = self._named("--rows", look.rows), self._named("--highlight", look.highlight)
        known = [*(name for row in rows for name in row.names), *self.series, *filter(None, headings)]
        if wrong := [name for name in new if name not in known]:
            raise unknown("name", wrong[0], dict.fromkeys(known), where="--label ")
        shown = named or rows
        if not (named or look.all or self.whole or len(rows) <= MOST + 1):
            shown = [row for row in rows if not all(mark.hollow for mark in row.marks)] or rows
            if look.sort == "size":
                shown = sorted(shown, key=lambda row: -row.size)
            shown = shown if len(shown) <= MOST + 1 else shown[:MOST]
            shown += [row for row in highlighted if row not in shown]
        picked = [
            replace(row, label=new.get(row.label, new.get(row.key, row.label)),
                    heading=new.get(row.heading, row.heading), faded=bool(highlighted) and row not in highlighted)
            for row in shown
        ]  # fmt: skip
        if look.sort != "none":
            picked.sort(key=lambda row: (-row.marks[0].estimate * (look.sort == "size"), row.label.casefold()))
        if not named or look.sort != "none":
            order = [new.get(heading, heading) for heading in headings]
            picked.sort(key=lambda row: order.index(row.heading))
        return replace(
            self, rows=tuple(picked), series=tuple(new.get(name, name) for name in self.series),
            others="" if named else self._left_out(shown, look),
        )  # fmt: skip

    def _named(self, flag: str, texts: Sequence[str]) -> list[ChartRow]:
        """The rows that texts name, each one row or several with commas between them.

        Raises ``InputError`` for rows that there are not.
        """
        known = dict.fromkeys(name for row in self.rows for name in row.names)
        names = [part.strip() for text in texts for part in ([text] if text in known else text.split(","))]
        if wrong := [name for name in names if name not in known]:
            raise unknown("row", wrong[0], known, where=f"{flag} ")
        return list(dict.fromkeys(row for name in names for row in self.rows if name in row.names))

    def _left_out(self, shown: Sequence[ChartRow], look: Look) -> str:
        """How many rows are not shown, and whether they have no measurable effect."""
        kept = {*map(id, shown)}
        if not (left_out := [row for row in self.rows if id(row) not in kept]):
            return ""
        none = "{n} others: no measurable effect" if len(left_out) > 1 else "1 other: no measurable effect"
        sentence = none if all(mark.hollow for row in left_out for mark in row.marks) else "{n} others are not shown"
        return look.lang.say(sentence, n=look.lang.numerals(f"{len(left_out):,}"))

    # -------------------------------------------------------------------------------------------- drawing

    def draw(self, axes: Axes, look: Look) -> float:
        """Draw the rows on axes; returns how high the axes must be, in inches."""
        wide, small = look.width - 2 * look.margin, look.points("small") / look.points("text")
        columns = self._columns(look)
        right = columns[-1][0] if columns else 0.0
        weight = "bold" if look.highlight else "normal"
        room = max(ROWS["narrow"] * wide, min(ROWS["labels"] * wide, (1 - ROWS["axis"]) * wide - right))
        names: list[tuple[float, str, str, ChartRow]] = []
        height, before = 0.0, ""
        for row in self.rows:
            if row.heading and row.heading != before:
                heading, gap = look.wrapped(row.heading, room, "small"), 0.4 if names else 0.0
                lines = small * (heading.count("\n") + 1)
                names.append((height + gap + lines / 2, heading, "heading", row))
                height += gap + lines
            label, before = look.wrapped(row.label, room, "text", weight), row.heading
            lines = 0.35 + max(label.count("\n") + 1, 1.1 if self.stacked else ROWS["mark_line"] * len(row.marks))
            names.append((height + lines / 2, label, "label", row))
            height += lines
        widest = max(look.width_of(text, "text", weight) for _, text, *_ in names)
        ends = self._ends()
        axes.set(xlim=ends, ylim=(height, 0))
        axes.set_yticks([y for y, *_ in names], [text for _, text, *_ in names])
        axes.tick_params("y", pad=72 * widest + ROWS["pad"] * look.scale)
        for text, (_, _, kind, row) in zip(axes.get_yticklabels(), names, strict=True):
            plain = kind == "heading" or row.faded
            text.set(ha="left", gid=kind, fontsize=look.points("small" if kind == "heading" else "text"),
                     color=look.theme.muted if plain else look.theme.ink, linespacing=1.15,
                     weight="normal" if plain else weight)  # fmt: skip
        write = axis_text(look.lang, "share" if self.stacked else self.unit)
        mark = max(look.width_of(write(float(f"{end:.1g}")), "small") for end in ends)
        across = wide - widest - right  # the axis
        most, fewest = min(6, max(1, int(across / max(0.7 * look.scale, 1.7 * mark)))), 1 + (across > 2.6 * mark)
        axes.xaxis.set_major_locator(MaxNLocator(most, steps=[1, 2, 2.5, 5, 10], min_n_ticks=fewest))
        axes.xaxis.set_major_formatter(write)
        axes.grid(axis="x")
        for end, head in columns:
            _write(axes, end, None, head, look, look.theme.muted)
        for y, _, kind, row in names:
            if kind == "label":
                (self._draw_bar if self.stacked else self._draw_marks)(axes, row, y, look)
                self._draw_numbers(axes, row, y, [end for end, _ in columns], look)
        return height * LINE * look.points("text") / 72

    def _ends(self) -> tuple[float, float]:
        """Ends of the axis: bars go from 0 to 1, else all intervals are between them.

        What was not seen at all may have an interval that would hide the rest: it is cut at the ends.
        """
        if self.stacked:
            return 0.0, 1.0
        seen = [mark for mark in self.marks if mark.estimate] or self.marks
        ends = [end for mark in seen for end in mark[:3] if math.isfinite(end)] + [mark.estimate for mark in self.marks]
        ends += [0.0] * self.from_zero + list(self.reference[:1] if self.reference else ())
        low, high = min(ends, default=0.0), max(ends, default=1.0)
        edge = 0.05 * (high - low) or abs(high) or 1.0
        return low if self.from_zero and low == 0 else low - edge, high + edge

    def _numbers(self, row: ChartRow) -> list[tuple[str, ...]]:
        """The numbers of a row: a line for each mark, or one for the parts of a bar."""
        texts = [mark.texts for mark in row.marks]
        return [tuple(text for text, *_ in texts)] if self.stacked else texts

    def _columns(self, look: Look) -> list[tuple[float, str]]:
        """The right ends of the columns of numbers, in inches from the axes, with their heads."""
        wide, widths, heads = look.width - 2 * look.margin, list[float](), list[str]()
        columns = zip_longest(*(texts for row in self.rows for texts in self._numbers(row)), fillvalue="")
        for texts, head in zip(columns, chain(self.heads, repeat("")), strict=False):
            widest = max(look.width_of(text, "text") for text in texts)
            heads.append(look.wrapped(head, max(widest, 0.7 * look.scale), "small"))
            widths.append(ROWS["gap"] * look.scale + max(widest, look.width_of(heads[-1], "small")))
        labels = max(look.width_of(text, "text") for row in self.rows for text in (row.label, row.heading))
        labels = min(labels, ROWS["narrow"] * wide) + ROWS["pad"] * look.scale / 72
        for _ in range(self.optional):
            if labels + sum(widths) > (1 - ROWS["least"]) * wide:
                widths.pop()
        return list(zip(accumulate(widths), heads, strict=False))

    def _draw_numbers(self, axes: Axes, row: ChartRow, middle: float, ends: Sequence[float], look: Look) -> None:
        """The numbers of a row in their columns, in the colour of their series where there are several."""
        lines = self._numbers(row)
        for number, (texts, mark) in enumerate(zip(lines, row.marks, strict=False)):
            y = middle + (number - (len(lines) - 1) / 2) * ROWS["mark_line"]
            colour = look.theme.ink if self.stacked or len(self.series) < 2 else look.marker(mark.series)[0]
            for end, text in zip(ends, texts, strict=False):
                _write(axes, end, y, text, look, look.theme.muted if mark.hollow or row.faded else colour)

    def _draw_marks(self, axes: Axes, row: ChartRow, middle: float, look: Look) -> None:
        """Marks with whiskers, which end where the axis does."""
        for number, mark in enumerate(row.marks):
            y = middle + (number - (len(row.marks) - 1) / 2) * ROWS["mark_line"]
            own, marker = look.marker(mark.series)
            colour, opacity = (look.theme.muted, ROWS["faded"]) if row.faded else (own, 1.0)
            low, high = np.clip((mark.low, mark.high), *axes.get_xlim())
            if high > low:
                axes.hlines(y, low, high, color=colour, alpha=opacity, linewidth=1.4 * look.scale, gid="whisker")
            axes.plot(
                [mark.estimate], [y], linestyle="none", marker=mark.marker or marker, color=colour, clip_on=False,
                markersize=ROWS["mark"] * look.scale, markerfacecolor=look.theme.paper if mark.hollow else colour,
                zorder=3, alpha=opacity, gid="mark",
            )  # fmt: skip

    def _draw_bar(self, axes: Axes, row: ChartRow, y: float, look: Look) -> None:
        """A bar in parts, with the interval of the first at its end and of the last at its beginning."""
        start, opacity = 0.0, ROWS["faded"] if row.faded else 1.0
        for number, part in enumerate(row.marks):
            axes.barh(y, part.estimate, left=start, height=0.72, alpha=opacity, gid=f"part-{number}",
                      **look.part(number))  # fmt: skip
            start += part.estimate
        first, last = row.marks[0], row.marks[-1]
        for low, end in ((first.low, first.high), (1 - last.high, 1 - last.low)):
            for colour, width in ((look.theme.paper, 2.4), (look.theme.ink, 1.0)) if end - low > ROWS["speck"] else ():
                axes.hlines(y + 0.46, low, end, color=colour, linewidth=width * look.scale, gid="whisker",
                            clip_on=False, alpha=opacity)  # fmt: skip


def _write(axes: Axes, right: float, y: float | None, text: str, look: Look, colour: str) -> None:
    """Write a text that ends so many inches right of the axes: a number at ``y``, or the head of a column."""
    kind, where = ("head", "axes fraction") if y is None else ("number", axes.get_yaxis_transform())
    axes.annotate(
        text, (1, 1 if y is None else y), xycoords=where, textcoords="offset points", ha="right",
        xytext=(72 * right, 3 * look.scale if y is None else 0), va="bottom" if y is None else "center_baseline",
        fontsize=look.points("small" if y is None else "text"), color=colour, gid=kind, annotation_clip=False,
    )  # fmt: skip
