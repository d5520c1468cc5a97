"""Figures of the files of ``compare``: what each rule set changes, the biggest change first.

Sizes of changes span four powers of ten, so they are drawn on a logarithmic axis, up and down told by the marker.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator

from ..errors import InputError
from ..kept import effect
from ..rulebook import catalogue
from . import style
from .dots import Chance, Marks, draw_chances, height, ticks
from .page import Head, Panel, page, text_width
from .words import NAMES, Metadata, changed_words, how_much, play_words, rules_name, rules_title, side_names

SINGLE, OVERVIEW = 7.2, 11.0
"""Inches across, unless asked otherwise."""

PITCH = 0.215
"""Inches from row to row."""

MOST = 18
"""Rows of the figure of points by category."""

SURE = 0.05
"""Corrected chance up to which a change counts as seen."""

_MORE, _LESS = "more", "less"
MARKERS = {_MORE: "^", _LESS: "v"}
_COLOURS = {_MORE: style.DEALER, _LESS: style.OTHERS}


@dataclass(frozen=True)
class Change:
    """One difference: what it is called, and its row of the table, in the unit that is shown."""

    label: str
    row: dict[str, Any]
    scale: float = 1.0
    unit: str = ""

    @property
    def way(self) -> str:
        """Up or down."""
        return _MORE if self.row["estimate"] > 0 else _LESS

    @property
    def size(self) -> float:
        """How large it is, whatever the direction."""
        return self.scale * abs(float(self.row["estimate"]))

    @property
    def whisker(self) -> tuple[float, float]:
        """The interval of the size; from 0 on if the direction is not known."""
        low, high = self.scale * self.row["ci_low"], self.scale * self.row["ci_high"]
        return (0.0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))

    @property
    def sure(self) -> bool:
        """Whether it counts as seen though many were looked at."""
        return self.row["p_holm"] is not None and self.row["p_holm"] <= SURE

    @property
    def words(self) -> str:
        """The number as a reader wants it."""
        return effect(self.row, self.scale, self.unit).replace("-", "−")


def overview(frame: pl.DataFrame, metadata: Metadata, width: float = OVERVIEW) -> Figure:
    """All effects on one page."""
    panels = [make(frame, metadata) for make in _PANELS.values()]
    return page(_head(frame, metadata), [panel for panel in panels if panel is not None], width)


def _alone(name: str, frame: pl.DataFrame, metadata: Metadata, width: float = SINGLE) -> Figure:
    panel = _PANELS[name](frame, metadata)
    if panel is None:
        raise InputError(f"figure {name!r} has nothing to show (valid: overview)")
    return page(_head(frame, metadata), [panel], width)


def _head(frame: pl.DataFrame, metadata: Metadata) -> Head:
    base, *others = frame["rules"].unique(maintain_order=True).to_list()
    houses = set(others) <= set(catalogue()["house"])
    count = frame.filter(pl.col("p_holm").is_not_null()).height
    shared = "on hands of its own" if "changed" not in frame["quantity"] else "on the same deals"
    return Head(
        title=f"{rules_title(metadata)}, {play_words(metadata)}: what {'house' if houses else 'other'} rules change",
        subtitle=f"{how_much(metadata)}. Each rule set {shared}, less {name_of(base)}. Sizes are on a logarithmic "
        "scale, whiskers are 95% intervals; a filled mark is a change that is there even though "
        f"{count:,} differences were looked at (Holm, 5%)."
        f"{changed_words(metadata)}",
        command=metadata.get("command", ""),
    )


def name_of(rules: str) -> str:
    """A house rule's or preset's name as words.

    >>> name_of("no-triple-bonus"), name_of("cirullone-6-3")
    ('No triple bonus', 'Cirullone 6-3')
    """
    if rules in catalogue()["preset"]:
        return rules_name({"preset": rules})
    return rules.replace("-", " ").capitalize()


# ------------------------------------------------------------------------------------------------ panels


class Aspect(NamedTuple):
    """A quantity that rules change: what it is called, what readers are told, and the unit it is shown in."""

    quantity: str
    side: str
    heading: str
    remark: str
    scale: float = 1.0
    unit: str = ""


def _effects(aspect: Aspect, frame: pl.DataFrame, metadata: Metadata) -> Panel | None:
    rows = frame.filter(quantity=aspect.quantity, side=aspect.side, kind="difference").iter_rows(named=True)
    changes = [Change(name_of(row["rules"]), row, aspect.scale, aspect.unit) for row in rows]
    names = {side: said.lower() for side, said in side_names(metadata).items()}
    return _panel(aspect.heading.format(**names), aspect.remark.format(**names), changes, aspect.quantity)


def _categories(frame: pl.DataFrame, metadata: Metadata) -> Panel | None:
    rows = frame.filter(pl.col("quantity").str.starts_with("points_"), side="all", kind="difference")
    changes = [
        Change(f"{name_of(row['rules'])}: {NAMES[row['quantity']].lower()}", row) for row in rows.iter_rows(named=True)
    ]
    changes = [change for change in changes if change.sure]
    changes.sort(key=lambda change: -change.size)
    more = f" The {MOST} biggest of {len(changes)}." if len(changes) > MOST else ""
    remark = f"Change of the mean points a hand by category, all sides together.{more}"
    return _panel("Through which points", remark, changes[:MOST], "categories")


def _changed(frame: pl.DataFrame, metadata: Metadata) -> Panel | None:
    rows = frame.filter(quantity="changed").sort("estimate", descending=True, maintain_order=True)
    chances = [
        Chance(name_of(row["rules"]), row["estimate"], row["ci_low"], row["ci_high"])
        for row in rows.iter_rows(named=True)
        if row["estimate"] > 0
    ]
    if not chances:
        return None
    groups = [("Of all hands", chances)]
    return Panel(
        "Hands that go another way at all", "In a card, a capture, a knock or a point.", height(groups),
        lambda axes: draw_chances(axes, groups, "changed"),
    )  # fmt: skip


def _panel(heading: str, remark: str, changes: Sequence[Change], gid: str) -> Panel | None:
    seen = sorted((change for change in changes if change.size > 0), key=lambda change: -change.size)
    if not seen:
        return None
    still = [change.label for change in changes if change.size == 0]
    none = f" No change seen: {', '.join(still)}." if still else ""
    return Panel(heading, remark + none, PITCH * len(seen) + 0.5, partial(_draw, changes=seen, gid=gid))


def _draw(axes: Axes, changes: Sequence[Change], gid: str) -> None:
    """The sizes on a logarithmic axis, with the numbers at the right."""
    low, high = limits(changes)
    ys = range(len(changes))
    unit = changes[0].unit
    axes.set_xscale("log", nonpositive="clip")
    axes.set_xlim(low, high)
    axes.set_ylim(len(changes) - 0.4, -0.6)
    axes.xaxis.set_major_locator(SizeMarks())
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.10g}{unit}"))
    axes.grid(axis="x")
    axes.hlines(ys, low, high, color=style.HAIR, linewidth=0.5, zorder=0.5)
    for way, sure in itertools.product((_MORE, _LESS), (True, False)):
        mine = [(y, change) for y, change in enumerate(changes) if (change.way, change.sure) == (way, sure)]
        if not mine:
            continue
        look = f"{gid}-{way}-{'sure' if sure else 'unsure'}"
        whiskers = axes.hlines(
            [y for y, _ in mine], [max(low, c.whisker[0]) for _, c in mine], [c.whisker[1] for _, c in mine],
            color=_COLOURS[way], linewidth=1.4,
        )  # fmt: skip
        whiskers.set_gid(f"{look}-whiskers")
        axes.plot(
            [c.size for _, c in mine], [y for y, _ in mine],
            linestyle="none", marker=MARKERS[way], markersize=5.0, color=_COLOURS[way],
            markerfacecolor=_COLOURS[way] if sure else style.PAPER, clip_on=False, zorder=3, gid=look,
        )  # fmt: skip
    axes.set_yticks(ys, [change.label for change in changes])
    figure = axes.get_figure(root=True)
    widest = 72 * max(text_width(figure, change.words, style.TEXT) for change in changes)  # type: ignore[arg-type]
    for y, change in zip(ys, changes, strict=True):
        axes.annotate(
            change.words, (1, y), xycoords=("axes fraction", "data"), xytext=(8 + widest, 0),
            textcoords="offset points", ha="right", va="center_baseline", fontsize=style.TEXT,
            color=_COLOURS[change.way] if change.sure else style.MUTED,
        )  # fmt: skip
    axes.legend(
        handles=[Line2D([], [], linestyle="none", marker=MARKERS[way], markersize=5.0, color=_COLOURS[way], label=way)
                 for way in (_MORE, _LESS)],
        loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderpad=0, borderaxespad=0.3, handletextpad=0.1,
        columnspacing=1.0,
    )  # fmt: skip


def limits(changes: Sequence[Change]) -> tuple[float, float]:
    """Ends of the axis with every mark on it; whiskers of changes that may be none go to the left end."""
    least = min(min(change.size, change.whisker[0] or change.size) for change in changes)
    most = max(change.whisker[1] for change in changes)
    ends = [m * 10.0**e for e in range(-15, 7) for m in (1, 2, 5)]
    return max(m for m in ends if m < least * 0.9), min(m for m in ends if m > most * 1.05)


class SizeMarks(Marks):
    """Marks as those of chances, of which none is above 1, but for sizes of any power of ten."""

    def __call__(self) -> list[float]:
        low, high = sorted(self.axis.get_view_interval())  # type: ignore[union-attr]
        axes = self.axis.axes  # type: ignore[union-attr]
        power = 10.0 ** math.ceil(math.log10(high))
        inches = axes.get_window_extent().width / axes.figure.dpi
        return [float(f"{mark * power:.6g}") for mark in ticks(low / power, high / power, 0.95 * inches)]


ASPECTS = {
    "points": Aspect("points", "all", "Points a hand", "Change of the mean, all sides together."),
    "margin": Aspect("margin", "dealer", "Margin of the {dealer}",
                     "Change of its mean points less those of the {others}."),
    "wins": Aspect("wins_hand", "dealer", "How often the {dealer} wins the hand",
                   "Change in percent of all hands.", scale=100.0, unit="%"),
    "spread": Aspect("margin_spread", "dealer", "How far the margin swings",
                     "Change of its standard deviation, in points."),
}  # fmt: skip

_PANELS: dict[str, Callable[[pl.DataFrame, Metadata], Panel | None]] = {
    "points": partial(_effects, ASPECTS["points"]),
    "categories": _categories,
    **{name: partial(_effects, ASPECTS[name]) for name in ("margin", "wins", "spread")},
    "changed": _changed,
}

FIGURES: dict[str, Callable[..., Figure]] = {
    "overview": overview,
    **{name: partial(_alone, name) for name in _PANELS},
}
