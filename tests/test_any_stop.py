"""Runs that a precision ends: they stop at the same trial however they are played, and their intervals hold then."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from playing import play_trials

import cirulla_sim as cs
from cirulla_sim.engine.engines import Engine, Folded, fold
from cirulla_sim.engine.trials import Experiment, Games, TrialRange
from cirulla_sim.experiments.game_quantities import games_table
from cirulla_sim.experiments.hand_quantities import simulated
from cirulla_sim.experiments.tally import held_table, is_main
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.scoring import bounds_of
from cirulla_sim.stats.estimates import Estimate, Z, bounded_mean
from cirulla_sim.stats.sequential import (
    always_valid_p,
    at_any_stop,
    looks,
    missed_by,
    trials_required,
    widen_for_any_stop,
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.floats(-5, 5), st.floats(0.01, 3), st.floats(0.01, 3), st.integers(2, 10**7))
def test_a_p_value_is_below_5_percent_where_the_interval_leaves_out_0(
    value: float, down: float, up: float, n: int
) -> None:
    estimate = Estimate(value, 1.0, value - down, value + up, n)
    widened = widen_for_any_stop(estimate)
    assert (always_valid_p(estimate) < 0.05) == (not widened.low <= 0 <= widened.high)
    least = Estimate(1.0, 1.0, 1.0 - Z / at_any_stop(n), 2.0, n)  # the interval that holds at any stop ends at 0
    assert always_valid_p(least) == pytest.approx(0.05)
    assert missed_by(n) == pytest.approx(math.erfc(at_any_stop(n) / math.sqrt(2)))


def test_p_values_of_a_table_are_valid_at_any_stop_and_then_corrected() -> None:
    """Of independent recomputation: Holm's method by hand on the plain intervals of the same hands."""
    options: dict[str, Any] = {"house": ["no-matta", "table-nine"], "policy": ["greedy", "random"], "progress": False}
    with pytest.MonkeyPatch.context() as patch:  # each comparison by itself
        patch.setattr("cirulla_sim.experiments.tally.holm_levels", lambda ps: [0.05] * len(ps))
        plain = cs.compare("cirulla", hands=2000, **options).frame
    ours = cs.compare("cirulla", hands=2000, precision=1e-9, **options).frame
    tested = ours["p_holm"].is_not_null()
    assert ours["p_holm"].null_count() == plain["p_holm"].null_count() < ours.height
    for main in (True, False):
        ps = [always_valid_p(Estimate(*(row[x] for x in ("estimate", "std_error", "ci_low", "ci_high", "n"))))
              for row in plain.filter(tested).to_dicts() if is_main(row) == main]  # fmt: skip
        corrected = np.maximum.accumulate([min(1.0, (len(ps) - place) * p) for place, p in enumerate(sorted(ps))])
        found = [row["p_holm"] for row in ours.filter(tested).to_dicts() if is_main(row) == main]
        assert sorted(found) == pytest.approx(corrected.tolist(), rel=1e-9)


NUMBERS = np.random.default_rng(41).choice([0, 0, 0, 0, 0, 0, 0, 1, 2, 30], 60_000).astype(np.int64)


def play(first: int, number: int) -> tuple[NDArray[np.int64], None]:
    numbers = NUMBERS[first : first + number]
    return np.array([numbers.sum(), numbers @ numbers]), None


def estimate_of(state: Folded[Any]) -> Estimate:
    total, squares = state.tally.tolist()
    return widen_for_any_stop(bounded_mean(total, squares, state.done, 0, 30), 0, 30)


def half(estimate: Estimate) -> float:
    return (estimate.high - estimate.low) / 2


@pytest.mark.parametrize("precision", [2.0, 0.3, 0.01])
def test_a_run_stops_at_the_first_look_at_which_it_is_precise_enough(precision: float) -> None:
    """Against all looks one by one, from any number of trials that are there already, with few looks that cost."""
    trials, nothing = TrialRange(len(NUMBERS)), Folded(np.zeros(2, np.int64), 0, "interrupted")
    every = {n: estimate_of(Folded(play(0, n)[0], n, "")) for n in looks(trials.number)}
    expected = next((n for n in every if half(every[n]) <= precision), trials.number)
    calls = []

    def required(state: Folded[Any]) -> float:
        calls.append(state.done)
        estimate = estimate_of(state)
        return trials_required(half(estimate), estimate.std_error, state.done, precision)

    for before in (0, 1, 499, 500, 1234, 30_000):
        if before <= expected:
            start = Folded(play(0, before)[0], before, "interrupted") if before else nothing
            for chunk in (97, 5000):
                end = fold(play, start, trials, Engine(threads=2, chunk=chunk), required=required)
                assert (end.done, half(estimate_of(end)) <= precision) == (expected, precision > 0.1)
    if precision == 0.01:
        assert len(calls) <= 3 * 6 * 2  # of 43 looks, three a run


RUNS = 2000
LONG = list(looks(40_000))
MARGINS = np.repeat([-12, -6, -3, -1, 0, 1, 2, 4, 9, 21], [2, 9, 20, 30, 10, 30, 20, 12, 5, 2])


def test_intervals_hold_at_all_looks_together() -> None:
    """Whatever the reason to stop: no look of a run leaves out the truth in 95% of runs; Student's do in half of them.

    Fewer than 1900 of 2000 runs would be seen with probability 1 in 2 if the rate were exactly 95%, 1 in 30 at 95.9%.
    """
    rng = np.random.default_rng(43)
    values, counts = np.unique(MARGINS, return_counts=True)
    chances = counts / counts.sum()
    truth = float(values @ chances)
    steps = np.diff([0, *LONG])
    drawn = rng.multinomial(steps, chances, size=(RUNS, len(steps))).cumsum(axis=1)
    totals, squares = drawn @ values, drawn @ values**2
    n = np.array(LONG)
    error = np.sqrt((squares / n - (totals / n) ** 2) / (n - 1))
    apart = abs(totals / n - truth) / error
    assert ((apart <= [at_any_stop(at) for at in LONG]).all(axis=1)).mean() >= 0.95
    assert 0.4 < (apart <= Z).all(axis=1).mean() < 0.85


@pytest.mark.parametrize("name", ["cirulla", "cirulla-tournament", "scopa"])
def test_intervals_stay_within_the_bounds_of_their_quantities(name: str) -> None:
    """Plain intervals are within them, so the bounds are those of the estimates; widened ones contain these."""
    rules = build(name)
    frames = [
        simulated(play_trials(Experiment(rules, ("random",), hands))) for hands in (2, 30)
    ] + [games_table(play_trials(Games(rules, ("random",), 30)))]  # fmt: skip
    for frame in frames:
        widened = held_table(frame, lambda row: rules)
        for row, wide in zip(frame.to_dicts(), widened.to_dicts(), strict=True):
            low, high = bounds_of(rules, *(row[x] for x in ("quantity", "per", "side", "kind")))
            if row["ci_low"] is not None and math.isfinite(row["std_error"]):
                assert low - 1e-9 <= row["ci_low"] <= row["ci_high"] <= high + 1e-9, (row, low, high)
                assert low <= wide["ci_low"] <= row["ci_low"] + 1e-9, (row, wide)
                assert row["ci_high"] - 1e-9 <= wide["ci_high"] <= high, (row, wide)


def test_results_say_which_intervals_they_have() -> None:
    plain, held_at_any = (cs.odds("wins(us)", policy="greedy", hands=500, precision=x) for x in (None, 1e-9))
    assert [result.metadata.get("intervals") for result in (plain, held_at_any)] == [None, "any stop"]
    assert ["hold at any stop" in result.describe() for result in (plain, held_at_any)] == [False, True]
    widths = [result.frame["ci_high"] - result.frame["ci_low"] for result in (plain, held_at_any)]
    assert (widths[1] > 1.3 * widths[0]).all()
