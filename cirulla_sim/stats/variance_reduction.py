"""Control variates: numbers of the same trials whose means are known exactly, or from many more trials.

A run whose deals have more bonuses than average has more points too. Its means are corrected by how far the control
variates are from their means, with the coefficients of the least squares fit of the run itself (Lavenberg and Welch, "A
perspective on the use of control variables to increase the efficiency of Monte Carlo simulations", 1981).

Stratified sampling: differences that are 0 outside a stratum of the trials whose probability is known exactly.

The mean difference is the probability of the stratum times the mean in it. Only trials of the stratum are simulated for
it; means over all trials come from independent ones.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from operator import mul

from .distributions import LEAST_P, MISSED, mid_p
from .estimates import (
    Difference,
    Estimate,
    PairedSums,
    Powers,
    Z,
    paired_difference,
    rare_squares,
    scale_estimate,
    share_interval,
    student,
    with_p_value,
    with_student,
)


@dataclass(frozen=True)
class Controls:
    """Control variates of ``n`` trials: their means by name, and the sums over the trials of them and their products.

    ``products[i][j]`` is the sum of control i times control j. All sums are whole numbers, so that the fit is exact.
    ``variances`` are the squares of the errors of means that are not known exactly, by name (Cochran, "Sampling
    techniques", 1977, on double sampling).
    """

    means: Mapping[str, Fraction]
    sums: Sequence[int]
    products: Sequence[Sequence[int]]
    n: int
    variances: Mapping[str, Fraction] = field(default_factory=dict)

    def beside(
        self, name: str, estimate: Estimate, total: int, squares: int, crossed: Sequence[int]
    ) -> Controls:  # fmt: skip
        """The same with another control variate, whose mean is an ``estimate`` from many more trials than these.

        ``total``, ``squares`` and ``crossed`` are sums over these: of it, its squares, its products with the others.
        """
        products = [[*row, both] for row, both in zip(self.products, crossed, strict=True)]
        return replace(
            self,
            means={**self.means, name: Fraction(estimate.value)},
            sums=[*self.sums, total],
            products=[*products, [*crossed, squares]],
            variances={**self.variances, name: Fraction(estimate.std_error) ** 2},
        )

    def mean(self, total: int, squares: int, crossed: Sequence[int], scale: float = 1.0) -> Estimate:
        """The mean of numbers with this sum, sum of squares, and sums of products with the controls, times ``scale``.

        Student's interval with a degree of freedom less for each coefficient, whose errors are included.
        """
        n = self.n
        together = [Fraction(n * both - x * total) for both, x in zip(crossed, self.sums, strict=True)]
        fitted, rank = solve_linear(self._spread, together)
        value = Fraction(total, n) - sum(map(mul, fitted, self._apart))
        left = Fraction(n * squares - total * total) - sum(map(mul, fitted, together))
        freedom = n - 1 - rank
        unsure = sum(by**2 * self.variances.get(name, 0) for by, name in zip(fitted, self.means, strict=True))
        # What the variance of the residuals is multiplied by: 1/n, and what the coefficients add
        weight = Fraction(1, n) + n * Fraction(sum(map(mul, solve_linear(self._spread, self._apart)[0], self._apart)))
        error = math.sqrt(left / n / freedom * weight + unsure) * abs(scale)
        half = student(freedom) * error
        return Estimate(float(value) * scale, error, float(value) * scale - half, float(value) * scale + half, n)

    @cached_property
    def _apart(self) -> list[Fraction]:
        """How far each control is from its mean."""
        return [Fraction(total, self.n) - mean for total, mean in zip(self.sums, self.means.values(), strict=True)]

    @cached_property
    def _spread(self) -> list[list[Fraction]]:
        """``n`` squared times the controls' covariances."""
        n, sums = self.n, self.sums
        return [
            [Fraction(n * both - x * y) for both, y in zip(row, sums, strict=True)]
            for row, x in zip(self.products, sums, strict=True)
        ]

    def share(self, total: int, squares: int, crossed: Sequence[int], trials: int) -> Estimate:
        """The same for the share of so many ``trials`` each: the interval of as many as have the same error."""
        uncorrected = self.mean(total, squares, crossed, 1 / trials)
        p, error = min(1.0, max(0.0, uncorrected.value)), (uncorrected.high - uncorrected.value) / Z
        low, high = share_interval(p, p * (1 - p) / error**2 if error else trials * self.n)
        return Estimate(p, uncorrected.std_error, low, high, trials * self.n)


def solve_linear(matrix: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> tuple[list[Fraction], int]:
    """The solution of linear equations, 0 for what others determine already, and the matrix's rank (Gauss).

    >>> solve_linear([[Fraction(2), Fraction(0)], [Fraction(0), Fraction(0)]], [Fraction(3), Fraction(0)])
    ([Fraction(3, 2), Fraction(0, 1)], 1)
    """
    rows = [[*row, end] for row, end in zip(matrix, right, strict=True)]
    pivots = []
    for column in range(len(rows)):
        pivot = rows[column][column]
        if not pivot:  # of products of numbers with each other, the whole row is 0 then
            continue
        pivots.append(column)
        rows[column] = [x / pivot for x in rows[column]]
        for other in range(len(rows)):
            if other != column and rows[other][column]:
                times = rows[other][column]
                rows[other] = [x - times * y for x, y in zip(rows[other], rows[column], strict=True)]
    return [rows[column][-1] if column in pivots else Fraction(0) for column in range(len(rows))], len(pivots)


def shift(estimate: Estimate, by: Estimate, lowest: float | None = None, highest: float | None = None) -> Estimate:
    """The sum of an estimate and an independent difference within the bounds, its interval by MOVER (``rare_mean``).

    >>> shift(Estimate(1.0, 0.3, 0.4, 1.6, 50), Estimate(0.5, 0.4, -0.3, 1.3, 50))
    Estimate(value=1.5, std_error=0.5, low=0.5, high=2.5, n=50)
    >>> shift(Estimate(0.0, 0.0, 0.0, 0.1, 50), Estimate(-0.1, 0.1, -0.3, 0.1, 50), lowest=0.0).value
    0.0
    """
    value = estimate.value + by.value
    low = value - math.hypot(estimate.value - estimate.low, by.value - by.low)
    high = value + math.hypot(estimate.high - estimate.value, by.high - by.value)
    if lowest is not None:
        value, low = max(value, lowest), max(low, lowest)
    if highest is not None:
        value, high = min(value, highest), min(high, highest)
    return Estimate(value, math.hypot(estimate.std_error, by.std_error), low, high, estimate.n)


def stratum_difference(
    usual: tuple[int, int], sums: PairedSums, weight: Fraction, scale: Fraction = Fraction(1), largest: float = 1.0
) -> Difference:
    """The mean of y - x over all trials, from the ``sums`` of the trials of the stratum.

    ``usual`` are the sums of x and of its squares over as many trials of all. The gain is compared with as many trials
    of all for x and as many others for y. Where differences are 1 at most, and most trials differ by that, their share
    has its exact interval, and the p-value is that of the sign test with mid-P, if it is significant.
    """
    n, difference = sums.hands, paired_difference(sums, scale, scale, largest)
    estimate, p = difference.estimate, difference.p
    total = sums.y - sums.x
    sign_test = 0.5 ** abs(total)
    if largest <= scale and n / 2 < abs(total) == sums.xx + sums.yy - 2 * sums.xy and sign_test < MISSED:
        ends = sorted(float(scale) * math.copysign(end, total) for end in mid_p(abs(total), n))
        estimate, p = replace(estimate, low=ends[0], high=ends[1]), max(sign_test, LEAST_P)
    estimate = scale_estimate(estimate, float(weight))
    if n < 2 or not estimate.std_error:
        return Difference(estimate, p, None)
    (x, xx), (part, whole) = usual, weight.as_integer_ratio()
    y, yy = whole * x + part * (sums.y - sums.x), whole * xx + part * (sums.yy - sums.xx)  # times ``whole``
    both = (whole**2 * (n * xx - x * x) + whole * n * yy - y * y) / (n * whole) ** 2
    independent = float(scale) * math.sqrt(max(both, 0.0) / (n - 1))
    return Difference(estimate, p, independent / estimate.std_error)


def stratum_spread(
    usual: Sequence[int], powers: Powers, weight: Fraction, scale: Fraction, largest: float
) -> Difference:
    """The difference of the standard deviations of y and x, from sums of powers (see ``spread_difference``).

    ``usual`` are those of x over as many trials of all. The variances differ by the weight times the mean difference of
    squares about x's mean, less the square of the means' difference. The error, by the delta method, is that of the
    stratum and that of x's mean and variance.
    """
    x, y, crossed, n = powers.x, powers.y, powers.crossed, powers.n
    if n < 2:
        return Difference(Estimate(math.nan, math.inf, -math.inf, math.inf, n))
    mean = Fraction(usual[0], n)
    variance = Fraction(usual[1], n) - mean**2
    apart, squares = Fraction(y[0] - x[0], n), Fraction(y[1] - x[1], n)
    about = squares - 2 * mean * apart
    # The mean square of (y**2 - x**2) - 2 mean (y - x), multiplied out.
    fourth = Fraction(y[3] + x[3] - 2 * crossed[2, 2], n)
    third = Fraction(y[2] - crossed[1, 2] - crossed[2, 1] + x[2], n)
    second = Fraction(y[1] + x[1] - 2 * crossed[1, 1], n)
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
    estimate, p = with_p_value(with_student(value, error, n), *rare_squares(powers, scale, scale, error))
    return Difference(estimate, p, None)
