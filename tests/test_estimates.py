"""Intervals: against scipy, and their coverage."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from intervals import RUNS, check_intervals
from scipy import special, stats

from cirulla_sim.engine.chunks import play_chunk, play_rows, row_names
from cirulla_sim.engine.engines import Run
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.exact.first_deal import first_deal_odds
from cirulla_sim.experiments.hand_quantities import simulated
from cirulla_sim.ruleset.bounds import most
from cirulla_sim.ruleset.catalogue import preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.stats.estimates import (
    Sums,
    apart,
    bounded_mean,
    clustered,
    mean,
    paired,
    proportion,
    share_interval,
    student,
    two_sided,
    wilson,
)
from cirulla_sim.stats.rare_events import FEW, LEAST_P, Part, rare_mean
from cirulla_sim.stats.spreads import Powers, spread_difference
from cirulla_sim.stats.stratified import stratum_difference, stratum_spread
from cirulla_sim.stats.studentized_range import tukey_p, tukey_quantile
from cirulla_sim.stats.tails import incomplete_beta, least_for_quantile, mid_p, quantile_ranks


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 10, 29, 100, 10**6])
def test_student_against_scipy(freedom: int) -> None:
    assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=2e-3)


@pytest.mark.parametrize(("freedom", "relative"), [(1, 0.1), (2, 0.02), (5, 1e-5), (20, 1e-8), (5000, 1e-5)])
@pytest.mark.parametrize("estimates", [2, 3, 7, 20])
def test_the_studentized_range_against_scipy(estimates: int, freedom: int, relative: float) -> None:
    """The quantile too is the one at which 5% are left; deep in the tail scipy itself has four digits."""
    for t in (0.8, 2.5, 4.0):
        theirs = stats.studentized_range.sf(t * np.sqrt(2), estimates, freedom)
        assert tukey_p(t, estimates, freedom) == pytest.approx(theirs, rel=max(relative, 1e-4 if theirs < 0.01 else 0))
    assert tukey_p(tukey_quantile(estimates, freedom), estimates, freedom) == pytest.approx(0.05, rel=1e-6)
    assert (tukey_p(0.0, estimates, freedom), tukey_p(np.inf, estimates, freedom)) == (1, 0)


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


def test_identical_clusters_count_once() -> None:
    """Ten copies of each of 100 trials are no more informative than the 100."""
    copies = clustered(300, 1000, 3000, 3000, 10_000, 100)
    once = proportion(30, 100)
    assert (copies.low, copies.high) == pytest.approx((once.low, once.high), rel=1e-2)


def test_events_never_or_always_seen_have_an_interval() -> None:
    assert clustered(0, 1200, 0, 0, 14_400, 100).high == pytest.approx(mid_p(0, 1200)[1])
    assert clustered(1200, 1200, 14_400, 14_400, 14_400, 100).low == pytest.approx(mid_p(1200, 1200)[0])
    assert math.isnan(clustered(0, 0, 0, 0, 0, 100).value)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.floats(0, 1), st.floats(0.1, 3000), st.floats(0.1, 3000))
def test_incomplete_beta_against_scipy(x: float, a: float, b: float) -> None:
    assert incomplete_beta(x, a, b) == pytest.approx(special.betainc(a, b, x), abs=1e-10)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.floats(0, 1), st.integers(1, 10**6))
def test_mid_p_counts_half_the_probability_of_the_observation(share: float, n: int) -> None:
    """Each end of the interval has a mid-p value of 2.5%."""
    count = min(round(share * n), FEW)
    low, high = mid_p(count, n)
    assert low <= count / n <= high
    if count:
        tail = stats.binom.sf(count, n, low) + stats.binom.pmf(count, n, low) / 2
        assert tail == pytest.approx(0.025, rel=1e-6)
    if count < n:
        tail = stats.binom.cdf(count, n, high) - stats.binom.pmf(count, n, high) / 2
        assert tail == pytest.approx(0.025, rel=1e-6)


@pytest.mark.parametrize("freedom", [1, 2, 19, 1000])
@pytest.mark.parametrize("t", [0.5, 2.0, 6.0])
def test_p_values_follow_students_distribution(t: float, freedom: int) -> None:
    assert two_sided(-3 * t, 3.0, freedom) == pytest.approx(2 * stats.t.sf(t, freedom), rel=1e-6)


@pytest.mark.parametrize("freedom", [3, 4, 7, 19])
def test_p_values_agree_with_an_approximate_quantile(freedom: int) -> None:
    """Between the quantile and its expansion the test and the interval would contradict each other."""
    ours, exact = student(freedom), stats.t.ppf(0.975, freedom)
    assert ours != exact
    for t in (ours * (1 - 1e-12), ours * (1 + 1e-12), (ours + exact) / 2):
        assert (two_sided(t, 1.0, freedom) < 0.05) == (t > ours)


def test_equal_numbers_have_the_interval_of_their_proportion() -> None:
    low, high = mid_p(7, 500)
    estimate = bounded_mean(7 * 4, 7 * 16, 500, 0, 1)
    assert (estimate.low, estimate.high) == pytest.approx((4 * low, 4 * high))
    rare = rare_mean(Part(28, 112), Part(0, 0), 500, 1)
    assert rare is not None
    below, above = rare.reach()
    assert below == pytest.approx(math.hypot(4 * (7 / 500 - low), 4 * mid_p(0, 500)[1]))
    assert above == pytest.approx(4 * (high - 7 / 500))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(st.integers(-6, 9), st.integers(-6, 9)), max_size=14),
    st.integers(1, 60),
    st.sampled_from((0, 1, 5, 40, 2000, 100_000)),
    st.sampled_from((Fraction(1), Fraction(1, 3))),
)
def test_p_values_are_below_5_percent_where_the_interval_leaves_out_0(
    pairs: list[tuple[int, int]], times: int, same: int, scale: Fraction
) -> None:
    """For every kind of difference, of a few hands and of many, rare and common."""
    x, y = (np.array([*([pair[i] for pair in pairs] * times), *[3] * same], np.int64) for i in (0, 1))
    n = len(x)
    if n < 2:
        return
    excess, squares = np.maximum(y - x, 0), np.maximum(y * y - x * x, 0)
    moments = [[int((of**power).sum()) for power in (1, 2, 3, 4)] for of in (x, y)]
    crossed = {(a, b): int((x**a * y**b).sum()) for a in (1, 2) for b in (1, 2)}
    powers = Powers(*moments, crossed, n, (int(squares.sum()), int((squares**2).sum())))
    sums = Sums(moments[0][0], moments[1][0], moments[0][1], moments[1][1], crossed[1, 1], n, int(excess.sum()),
                int((excess**2).sum()))  # fmt: skip
    usual = moments[0]
    for difference in (
        paired(sums, scale, scale, 20.0),
        paired(sums, scale, scale, 1.0),
        apart(sums, scale, scale),
        apart(sums, scale, scale, 20.0) if min(*x, *y) >= 0 else apart(sums),
        spread_difference(powers, scale, scale, 20.0)[1],
        spread_difference(powers, scale, scale, 20.0, independent=True)[1],
        stratum_difference((usual[0], usual[1]), sums, Fraction(1, 50), scale, 20.0),
        stratum_difference((usual[0], usual[1]), sums, Fraction(1, 50), scale, 1.0),
        stratum_spread(usual, powers, Fraction(1, 50), scale, 20.0),
    ):
        estimate, p = difference.estimate, difference.p
        if p is not None:
            assert (p < 0.05) == (not estimate.low <= 0 <= estimate.high), difference
            assert (p <= 0.05) == (p < 0.05)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 40), st.integers(0, 40), st.integers(1, 5), st.sampled_from((300, 100_000)))
def test_p_values_are_the_least_level_that_leaves_out_0(ups: int, downs: int, size: int, n: int) -> None:
    """And close to McNemar's test with mid-P, where all differences are as large and there are some either way."""
    up, down = (Part(count * size, count * size**2) for count in (ups, downs))
    rare, value = rare_mean(up, down, n, 1.0), size * (ups - downs) / n
    assert rare is not None
    p = rare.p_value(value)
    if value == 0:
        assert p == 1
        return
    towards = 0 if value > 0 else 1
    for level, left_out in ((0.99 * p, False), (min(1.0, 1.01 * p), True)):
        if p > LEAST_P and (left_out or p < 0.99):
            assert (rare.reach(level)[towards] < abs(value)) == left_out or level == 1
    few, all_of = min(ups, downs), ups + downs
    exact = 2 * stats.binom.cdf(few, all_of, 0.5) - stats.binom.pmf(few, all_of, 0.5)
    if n == 100_000 and exact > 1e-4:
        assert p == pytest.approx(exact, rel=0.2)


def test_common_differences_have_students_interval() -> None:
    rng = np.random.default_rng(4)
    x = rng.integers(0, 30, 5000)
    y = x + rng.choice([-3, 0, 2], 5000, p=[0.2, 0.4, 0.4])
    positive = np.maximum(y - x, 0)
    sums = [int(part.sum()) for part in (x, y, x * x, y * y, x * y)]
    estimate = paired(Sums(*sums, 5000, int(positive.sum()), int((positive**2).sum()))).estimate
    low, high = stats.t.interval(0.95, 4999, np.mean(y - x), stats.sem(y - x))
    assert (estimate.low, estimate.high) == pytest.approx((low, high), rel=1e-3)


@pytest.mark.parametrize(("n", "each", "sizes"), [
    (100, 0.02, [3]), (100, 0.08, [1, 1, 2]), (1000, 0.0005, [-12]), (1000, 0.002, [10]), (1000, 0.006, [-2, -1, 1, 3]),
    (1000, 0.1, [-5, 1, 2]), (10_000, 0.0003, [-9, 8]), (10_000, 0.02, [1, 1, 4]), (10_000, 0.3, [-6, -1, 1, 2]),
])  # fmt: skip
def test_intervals_of_rare_and_common_differences_cover_the_truth(n: int, each: float, sizes: list[int]) -> None:
    """Coverage of at least 93% in 4000 runs, and at most 97.5% where more than ten changes are expected."""
    rng = np.random.default_rng(round(1e6 * each) + n)
    truth, held = each * float(np.mean(sizes)), 0
    for _ in range(4000):
        counts = rng.multinomial(rng.binomial(n, each), [1 / len(sizes)] * len(sizes))
        seen = list(zip(sizes, counts.tolist(), strict=True))
        total, squares = sum(d * c for d, c in seen), sum(d * d * c for d, c in seen)
        positive, positive_squared = sum(d * c for d, c in seen if d > 0), sum(d * d * c for d, c in seen if d > 0)
        # Nothing is there without the change: x is 0.
        estimate = paired(Sums(0, total, 0, squares, 0, n, positive, positive_squared), largest=20).estimate
        held += estimate.low <= truth <= estimate.high
    assert held >= 0.93 * 4000
    if n * each > 10:
        assert held <= 0.975 * 4000


@pytest.mark.parametrize("preset", sorted(preset_names()))
def test_no_hand_exceeds_the_bounds(preset: str) -> None:
    """A bound a third too low would be detected in quantities of which every hand reaches half: captures, points."""
    rules = build(preset)
    rows, _ = play_rows(Experiment(rules, ("greedy",), 3000, 3), 0, 3000)
    names = row_names(rules)
    for column, bound in most(rules).items():
        if column == "misdeals":
            continue  # without a rule to end them there is no bound, see MISDEALS
        every = sum(rows[:, names.index(f"side{side}_{column}")].astype(int) for side in range(rules.sides))
        assert every.max() <= bound, column


# ---------------------------------------------------------------- coverage


def tables(
    rules: Rules, policy: str, hands: int
) -> list[dict[tuple[str, str, str, str, str | None], dict[str, float]]]:
    """The tables of small runs on disjoint hands."""
    experiment = Experiment(rules, (policy,), hands, 41)
    results = []
    for run in range(RUNS):
        tally, _ = play_chunk(experiment, run * hands, hands)
        rows = simulated(Run(experiment, tally, hands, "hands")).to_dicts()
        results.append({(r["quantity"], r["per"], r["side"], r["kind"], r["value"]): r for r in rows})
    return results


def test_intervals_of_bonuses_cover_the_truth() -> None:
    """Without misdeals holdings are any three cards of the pack, so the exact odds are the truth."""
    rules = build(changes={"misdeal_count": 0})
    truth: dict[str, Fraction] = {o.quantity: o.exact for o in first_deal_odds(rules) if o.per == "holding"}
    runs = tables(rules, "greedy", 200)
    for quantity in ("hand_low", "hand_low_no_ace", "hand_triple", "knock"):
        rows = [run[quantity, "holding", "all", "probability", None] for run in runs]
        check_intervals(rows, float(truth[quantity]), quantity)
        rows = [run[quantity, "hand", "all", "mean", None] for run in runs]
        few = quantity in ("hand_triple", "hand_low_no_ace")  # are seen in 200 hands
        check_intervals(rows, 12 * float(truth[quantity]), quantity, *([0.87] if few else []))


@pytest.mark.parametrize(("players", "changes"), [(3, {}), (4, {"partnership": False})])
def test_intervals_of_scores_of_several_sides_cover_the_truth(players: int, changes: dict[str, object]) -> None:
    """Sides of a hand differ and depend on each other: coverage of 93 to 97% for all scores, of 88% for each."""
    runs = tables(build(players=players, changes=changes), "greedy", 200)
    keys = [("points_distribution", "side", "others", "share", str(score)) for score in range(1, 8)]
    held = []
    for key in keys:
        rows = [run[key] for run in runs]
        truth = float(np.mean([row["estimate"] for row in rows]))
        held.append(np.mean([row["ci_low"] <= truth <= row["ci_high"] for row in rows]))
        check_intervals(rows, truth, key, 0.88)
        assert rows[0]["n"] == 200 * (players - 1)
    assert 0.93 <= np.mean(held) <= 0.97


def test_intervals_of_played_hands_of_three_sides_cover_the_truth() -> None:
    """The truth is the mean of all runs; for two sides see ``test_coverage``."""
    runs = tables(build(players=3), "random", 150)
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
        check_intervals(rows, pooled, key)


@pytest.mark.parametrize("share", [0.05, 0.25, 0.5, 0.95])
def test_quantiles_are_between_their_ranks_in_95_of_100_samples(share: float) -> None:
    """Computed, not simulated: how many of ``n`` numbers are below a quantile is binomial."""
    least = least_for_quantile(share)
    assert quantile_ranks(least - 1, share) is None
    for n in [*range(least, 300), 10_000, 10**6]:
        low, high = quantile_ranks(n, share)
        below, above = stats.binom.cdf(low - 1, n, share), stats.binom.sf(high - 1, n, share)
        assert max(below, above) <= 0.025 + 1e-9
        assert min(stats.binom.cdf(low, n, share), stats.binom.sf(high - 2, n, share)) > 0.025 - 1e-9  # no wider


@pytest.mark.parametrize("n", [5, 20, 200, 5000])
def test_proportions_are_covered_near_either_end_too(n: int) -> None:
    """Computed, not simulated: the chance of the counts whose interval holds the truth, for every truth."""
    intervals = np.array([share_interval(count / n, n) for count in range(n + 1)])
    np.testing.assert_allclose(intervals, 1 - intervals[::-1, ::-1], atol=1e-9)
    covered = []
    for truth in np.linspace(0.0, 0.5, 251)[1:]:
        held = (intervals[:, 0] <= truth) & (truth <= intervals[:, 1])
        covered.append(stats.binom.pmf(np.arange(n + 1), n, truth)[held].sum())
    assert min(covered) > 0.91
    assert 0.945 < np.mean(covered) < 0.98


BOUNDED = {
    "nearly always": (np.array([0, 1]), [0.02, 0.98]), "rare": (np.array([0, 5]), [0.97, 0.03]),
    "even": (np.arange(11), None), "both ends": (np.array([0, 10]), [0.5, 0.5]),
    "skewed": (np.array([0, 1, 2, 6]), [0.7, 0.2, 0.08, 0.02]),
    "near the most": (np.array([0, 9, 10]), [0.02, 0.08, 0.9]),
    "unseen": (np.array([0, 1, 3, 20]), [0.8, 0.1, 0.08, 0.02]),
}  # fmt: skip


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("n", [5, 20, 200, 2000])
def test_means_of_bounded_numbers_are_covered(name: str, n: int) -> None:
    """2,000 samples of each: a coverage of 95% is below 93.5% in one of 500.

    Where most of the mean is of numbers that few samples have ("unseen"; "near the most" less so) and with
    five numbers, the intervals cover less than is asked: what a sample does not show, its spread does not either.
    """
    numbers, chances = BOUNDED[name]
    high, samples = float(numbers.max()), 2_000
    drawn = np.random.default_rng(n).choice(numbers, (samples, n), p=chances)
    truth = float(np.average(numbers, weights=chances))
    covered = 0
    for row in drawn:
        estimate = bounded_mean(int(row.sum()), int((row**2).sum()), n, 0.0, high)
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= high
        assert estimate.low < estimate.high
        covered += estimate.low - 1e-12 <= truth <= estimate.high + 1e-12
    assert covered / samples >= {"unseen": 0.87, "near the most": 0.90}.get(name, 0.90 if n == 5 else 0.93)
