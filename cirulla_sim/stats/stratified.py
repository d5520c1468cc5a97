"""Differences from a stratum of the trials: those in which alone there can be one, whose chance is known exactly.

Outside the stratum the difference is 0, so its mean is the chance of the stratum times the mean in it. Trials of the
stratum are drawn by themselves; what is shown of all trials comes from others, independent of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from .estimates import Difference, Estimate, Sums, errors_of_squares, paired, student, two_sided
from .tails import mid_p


def scaled(found: Estimate, weight: float) -> Estimate:
    """An estimate times a weight."""
    value, error, low, high = (weight * number for number in (found.value, found.std_error, found.low, found.high))
    return Estimate(value, error, low, high, found.n)


def moved(found: Estimate, by: Estimate, lowest: float | None = None, highest: float | None = None) -> Estimate:
    """An estimate and an independent difference added up, the intervals put together by MOVER (see ``rare``).

    >>> moved(Estimate(1.0, 0.3, 0.4, 1.6, 50), Estimate(0.5, 0.4, -0.3, 1.3, 50))
    Estimate(value=1.5, std_error=0.5, low=0.5, high=2.5, n=50)
    """
    value = found.value + by.value
    low = value - math.hypot(found.value - found.low, by.value - by.low)
    high = value + math.hypot(found.high - found.value, by.high - by.value)
    if lowest is not None:
        low = max(low, lowest)
    if highest is not None:
        high = min(high, highest)
    return Estimate(value, math.hypot(found.std_error, by.std_error), low, high, found.n)


def stratum_difference(
    usual: tuple[int, int], sums: Sums, weight: Fraction, scale: Fraction = Fraction(1), largest: float = 1.0
) -> Difference:
    """How much larger y is than x on average over all trials, from the ``sums`` of the trials of the stratum.

    ``usual`` are the sums of x and of its squares over as many trials of all. The gain is over so many trials of all
    for x and as many others for y. Where most trials differ by one and the others not at all, the share of those has
    its exact interval. Where all have one and the same difference, as many as an exact interval allows might have
    the opposite of the ``largest`` one.
    """
    n, found = sums.hands, paired(sums, scale, scale, largest)
    estimate, p = found.estimate, found.p
    total = sums.y - sums.x
    if n / 2 < abs(total) == sums.xx + sums.yy - 2 * sums.xy:
        ends = sorted(float(scale) * math.copysign(end, total) for end in mid_p(abs(total), n))
        estimate = replace(estimate, low=ends[0], high=ends[1])
    elif estimate.value and not estimate.std_error:
        half = mid_p(0, n)[1] * (largest + abs(estimate.value))
        estimate = replace(estimate, low=estimate.value - half, high=estimate.value + half)
    if estimate.value and not estimate.std_error:
        p = 2.0 ** (1 - n)  # of the sign test
    estimate = scaled(estimate, float(weight))
    if n < 2 or not estimate.std_error:
        return Difference(estimate, p, None)
    (x, xx), (part, whole) = usual, weight.as_integer_ratio()
    y, yy = whole * x + part * (sums.y - sums.x), whole * xx + part * (sums.yy - sums.xx)  # times ``whole``
    both = (whole**2 * (n * xx - x * x) + whole * n * yy - y * y) / (n * whole) ** 2
    independent = float(scale) * math.sqrt(max(both, 0.0) / (n - 1))
    return Difference(estimate, p, independent / estimate.std_error)


def stratum_spread(
    usual: Sequence[int], x: Sequence[int], y: Sequence[int], cross: Mapping[tuple[int, int], int], n: int,
    weight: Fraction, scale: Fraction, larger: tuple[int, int], largest: float,
) -> Difference:  # fmt: skip
    """How much larger the standard deviation of y is than that of x, from sums of powers (see ``spread_difference``).

    ``usual`` are those of x over as many trials of all. The variances differ by the weight times the mean difference of
    squares about x's mean, less the square of the means' difference. The error, by the delta method, is that of the
    stratum and that of x's mean and variance.
    """
    if n < 2:
        return Difference(Estimate(math.nan, math.inf, -math.inf, math.inf, n), None, None)
    mean = Fraction(usual[0], n)
    variance = Fraction(usual[1], n) - mean**2
    apart, squares = Fraction(y[0] - x[0], n), Fraction(y[1] - x[1], n)
    about = squares - 2 * mean * apart
    # The mean square of (y**2 - x**2) - 2 mean (y - x), multiplied out.
    fourth = Fraction(y[3] + x[3] - 2 * cross[2, 2], n)
    third = Fraction(y[2] - cross[1, 2] - cross[2, 1] + x[2], n)
    second = Fraction(y[1] + x[1] - 2 * cross[1, 1], n)
    spread = fourth - 4 * mean * third + 4 * mean**2 * second - about**2
    other = variance + weight * about - (weight * apart) ** 2
    deviation, bessel = math.sqrt(max(float(other), 0.0)), math.sqrt(n / (n - 1))
    unit = float(scale) * bessel
    if not second:
        # A trial that differs changes the mean square by the largest square at most, the deviation by so much over 2 s.
        half = float(weight) * mid_p(0, n)[1] * (largest**2 / (2 * float(scale) * deviation) if deviation else largest)
        return Difference(Estimate(0.0, 0.0, -half, half, n), 1.0, None)
    value = unit * (deviation - math.sqrt(variance))
    error = math.inf
    if deviation:
        by_mean, by_variance = -float(apart) / deviation, -float(about) / (4 * deviation**3)
        _, _, third_of_x, fourth_of_x = (Fraction(power, n) for power in usual)
        skew = third_of_x - 3 * mean * (variance + mean**2) + 2 * mean**3
        tail = fourth_of_x - 4 * mean * third_of_x + 6 * mean**2 * (variance + mean**2) - 3 * mean**4 - variance**2
        of_x = by_mean**2 * float(variance) + 2 * by_mean * by_variance * float(skew) + by_variance**2 * float(tail)
        error = float(weight) * unit * math.sqrt((float(spread) / (4 * deviation**2) + of_x) / (n - 1))
    down, up = errors_of_squares(x, y, cross, n, scale, scale, larger) or (student(n - 1),) * 2
    p = two_sided(value, error, n - 1)
    return Difference(Estimate(value, error, value - down * error, value + up * error, n), p, None)
