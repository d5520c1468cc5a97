"""Chances as a dot chart: one row a chance, with its interval as a whisker and its numbers written beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, Locator, NullLocator

from .chart_rows import Column, beside, grid_of_numbers, name_rows, pitch
from .look import Look

_LEAST = -40  # the power of ten of the first mark there is

LONGEST_FRACTION = 13
"""Characters of a fraction that are worth printing; longer ones are in the table."""

FEW, FAR, LARGE = 3, 20.0, 0.5
"""An axis of chances is logarithmic for as many as this or more, the largest so many times the least, none above."""


@dataclass(frozen=True)
class Chance:
    """A probability with its interval; ``exact`` is its fraction where it is known."""

    label: str
    estimate: float
    low: float
    high: float
    exact: str | None = None


LONG_LABEL = 36
"""Letters of a name that stand beside its mark; longer ones stand above."""

Groups = Sequence[tuple[str, Sequence[Chance]]]
"""Chances under headings that say what one trial is."""


def height(groups: Groups, look: Look) -> float:
    """Inches that the rows, the headings and the axis want."""
    look = _named(groups, look)
    return pitch(look) * _slots(groups) + 0.35 * look.scale


def _named(groups: Groups, look: Look) -> Look:
    """The look, with rows named above their marks where names are long."""
    longest = max((len(chance.label) for _, chances in groups for chance in chances), default=0)
    return replace(look, above=look.above or longest > LONG_LABEL)


def _slots(groups: Groups) -> float:
    return sum(len(chances) + 1.35 for _, chances in groups)


def logarithmic(chances: Sequence[Chance], look: Look) -> bool:
    """Whether chances are so far apart that they can only be told on a logarithmic axis, or that was asked for."""
    seen = [chance.estimate for chance in chances if chance.estimate > 0]
    if look.axis == "log":
        return bool(seen)
    return len(seen) >= FEW and max(seen) <= LARGE and max(seen) >= FAR * min(seen)


def draw_chances(axes: Axes, groups: Groups, gid: str, look: Look) -> None:
    """Draw chances as dots with whiskers, with percentage, odds and, where known, fraction at the right.

    On a linear axis from 0 they have bars too; on a logarithmic one there are chances of every size.
    """
    look = _named(groups, look)
    chances = [chance for _, group in groups for chance in group]
    colours, size = look.colours, look.scale
    ys, headings = _positions(groups)
    log = logarithmic(chances, look)
    axes.set_ylim(_slots(groups), 0)
    if log:
        low, high = limits(chances)
        axes.set_xscale("log", nonpositive="clip")
        axes.set_xlim(low, high)
        axes.xaxis.set_major_locator(Marks(1.0, look))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: look.numerals(f"{100 * x:,.10g}%")))
        axes.grid(axis="x")
    else:
        low, high = 0.0, min(1.02, 1.08 * max(max(c.high, c.estimate) for c in chances)) or 1.0
        axes.set_xlim(low, high)
        grid_of_numbers(axes, "x", look)
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: look.numerals(f"{100 * x:,.10g}%")))
        axes.barh(ys, [c.estimate for c in chances], height=0.42 if not look.stacked else 0.25, color=colours.ramp[1],
                  alpha=0.45, linewidth=0)  # fmt: skip
    axes.hlines(ys, low, high, color=colours.hair, linewidth=0.5, zorder=0.5)
    lows, highs = [c.low for c in chances], [c.high for c in chances]
    axes.hlines(ys, lows, highs, color=colours.dealer, linewidth=1.4 * size, gid=f"{gid}-whiskers")
    seen = [(c.estimate, y) for c, y in zip(chances, ys, strict=True) if c.estimate > 0]
    if seen:  # a line without points would stand at the page's corner
        axes.plot(
            [x for x, _ in seen], [y for _, y in seen],
            linestyle="none", marker="o", markersize=4.5 * size, color=colours.dealer, clip_on=False, zorder=3,
            gid=f"{gid}-dots",
        )  # fmt: skip
    name_rows(axes, ys, [chance.label for chance in chances], look)
    for y, (heading, _) in zip(headings, groups, strict=True):
        axes.annotate(
            heading, (0, y), xycoords=("axes fraction", "data"), xytext=(0 if look.stacked else -4, 0),
            textcoords="offset points", ha="left", va="center_baseline", fontsize=look.type.small, color=colours.muted,
            fontstyle="italic", bbox={"facecolor": colours.paper, "edgecolor": "none", "pad": 0.8},
        )  # fmt: skip
    _numbers(axes, chances, ys, look)


def _numbers(axes: Axes, chances: Sequence[Chance], ys: Sequence[float], look: Look) -> None:
    """Percentages right-aligned, odds left-aligned, then fractions, at the right of the axes or above the odds."""
    ink, muted = [look.colours.ink] * len(chances), [look.colours.muted] * len(chances)
    fractions = [f"= {c.exact}" if c.exact is not None and len(c.exact) <= LONGEST_FRACTION else "" for c in chances]
    columns = [
        Column([look.percent(c.estimate) for c in chances], ink),
        Column([look.odds(c.estimate, c.exact is not None) for c in chances], ink, "left"),
    ]
    if not look.stacked:
        beside(axes, ys, [*columns, Column(fractions, muted, "left")], look)
        return
    _, end = beside(axes, ys, columns, look)
    for y, text in zip(ys, fractions, strict=True):
        axes.annotate(
            text, (1, y), xycoords=("axes fraction", "data"), xytext=(end, 1.35 * look.type.text),
            textcoords="offset points", ha="right", va="center_baseline", fontsize=look.type.text,
            color=look.colours.muted,
        )  # fmt: skip


def _positions(groups: Groups) -> tuple[list[float], list[float]]:
    """Where the rows and the headings are, from the top."""
    rows, headings, top = [], [], 0.0
    for _, chances in groups:
        headings.append(top + 0.75)
        rows += [top + 1.35 + 0.5 + i for i in range(len(chances))]
        top += len(chances) + 1.35
    return rows, headings


def limits(chances: Sequence[Chance]) -> tuple[float, float]:
    """The ends of the axis: marks 1, 2 or 5 times a power of ten with all dots and whiskers between them."""
    ends = [end for c in chances for end in ((c.low, c.estimate) if c.estimate > 0 else (c.high,)) if end > 0]
    least, most = min(ends, default=0.1), max(max(c.high, c.estimate) for c in chances)
    marks = [m * 10.0**e for e in range(_LEAST, 1) for m in (1, 2, 5)]
    low = max(m for m in marks if m < least * 0.97)
    high = min((m for m in marks if m > most * 1.03), default=1.0)
    return low, min(high, 1.0)


class Marks(Locator):
    """Marks of a logarithmic axis as dense as its length allows: 1, 2 and 5, or 1 and 3, or 1 alone, of each decade."""

    def __init__(self, most: float, look: Look) -> None:
        self.most, self.room = most, look.type.small / 7.5

    def __call__(self) -> list[float]:
        low, high = sorted(self.axis.get_view_interval())  # type: ignore[union-attr]
        axes = self.axis.axes  # type: ignore[union-attr]
        inches = axes.get_window_extent().width / axes.figure.dpi / self.room
        if self.most == 1:
            return ticks(low, high, inches)
        power = 10.0 ** math.ceil(math.log10(high))  # marks are those of chances, of which none is above 1
        return [float(f"{mark * power:.6g}") for mark in ticks(low / power, high / power, 0.95 * inches)]

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        """The marks between two ends on an axis of usual length."""
        return ticks(vmin, vmax, 3.0)


def ticks(low: float, high: float, inches: float) -> list[float]:
    """The marks between two probabilities on an axis of some inches.

    >>> ticks(0.005, 0.2, 3.0), ticks(0.005, 0.2, 1.8), ticks(0.0001, 1, 1.9)
    ([0.005, 0.01, 0.02, 0.05, 0.1, 0.2], [0.01, 0.03, 0.1], [0.0001, 0.001, 0.01, 0.1, 1.0])
    """
    decade = inches / math.log10(high / low)
    wanted = 0.15 + 0.065 * max(len(f"{100 * end:.10g}") for end in (low, high))
    steps = (1, 2, 5) if 0.301 * decade >= wanted else (1, 3) if 0.477 * decade >= wanted else (1,)
    every = max(1, math.ceil(wanted / decade))
    marks = [float(f"{step}e{power}") for power in range(_LEAST, 1) if power % every == 0 for step in steps]
    return [mark for mark in marks if low * 0.999 <= mark <= min(high, 1.0) * 1.001]
