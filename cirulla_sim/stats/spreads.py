"""Standard deviations, and differences of them between hands played in pairs, with their intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from .estimates import (
    Difference,
    Estimate,
    scaled_variance,
    standard_error,
    student,
    weights,
    with_p_value,
    with_student,
)
from .tails import Part, RareMean, mid_p, rare_mean

FEWEST_PAIRS = 100
"""With fewer trials the correlation of two deviations is too uncertain to narrow the interval of their difference."""


@dataclass(frozen=True)
class Powers:
    """Sums of powers of two numbers x and y of each of ``n`` trials.

    ``x`` and ``y`` are the sums of the first to fourth powers, ``crossed[a, b]`` the sum of ``x**a * y**b`` for a and b
    of 1 and 2. ``larger`` are the sums of y**2 - x**2 and of its square over the trials with y**2 > x**2; with scales
    in the unit of ``weights`` squared.
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
    a, b, _ = weights(x_scale, y_scale)
    a, b = a * a, b * b
    total, squares = b * y[1] - a * x[1], b * b * y[3] + a * a * x[3] - 2 * a * b * powers.crossed[2, 2]
    of_squares = standard_error(scaled_variance(total, squares, n), n)
    if not error or not of_squares:
        return None, 1.0
    return rare_mean(Part(*larger), Part(larger[0] - total, squares - larger[1]), n, math.inf), error / of_squares


def _fourth(sums: Sequence[int], n: int) -> Fraction:
    """The fourth central moment, from the sums of the first to fourth powers."""
    m, e2, e3, e4 = (Fraction(total, n) for total in sums)
    return e4 - 4 * m * e3 + 6 * m**2 * e2 - 3 * m**4
