"""Luck: the same deals with other dice, components of variance, games until ahead."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from variance_parts import PARTS, Margins, chance_ahead, games_until_ahead, margins_with_dice, shares, variances

from cirulla_sim.engine.chunks import play_chunk, row_names
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.ruleset.presets import build
from cirulla_sim.stats.estimates import Estimate


@pytest.mark.parametrize(("preset", "players"), [("cirulla", 4), ("cirulla-tournament", 3)])
def test_the_first_replay_of_a_deal_is_the_hand_itself(preset: str, players: int) -> None:
    rules = build(preset, players=players)
    experiment = Experiment(rules, ("random",), 2000, 81)
    _, rows = play_chunk(experiment, 100, 2000, rows=True)
    total = [rows[:, row_names(rules).index(f"side{side}_total")].astype(int) for side in range(rules.sides)]
    margins = ((rules.sides - 1) * total[-1] - sum(total[:-1])) / (rules.sides - 1)
    assert (margins_with_dice(experiment, 81, 100, 2000) == margins).all()
    other = margins_with_dice(experiment, 82, 100, 2000)
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
