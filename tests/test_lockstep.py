"""Hands played many at once are those played one by one: the same tally, to the last count."""

from __future__ import annotations

import random

import numpy as np
import pytest
from rule_values import odd_rules
from test_agreement import HOUSES, PRESETS

from cirulla_sim.engine.chunks import play_chunk
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

ODD = random.Random(25)
RULES = [
    *(build(preset, players=players) for preset, players in PRESETS),
    *(build(players=players, houses=[house]) for house in HOUSES for players in (2, 3, 4)),
    *(odd_rules(ODD) for _ in range(20)),
]


def check_tallies(rules: Rules, first: int, hands: int) -> None:
    """Hands of which rows are kept are played one by one."""
    experiment = Experiment(rules, ("random",), 10**6, 26)
    at_once, one_by_one = (play_chunk(experiment, first, hands, rows)[0] for rows in (False, True))
    assert np.array_equal(at_once, one_by_one), rules


@pytest.mark.parametrize("hands", [2, 999])
def test_tallies_are_the_same(hands: int) -> None:
    for rules in RULES:
        check_tallies(rules, 5, hands)


def test_tallies_are_the_same_where_hands_are_played_again() -> None:
    """In 100,000 hands the table sometimes has more than six cards, which a batch cannot hold."""
    check_tallies(build("cirulla"), 0, 100_000)
