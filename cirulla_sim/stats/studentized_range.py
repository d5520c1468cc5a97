"""All differences of several estimates at once: the studentized range, for intervals that hold simultaneously."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .tails import MISSED

_Z = np.linspace(-9.0, 9.0, 73)
"""Where the integral over a normal variable is evaluated: of so smooth a function its trapezoid sum has 12 digits."""

_SPREADS = 61
"""Values of the standard error for the integral over it."""


def tukey_p(t: float, estimates: int, freedom: float) -> float:
    """How likely any two of ``estimates`` equal numbers are ``t`` or more standard errors of their difference apart.

    The test of Tukey and Kramer (1956), by the studentized range. It is exact where the differences of the estimates
    have the covariance of independent estimates of equal precision, and otherwise conservative (Hayter, "A proof of the
    conjecture that the Tukey-Kramer multiple comparisons procedure is conservative", 1984). With two it is Student's.
    Good to a few percent with fewer than five degrees of freedom, else to five digits.

    >>> round(tukey_p(2.093, 2, 19), 4), round(tukey_p(3.958 / math.sqrt(2), 4, 20), 4)
    (0.05, 0.05)
    """
    if not t:
        return 1.0
    if math.isinf(t):
        return 0.0
    # The standard error is estimated: exp(u) times the true one, with the density exp(freedom * (u - exp(2 u) / 2)).
    far = math.sqrt(40 / freedom)
    u = np.linspace(-far - 40 / freedom, far, _SPREADS)
    density = np.exp(freedom * (u - np.expm1(2 * u) / 2))
    tails = _range_tails(t * math.sqrt(2) * np.exp(u), estimates)
    return min(1.0, float(density @ tails / density.sum()))


@lru_cache(2**8)
def tukey_quantile(estimates: int, freedom: float) -> float:
    """How many standard errors the 95% intervals reach that hold for all differences of ``estimates`` numbers at once.

    >>> round(tukey_quantile(2, 10_000), 3), round(tukey_quantile(5, 10_000), 3)
    (1.96, 2.728)
    """
    low, high = 0.0, 4.0
    while tukey_p(high, estimates, freedom) > MISSED:
        low, high = high, 2 * high
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if tukey_p(middle, estimates, freedom) > MISSED else (low, middle)
    return high


def _range_tails(widths: NDArray[np.float64], estimates: int) -> NDArray[np.float64]:
    """The chance that the range of so many standard normal numbers is above each width.

    The largest is z, and not all others are within the width below it: Phi(z)**m - (Phi(z) - Phi(z - width))**m for m
    others, written so that the smallest chances keep their digits.
    """
    others, density = estimates - 1, np.exp(-_Z * _Z / 2) / math.sqrt(2 * math.pi)
    below, far_below = _phi(_Z), _phi(_Z - widths[:, None])
    missed = -(below**others) * np.expm1(others * np.log1p(-np.minimum(far_below / below, 1 - 1e-16)))
    tails: NDArray[np.float64] = estimates * (missed @ density) * (_Z[1] - _Z[0])
    return tails


def _phi(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """The distribution function of the normal distribution."""
    return np.array([math.erfc(-x / math.sqrt(2)) / 2 for x in z.ravel().tolist()]).reshape(z.shape)
