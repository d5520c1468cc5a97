"""Charts that draw themselves on axes: values along an axis, with what is counted up; maps and matrices.

The axes are shrunk until they and their labels fill their room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.ticker import FuncFormatter, MaxNLocator, MultipleLocator

from .axis import scale_of, written
from .look import Look
from .sheet import WHISKERS, Block, Pen, key_block, marker_of, text_width

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
    has_scale: bool = False
    hollow: bool = False

    def chosen(self, look: Look) -> Plot:
        """The chart with the series' names that the look has."""
        names = dict(look.label)
        return replace(self, series=tuple(names.get(name, name) for name in self.series))

    def whiskers(self, wide: float, look: Look) -> str:
        """What is said of its whiskers, which stand upright."""
        return look.language.say(WHISKERS)

    def blocks(self, wide: float, room: float, look: Look) -> list[Block]:
        """The chart, lower where there is little room."""
        key = key_block(self.series, wide, look)
        high = min(self.height * look.scale, max(LEAST_HEIGHT, room - key.height))

        def draw(pen: Pen) -> None:
            key.draw(pen)
            cell = 0, key.height, wide, high
            axes = pen.axes(*cell)
            axes.tick_params(axis="y", labelsize=look.type.small, labelcolor=look.colours.muted)
            self.draw(axes, look)
            _fit(pen, axes, cell)

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


# ------------------------------------------------------------------------------------------------ values along an axis


class Curve(NamedTuple):
    """What is counted at each value: a table with ``value``, ``estimate`` and the ends of its interval."""

    rows: pl.DataFrame
    name: str = ""
    """What it is called where it is read back."""
    mean: float | None = None


def distribution(
    curves: Sequence[Curve], across: str, *, unit: str = "share", series: Sequence[str] = (), height: float = 2.2
) -> Plot:
    """Curves with bands beside each other; of a single one a bar for each value, labelled where there is room."""
    every = pl.concat([curve.rows.select("value", "estimate", "ci_low", "ci_high") for curve in curves])
    values, ends = sorted(set(every["value"])), [*every["estimate"], *every["ci_low"], *every["ci_high"], 0.0]
    gap = min((after - before for before, after in pairwise(values)), default=1.0)
    low, high = values[0] - 0.6 * gap, values[-1] + 0.6 * gap

    def draw(axes: Axes, look: Look) -> None:
        axes.set_xlim(low, high)
        axes.set_ylim(min(ends) * 1.06, (max(ends) or 1.0) * 1.12)
        write = written(look, unit)
        axes.yaxis.set_major_locator(MaxNLocator(4 if look.narrow else 5, steps=[1, 2, 2.5, 5, 10]))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: write(y)))
        axes.grid(axis="y")
        across_all = axes.get_window_extent().width / look.dots
        scale = scale_of(low, high, 0.85 * across_all, look, whole=True)  # the labels of the other axis take some
        axes.set_xticks(scale.ticks, scale.texts)
        axes.set_xlabel(across)
        if len(curves) > 1:
            _draw_curves(axes, look, curves)
        else:
            bar = 0.8 * across_all / (high - low) * gap
            _draw_bars(axes, look, curves[0].rows, 0.84 * gap, 0.9 * bar if unit == "share" else 0.0)

    return Plot(height, draw, tuple(series))


def _whiskers(axes: Axes, look: Look, rows: pl.DataFrame, colour: str, width: float, at: str = "value") -> None:
    axes.vlines(rows[at].to_list(), rows["ci_low"].to_list(), rows["ci_high"].to_list(), color=colour,
                linewidth=width * look.scale, gid="whisker")  # fmt: skip


def _draw_bars(axes: Axes, look: Look, rows: pl.DataFrame, width: float, room: float) -> None:
    """Bars with whiskers, and their shares if all of them have room."""
    values, shares = rows["value"].to_list(), rows["estimate"].to_list()
    axes.bar(values, shares, width=width, color=marker_of(0, look)[0], gid="part-0")
    _whiskers(axes, look, rows, look.colours.paper, 2.2)
    _whiskers(axes, look, rows, look.colours.muted, 0.9)
    texts = [look.language.percent(share) for share in shares]
    if max(text_width(text, look.type.footer) for text in texts) < room:  # else they would run together
        for value, text, top in zip(values, texts, rows["ci_high"], strict=True):
            axes.annotate(
                text, (value, top), xytext=(0, 2), textcoords="offset points", ha="center", va="bottom",
                fontsize=look.type.footer, color=look.colours.muted, gid="number",
            )  # fmt: skip


def _draw_curves(axes: Axes, look: Look, curves: Sequence[Curve]) -> None:
    for number, (rows, name, mean) in enumerate(curves):
        colour, marker = marker_of(number, look)
        values = rows["value"].to_list()
        axes.fill_between(values, rows["ci_low"].to_list(), rows["ci_high"].to_list(), color=colour, alpha=0.22,
                          linewidth=0, gid=f"scores-{name}-band")  # fmt: skip
        axes.plot(values, rows["estimate"].to_list(), linestyle=("-", (0, (4, 1.5)))[number % 2],
                  linewidth=1.2 * look.scale, marker=marker, markersize=2.8 * look.scale, color=colour,
                  gid=f"scores-{name}-dots")  # fmt: skip
        if mean is not None:
            axes.axvline(mean, color=colour, linewidth=0.9, linestyle=(0, (2, 2)), gid=f"scores-{name}-mean")


TAIL = 0.001
"""The share of what lies beyond the last value that is shown."""


def without_tail(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of a distribution in order, up to the last that is worth showing."""
    rows = rows.sort("value")
    return rows.filter(rows["estimate"].cum_sum(reverse=True) > TAIL)


# ------------------------------------------------------------------------------------------------ dots and maps


def scatter(tables: Sequence[pl.DataFrame], across: str, x: str, y: str, series: Sequence[str]) -> Plot:
    """Shares up against shares across, as dots with whiskers of each table, and the line on which both are equal."""

    def draw(axes: Axes, look: Look) -> None:
        axes.plot([0, 1], [0, 1], color=look.colours.muted, linewidth=0.9 * look.scale, zorder=0.6)
        for number, table in enumerate(tables):
            (colour, marker), rows = marker_of(number, look), table.drop_nulls(across)
            _whiskers(axes, look, rows, colour, 1.2, at=across)
            axes.plot(rows[across].to_list(), rows["estimate"].to_list(), marker=marker, markersize=3.6 * look.scale,
                      color=colour, linestyle="none", zorder=3, gid=f"dots-{number}")  # fmt: skip
        write = written(look, "share")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MultipleLocator(0.25))
            axis.set_major_formatter(FuncFormatter(lambda value, _: write(value)))
        axes.set(xlim=(0, 1), ylim=(0, 1), xlabel=x, ylabel=y)
        axes.grid(axis="both")

    return Plot(2.9, draw, tuple(series))


LEVELS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""Chances that have a line on a map."""


def map_of_scores(rows: pl.DataFrame, x: str, y: str) -> Plot:
    """Chances as colours with contour lines: our score across, theirs up."""
    size = int(rows["us"].max()) + 1  # type: ignore[arg-type]
    grid: np.ndarray[Any, Any] = np.full((size, size), np.nan)
    grid[rows["them"].to_numpy(), rows["us"].to_numpy()] = rows["estimate"].to_numpy()

    def draw(axes: Axes, look: Look) -> None:
        theme, every = look.colours, 2 if look.narrow else 1
        axes.imshow(grid, origin="lower", cmap=theme.chances, vmin=0, vmax=1, aspect="equal", interpolation="nearest")
        if size > 2:
            colours = [theme.on(theme.chances(level)[:3]) for level in LEVELS]
            widths = [(1.6 if level == 0.5 else 0.5) * look.scale for level in LEVELS]
            lines = axes.contour(grid, levels=LEVELS, colors=colours, linewidths=widths)
            named = [level for level in LEVELS[::every] if level != 0.5]  # a label of the thick line meets the corner
            axes.clabel(
                lines, named, fmt=lambda level: f"{100 * level:.0f}%", fontsize=look.type.footer, inline_spacing=2
            )
        axes.set_xlabel(x)
        axes.set_ylabel(y)

    return Plot(3.9, draw)
