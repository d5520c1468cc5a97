"""Chances as a dot chart: one row a chance, with its interval as a whisker and its numbers written beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, Locator, NullLocator

from . import style
from .page import text_width
from .words import odds_words, percent

PITCH, STACKED_PITCH = 0.215, 0.36
"""Inches from row to row, with fractions beside the odds or under them."""

_LEAST = -40  # the power of ten of the first mark there is

LONGEST_FRACTION = 13
"""Characters of a fraction that are worth printing; longer ones are in the table."""


@dataclass(frozen=True)
class Chance:
    """A probability with its interval; ``exact`` is its fraction where it is known."""

    label: str
    estimate: float
    low: float
    high: float
    exact: str | None = None


Groups = Sequence[tuple[str, Sequence[Chance]]]
"""Chances under headings that say what one trial is."""


def height(groups: Groups, stacked: bool = False) -> float:
    """Inches that the rows, the headings and the axis want."""
    return (STACKED_PITCH if stacked else PITCH) * _slots(groups) + 0.35


def _slots(groups: Groups) -> float:
    return sum(len(chances) + 1.35 for _, chances in groups)


def draw_chances(axes: Axes, groups: Groups, gid: str, stacked: bool = False) -> None:
    """Draw the chances on a logarithmic axis, with percentage, odds and, where known, fraction at the right.

    ``stacked`` writes the fractions under the odds, where there is little room.
    """
    chances = [chance for _, group in groups for chance in group]
    ys, headings = _positions(groups)
    low, high = limits(chances)
    axes.set_xscale("log", nonpositive="clip")
    axes.set_xlim(low, high)
    axes.set_ylim(_slots(groups), 0)
    axes.xaxis.set_major_locator(Marks())
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:.10g}%"))
    axes.grid(axis="x")
    axes.hlines(ys, low, high, color=style.HAIR, linewidth=0.5, zorder=0.5)
    whiskers = axes.hlines(ys, [c.low for c in chances], [c.high for c in chances], color=style.DEALER, linewidth=1.4)
    whiskers.set_gid(f"{gid}-whiskers")
    seen = [(c.estimate, y) for c, y in zip(chances, ys, strict=True) if c.estimate > 0]
    if seen:  # a line without points would stand at the page's corner
        axes.plot(
            [x for x, _ in seen], [y for _, y in seen],
            linestyle="none", marker="o", markersize=4.5, color=style.DEALER, clip_on=False, zorder=3,
            gid=f"{gid}-dots",
        )  # fmt: skip
    axes.set_yticks(ys, [chance.label for chance in chances])
    for y, (heading, _) in zip(headings, groups, strict=True):
        axes.annotate(
            heading, (0, y), xycoords=("axes fraction", "data"), xytext=(-4, 0), textcoords="offset points",
            ha="left", va="center_baseline", fontsize=style.SMALL, color=style.MUTED, fontstyle="italic",
            bbox={"facecolor": style.PAPER, "edgecolor": "none", "pad": 0.8},
        )  # fmt: skip
    _numbers(axes, chances, ys, stacked)


def _numbers(axes: Axes, chances: Sequence[Chance], ys: Sequence[float], stacked: bool) -> None:
    """Percentages right-aligned, odds left-aligned, then fractions, at the right of the axes."""

    def write(text: str, y: float, right: float, down: float, align: str, colour: str) -> None:
        axes.annotate(
            text, (1, y), xycoords=("axes fraction", "data"), xytext=(right, -down), textcoords="offset points",
            ha=align, va="center_baseline", fontsize=style.TEXT, color=colour,
        )  # fmt: skip

    odds = [odds_words(chance.estimate, chance.exact is not None) for chance in chances]
    widest = max(text_width(axes.get_figure(root=True), text, style.TEXT) for text in odds) * 72  # type: ignore[arg-type]
    for chance, y, words in zip(chances, ys, odds, strict=True):
        write(percent(chance.estimate), y, 46, 0, "right", style.INK)
        write(words, y, 53, 0, "left", style.INK)
        if chance.exact is not None and len(chance.exact) <= LONGEST_FRACTION:
            right, down = (53, style.TEXT * 1.25) if stacked else (63 + widest, 0)
            write(f"= {chance.exact}", y, right, down, "left", style.MUTED)


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

    def __call__(self) -> list[float]:
        low, high = sorted(self.axis.get_view_interval())  # type: ignore[union-attr]
        axes = self.axis.axes  # type: ignore[union-attr]
        return ticks(low, high, axes.get_window_extent().width / axes.figure.dpi)

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
