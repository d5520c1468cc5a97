"""Charts that draw themselves on axes: values along an axis, with what is counted up; maps and matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator, MultipleLocator

from .axis import set_across, written
from .look import Look
from .sheet import Block, Pen, key_block, marker_of, text_width


@dataclass(frozen=True)
class Plot:
    """A chart that draws itself on axes so high; a key above it names its series."""

    height: float
    draw: Callable[[Axes, Look], None]
    series: tuple[str, ...] = ()
    """What the series are called; the first has the first colour and marker."""
    has_whiskers: bool = True
    has_hollow: bool = False
    has_scale: bool = False

    def chosen(self, look: Look) -> Plot:
        """The chart with the series' names that the look has."""
        names = dict(look.label)
        return replace(self, series=tuple(names.get(name, name) for name in self.series))

    def blocks(self, wide: float, room: float, look: Look) -> list[Block]:
        """The chart, with its axes as large as their labels allow."""
        key, high = key_block(self.series, wide, look), min(self.height * look.scale, wide)

        def draw(pen: Pen) -> None:
            key.draw(pen)
            cell = pen.fractions(0, key.height, wide, high)
            pen.figure.set_layout_engine(ConstrainedLayoutEngine(rect=cell, w_pad=0, h_pad=0))
            self.draw(pen.figure.add_subplot(), look)

        return [Block(key.height + high, draw)]


# ------------------------------------------------------------------------------------------------ values along an axis


class Curve(NamedTuple):
    """What is counted at each value: a table with ``value``, ``estimate`` and the ends of its interval."""

    rows: pl.DataFrame
    name: str = ""
    """What it is called where it is read back."""
    mean: float | None = None


def distribution(curves: Sequence[Curve], across: str, *, unit: str = "share", series: Sequence[str] = ()) -> Plot:
    """Curves with bands beside each other; of a single one a bar for each value, labelled where there is room."""
    every = pl.concat([curve.rows.select("value", "ci_low", "ci_high") for curve in curves])
    values, ends = sorted(set(every["value"])), [*every["ci_low"], *every["ci_high"], 0.0]
    gap = min((after - before for before, after in pairwise(values)), default=1.0)
    low, high = values[0] - 0.6 * gap, values[-1] + 0.6 * gap

    def draw(axes: Axes, look: Look) -> None:
        write, wide = written(look, unit), 0.8 * look.width  # margins and the labels of the other axis take some
        axes.set_ylim(min(ends) * 1.06, (max(ends) or 1.0) * 1.12)
        axes.yaxis.set_major_locator(MaxNLocator(4 if look.narrow else 5, steps=[1, 2, 2.5, 5, 10]))
        axes.yaxis.set_major_formatter(lambda y, _: write(y))
        axes.grid(axis="y")
        set_across(axes, low, high, wide, look, whole=True)
        axes.set_xlabel(across)
        if len(curves) > 1:
            _draw_curves(axes, look, curves)
        else:
            _draw_bars(axes, look, curves[0].rows, 0.84 * gap, 0.75 * wide / (high - low) * gap * (unit == "share"))

    has_whiskers = len(curves) == 1 and not every["ci_low"].equals(every["ci_high"])
    return Plot(2.4, draw, tuple(series), has_whiskers)


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


# ------------------------------------------------------------------------------------------------ dots and maps


def scatter(tables: Sequence[pl.DataFrame], across: str, x: str, y: str, series: Sequence[str]) -> Plot:
    """Shares up against shares across, as dots with whiskers of each table, and the line on which both are equal."""

    def draw(axes: Axes, look: Look) -> None:
        axes.axline((0, 0), slope=1, color=look.colours.muted, linewidth=0.9 * look.scale, zorder=0.6)
        for number, table in enumerate(tables):
            (colour, marker), rows = marker_of(number, look), table.drop_nulls(across)
            _whiskers(axes, look, rows, colour, 1.2, at=across)
            axes.plot(rows[across].to_list(), rows["estimate"].to_list(), marker=marker, markersize=3.6 * look.scale,
                      color=colour, linestyle="none", zorder=3, gid=f"dots-{number}")  # fmt: skip
        write = written(look, "share")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MultipleLocator(0.25))
            axis.set_major_formatter(lambda value, _: write(value))
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
        colours = LinearSegmentedColormap.from_list("chances", look.colours.chances)
        axes.imshow(grid, origin="lower", cmap=colours, vmin=0, vmax=1, aspect="equal", interpolation="nearest")
        if size > 2:
            widths = [(1.6 if level == 0.5 else 0.5) * look.scale for level in LEVELS]
            lines = axes.contour(grid, levels=LEVELS, colors=look.colours.ink, linewidths=widths)
            every = 2 if look.narrow else 1
            named = [level for level in LEVELS[::every] if level != 0.5]  # a label of the thick line meets the corner
            axes.clabel(lines, named, fmt=lambda level: f"{100 * level:.0f}%", fontsize=look.type.footer,
                        inline_spacing=2)  # fmt: skip
        axes.set(xlabel=x, ylabel=y)

    return Plot(3.9, draw)
