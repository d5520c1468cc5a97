"""What to play here, and how sure is that: every legal play of a situation played out on the same deals.

The cards not seen are dealt out again and again as they may lie, and after each play everybody plays on by a policy to
the end of the hand. So a play is worth the mean margin of its side over those deals; plays are compared deal by deal,
which cancels most of the luck. Where all cards are known the stage is solved instead.

>>> from cirulla_sim.ruleset.presets import build
>>> from cirulla_sim.situation.position_text import read_situation
>>> now, _ = read_situation(build("cirulla", players=2), table="5c 2h Kd", holding="7d 2s Jh")
>>> found = judge_plays(now, samples=64)
>>> found.samples, len(found.options)
(64, 3)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, unknown
from ..engine.trials import AIMS
from ..experiments.expectancy import between_hands
from ..ruleset.rules_model import Rules
from ..situation.information_set import Situation
from ..stats.estimates import Estimate
from .reasons import reason, sweep_next
from .rollouts import CHUNK, Points, Sampled, chances, ends, estimate, margins, none_yet, play_on, sweeps
from .solve import Solution, solvable, solve

FIRST, MOST = 256, 1 << 20
"""Samples before the first look, and the most there can be."""

LOOKS = 20
"""More looks than there will ever be: the error of 5% is shared out among them, and among the plays."""

ALPHA = 0.05


@dataclass(frozen=True)
class Option:
    """A legal play and what it is worth.

    ``margin`` is one's own side's points at the end of the hand less the mean of the others', ``wins`` the chance to
    win the game, None where no score was given, and ``behind`` how much is lost against the best play, in the same
    deals: points, or chances to win where the game is aimed at. ``sweep`` is the exact chance that the next player can
    score a scopa where every deal is equally likely, ``read`` the same by what the plays of the stage tell, None where
    there is nothing to read; ``ends`` the chances that one's own side makes cards, diamonds and so on, where they were
    played out.
    """

    play: int
    margin: Estimate
    wins: Estimate | None
    behind: Estimate
    sweep: Fraction | None
    read: Estimate | None
    reason: str
    ends: Mapping[str, Estimate]


@dataclass(frozen=True)
class Advice:
    """Every legal play of a situation, best first.

    ``samples`` deals were played out, 0 where all is known and ``options`` are exact; ``stopped`` is why no more:
    ``separated`` (the best play is told from all others with 95% confidence), ``time``, ``samples``, ``exact``,
    ``forced`` (there is one play) or ``interrupted``.
    """

    now: Situation
    options: tuple[Option, ...]
    samples: int
    stopped: str
    aim: str = "points"
    """By what plays are ranked: ``points``, or the chance to win the ``game``."""
    solution: Solution | None = None
    points: Points | None = field(default=None, repr=False, compare=False)
    """What was played out."""


@dataclass(frozen=True)
class Growing:
    """Advice that is not at its end: how many samples there are by now, and what they tell if they are asked."""

    done: int
    advice: Callable[[], Advice]


def is_separated(values: NDArray[np.float64]) -> bool:
    """Whether the best column is told from all others, by 95% whatever the number of looks and columns."""
    n, plays = values.shape
    best = int(values.mean(axis=0).argmax())
    behind = np.delete(values[:, [best]] - values, best, axis=1)
    if not behind.shape[1]:
        return True
    z = NormalDist().inv_cdf(1 - ALPHA / (LOOKS * (plays - 1)))
    return bool((behind.mean(axis=0) > z * behind.std(axis=0, ddof=1) / np.sqrt(n)).all())


def judge_plays(
    now: Situation,
    policies: tuple[str, ...] = ("careful",),
    *,
    samples: int | None = None,
    seconds: float = 5.0,
    score: tuple[int, int] | None = None,
    aim: str | None = None,
    holdings: tuple[int, ...] | None = None,
    seed: int = 1,
    engine: str = "threads",
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    earlier: Points | None = None,
    grown: Callable[[Growing], None] | None = None,
) -> Advice:
    """Judge every legal play of a situation: exactly if all is known, else by so many samples, or as long as it takes.

    Without ``samples`` deals are played out until the best play is told from all others or ``seconds`` are over. With
    ``score``, one's own first, the chance to win the game is told. Plays are ranked by the ``aim``, ``points`` or
    ``game``; without one by the chance where there is a score. With ``holdings``, masks by seat, all is known, whatever
    the seat knows. The result depends on the number of samples and the seed alone. ``earlier`` are the first of them,
    if any are there; ``grown`` hears of all that are there by now.

    Raises ``InputError`` for policies that cannot play, a score where there is no chain of scores, and an aim at a game
    without a score.
    """
    aim = _aim(aim, score)
    table = None if score is None else between_hands(now.rules, engine, threads)
    holdings = holdings or solvable(now)
    if holdings is not None:
        return _of_solution(now, solve(now, holdings, score, table, aim), aim)
    points = none_yet(now) if earlier is None else earlier
    began, todo = time.monotonic(), samples or FIRST

    def tell(points: Points, stopped: str = "interrupted") -> Advice:
        return _told(now, points, score, table, aim, stopped)

    def heard(sampled: Sampled) -> None:
        if grown is not None and sampled.done > 1:  # one tells nothing
            grown(Growing(sampled.done, lambda: tell(sampled.points)))

    while True:
        points, stopped = play_on(now, policies, seed, points, todo, engine, threads, progress, heard)
        if samples is None and stopped != "interrupted":
            wins = None if table is None else chances(now, points, score or (0, 0), table)
            values = margins(now, points) if aim == "points" or wins is None else wins
            todo = _until(len(points), time.monotonic() - began, seconds)
            stopped = "separated" if is_separated(values) else "time" if todo == len(points) else ""
        if len(points) < 2:
            raise KeyboardInterrupt  # before there was anything to tell
        if stopped:
            return tell(points, stopped)


def _told(
    now: Situation, points: Points, score: tuple[int, int] | None, table: NDArray[Any] | None, aim: str, stopped: str
) -> Advice:
    wins = None if table is None else chances(now, points, score or (0, 0), table)
    told = _options(now, margins(now, points), wins, aim, points)
    return Advice(now, told, len(points), "forced" if points.shape[1] == 1 else stopped, aim, points=points)


def _aim(aim: str | None, score: tuple[int, int] | None) -> str:
    """The aim, or what it is where none is named."""
    if aim is None:
        return "points" if score is None else "game"
    if aim not in AIMS:
        raise unknown("aim", aim, AIMS)
    if aim == "game" and score is None:
        raise InputError("aim 'game' needs the score of the game (give --score, as 38-41)")
    return aim


def _until(done: int, elapsed: float, seconds: float) -> int:
    """How many samples to go on to: as many again, or as many as the time left is likely to do."""
    left = int(done / max(elapsed, 1e-6) * (seconds - elapsed)) // CHUNK * CHUNK
    return min(2 * done, done + max(0, left), MOST)


def read_score(rules: Rules, text: str) -> tuple[int, int]:
    """A score as ``38-41``, ours first.

    Raises ``InputError`` where games are no chain of scores between two sides, and for a score that is none.
    """
    from ..experiments.expectancy import check
    from ..experiments.win_chance import read_score

    try:
        check(rules)
    except InputError as error:
        raise InputError(f"--score {text!r}: {error}") from None
    ours, theirs = read_score(rules, text, "--score")
    return ours, theirs


def _options(
    now: Situation, margin: NDArray[Any], wins: NDArray[Any] | None, aim: str, points: Points | None = None
) -> tuple[Option, ...]:
    """The legal plays, best first, by their margins or chances, float64[samples, plays]."""
    values = margin if wins is None or aim == "points" else wins
    order = sorted(range(margin.shape[1]), key=lambda k: (-values[:, k].mean(), -margin[:, k].mean()))
    plays = now.plays()
    return tuple(
        Option(
            plays[k],
            estimate(margin[:, k]),
            None if wins is None else estimate(wins[:, k], 0.0, 1.0),
            estimate(values[:, order[0]] - values[:, k]),
            None if now.known is not None else sweep_next(now, plays[k]),
            sweeps(points, k) if points is not None and _is_read(now) else None,
            reason(now, plays[k]),
            {} if points is None else ends(now, points, k),
        )
        for k in order
    )


def _is_read(now: Situation) -> bool:
    """Whether plays of this stage tell of the cards that the next player holds."""
    return now.read > 0 and now.by_seat("held")[(now.field("seat") + 1) % now.rules.players] > 0


def _of_solution(now: Situation, solution: Solution, aim: str) -> Advice:
    margin = margins(now, solution.points[None])
    wins = None if solution.wins is None else solution.wins[None]
    aim = "points" if wins is None else aim
    return Advice(now, _options(now, margin, wins, aim), 0, "exact", aim, solution)
