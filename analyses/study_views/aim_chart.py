"""The figure of the study of aiming: what playing for the game is worth."""

from __future__ import annotations

from typing import Any

import polars as pl

from cirulla_sim.reporting.charts.figure_parts import Family, command_of, mark_of, method
from cirulla_sim.reporting.charts.look import Look
from cirulla_sim.reporting.charts.rows import ChartRow, Group, RowChart
from cirulla_sim.reporting.charts.sheet import Graphic
from cirulla_sim.reporting.text.cells import is_significant, marked
from cirulla_sim.reporting.text.findings import counted
from cirulla_sim.reporting.text.labels import Metadata, how_much, player, rules_name
from cirulla_sim.reporting.text.sentences import title


def aim(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """How many more games are won by playing for the game, by score, for each player and number of players."""
    rows = frame.filter(kind="difference", quantity="wins_game")
    if rows.is_empty():
        return None
    policies = rows["policy"].unique(maintain_order=True).to_list()
    groups = []
    for (players,), here in rows.group_by("players", maintain_order=True):
        scores = here["score"].unique(maintain_order=True).to_list()
        each = [ChartRow(score, tuple(_mark(row, policies, look) for row in here.filter(score=score).to_dicts()),
                    key=f"{players}: {score}") for score in scores]  # fmt: skip
        groups.append(Group(look.say("{n} players", n=players), tuple(each)))
    finding = counted("aim-wins", rows.to_dicts(), ("more",))
    shown = look.say("More of 100 games won from a score, ours first, than by playing for points.")
    body = RowChart(tuple(groups), series=tuple(player(policy, look) for policy in policies),
                reference=(0.0, look.say("no gain")))  # fmt: skip
    about = method(metadata, look, look.say("Hollow, in parentheses: not significant (Holm, 5%)."),
                   much=f"{look.say(rules_name(metadata))}, {how_much(metadata, look)}")  # fmt: skip
    return Graphic(title(finding, look.language), shown, body, about, command_of(metadata))


def _mark(row: dict[str, Any], policies: list[str], look: Look) -> Any:
    return mark_of(row, (marked(row, look.language),), look, scale=100.0, series=policies.index(row["policy"]),
                   hollow=not is_significant(row), sign="+")  # fmt: skip


FAMILY = Family({"aim": aim}, "a file of the study of aiming")
