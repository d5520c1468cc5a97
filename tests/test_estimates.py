"""Intervals: against scipy, and whether they hold the truth as often as they say."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cirulla_sim.exact.first_deal import first_deal_odds
from cirulla_sim.hands.quantities import simulated
from cirulla_sim.kept.estimates import clustered, mean, proportion, student, wilson
from cirulla_sim.play.chunks import play_chunk
from cirulla_sim.play.engines import Run
from cirulla_sim.play.experiment import Experiment
from cirulla_sim.rulebook.model import Rules
from cirulla_sim.rulebook.presets import build


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 10, 29, 100, 10**6])
def test_student_against_scipy(freedom: int) -> None:
    assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=2e-3)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(1, 10**6), st.floats(0, 1))
def test_wilson_against_scipy(n: int, share: float) -> None:
    count = round(share * n)
    theirs = stats.binomtest(count, n).proportion_ci(0.95, method="wilson")
    assert wilson(count / n, n) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.lists(st.integers(-40, 60), min_size=2, max_size=60))
def test_mean_against_scipy(numbers: list[int]) -> None:
    ours = mean(sum(numbers), sum(x * x for x in numbers), len(numbers))
    assert ours.value == pytest.approx(np.mean(numbers))
    assert ours.std_error == pytest.approx(stats.sem(numbers), abs=1e-12)
    if ours.std_error > 0:
        low, high = stats.t.interval(0.95, len(numbers) - 1, np.mean(numbers), stats.sem(numbers))
        assert (ours.low, ours.high) == pytest.approx((low, high), rel=5e-3, abs=5e-3 * (high - low))


def test_clusters_of_one_are_independent_trials() -> None:
    alone, plain = clustered(30, 1000, 30, 30, 1000, 1000), proportion(30, 1000)
    assert (alone.value, alone.n) == (plain.value, plain.n)
    assert (alone.low, alone.high) == pytest.approx((plain.low, plain.high), rel=1e-3)


def test_clusters_that_are_all_alike_count_once() -> None:
    """Ten copies of each of 100 trials say no more than the 100."""
    copies = clustered(300, 1000, 3000, 3000, 10_000, 100)
    once = proportion(30, 100)
    assert (copies.low, copies.high) == pytest.approx((once.low, once.high), rel=1e-2)


def test_nothing_seen_and_always_seen_keep_an_interval() -> None:
    assert clustered(0, 1200, 0, 0, 14_400, 100).high == pytest.approx(wilson(0, 1200)[1])
    assert clustered(1200, 1200, 14_400, 14_400, 14_400, 100).low == pytest.approx(wilson(1, 1200)[0])
    assert math.isnan(clustered(0, 0, 0, 0, 0, 100).value)


# ---------------------------------------------------------------- coverage

RUNS = 1000


def tables(
    rules: Rules, policy: str, hands: int
) -> list[dict[tuple[str, str, str, str, str | None], dict[str, float]]]:
    """A thousand small runs on disjoint hands, each as its table."""
    experiment = Experiment(rules, (policy,), hands, 41)
    found = []
    for run in range(RUNS):
        tally, _ = play_chunk(experiment, run * hands, hands)
        rows = simulated(Run(experiment, tally, hands, "hands")).to_dicts()
        found.append({(r["quantity"], r["per"], r["side"], r["kind"], r["value"]): r for r in rows})
    return found


def test_intervals_hold_the_truth_in_93_to_97_of_100_runs() -> None:
    """Without misdeals any three cards held are any three of the pack, so the exact odds are the truth."""
    rules = build(changes={"misdeal_count": 0})
    truth: dict[str, Fraction] = {o.quantity: o.exact for o in first_deal_odds(rules) if o.per == "holding"}
    runs = tables(rules, "greedy", 200)
    for quantity in ("hand_low", "hand_low_no_ace", "hand_triple", "knock"):
        rows = [run[quantity, "holding", "all", "probability", None] for run in runs]
        assert 0.93 <= covered(rows, float(truth[quantity])) <= 0.97, quantity
        rows = [run[quantity, "hand", "all", "mean", None] for run in runs]
        at_least = 0.90 if quantity in ("hand_triple", "hand_low_no_ace") else 0.93  # so few are seen in 200 hands
        assert at_least <= covered(rows, 12 * float(truth[quantity])) <= 0.97, quantity


@pytest.mark.parametrize("players", [2, 3])
def test_intervals_of_played_hands_hold_the_truth(players: int) -> None:
    """The truth is the mean of all the runs together, a thousand times as many hands as each has."""
    runs = tables(build(players=players), "random", 150)
    for key in [
        ("misdeal", "table", "all", "probability", None),
        ("points", "hand", "others", "mean", None),
        ("margin", "hand", "dealer", "mean", None),
        ("sweeps", "hand", "all", "mean", None),
        ("wins_hand", "side", "dealer", "share", None),
        ("wins_hand", "side", "others", "share", None),
        ("grande", "side", "others", "probability", None),
        ("primiera_won", "side", "others", "share", "2"),
        ("knock", "side", "others", "probability", None),
        ("knock", "stage", "all", "mean", "1"),
    ]:
        rows = [run[key] for run in runs]
        pooled = sum(r["estimate"] * r["n"] for r in rows) / sum(r["n"] for r in rows)
        assert 0.93 <= covered(rows, pooled) <= 0.97, key


def covered(rows: list[dict[str, float]], truth: float) -> float:
    return sum(row["ci_low"] <= truth <= row["ci_high"] for row in rows) / len(rows)
