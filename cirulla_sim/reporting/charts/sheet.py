"""What stands on a sheet: texts and keys, in blocks one below the other, in inches from the top left.

How wide a text is, and how it is broken into lines, is measured, so that no text leaves its room.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import matplotlib
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from .look import DATA, Look

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


def wrapped(text: str, room: float, size: float, weight: str = "normal") -> list[str]:
    """Text in lines no wider than ``room`` inches; a word too long for a line is cut.

    >>> wrapped("one two three", 0.5, 9), wrapped("", 1, 9), "".join(wrapped("incomprehensible", 0.5, 9))
    (['one two', 'three'], [], 'incomprehensible')
    """
    lines: list[str] = []
    for word in text.replace("\n", " ").replace(" ± ", PLUS_MINUS).split(" "):
        if lines and text_width(longer := f"{lines[-1]} {word}", size, weight) <= room:
            lines[-1] = longer
        elif (wide := text_width(word, size, weight)) > room:
            lines += textwrap.wrap(word, max(1, int(len(word) * room / wide * 0.9)))
        elif word:
            lines.append(word)
    return lines


BASELINE = 0.78
"""How far down its line the baseline of a text is: so digits stand in the middle of it."""


class TextKind(NamedTuple):
    """How texts of a kind look."""

    size: str
    colour: str = "muted"
    weight: str = "normal"
    align: str = "left"


TEXTS = {name: TextKind(**kind) for name, kind in DATA["text"].items()}
"""The kinds of texts on a chart; each text has its kind as its id."""


@dataclass(frozen=True)
class Pen:
    """Writes on a figure in inches from a place on it, the top left at first."""

    figure: Figure
    look: Look
    left: float = 0.0
    top: float = 0.0

    def moved(self, across: float, down: float) -> Pen:
        """The pen at another place."""
        return replace(self, left=self.left + across, top=self.top + down)

    def lines(self, at: float, top: float, lines: Sequence[str], kind: str, colour: str = "") -> None:
        """Write lines of text that begin or end at ``at``, in the colour of their kind or in another."""
        size, own, weight, align = TEXTS[kind]
        points = getattr(self.look.type, size)
        for number, line in enumerate(lines):
            x, y, *_ = self.fractions(at, top + (number + BASELINE) * line_height(points), 0, 0)
            self.figure.text(x, y, line, fontsize=points, color=colour or getattr(self.look.colours, own), ha=align,
                             va="baseline", fontweight=weight, parse_math=False, gid=kind)  # fmt: skip

    def fractions(self, left: float, top: float, wide: float, high: float) -> tuple[float, float, float, float]:
        """A part of the figure as matplotlib has it: from the bottom, in fractions."""
        width, height = self.figure.get_size_inches()
        return (self.left + left) / width, 1 - (self.top + top + high) / height, wide / width, high / height


class Block(NamedTuple):
    """Something on a sheet: how high it is, and how it is drawn where a pen is."""

    height: float
    draw: Callable[[Pen], None] = lambda pen: None


def stack(*blocks: Block, gap: float = 0.0) -> Block:
    """Blocks one below the other."""
    present = [block for block in blocks if block.height]

    def draw(pen: Pen) -> None:
        for block in present:
            block.draw(pen)
            pen = pen.moved(0, block.height + gap)

    return Block(sum(block.height + gap for block in present), draw)


def text_block(text: str, kind: str, wide: float, look: Look) -> Block:
    """Text in as many lines as it needs."""
    size, _, weight, _ = TEXTS[kind]
    points = getattr(look.type, size)
    lines = wrapped(text, wide, points, weight)
    return Block(len(lines) * line_height(points), lambda pen: pen.lines(0, 0, lines, kind))


# ------------------------------------------------------------------------------------------------ keys

MARKERS, HATCHES = DATA["markers"], DATA["hatches"]
_HANDLE = 0.14
"""Inches for a marker of a key."""


def marker_of(number: int, look: Look) -> tuple[str, str]:
    """Colour and marker of a series, by its number."""
    colours = look.colours.series
    return colours[number % len(colours)], MARKERS[number % len(MARKERS)]


def part_style(number: int, look: Look) -> dict[str, Any]:
    """How a part of a bar is filled: every other one hatched on paper, so that neighbours differ without colours."""
    colours, (half, hatched) = look.colours, divmod(number, 2)
    if hatched:
        return {"facecolor": colours.paper, "edgecolor": colours.muted, "hatch": HATCHES[half % len(HATCHES)],
                "linewidth": 0.6}  # fmt: skip
    return {"facecolor": colours.series[half], "edgecolor": colours.paper, "linewidth": 0.6}


def key_block(names: Sequence[str], wide: float, look: Look, stacked: bool = False) -> Block:
    """Which series has which marker, or which part of a ``stacked`` bar is filled how; nothing for a single one."""
    if len(names) < 2:
        return Block(0.0)
    handle, side, apart = _HANDLE * look.scale, 0.09 * look.scale, 0.18 * look.scale
    entries = [text_block(name, "key", wide - handle, look) for name in names]
    widths = [handle + text_width(name, look.type.small) + apart for name in names]
    beside = sum(widths) <= wide + apart

    def draw(pen: Pen) -> None:
        figure, transform = pen.figure, pen.figure.transFigure
        for number, (entry, across) in enumerate(zip(entries, widths, strict=True)):
            x, y, width, height = pen.fractions(0, 0.55 * line_height(look.type.small) - side / 2, side, side)
            colour, marker = marker_of(number, look)
            figure.add_artist(
                Rectangle((x, y), width, height, transform=transform, **part_style(number, look)) if stacked else
                Line2D([x + width / 2], [y + height / 2], marker=marker, color=colour, markersize=4.4 * look.scale,
                       linestyle="none", transform=transform)
            )  # fmt: skip
            entry.draw(pen.moved(handle, 0))
            pen = pen.moved(across, 0) if beside else pen.moved(0, entry.height)

    return Block((max if beside else sum)(entry.height for entry in entries) + 0.06, draw)
