"""What figures have in common: the figures of a kind of file by name, what is said of the method, rows of a table.

Charts that draw themselves on axes: curves, bars along an axis, maps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg

from ...core.errors import InputError
from ...core.messages import Message
from ..text.labels import Metadata, capital, changed_words, how_much, play_words, rules_title
from .keys import key_block
from .look import Look
from .rows import Mark, rounded
from .sheet import Block, Graphic, Pen

Make = Callable[[pl.DataFrame, Metadata, Look], Graphic | None]


@dataclass(frozen=True)
class Family:
    """The figures of a kind of file by name; the first that has something to show is drawn unless another is named."""

    figures: Mapping[str, Make]
    otherwise: str
    """A file that has something to show where this has not."""

    def graphic(self, name: str | None, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic:
        """A chart before it is drawn.

        Raises ``InputError`` if there is nothing to show.
        """
        for make in [self.figures[name]] if name else self.figures.values():
            if (graphic := make(frame, metadata, look)) is not None:
                return graphic
        present = [other for other, make in self.figures.items() if make(frame, metadata, look) is not None]
        valid = present or Message(self.otherwise)
        raise InputError(
            "figure {figure!r} has nothing to show (valid: {valid})", name or next(iter(self.figures)), valid
        )


def subject(metadata: Metadata, look: Look) -> str:
    """The rules and who plays."""
    return capital(", ".join(part for part in (rules_title(metadata, look), play_words(metadata, look)) if part))


def method(metadata: Metadata, look: Look, *sentences: str, whiskers: bool = True, much: str | None = None) -> str:
    """How the numbers of a figure were made: the rules, who played, how much, what whiskers are, and what else."""
    much = how_much(metadata, look) if much is None else much
    parts = [f"{text}." for text in (subject(metadata, look), capital(much)) if text]
    parts += [look.say("Whiskers: 95% intervals.")] if whiskers else []
    return " ".join([*parts, *(sentence for sentence in sentences if sentence)]) + changed_words(metadata, look)


def command_of(metadata: Metadata) -> str:
    """The command that makes the file."""
    return str(metadata.get("command") or "")


def row_of(frame: pl.DataFrame, quantity: str, value: float | None = None, **columns: Any) -> dict[str, Any] | None:
    """The first row of a quantity with a value, or with none; None if there is no such row."""
    of_value = pl.col("value").is_null() if value is None else pl.col("value") == value
    rows = frame.filter(of_value, quantity=quantity, **columns)
    return rows.row(0, named=True) if rows.height else None


def mark_of(
    row: Mapping[str, Any], texts: tuple[str, ...], look: Look, *, scale: float = 1.0, series: int = 0,
    hollow: bool = False, marker: str = "", sign: str = "", unit: str = "",
) -> Mark:  # fmt: skip
    """The mark of a row of a table, in a unit that is ``scale`` times the row's."""
    low, estimate, high = (scale * float(row[name]) for name in ("ci_low", "estimate", "ci_high"))
    short = f"{rounded(estimate, (high - low) / 2)}".replace("-", "−")
    short = look.numerals(f"{sign}{short}" if estimate > 0 else short) + unit
    return Mark(low, estimate, high, texts, series, hollow, marker, f"({short})" if hollow else short)


_TURNS = 8
"""How often axes are moved until they fit."""

LEAST_HEIGHT = 1.3
"""Inches that axes need."""


@dataclass(frozen=True)
class Plot:
    """A chart that draws itself on axes, as high as it wants where there is room; a key above it names its series."""

    height: float
    draw: Callable[[Axes, Look], None]
    series: tuple[str, ...] = ()
    """What the series are called; the first has the first colour and marker."""

    def chosen(self, look: Look) -> Plot:
        """The chart with the series' names that the look has."""
        names = dict(look.label)
        return replace(self, series=tuple(names.get(name, name) for name in self.series))

    def blocks(self, wide: float, room: float, look: Look) -> list[Block]:
        """The chart, lower where there is little room."""
        key = key_block(self.series, wide, look)
        high = min(self.height * look.scale, max(LEAST_HEIGHT, room - key.height))

        def draw(pen: Pen, left: float, top: float) -> None:
            key.draw(pen, left, top)
            axes = pen.axes(left, top + key.height, wide, high)
            self.draw(axes, look)
            _fit(pen, axes, (left, top + key.height, wide, high))

        return [Block(key.height + high, draw)]


def _fit(pen: Pen, axes: Axes, cell: tuple[float, float, float, float]) -> None:
    """Shrink the axes until they and all their labels fill the cell, neither more nor less."""
    figure = pen.figure
    assert isinstance(figure.canvas, FigureCanvasAgg)
    renderer: RendererAgg = figure.canvas.get_renderer()  # type: ignore[no-untyped-call]
    left, bottom, width, height = pen.fractions(*cell)
    went: list[tuple[float, float, float, float]] = []
    for _ in range(_TURNS):
        box = axes.get_tightbbox(renderer)
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
