"""What to play here: every legal play of a situation played out on the same deals, and compared deal by deal.

The unseen cards are dealt again and again as they may lie, and after each play everybody plays on by a policy to the
end of the hand. A play is worth the mean margin of its side over those deals; comparing plays deal by deal cancels most
of the luck. Where all cards are known the stage is solved instead.

>>> from cirulla_sim.ruleset.presets import build
>>> from cirulla_sim.situation.position import PositionText
>>> from cirulla_sim.situation.position_text import read_situation
>>> now, _ = read_situation(build("cirulla", players=2), PositionText("5c 2h Kd", "7d 2s Jh"))
>>> advice = Problem(now).judge(64)
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

from ..core.errors import InputError, unknown
from ..engine.policies import USUAL
from ..engine.trials import AIMS
from ..experiments.expectancy import between_hands, check
from ..experiments.runner import ON_THREADS, Execution
from ..ruleset.rules_model import Rules
from ..situation.information_set import InformationSet
from ..stats.estimates import Estimate
from .reasons import reason, sweep_next
from .rollouts import CHUNK, Points, Rollouts, Win, chances, ends, estimate, margins, sweeps
from .solve import Solution, solvable, solve

SECONDS = 5.0
"""The default time limit."""

FIRST, MOST = 256, 1 << 20
"""Samples before the first look, and the largest number of samples."""

LOOKS = 20
"""More looks than there will ever be: the error of 5% is shared out among them, and among the plays."""

ALPHA = 0.05


@dataclass(frozen=True)
class Option:
    """A legal play and what it is worth.

    ``margin`` is your own side's points at the end of the hand less the mean of the others', ``wins`` the chance to
    win the game, None without a score, and ``behind`` how much is lost against the best play, in the same deals:
    points, or chances to win where the game is aimed at. ``sweep`` is the exact chance that the next player can score a
    scopa if every deal is equally likely, ``read`` the same by what the plays of the stage reveal, None where they
    reveal nothing; ``ends`` the chances that your own side makes cards, diamonds and so on, where hands were played
    out.
    """

    play: int
    margin: Estimate
    wins: Estimate | None
    behind: Estimate
    sweep: Fraction | None
    read: Estimate | None
    reason: str
    ends: Mapping[str, Estimate]


@dataclass(frozen=True, eq=False)
class Problem:
    """A play to be chosen: what the seat knows, who plays on, and what plays are ranked by.

    ``policies`` is one for all sides or one a side, the dealer's last; ``score`` is that of the game, your own first.
    ``aim`` is ``points`` or ``game``, by default the game if there is a score. With ``holdings``, masks by seat, all
    cards are known whatever the seat knows; they are set where they follow from what it knows.

    Raises ``InputError`` for policies that cannot play, and an aim at the game without a score.
    """

    now: InformationSet
    policies: tuple[str, ...] = (USUAL,)
    seed: int = 1
    score: tuple[int, int] | None = None
    aim: str = ""
    holdings: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        aim = self.aim or ("points" if self.score is None else "game")
        if aim not in AIMS:
            raise unknown("aim", aim, AIMS)
        if aim == "game" and self.score is None:
            raise InputError("--aim 'game' requires the score of the game (add --score, as 38-41)")
        object.__setattr__(self, "aim", aim)
        object.__setattr__(self, "holdings", self.holdings or solvable(self.now))

    @cached_property
    def rollouts(self) -> Rollouts:
        return Rollouts(self.now, self.policies, self.seed)

    def judge(
        self, samples: int | None = None, seconds: float = SECONDS, execution: Execution = ON_THREADS,
        earlier: Advice | None = None, on_growth: Callable[[Advice], None] | None = None,
    ) -> Advice:  # fmt: skip
        """Judge every legal play: exactly if all cards are visible, otherwise from ``samples`` rollouts.

        Without a number of ``samples`` it ends when the best play is separated from all others, or after
        ``seconds``. The result depends on the number of samples and the seed alone. ``earlier`` is advice on fewer
        samples to continue from; ``on_growth`` is called with the advice so far.

        Raises ``InputError`` for a score under rules without a chain of scores.
        """
        table = None if self.score is None else between_hands(self.now.rules, execution.engine, execution.threads)
        if self.holdings is not None:
            solution = solve(self.now, self.holdings, self.score, table, self.aim)
            return Advice(self, [], 1, "exact", solution=solution)
        points = self.rollouts.none if earlier is None else earlier.points
        began, number = time.monotonic(), samples or FIRST

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
    """Every legal play of a problem judged from ``done`` samples, the first of those in ``parts``.

    ``stopped`` tells why there are no more: ``separated`` (the best play is separated from all others with 95%
    confidence), ``time``, ``samples``, ``forced`` (there is one play), ``interrupted`` or ``exact``, where there is a
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
        """What plays are ranked by: a solution may have no chances to win."""
        return "points" if self.wins is None else self.problem.aim

    @cached_property
    def margins(self) -> NDArray[np.float64]:
        """float64[samples, plays]: margins, one row where they are exact."""
        points = self.points if self.solution is None else self.solution.points[None]
        return margins(self.problem.now, points)

    @cached_property
    def wins(self) -> NDArray[np.float64] | None:
        """float64[samples, plays]: chances to win the game, None without a score."""
        if self.solution is not None:
            return None if self.solution.wins is None else self.solution.wins[None]
        if self.table is None or self.problem.score is None:
            return None
        return chances(self.problem.now, self.points, self.problem.score, self.table)

    @property
    def values(self) -> NDArray[np.float64]:
        """float64[samples, plays]: what plays are ranked by."""
        return self.margins if self.wins is None or self.aim == "points" else self.wins

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The legal plays, best first."""
        values, margin = self.values, self.margins
        order = sorted(range(margin.shape[1]), key=lambda place: (-values[:, place].mean(), -margin[:, place].mean()))
        return tuple(self._option(place, order[0]) for place in order)

    def _option(self, place: int, best: int) -> Option:
        now, values = self.problem.now, self.values
        play, sampled = now.plays()[place], self.solution is None
        next_holds = now.by_seat("held")[(now.field("seat") + 1) % now.rules.players] > 0
        return Option(
            play,
            estimate(self.margins[:, place]),
            None if self.wins is None else estimate(self.wins[:, place], 0.0, 1.0),
            estimate(values[:, best] - values[:, place]),
            None if now.constraints is not None else sweep_next(now, play),
            sweeps(self.points, place) if sampled and now.read and next_holds else None,
            reason(now, play),
            ends(now, self.points, place) if sampled else {},
        )


def is_separated(values: NDArray[np.float64]) -> bool:
    """Whether the best column is separated from all others, by 95% whatever the number of looks and columns."""
    n, plays = values.shape
    best = int(values.mean(axis=0).argmax())
    behind = np.delete(values[:, [best]] - values, best, axis=1)
    if not behind.shape[1]:
        return True
    z = NormalDist().inv_cdf(1 - ALPHA / (LOOKS * (plays - 1)))
    return bool((behind.mean(axis=0) > z * behind.std(axis=0, ddof=1) / np.sqrt(n)).all())


def _until(done: int, elapsed: float, seconds: float) -> int:
    """How many samples to continue to: as many again, or as many as the time left is likely to allow."""
    left = int(done / max(elapsed, 1e-6) * (seconds - elapsed)) // CHUNK * CHUNK
    return min(2 * done, done + max(0, left), MOST)


def read_score(rules: Rules, text: str) -> tuple[int, int]:
    """A score as ``38-41``, ours first.

    Raises ``InputError`` where games are no chain of scores between two sides, and for a text that is no score.
    """
    from ..experiments.win_chance import read_score

    try:
        check(rules)
    except InputError as error:
        raise InputError(f"--score {text!r}: {error}") from None
    ours, theirs = read_score(rules, text, "--score")
    return ours, theirs
