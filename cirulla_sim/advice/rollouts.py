"""Rollouts: every choice of a turn played out on the same deals of the unseen cards, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..engine.chunks import playing
from ..engine.engines import WITH_ROWS, Folded
from ..engine.hand_in_play import memory_of
from ..engine.policies import USUAL
from ..engine.trials import Experiment, Numbers, shares
from ..experiments.runner import Execution
from ..situation.information_set import Choice, InformationSet
from ..situation.line_up import LineUp
from ..stats.estimates import Estimate, of_equal, proportion, student

Points = NDArray[np.int16]
"""int16[samples, choices, 11]: points of each side at the end of the hand; who won the game outright, 1 + side, or 0;
whether the next player of the stage held a card that sweeps; who made each of ``values.ENDS``."""

Win = NDArray[np.float64]
"""float64[2, S, S]: see ``expectancy.Expectancy.chances``."""

OnGrowth = Callable[[list[Points], int], None]
"""Called with the parts of the samples so far and the number of samples that count; the list grows later."""

CHUNK = 64

WON, FIRST_END = 4, 6
"""Columns: who won the game outright, and the first of ``ENDS``."""

UNUSED = 1 << 40
"""The number of a deal that is no sample of anything else."""


MANY, JUDGED = 60, 30
"""With more choices than ``MANY`` all are tried on a few deals, and only the best ``KEPT`` are judged."""

TRIED, LEAST = 8_000, 8
"""Playouts of such a first look, all choices together, and its least number of deals."""


@dataclass(frozen=True, eq=False)
class Rollouts:
    """A turn to be played out on numbered deals of a seed.

    ``policies`` is one for all sides or one a side, the dealer's last; they decide at their turns what they show. The
    deals depend on the seed and their numbers alone. A choice that was ``made`` is judged in any case. Raises
    ``InputError`` as ``Experiment`` does.
    """

    now: InformationSet
    policies: tuple[str, ...] = (USUAL,)
    seed: int = 1
    chosen: Choice | None = None

    def __post_init__(self) -> None:
        _ = self.experiment

    @cached_property
    def experiment(self) -> Experiment:
        return Experiment(self.now.rules, self.policies, 1, self.seed, constraints=self.now.constraints)

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The choices judged, in the order in which they are listed; they depend on the seed alone."""
        listed = self.now.choices()
        if self.chosen is not None and self.chosen not in listed:
            listed = (*listed, self.chosen)
        if len(listed) <= MANY:
            return listed
        points = self.on_deals(listed, UNUSED, max(LEAST, TRIED // len(listed)))
        best = np.argsort(-margins(self.now, points).mean(axis=0), kind="stable")[:JUDGED].tolist()
        return tuple(choice for place, choice in enumerate(listed) if place in best or choice == self.chosen)

    @property
    def none(self) -> Points:
        """The points of no samples."""
        from ..kernel.entries.values import POINTS

        return np.zeros((0, len(self.choices), POINTS), np.int16)

    def play(self, first: int, samples: int) -> Points:
        """The points that every choice judged leads to, on the deals from number ``first`` on."""
        return self.on_deals(self.choices, first, samples)

    def on_deals(self, choices: tuple[Choice, ...], first: int, samples: int) -> Points:
        """The points that some choices lead to, on the deals from number ``first`` on."""
        from ..kernel.entries.values import POINTS, run_playouts

        points = np.zeros((samples, len(choices), POINTS), np.int16)
        shows, plays = np.zeros((len(choices), 3), np.uint64), np.array([play for _, play in choices], np.uint64)
        for row, (show, _) in zip(shows, choices, strict=True):
            row[: len(show)] = show
        with playing(self.experiment, first, samples, in_turn=True) as (flat, codes, streams, work):
            run_playouts(flat, codes, streams, memory_of(self.now), shows, plays, work, points)
        return points

    def extend(
        self: Rollouts | RolloutsOfSeats,
        points: Points,
        samples: int,
        execution: Execution,
        on_growth: OnGrowth | None = None,
    ) -> tuple[Points, str]:
        """Continue after ``points`` until there are ``samples``; returns all, and ``samples`` or ``interrupted``."""
        _ = self.choices  # before threads ask for them
        parts, deals = [points], Numbers(samples, unit="samples", chunk=CHUNK * WITH_ROWS)
        start = Folded(np.zeros(0, np.int64), len(points), "interrupted")
        report = None if on_growth is None else lambda folded: on_growth(parts, folded.done)
        folded = execution.fold(deals, partial(_chunk, self), start, report, keep=parts.append)
        return np.concatenate(parts), folded.stopped


@dataclass(frozen=True, eq=False)
class RolloutsOfSeats:
    """The rollouts of a turn of which it is not known where its player sits: of each seat in turn, sample by sample.

    Sides are numbered in all of them as at the first of the ``seats``. Raises ``InputError`` as ``Experiment`` does,
    and where it depends on the seat what may be played.
    """

    seats: tuple[InformationSet, ...]
    line_up: LineUp
    seed: int = 1

    def __post_init__(self) -> None:
        for choices in self._listed:
            if list(map(_alike, choices)) != list(map(_alike, self._listed[0])):
                raise InputError("--at: what you may play depends on where you sit (add --me, as --me dealer)")

    @cached_property
    def each(self) -> tuple[Rollouts, ...]:
        """The rollouts of each seat by itself."""
        rules = self.seats[0].rules
        return tuple(Rollouts(now, self.line_up.by_side(rules, now.side), self.seed) for now in self.seats)

    @cached_property
    def _listed(self) -> list[tuple[Choice, ...]]:
        return [now.choices() for now in self.seats]

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The choices judged, as the first seat has them."""
        return self.each[0].choices

    @property
    def none(self) -> Points:
        """The points of no samples."""
        return self.each[0].none

    def play(self, first: int, samples: int) -> Points:
        """The points that every choice judged leads to, on the deals from number ``first`` on."""
        if len(self.each) == 1:
            return self.each[0].play(first, samples)
        points = np.zeros((samples, *self.none.shape[1:]), np.int16)
        judged = [self._listed[0].index(choice) for choice in self.choices]
        several = zip(self.each, self._listed, shares(first, samples, len(self.each)), strict=True)
        for place, (rollouts, listed, (begins, number)) in enumerate(several):
            if number:
                played = rollouts.on_deals(tuple(listed[k] for k in judged), begins, number)
                points[(place - first) % len(self.each) :: len(self.each)] = self._renumbered(played, rollouts.now.side)
        return points

    def _renumbered(self, points: Points, own: int) -> Points:
        """The points of a seat of side ``own`` with the sides numbered as at the first seat."""
        sides, by = self.seats[0].rules.sides, self.seats[0].side - own
        renumbered = points.copy()
        renumbered[:, :, :sides] = np.roll(points[:, :, :sides], by, axis=2)
        for column in (WON, *range(FIRST_END, points.shape[2])):
            side = points[:, :, column]
            renumbered[:, :, column] = np.where(side > 0, (side - 1 + by) % sides + 1, 0)
        return renumbered

    extend = Rollouts.extend


def _alike(choice: Choice) -> tuple[tuple[int, ...], int]:
    """A choice without whether its play scores a sweep, which depends on whether it is the last of the hand."""
    return choice.show, choice.play & ~(1 << 50)


def _chunk(rollouts: Rollouts | RolloutsOfSeats, first: int, samples: int) -> tuple[NDArray[np.int64], Points]:
    return np.zeros(0, np.int64), rollouts.play(first, samples)


def margins_of(points: NDArray[Any]) -> NDArray[np.float64]:
    """The points of each side, the last axis, less the mean of the others': float64 of the same shape."""
    sides, numbers = points.shape[-1], points.astype(np.float64)
    return np.asarray((numbers * sides - numbers.sum(axis=-1, keepdims=True)) / (sides - 1))


def margins(now: InformationSet, points: NDArray[Any]) -> NDArray[np.float64]:
    """float64[samples, choices]: the margin of your own side."""
    return margins_of(points[:, :, : now.rules.sides])[:, :, now.side]


def ends(now: InformationSet, points: NDArray[Any], choice: int) -> dict[str, Estimate]:
    """How often your own side makes cards, diamonds, ... after a choice, given by its place: by name."""
    from ..kernel.entries.values import ENDS

    mine = (points[:, choice, FIRST_END:] == now.side + 1).sum(axis=0).tolist()
    return {name: proportion(number, len(points)) for name, number in zip(ENDS, mine, strict=True)}


def sweeps(points: NDArray[Any], choice: int) -> Estimate:
    """How often the next player held a card that sweeps what a choice, given by its place, leaves."""
    from ..kernel.entries.values import SWEPT

    return proportion(int(points[:, choice, SWEPT].sum()), len(points))


def chances(
    us: int, points: NDArray[Any], score: tuple[int, ...], table: Win, we_deal_next: bool
) -> NDArray[np.float64]:
    """float64[samples, choices]: the chance to win the game from where a hand leaves it, ours first in ``score``."""
    most = table.shape[1] - 1
    ours = np.minimum(score[0] + points[:, :, us].astype(int), most)
    theirs = np.minimum(score[1] + points[:, :, 1 - us].astype(int), most)
    chance = table[0 if we_deal_next else 1, ours, theirs]
    outright = points[:, :, WON]
    return np.asarray(np.where(outright > 0, outright == us + 1, chance))


def estimate(values: NDArray[np.float64], low: float = -np.inf, high: float = np.inf) -> Estimate:
    """The mean of independent numbers with Student's interval, within bounds; a single number is exact."""
    n = len(values)
    if n == 1:
        return Estimate(float(values[0]), 0.0, float(values[0]), float(values[0]), 0)
    value, error = float(values.mean()), float(values.std(ddof=1) / np.sqrt(n))
    if not error:
        return Estimate(value, error, *of_equal(value, n, low, high), n)
    half = student(n - 1) * error
    return Estimate(value, error, max(low, value - half), min(high, value + half), n)
