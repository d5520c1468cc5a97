"""Charts that draw themselves on axes: curves, bars along an axis, maps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg

from .keys import key_block
from .look import Look
from .sheet import Block, Pen

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
