"""Luck-adjusted points: the adjustment has mean zero, for any policies and rules."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray
from test_agreement import odd_rules

from cirulla_sim.engine import luck_adjustment as module
from cirulla_sim.engine.chunks import row_names
from cirulla_sim.engine.luck_adjustment import play_less_luck
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.ruleset.catalogue import catalogue, preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

KINDS = [build(name, players=seats) for name in preset_names() for seats in catalogue()["preset"][name]["seats"]]
KINDS += [build(players=4, houses=[house]) for house in ("optional-capture", "open-partners", "matta-reverts")]


def both_ways(rules: Rules, policy: str, opponent: str, hands: int, seed: int) -> tuple[NDArray[np.float64], ...]:
    """By deal the first policy's margin over the second, sides exchanged, as played and luck-adjusted."""
    played, less = np.zeros(hands), np.zeros(hands)
    at = [row_names(rules).index(f"side{side}_total") for side in range(rules.sides)]
    for place in range(rules.sides):
        for alone, rest, sign in ((policy, opponent, 1), (opponent, policy, -1)):
            names = tuple(alone if side == place else rest for side in range(rules.sides))
            rows, points = play_less_luck(Experiment(rules, names, hands, seed), 0, hands)
            for source, total, unit in ((rows[:, at], played, 1), (points, less, module.PLAYOUTS * module.AGAIN)):
                rest_mean = (source.sum(axis=1) - source[:, place]) / (rules.sides - 1)
                total += sign * (source[:, place] - rest_mean) / unit / (2 * rules.sides)
    return played, less


def gains_nothing(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether quick policies repeat their plays in rollouts, so that only the first deal is adjusted for.

    Then luck-adjusted points do not depend on the number of rollouts of the last stage.
    """
    names = ("careful", *("greedy+prompt",) * (rules.sides - 1))
    monkeypatch.setattr(module, "PLAYOUTS", 2)
    results = []
    for again in (1, 2):
        monkeypatch.setattr(module, "AGAIN", again)
        results.append(play_less_luck(Experiment(rules, names, 100, 91), 0, 20)[1])
    return bool((results[1] == 2 * results[0]).all())


def test_rollout_policies_have_no_adjustment_beyond_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the rules of all presets, and under rules that nobody plays."""
    for rules in (*KINDS, *(odd_rules(random.Random(seed)) for seed in range(6))):
        assert gains_nothing(rules, monkeypatch), rules


def test_other_policies_have_an_adjustment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PLAYOUTS", 2)
    lost = play_less_luck(Experiment(build(players=2), ("random", "careful"), 100, 91), 0, 40)[1]
    assert (lost[:, 1] - lost[:, 0]).mean() > 3 * 2 * module.AGAIN


MANY = (
    ("cirulla", 2, "search:1"), ("cirulla", 3, "random"), ("cirulla", 4, "search:1"), ("cirullone", 4, "search:1"),
    ("cirullone-6-3", 4, "random"), ("scopa", 2, "search:1"), ("scopone-scientifico", 4, "random"),
    ("cirulla-tournament", 2, "random"),
)  # fmt: skip


def test_the_adjustment_has_mean_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under rules of every kind, against careful: detects a bias of 0.35 points a hand, of 2.5 for one of them."""
    monkeypatch.setattr(module, "PLAYOUTS", 1)
    monkeypatch.setattr(module, "AGAIN", 2)
    estimates = []
    for number, (preset, players, name) in enumerate(MANY):
        played, less = both_ways(build(preset, players=players), name, "careful", 220, 92 + number)
        estimates.append(((played - less).mean(), (played - less).std(ddof=1) / np.sqrt(len(less))))
    values, errors = np.array(estimates).T
    weights = 1 / errors**2
    assert np.abs(values / errors).max() < 3.5
    assert 3 / np.sqrt(weights.sum()) < 0.35
    assert abs((values * weights).sum() / weights.sum()) < 3 / np.sqrt(weights.sum())
    assert 3.5 * errors.max() < 2.5
