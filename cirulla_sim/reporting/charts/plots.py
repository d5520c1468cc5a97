"""Charts that draw themselves on axes: values along an axis, with what is counted up; dots and maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import MaxNLocator, MultipleLocator

from ...core.errors import InputError, unknown
from ...core.locale import Language
from ...core.numerals import column_places
from ..text.cells import share_text
from .look import DATA, Look, axis_text


@dataclass(frozen=True)
class Plot:
    """A chart that draws itself on axes so high, in inches in print; a key above it names its series."""

    height: float
    paint: Callable[[Axes, Look], None]
    words: Sequence[str]
    """Its numbers in words."""
    series: tuple[str, ...] = ()
    """What the series are called; the first has the first colour and marker."""
    has_axis: bool = False
    """Whether it has an axis of values, across."""
    stacked = False
    marks, others, reference = (), "", None

    def chosen(self, look: Look) -> Plot:
        """The chart with the series' names that the look has.

        Raises ``InputError`` for names that there are not, for rows, and for a reference without an axis.
        """
        of_rows = {"--rows": look.rows, "--highlight": look.highlight, "--sort": look.sort != "none"}
        if wrong := [flag for flag, value in of_rows.items() if value]:
            raise InputError("{flag}: this figure has no rows (leave {flag} out)", wrong[0])
        if look.reference and not self.has_axis:
            raise InputError("--reference: this figure has no axis for a line (leave --reference out)")
        names = dict(look.label)
        if wrong := [name for name in names if name not in self.series]:
            raise unknown("name", wrong[0], self.series, where="--label ")
        return replace(self, series=tuple(names.get(name, name) for name in self.series))

    def draw(self, axes: Axes, look: Look) -> float:
        """Draw it on axes; returns how high they must be, in inches."""
        self.paint(axes, look)
        return min(self.height * look.scale, 0.8 * look.width)


def _whiskers(axes: Axes, look: Look, rows: pl.DataFrame, colour: str, width: float, at: str = "value") -> None:
    axes.vlines(rows[at].to_list(), rows["ci_low"].to_list(), rows["ci_high"].to_list(), color=colour,
                linewidth=width * look.scale, gid="whisker")  # fmt: skip


# ------------------------------------------------------------------------------------------------ values along an axis


class Curve(NamedTuple):
    """What is counted at each value: a table with ``value``, ``estimate`` and the ends of its interval."""

    rows: pl.DataFrame
    label: str = ""
    """What it is called beside other curves."""
    name: str = ""
    """What it is called where it is read back."""
    mean: float | None = None


def distribution(curves: Sequence[Curve], across: str, locale: Language, unit: str = "share") -> Plot:
    """Curves with bands beside each other; of a single one a bar for each value, labelled where there is room."""
    every = pl.concat([curve.rows.select("value", "ci_low", "ci_high") for curve in curves])
    values, ends = sorted(set(every["value"])), [*every["ci_low"], *every["ci_high"], 0.0]
    gap = min((after - before for before, after in pairwise(values)), default=1.0)
    low, high = values[0] - 0.6 * gap, values[-1] + 0.6 * gap
    number, share = axis_text(locale, ""), locale.percent if unit == "share" else axis_text(locale, unit)

    def paint(axes: Axes, look: Look) -> None:
        axes.set(xlim=(low, high), ylim=(min(ends) * 1.06, (max(ends) or 1.0) * 1.12), xlabel=across)
        most = int(1.8 * look.width / look.scale)  # marks that fit
        axes.xaxis.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10], integer=True))
        axes.xaxis.set_major_formatter(number)
        axes.yaxis.set_major_locator(MaxNLocator(4 if look.narrow else 5, steps=[1, 2, 2.5, 5, 10]))
        axes.yaxis.set_major_formatter(axis_text(locale, unit))
        axes.grid(axis="y")
        if len(curves) > 1:
            _draw_curves(axes, look, curves)
        else:
            room = 0.6 * look.width * gap / (high - low)  # of a bar, as margins and the other axis take some
            _draw_columns(axes, look, curves[0].rows, 0.84 * gap, room, is_share=unit == "share")

    if len(curves) == 1:
        words = [f"{number(value)}: {share(p)}" for value, p in curves[0].rows.select("value", "estimate").rows()]
        return Plot(2.0, paint, words, has_axis=True)
    likeliest = (curve.rows.sort("estimate", descending=True)["value", "estimate"].row(0) for curve in curves)
    words = [f"{curve.label}: {locale.say('most often {n} ({share})', n=number(value), share=share(p))}"
             for curve, (value, p) in zip(curves, likeliest, strict=True)]  # fmt: skip
    return Plot(2.0, paint, words, tuple(curve.label for curve in curves), has_axis=True)


def _draw_columns(
    axes: Axes, look: Look, rows: pl.DataFrame, width: float, room: float, is_share: bool
) -> None:  # fmt: skip
    """Columns with whiskers, no wider than they are, and their shares if all of them have ``room`` inches each."""
    values, shares = rows["value"].to_list(), rows["estimate"].to_list()
    axes.bar(values, shares, width=width, color=look.marker(0)[0], gid="part-0")
    thin = min(1.0, 12 * room / look.scale)  # where columns are
    for colour, line in ((look.theme.paper, 2.2), (look.theme.muted, 0.9)):
        _whiskers(axes, look, rows, colour, line * thin)
    digits = column_places(rows.to_dicts(), 100)
    texts = [share_text(share, look.lang, digits) for share in shares] if is_share else []
    if texts and max(look.width_of(text, "footer") for text in texts) < room:  # else they would run together
        for value, text, top in zip(values, texts, rows["ci_high"], strict=True):
            axes.annotate(
                text, (value, top), xytext=(0, 2), textcoords="offset points", ha="center", va="bottom",
                fontsize=look.points("footer"), color=look.theme.muted, gid="number",
                bbox={"facecolor": look.theme.paper, "edgecolor": "none", "pad": 0.5},  # over lines of the grid
            )  # fmt: skip


def _draw_curves(axes: Axes, look: Look, curves: Sequence[Curve]) -> None:
    for number, (rows, _, name, mean) in enumerate(curves):
        colour, marker = look.marker(number)
        values = rows["value"].to_list()
        axes.fill_between(values, rows["ci_low"].to_list(), rows["ci_high"].to_list(), color=colour, alpha=0.22,
                          linewidth=0, gid=f"scores-{name}-band")  # fmt: skip
        axes.plot(values, rows["estimate"].to_list(), linestyle=("-", (0, (4, 1.5)))[number % 2],
                  linewidth=1.2 * look.scale, marker=marker, markersize=2.8 * look.scale, color=colour,
                  gid=f"scores-{name}-dots")  # fmt: skip
        if mean is not None:
            axes.axvline(mean, color=colour, linewidth=0.9, linestyle=(0, (2, 2)), gid=f"scores-{name}-mean")


# ------------------------------------------------------------------------------------------------ dots and maps


def scatter(
    tables: Sequence[pl.DataFrame], across: str, labels: Sequence[str], series: Sequence[str], locale: Language
) -> Plot:  # fmt: skip
    """Shares up against shares across, as dots with whiskers of each table, and the line on which both are equal.

    ``labels`` are the names of the axes.
    """
    tables = [table.drop_nulls(across) for table in tables]

    def paint(axes: Axes, look: Look) -> None:
        axes.axline((0, 0), slope=1, color=look.theme.muted, linewidth=0.9 * look.scale, zorder=0.6)
        for number, rows in enumerate(tables):
            colour, marker = look.marker(number)
            _whiskers(axes, look, rows, colour, 1.2, at=across)
            axes.plot(rows[across].to_list(), rows["estimate"].to_list(), marker=marker, markersize=3.6 * look.scale,
                      color=colour, linestyle="none", zorder=3, clip_on=False, gid=f"dots-{number}")  # fmt: skip
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MultipleLocator(0.25))
            axis.set_major_formatter(axis_text(locale, "share"))
        axes.set(xlim=(0, 1), ylim=(0, 1), xlabel=labels[0], ylabel=labels[1])
        axes.grid(axis="both")

    pairs = (table.select(across, "estimate").rows() for table in tables)
    texts = (", ".join(f"{locale.percent(x)} → {locale.percent(y)}" for x, y in rows) for rows in pairs)
    return Plot(2.5, paint, [f"{name}: {text}" for name, text in zip(series, texts, strict=True)], tuple(series))


def map_of_scores(rows: pl.DataFrame, x: str, y: str, locale: Language) -> Plot:
    """Chances as colours with contour lines: our score across, theirs up."""
    size = int(rows["us"].max()) + 1  # type: ignore[arg-type]
    grid: np.ndarray[Any, Any] = np.full((size, size), np.nan)
    grid[rows["them"].to_numpy(), rows["us"].to_numpy()] = rows["estimate"].to_numpy()

    def paint(axes: Axes, look: Look) -> None:
        colours = LinearSegmentedColormap.from_list("chances", look.theme.chances)
        axes.imshow(grid, origin="lower", cmap=colours, vmin=0, vmax=1, aspect="equal", interpolation="nearest")
        axes.set(xlabel=x, ylabel=y)
        if size > 2:
            edge, every = DATA["map"]["edge"], DATA["map"]["levels"]
            levels = [level for place, level in enumerate(every) if level == 0.5 or not (look.narrow and place % 2)]
            widths = [(1.6 if level == 0.5 else 0.5) * look.scale for level in levels]
            contour = axes.contour(grid, levels=levels, colors=look.theme.ink, linewidths=widths)
            places = []  # of labels: half along the part of a line that is not at an edge
            for level, path in zip(levels, contour.get_paths(), strict=True):
                line = np.asarray(path.vertices)
                inside = line[((line > edge * size) & (line < (1 - edge) * size - 1)).all(axis=1)]
                if len(inside) and level != 0.5:
                    places.append(tuple(inside[len(inside) // 2].tolist()))
            axes.clabel(contour, fmt=lambda level: f"{100 * level:.0f}%", fontsize=look.points("footer"),
                        inline_spacing=2, manual=places)  # fmt: skip

    scores = range(0, size, max(1, size // 3))
    return Plot(3.5, paint, [f"{us}–{them}: {locale.percent(grid[them, us])}" for us in scores for them in scores])
