"""A page: title, panels one below the other or in two columns, and the command at the foot, measured so that all fits.

The width is given and the height follows from what is on the page. All measures are in inches, from the top.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

from ...core.errors import InputError
from . import style
from .look import NARROWEST, WIDEST, Look

GUTTER = 0.45
"""Inches between columns of panels."""

_LEADING = 1.3
_SANS, _MONO = "DejaVu Sans", "DejaVu Sans Mono"


@dataclass(frozen=True)
class Head:
    """The words around the panels, where nobody asked for others."""

    title: str
    subtitle: str
    command: str


@dataclass(frozen=True)
class Panel:
    """One chart: a heading, a remark under it, the height its axes want, and how to draw it."""

    heading: str
    remark: str
    height: float
    draw: Callable[[Axes], None]


@dataclass(frozen=True)
class _Cell:
    left: float
    top: float
    width: float
    height: float


def page(head: Head, panels: Sequence[Panel], look: Look) -> Figure:
    """The figure of some panels, as wide as the look says and as high as they need, labelled with title and command.

    Raises ``InputError`` for a width that no page has.
    """
    width, margin, sizes = look.across, 0.3 if look.across > 5 else 0.15, look.type
    if not NARROWEST - 0.005 <= width <= WIDEST:
        raise InputError(f"width '{width:g}' is out of range (valid: inches from {NARROWEST:.2f} to {WIDEST:g})")
    title = head.title if look.title is None else look.title
    subtitle = head.subtitle if look.subtitle is None else look.subtitle
    with style.style(look):
        figure = style.Chart(figsize=(width, width), dpi=look.dots)
        figure.set_label(f"{title}\n{head.command}")
        FigureCanvasAgg(figure)
        inner = width - 2 * margin
        written: list[tuple[float, float, list[str], float, str, str, str]] = []

        def write(left: float, top: float, text: str, room: float, size: float, kind: str = "") -> float:
            """Note down wrapped text; returns where it ends."""
            weight, family = ("bold" if kind == "bold" else "normal"), (_MONO if kind == "mono" else _SANS)
            lines = wrapped(figure, text, room, size, weight, family)
            colour = look.colours.ink if kind == "bold" else look.colours.muted
            written.append((left, top, lines, size, weight, family, colour))
            return top + len(lines) * size * _LEADING / 72

        top = write(margin, margin * 0.8, title, inner, sizes.title, "bold")
        top = write(margin, top + 0.04, subtitle, inner, sizes.text) + 0.22 * look.scale
        placed: list[tuple[Panel, _Cell]] = []
        for row in _rows(panels, look.columns):
            each = (inner - GUTTER * (len(row) - 1)) / len(row)
            lefts = [margin + i * (each + GUTTER) for i in range(len(row))]
            start = top
            for left, panel in zip(lefts, row, strict=True):
                under = write(left, top, panel.heading, each, sizes.heading, "bold")
                start = max(start, write(left, under + 0.02, panel.remark, each, sizes.small) + 0.12 * look.scale)
            height = max(panel.height for panel in row)
            placed += [(panel, _Cell(left, start, each, height)) for left, panel in zip(lefts, row, strict=True)]
            top = start + height + 0.32 * look.scale
        top -= 0.1 * look.scale
        if look.caption:
            top = write(margin, top, look.caption, inner, sizes.small) + 0.05
        if look.footer and head.command:
            top = write(margin, top, head.command, inner, sizes.footer, "mono")
        figure.set_size_inches(width, top + margin * 0.7)
        for left, at, lines, size, weight, family, colour in written:
            _print(figure, left, at, lines, size, weight, family, colour)
        for panel, cell in placed:
            axes = figure.add_axes(_fractions(figure, cell))
            panel.draw(axes)
            _fit(figure, axes, cell)
    return figure


def _rows(panels: Sequence[Panel], columns: int) -> list[Sequence[Panel]]:
    """Panels in rows; one that is left over has a row to itself."""
    return [panels[i : i + columns] for i in range(0, len(panels), columns)]


def _print(
    figure: Figure, left: float, top: float, lines: list[str], size: float, weight: str, family: str, colour: str
) -> None:
    width, height = figure.get_size_inches()
    for number, line in enumerate(lines):
        base = top + (number + 0.95) * size * _LEADING / 72
        figure.text(
            left / width, 1 - base / height, line,
            fontsize=size, fontweight=weight, fontfamily=family, color=colour, va="baseline", parse_math=False,
        )  # fmt: skip


def _fractions(figure: Figure, cell: _Cell) -> tuple[float, float, float, float]:
    width, height = figure.get_size_inches()
    return cell.left / width, 1 - (cell.top + cell.height) / height, cell.width / width, cell.height / height


_TURNS = 8
"""How often axes are moved until they fit."""


def _fit(figure: Figure, axes: Axes, cell: _Cell) -> None:
    """Shrink the axes until they and all their labels fill the cell, neither more nor less."""
    left, bottom, width, height = _fractions(figure, cell)
    went: list[tuple[float, float, float, float]] = []
    for _ in range(_TURNS):
        box = axes.get_tightbbox(_renderer(figure))
        assert box is not None
        tight = box.transformed(figure.transFigure.inverted())
        now = axes.get_position()
        x0, x1 = now.x0 + left - tight.x0, now.x1 + left + width - tight.x1
        y0, y1 = now.y0 + bottom - tight.y0, now.y1 + bottom + height - tight.y1
        place = x0, y0, max(x1 - x0, 0.1 * width), max(y1 - y0, 0.1 * height)
        if place in went:  # from here on it goes round, mostly from the third turn on between two a rounding apart
            ring = went[went.index(place) :]
            axes.set_position(ring[(_TURNS - 1 - went.index(place)) % len(ring)])
            break
        axes.set_position(place)
        went.append(place)


def _renderer(figure: Figure) -> RendererAgg:
    assert isinstance(figure.canvas, FigureCanvasAgg)
    return figure.canvas.get_renderer()  # type: ignore[no-untyped-call, no-any-return]


def text_width(figure: Figure, text: str, size: float, weight: str = "normal", family: str = _SANS) -> float:
    """How wide a line of text is, in inches."""
    return _dots_across(text, size, weight, family, figure.dpi) / figure.dpi


@lru_cache(2**14)  # charts of one file say much the same
def _dots_across(text: str, size: float, weight: str, family: str, dpi: float) -> float:
    """How wide a line of text is under our settings, in dots."""
    font = FontProperties(family=family, size=size, weight=weight)
    renderer = RendererAgg(1, 1, dpi)  # type: ignore[no-untyped-call]
    return float(renderer.get_text_width_height_descent(text, font, ismath=False)[0])  # type: ignore[no-untyped-call]


def wrapped(
    figure: Figure, text: str, room: float, size: float, weight: str = "normal", family: str = _SANS
) -> list[str]:
    """Text in lines no wider than ``room`` inches; a word too long for a line is cut."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if text_width(figure, longer, size, weight, family) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        if (wide := text_width(figure, word, size, weight, family)) > room:
            *whole, line = textwrap.wrap(word, max(1, int(len(word) * room / wide * 0.9)))
            lines += whole
    return [*lines, line] if line else lines
