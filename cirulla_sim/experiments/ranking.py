"""Who is best: a ranking by least squares over all pairings, and which policies differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..stats.estimates import Estimate
from ..stats.studentized_range import tukey_p, tukey_quantile
from .duplicate import margins
from .tournament_plan import Played


@dataclass(frozen=True)
class Ranking:
    """One strength for each policy, in points a hand, mean zero; ``covariance`` is that of the strengths."""

    strengths: NDArray[np.float64]
    covariance: NDArray[np.float64]

    @property
    def order(self) -> list[int]:
        """The policies' places in the list, strongest first."""
        return [int(place) for place in np.argsort(-self.strengths, kind="stable")]


def rank(policies: Sequence[str], played: Played) -> Ranking:
    """The strengths that fit all margins best, by least squares: each policy's mean margin over all, itself included.

    Pairings share their deals, so their margins are correlated; the covariance of two is taken over the deals that both
    have. A pairing counts as much as any other, however many deals it has.
    """
    pairs = list(played.scores)
    measured = [margins(scores) for scores in played.scores.values()]
    count = np.array([len(numbers) for numbers, _ in measured])
    means = np.array([int(numbers.sum()) / len(numbers) * unit for numbers, unit in measured])
    covariance = np.array([[_covariance(x, y) * unit**2 for y, _ in measured] for x, unit in measured])
    covariance /= np.maximum(count[:, None], count[None, :])
    design = np.zeros((len(policies), len(pairs)))
    for number, (policy, opponent) in enumerate(pairs):
        design[policies.index(policy), number], design[policies.index(opponent), number] = 1, -1
    design /= len(policies)
    return Ranking(design @ means, design @ covariance @ design.T)


def _covariance(x: NDArray[np.int64], y: NDArray[np.int64]) -> float:
    """The covariance of two numbers of a deal over the deals that have both, from whole sums."""
    n = min(len(x), len(y))
    x, y = x[:n], y[:n]
    return (n * int(x @ y) - int(x.sum()) * int(y.sum())) / (n * (n - 1))


class Gap(NamedTuple):
    """How much stronger one policy is than another, by their places in the list of policies.

    The intervals of all gaps hold at once, 95% of the time; ``p`` is at most 5% where the interval leaves out 0.
    """

    stronger: int
    weaker: int
    estimate: Estimate
    p: float


def gaps(ranking: Ranking, deals: int, wider: float = 1.0) -> Iterator[Gap]:
    """The gaps between all strengths, from the strongest policy on, by the method of Tukey and Kramer.

    The standard errors are from ``deals`` deals or more; intervals are ``wider`` times as wide.
    """
    count = len(ranking.strengths)
    reach = wider * tukey_quantile(count, deals - 1)
    for one, other in combinations(ranking.order, 2):
        value = float(ranking.strengths[one] - ranking.strengths[other])
        contrast = np.zeros(count)
        contrast[one], contrast[other] = 1, -1
        error = math.sqrt(max(0.0, float(contrast @ ranking.covariance @ contrast)))
        errors_apart = value / error if error else math.inf if value else 0.0
        estimate = Estimate(value, error, value - reach * error, value + reach * error, deals)
        yield Gap(one, other, estimate, tukey_p(errors_apart / wider, count, deals - 1))
