"""Chances as a dot chart: one row a chance, with its interval as a whisker and its numbers written beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from . import style
from .words import odds_words, percent

PITCH = 0.215
"""Inches from row to row."""


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


def height(groups: Groups) -> float:
    """Inches that the rows, the headings and the axis want."""
    return PITCH * _slots(groups) + 0.35


def _slots(groups: Groups) -> float:
    return sum(len(chances) + 1.35 for _, chances in groups)


def draw_chances(axes: Axes, groups: Groups, gid: str) -> None:
    """Draw the chances on a logarithmic axis, with percentage, odds and, where known, fraction at the right."""
    chances = [chance for _, group in groups for chance in group]
    ys, headings = _positions(groups)
    low, high = limits(chances)
    axes.set_xscale("log", nonpositive="clip")
    axes.set_xlim(low, high)
    axes.set_ylim(_slots(groups), 0)
    axes.xaxis.set_major_locator(FixedLocator(ticks(low, high)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:.10g}%"))
    axes.grid(axis="x")
    axes.hlines(ys, low, high, color=style.HAIR, linewidth=0.5, zorder=0.5)
    whiskers = axes.hlines(ys, [c.low for c in chances], [c.high for c in chances], color=style.DEALER, linewidth=1.4)
    whiskers.set_gid(f"{gid}-whiskers")
    seen = [(c.estimate, y) for c, y in zip(chances, ys, strict=True) if c.estimate > 0]
    axes.plot(
        [x for x, _ in seen], [y for _, y in seen],
        linestyle="none", marker="o", markersize=4.5, color=style.DEALER, clip_on=False, gid=f"{gid}-dots", zorder=3,
    )  # fmt: skip
    axes.set_yticks(ys, [chance.label for chance in chances])
    for y, (heading, _) in zip(headings, groups, strict=True):
        axes.annotate(
            heading, (0, y), xycoords=("axes fraction", "data"), xytext=(-4, 0), textcoords="offset points",
            ha="left", va="center_baseline", fontsize=style.SMALL, color=style.MUTED, fontstyle="italic",
            bbox={"facecolor": style.PAPER, "edgecolor": "none", "pad": 0.8},
        )  # fmt: skip
    for chance, y in zip(chances, ys, strict=True):
        _numbers(axes, chance, y)


def _numbers(axes: Axes, chance: Chance, y: float) -> None:
    columns = [(40.0, "right", percent(chance.estimate), style.INK)]
    columns += [(47.0, "left", odds_words(chance.estimate, chance.exact is not None), style.INK)]
    columns += [(96.0, "left", f"= {chance.exact}", style.MUTED)] if chance.exact is not None else []
    for offset, align, text, colour in columns:
        axes.annotate(
            text, (1, y), xycoords=("axes fraction", "data"), xytext=(offset, 0), textcoords="offset points",
            ha=align, va="center_baseline", fontsize=style.TEXT, color=colour,
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
    least = min(min(c.low for c in chances if c.low > 0) if c.estimate > 0 else c.high for c in chances)
    most = max(c.high for c in chances)
    marks = [m * 10.0**e for e in range(-15, 1) for m in (1, 2, 5)]
    low = max(m for m in marks if m < least * 0.97)
    high = min((m for m in marks if m > most * 1.03), default=1.0)
    return low, min(high, 1.0)


def ticks(low: float, high: float) -> list[float]:
    """Marks of the axis: 1, 2 and 5 over two decades, 1 alone over more."""
    decades = high / low
    steps = (1, 2, 5) if decades <= 60 else (1, 3) if decades <= 250 else (1,)
    marks = [m * 10.0**e for e in range(-15, 1) for m in steps]
    if decades > 1e4:
        marks = marks[::2] if marks.index(1.0) % 2 == 0 else marks[1::2]
    return [m for m in marks if low * 0.999 <= m <= min(high, 1.0) * 1.001]
