"""Estimates from sums over hands, with their 95% intervals.

Hands are independent; what happens within a hand is not. So every standard error is taken between hands: a proportion
of holdings is the ratio of two sums over hands, and its Wilson interval uses the number of trials that, if
independent, would have the same standard error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Z = 1.959963984540054
"""The normal quantile of a 95% interval.

With the thousands of hands of any run Student's quantile is the same; below 30
hands it is replaced by the larger one of ``student``."""


@dataclass(frozen=True)
class Estimate:
    """A number with its standard error and 95% interval, from ``n`` trials."""

    value: float
    std_error: float
    low: float
    high: float
    n: int


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


def proportion(count: int, n: int) -> Estimate:
    """A proportion of ``n`` independent trials, with Wilson's interval."""
    p = count / n if n else math.nan
    low, high = wilson(p, n) if n else (math.nan, math.nan)
    return Estimate(p, math.sqrt(p * (1 - p) / n) if n else math.nan, low, high, n)


def mean(total: int, squares: int, n: int, scale: float = 1.0) -> Estimate:
    """The mean of ``n`` independent numbers, from their sum and sum of squares, times ``scale``; Student's interval."""
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, math.nan, 0)
    # Whole numbers keep the variance exact: n * squares - total ** 2 has no rounding.
    error = math.sqrt((n * squares - total * total) / (n * n * (n - 1))) if n > 1 else math.inf
    value, error = total / n * scale, error * abs(scale)
    half = student(n - 1) * error if error else 0.0
    return Estimate(value, error, value - half, value + half, n)


def clustered(x: int, y: int, xx: int, xy: int, yy: int, hands: int) -> Estimate:
    """The proportion ``x / y`` where both are sums over hands, from their sums of squares and of products.

    The standard error is that of a ratio estimator; the interval is Wilson's for the number of independent trials that
    would have this standard error (Korn and Graubard, "Confidence intervals for proportions with small expected
    number of positive counts", 1998).
    """
    if y == 0:
        return Estimate(math.nan, math.nan, math.nan, math.nan, 0)
    p = x / y
    # Sum over hands of (x - p y) ** 2, times y ** 2, in whole numbers.
    spread = xx * y * y - 2 * x * xy * y + x * x * yy
    error = math.sqrt(spread / y**4 * (hands / (hands - 1))) if hands > 1 else math.inf
    alike = p * (1 - p) / error**2 if 0 < error < math.inf else y
    low, high = wilson(p, alike)
    return Estimate(p, error, low, high, y)
