"""Rollouts: every legal play of a situation played out on the same deals of the unseen cards, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.chunks import playing
from ..engine.engines import WITH_ROWS, Folded
from ..engine.policies import USUAL
from ..engine.rest_of_hand import memory_of
from ..engine.trials import Experiment, Numbers
from ..experiments.runner import Execution
from ..situation.information_set import InformationSet
from ..stats.estimates import Estimate, proportion, student

Points = NDArray[np.int16]
"""int16[samples, plays, 11]: points of each side at the end of the hand; who won the game outright, 1 + side, or 0;
whether the next player of the stage held a card that sweeps; who made each of ``kernel.entries.playouts.ENDS``."""

Win = NDArray[np.float64]
"""float64[2, S, S]: see ``expectancy.Expectancy.chances``."""

OnGrowth = Callable[[list[Points], int], None]
"""Called with the parts of the samples so far and the number of samples that count; the list grows later."""

CHUNK = 64


@dataclass(frozen=True, eq=False)
class Rollouts:
    """A situation to be played out on numbered deals of a seed.

    ``policies`` is one for all sides or one a side, the dealer's last. The deals depend on the seed and their numbers
    alone. Raises ``InputError`` as ``Experiment`` does.
    """

    now: InformationSet
    policies: tuple[str, ...] = (USUAL,)
    seed: int = 1

    def __post_init__(self) -> None:
        _ = self.experiment

    @cached_property
    def experiment(self) -> Experiment:
        return Experiment(self.now.rules, self.policies, 1, self.seed, constraints=self.now.constraints)

    @property
    def none(self) -> Points:
        """The points of no samples."""
        from ..kernel.entries.playouts_entry import POINTS

        return np.zeros((0, len(self.now.plays()), POINTS), np.int16)

    def play(self, first: int, samples: int) -> Points:
        """The points that every legal play leads to, on the deals from number ``first`` on."""
        from ..kernel.entries.playouts_entry import POINTS, run_playouts

        plays = np.array(self.now.plays(), np.uint64)
        points = np.zeros((samples, len(plays), POINTS), np.int16)
        with playing(self.experiment, first, samples) as (flat, codes, streams, work):
            run_playouts(flat, codes, streams, memory_of(self.now), plays, work, points)
        return points

    def extend(
        self, points: Points, samples: int, execution: Execution, on_growth: OnGrowth | None = None
    ) -> tuple[Points, str]:
        """Continue after ``points`` until there are ``samples``; returns all, and ``samples`` or ``interrupted``."""
        parts, deals = [points], Numbers(samples, unit="samples", chunk=CHUNK * WITH_ROWS)
        start = Folded(np.zeros(0, np.int64), len(points), "interrupted")
        report = None if on_growth is None else lambda folded: on_growth(parts, folded.done)
        folded = execution.fold(deals, partial(_chunk, self), start, report, keep=parts.append)
        return np.concatenate(parts), folded.stopped


def _chunk(rollouts: Rollouts, first: int, samples: int) -> tuple[NDArray[np.int64], Points]:
    return np.zeros(0, np.int64), rollouts.play(first, samples)


def margins_of(points: NDArray[Any]) -> NDArray[np.float64]:
    """The points of each side, the last axis, less the mean of the others': float64 of the same shape."""
    sides, numbers = points.shape[-1], points.astype(np.float64)
    return np.asarray((numbers * sides - numbers.sum(axis=-1, keepdims=True)) / (sides - 1))


def margins(now: InformationSet, points: NDArray[Any]) -> NDArray[np.float64]:
    """float64[samples, plays]: the margin of your own side."""
    return margins_of(points[:, :, : now.rules.sides])[:, :, now.side]


def ends(now: InformationSet, points: NDArray[Any], play: int) -> dict[str, Estimate]:
    """How often your own side makes cards, diamonds, ... after a play, a place among the legal ones: by name."""
    from ..kernel.entries.playouts_entry import ENDS, FIRST_END

    mine = (points[:, play, FIRST_END:] == now.side + 1).sum(axis=0).tolist()
    return {name: proportion(number, len(points)) for name, number in zip(ENDS, mine, strict=True)}


def sweeps(points: NDArray[Any], play: int) -> Estimate:
    """How often the next player held a card that sweeps what a play leaves, a place among the legal ones."""
    from ..kernel.entries.playouts_entry import SWEPT

    return proportion(int(points[:, play, SWEPT].sum()), len(points))


def chances(now: InformationSet, points: NDArray[Any], score: tuple[int, int], table: Win) -> NDArray[np.float64]:
    """float64[samples, plays]: the chance to win the game from where a hand leaves it, ours first in ``score``.

    The first player of this hand deals the next.
    """
    us, most = now.side, table.shape[1] - 1
    ours = np.minimum(score[0] + points[:, :, us].astype(int), most)
    theirs = np.minimum(score[1] + points[:, :, 1 - us].astype(int), most)
    chance = table[0 if us == 0 else 1, ours, theirs]
    outright = points[:, :, 4]
    return np.asarray(np.where(outright > 0, outright == us + 1, chance))


def estimate(values: NDArray[np.float64], low: float = -np.inf, high: float = np.inf) -> Estimate:
    """The mean of independent numbers with Student's interval, within bounds; a single number is exact."""
    n = len(values)
    if n == 1:
        return Estimate(float(values[0]), 0.0, float(values[0]), float(values[0]), 0)
    value, error = float(values.mean()), float(values.std(ddof=1) / np.sqrt(n))
    half = student(n - 1) * error
    return Estimate(value, error, max(low, value - half), min(high, value + half), n)
