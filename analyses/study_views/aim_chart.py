"""The figure of the study of aiming: what playing for the game is worth."""

from __future__ import annotations

from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cirulla_sim.core.errors import InputError
from cirulla_sim.reporting.charts.chart_rows import Column, beside, grid_of_numbers, name_rows, pitch
from cirulla_sim.reporting.charts.figure_parts import head
from cirulla_sim.reporting.charts.line_up_chart import key, marker_of
from cirulla_sim.reporting.charts.look import Look
from cirulla_sim.reporting.charts.page_layout import Panel, page
from cirulla_sim.reporting.text.labels import Metadata, how_much, player, rules_name


def aim(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Figure:
    """How many more games are won by playing for the game, by score, for each player and number of players."""
    rows = frame.filter(kind="difference", quantity="wins_game")
    if rows.is_empty():
        raise InputError("figure 'aim' has nothing to show (valid: a file of the study of aiming)")
    policies = rows["policy"].unique(maintain_order=True).to_list()
    panels = []
    for players in rows["players"].unique(maintain_order=True):
        here = rows.filter(players=players)
        scores = here["score"].unique(maintain_order=True).to_list()
        heading = look.say("{n} players", n=players)
        remark = look.say("More of 100 games won from a score, ours first, than by playing for points.")
        draw = partial(_draw_aim, rows=here, scores=scores, policies=policies, look=look)
        marks = rows.filter(players=players).height
        tall = pitch(look, 0.1) * len(scores) + (0.19 * marks + 0.6) * look.scale
        panels.append(Panel(heading, remark, tall, draw))
    title, intervals = look.say("What playing for the game is worth"), look.say("Whiskers are 95% intervals.")
    what = look.say(rules_name(metadata))
    return page(head(metadata, look, title, f"{how_much(metadata, look)}.", intervals, what=what), panels, look)


def _draw_aim(axes: Axes, rows: pl.DataFrame, scores: list[str], policies: list[str], look: Look) -> None:
    ys, texts, inks = [], [], []
    each = (0.6 if look.stacked else 0.8) / len(policies)
    down = 0.12 if look.stacked else 0.0
    for place, score in enumerate(scores):
        for number, policy in enumerate(policies):
            found = rows.filter(score=score, policy=policy)
            if found.is_empty():
                continue
            low, value, high = (100 * found[name][0] for name in ("ci_low", "estimate", "ci_high"))
            at = place + down + each * (number - (len(policies) - 1) / 2)
            colour, marker = marker_of(number, look)
            axes.hlines(at, low, high, color=colour, linewidth=1.4 * look.scale)
            axes.plot([value], [at], marker=marker, markersize=4.2 * look.scale, color=colour, linestyle="none",
                      zorder=3)  # fmt: skip
            ys.append(at)
            texts.append(look.numerals(f"{value:+.2f} ± {(high - low) / 2:.2f}").replace("-", "−"))
            inks.append(colour)
    axes.set_ylim(len(scores) - 0.5, -0.6)
    axes.axvline(0, color=look.colours.muted, linewidth=0.9 * look.scale, zorder=0.6)
    grid_of_numbers(axes, "x", look)
    name_rows(axes, [y - (0.25 if look.stacked else 0) for y in range(len(scores))], scores, look)
    beside(axes, ys, [Column(texts, inks, size=look.type.small)], look)
    key(axes, [player(policy, look) for policy in policies], look)


FIGURES = {"aim": (aim, 7.2)}
