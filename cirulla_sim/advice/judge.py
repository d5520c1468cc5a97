"""What to do here: every choice of a turn played out on the same deals, and compared deal by deal.

A choice is of the sets to show and of the play after that. The unseen cards are dealt again and again as they may lie,
and after each choice everybody plays on by a policy to the end of the hand. A choice is worth the mean margin of its
side over those deals; comparing choices deal by deal cancels most of the luck. Where all cards are known the stage is
solved instead.

>>> from cirulla_sim.ruleset.presets import build
>>> from cirulla_sim.situation.notation import Situation
>>> from cirulla_sim.situation.positions import read_position
>>> at = Situation.parse("table: 5c 2h Kd; me: 7d 2s Jh")
>>> advice = Problem(read_position(build("cirulla", players=2), at).seats).judge(64)
>>> advice.done, len(advice.options)
(64, 3)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from statistics import NormalDist
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core import cards
from ..core.errors import InputError, unknown
from ..engine.policies import USUAL
from ..engine.trials import AIMS
from ..exact import midhand
from ..experiments.expectancy import between_hands
from ..experiments.runner import ON_THREADS, Execution
from ..situation.information_set import (
    Choice,
    InformationSet,
    captured,
    card_of,
    is_sweep,
    matta_shown,
    points_shown,
)
from ..situation.line_up import ALL, LineUp
from ..stats.estimates import Estimate, Z, stretched
from .rollouts import CHUNK, Points, RolloutsOfSeats, Win, chances, ends, estimate, margins, sweeps
from .solve import Solution, solvable, solve

SECONDS = 5.0
"""The default time limit."""

FIRST, MOST = 256, 1 << 20
"""Samples before the first look, and the largest number of samples."""

FEW = 16
"""The most choices for which the first look has all its samples; with more choices it has fewer, at least a chunk."""

LOOKS = 20
"""More looks than there will ever be: the error of 5% is shared out among them, and among the choices."""

ALPHA = 0.05

USUALLY = LineUp(((ALL, USUAL),))
"""Who plays on unless a line-up is given."""


@dataclass(frozen=True)
class Option:
    """A choice and what it is worth.

    ``margin`` is your own side's points at the end of the hand less the mean of the others', ``wins`` the chance to
    win the game, None without a score, and ``behind`` how much is lost against the best choice, in the same deals:
    points, or chances to win where the game is aimed at. That a choice is named the best because its estimate came out
    highest is allowed for (see ``Advice.wider``). ``sweep`` is the exact chance that the next player can score a
    scopa if every deal is equally likely, ``read`` the same by what the plays of the stage reveal, None where they
    reveal nothing; ``ends`` the chances that your own side makes cards, diamonds and so on, where hands were played
    out.
    """

    choice: Choice
    margin: Estimate
    wins: Estimate | None
    behind: Estimate
    sweep: Fraction | None
    read: Estimate | None
    reason: str
    ends: Mapping[str, Estimate]


@dataclass(frozen=True, eq=False)
class Problem:
    """A choice to be made: what the player knows, who plays on, and what choices are ranked by.

    Where it is not known where the player sits there is an information set for each of the possible ``seats``, all
    equally likely. ``score`` is that of the game, your own first. ``aim`` is ``points`` or ``game``, by default the
    game if there is a score. With ``holdings``, masks by seat, all cards are known whatever the player knows; they are
    set where they follow from what is known.

    Raises ``InputError`` for policies that cannot play, and an aim at the game without a score.
    """

    seats: tuple[InformationSet, ...]
    line_up: LineUp = USUALLY
    seed: int = 1
    score: tuple[int, ...] = ()
    aim: str = ""
    holdings: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        aim = self.aim or ("game" if self.score else "points")
        if aim not in AIMS:
            raise unknown("aim", aim, AIMS)
        if aim == "game" and not self.score:
            raise InputError("--aim 'game' requires the score of the game (add it to --at, as 'score: 38-41')")
        object.__setattr__(self, "aim", aim)
        if self.holdings is None and len(self.seats) == 1:
            object.__setattr__(self, "holdings", solvable(self.now))

    @property
    def now(self) -> InformationSet:
        """What is known at the first of the seats."""
        return self.seats[0]

    @cached_property
    def rollouts(self) -> RolloutsOfSeats:
        return RolloutsOfSeats(self.seats, self.line_up, self.seed)

    def judge(
        self, samples: int | None = None, seconds: float = SECONDS, execution: Execution = ON_THREADS,
        earlier: Advice | None = None, on_growth: Callable[[Advice], None] | None = None,
    ) -> Advice:  # fmt: skip
        """Judge every choice: exactly if all cards are visible, otherwise from ``samples`` rollouts.

        Without a number of ``samples`` it ends when the best choice is separated from all others, or after
        ``seconds``. The result depends on the number of samples and the seed alone. ``earlier`` is advice on fewer
        samples to continue from; ``on_growth`` is called with the advice so far.

        Raises ``InputError`` for a score under rules without a chain of scores.
        """
        table = None if not self.score else between_hands(self.now.rules, execution.engine, execution.threads)
        if self.holdings is not None:
            solution = solve(self.now, self.holdings, self.score or None, table, self.aim)
            return Advice(self, [], 1, "exact", solution=solution)
        points = self.rollouts.none if earlier is None else earlier.points
        began, number = time.monotonic(), samples or _first(points.shape[1])

        def report(parts: list[Points], done: int) -> None:
            if on_growth is not None and done > 1:  # one sample has no interval
                on_growth(Advice(self, parts, done, table=table))

        while True:
            points, stopped = self.rollouts.extend(points, number, execution, report)
            if len(points) < 2:
                raise KeyboardInterrupt  # before there was a result
            advice = Advice(self, [points], len(points), stopped, table)
            if samples is None and stopped != "interrupted":
                number = _until(len(points), time.monotonic() - began, seconds)
                stopped = "separated" if is_separated(advice.values) else "time" if number == len(points) else ""
            if stopped:
                stopped = "forced" if points.shape[1] == 1 else stopped
                return Advice(self, [points], len(points), stopped, table)


@dataclass(frozen=True, eq=False)
class Advice:
    """Every choice of a problem judged from ``done`` samples, the first of those in ``parts``.

    ``stopped`` tells why there are no more: ``separated`` (the best choice is separated from all others with 95%
    confidence), ``time``, ``samples``, ``forced`` (there is one choice), ``interrupted`` or ``exact``, where there is a
    ``solution`` instead of samples. ``table`` has the chances to win from every score, with which the game is judged.
    """

    problem: Problem
    parts: list[Points]
    done: int
    stopped: str = "interrupted"
    table: Win | None = None
    solution: Solution | None = None
    gaps: ClassVar[tuple[tuple[int, int], ...]] = ()

    @cached_property
    def points(self) -> Points:
        return np.concatenate(self.parts)[: self.done]

    @property
    def aim(self) -> str:
        """What choices are ranked by: a solution may have no chances to win."""
        return "points" if self.wins is None else self.problem.aim

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What is judged: all choices, or where there are many those that a first look left."""
        return self.problem.rollouts.choices if self.solution is None else self.solution.choices

    @cached_property
    def margins(self) -> NDArray[np.float64]:
        """float64[samples, choices]: margins, one row where they are exact."""
        points = self.points if self.solution is None else self.solution.points[None]
        return margins(self.problem.now, points)

    @cached_property
    def wins(self) -> NDArray[np.float64] | None:
        """float64[samples, choices]: chances to win the game, None without a score."""
        if self.solution is not None:
            return None if self.solution.wins is None else self.solution.wins[None]
        if self.table is None or not self.problem.score:
            return None
        wins, seats = np.zeros(self.points.shape[:2]), self.problem.seats
        for place, now in enumerate(seats):  # the first player of this hand deals the next
            points = self.points[place :: len(seats)]
            wins[place :: len(seats)] = chances(seats[0].side, points, self.problem.score, self.table, now.side == 0)
        return wins

    @property
    def values(self) -> NDArray[np.float64]:
        """float64[samples, choices]: what choices are ranked by."""
        return self.margins if self.wins is None or self.aim == "points" else self.wins

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The choices, best first."""
        values, margin = self.values, self.margins
        order = sorted(range(margin.shape[1]), key=lambda place: (-values[:, place].mean(), -margin[:, place].mean()))
        return tuple(self._option(place, order[0]) for place in order)

    def _option(self, place: int, best: int) -> Option:
        now, values = self.problem.now, self.values
        choice, sampled = self.choices[place], self.solution is None
        times = self.wider if place == best else 1.0
        gap = estimate(values[:, best] - values[:, place]) if place != best else Estimate(0.0, 0.0, 0.0, 0.0, self.done)
        next_holds = now.by_seat("held")[(now.field("seat") + 1) % now.rules.players] > 0
        return Option(
            choice,
            stretched(estimate(self.margins[:, place]), times),
            None if self.wins is None else stretched(estimate(self.wins[:, place], 0.0, 1.0), times, 0.0, 1.0),
            stretched(gap, self.wider),
            None if now.constraints is not None else self._sweep(choice),
            sweeps(self.points, place) if sampled and now.read and next_holds else None,
            reason(now, choice),
            ends(now, self.points, place) if sampled else {},
        )

    @cached_property
    def wider(self) -> float:
        """How many times wider than usual the intervals of the best choice and of the gaps behind it are.

        Each of the choices that may be the best, by the interval of its gap, could have come out highest: Bonferroni's
        correction for so many.
        """
        values = self.values
        best = int(values.mean(axis=0).argmax())
        gaps = [estimate(values[:, best] - values[:, place]) for place in range(values.shape[1])]
        return NormalDist().inv_cdf(1 - ALPHA / 2 / sum(gap.low <= 0 for gap in gaps)) / Z

    def _sweep(self, choice: Choice) -> Fraction:
        """The chance of a sweep next, wherever the player sits."""
        seats = self.problem.seats
        return sum((sweep_next(now, choice) for now in seats), Fraction(0)) / len(seats)


def is_separated(values: NDArray[np.float64]) -> bool:
    """Whether the best column is separated from all others, by 95% whatever the number of looks and columns."""
    n, choices = values.shape
    best = int(values.mean(axis=0).argmax())
    behind = np.delete(values[:, [best]] - values, best, axis=1)
    if not behind.shape[1]:
        return True
    z = NormalDist().inv_cdf(1 - ALPHA / (LOOKS * (choices - 1)))
    return bool((behind.mean(axis=0) > z * behind.std(axis=0, ddof=1) / np.sqrt(n)).all())


def _first(choices: int) -> int:
    """Samples before the first look."""
    return max(CHUNK, FIRST * FEW // max(choices, FEW) // CHUNK * CHUNK)


def _until(done: int, elapsed: float, seconds: float) -> int:
    """How many samples to continue to: as many again, or as many as the time left is likely to allow."""
    left = int(done / max(elapsed, 1e-6) * (seconds - elapsed)) // CHUNK * CHUNK
    return min(2 * done, done + max(0, left), MOST)


# ------------------------------------------------------------------------------------------------ why a choice is good


def sweep_next(now: InformationSet, choice: Choice) -> Fraction:
    """The exact chance that the next player can score a scopa on the table a choice leaves.

    Every way of dealing the cards not seen is equally likely, as in ``position``.
    """
    following = now.next_player(choice)
    last = now.field("plays_left") == 2 and not now.rules.last_card_scopa
    if following is None or last or not following.table:
        return Fraction(0)
    return midhand.chance_to_score(following)


def reason(now: InformationSet, choice: Choice) -> str:
    """One line in plain words: what a choice shows, what it takes and what it leaves."""
    parts = (_showing(now, choice), _taking(now, choice.play), _leaving(now, choice))
    return "; ".join(part for part in parts if part)


def _showing(now: InformationSet, choice: Choice) -> str:
    if not choice.show:
        return ""
    value = matta_shown(choice.show)
    declared = f" with the matta as {value}" if value else ""
    return f"{_count(points_shown(choice.show), 'point')} for the set{'s' if len(choice.show) > 1 else ''}{declared}"


_DIAMONDS = 0b1111111111 << 10
_SETTEBELLO = 1 << cards.SETTEBELLO
_SEVENS = cards.mask(range(6, 40, 10))


def _taking(now: InformationSet, play: int) -> str:
    got = captured(play)
    if not got:
        return "takes nothing"
    got |= 1 << card_of(play)
    parts = ["scopa"] if is_sweep(play) else []
    parts += ["the settebello"] if got & _SETTEBELLO else []
    parts += _melds(now, got)
    diamonds = (got & _DIAMONDS & ~_SETTEBELLO).bit_count()
    sevens = (got & _SEVENS & ~_SETTEBELLO).bit_count()
    others = got.bit_count() - diamonds - sevens - (got & _SETTEBELLO).bit_count()
    counted = [_count(diamonds, "diamond"), _count(sevens, "seven"), _count(others, "other card")]
    parts += [words for words in counted if words]
    if others == got.bit_count():
        parts[-1] = _count(others, "card")
    if is_sweep(play):
        return f"{parts[0]}, taking {', '.join(parts[1:])}"
    return "takes " + ", ".join(parts)


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'s' if number > 1 else ''}" if number else ""


def _melds(now: InformationSet, got: int) -> list[str]:
    """La piccola or la grande, where a capture makes it or makes it longer."""
    from ..kernel.entries.rules import flat_rules

    flat = flat_rules(now.rules)
    mine = now.by_seat("pile")[now.side]
    before, after = ((mask & _DIAMONDS) >> 10 for mask in (mine, mine | got))
    melds = [("la piccola", flat.piccola), ("la grande", flat.grandes)]
    return [
        f"{name} (+{int(points[after] - points[before])})" for name, points in melds if points[after] > points[before]
    ]


def _leaving(now: InformationSet, choice: Choice) -> str:
    following = now.next_player(choice)
    if following is None:
        return "the last play of the hand"
    if not following.table:
        return "leaves an empty table"
    matta = now.rules.matta
    total = sum(
        following.matta_value if matta is not None and card == cards.parse(matta) else cards.VALUES[card]
        for card in cards.members(following.table)
    )
    diamonds = (following.table & _DIAMONDS & ~_SETTEBELLO).bit_count()
    dear = [*(["the settebello"] if following.table & _SETTEBELLO else []), _count(diamonds, "diamond")]
    what = f"leaves {total}" + (f" with {' and '.join(filter(None, dear))}" if any(dear) else "")
    sweepers = midhand.sweepers(following) & (following.unseen | following.shown[0])
    ranks = [rank for k, rank in enumerate(cards.RANKS) if any(sweepers >> (10 * suit + k) & 1 for suit in range(4))]
    return what + (f", swept by {' or '.join(ranks)}" if ranks else ", which no card can sweep")
