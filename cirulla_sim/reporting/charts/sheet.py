"""A figure on its sheet: a finding as its title, what is shown, the chart, and one line of method below.

The width is given. The height follows from what is on the sheet; what is too high is first set in smaller type, down
to the smallest there is, and then goes on further sheets. All measures are in inches, from the top left.

How wide a text is, and how it is broken into lines: measured, so that no text leaves its room.

Axes of numbers: their ends, and round marks along them, as many as fit.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, Protocol

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from .look import Chart, Look, style

LEADING = 1.3
"""From line to line, in sizes of the type."""

SANS = "DejaVu Sans"

PLUS_MINUS = "\u00a0±\u00a0"
"""A number and half its interval stay on one line."""

_DOTS = 288


def text_width(text: str, size: float, weight: str = "normal") -> float:
    """How wide a line of text is, in inches."""
    return _dots_across(text, size, weight) / _DOTS


@lru_cache(2**14)  # charts of one file say much the same
def _dots_across(text: str, size: float, weight: str) -> float:
    font = FontProperties(family=SANS, size=size, weight=weight)
    return float(_renderer().get_text_width_height_descent(text, font, ismath=False)[0])  # type: ignore[no-untyped-call]


@lru_cache(1)
def _renderer() -> RendererAgg:
    return RendererAgg(1, 1, _DOTS)  # type: ignore[no-untyped-call]


def line_height(size: float) -> float:
    """Inches from line to line."""
    return size * LEADING / 72


def wrapped(text: str, room: float, size: float, weight: str = "normal", most: int | None = None) -> list[str]:
    """Text in lines no wider than ``room`` inches; a word too long for a line is cut, and text after ``most`` lines.

    >>> wrapped("one two three", 0.5, 9), wrapped("one two three", 0.5, 9, most=2), wrapped("", 1, 9)
    (['one two', 'three'], ['one two', 'three'], [])
    >>> wrapped("one two three four", 0.5, 9, most=2), "".join(wrapped("incomprehensible", 0.5, 9))
    (['one two', 'three…'], 'incomprehensible')
    """
    lines: list[str] = []
    line = ""
    for word in text.replace("\n", " ").replace(" ± ", PLUS_MINUS).split(" "):
        longer = f"{line} {word}" if line else word
        if text_width(longer, size, weight) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        if (wide := text_width(word, size, weight)) > room:
            *whole, line = textwrap.wrap(word, max(1, int(len(word) * room / wide * 0.9))) or [""]
            lines += whole
    lines = [*lines, line] if line else lines
    if most is None or len(lines) <= most:
        return lines
    return [*lines[: most - 1], shortened(f"{lines[most - 1]} {lines[most]}", room, size, weight)]


def shortened(text: str, room: float, size: float, weight: str = "normal") -> str:
    """Text no wider than ``room`` inches, with an ellipsis for what is left out."""
    if text_width(text, size, weight) <= room:
        return text
    while text and text_width(f"{text}…", size, weight) > room:
        text = text[:-1].rstrip()
    return f"{text}…"


BASELINE = 0.78
"""How far down its line the baseline of a text is: so digits stand in the middle of it."""

SHRINK = (1.0, 0.94, 0.88, 0.82)
"""How much smaller type may be before a figure goes on further sheets."""

MOST_LINES = {"title": 5, "subtitle": 6, "method": 5, "caption": 6}
"""Lines of the words around a chart; what is longer is shortened."""


class Pen:
    """Writes on a figure in inches from the top left."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure

    def text(
        self, left: float, top: float, text: str, size: float, colour: str, *, align: str = "left", bold: bool = False,
        gid: str | None = None,
    ) -> Text:  # fmt: skip
        """Write a line of text with its top at ``top``."""
        width, height = self.figure.get_size_inches()
        return self.figure.text(
            left / width, 1 - (top + BASELINE * line_height(size)) / height, text, fontsize=size, color=colour,
            ha=align, va="baseline", fontweight="bold" if bold else "normal", parse_math=False, gid=gid,
        )  # fmt: skip

    def axes(self, left: float, top: float, wide: float, high: float) -> Axes:
        """Axes on this part of the figure."""
        return self.figure.add_axes(self.fractions(left, top, wide, high))

    def fractions(self, left: float, top: float, wide: float, high: float) -> tuple[float, float, float, float]:
        """A part of the figure as matplotlib has it: from the bottom, in fractions."""
        width, height = self.figure.get_size_inches()
        return left / width, 1 - (top + high) / height, wide / width, high / height


class Block(NamedTuple):
    """Something on a sheet: how high it is, and how it is drawn from its top left."""

    height: float
    draw: Callable[[Pen, float, float], None]


class Body(Protocol):
    """The chart itself."""

    def blocks(self, wide: float, room: float, look: Look) -> list[Block]:
        """The chart in as many parts as it must have to be no higher than ``room``."""

    def chosen(self, look: Look) -> Body:
        """The chart with the rows and the names that the look has."""


@dataclass(frozen=True)
class Graphic:
    """A chart and its words: a finding of its own as the title, what is shown, how the numbers were made."""

    title: str
    shown: str
    body: Body
    method: str
    command: str = ""


def sheets(graphic: Graphic, look: Look) -> list[Chart]:
    """The figure of a chart; of one that does not fit, even in the smallest type, several.

    Raises ``InputError`` for rows or names that the chart does not have.
    """
    graphic = replace(graphic, body=graphic.body.chosen(look))
    for shrunk in SHRINK:
        small = replace(look, shrunk=shrunk)
        head, foot = _head(graphic, small, ""), _foot(graphic, small)
        [whole] = graphic.body.blocks(_inner(look), math.inf, small)
        if head.height + whole.height + foot.height <= _room(look):
            return [_sheet(graphic, [head, whole, foot], small)]
    head = _head(graphic, small, "(99/99) ")
    parts = graphic.body.blocks(_inner(look), _room(look) - head.height - foot.height, small)
    return [
        _sheet(graphic, [_head(graphic, small, f"({n}/{len(parts)}) " if len(parts) > 1 else ""), part, foot], small)
        for n, part in enumerate(parts, 1)
    ]


def _inner(look: Look) -> float:
    return look.width - 2 * _margin(look)


def _room(look: Look) -> float:
    return look.tallest - 1.4 * _margin(look)


def _margin(look: Look) -> float:
    return 0.12 if look.narrow else 0.2 * look.scale


def _head(graphic: Graphic, look: Look, number: str) -> Block:
    title = graphic.title if look.title is None else look.title
    shown = graphic.shown if look.subtitle is None else look.subtitle
    wide, sizes, colours = _inner(look), look.type, look.colours
    return _stack(
        [
            text_block(title, wide, sizes.title, colours.ink, bold=True, most=MOST_LINES["title"], gid="title"),
            text_block(number + shown, wide, sizes.text, colours.muted, most=MOST_LINES["subtitle"], gid="subtitle"),
        ],
        0.03,
        0.12 * look.scale,
    )


def _foot(graphic: Graphic, look: Look) -> Block:
    wide, size, colours = _inner(look), look.type.footer, look.colours
    texts = [(look.caption or "", "caption"), (graphic.method if look.footer else "", "method")]
    lines = [text_block(text, wide, size, colours.muted, most=MOST_LINES[name], gid=name) for text, name in texts]
    return _stack([Block(0.08 * look.scale, _nothing), *lines], 0.02)


def _nothing(pen: Pen, left: float, top: float) -> None:
    """Room between blocks."""


def _stack(blocks: Sequence[Block], gap: float, after: float = 0.0) -> Block:
    """Blocks one below the other."""
    present = [block for block in blocks if block.height]

    def draw(pen: Pen, left: float, top: float) -> None:
        for block in present:
            block.draw(pen, left, top)
            top += block.height + gap

    return Block(sum(block.height + gap for block in present) + after, draw)


def text_block(
    text: str, wide: float, size: float, colour: str, *, bold: bool = False, most: int | None = None,
    gid: str | None = None,
) -> Block:  # fmt: skip
    """Text in as many lines as it needs."""
    lines = wrapped(text, wide, size, "bold" if bold else "normal", most)

    def draw(pen: Pen, left: float, top: float) -> None:
        for number, line in enumerate(lines):
            pen.text(left, top + number * line_height(size), line, size, colour, bold=bold, gid=gid)

    return Block(len(lines) * line_height(size), draw)


def _sheet(graphic: Graphic, blocks: Sequence[Block], look: Look) -> Chart:
    width, margin = look.width, _margin(look)
    height = sum(block.height for block in blocks) + 1.4 * margin
    with style(look):
        figure = Chart(figsize=(width, height), dpi=look.dots)
        figure.set_label(f"{graphic.title if look.title is None else look.title}\n{graphic.command}")
        FigureCanvasAgg(figure)
        pen, top = Pen(figure), 0.7 * margin
        for block in blocks:
            block.draw(pen, margin, top)
            top += block.height
    return figure


_STEPS = (1, 2, 2.5, 5, 10)
_APART = 0.09
"""Inches between the texts of two marks."""


@dataclass(frozen=True)
class Scale:
    """An axis from ``low`` to ``high`` with marks, and perhaps a line of reference."""

    low: float
    high: float
    ticks: tuple[float, ...]
    texts: tuple[str, ...]
    log: bool
    reference: float | None
    look: Look

    def part(self, value: float) -> float:
        """Where a value is, 0 at the low end and 1 at the high end."""
        if self.log:
            return (math.log(value) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        return (value - self.low) / (self.high - self.low)

    def within(self, value: float) -> float:
        """A value, or the end that it is beyond."""
        return min(self.high, max(self.low, value))

    def set_on(self, axes: Axes) -> None:
        """Give axes this axis across."""
        if self.log:
            axes.set_xscale("log", nonpositive="clip")
        axes.set_xlim(self.low, self.high)
        axes.xaxis.set_major_locator(FixedLocator(self.ticks))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xticks(self.ticks, self.texts)
        axes.grid(axis="x")
        if self.reference is not None:
            axes.axvline(
                self.reference, color=self.look.colours.muted, linewidth=0.9 * self.look.scale, zorder=0.6,
                gid="reference-line",
            )  # fmt: skip


def scale_of(
    intervals: Sequence[tuple[float, float, float]], wide: float, look: Look, *, unit: str = "", log: bool = False,
    from_zero: bool = False, reference: float | None = None, whole: bool = False,
) -> Scale:  # fmt: skip
    """The axis of some intervals (low, estimate, high) that is ``wide`` inches long; from 0 to 1 if ``whole``."""
    if whole:
        low, high, unit = 0.0, 1.0, "share"
    elif log:
        low, high = _log_ends(intervals)
    else:
        low, high = _ends(intervals, from_zero, reference)
    write = _written(look, unit)

    def room(marks: Sequence[float]) -> bool:
        texts = [write(mark) for mark in marks]
        places = [wide * _part(mark, low, high, log) for mark in marks]
        halves = [text_width(text, look.type.small) / 2 for text in texts]
        return all(
            right - left >= one + other + _APART
            for left, right, one, other in zip(places, places[1:], halves, halves[1:], strict=False)
        )

    ticks = next((marks for marks in _candidates(low, high, log) if marks and room(marks)), (low,) if log else (0.0,))
    ticks = tuple(mark for mark in ticks if low <= mark <= high)
    return Scale(low, high, ticks, tuple(map(write, ticks)), log, reference, look)


def _part(value: float, low: float, high: float, log: bool) -> float:
    return (math.log(value / low) / math.log(high / low)) if log else (value - low) / (high - low)


def _candidates(low: float, high: float, log: bool) -> list[tuple[float, ...]]:
    """Sets of marks between two ends, the densest first."""
    if log:
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        every = [
            [float(f"{step}e{power}") for power in powers[::skip] for step in steps]
            for skip, steps in ((1, (1, 2, 5)), (1, (1, 3)), (1, (1,)), (2, (1,)), (3, (1,)), (5, (1,)), (9, (1,)))
        ]
        return [tuple(mark for mark in marks if low * 0.999 <= mark <= high * 1.001) for marks in every]
    sets = [MaxNLocator(most, steps=_STEPS).tick_values(low, high) for most in (6, 5, 4, 3, 2, 1)]
    edge = 1e-9 * (high - low)
    inner = [tuple(float(f"{mark:.10g}") for mark in marks if low - edge <= mark <= high + edge) for marks in sets]
    return [*inner, *((marks[0], marks[-1]) for marks in inner if len(marks) > 1), *((marks[:1]) for marks in inner)]


def _ends(
    intervals: Sequence[tuple[float, float, float]], from_zero: bool, reference: float | None
) -> tuple[float, float]:  # fmt: skip
    """Ends with all estimates and whiskers between them; what was never seen does not make the axis longer.

    What was not seen at all may have an interval that would hide the rest: it is cut at the ends.
    """
    seen = [interval for interval in intervals if interval[1]] or list(intervals)
    ends = [end for interval in seen for end in interval if math.isfinite(end)]
    ends += [0.0] if from_zero else []
    ends += [] if reference is None else [reference]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    edge = 0.05 * (high - low) or abs(high) or 1.0
    left = low if from_zero and low == 0 else low - edge
    return left, high + edge


def _log_ends(intervals: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Ends 1, 2 or 5 times a power of ten with all marks between them; whiskers from 0 begin at the left end."""
    seen = [interval for interval in intervals if interval[1] > 0]
    least = min((min(at, low) if low > 0 else at for low, at, _ in seen), default=0.1)
    most = max((high for *_, high in seen), default=1.0)
    ends = [m * 10.0**e for e in range(-40, 9) for m in (1, 2, 5)]
    return max(m for m in ends if m < least * 0.95), min(m for m in ends if m > most * 1.05)


def _written(look: Look, unit: str) -> Callable[[float], str]:
    factor, sign = (100, "%") if unit == "share" else (1, unit)
    return lambda x: look.numerals(f"{factor * x:,.10g}").replace("-", "−") + sign


def grid_of_numbers(axes: Axes, look: Look, unit: str = "", most: int = 6) -> None:
    """Round marks along the vertical axis with light lines, so many that they fit, written in the figure's language.

    The unit ``share`` shows shares of 1 in percent.
    """
    axes.yaxis.set_major_locator(MaxNLocator(min(most, 4) if look.narrow else most, steps=list(_STEPS)))
    write = _written(look, unit)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda x, _: write(x)))
    axes.grid(axis="y")
    axes.tick_params(axis="y", labelsize=look.type.small, labelcolor=look.colours.muted)
