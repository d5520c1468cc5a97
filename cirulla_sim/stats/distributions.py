"""Tails of the binomial, of Student's distribution and of the studentized range."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache
from operator import mul
from typing import NamedTuple

MISSED = 0.05
"""How often a 95% interval may miss the truth."""

_FINE = 1e-14


def incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22).

    >>> round(256 * incomplete_beta(0.25, 2, 3))  # of four with a chance of 1/4 each two or more come: 67 in 256
    67
    """
    if not 0 < x < 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # beyond its middle the fraction converges slowly
        return 1 - incomplete_beta(1 - x, b, a)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(front) / a * _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction, from its front on (the modified method of Lentz, 1976)."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value, m = d, 0
    while True:
        m += 1
        last, at = value, a + 2 * m
        term = m * (b - m) * x / ((at - 1) * at)
        d, c = 1 / (1 + term * d), 1 + term / c
        value *= c * d
        term = -(a + m) * (a + b + m) * x / (at * (at + 1))
        d, c = 1 / (1 + term * d), 1 + term / c
        value *= c * d
        if abs(value - last) <= _FINE * abs(value):
            return value


def binomial_tail(count: int, n: int, p: float) -> float:
    """The chance of ``count`` or fewer of ``n`` (DLMF 8.17.5).

    >>> round(256 * binomial_tail(1, 4, 0.25))
    189
    """
    return 1.0 if count >= n else 0.0 if count < 0 else incomplete_beta(1 - p, n - count, count + 1)


@lru_cache(2**10)
def quantile_ranks(n: int, share: float, missed: float = MISSED) -> tuple[int, int] | None:
    """The ranks from 1 of the two of ``n`` sorted numbers between which a quantile is in 95 of 100 samples or more.

    Either end misses it with half of ``missed`` at most (distribution-free, by the binomial). None where the sample is
    too small: then the interval would end beyond the least or the largest number.

    >>> quantile_ranks(20, 0.5), quantile_ranks(71, 0.05), quantile_ranks(72, 0.05)
    ((6, 15), None, (1, 9))
    """
    low = bisect_right(range(n), missed / 2, key=lambda count: binomial_tail(count, n, share))
    high = bisect_left(range(n), 1 - missed / 2, key=lambda count: binomial_tail(count, n, share)) + 1
    return None if low < 1 or high > n else (low, high)


def least_for_quantile(share: float, missed: float = MISSED) -> int:
    """How many numbers ``quantile_ranks`` requires."""
    return math.ceil(math.log(missed / 2) / math.log(max(share, 1 - share)))


def student_tail(t: float, freedom: float) -> float:
    """The two-sided tail probability of Student's t (Abramowitz and Stegun 26.7.1).

    >>> round(student_tail(2.093, 19), 3)
    0.05
    """
    return incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5)


def mid_p(count: float, n: float, missed: float = MISSED) -> tuple[float, float]:
    """The mid-P interval of a proportion, ``count`` of ``n``, which misses the truth with the chance ``missed``.

    Clopper and Pearson's exact interval (1934) covers the truth too often where counts are small; with half of the
    probability of the count itself in either tail (Lancaster's mid-P, 1961) it covers it about as often as it says.
    Counts that are not whole use the beta distribution that gives the binomial's tails.

    >>> [round(end, 4) for end in mid_p(0, 100)]
    [0.0, 0.0295]
    """
    return mid_p_low(count, n, missed), mid_p_high(count, n, missed)


@lru_cache(2**14)  # a table has few values of n, each many times
def mid_p_low(count: float, n: float, missed: float = MISSED) -> float:
    """The lower end of ``mid_p``."""
    return _chance_of_tail(count, n, missed / 2) if count > 0 else 0.0


@lru_cache(2**14)
def mid_p_high(count: float, n: float, missed: float = MISSED) -> float:
    """The upper end of ``mid_p``."""
    return _chance_of_tail(count, n, 1 - missed / 2) if count < n else 1.0


@lru_cache(2**12)
def low_if_seen(count: float, n: float) -> float:
    """The lower end of the mid-P interval of a proportion that is shown only because ``count``, of ``n``, is not 0.

    The distribution of the count is the binomial without 0. One count says that much of any small chance: its end is 0.

    >>> low_if_seen(1, 100), round(low_if_seen(3, 100), 4), round(mid_p(3, 100)[0], 4)
    (0.0, 0.0056, 0.0077)
    """
    if count <= 1:
        return 0.0
    low, high = 0.0, mid_p(count, n)[0]
    while high - low > 1e-6 * high and high:
        p = (low + high) / 2
        above = incomplete_beta(p, count + 1, n - count) if count < n else 0.0
        just_or_above = incomplete_beta(p, count, n - count + 1)
        seen = -math.expm1(n * math.log1p(-p))
        low, high = (p, high) if (above + just_or_above) / 2 < MISSED / 2 * seen else (low, p)
    return high


def _chance_of_tail(count: float, n: float, tail: float) -> float:
    """The chance p at which more than ``count`` of ``n``, and half of just as many, have the probability ``tail``.

    Newton's method, kept within ends between which the answer is.
    """
    if count <= 0:
        return -math.expm1(math.log(2 * (1 - tail)) / n)
    if count >= n:
        return math.exp(math.log(2 * tail) / n)
    logarithm = math.lgamma(n + 1) - math.lgamma(count + 1) - math.lgamma(n - count + 1)
    low, high, p = 0.0, 1.0, count / n
    for _ in range(100):
        just = math.exp(logarithm + count * math.log(p) + (n - count) * math.log1p(-p))
        chance = incomplete_beta(p, count, n - count + 1) - just / 2
        low, high = (p, high) if chance < tail else (low, p)
        slope = just / 2 * (count / p + (n - count) / (1 - p))
        step = (tail - chance) / slope if slope else math.inf
        last, p = p, p + step
        if not low < p < high:
            p = (low + high) / 2 if low else high / 4
        if abs(p - last) <= 1e-10 * p:
            break
    return p


# ------------------------------------------------------------------------------------------------ rare events

FEW = 1000
"""With so many numbers other than 0, or half of all if that is less, Student's interval serves as well."""


class PartialSums(NamedTuple):
    """The sum of numbers that are 0 or more over the trials, and the sum of their squares."""

    total: float
    squares: float


LEAST_P = 1e-12
"""Smaller p-values are not computed."""

Z, _LARGEST_Z = 1.959963984540054, 7.130506
"""The normal quantiles of the two-sided chances ``MISSED`` and ``LEAST_P``, of which the former makes a 95% interval.

For the thousands of hands of most runs Student's quantile is the same; ``student`` gives that of small ones."""

_STEPS, _EXACT = 20, 1e-6
"""Steps of the search for a p-value at most, of which four are usual, and the error of its normal quantile."""


@dataclass(frozen=True)
class RareMean:
    """The mean of ``up`` less ``down``, numbers of ``n`` trials that are mostly 0; see ``rare_mean``."""

    up: PartialSums
    down: PartialSums | None
    n: int
    size: float
    """Of the numbers of a part that has none."""
    stretch: float
    """How much wider the far end of a part is, for sizes that were not seen."""
    correlation: float
    """Of the two means, with its sign turned."""

    def reach(self, missed: float = MISSED) -> tuple[float, float]:
        """How far the interval that misses the mean with the chance ``missed`` reaches down and up."""
        return self._down(self.up, self.down, missed), self._up(missed)

    def p_value(self, value: float, scale: float = 1.0) -> float:
        """The least chance to miss with which ``scale`` times the interval, about ``value``, leaves out 0.

        At least ``LEAST_P``. Reach is nearly proportional to the normal quantile of the chance, so that is searched, by
        the Illinois variant of regula falsi (Dowell and Jarratt, 1971). What the 95% interval leaves out has a p-value
        below 5%, and what it holds one above.
        """
        if value == 0:
            return 1.0

        def towards(missed: float) -> float:
            return scale * (self._down(self.up, self.down, missed) if value > 0 else self._up(missed))

        def beyond(z: float) -> float:
            return towards(math.erfc(z / math.sqrt(2))) / abs(value) - 1

        usual = towards(MISSED)
        left_out = usual < abs(value)
        low, at_low, high, at_high = 0.0, -1.0, Z, usual / abs(value) - 1
        while at_high < 0:
            if high == _LARGEST_Z:
                return LEAST_P
            low, at_low = high, at_high
            high = min(_LARGEST_Z, 1.05 * low / (1 + at_low))  # a little more than in proportion
            at_high = beyond(high)
        z, last = high, 0
        for _ in range(_STEPS):
            before, z = z, (low * at_high - high * at_low) / (at_high - at_low)
            if abs(z - before) < _EXACT:
                break
            if (at := beyond(z)) < 0:
                low, at_low, at_high, last = z, at, at_high / (2 if last < 0 else 1), -1
            else:
                high, at_high, at_low, last = z, at, at_low / (2 if last > 0 else 1), 1
        return beside_level(math.erfc(z / math.sqrt(2)), left_out)

    def _up(self, missed: float) -> float:
        return self._above(self.up, missed) if self.down is None else self._down(self.down, self.up, missed)

    def _down(self, up: PartialSums, down: PartialSums | None, missed: float) -> float:
        """How far the interval of the mean of ``up`` less ``down`` reaches down."""
        mean, size = up.total / self.n, self._size(up)
        low = mean - size * mid_p_low(up.total / size if size else 0.0, self.n, missed)
        if down is None:
            return low
        x, y = low, self._above(down, missed)
        return math.sqrt(x * x + y * y + 2 * self.correlation * x * y)

    def _above(self, part: PartialSums, missed: float) -> float:
        """How far the interval of a part's mean reaches up."""
        size = self._size(part)
        high = mid_p_high(part.total / size if size else 0.0, self.n, missed)
        return self.stretch * (size * high - part.total / self.n)

    def _size(self, part: PartialSums) -> float:
        return part.squares / part.total if part.squares else self.size


def rare_mean(
    up: PartialSums, down: PartialSums | None, n: int, largest: float, together: bool = True
) -> RareMean | None:
    """The mean of ``up`` less ``down``, which is none of the rare ones where None.

    A number with mean m and mean square s has both in common with one that is ``size = s / m`` with the chance
    ``p = m / size`` and else 0, so n trials are taken as n * p of size ``size`` and the rest 0, with the exact interval
    of their chance. The numbers above 0 and below have an interval each, combined as Zou and Donner do ("Construction
    of confidence limits about effect measures: a general approach", 2008; MOVER). ``together`` tells that both come
    from the same trials, of which each has one or neither; without ``down`` no number can be below 0.

    Few sizes say little of the largest. So the upper side is widened as if there were another number of the size of
    those seen; a direction without numbers gets their size; and with no number at all the size is ``largest``, the
    largest there can be. Where that is 1, all sizes are 1.
    """
    parts = (up,) if down is None else (up, down)
    total, squares = (math.fsum(column) for column in zip(*parts, strict=True))
    seen = total * total / squares if squares else 0.0
    if n < 2 or seen > min(FEW, n / 2):
        return None
    size = squares / total if squares else largest
    stretch, correlation = math.sqrt(1 + 1 / seen) if seen and largest > 1 else 1.0, 0.0
    if together and down is not None:  # no trial has both
        variances = [part.squares / n - (part.total / n) ** 2 for part in (up, down)]
        if min(variances) > 0:
            correlation = up.total * down.total / n**2 / math.sqrt(math.prod(variances))
    return RareMean(up, down, n, size, stretch, correlation)


def beside_level(p: float, left_out: bool) -> float:
    """A p-value, at the side of 5% that it has by whether the 95% interval leaves out 0, whatever the rounding."""
    return min(p, math.nextafter(MISSED, 0)) if left_out else max(p, math.nextafter(MISSED, 1))


_STEP = 1 / 4
_NORMAL = [(z, math.erfc(-z / math.sqrt(2)) / 2, math.exp(-z * z / 2) / math.sqrt(2 * math.pi))
           for z in (step * _STEP for step in range(-36, 37))]  # fmt: skip
"""The normal distribution's function and density at the places of an integral over a normal variable.

Of so smooth a function the trapezoid sum has 12 digits.
"""

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
    far, below = math.sqrt(40 / freedom), 40 / freedom
    spreads = [(2 * far + below) * step / (_SPREADS - 1) - far - below for step in range(_SPREADS)]
    density = [math.exp(freedom * (u - math.expm1(2 * u) / 2)) for u in spreads]
    tails = [_range_tail(t * math.sqrt(2) * math.exp(u), estimates) for u in spreads]
    return min(1.0, math.fsum(map(mul, density, tails)) / math.fsum(density))


@lru_cache(2**8)
def tukey_quantile(estimates: int, freedom: float) -> float:
    """How many standard errors the 95% intervals reach that hold for all differences of ``estimates`` numbers at once.

    >>> round(tukey_quantile(2, 10_000), 3), round(tukey_quantile(5, 10_000), 3)
    (1.96, 2.728)
    """

    def above(t: float) -> float:  # nearly linear, so a few steps along secants are enough
        return math.sqrt(-math.log(tukey_p(t, estimates, freedom))) - math.sqrt(-math.log(MISSED))

    last, t = 2.0, 3.0
    before, now = above(last), above(t)
    while abs(t - last) > 1e-9 * t and now != before:
        last, t = t, t - now * (t - last) / (now - before)
        before, now = now, above(t)
    return t


def _range_tail(width: float, estimates: int) -> float:
    """The chance that the range of so many standard normal numbers is above a width.

    The largest is z, and not all others are within the width below it: Phi(z)**m - (Phi(z) - Phi(z - width))**m for m
    others, written so that the smallest chances keep their digits.
    """
    others = estimates - 1
    missed = (
        -density
        * below**others
        * math.expm1(others * math.log1p(-min(math.erfc((width - z) / math.sqrt(2)) / 2 / below, 1 - 1e-16)))
        for z, below, density in _NORMAL
    )
    return estimates * math.fsum(missed) * _STEP
