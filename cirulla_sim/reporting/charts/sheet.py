"""A figure on its sheet: a finding as its title, what is shown, the chart, and one line of method below.

The width is given. The height follows from what is on the sheet; what is too high is first set in smaller type, down
to the smallest there is, and then goes on further sheets. All measures are in inches, from the top left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from .look import Look
from .measure import line_height, wrapped
from .style import Chart, style

BASELINE = 0.78
"""How far down its line the baseline of a text is: so digits stand in the middle of it."""

SHRINK = (1.0, 0.94, 0.88, 0.82)
"""How much smaller type may be before a figure goes on further sheets."""

MOST_LINES = {"title": 5, "subtitle": 4, "method": 5, "caption": 6}
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
