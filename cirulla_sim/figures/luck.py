"""The figure of studies of luck and skill: what the margin of a hand comes from, and how soon the better is ahead."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from ..errors import InputError
from . import style
from .page import Head, Panel, page
from .words import Metadata, rules_name

WIDTH = 7.6

_PARTS = {
    "deal": ("the deal", style.DEALER),
    "response": ("how the deal suits who plays", "#8fb3d1"),
    "dice": ("chance in the play", "#ddd5c3"),
    "skill": ("who plays", style.OTHERS),
}


def luck(frame: pl.DataFrame, metadata: Metadata, width: float = WIDTH) -> Figure:
    """Bars of what a hand's margin comes from, and the games it takes until the better policy is ahead."""
    panels = []
    for policy in frame.filter(pl.col("quantity") == "variance_deal")["policy"].unique(maintain_order=True):
        rows = frame.filter((pl.col("policy") == policy) & pl.col("quantity").str.starts_with("variance_"))
        if rows.filter((pl.col("quantity") == "variance_deal") & (pl.col("estimate") < 1)).is_empty():
            continue  # nobody has dice: the play is a function of the deal
        draw = partial(_draw_parts, rows=rows)
        heading = f"What a hand’s margin comes from: {policy}"
        panels.append(
            Panel(
                heading,
                "Shares of its variance; the line at the end of the deal’s share is its 95% interval.",
                _height(rows),
                draw,
            )
        )
    games = frame.filter(pl.col("quantity") == "games_until_ahead")
    if games.height:
        remark = "Each against the other, first deal by lot; whiskers are 95% intervals."
        heading = "Games until the better of two is ahead with 95% certainty"
        panels.append(Panel(heading, remark, 0.3 * games.height + 0.5, partial(_draw_games, rows=games)))
    if not panels:
        raise InputError("figure 'luck' has nothing to show (valid: a file of a study of luck and skill)")
    deals, version = metadata.get("deals", {}), metadata.get("version", "")
    each = ", ".join(f"{_name(rules)} {number:,}" for rules, number in deals.items())
    head = Head(
        title="Luck and skill",
        subtitle=f"Deals, each replayed with fresh dice by every line-up: {each}. cirulla-sim {version}.",
        command=metadata.get("command", ""),
    )
    return page(head, panels, width)


FIGURES: dict[str, Callable[..., Figure]] = {"luck": luck}


def _height(rows: pl.DataFrame) -> float:
    return 0.36 * rows["rules"].n_unique() + 0.7


def _name(rules: str) -> str:
    return rules_name({"preset": rules})


def _draw_parts(axes: Axes, rows: pl.DataFrame) -> None:
    games = rows["rules"].unique(maintain_order=True).to_list()
    axes.set_ylim(len(games) - 0.5, -1.15)
    axes.set_yticks(range(len(games)), [_name(rules) for rules in games])
    axes.set_xlim(0, 100)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.0f}%"))
    shown = []
    for y, rules in enumerate(games):
        start = 0.0
        for part, (_, colour) in _PARTS.items():
            found = rows.filter((pl.col("rules") == rules) & (pl.col("quantity") == f"variance_{part}"))
            share = 100 * max(0.0, sum(found["estimate"]))
            if share == 0:
                continue
            row = found.row(0, named=True)
            shown += [part] if part not in shown else []
            axes.barh(y, share, left=start, height=0.66, color=colour, edgecolor=style.PAPER, linewidth=0.6)
            if share > 4:
                light = part in ("deal", "skill")
                axes.text(start + share / 2, y, f"{share:.0f}%", ha="center", va="center_baseline",
                          fontsize=style.SMALL, color=style.PAPER if light else style.INK)  # fmt: skip
            if part == "deal":
                axes.hlines(y + 0.27, 100 * row["ci_low"], 100 * row["ci_high"], color=style.INK, linewidth=1.4)
            start += share
    marks = [Patch(facecolor=_PARTS[part][1]) for part in _PARTS if part in shown]
    names = [_PARTS[part][0] for part in _PARTS if part in shown]
    axes.legend(marks, names, loc="upper left", ncols=len(names), borderpad=0, borderaxespad=0.2, fontsize=style.SMALL,
                handlelength=1.0, columnspacing=1.2)  # fmt: skip


def _draw_games(axes: Axes, rows: pl.DataFrame) -> None:
    labels = [f"{_name(row['rules'])}: {row['policy']}" for row in rows.iter_rows(named=True)]
    axes.set_ylim(rows.height - 0.5, -0.5)
    axes.set_yticks(range(rows.height), labels)
    axes.set_xscale("log")
    highs = [row["ci_high"] if row["ci_high"] < 1e12 else 1e6 for row in rows.iter_rows(named=True)]
    axes.set_xlim(0.8, 2.5 * max(10.0, *highs))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    axes.grid(axis="x")
    for y, row in enumerate(rows.iter_rows(named=True)):
        axes.hlines(y, row["ci_low"], highs[y], color=style.DEALER, linewidth=1.4)
        axes.plot([row["estimate"]], [y], marker="o", markersize=4.2, color=style.DEALER)
        text = f"{row['estimate']:,.0f}"
        axes.annotate(text, (highs[y], y), xytext=(6, 0), textcoords="offset points", va="center_baseline",
                      fontsize=style.TEXT, color=style.INK)  # fmt: skip
