"""Runs that stop as soon as they are precise enough or decided: when to look, and intervals that hold at any stop.

Two of Wald's sequential probability ratio tests at once decide between three answers (Sobel and Wald, 1949): the
mean is 0 against the mean is ``delta``, and 0 against ``-delta``. The variance is unknown, so the generalised
likelihood ratio of the normal distribution stands for the ratio, as in the testing of chess engines.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from .estimates import Estimate, Z, stretch

STOPPED_WRONG = 0.05
"""How often an interval that holds at any stop may leave the truth out at any of them."""

FIRST_LOOK = 500
"""Trials before the first look, and the least between two: by then the variance is known well enough."""


def looks(trials: int) -> Iterator[int]:
    """After how many trials a run is looked at: every 500, later after about an eighth more, and at the end.

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


def missed_by(trials: int) -> float:
    """How often an interval of ``at_any_stop`` standard errors leaves out the truth after a fixed number of ``trials``.

    >>> round(missed_by(1000), 4)
    0.0024
    """
    return math.erfc(at_any_stop(trials) / math.sqrt(2))


def widen_for_any_stop(estimate: Estimate, lowest: float = -math.inf, highest: float = math.inf) -> Estimate:
    """An estimate with its interval widened so that it holds at any stop, within the bounds of the quantity.

    >>> round(widen_for_any_stop(Estimate(0.5, 0.01, 0.48, 0.52, 1000), 0, 1).high, 3)
    0.531
    """
    return stretch(estimate, at_any_stop(estimate.n) / Z, lowest, highest) if estimate.n else estimate


def always_valid_p(estimate: Estimate) -> float:
    """The p-value, valid at any stop, of the test that a mean is 0, from an ``estimate`` with its usual interval.

    It is the least level whose interval of Robbins' mixture leaves out 0 (Johari, Koomen, Pekelis and Walsh, "Always
    valid inference", 2022). With z the distance from 0 in standard errors of the interval and e a quarter of the first
    look, ``at_any_stop`` is solved for the level: ``sqrt(1 + n / e) * exp(-z**2 / (2 * (1 + e / n)))``.

    >>> round(always_valid_p(Estimate(0.31, 0.1, 0.114, 0.506, 1000)), 3)
    0.042
    """
    reach = estimate.value - (estimate.low if estimate.value > 0 else estimate.high)
    if not estimate.value:
        return 1.0
    early, z = FIRST_LOOK / 4, Z * estimate.value / reach if reach else math.inf
    return min(1.0, math.sqrt(1 + estimate.n / early) * math.exp(-z * z / (2 * (1 + early / estimate.n))))


def trials_required(half_width: float, std_error: float, done: int, precision: float) -> float:
    """How many trials a precision requires at least, which is no more than those ``done`` if it is reached.

    ``half_width`` and ``std_error`` are the largest of the numbers that must be so precise. The sum of squared
    deviations from a mean never becomes smaller with more trials, so no standard error falls faster than 1/n. Intervals
    that hold at any stop reach three standard errors or more, 1.5 on average where a bound cuts one side off; so
    before a standard error can be as small as the precision, no interval is.

    >>> trials_required(0.03, 0.01, 1000, 0.03), trials_required(3.1, 1.0, 1000, 0.01)
    (1000, 100000.0)
    """
    if half_width <= precision:
        return done
    return max(done + 1, done * std_error / precision) if math.isfinite(std_error) else done + 1


def log_ratio(n: int, mean: float, mean_square: float, delta: float) -> float:
    """The logarithm of the generalised likelihood ratio of a normal mean ``delta`` against 0, the variance unknown.

    The likelihood at a mean ``m`` is largest where the variance is the mean square distance from ``m``.
    """
    around_zero, around_delta = mean_square, mean_square - 2 * mean * delta + delta * delta
    if around_delta <= 0:
        return math.inf
    return n / 2 * math.log(around_zero / around_delta) if around_zero > 0 else -math.inf
