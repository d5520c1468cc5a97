"""Intervals for means of numbers, and of differences, that are mostly 0.

Student's interval requires sums that are nearly normal. A small run sees few or no hands that a rule changes in one
hand of a thousand, and then they are not: with none the interval would have no width. Here the mean is the chance that
a number is not 0 times the size of such numbers, and the chance has an exact interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from .tails import MISSED, mid_p_high, mid_p_low

FEW = 1000
"""With so many numbers other than 0, or half of all if that is less, Student's interval serves as well."""


class Part(NamedTuple):
    """The sum of numbers that are 0 or more over the trials, and the sum of their squares."""

    total: float
    squares: float


LEAST_P = 1e-12
"""Smaller p-values are not computed."""

_Z, _LARGEST_Z = 1.959963984540054, 7.130506
"""The normal quantiles of the two-sided chances ``MISSED`` and ``LEAST_P``."""

_STEPS, _EXACT = 20, 1e-6
"""Steps of the search for a p-value at most, of which four are usual, and the error of its normal quantile."""


@dataclass(frozen=True)
class RareMean:
    """The mean of ``up`` less ``down``, numbers of ``n`` trials that are mostly 0; see ``rare_mean``."""

    up: Part
    down: Part | None
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
        low, at_low, high, at_high = 0.0, -1.0, _Z, usual / abs(value) - 1
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

    def _down(self, up: Part, down: Part | None, missed: float) -> float:
        """How far the interval of the mean of ``up`` less ``down`` reaches down."""
        mean, size = up.total / self.n, self._size(up)
        low = mean - size * mid_p_low(up.total / size if size else 0.0, self.n, missed)
        if down is None:
            return low
        x, y = low, self._above(down, missed)
        return math.sqrt(x * x + y * y + 2 * self.correlation * x * y)

    def _above(self, part: Part, missed: float) -> float:
        """How far the interval of a part's mean reaches up."""
        size = self._size(part)
        high = mid_p_high(part.total / size if size else 0.0, self.n, missed)
        return self.stretch * (size * high - part.total / self.n)

    def _size(self, part: Part) -> float:
        return part.squares / part.total if part.squares else self.size


def rare_mean(up: Part, down: Part | None, n: int, largest: float, together: bool = True) -> RareMean | None:
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
    total, squares = (sum(column) for column in zip(*parts, strict=True))
    seen = total * total / squares if squares else 0.0
    if n < 2 or seen > min(FEW, n / 2):
        return None
    size = squares / total if squares else largest
    stretch = math.sqrt(1 + 1 / seen) if seen and largest > 1 else 1.0
    return RareMean(up, down, n, size, stretch, _correlation(up, down, n) if together and down is not None else 0.0)


def beside_level(p: float, left_out: bool) -> float:
    """A p-value, at the side of 5% that it has by whether the 95% interval leaves out 0, whatever the rounding."""
    return min(p, math.nextafter(MISSED, 0)) if left_out else max(p, math.nextafter(MISSED, 1))


def _correlation(up: Part, down: Part, n: int) -> float:
    """The correlation of the two means with its sign turned, where no trial has both."""
    variances = [part.squares / n - (part.total / n) ** 2 for part in (up, down)]
    return up.total * down.total / n**2 / math.sqrt(math.prod(variances)) if min(variances) > 0 else 0.0
