"""The figures of line-ups side by side: how an answer turns with who plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from ..errors import InputError
from . import style
from .page import Head, Panel, page
from .words import NAMES, Metadata, changed_words, how_much, rules_title

WIDTH = 7.2
PITCH = 0.24
"""Inches from row to row."""

ASPECTS = (
    ("margin", "hand", "dealer", "What dealing is worth", "Points a hand, less the others'.", 1.0, ""),
    ("wins_hand", "side", "dealer", "Hands won by the dealer's side", "", 100.0, "%"),
    ("points", "hand", "all", "Points a hand, all sides together", "", 1.0, ""),
    ("wins_game", "game", "dealer", "Games won by the side that deals first", "", 100.0, "%"),
    ("hands", "game", "all", "Hands in a game", "", 1.0, ""),
    ("lead_changes", "game", "all", "Lead changes in a game", "", 1.0, ""),
)
"""What is drawn of a file that has it: quantity, trial, side, heading, remark, scale and unit."""

_PALETTE = ("#17406d", "#bf5b04", "#3d7a3a", "#7b3f86", "#6b6b6b", "#a83232", "#2a8c8c")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def strength(frame: pl.DataFrame, metadata: Metadata, width: float = WIDTH) -> Figure:
    """What matters most, a row a line-up, with 95% intervals."""
    panels = [
        Panel(heading, remark, PITCH * len(rows) + 0.35, partial(_draw_rows, rows=rows, scale=scale, unit=unit))
        for quantity, per, side, heading, remark, scale, unit in ASPECTS
        if (rows := _levels(frame, quantity, per, side))
    ]
    if not panels:
        raise InputError("figure 'strength' has nothing to show (valid: a file of line-ups side by side)")
    return page(_head(metadata), panels, width)


def categories(frame: pl.DataFrame, metadata: Metadata, width: float = WIDTH) -> Figure:
    """Through which points line-ups differ: a row a category, a mark a line-up."""
    names = [name for name in NAMES if name.startswith("points_") and _levels(frame, name, "hand", "all")]
    if not names:
        raise InputError("figure 'categories' has nothing to show (valid: a file of simulate with line-ups)")
    height = PITCH * 1.4 * len(names) + 0.7
    panel = Panel(
        "Where points come from", "Mean points a hand, all sides together.", height,
        partial(_draw_categories, frame=frame, names=names),
    )  # fmt: skip
    return page(_head(metadata), [panel], width)


FIGURES: dict[str, Callable[..., Figure]] = {"strength": strength, "categories": categories}


def _head(metadata: Metadata) -> Head:
    return Head(
        title=f"{rules_title(metadata)}: {', '.join(metadata.get('policies', []))} side by side",
        subtitle=f"{how_much(metadata)}, the same for all. Whiskers are 95% intervals.{changed_words(metadata)}",
        command=metadata.get("command", ""),
    )


def _levels(frame: pl.DataFrame, quantity: str, per: str, side: str) -> list[dict[str, Any]]:
    """The rows of a quantity, one a line-up."""
    levels = frame.filter(pl.col("kind") != "difference", pl.col("value").is_null())
    rows = levels.filter(quantity=quantity, per=per, side=side)
    return rows.unique("policy", keep="first", maintain_order=True).to_dicts()


def _draw_rows(axes: Axes, rows: Sequence[dict[str, Any]], scale: float, unit: str) -> None:
    for y, row in enumerate(rows):
        low, value, high = (scale * row[name] for name in ("ci_low", "estimate", "ci_high"))
        colour, marker = look(y)
        axes.hlines(y, low, high, color=colour, linewidth=1.4)
        axes.plot([value], [y], marker=marker, markersize=4.5, color=colour, linestyle="none", clip_on=False, zorder=3)
        sign = "+" if row["quantity"] == "margin" else ""
        axes.annotate(
            f"{value:{sign}.2f} ± {(high - low) / 2:.2f}{unit}",
            (1, y), xycoords=("axes fraction", "data"), xytext=(8, 0), textcoords="offset points",
            va="center_baseline", fontsize=style.TEXT, color=style.INK,
        )  # fmt: skip
    _frame(axes, [row["policy"] for row in rows], unit)
    if any(row["ci_low"] < 0 for row in rows):
        axes.axvline(0, color=style.MUTED, linewidth=0.8, zorder=0.6)
        axes.set_xlim(min(axes.get_xlim()[0], -0.05), max(axes.get_xlim()[1], 0.05))


def _draw_categories(axes: Axes, frame: pl.DataFrame, names: Sequence[str]) -> None:
    line_ups = frame["policy"].unique(maintain_order=True).to_list()
    for y, name in enumerate(names):
        for number, row in enumerate(_levels(frame, name, "hand", "all")):
            at = y + 0.5 * (number - (len(line_ups) - 1) / 2) / len(line_ups)
            colour, marker = look(number)
            axes.hlines(at, row["ci_low"], row["ci_high"], color=colour, linewidth=1.2)
            axes.plot(
                [row["estimate"]], [at], marker=marker, markersize=4, color=colour, linestyle="none", zorder=3,
                label=line_ups[number] if y == 0 else None,
            )  # fmt: skip
    _frame(axes, [NAMES[name] for name in names], "")
    axes.set_xlim(left=0)
    axes.legend(loc="lower right", fontsize=style.SMALL, handletextpad=0.3)


def _frame(axes: Axes, labels: Sequence[str], unit: str) -> None:
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.10g}{unit}"))
    axes.grid(axis="x")


def look(number: int) -> tuple[str, str]:
    """Colour and marker of a line-up, by its number."""
    return _PALETTE[number % len(_PALETTE)], _MARKERS[number % len(_MARKERS)]
