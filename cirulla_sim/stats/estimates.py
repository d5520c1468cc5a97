"""Estimates from sums over hands, with their 95% intervals.

Hands are independent; what happens within a hand is not. So every standard error is taken between hands: a proportion
of holdings is the ratio of two sums over hands, and its interval uses the number of trials that, if independent, would
have the same standard error. Means have Student's interval, or that of ``rare_mean`` where most numbers are at a
bound.

Chances over several independent trials, from the chance of one: at least once in twenty hands, three in a row.

Standard deviations, and differences of them between hands played in pairs, with their intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import mul
from statistics import NormalDist
from typing import Any

import polars as pl

from .distributions import (
    FEW,
    PartialSums,
    RareMean,
    beside_level,
    binomial_tail,
    low_if_seen,
    mid_p,
    rare_mean,
    student_tail,
)
from .distributions import Z as Z


@dataclass(frozen=True)
class Estimate:
    """A number with its standard error and 95% interval, from ``n`` trials; with one trial both are infinite."""

    value: float
    std_error: float
    low: float
    high: float
    n: int


NO_ESTIMATE = Estimate(math.nan, math.nan, math.nan, math.nan, 0)
"""Of no trials."""


def student(freedom: float) -> float:
    """The 97.5% quantile of Student's distribution, by the expansion of Cornish and Fisher.

    Good to 1% from 3 degrees of freedom on; tested against exact values.
    """
    if freedom < 1:
        return math.inf
    if freedom == 1:
        return 12.706204736
    if freedom == 2:
        return 4.302652730
    z, d = Z, freedom
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return math.fsum(term / d**power for power, term in enumerate(terms))


def wilson(p: float, n: float) -> tuple[float, float]:
    """Wilson's interval for a proportion ``p`` of ``n`` independent trials (Wilson, 1927).

    >>> [round(end, 4) for end in wilson(0.0, 100)]
    [0.0, 0.037]
    """
    if n <= 0:
        return 0.0, 1.0
    z2 = Z * Z / n
    centre = (p + z2 / 2) / (1 + z2)
    half = Z / (1 + z2) * math.sqrt(p * (1 - p) / n + z2 / (4 * n))
    return max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half))


def share_interval(p: float, n: float) -> tuple[float, float]:
    """The 95% interval of a proportion ``p`` of ``n`` independent trials, which need not be whole.

    Mid-P where few trials count, or few do not; else Wilson's, which is the same then to three digits. Near either end
    Wilson's can miss every sixth truth: it begins at 1 in 112 if one of 20 counts.

    >>> [round(end, 4) for end in share_interval(0.05, 20)], [round(end, 4) for end in share_interval(0.95, 20)]
    ([0.0025, 0.2228], [0.7772, 0.9975])
    """
    if n <= 0:
        return 0.0, 1.0
    return mid_p(p * n, n) if min(p * n, n - p * n) < FEW else wilson(p, n)


def proportion(count: int, n: int) -> Estimate:
    """A proportion of ``n`` independent trials, with its interval."""
    if n == 0:
        return NO_ESTIMATE
    p = count / n
    return Estimate(p, math.sqrt(p * (1 - p) / n), *share_interval(p, n), n)


def listed_share(share: Estimate) -> Estimate:
    """The share of a value that is listed because it was seen: its interval covers the truth in 95% of such cases.

    Of many values that are rare some are seen more often than they come, and the others are not listed. So the lower
    end is that of ``low_if_seen`` where that is less.
    """
    count = share.value * share.n
    return replace(share, low=min(share.low, low_if_seen(count, share.n))) if count < FEW else share


def mean(total: int, squares: int, n: int, scale: float = 1.0) -> Estimate:
    """The mean of ``n`` independent numbers, from their sum and sum of squares, times ``scale``; Student's interval."""
    if n == 0:
        return NO_ESTIMATE
    # Whole numbers keep the variance exact: n * squares - total ** 2 has no rounding.
    return with_student(total / n * scale, standard_error(scaled_variance(total, squares, n), n) * abs(scale), n)


def mean_and_deviation(numbers: Sequence[float]) -> tuple[float, float]:
    """The mean of two or more numbers and their standard deviation, by sums that are the same on every machine.

    >>> mean_and_deviation([1.0, 2.0, 3.0])
    (2.0, 1.0)
    """
    mean = math.fsum(numbers) / len(numbers)
    return mean, math.sqrt(math.fsum((x - mean) * (x - mean) for x in numbers) / (len(numbers) - 1))


def bounded_mean(
    total: int, squares: int, n: int, low: float = 0, high: float = math.inf, scale: float = 1.0
) -> Estimate:
    """The mean of ``n`` independent numbers between two bounds, which may be infinite, times ``scale``.

    If most numbers are at a bound or near it, the distances from the bound have the interval of ``rare_mean``; if
    that holds at both bounds, the interval is the union of the two. Otherwise it is Student's, ``widened``. It stays
    within the bounds. Its width is never zero (see ``interval_of_equal``). A single number has an infinite interval.

    >>> ones = bounded_mean(20, 20, 20, 0, 1)
    >>> round(ones.low, 2), ones.high
    (0.86, 1.0)
    """
    plain = mean(total, squares, n, scale)
    if n < 2:
        return plain
    value, ends = plain.value / scale, []
    for bound, sign in ((low, 1), (high, -1)):
        if math.isinf(bound):
            continue
        distances = PartialSums(sign * (total - n * bound), squares - 2 * bound * total + n * bound * bound)
        if near := rare_mean(distances, None, n, high - low):
            towards, away = near.reach()
            ends.append((value - towards, value + away) if sign > 0 else (value - away, value + towards))
    if not ends and n * squares == total * total:
        ends = [interval_of_equal(value, n, low, high)]
    if not ends:
        half = widened(n) * student(n - 1) * plain.std_error / abs(scale)
        ends = [(value - half, value + half)]
    least, largest = max(low, min(end for end, _ in ends)), min(high, max(end for _, end in ends))
    return replace(plain, low=scale * min(least, value), high=scale * max(largest, value))


def widened(n: int) -> float:
    """How many times wider than Student's the interval of a mean of ``n`` numbers is that may be skewed.

    Few numbers do not show the tail that they have not reached: Student's interval of the points of five games covers
    their mean in 89 of 100 samples. With this factor 95 are covered from two games on; of a thousand it is 1.004.

    >>> [round(widened(n), 2) for n in (2, 5, 20, 1000)]
    [2.24, 1.61, 1.18, 1.0]
    """
    return math.sqrt(1 + 8 / n)


def interval_of_equal(value: float, n: int, low: float = -math.inf, high: float = math.inf) -> tuple[float, float]:
    """The ends of the interval of a mean of ``n`` equal numbers between two bounds.

    They say as much about other values as ``n`` trials without an event. Those are taken to be at the bounds, or where
    a bound is infinite as far from the value as it is from 0, and 1 at least.

    >>> [round(end, 3) for end in interval_of_equal(4, 100, 0)]
    [3.882, 4.118]
    """
    unseen = mid_p(0, n)[1]
    below, above = (abs(value - end) if math.isfinite(end) else max(abs(value), 1.0) for end in (low, high))
    return value - unseen * below, value + unseen * above


def scale_estimate(estimate: Estimate, weight: float) -> Estimate:
    """An estimate times a weight."""
    numbers = (estimate.value, estimate.std_error, estimate.low, estimate.high)
    value, error, low, high = (weight * number for number in numbers)
    return Estimate(value, error, low, high, estimate.n)


def stretch(estimate: Estimate, times: float, lowest: float = -math.inf, highest: float = math.inf) -> Estimate:
    """An estimate with an interval ``times`` as wide, within the bounds of the quantity."""
    low, high = (estimate.value + times * (end - estimate.value) for end in (estimate.low, estimate.high))
    return replace(estimate, low=max(lowest, low), high=min(highest, high))


def clustered(x: int, y: int, xx: int, xy: int, yy: int, hands: int) -> Estimate:
    """The proportion ``x / y`` where both are sums over hands, from their sums of squares and of products.

    The standard error is that of a ratio estimator; the interval is that of the number of independent trials that
    would have this standard error, fewer by the squared ratio of Student's quantiles, since few hands tell little of
    it (Korn and Graubard, "Confidence intervals for proportions with small expected number of positive counts", 1998).
    """
    if y == 0:
        return NO_ESTIMATE
    p = x / y
    # Sum over hands of (x - p y) ** 2, times y ** 2, in whole numbers.
    spread = xx * y * y - 2 * x * xy * y + x * x * yy
    error = math.sqrt(spread / y**4 * (hands / (hands - 1))) if hands > 1 else math.inf
    alike: float = y
    if 0 < error < math.inf:
        alike = p * (1 - p) / error**2 * (student(y - 1) / student(hands - 1)) ** 2
    return Estimate(p, error, *share_interval(p, alike), y)


def ratio(x: int, y: int, xx: int, xy: int, yy: int, n: int) -> Estimate:
    """The mean of one number over that of another in ``n`` independent trials, from their sums of squares and products.

    The standard error is that of a ratio estimator (delta method), the interval Student's. ``y`` is not 0.

    >>> same = ratio(30, 60, 100, 200, 400, 10)
    >>> same.value, same.std_error, round(same.low, 2), round(same.high, 2)
    (0.5, 0.0, 0.24, 0.76)
    """
    spread = xx * y * y - 2 * x * xy * y + x * x * yy  # whole numbers: y ** 2 times the sum of (x - p y) ** 2
    error = math.sqrt(spread / y**4 * (n / (n - 1))) if n > 1 else math.inf
    return with_student(x / y, error, n) if error else Estimate(x / y, 0.0, *interval_of_equal(x / y, n), n)


@dataclass(frozen=True)
class PairedSums:
    """Sums over the hands that two rule sets play: of numbers x and y of a hand, their squares and their product.

    ``excess`` is the sum of y - x over the hands with y > x, ``excess_squared`` that of the squares; with scales both
    count the unit of the two scales' differences (see ``common_unit``).
    """

    x: int
    y: int
    xx: int
    yy: int
    xy: int
    hands: int
    excess: int
    excess_squared: int


@lru_cache(2**10)
def common_unit(x_scale: Fraction, y_scale: Fraction) -> tuple[int, int, Fraction]:
    """Whole a, b and a unit such that ``y_scale * y - x_scale * x`` is ``b * y - a * x`` units.

    >>> common_unit(Fraction(1, 3), Fraction(1))
    (1, 3, Fraction(1, 3))
    """
    unit = Fraction(1, math.lcm(x_scale.denominator, y_scale.denominator))
    return int(x_scale / unit), int(y_scale / unit), unit


@dataclass(frozen=True)
class Difference:
    """The mean of y - x over hands played in pairs.

    ``gain`` is how many times wider the interval of two independent runs would be, None where no hand differs; ``p`` is
    the p-value of the test that the mean is 0, by the method of the interval.
    """

    estimate: Estimate
    p: float | None = None
    gain: float | None = None


def no_difference(n: int) -> Difference:
    """The difference of ``n`` trials that are certainly the same."""
    return Difference(Estimate(0.0, 0.0, 0.0, 0.0, n))


def paired_difference(
    sums: PairedSums, x_scale: Fraction = Fraction(1), y_scale: Fraction = Fraction(1), largest: float = 1.0,
) -> Difference:  # fmt: skip
    """The mean of ``y_scale * y - x_scale * x`` over hands: Student's interval, or that of ``rare_mean``.

    The variance is computed in whole numbers, so that it is exactly zero where no hand differs. No difference is above
    ``largest``, which bounds those that were not seen: where all are the same, the interval allows for as many opposite
    ones of that size as an exact interval of their share does.
    """
    n = sums.hands
    a, b, unit = common_unit(x_scale, y_scale)
    parts = unit.denominator
    total = b * sums.y - a * sums.x
    of_x, of_y = a * a * scaled_variance(sums.x, sums.xx, n), b * b * scaled_variance(sums.y, sums.yy, n)
    spread = of_x + of_y - 2 * a * b * (n * sums.xy - sums.x * sums.y)
    squares = _squares(sums, a, b)
    up = PartialSums(sums.excess / parts, sums.excess_squared / parts**2)
    down = PartialSums((sums.excess - total) / parts, (squares - sums.excess_squared) / parts**2)
    narrower = (of_x + of_y) / spread if spread else None
    error = standard_error(spread, n, parts**2)
    value = total / (n * parts)
    if value and not error:  # all alike: the interval allows for opposite differences that were not seen
        half, p = mid_p(0, n)[1] * (largest + abs(value)), (largest / (largest + abs(value))) ** n
        return Difference(Estimate(value, 0.0, value - half, value + half, n), beside_level(p, half < abs(value)))
    return _difference(value, error, narrower, n, rare_mean(up, down, n, largest))


def independent_difference(
    sums: PairedSums, x_scale: Fraction = Fraction(1), y_scale: Fraction = Fraction(1), largest: float | None = None
) -> Difference:
    """The same for x and y of independent hands.

    ``largest`` is None for numbers that may be below 0, which always have Student's interval.
    """
    n = sums.hands
    of_x, of_y = x_scale**2 * scaled_variance(sums.x, sums.xx, n), y_scale**2 * scaled_variance(sums.y, sums.yy, n)
    y, x = (
        PartialSums(float(scale * total), float(scale**2 * squares))
        for scale, total, squares in ((y_scale, sums.y, sums.yy), (x_scale, sums.x, sums.xx))
    )
    rare = None if largest is None else rare_mean(y, x, n, largest, together=False)
    return _difference((y.total - x.total) / n, standard_error(of_x + of_y, n), None, n, rare)


def _difference(value: float, error: float, narrower: float | None, n: int, rare: RareMean | None) -> Difference:
    """A difference with the interval of a rare mean, or Student's without one; ``narrower`` is gain squared."""
    estimate, p = with_p_value(with_student(value, error, n), rare)
    return Difference(estimate, p, math.sqrt(narrower) if narrower else None)


def with_p_value(plain: Estimate, rare: RareMean | None, scale: float = 1.0) -> tuple[Estimate, float | None]:
    """An estimate with ``scale`` times the interval of a rare mean, and the p-value by it; without one, Student's.

    ``plain`` has Student's interval.
    """
    value, error = plain.value, plain.std_error
    if rare is None or math.isinf(error):
        return plain, two_sided(value, error, plain.n - 1) if error or value else 1.0
    down, up = rare.reach()
    return replace(plain, low=value - scale * down, high=value + scale * up), rare.p_value(value, scale)


def difference_of(one: Estimate, other: Estimate) -> Estimate:
    """How much larger an estimate is than another from trials of its own.

    The interval is made of both of theirs (Zou and Donner, "Construction of confidence limits about effect measures: a
    general approach", 2008); for two proportions it is Newcombe's where theirs is Wilson's.

    >>> difference = difference_of(proportion(5600, 7000), proportion(4800, 8000))
    >>> [round(number, 4) for number in (difference.value, difference.low, difference.high)]
    [0.2, 0.1857, 0.2142]
    """
    value = one.value - other.value
    down = math.hypot(one.value - one.low, other.high - other.value)
    up = math.hypot(one.high - one.value, other.value - other.low)
    return Estimate(value, math.hypot(one.std_error, other.std_error), value - down, value + up, one.n + other.n)


def mean_change(
    sums: PairedSums, largest: float, x_scale: Fraction = Fraction(1), y_scale: Fraction = Fraction(1)
) -> Estimate:
    """The mean of the absolute value of ``y_scale * y - x_scale * x`` over hands, none of which is above ``largest``.

    The interval is that of ``bounded_mean``. Two hands of which one gains 3 and the other loses 1 change by 2:

    >>> mean_change(PairedSums(5, 7, 13, 29, 17, 2, 3, 9), 10).value
    2.0
    """
    a, b, unit = common_unit(x_scale, y_scale)
    total = 2 * sums.excess - (b * sums.y - a * sums.x)  # what is lost counts as what is gained
    return bounded_mean(total, _squares(sums, a, b), sums.hands, 0, largest / float(unit), float(unit))


def two_sided(value: float, error: float, freedom: float) -> float | None:
    """The p-value of Student's two-sided test that the mean is 0; None without a standard error.

    It is below 5% where the interval by ``student`` leaves out 0.

    >>> round(two_sided(2.093, 1.0, 19), 3)
    0.05
    """
    if not 0 < error < math.inf or freedom <= 0:
        return None
    return beside_level(student_tail(value / error, freedom), student(freedom) * error < abs(value))


def scaled_variance(total: int, squares: int, n: int) -> int:
    """``n`` squared times the variance of numbers with this sum and sum of squares."""
    return n * squares - total * total


def _squares(sums: PairedSums, a: int, b: int) -> int:
    """The sum of the squares of ``b * y - a * x``."""
    return a * a * sums.xx + b * b * sums.yy - 2 * a * b * sums.xy


def standard_error(spread: Fraction | int, n: int, parts: int = 1) -> float:
    """The standard error of a mean of ``n`` numbers, from ``parts`` times ``n`` squared times their variance.

    >>> standard_error(4, 2), standard_error(0, 1)
    (1.0, inf)
    """
    return math.sqrt(spread / (parts * n * n * (n - 1))) if n > 1 else math.inf


def with_student(value: float, error: float, n: int) -> Estimate:
    half = student(n - 1) * error if error else 0.0
    return Estimate(value, error, value - half, value + half, n)


LONGEST = 4000
"""Digits of a fraction that is written out."""


@dataclass(frozen=True)
class Repeated:
    """Independent trials one after the other: in so many ``trials`` so many ``times`` or more, or a ``run`` in a row.

    A run without a number of trials is of the next ones; ``unit`` is what trials are called.
    """

    trials: int | None
    run: int | None
    unit: str
    times: int = 1

    def of(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The answers for one trial turned into answers for these; a mean becomes that of the sum.

        ``of_one`` is the estimate for one trial. A fraction with too many digits is left out.
        """
        rows = [self._row(row) for row in frame.to_dicts()]
        return pl.DataFrame(rows, schema={**frame.schema, "of_one": pl.Float64}, orient="row")

    def _row(self, row: dict[str, Any]) -> dict[str, Any]:
        run = f" {self.run} in a row" if self.run else f" at least {self.times} times" if self.times > 1 else ""
        of = f" in {self.trials:_} {self.unit}" if self.trials else ""
        chance = row["kind"] == "probability"
        turned: Callable[[Any], Any] = self.chance if chance else lambda mean: (self.trials or 1) * mean
        p, step = row["estimate"], 1e-6
        slope = (turned(min(p + step, 1.0)) - turned(max(p - step, 0.0))) / (min(p + step, 1.0) - max(p - step, 0.0))
        cells = {name: turned(row[name]) for name in ("estimate", "ci_low", "ci_high")}
        exact = None if row["exact"] is None else self._exactly(Fraction(row["exact"]), chance)
        std_error = row["std_error"] * (abs(slope) if chance else self.trials or 1)
        return row | cells | {
            "quantity": f"{row['quantity']}{run}{of}", "std_error": std_error, "exact": exact, "of_one": p,
        }  # fmt: skip

    def chance(self, p: Any) -> Any:
        """The chance over all trials, from that of one: a fraction of a fraction, a float of a float.

        >>> Repeated(2, None, "hands").chance(Fraction(1, 3)), Repeated(4, 3, "hands").chance(Fraction(1, 2))
        (Fraction(5, 9), Fraction(3, 16))
        >>> Repeated(3, None, "hands", times=2).chance(Fraction(1, 3))
        Fraction(7, 27)
        """
        run, n = self.run or 1, self.trials or 1
        if self.times > 1:
            if not isinstance(p, Fraction):
                return binomial_tail(n - self.times, n, 1 - p)
            return 1 - sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(self.times))
        if self.trials is None or self.trials == run:
            return p**run
        if run == 1:
            precise = isinstance(p, float) and p < 1
            return -math.expm1(self.trials * math.log1p(-p)) if precise else 1 - (1 - p) ** self.trials
        some = [0 * p] * run + [p**run]  # the chances that the first n trials have such a run
        for _ in range(run, self.trials):
            some.append(some[-1] + (1 - some[-run - 1]) * (1 - p) * p**run)  # one that ends with this trial, the first
        return some[-1]

    def _exactly(self, p: Fraction, chance: bool) -> str | None:
        """
        >>> Repeated(2, None, "hands")._exactly(Fraction(1, 3), True)
        '5/9'
        """
        if not chance:
            return str((self.trials or 1) * p)
        trials = max(self.trials or 1, self.run or 1)
        if trials * len(str(p.denominator)) <= LONGEST or p in (0, 1):
            return str(self.chance(p))
        return f"1 - ({1 - p})^{trials}" if self.run is None and self.times == 1 else None


def waiting_time(p: Any, share: Any) -> Any:
    """The fewest trials in which something with a chance comes at least so often, as ``share`` says.

    >>> waiting_time(Fraction(1, 2), Fraction(3, 4)), waiting_time(0.1, 0.5)
    (2, 7)
    """
    if not 0 < p < 1:
        return 1 if p else math.inf
    n = max(1, round(math.log1p(-float(share)) / math.log1p(-float(p))) - 1)
    while (1 - p) ** n > 1 - share:
        n += 1
    return n


def longest_run(p: Any, trials: int) -> Any:
    """The mean length of the longest run of something with a chance in so many trials; a fraction of a fraction.

    >>> longest_run(Fraction(1, 2), 3)
    Fraction(11, 8)
    """
    if isinstance(p, Fraction) and trials**2 * len(str(p.denominator)) > LONGEST:
        p = float(p)
    total, length = 0 * p, 1
    while length <= trials and (chance := Repeated(trials, length, "").chance(p)) > _NEGLIGIBLE:
        total, length = total + chance, length + 1
    return total


_NEGLIGIBLE = 1e-15


def trials_until_positive(mean: float, deviation: float, share: float = 0.9) -> float:
    """The fewest trials whose sum is above 0 with a chance of ``share``, sums being normal; infinite without a gain.

    >>> trials_until_positive(1.0, 3.0)
    15
    """
    if mean <= 0:
        return math.inf
    return max(1, math.ceil((NormalDist().inv_cdf(share) * deviation / mean) ** 2))


def largest_of(values: Sequence[float], counts: Sequence[int], trials: int, scale: float) -> Estimate:
    """The mean of the largest of so many trials, from how often each of some values came, in order.

    The standard error is by the delta method: how much each value moves the mean.

    >>> found = largest_of([0, 1], [3, 1], 2, 1.0)
    >>> found.value, round(found.std_error, 4)
    (0.4375, 0.3248)
    """
    n, below = sum(counts), [total / sum(counts) for total in accumulate(counts)][:-1]
    steps = [above - value for value, above in pairwise(values)]
    mean = values[-1] - math.fsum(step * share**trials for step, share in zip(steps, below, strict=True))
    slopes = [trials * step * share ** (trials - 1) for step, share in zip(steps, below, strict=True)]
    moves = [-total for total in accumulate(reversed([*slopes, 0.0]))][::-1]
    usual = math.fsum(map(mul, counts, moves)) / n
    error = math.sqrt(math.fsum(number * (move - usual) ** 2 for number, move in zip(counts, moves, strict=True))) / n
    low, high = sorted(scale * (mean + sign * Z * error) for sign in (-1, 1))
    return Estimate(scale * mean, abs(scale) * error, low, high, n)


FEWEST_PAIRS = 100
"""With fewer trials the correlation of two deviations is too uncertain to narrow the interval of their difference."""


@dataclass(frozen=True)
class Powers:
    """Sums of powers of two numbers x and y of each of ``n`` trials.

    ``x`` and ``y`` are the sums of the first to fourth powers, ``crossed[a, b]`` the sum of ``x**a * y**b`` for a and b
    of 1 and 2. ``larger`` are the sums of y**2 - x**2 and of its square over the trials with y**2 > x**2; with scales
    in the unit of ``common_unit`` squared.
    """

    x: Sequence[int]
    y: Sequence[int]
    crossed: Mapping[tuple[int, int], int]
    n: int
    larger: tuple[int, int]


def spread_difference(
    powers: Powers, x_scale: Fraction, y_scale: Fraction, largest: float, independent: bool = False
) -> tuple[Estimate, Difference]:
    """The standard deviation of y, and its difference from that of x, for hands played in pairs or ``independent``.

    The deviation's interval is that of ``_deviation``. Standard errors by the delta method: to first order a sample's
    deviation s exceeds the true one by the mean of ``((x - mean)**2 - s**2) / (2 * s)``. Where few hands differ, the
    interval of the difference reaches as many standard errors down and up as that of the mean of y**2 - x**2; with few
    trials it has the errors of ``_deviation`` too. No number is further than ``largest`` from the mean.
    """
    x, y, n = powers.x, powers.y, powers.n
    if n < 2:
        unknown = Estimate(math.nan, math.inf, -math.inf, math.inf, n)
        return unknown, Difference(unknown)
    mx, my = Fraction(x[0], n), Fraction(y[0], n)
    vx, vy = Fraction(x[1], n) - mx**2, Fraction(y[1], n) - my**2
    e = {exponents: Fraction(total, n) for exponents, total in powers.crossed.items()}
    # E[(x - mx)^2 (y - my)^2], multiplied out.
    both = e[2, 2] - 2 * my * e[2, 1] - 2 * mx * e[1, 2] + 4 * mx * my * e[1, 1] - 3 * mx**2 * my**2
    both += my**2 * Fraction(x[1], n) + mx**2 * Fraction(y[1], n)
    xx, yy, xy = _fourth(x, n) - vx**2, _fourth(y, n) - vy**2, both - vx * vy
    sx, sy = float(x_scale) * math.sqrt(vx), float(y_scale) * math.sqrt(vy)
    bessel = math.sqrt(n / (n - 1))
    ex = float(x_scale) * math.sqrt(xx / vx / 4 / (n - 1)) if vx else 0.0
    ey = float(y_scale) * math.sqrt(yy / vy / 4 / (n - 1)) if vy else 0.0
    level = _deviation(sy * bessel, ey, float(yy / vy**2) + 1 if vy else 0.0, n, largest)
    value = (sy - sx) * bessel
    if x_scale == y_scale and vx == vy and xx == yy == xy:
        # A hand that differs changes the mean square by the largest square at most, the deviation by so much over 2 s.
        half = largest**2 / (2 * sy) * mid_p(0, n)[1] if sy else largest
        return level, Difference(Estimate(0.0, 0.0, -half, half, n), 1.0, None)
    shared = bool(vx and vy) and not independent
    covariance = float(x_scale * y_scale) * float(xy) / (4 * math.sqrt(vx * vy) * (n - 1)) if shared else 0.0
    error = math.sqrt(max(0.0, ex**2 + ey**2 - 2 * covariance))
    gain = math.sqrt(ex**2 + ey**2) / error if error else None
    wx, wy = (s * math.sqrt(_of_logarithm(float(k / v**2) + 1, n)) if v else 0.0
              for s, k, v in ((sx, xx, vx), (sy, yy, vy)))  # fmt: skip
    correlation = covariance / (ex * ey) if ex and ey and n >= FEWEST_PAIRS else 0.0
    wide = max(error, math.sqrt(max(0.0, wx**2 + wy**2 - 2 * correlation * wx * wy)))
    plain, rarity = with_student(value, wide, n), 0.0 if independent else wide
    estimate, p = with_p_value(plain, *rare_squares(powers, x_scale, y_scale, rarity))
    return level, Difference(replace(estimate, std_error=error), p, gain)


def deviation(powers: Sequence[int], n: int, scale: float, largest: float) -> Estimate:
    """The standard deviation of ``n`` numbers, from the sums of their first to fourth powers, times ``scale``.

    None of them is further than ``largest`` from the mean, times ``scale`` too.

    >>> round(deviation([10, 30, 100, 354], 4, 1.0, 4.0).value, 3)
    1.291
    """
    if n < 2:
        return Estimate(math.nan, math.inf, 0.0, math.inf, n)
    variance = Fraction(powers[1], n) - Fraction(powers[0], n) ** 2
    fourth = _fourth(powers, n)
    value = scale * math.sqrt(variance * Fraction(n, n - 1))
    error = scale * math.sqrt((fourth - variance**2) / variance / 4 / (n - 1)) if variance else 0.0
    return _deviation(value, error, float(fourth / variance**2) if variance else 0.0, n, largest)


def correlation(pairs: Sequence[tuple[int, int, int]]) -> Estimate:
    """The correlation of two numbers of independent trials: of pairs of them, and how many trials have each.

    Its standard error is that of the delta method, which holds for any distribution; the interval is Student's of its
    hyperbolic arc tangent (Fisher, 1921), at least as wide as that of normal numbers.

    >>> round(correlation([(1, 1, 5), (2, 2, 5), (1, 2, 2), (2, 1, 2)]).value, 3)
    0.429
    """
    n = sum(number for *_, number in pairs)
    mx, my = (sum(pair[i] * pair[2] for pair in pairs) / n for i in (0, 1))
    vx, vy = (math.fsum((pair[i] - m) ** 2 * pair[2] for pair in pairs) / n for i, m in ((0, mx), (1, my)))
    if n < 4 or not vx or not vy:
        return Estimate(math.nan, math.inf, -1.0, 1.0, n)
    standard = [((x - mx) / math.sqrt(vx), (y - my) / math.sqrt(vy), number) for x, y, number in pairs]
    r = max(-1.0, min(1.0, math.fsum(x * y * number for x, y, number in standard) / n))
    influence = math.fsum((x * y - r / 2 * (x * x + y * y)) ** 2 * number for x, y, number in standard)
    error = math.sqrt(influence / n / (n - 1))
    if abs(r) > 1 - 1e-12:
        end = r * (1 - 2 * mid_p(0, n)[1])
        return Estimate(r, 0.0, min(r, end), max(r, end), n)
    reach = student(n - 1) * max(error / (1 - r * r), 1 / math.sqrt(n - 3))
    return Estimate(r, error, math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach), n)


def _deviation(value: float, error: float, kurtosis: float, n: int, largest: float) -> Estimate:
    """A standard deviation, Student's interval being that of its logarithm, which is nearer to normal.

    The variance of the logarithm follows from the kurtosis (Bonett, "Approximate confidence interval for standard
    deviation of nonnormal distributions", 2006), which small samples show too low: that of normal numbers in proportion
    (n - 1) / (n + 1). Of ``n`` equal numbers another one is ``2 * largest`` away at most.
    """
    if not value:
        unseen = mid_p(0, n)[1]
        return Estimate(0.0, 0.0, 0.0, 2 * largest * math.sqrt(unseen * (1 - min(unseen, 0.5))), n)
    times = math.exp(student(n - 1) * math.sqrt(_of_logarithm(kurtosis, n)))
    return Estimate(value, error, value / times, value * times, n)


def _of_logarithm(kurtosis: float, n: int) -> float:
    """The variance of the logarithm of the deviation of ``n`` numbers, see ``_deviation``."""
    return max(0.0, kurtosis * (n + 1) / (n - 1) - (n - 3) / n) / (4 * (n - 1))


def rare_squares(powers: Powers, x_scale: Fraction, y_scale: Fraction, error: float) -> tuple[RareMean | None, float]:
    """The mean of ``y**2 - x**2`` where it is rare, and how much a number with this standard error is smaller."""
    x, y, n, larger = powers.x, powers.y, powers.n, powers.larger
    a, b, _ = common_unit(x_scale, y_scale)
    a, b = a * a, b * b
    total, squares = b * y[1] - a * x[1], b * b * y[3] + a * a * x[3] - 2 * a * b * powers.crossed[2, 2]
    of_squares = standard_error(scaled_variance(total, squares, n), n)
    if not error or not of_squares:
        return None, 1.0
    return rare_mean(
        PartialSums(*larger), PartialSums(larger[0] - total, squares - larger[1]), n, math.inf
    ), error / of_squares


def _fourth(sums: Sequence[int], n: int) -> Fraction:
    """The fourth central moment, from the sums of the first to fourth powers."""
    m, e2, e3, e4 = (Fraction(total, n) for total in sums)
    return e4 - 4 * m * e3 + 6 * m**2 * e2 - 3 * m**4
