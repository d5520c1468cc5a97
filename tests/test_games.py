"""Whole games: against the referee game by game, in tables, and with intervals that hold the truth."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from referee import play_game

from cirulla_sim.engines import Run, carry_out
from cirulla_sim.errors import InputError
from cirulla_sim.experiment import Experiment, Games, game_row_names
from cirulla_sim.games import GAMES, played, victory_points, victory_table
from cirulla_sim.kernel.games import BINS, HANDS_AT
from cirulla_sim.record import hand_record
from cirulla_sim.rules import Rules, build
from cirulla_sim.simulate import Plan, carry_out_plan
from cirulla_sim.tables import SCHEMA, read

ENDS = ("score", "cappotto", "deal", "last capture")


def referees(rules: Rules, policies: tuple[str, ...], seed: int, first: int) -> dict[str, Any]:
    """The game whose first hand has number ``first``, hand by hand from the records of single hands."""
    data = asdict(rules)

    def hand_dealt_by(number: int, seat: int) -> dict[str, Any]:
        sides = [rules.side((seat + 1 + place) % rules.players) for place in range(rules.sides)]
        seated = tuple(policies[side] for side in sides) if len(policies) > 1 else policies
        return hand_record(Experiment(rules, seated, 1, seed), first + number)

    return play_game(data, hand_dealt_by)


LOSING_MISDEALS = {"misdeals_lose": 3, "misdeal_count": 1}
PLAYED = [
    ({}, ("random",), 60),
    ({"players": 3}, ("random", "greedy", "random"), 30),
    ({"players": 2}, ("greedy", "random"), 40),
    ({"players": 4, "changes": {"partnership": False}}, ("greedy", "random", "random", "greedy"), 30),
    ({"base": "cirulla-tournament", "changes": {"misdeal_count": 1}}, ("greedy", "random"), 60),
    ({"base": "cirullone"}, ("greedy", "random"), 30),
    ({"base": "scopa"}, ("greedy", "random"), 60),
    ({"base": "scopa", "players": 3}, ("greedy", "random", "random"), 40),
    ({"base": "scopa", "changes": LOSING_MISDEALS}, ("random", "greedy"), 60),
    ({"base": "scopa", "players": 3, "changes": LOSING_MISDEALS}, ("random", "greedy", "greedy"), 60),
    ({"changes": {"hands_per_game": 2}}, ("greedy",), 40),
    ({"base": "scopa", "changes": {"hands_per_game": 1, "knockout_tiebreak": True}}, ("greedy", "random"), 300),
    ({"base": "scopa", "changes": {"target": 3, "knockout_tiebreak": True}}, ("random",), 200),
]


@pytest.mark.parametrize(("how", "policies", "games"), PLAYED)
def test_games_agree_with_the_referee(how: dict[str, Any], policies: tuple[str, ...], games: int) -> None:
    rules, seed = build(**how), 61
    _, rows = Games(rules, policies, games, seed).play(0, games, rows=True)
    for number, row in enumerate(rows.tolist()):
        mine = dict(zip(game_row_names(rules), row, strict=True))
        theirs = referees(rules, policies, seed, number << int(HANDS_AT))
        assert mine["hands"] == theirs["hands"]
        assert ENDS[mine["ended"]] == theirs["how"]
        assert {side for side in range(rules.sides) if mine["winners"] >> side & 1} == theirs["winners"]
        assert [mine[f"side{side}_points"] for side in range(rules.sides)] == theirs["points"]
        for name in ("lead_changes", "comeback", "margin"):
            assert mine[name] == theirs[name], name
