"""The figures of studies of luck and skill: what the margin of a hand comes from, and how soon the better is ahead."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from cirulla_sim.core.errors import InputError
from cirulla_sim.reporting.charts.chart_rows import Column, beside, legend, legend_lines, name_rows, pitch, written
from cirulla_sim.reporting.charts.figure_parts import head
from cirulla_sim.reporting.charts.look import Look
from cirulla_sim.reporting.charts.page_layout import Panel, page
from cirulla_sim.reporting.text.labels import Metadata, name_of, version

from .study_text import together

_PARTS = {
    "deal": "the deal",
    "response": "how the deal suits who plays",
    "dice": "chance in the play",
    "skill": "who plays",
}

CERTAIN_FROM = 1e6
"""Games beyond which nobody plays: intervals are drawn so far."""


def luck(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """Bars of what a hand's margin comes from, and the games it takes until the better policy is ahead."""
    return _figure("luck", [*_shares(frame, look), *_games(frame, look)], frame, metadata, look)


def shares(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """Bars of what a hand's margin comes from."""
    return _figure("shares", _shares(frame, look), frame, metadata, look)


def games(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """The games it takes until the better policy is ahead."""
    return _figure("games", _games(frame, look), frame, metadata, look)


FIGURES = {
    "luck": (luck, 7.6), "shares": (shares, 7.6), "games": (games, 7.6),
}  # fmt: skip


def _figure(name: str, panels: list[Panel], frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    if not panels:
        raise InputError(f"figure {name!r} has nothing to show (valid: a file of a study of luck and skill)")
    each = _deals(metadata.get("deals", {}), look)
    deals = look.say("Deals, each replayed with fresh dice by every line-up: {deals}.", deals=each)
    title = _title(frame, look) or look.say("Luck and skill")
    return page(head(metadata, look, title, deals, *(f"{text}." for text in version(metadata)), what=""), panels, look)


def _deals(deals: int | Mapping[str, int], look: Look) -> str:
    """How many deals, of all games or of each."""
    if isinstance(deals, int):
        return look.numerals(f"{deals:,}")
    return ", ".join(f"{look.say(name_of(rules))} {look.numerals(f'{n:,}')}" for rules, n in deals.items())


def _title(frame: pl.DataFrame, look: Look) -> str:
    """The share of the deal in words, under the first rules and among the first players who differ in skill."""
    rows = frame.filter((pl.col("quantity") == "variance_deal") & (pl.col("estimate") < 1))
    if rows.is_empty():
        return ""
    differ = frame.filter(quantity="variance_skill")["policy"]
    skilled = rows.filter(pl.col("policy").is_in(differ.implode()))
    first = (skilled if skilled.height else rows).row(0, named=True)
    return look.say(
        "Luck and skill: in {rules} {p} of a hand’s margin is the deal ({policy})",
        rules=look.say(name_of(first["rules"])), p=f"{100 * first['estimate']:.0f}%",
        policy=together(first["policy"], look),
    )  # fmt: skip


def _shares(frame: pl.DataFrame, look: Look) -> list[Panel]:
    panels = []
    for policy in frame.filter(pl.col("quantity") == "variance_deal")["policy"].unique(maintain_order=True):
        rows = frame.filter((pl.col("policy") == policy) & pl.col("quantity").str.starts_with("variance_"))
        if rows.filter((pl.col("quantity") == "variance_deal") & (pl.col("estimate") < 1)).is_empty():
            continue  # nobody has dice: the play is a function of the deal
        heading = look.say("What a hand’s margin comes from: {policy}", policy=together(policy, look))
        remark = look.say("Shares of its variance; the line at the end of the deal’s share is its 95% interval.")
        bars = rows["rules"].n_unique()
        key = legend_lines([look.say(part) for part in _PARTS.values()], look)
        tall = pitch(look, 0.33) * bars + (0.4 + 0.17 * key) * look.scale
        panels.append(Panel(heading, remark, tall, partial(_draw_parts, rows=rows, look=look)))
    return panels


def _games(frame: pl.DataFrame, look: Look) -> list[Panel]:
    rows = frame.filter(pl.col("quantity") == "games_until_ahead")
    if rows.is_empty():
        return []
    heading = look.say("Games until the better of two is ahead with 95% certainty")
    remark = look.say("Each against the other, first deal by lot; whiskers are 95% intervals.")
    tall = pitch(look, 0.26) * rows.height + 0.4 * look.scale
    return [Panel(heading, remark, tall, partial(_draw_games, rows=rows, look=look))]


def _draw_parts(axes: Axes, rows: pl.DataFrame, look: Look) -> None:
    colours = look.colours
    fills = dict(zip(_PARTS, (colours.dealer, colours.ramp[1], colours.ramp[2], colours.others), strict=True))
    played = rows["rules"].unique(maintain_order=True).to_list()
    axes.set_ylim(len(played) - 0.5, -0.6)
    axes.set_xlim(0, 100)
    axes.xaxis.set_major_formatter(FuncFormatter(written(look, "%")))
    thick = 0.5 if look.stacked else 0.66
    places = [y + (0.12 if look.stacked else 0) for y in range(len(played))]
    name_rows(axes, [y - (0.22 if look.stacked else 0) for y in places], [look.say(name_of(r)) for r in played], look)
    shown = []
    for y, rules in zip(places, played, strict=True):
        start = 0.0
        for part, colour in fills.items():
            of_part = rows.filter(rules=rules, quantity=f"variance_{part}")
            share = 100 * max(0.0, sum(of_part["estimate"]))
            if share == 0:
                continue
            row = of_part.row(0, named=True)
            shown += [part] if part not in shown else []
            axes.barh(y, share, left=start, height=thick, color=colour, edgecolor=colours.paper, linewidth=0.6)
            if share > (9 if look.stacked else 4):
                axes.text(start + share / 2, y, f"{share:.0f}%", ha="center", va="center_baseline",
                          fontsize=look.type.small, color=colours.on(colour))  # fmt: skip
            if part == "deal":
                ends = 100 * row["ci_low"], 100 * row["ci_high"]
                axes.hlines(y + 0.4 * thick, *ends, color=colours.on(colour), linewidth=1.4 * look.scale)
            start += share
    legend(axes, [Patch(facecolor=fills[part]) for part in shown], [look.say(_PARTS[part]) for part in shown], look,
           handlelength=1.0, columnspacing=1.2)  # fmt: skip


def _draw_games(axes: Axes, rows: pl.DataFrame, look: Look) -> None:
    colours, pairs = look.colours, list(rows.iter_rows(named=True))
    ys = list(range(len(pairs)))
    axes.set_ylim(rows.height - 0.4, -0.7 if look.stacked else -0.6)
    labels = [f"{look.say(name_of(row['rules']))}: {together(row['policy'], look)}" for row in pairs]
    name_rows(axes, ys, labels, look)
    axes.set_xscale("log")
    highs = [row["ci_high"] if row["ci_high"] < 1e12 else CERTAIN_FROM for row in pairs]
    axes.set_xlim(0.8, 1.5 * max(10.0, *highs))
    axes.xaxis.set_major_formatter(FuncFormatter(written(look)))
    axes.grid(axis="x")
    axes.hlines(ys, [row["ci_low"] for row in pairs], highs, color=colours.dealer, linewidth=1.4 * look.scale)
    axes.plot([row["estimate"] for row in pairs], ys, linestyle="none", marker="o", markersize=4.2 * look.scale,
              color=colours.dealer)  # fmt: skip
    numbers = [look.numerals(f"{row['estimate']:,.0f}") for row in pairs]
    beside(axes, ys, [Column(numbers, [colours.ink] * len(pairs))], look)
