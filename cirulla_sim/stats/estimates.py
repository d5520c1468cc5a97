"""Estimates from sums over hands, with their 95% intervals.

Hands are independent; what happens within a hand is not. So every standard error is taken between hands: a proportion
of holdings is the ratio of two sums over hands, and its interval uses the number of trials that, if independent, would
have the same standard error. Means have Student's interval, or that of ``rare_mean`` where most numbers are at a
bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from .tails import FEW, Part, RareMean, beside_level, low_if_seen, mid_p, rare_mean, student_tail
from .tails import Z as Z


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
    return sum(term / d**power for power, term in enumerate(terms))


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


def seen(share: Estimate) -> Estimate:
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


def bounded_mean(
    total: int, squares: int, n: int, low: float = 0, high: float = math.inf, scale: float = 1.0
) -> Estimate:
    """The mean of ``n`` independent numbers between two bounds, which may be infinite, times ``scale``.

    If most numbers are at a bound or near it, the distances from the bound have the interval of ``rare_mean``; if
    that holds at both bounds, the interval is the union of the two. Otherwise it is Student's. It stays within the
    bounds. Its width is never zero (see ``of_equal``). A single number has an infinite interval.

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
        distances = Part(sign * (total - n * bound), squares - 2 * bound * total + n * bound * bound)
        if near := rare_mean(distances, None, n, high - low):
            towards, away = near.reach()
            ends.append((value - towards, value + away) if sign > 0 else (value - away, value + towards))
    if not ends and n * squares == total * total:
        ends = [of_equal(value, n, low, high)]
    ends = ends or [(plain.low / scale, plain.high / scale)]
    least, largest = max(low, min(end for end, _ in ends)), min(high, max(end for _, end in ends))
    return replace(plain, low=scale * min(least, value), high=scale * max(largest, value))


def of_equal(value: float, n: int, low: float = -math.inf, high: float = math.inf) -> tuple[float, float]:
    """The ends of the interval of a mean of ``n`` equal numbers between two bounds.

    They say as much about other values as ``n`` trials without an event. Those are taken to be at the bounds, or where
    a bound is infinite as far from the value as it is from 0, and 1 at least.

    >>> [round(end, 3) for end in of_equal(4, 100, 0)]
    [3.882, 4.118]
    """
    unseen = mid_p(0, n)[1]
    below, above = (abs(value - end) if math.isfinite(end) else max(abs(value), 1.0) for end in (low, high))
    return value - unseen * below, value + unseen * above


def scaled(estimate: Estimate, weight: float) -> Estimate:
    """An estimate times a weight."""
    numbers = (estimate.value, estimate.std_error, estimate.low, estimate.high)
    value, error, low, high = (weight * number for number in numbers)
    return Estimate(value, error, low, high, estimate.n)


def stretched(estimate: Estimate, times: float, lowest: float = -math.inf, highest: float = math.inf) -> Estimate:
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
    return with_student(x / y, error, n) if error else Estimate(x / y, 0.0, *of_equal(x / y, n), n)


@dataclass(frozen=True)
class Sums:
    """Sums over the hands that two rule sets play: of numbers x and y of a hand, their squares and their product.

    ``excess`` is the sum of y - x over the hands with y > x, ``excess_squared`` that of the squares; with scales both
    count the unit of the two scales' differences (see ``weights``).
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
def weights(x_scale: Fraction, y_scale: Fraction) -> tuple[int, int, Fraction]:
    """Whole a, b and a unit such that ``y_scale * y - x_scale * x`` is ``b * y - a * x`` units.

    >>> weights(Fraction(1, 3), Fraction(1))
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


def paired(
    sums: Sums, x_scale: Fraction = Fraction(1), y_scale: Fraction = Fraction(1), largest: float = 1.0,
) -> Difference:  # fmt: skip
    """The mean of ``y_scale * y - x_scale * x`` over hands: Student's interval, or that of ``rare_mean``.

    The variance is computed in whole numbers, so that it is exactly zero where no hand differs. No difference is above
    ``largest``, which bounds those that were not seen: where all are the same, the interval allows for as many opposite
    ones of that size as an exact interval of their share does.
    """
    n = sums.hands
    a, b, unit = weights(x_scale, y_scale)
    parts = unit.denominator
    total = b * sums.y - a * sums.x
    of_x, of_y = a * a * scaled_variance(sums.x, sums.xx, n), b * b * scaled_variance(sums.y, sums.yy, n)
    spread = of_x + of_y - 2 * a * b * (n * sums.xy - sums.x * sums.y)
    squares = _squares(sums, a, b)
    up = Part(sums.excess / parts, sums.excess_squared / parts**2)
    down = Part((sums.excess - total) / parts, (squares - sums.excess_squared) / parts**2)
    narrower = (of_x + of_y) / spread if spread else None
    error = standard_error(spread, n, parts**2)
    value = total / (n * parts)
    if value and not error:  # all alike: the interval allows for opposite differences that were not seen
        half, p = mid_p(0, n)[1] * (largest + abs(value)), (largest / (largest + abs(value))) ** n
        return Difference(Estimate(value, 0.0, value - half, value + half, n), beside_level(p, half < abs(value)))
    return _difference(value, error, narrower, n, rare_mean(up, down, n, largest))


def apart(
    sums: Sums, x_scale: Fraction = Fraction(1), y_scale: Fraction = Fraction(1), largest: float | None = None
) -> Difference:
    """The same for x and y of independent hands.

    ``largest`` is None for numbers that may be below 0, which always have Student's interval.
    """
    n = sums.hands
    of_x, of_y = x_scale**2 * scaled_variance(sums.x, sums.xx, n), y_scale**2 * scaled_variance(sums.y, sums.yy, n)
    y, x = (
        Part(float(scale * total), float(scale**2 * squares))
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


def mean_change(
    sums: Sums, largest: float, x_scale: Fraction = Fraction(1), y_scale: Fraction = Fraction(1)
) -> Estimate:
    """The mean of the absolute value of ``y_scale * y - x_scale * x`` over hands, none of which is above ``largest``.

    The interval is that of ``bounded_mean``. Two hands of which one gains 3 and the other loses 1 change by 2:

    >>> mean_change(Sums(5, 7, 13, 29, 17, 2, 3, 9), 10).value
    2.0
    """
    a, b, unit = weights(x_scale, y_scale)
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


def _squares(sums: Sums, a: int, b: int) -> int:
    """The sum of the squares of ``b * y - a * x``."""
    return a * a * sums.xx + b * b * sums.yy - 2 * a * b * sums.xy


def standard_error(spread: Fraction | int, n: int, parts: int = 1) -> float:
    """The standard error of a mean of ``n`` numbers, from ``parts`` times ``n`` squared times their variance."""
    return math.sqrt(spread / (parts * n * n * (n - 1))) if n > 1 else math.inf


def with_student(value: float, error: float, n: int) -> Estimate:
    half = student(n - 1) * error if error else 0.0
    return Estimate(value, error, value - half, value + half, n)
