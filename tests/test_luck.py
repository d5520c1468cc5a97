"""Luck: hands less their luck, the same deals with other dice, components of variance, games until ahead."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from numpy.typing import NDArray
from rule_values import odd_rules
from scipy import stats
from variance_parts import PARTS, Margins, chance_ahead, games_until_ahead, shares, variances

from cirulla_sim.engine import chunks as module
from cirulla_sim.engine.chunks import play_chunk, play_less_luck, replay_chunk, row_names
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.ruleset.catalogue import catalogue, preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.stats.estimates import Estimate


@pytest.mark.parametrize(("preset", "players"), [("cirulla", 4), ("cirulla-tournament", 3)])
def test_the_first_replay_of_a_deal_is_the_hand_itself(preset: str, players: int) -> None:
    rules = build(preset, players=players)
    experiment = Experiment(rules, ("random",), 2000, 81)
    _, rows = play_chunk(experiment, 100, 2000, rows=True)
    total = [rows[:, row_names(rules).index(f"side{side}_total")].astype(int) for side in range(rules.sides)]
    margins = (rules.sides - 1) * total[-1] - sum(total[:-1])
    assert (replay_chunk(experiment, 81, 100, 2000) == margins).all()
    other = replay_chunk(experiment, 82, 100, 2000)
    assert (other != margins).mean() > 0.5
    assert np.corrcoef(other, margins)[0, 1] > 0.05  # the deal is the same


# ---------------------------------------------------------------- parts of the variance


def random_margins(rng: np.random.Generator, deals: int, replays: int) -> Margins:
    """Margins of three line-ups with known parts: deal 9, skill 2/3, response 2, dice 4."""
    response = rng.normal(size=(deals, 3, 1)) * np.sqrt(3)
    response -= response.mean(axis=1, keepdims=True)  # variance 3 * 2/3
    deal, dice = 3 * rng.normal(size=(deals, 1, 1)), 2 * rng.normal(size=(deals, 3, replays))
    return np.asarray(deal + np.array([-1.0, 0.0, 1.0])[None, :, None] + response + dice)


TRUTH = np.array([9, 2 / 3, 2, 4])


def test_parts_are_unbiased_and_intervals_cover_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Means of 1,000 studies of five deals within four standard errors; intervals in 92 to 98 percent of studies."""
    monkeypatch.setattr("variance_parts.GROUPS", 20)
    rng = np.random.default_rng(85)
    estimates = np.array([variances(random_margins(rng, 5, 2)) for _ in range(1000)])
    assert (np.abs(estimates.mean(axis=0) - TRUTH) < 4 * estimates.std(axis=0) / 1000**0.5).all()
    truth = dict(zip(PARTS, TRUTH / TRUTH.sum(), strict=True)) | {"play": 1 - 9 / TRUTH.sum()}
    held = dict.fromkeys(truth, 0)
    for _ in range(300):
        for part, share in shares(random_margins(rng, 200, 2)).items():
            held[part] += share.low <= truth[part] <= share.high
    assert all(275 <= times <= 295 for times in held.values()), held


# ---------------------------------------------------------------- games until ahead


@pytest.mark.parametrize("chance", [0.52, 0.6, 0.96])
def test_games_until_ahead_is_the_first_sufficient_odd_number(chance: float) -> None:
    """By the binomial; a player who is not better is never ahead."""
    for games in (1, 99, 5001):
        assert chance_ahead(games, chance) == pytest.approx(stats.binom.sf(games // 2, games, chance), rel=1e-9)
    first = next(n for n in range(1, 10_000, 2) if stats.binom.sf(n // 2, n, chance) >= 0.95)
    estimate = games_until_ahead(Estimate(chance, 0.01, chance - 0.01, chance + 0.01, 1000))
    assert estimate.low <= estimate.games == first <= estimate.high
    assert games_until_ahead(Estimate(chance, 0.03, 0.485, chance + 0.06, 1000)).high == math.inf


# ---------------------------------------------------------------- hands less their luck

KINDS = [build(name, players=seats) for name in preset_names() for seats in catalogue()["preset"][name]["seats"]]
KINDS += [build(houses=[house]) for house in ("optional-capture", "open-partners", "matta-reverts")]
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


def test_rollout_policies_have_no_adjustment_beyond_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quick policies repeat their plays in rollouts, so only the first deal is adjusted for, under any rules.

    Then luck-adjusted points do not depend on the number of rollouts of the last stage.
    """
    monkeypatch.setattr(module, "PLAYOUTS", 2)
    for rules in (*KINDS, *(odd_rules(random.Random(seed)) for seed in range(4))):
        experiment = Experiment(rules, ("careful", *("greedy+prompt",) * (rules.sides - 1)), 100, 91)
        results = []
        for again in (1, 2):
            monkeypatch.setattr(module, "AGAIN", again)
            results.append(play_less_luck(experiment, 0, 10)[1])
        assert (results[1] == 2 * results[0]).all(), rules


BY_RANDOM = (("cirulla", 3), ("cirullone-6-3", 4), ("scopone-scientifico", 4), ("cirulla-tournament", 2))
BY_SEARCH = (("cirulla", 2), ("cirulla", 4), ("cirullone", 4), ("scopa", 2))


@pytest.mark.slow
@pytest.mark.parametrize(("policy", "games"), [("random", BY_RANDOM), ("search:1", BY_SEARCH)])
def test_the_adjustment_has_mean_zero(
    policy: str, games: tuple[tuple[str, int], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under rules of every kind, against careful: detects a bias of 0.6 points a hand, of 2.5 for one of them."""
    monkeypatch.setattr(module, "PLAYOUTS", 1)
    monkeypatch.setattr(module, "AGAIN", 2)
    estimates = []
    for number, (preset, players) in enumerate(games):
        played, less = both_ways(build(preset, players=players), policy, "careful", 200, 92 + number)
        estimates.append(((played - less).mean(), (played - less).std(ddof=1) / np.sqrt(len(less))))
    values, errors = np.array(estimates).T
    weights = 1 / errors**2
    assert np.abs(values / errors).max() < 3.5
    assert 3 / np.sqrt(weights.sum()) < 0.6
    assert abs((values * weights).sum() / weights.sum()) < 3 / np.sqrt(weights.sum())
    assert 3.5 * errors.max() < 2.5
