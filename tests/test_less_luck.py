"""Points less luck: what is left out has mean zero, whoever plays under whatever rules."""

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
from cirulla_sim.ruleset.catalogue import catalogue, house_names, preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

KINDS = [(name, seats, ()) for name in preset_names() for seats in catalogue()["preset"][name]["seats"]]
KINDS += [("cirulla", players, (house,)) for players in (2, 4) for house in house_names()]


def both_ways(rules: Rules, one: str, other: str, hands: int, seed: int) -> tuple[NDArray[np.float64], ...]:
    """By deal the first policy's margin over the second, sides exchanged, as played and less luck."""
    played, less = np.zeros(hands), np.zeros(hands)
    at = [row_names(rules).index(f"side{side}_total") for side in range(rules.sides)]
    for place in range(rules.sides):
        for alone, rest, sign in ((one, other, 1), (other, one, -1)):
            names = tuple(alone if side == place else rest for side in range(rules.sides))
            rows, points = play_less_luck(Experiment(rules, names, hands, seed), 0, hands)
            for found, into, unit in ((rows[:, at], played, 1), (points, less, module.PLAYOUTS * module.AGAIN)):
                rest_mean = (found.sum(axis=1) - found[:, place]) / (rules.sides - 1)
                into += sign * (found[:, place] - rest_mean) / unit / (2 * rules.sides)
    return played, less


def gains_nothing(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether asked again where a hand stood, quick policies play and show what they did: the first deal alone is left.

    So points less luck are the same however often the last stage is played.
    """
    names = ("careful", *("greedy+prompt",) * (rules.sides - 1))
    monkeypatch.setattr(module, "PLAYOUTS", 2)
    found = []
    for again in (1, 2):
        monkeypatch.setattr(module, "AGAIN", again)
        found.append(play_less_luck(Experiment(rules, names, 100, 91), 0, 40)[1])
    return bool((found[1] == 2 * found[0]).all())


@pytest.mark.parametrize(("preset", "players", "houses"), KINDS)
def test_who_plays_as_hands_are_played_on_gains_nothing_by_it(
    preset: str, players: int, houses: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert gains_nothing(build(preset, players=players, houses=houses), monkeypatch)


@pytest.mark.parametrize("seed", range(12))
def test_the_same_under_rules_that_nobody_plays(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert gains_nothing(odd_rules(random.Random(seed)), monkeypatch)


def test_whoever_plays_otherwise_gains_or_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PLAYOUTS", 2)
    lost = play_less_luck(Experiment(build(players=2), ("random", "careful"), 100, 91), 0, 40)[1]
    assert (lost[:, 1] - lost[:, 0]).mean() > 3 * 2 * module.AGAIN


MANY = (
    ("cirulla", 2, "search:1"), ("cirulla", 3, "random"), ("cirulla", 4, "search:1"), ("cirullone", 4, "search:1"),
    ("cirullone-6-3", 4, "random"), ("scopa", 2, "search:1"), ("scopone-scientifico", 4, "random"),
    ("cirulla-tournament", 2, "random"),
)  # fmt: skip


def test_what_is_left_out_has_mean_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under rules of every kind, against careful: 0.35 points a hand too much would show, and 2.5 in one of them."""
    monkeypatch.setattr(module, "PLAYOUTS", 1)
    monkeypatch.setattr(module, "AGAIN", 2)
    found = []
    for number, (preset, players, name) in enumerate(MANY):
        played, less = both_ways(build(preset, players=players), name, "careful", 200, 92 + number)
        found.append(((played - less).mean(), (played - less).std(ddof=1) / np.sqrt(len(less))))
    values, errors = np.array(found).T
    weights = 1 / errors**2
    assert np.abs(values / errors).max() < 3.5
    assert 3 / np.sqrt(weights.sum()) < 0.35
    assert abs((values * weights).sum() / weights.sum()) < 3 / np.sqrt(weights.sum())
    assert 3.5 * errors.max() < 2.5
