"""A test that stops as soon as it is decided, as testers of chess engines use: is one of two better, and by how much?

Two of Wald's sequential probability ratio tests at once decide between three answers (Sobel and Wald, 1949): the
mean is 0 against the mean is ``delta``, and 0 against ``-delta``. The variance is unknown, so the generalised
likelihood ratio of the normal distribution stands for the ratio, as in the testing of chess engines.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

STOPPED_WRONG = 0.05
"""How often an interval that holds at any stop may leave the truth out at any of them."""

FIRST_LOOK = 500
"""Trials before the first look, and the least between two: by then the variance is known well enough."""


def looks(trials: int) -> Iterator[int]:
    """After how many trials the test is looked at: every 500, later after about an eighth more, and at the end.

    >>> list(looks(1200)), list(looks(10_000))[-4:]
    ([500, 1000, 1200], [7500, 8000, 9000, 10000])
    """
    at = 0
    while at < trials:
        at += FIRST_LOOK * max(1, at // (8 * FIRST_LOOK))
        yield min(at, trials)


@dataclass(frozen=True)
class Sequential:
    """The test for a mean of 0 against one of ``delta`` either way.

    If the mean is 0, the chance to call it ahead or behind is at most ``alpha``; if it is ``delta`` or more either way,
    the chance not to find the right side is at most ``beta`` (by Ville's inequality, whatever the looks; the variance
    being estimated adds what 500 trials leave uncertain of it). Between 0 and ``delta`` any answer may come.
    """

    delta: float
    alpha: float = 0.05
    beta: float = 0.05

    def verdict(self, n: int, mean: float, mean_square: float) -> str | None:
        """``ahead``, ``behind`` or ``level`` (the mean is nearer to 0 than ``delta``), or None if it is still open.

        >>> Sequential(0.5).verdict(500, 1.0, 10.0), Sequential(0.5).verdict(500, 0.25, 10.0)
        ('ahead', None)
        """
        against = {
            "ahead": log_ratio(n, mean, mean_square, self.delta),
            "behind": log_ratio(n, mean, mean_square, -self.delta),
        }
        for name, ratio in against.items():
            if ratio >= math.log(2 / self.alpha):
                return name
        return "level" if max(against.values()) <= math.log(self.beta) else None


def at_any_stop(trials: int) -> float:
    """How many standard errors an interval reaches that holds whenever one stops, whatever the reason: 95% of the time
    no interval of a run, after however many trials, leaves the truth out.

    The mixture of Robbins ("Statistical methods related to the law of the iterated logarithm", 1970), for a variance
    that is known; narrowest at a thousand trials.

    >>> [round(at_any_stop(trials), 2) for trials in (500, 1000, 100_000)]
    [3.08, 3.04, 3.56]
    """
    early = FIRST_LOOK / 4
    return math.sqrt((1 + early / trials) * math.log((1 + trials / early) / STOPPED_WRONG**2))


def log_ratio(n: int, mean: float, mean_square: float, delta: float) -> float:
    """The logarithm of the generalised likelihood ratio of a normal mean ``delta`` against 0, the variance unknown.

    The likelihood at a mean ``m`` is largest where the variance is the mean square distance from ``m``.
    """
    around_zero, around_delta = mean_square, mean_square - 2 * mean * delta + delta * delta
    if around_delta <= 0:
        return math.inf
    return n / 2 * math.log(around_zero / around_delta) if around_zero > 0 else -math.inf
