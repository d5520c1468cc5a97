"""Charts that draw themselves on axes: values along an axis, with what is counted up; maps and matrices.

The axes are shrunk until they and their labels fill their room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import polars as pl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.ticker import FuncFormatter, MaxNLocator, MultipleLocator

from .axis import scale_of, written
from .keys import key_block, marker_of
from .look import Look
from .sheet import WHISKERS, Block, Pen, text_width

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

    def chosen(self, look: Look) -> Plot:
        """The chart with the series' names that the look has."""
        names = dict(look.label)
        return replace(self, series=tuple(names.get(name, name) for name in self.series))

    def whiskers(self, wide: float, look: Look) -> str:
        """What is said of its whiskers, which stand upright."""
        return look.say(WHISKERS)

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
    one = partial(_draw_bars, rows=curves[0].rows, unit=unit)
    draw = one if len(curves) == 1 else partial(_draw_curves, curves=curves)
    return Plot(height, partial(_draw_values, draw=draw, curves=tuple(curves), across=across, unit=unit), tuple(series))


def _draw_values(
    axes: Axes, look: Look, draw: Callable[[Axes, Look], None], curves: Sequence[Curve], across: str, unit: str
) -> None:
    """The axes, with as many labels as fit, and what is drawn on them."""
    every = pl.concat([curve.rows.select("value", "estimate", "ci_low", "ci_high") for curve in curves])
    values, ends = sorted(set(every["value"])), [*every["estimate"], *every["ci_low"], *every["ci_high"], 0.0]
    gap = _gap(values)
    low, high = values[0] - 0.6 * gap, values[-1] + 0.6 * gap
    axes.set_xlim(low, high)
    axes.set_ylim(min(ends) * 1.06, (max(ends) or 1.0) * 1.12)
    write, most = written(look, unit), 4 if look.narrow else 5
    axes.yaxis.set_major_locator(MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: write(y)))
    axes.grid(axis="y")
    axes.tick_params(axis="y", labelsize=look.type.small, labelcolor=look.colours.muted)
    room = 0.85 * axes.get_window_extent().width / look.dots  # the labels of the other axis take some
    scale = scale_of(low, high, room, look, whole=True)
    axes.set_xticks(scale.ticks, scale.texts)
    axes.set_xlabel(across)
    draw(axes, look)


def _gap(values: Sequence[float]) -> float:
    """The least distance between two values."""
    return min((after - before for before, after in pairwise(values)), default=1.0)


def _whiskers(axes: Axes, look: Look, rows: pl.DataFrame, colour: str, width: float) -> None:
    axes.vlines(rows["value"].to_list(), rows["ci_low"].to_list(), rows["ci_high"].to_list(), color=colour,
                linewidth=width * look.scale, gid="whisker")  # fmt: skip


def _draw_bars(axes: Axes, look: Look, rows: pl.DataFrame, unit: str) -> None:
    values, shares = rows["value"].to_list(), rows["estimate"].to_list()
    axes.bar(values, shares, width=0.84 * _gap(values), color=marker_of(0, look)[0], gid="part-0")
    _whiskers(axes, look, rows, look.colours.paper, 2.2)
    _whiskers(axes, look, rows, look.colours.muted, 0.9)
    texts, (low, high) = [look.percent(share) for share in shares], axes.get_xlim()
    bar = 0.8 * axes.get_window_extent().width / look.dots / (high - low) * _gap(values)
    fit = max(text_width(text, look.type.footer) for text in texts) < 0.9 * bar  # else they would run together
    if unit == "share" and fit:
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


def without_tail(rows: pl.DataFrame) -> tuple[pl.DataFrame, float | None]:
    """The rows of a distribution in order, up to the last that is worth showing, and its value if there are more."""
    rows = rows.sort("value")
    shown = rows.filter(rows["estimate"].cum_sum(reverse=True) > TAIL)
    return shown, float(shown["value"][-1]) if shown.height < rows.height else None


def scatter(tables: Sequence[pl.DataFrame], across: str, x: str, y: str, series: Sequence[str]) -> Plot:
    """Shares up against shares across, as dots with whiskers of each table, and the line on which both are equal."""
    return Plot(2.9, partial(_draw_dots, tables=tables, across=across, x=x, y=y), tuple(series))


def _draw_dots(axes: Axes, look: Look, tables: Sequence[pl.DataFrame], across: str, x: str, y: str) -> None:
    axes.plot([0, 1], [0, 1], color=look.colours.muted, linewidth=0.9 * look.scale, zorder=0.6)
    for number, table in enumerate(tables):
        (colour, marker), rows = marker_of(number, look), table.drop_nulls(across).with_columns(value=pl.col(across))
        _whiskers(axes, look, rows, colour, 1.2)
        axes.plot(rows["value"].to_list(), rows["estimate"].to_list(), marker=marker, markersize=3.6 * look.scale,
                  color=colour, linestyle="none", zorder=3, gid=f"dots-{number}")  # fmt: skip
    write = written(look, "share")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MultipleLocator(0.25))
        axis.set_major_formatter(FuncFormatter(lambda value, _: write(value)))
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel=x, ylabel=y)
    axes.grid(axis="both")
    axes.tick_params(axis="y", labelsize=look.type.small, labelcolor=look.colours.muted)
