"""The figure of the files of ``games``: how long whole games are and how they go."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from ..errors import InputError
from . import style
from .page import Head, Panel, page
from .words import Metadata, changed_words, how_much, percent, play_words, rules_title

WIDTH = 10.0

_SHOWN_TAIL = 0.001

_PANELS = {
    "hands": ("How many hands a game has", "hands in a game"),
    "winning_margin": ("By how much it is won", "points ahead at the end"),
    "lead_changes": ("How often the lead changes", "lead changes in a game"),
    "comeback": ("What winners have come back from", "the most points the winner was behind"),
}


def course(frame: pl.DataFrame, metadata: Metadata, width: float = WIDTH) -> Figure:
    """Hands a game, margins, lead changes and comebacks: how often each number comes."""
    panels = [
        Panel(heading, _remark(frame, name), 1.9, partial(_draw, rows=rows, label=label))
        for name, (heading, label) in _PANELS.items()
        if not (rows := _distribution(frame, name)).is_empty()
    ]
    if not panels:
        raise InputError("figure 'course' has nothing to show (valid: a file of games)")
    to = f"games to {metadata.get('rules', {}).get('target', 51)}"
    if hands := metadata.get("rules", {}).get("hands_per_game"):
        to = f"games of {hands} hands"
    head = Head(
        title=f"{rules_title(metadata)}, {play_words(metadata)}: {to}",
        subtitle=f"{_wins(frame)} {how_much(metadata)}. Whiskers are 95% intervals.{changed_words(metadata)}",
        command=metadata.get("command", ""),
    )
    return page(head, panels, width)


FIGURES: dict[str, Callable[..., Figure]] = {"course": course}


def _wins(frame: pl.DataFrame) -> str:
    rows = frame.filter((pl.col("quantity") == "wins_game") & (pl.col("side") == "dealer"))
    if rows.is_empty():
        return ""
    row = rows.row(0, named=True)
    half = 100 * (row["ci_high"] - row["ci_low"]) / 2
    ties = frame.filter(pl.col("quantity") == "ties_game")["estimate"]
    drawn = f", {100 * ties[0]:.1f}% are drawn" if ties.len() else ""
    return f"The first dealer’s side wins {100 * row['estimate']:.1f}% (±{half:.1f}) of games{drawn}."


def _distribution(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """The rows to draw; of comebacks only those there were."""
    rows = frame.filter(pl.col("quantity") == f"{name}_distribution").sort("value")
    return rows.filter(pl.col("value") > 0) if name == "comeback" else rows


def _remark(frame: pl.DataFrame, name: str) -> str:
    def of(kind: str) -> float | None:
        rows = frame.filter((pl.col("quantity") == name) & (pl.col("kind") == kind) & (pl.col("side") == "all"))
        return float(rows["estimate"][0]) if rows.height else None

    told = [f"{mean:.2f} on average"] if (mean := of("mean")) is not None else []
    if (most := of("maximum")) is not None:
        told += [f"{most:.0f} at most in this run", f"never behind in {percent(1 - (of('probability') or 0))} of games"]
    return ", ".join(told) + "." if told else ""


def _draw(axes: Axes, rows: pl.DataFrame, label: str) -> None:
    shown = rows.filter(rows["estimate"].cum_sum(reverse=True) > _SHOWN_TAIL)
    values, shares = shown["value"].to_list(), shown["estimate"].to_list()
    axes.bar(values, [100 * share for share in shares], width=0.84, color=style.DEALER)
    axes.vlines(values, 100 * shown["ci_low"], 100 * shown["ci_high"], color=style.INK, linewidth=0.8)
    if len(values) <= 14:
        for value, share, high in zip(values, shares, shown["ci_high"], strict=True):
            axes.annotate(
                percent(share), (value, 100 * high), xytext=(0, 2), textcoords="offset points", ha="center",
                va="bottom", fontsize=style.FOOTER, color=style.MUTED,
            )  # fmt: skip
    axes.set_ylim(0, 112 * float(shown["ci_high"].max()))  # type: ignore[arg-type]
    axes.xaxis.set_major_locator(MaxNLocator(12, integer=True, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:.10g}%"))
    axes.tick_params(axis="y", labelsize=style.SMALL, labelcolor=style.MUTED)
    axes.grid(axis="y")
    axes.set_xlabel(label)
