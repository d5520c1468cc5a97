"""A figure on its sheet: a finding as its title, what is shown, the chart, and one line of method below.

The width is given. The height follows from what is on the sheet; what is too high is first set in smaller type, down
to the smallest there is, and then goes on further sheets. All measures are in inches, from the top left.

How wide a text is, and how it is broken into lines: measured, so that no text leaves its room.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text

from ...core.errors import InputError
from .look import MOST, Chart, Look, style

LEADING = 1.3
"""From line to line, in sizes of the type."""

PLUS_MINUS = "\u00a0±\u00a0"
"""A number and half its interval stay on one line."""

_DOTS = 288


def text_width(text: str, size: float, weight: str = "normal") -> float:
    """How wide a line of text is, in inches, in the font of the present style."""
    return _dots_across(text, size, weight, tuple(matplotlib.rcParams["font.family"])) / _DOTS


@lru_cache(2**14)  # charts of one file say much the same
def _dots_across(text: str, size: float, weight: str, family: tuple[str, ...]) -> float:
    font = FontProperties(family=list(family), size=size, weight=weight)
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

    def text(self, left: float, top: float, text: str, size: float, colour: str, gid: str | None = None, *,
             align: str = "left", weight: str = "normal") -> Text:  # fmt: skip
        """Write a line of text with its top at ``top``."""
        x, y, *_ = self.fractions(left, top + BASELINE * line_height(size), 0, 0)
        return self.figure.text(x, y, text, fontsize=size, color=colour, ha=align, va="baseline", fontweight=weight,
                                parse_math=False, gid=gid)  # fmt: skip

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

    @property
    def has_scale(self) -> bool:
        """Whether its axis may be logarithmic."""

    def whiskers(self, wide: float, look: Look) -> str:
        """What is said of its whiskers, some of which a mark may hide."""


WHISKERS = "Whiskers: 95% intervals."
"""Stands in the method of charts with whiskers; a chart knows what of them is seen."""


@dataclass(frozen=True)
class Graphic:
    """A chart and its words: a finding of its own as the title, what is shown, how the numbers were made."""

    title: str
    shown: str
    body: Body
    method: str
    command: str = ""


def sheets(graphic: Graphic, look: Look) -> list[Chart]:
    """The figure of a chart; of one that does not fit, even in the smallest type and without its last row, several.

    Raises ``InputError`` for rows, names or an axis that the chart does not have.
    """
    drawn = _sheets(graphic, look)
    return drawn if len(drawn) == 1 or look.all else _sheets(graphic, replace(look, most=MOST))


def _sheets(graphic: Graphic, look: Look) -> list[Chart]:
    wide, margin = look.width - 2 * _margin(look), 1.4 * _margin(look)
    body = graphic.body.chosen(look)
    if look.axis == "log" and not body.has_scale:
        raise InputError("--axis log: this figure has no scale of sizes (valid: linear)")
    with style(look):
        promise = look.say(WHISKERS)
        method = graphic.method.replace(promise, body.whiskers(wide, look) if promise in graphic.method else "")
        graphic = replace(graphic, body=body, method=method)
        for shrunk in SHRINK:
            small = replace(look, shrunk=shrunk)
            head, foot = _head(graphic, wide, small, ""), _foot(graphic, wide, small)
            parts = body.blocks(wide, math.inf, small)
            if head.height + parts[0].height + foot.height + margin <= look.tallest:
                break
        else:
            room = look.tallest - margin - _head(graphic, wide, small, "(99/99) ").height - foot.height
            parts = body.blocks(wide, room, small)
        numbers = [f"({n}/{len(parts)}) " if len(parts) > 1 else "" for n in range(1, len(parts) + 1)]
        heads = [_head(graphic, wide, small, number) for number in numbers]
        return [_sheet(graphic, [head, part, foot], small) for head, part in zip(heads, parts, strict=True)]


def _margin(look: Look) -> float:
    return 0.12 if look.narrow else 0.2 * look.scale


def _head(graphic: Graphic, wide: float, look: Look, number: str) -> Block:
    title = graphic.title if look.title is None else look.title
    shown = number + (graphic.shown if look.subtitle is None else look.subtitle)
    return _stack(
        [
            text_block(title, wide, look.type.title, look.colours.ink, "title", weight="bold"),
            text_block(shown, wide, look.type.text, look.colours.muted, "subtitle"),
        ],
        0.03,
        0.12 * look.scale,
    )


def _foot(graphic: Graphic, wide: float, look: Look) -> Block:
    texts = {"caption": look.caption or "", "method": graphic.method if look.footer else ""}
    lines = [text_block(text, wide, look.type.footer, look.colours.muted, name) for name, text in texts.items()]
    return _stack([Block(0.08 * look.scale, lambda pen, left, top: None), *lines], 0.02)


def _stack(blocks: Sequence[Block], gap: float, after: float = 0.0) -> Block:
    """Blocks one below the other."""
    present = [block for block in blocks if block.height]

    def draw(pen: Pen, left: float, top: float) -> None:
        for block in present:
            block.draw(pen, left, top)
            top += block.height + gap

    return Block(sum(block.height + gap for block in present) + after, draw)


def text_block(text: str, wide: float, size: float, colour: str, gid: str, **type_: Any) -> Block:
    """Text in as many lines as it needs."""
    lines = wrapped(text, wide, size, most=MOST_LINES[gid], **type_)

    def draw(pen: Pen, left: float, top: float) -> None:
        for number, line in enumerate(lines):
            pen.text(left, top + number * line_height(size), line, size, colour, gid, **type_)

    return Block(len(lines) * line_height(size), draw)


def _sheet(graphic: Graphic, blocks: Sequence[Block], look: Look) -> Chart:
    margin = _margin(look)
    figure = Chart(figsize=(look.width, sum(block.height for block in blocks) + 1.4 * margin), dpi=look.dots)
    figure.look = look
    figure.set_label(f"{graphic.title if look.title is None else look.title}\n{graphic.command}")
    FigureCanvasAgg(figure)
    _stack(blocks, 0.0).draw(Pen(figure), margin, 0.7 * margin)
    return figure
