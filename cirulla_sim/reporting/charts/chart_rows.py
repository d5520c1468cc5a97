"""Rows of a chart: their names, beside their marks or above them where there is little room, and columns of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator
from matplotlib.transforms import ScaledTranslation

from .look import Look
from .page_layout import text_width

PITCH = 0.215
"""Inches from row to row in print, where names stand beside their marks."""

_ABOVE = 0.145
"""Inches more where names stand above."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""Of line-ups, by their numbers."""

_GAP = 8.0
"""Typographic points between columns."""


def pitch(look: Look, inches: float = PITCH) -> float:
    """Inches from row to row."""
    return (inches + (_ABOVE if look.stacked else 0.0)) * look.scale


def name_rows(axes: Axes, ys: Sequence[float], names: Sequence[str], look: Look) -> None:
    """Name rows at the left of their marks, or above them."""
    axes.set_yticks(ys, names)
    if not look.stacked:
        return
    figure = axes.get_figure(root=True)
    assert figure is not None
    up = ScaledTranslation(0, 3.5 * look.scale / 72, figure.dpi_scale_trans)
    axes.tick_params(axis="y", pad=0)
    for label in axes.get_yticklabels():
        label.set(ha="left", va="bottom", transform=label.get_transform() + up)


def draw_estimates(
    axes: Axes, ys: Sequence[float], intervals: Sequence[tuple[float, float, float]], gid: str, look: Look
) -> None:
    """Estimates as dots with whiskers, a row each: the low end, the estimate and the high end of each interval."""
    lows, estimates, highs = zip(*intervals, strict=True)
    colour = look.colours.dealer
    axes.hlines(ys, lows, highs, color=colour, linewidth=1.4 * look.scale, gid=f"{gid}-whiskers")
    axes.plot(
        estimates, list(ys), linestyle="none", marker="o", markersize=4.5 * look.scale, color=colour, clip_on=False,
        zorder=3, gid=f"{gid}-dots",
    )  # fmt: skip


def draw_mark(
    axes: Axes, y: float, interval: tuple[float, float, float], number: int, look: Look, marker: str | None = None,
    hollow: bool = False,
) -> Line2D:  # fmt: skip
    """Draw an estimate of the line-up with this number as a mark with a whisker; returns the mark."""
    low, estimate, high = interval
    colours = look.colours.line_ups
    colour = colours[number % len(colours)]
    axes.hlines(y, low, high, color=colour, linewidth=1.3 * look.scale)
    [mark] = axes.plot(
        [estimate], [y], linestyle="none", marker=marker or MARKERS[number % len(MARKERS)], color=colour,
        markersize=4.4 * look.scale, markerfacecolor=look.colours.paper if hollow else colour, clip_on=False, zorder=3,
    )  # fmt: skip
    return mark


class Column(NamedTuple):
    """Texts beside rows, one each, and their colours."""

    texts: Sequence[str]
    colours: Sequence[str]
    align: str = "right"
    size: float | None = None
    """Points; as large as text by default."""


def beside(axes: Axes, ys: Sequence[float], columns: Sequence[Column], look: Look) -> list[float]:
    """Write columns at the right of the axes; returns where each ends, in points from the axes."""
    figure = axes.get_figure(root=True)
    assert isinstance(figure, Figure)
    at, ends = 0.0, []
    for column in columns:
        size = column.size or look.type.text
        wide = 72 * max((text_width(figure, text, size) for text in column.texts), default=0.0)
        if not wide:
            ends.append(at)
            continue
        left, at = at + _GAP, at + _GAP + wide
        for y, text, colour in zip(ys, column.texts, column.colours, strict=True):
            axes.annotate(
                text, (1, y), xycoords=("axes fraction", "data"), textcoords="offset points",
                xytext=(at if column.align == "right" else left, 0), ha=column.align, va="center_baseline",
                fontsize=size, color=colour,
            )  # fmt: skip
        ends.append(at)
    return ends


def legend(axes: Axes, handles: Sequence[Artist], names: Sequence[str], look: Look, **options: float) -> None:
    """What marks mean, above the axes, in as many lines as there must be."""
    axes.legend(
        handles, names, loc="lower left", bbox_to_anchor=(0, 1), ncols=-(-len(names) // legend_lines(names, look)),
        borderpad=0, borderaxespad=0.3, fontsize=look.type.small, **options,
    )  # fmt: skip


def legend_lines(names: Sequence[str], look: Look) -> int:
    """The lines of a legend: in columns each is as wide as its widest name."""
    room = 13 * look.across / look.columns / look.scale  # letters and handles, an inch having 13 or more
    most = max(1, int(room // (max(map(len, names)) + 4)))
    return len(names) if most == 1 else 1 if sum(len(name) + 4 for name in names) <= room else -(-len(names) // most)


def grid_of_numbers(axes: Axes, which: str, look: Look, unit: str = "", most: int = 6) -> None:
    """Round marks along an axis with light lines, so many that they fit, written in the figure's language."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    most = min(most, 4) if look.stacked else most
    axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(written(look, unit)))
    axes.grid(axis=which)  # type: ignore[arg-type]
    if which == "y":
        axes.tick_params(axis="y", labelsize=look.type.small, labelcolor=look.colours.muted)


def written(look: Look, unit: str = "") -> Callable[[float, int], str]:
    """How a mark of an axis is written."""
    return lambda x, _: look.numerals(f"{x:,.10g}").replace("-", "−") + unit
