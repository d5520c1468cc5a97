"""Intervals for means of numbers, and of differences, that are mostly 0.

Student's interval requires sums that are nearly normal. A small run sees few or no hands that a rule changes in one
hand of a thousand, and then they are not: with none the interval would have no width. Here the mean is the chance that
a number is not 0 times the size of such numbers, and the chance has an exact interval.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from .tails import mid_p

FEW = 1000
"""With so many numbers other than 0, or half of all if that is less, Student's interval serves as well."""


class Part(NamedTuple):
    """The sum of numbers that are 0 or more over the trials, and the sum of their squares."""

    total: float
    squares: float


def reach(
    up: Part, down: Part | None, n: int, largest: float, together: bool = True
) -> tuple[float, float] | None:  # fmt: skip
    """How far the interval of the mean of ``up`` less ``down`` reaches down and up; None where they are common.

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
    ends = [_ends(part, n, size, stretch) for part in parts]
    if down is None:
        return ends[0]
    (up_below, up_above), (down_below, down_above) = ends
    shared = _correlation(up, down, n) if together else 0.0
    return _joined(up_below, down_above, shared), _joined(up_above, down_below, shared)


def _ends(part: Part, n: int, size: float, stretch: float) -> tuple[float, float]:
    """How far the interval of a part's mean reaches down and up; ``size`` is its size if it has no numbers."""
    mean = part.total / n
    size = part.squares / part.total if part.squares else size
    low, high = mid_p(part.total / size if size else 0.0, n)
    return mean - size * low, stretch * (size * high - mean)


def _correlation(up: Part, down: Part, n: int) -> float:
    """The correlation of the two means with its sign turned, where no trial has both."""
    variances = [part.squares / n - (part.total / n) ** 2 for part in (up, down)]
    return up.total * down.total / n**2 / math.sqrt(math.prod(variances)) if min(variances) > 0 else 0.0


def _joined(x: float, y: float, correlation: float) -> float:
    return math.sqrt(x * x + y * y + 2 * correlation * x * y)
