"""Who is best: a ranking by least squares over all pairings, and how certain it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .duplicate import margins
from .tournament_plan import Played

RESAMPLES = 10_000


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


def resampled(ranking: Ranking, resamples: int = RESAMPLES) -> NDArray[np.float64]:
    """Strengths as they might have come out, float64[resamples, policies]: normal draws of a fixed seed."""
    values, vectors = np.linalg.eigh(ranking.covariance)
    draws = np.random.default_rng(0).standard_normal((resamples, len(values)))
    strengths: NDArray[np.float64] = ranking.strengths + draws @ (vectors * np.sqrt(np.maximum(values, 0))).T
    return strengths
