"""Which colour and marker a series has, how a part of a bar is filled, and the key that names them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from .look import Look
from .sheet import Block, Pen, line_height, text_width, wrapped

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""Of series, by their numbers; shapes tell them apart where colours do not."""

HATCHES = ("////", "....")
"""Of every other part of a bar, which is as light as the paper."""

_HANDLE, _APART = 0.14, 0.18
"""Inches for a marker, and between entries."""


def marker_of(number: int, look: Look) -> tuple[str, str]:
    """Colour and marker of a series, by its number."""
    colours = look.colours.series
    return colours[number % len(colours)], MARKERS[number % len(MARKERS)]


def part_style(number: int, look: Look) -> dict[str, Any]:
    """How a part of a bar is filled: every other one hatched on paper, so that neighbours differ without colours."""
    colours = look.colours
    if number % 2:
        return {"facecolor": colours.paper, "edgecolor": colours.muted, "hatch": HATCHES[number // 2 % len(HATCHES)],
                "linewidth": 0.6}  # fmt: skip
    return {"facecolor": colours.series[number // 2], "edgecolor": colours.paper, "linewidth": 0.6}


def key_block(names: Sequence[str], wide: float, look: Look, parts: bool = False) -> Block:
    """Which series has which colour and marker, or which part of a bar is filled how; nothing for a single one."""
    if len(names) < 2:
        return Block(0.0, lambda pen, left, top: None)
    size, high, handle = look.type.small, line_height(look.type.small), _HANDLE * look.scale
    places: list[tuple[float, float, list[str]]] = []
    across, down = 0.0, 0.0
    for name in names:
        lines = wrapped(name, wide - handle, size, most=2)
        long = handle + max(text_width(line, size) for line in lines)
        if across and (across + long > wide or len(places[-1][2]) > 1):
            across, down = 0.0, down + len(places[-1][2]) * high
        places.append((across, down, lines))
        across += long + _APART

    def draw(pen: Pen, left: float, top: float) -> None:
        for number, (across, down, lines) in enumerate(places):
            _handle(pen, left + across, top + down + 0.55 * high, number, look, parts)
            for place, line in enumerate(lines):
                pen.text(left + across + handle, top + down + place * high, line, size, look.colours.ink, "key")

    return Block(down + len(places[-1][2]) * high + 0.06, draw)


def _handle(pen: Pen, left: float, middle: float, number: int, look: Look, parts: bool) -> None:
    """The marker of a series, or a small square filled like a part of a bar."""
    side, across = 0.09 * look.scale, pen.figure.transFigure
    x, y, wide, high = pen.fractions(left, middle - side / 2, side, side)
    if parts:
        pen.figure.add_artist(Rectangle((x, y), wide, high, transform=across, **part_style(number, look)))
        return
    colour, marker = marker_of(number, look)
    pen.figure.add_artist(
        Line2D([x + wide / 2], [y + high / 2], marker=marker, color=colour, markersize=4.4 * look.scale,
               linestyle="none", transform=across)
    )  # fmt: skip
