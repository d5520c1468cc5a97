"""Intervals: against scipy, and their coverage."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cirulla_sim.advice.judge import column_means, estimate
from cirulla_sim.engine.chunks import play_rows, row_names
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.ruleset.catalogue import preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.scoring import most
from cirulla_sim.stats.distributions import (
    FEW,
    PartialSums,
    least_for_quantile,
    mid_p,
    quantile_ranks,
    rare_mean,
    tukey_p,
    tukey_quantile,
)
from cirulla_sim.stats.estimates import (
    PairedSums,
    Powers,
    bounded_mean,
    clustered,
    correlation,
    independent_difference,
    mean,
    mean_and_deviation,
    paired_difference,
    proportion,
    share_interval,
    spread_difference,
    student,
    two_sided,
    wilson,
)
from cirulla_sim.stats.variance_reduction import stratum_difference, stratum_spread


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 19, 100, 10**6])
def test_students_quantile_and_p_value(freedom: int) -> None:
    """Between the quantile and its expansion the test and the interval would contradict each other: they do not."""
    ours, exact = student(freedom), stats.t.ppf(0.975, freedom)
    assert ours == pytest.approx(exact, rel=2e-3)
    for t in (0.5, 2.0, 6.0):
        assert two_sided(-3 * t, 3.0, freedom) == pytest.approx(2 * stats.t.sf(t, freedom), rel=1e-6)
    for t in (ours * (1 - 1e-12), ours * (1 + 1e-12), (ours + exact) / 2):
        p = two_sided(t, 1.0, freedom)
        assert p is not None
        assert (p < 0.05) == (t > ours)


@pytest.mark.parametrize(("freedom", "relative"), [(1, 0.1), (5, 1e-5), (5000, 1e-5)])
@pytest.mark.parametrize("estimates", [2, 7])
def test_the_studentized_range(estimates: int, freedom: int, relative: float) -> None:
    """The quantile too is the one at which 5% are left; deep in the tail scipy itself has four digits."""
    for t in (0.8, 2.5, 4.0):
        theirs = stats.studentized_range.sf(t * np.sqrt(2), estimates, freedom)
        assert tukey_p(t, estimates, freedom) == pytest.approx(theirs, rel=max(relative, 1e-4 if theirs < 0.01 else 0))
    assert tukey_p(tukey_quantile(estimates, freedom), estimates, freedom) == pytest.approx(0.05, rel=1e-6)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(1, 10**6), st.floats(0, 1))
def test_intervals_of_proportions(n: int, share: float) -> None:
    """Wilson's, and mid-P: each end has half the probability of the observation and what is beyond, 2.5%."""
    count = round(share * n)
    theirs = stats.binomtest(count, n).proportion_ci(0.95, method="wilson")
    assert wilson(count / n, n) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    count = min(count, FEW)
    low, high = mid_p(count, n)
    assert low <= count / n <= high
    if count:
        assert stats.binom.sf(count, n, low) + stats.binom.pmf(count, n, low) / 2 == pytest.approx(0.025, rel=1e-6)
    if count < n:
        assert stats.binom.cdf(count, n, high) - stats.binom.pmf(count, n, high) / 2 == pytest.approx(0.025, rel=1e-6)


def test_intervals_of_means_and_of_paired_differences() -> None:
    rng = np.random.default_rng(4)
    x = rng.integers(0, 30, 5000)
    y = x + rng.choice([-3, 0, 2], 5000, p=[0.2, 0.4, 0.4])
    for n in (2, 7, 5000):
        ours, theirs = mean(int(x[:n].sum()), int((x[:n] ** 2).sum()), n), stats.sem(x[:n])
        assert (ours.value, ours.std_error) == pytest.approx((x[:n].mean(), theirs))
        low, high = stats.t.interval(0.95, n - 1, x[:n].mean(), theirs)
        assert (ours.low, ours.high) == pytest.approx((low, high), rel=5e-3, abs=5e-3 * (high - low))
    positive = np.maximum(y - x, 0)
    sums = [int(part.sum()) for part in (x, y, x * x, y * y, x * y)]
    difference = paired_difference(PairedSums(*sums, 5000, int(positive.sum()), int((positive**2).sum())))
    low, high = stats.t.interval(0.95, 4999, np.mean(y - x), stats.sem(y - x))
    assert (difference.estimate.low, difference.estimate.high) == pytest.approx((low, high), rel=1e-3)
    assert difference.p == pytest.approx(stats.ttest_rel(y, x).pvalue, rel=1e-6, abs=1e-12)
    assert difference.gain == pytest.approx(np.sqrt((x.var() + y.var()) / (y - x).var()))


def test_clusters_count_as_many_independent_trials_as_have_their_error() -> None:
    """Clusters of one are independent trials, ten copies of each of 100 trials no more than the 100, few count less."""
    alone, plain = clustered(30, 1000, 30, 30, 1000, 1000), proportion(30, 1000)
    assert (alone.value, alone.n) == (plain.value, plain.n)
    assert (alone.low, alone.high) == pytest.approx((plain.low, plain.high), rel=1e-3)
    copies, once = clustered(300, 1000, 3000, 3000, 10_000, 100), proportion(30, 100)
    assert (copies.low, copies.high) == pytest.approx((once.low, once.high), rel=1e-2)
    few = clustered(20, 50, 200, 200, 500, 5)  # of ten alike in each of five hands, two hands have it
    alike = 0.4 * 0.6 / few.std_error**2 * (stats.t.ppf(0.975, 49) / stats.t.ppf(0.975, 4)) ** 2
    assert (few.low, few.high) == pytest.approx(share_interval(0.4, alike), rel=2e-2)
    assert clustered(0, 1200, 0, 0, 14_400, 100).high == pytest.approx(mid_p(0, 1200)[1])
    assert clustered(1200, 1200, 14_400, 14_400, 14_400, 100).low == pytest.approx(mid_p(1200, 1200)[0])


@settings(max_examples=100, deadline=None, derandomize=True)
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
    sums = PairedSums(moments[0][0], moments[1][0], moments[0][1], moments[1][1], crossed[1, 1], n, int(excess.sum()),
                int((excess**2).sum()))  # fmt: skip
    usual = moments[0]
    for difference in (
        paired_difference(sums, scale, scale, 20.0),
        paired_difference(sums, scale, scale, 1.0),
        independent_difference(sums, scale, scale),
        independent_difference(sums, scale, scale, 20.0) if min(*x, *y) >= 0 else independent_difference(sums),
        spread_difference(powers, scale, scale, 20.0)[1],
        spread_difference(powers, scale, scale, 20.0, independent=True)[1],
        stratum_difference((usual[0], usual[1]), sums, Fraction(1, 50), scale, 20.0),
        stratum_spread(usual, powers, Fraction(1, 50), scale, 20.0),
    ):
        estimate, p = difference.estimate, difference.p
        if p is not None:
            assert (p < 0.05) == (not estimate.low <= 0 <= estimate.high), difference


@pytest.mark.parametrize(("ups", "downs"), [(9, 2), (3, 12), (40, 22), (1, 7), (5, 5)])
def test_p_values_of_rare_differences_are_those_of_mcnemars_test(ups: int, downs: int) -> None:
    """With mid-P, where all differences are as large; and p is the least level whose interval leaves out 0."""
    n, value = 100_000, 3 * (ups - downs) / 100_000
    rare = rare_mean(PartialSums(3 * ups, 9 * ups), PartialSums(3 * downs, 9 * downs), n, 1.0)
    assert rare is not None
    p, few = rare.p_value(value), min(ups, downs)
    exact = 2 * stats.binom.cdf(few, ups + downs, 0.5) - stats.binom.pmf(few, ups + downs, 0.5)
    assert p == pytest.approx(exact, rel=0.2)
    for level, left_out in ((0.99 * p, False), (1.01 * p, True)):
        assert p == 1 or (rare.reach(level)[0 if value > 0 else 1] < abs(value)) == left_out


@pytest.mark.parametrize(("n", "each", "sizes"), [
    (100, 0.02, [3]), (1000, 0.0005, [-12]), (1000, 0.006, [-2, -1, 1, 3]), (1000, 0.1, [-5, 1, 2]),
    (10_000, 0.0003, [-9, 8]), (10_000, 0.3, [-6, -1, 1, 2]),
])  # fmt: skip
def test_differences_rare_and_common_are_covered(n: int, each: float, sizes: list[int]) -> None:
    """At least 92.5% of 1000 runs, 3.6 standard errors below 95%; at most 97.5% where ten changes are likely."""
    rng = np.random.default_rng(round(1e6 * each) + n)
    truth, held = each * float(np.mean(sizes)), 0
    for _ in range(1000):
        counts = rng.multinomial(rng.binomial(n, each), [1 / len(sizes)] * len(sizes))
        seen = list(zip(sizes, counts.tolist(), strict=True))
        total, squares = sum(d * c for d, c in seen), sum(d * d * c for d, c in seen)
        positive, positive_squared = sum(d * c for d, c in seen if d > 0), sum(d * d * c for d, c in seen if d > 0)
        # Nothing is there without the change: x is 0.
        estimate = paired_difference(
            PairedSums(0, total, 0, squares, 0, n, positive, positive_squared), largest=20
        ).estimate
        held += estimate.low <= truth <= estimate.high
    assert held >= 0.925 * 1000
    if n * each > 10:
        assert held <= 0.975 * 1000


BOUNDED = {
    "rare": (np.array([0, 5]), [0.97, 0.03]),
    "both ends": (np.array([0, 10]), [0.5, 0.5]),
    "skewed": (np.array([0, 1, 2, 6]), [0.7, 0.2, 0.08, 0.02]),
    "near the most": (np.array([0, 9, 10]), [0.02, 0.08, 0.9]),
    "unseen": (np.array([0, 1, 3, 20]), [0.8, 0.1, 0.08, 0.02]),
}


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("n", [5, 20, 2000])
def test_means_of_bounded_numbers_are_covered(name: str, n: int) -> None:
    """1,500 samples of each: a coverage of 95% is below 92% in one of ten million.

    With five numbers, and where few samples have most of the mean, intervals cover less than is asked.
    """
    numbers, chances = BOUNDED[name]
    high, samples = float(numbers.max()), 1_500
    drawn = np.random.default_rng(n).multinomial(n, chances, samples)
    truth, covered = float(np.average(numbers, weights=chances)), 0
    for total, squares in zip((drawn @ numbers).tolist(), (drawn @ numbers**2).tolist(), strict=True):
        estimate = bounded_mean(total, squares, n, 0.0, high)
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= high
        assert estimate.low < estimate.high
        covered += estimate.low - 1e-12 <= truth <= estimate.high + 1e-12
    assert covered / samples >= {"unseen": 0.86, "near the most": 0.90}.get(name, 0.90 if n == 5 else 0.92)


@pytest.mark.parametrize("n", [3, 5, 8, 12])
def test_means_of_a_few_skewed_numbers_are_covered(n: int) -> None:
    """3,000 samples of numbers more skewed than points of games; Student's interval covers 88 to 90%."""
    drawn = np.rint(np.random.default_rng(n).exponential(20, (3000, n))).astype(int)
    truth, usual, ours = 20.0, 0, 0
    for row in drawn.tolist():
        sums = sum(row), sum(x * x for x in row), n
        usual += (plain := mean(*sums)).low <= truth <= plain.high
        ours += (wide := bounded_mean(*sums)).low <= truth <= wide.high
    assert usual / 3000 < 0.91
    assert ours / 3000 > 0.92


@pytest.mark.parametrize("ones", [19, 20])
def test_a_stratum_whose_differences_may_be_large_has_no_interval_of_a_share(ones: int) -> None:
    """Of twenty hands all, or all but one, differ by 1: how often two are not seen is not known."""
    weight, sums = Fraction(1, 70), PairedSums(0, ones, 0, ones, 0, 20, ones, ones)
    share, number = (stratum_difference((0, 0), sums, weight, largest=largest).estimate for largest in (1.0, 64.0))
    assert share.high <= weight < number.high
    assert number.low < share.value == number.value


def test_sums_are_the_same_in_any_order() -> None:
    """Numbers whose sum depends on the order if each step is rounded, or every eight are added first."""
    rng = np.random.default_rng(2)
    numbers = rng.normal(0.1, 1, 1000) * 10.0 ** rng.integers(-9, 9, 1000)
    orders = [numbers, numbers[::-1], np.sort(numbers), rng.permutation(numbers)]
    assert len({float(order.sum()) for order in orders} | {sum(order.tolist()) for order in orders}) > 1
    assert len({mean_and_deviation(order.tolist()) for order in orders}) == 1
    assert len({estimate(order) for order in orders}) == 1
    assert len({tuple(column_means(np.column_stack([order, -order]))) for order in orders}) == 1
    assert len({correlation([(int(x), int(x * x) % 97, 1 + int(x) % 3) for x in order]) for order in (
        np.arange(50), np.arange(50)[::-1], rng.permutation(50))}) == 1  # fmt: skip
    assert student(299) == 1.9679296690653623  # 1.967929669065362 if the terms are added one by one


@pytest.mark.parametrize("share", [0.05, 0.5, 0.95])
def test_quantiles_are_between_their_ranks_in_95_of_100_samples(share: float) -> None:
    """Computed, not simulated: how many of ``n`` numbers are below a quantile is binomial."""
    least = least_for_quantile(share)
    assert quantile_ranks(least - 1, share) is None
    for n in [*range(least, 300, 7), 10_000, 10**6]:
        low, high = quantile_ranks(n, share)
        below, above = stats.binom.cdf(low - 1, n, share), stats.binom.sf(high - 1, n, share)
        assert max(below, above) <= 0.025 + 1e-9
        assert min(stats.binom.cdf(low, n, share), stats.binom.sf(high - 2, n, share)) > 0.025 - 1e-9  # no wider


@pytest.mark.parametrize("preset", sorted(preset_names()))
def test_no_hand_exceeds_the_bounds(preset: str) -> None:
    """A bound a third too low would be detected in quantities of which every hand reaches half: captures, points.

    That of misdeals may be exceeded, see ``MISDEALS``; sweeps stand in a column that has another name.
    """
    rules = build(preset)
    rows, _ = play_rows(Experiment(rules, ("greedy",), 3000, 3), 0, 3000)
    names = row_names(rules)
    bounds = {column: bound for column, bound in most(rules).items() if column not in ("misdeals", "sweeps")}
    for column, bound in bounds.items():
        every = sum(rows[:, names.index(f"side{side}_{column}")].astype(int) for side in range(rules.sides))
        assert every.max() <= bound, column
