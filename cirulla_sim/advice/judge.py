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
>>> advice.done, len(advice.ranking)
(64, 3)
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from statistics import NormalDist
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core import cards
from ..core.errors import InputError, unknown
from ..engine.chunks import playing
from ..engine.engines import WITH_ROWS, Folded
from ..engine.hand_in_play import memory_of
from ..engine.policies import USUAL
from ..engine.trials import AIMS, Experiment, TrialRange, allot
from ..exact import midhand
from ..experiments.runner import ON_THREADS, Execution
from ..experiments.win_chance import aiming_at_the_end, between_hands
from ..situation.hand import NOBODY, HandState, matta_mask
from ..situation.line_up import ALL, LineUp
from ..situation.plays import TurnChoice, captured, card_of, cards_shown, is_scopa_play, matta_shown, points_shown
from ..stats.estimates import Estimate, Z, interval_of_equal, mean_and_deviation, proportion, stretch, student

SampledPoints = NDArray[np.int16]
"""int16[samples, choices, 11]: points of each side at the end of the hand; who won the game outright, 1 + side, or 0;
whether the next player of the stage held a card that sweeps; who made each of ``values.ENDS``."""

Win = NDArray[np.float64]
"""float64[2, S, S]: see ``expectancy.Expectancy.chances``."""

OnGrowth = Callable[[list[SampledPoints], int], None]
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


def _renumbered(points: SampledPoints, sides: int, by: int) -> SampledPoints:
    """The points where each side has another number, larger by so much."""
    renumbered = points.copy()
    renumbered[:, :, :sides] = np.roll(points[:, :, :sides], by, axis=2)
    for column in (WON, *range(FIRST_END, points.shape[2])):
        side = points[:, :, column]
        renumbered[:, :, column] = np.where(side > 0, (side - 1 + by) % sides + 1, 0)
    return renumbered


def _alike(choice: TurnChoice) -> tuple[tuple[int, ...], int]:
    """A choice without whether its play scores a sweep, which depends on whether it is the last of the hand."""
    return choice.show, choice.play & ~(1 << 50)


def column_means(values: NDArray[np.float64]) -> list[float]:
    """The mean of each column, by sums that are the same on every machine."""
    return [math.fsum(column) / len(column) for column in values.T.tolist()]


def side_margins(points: NDArray[Any]) -> NDArray[np.float64]:
    """The points of each side, the last axis, less the mean of the others': float64 of the same shape."""
    sides, numbers = points.shape[-1], points.astype(np.float64)
    return np.asarray((numbers * sides - numbers.sum(axis=-1, keepdims=True)) / (sides - 1))


def own_margins(now: HandState, points: NDArray[Any]) -> NDArray[np.float64]:
    """float64[samples, choices]: the margin of your own side, in points fewer where the fewest win."""
    return now.rules.pays * side_margins(points[:, :, : now.rules.sides])[:, :, now.side]


def win_chances(
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
    value, deviation = mean_and_deviation(values.tolist())
    error = deviation / math.sqrt(n)
    if not error:
        return Estimate(value, error, *interval_of_equal(value, n, low, high), n)
    half = student(n - 1) * error
    return Estimate(value, error, max(low, value - half), min(high, value + half), n)


SOLVED = 12
"""Plays left from which on a turn with all cards known is solved."""

AHEAD = 12
"""Plays that the solver looks ahead where the stage goes on for longer than ``DEEPEST``."""
DEEPEST = 20


@dataclass(frozen=True)
class Solution:
    """What each choice leads to with all cards known, and the line of best play for what is aimed at.

    ``points`` is float64[choices, 4], by side, everybody playing for points; ``wins``, float64[choices], is the chance
    to win the game, both playing for that, where a score was given and the hand is played to its end. ``ahead`` plays
    were looked ahead; unless the hand is ``settled`` then, the points are what the piles are expected to be worth (see
    ``kernel.worth``). ``shows`` tells whether sets shown later are solved too (``all``), counted only at their most
    (``most``), or none are left (empty).
    """

    choices: tuple[TurnChoice, ...]
    points: NDArray[np.float64]
    wins: NDArray[np.float64] | None
    line: tuple[tuple[int, str], ...]
    """Seat and choice, in words, of each turn; empty where it depends on who has captured last, which is not known."""
    ahead: int
    settled: bool
    shows: str


class Later(NamedTuple):
    """Sets that others may still show: points by side, and a holding with the matta that is shown for one of several.

    ``declarer`` is the mask of these three cards, 0 for none; ``declared`` rows of value and points. ``solved`` tells
    whether this is all that there is to choose.
    """

    points: tuple[int, ...]
    declarer: int
    declared: tuple[tuple[int, int], ...]
    solved: bool


# ------------------------------------------------------------------------------------------------ all cards known


def _is_large(now: HandState) -> bool:
    """Whether sets of the stage can be shown at any turn."""
    return now.rules.bonus_cards_first and now.rules.deal_plan[now.stage] > 3


def _own_later(now: HandState, gone: int) -> int:
    """The most points of sets that the seat itself may show later, when some cards, a mask, have been shown or played.

    Of three cards left a set is shown now or never.
    """
    holding = now.holding
    may_wait = _is_large(now) and holding.bit_count() > 3
    return _most_points(now, holding & ~gone & ~now.first[now.seat]) if may_wait else 0


def later(now: HandState, holdings: tuple[int, ...]) -> Later:
    """What others may still show, with all holdings known."""
    rules, points, declarer, solved = now.rules, [0] * now.rules.sides, 0, True
    declared: tuple[tuple[int, int], ...] = ()
    for seat in range(rules.players):
        turn = now.turn + (seat < now.seat)
        may_show = _is_large(now) or (turn == 0 and rules.knock_timing == "turn")
        rest = holdings[seat] & ~now.first[seat]
        most = _most_points(now, rest) if may_show and seat != now.seat else 0
        if most and rest == holdings[seat] and rest.bit_count() == 3 and rest & matta_mask(rules):
            shows = HandState.at_turn(rules, now.stage, turn * rules.players + seat, rest).legal_shows
            own = cards.VALUES[cards.parse(rules.matta or "")]
            declarer, declared = rest, tuple((matta_shown(show) or own, points_shown(show)) for show in shows)
        else:
            solved = solved and (not most or holdings[seat].bit_count() == 3)
            points[rules.side(seat)] += most
    return Later(tuple(points), declarer, declared, solved)


def _most_points(now: HandState, holding: int) -> int:
    """The most points that sets of three cards of a holding earn together."""
    from ..kernel.entries.choices import choose_all
    from ..kernel.entries.rules import flat_rules
    from ..kernel.game.hand import CANDIDATES

    if holding.bit_count() < 3 or not now.rules.hand_bonuses:
        return 0
    knocks = np.zeros((3, 1), np.uint64)
    choose_all(flat_rules(now.rules), np.array([holding], np.uint64), knocks, np.zeros(CANDIDATES, np.uint64))
    return points_shown(tuple(int(word) for word in knocks.ravel()))


def solve_turn(
    now: HandState,
    holdings: tuple[int, ...],
    score: tuple[int, ...] | None = None,
    table: Win | None = None,
    aim: str = "game",
) -> Solution:
    """Every choice with all holdings known, masks by seat, everybody playing their best to the end of the stage.

    With more than two sides each maximises its points less the mean of the others'. ``score`` is that of the game, ours
    first, and ``table`` the chances to win from every score; the line is played for the ``aim``. Where it is not
    known who has captured last, every side with a pile is equally likely to get the last table.
    """
    takers = [now.last_capture]
    if now.last_capture == NOBODY and any(now.piles):
        seats = {now.rules.side(seat): seat for seat in range(now.rules.players)}
        takers = [seats[side] for side, pile in enumerate(now.piles) if pile]
    cases = [_solve(replace(now, last_capture=seat), holdings, score, table, aim) for seat in takers]
    points = np.array([case.points for case in cases])
    wins = np.array([case.wins for case in cases if case.wins is not None])
    if (points == points[0]).all() and (not len(wins) or (wins == wins[0]).all()):
        return cases[0]
    return replace(cases[0], points=points.mean(axis=0), wins=wins.mean(axis=0) if len(wins) else None, line=())


def _solve(
    now: HandState, holdings: tuple[int, ...], score: tuple[int, ...] | None, table: Win | None, aim: str
) -> Solution:
    """The same where it is known who has captured last, or nobody has."""
    left = sum(held.bit_count() for held in holdings)
    ahead = left if left <= DEEPEST else AHEAD
    settled = ahead == now.plays_left
    game = None
    if score is not None and table is not None and settled:
        game = (score if now.side == 0 else score[::-1], aiming_at_the_end(now.rules, table))
    points = _values(now, holdings, ahead)
    wins = None if game is None else _values(now, holdings, ahead, game)
    line, values = [], points if wins is None or aim != "game" else wins
    game = game if aim == "game" else None
    here, hand = now, replace(now, me=None, known=holdings)
    while True:
        choice = here.legal[int(own_margins(here, values[None])[0].argmax())]
        line.append((hand.to_play, here.in_words(choice)))
        if len(line) == ahead:
            break
        hand = hand.play(choice)
        here = hand.seen_by()
        values = _values(here, hand.known, ahead - len(line), game)
    others = later(now, holdings)
    shows = "all" if any(others.points) or others.declarer else ""
    shows = "most" if _own_later(now, 0) or not others.solved else shows
    won = None if wins is None else wins[:, now.side]
    return Solution(now.legal, points, won, tuple(line), ahead, settled, shows)


def _values(
    now: HandState,
    holdings: tuple[int, ...],
    ahead: int,
    game: tuple[tuple[int, ...], NDArray[np.float32]] | None = None,
) -> NDArray[np.float64]:
    """float64[choices, 4]: by side, the points so far, those made from here on and those of the piles that follow.

    With ``game``, its score by side and the chances to win as ``policies.Workspace`` has them, it is chances.
    """
    from ..engine.policies import Workspace
    from ..kernel.entries.choices import solve_plays
    from ..kernel.entries.rules import flat_rules

    flat, given, others = flat_rules(now.rules), np.zeros(4, np.uint64), later(now, holdings)
    given[: len(holdings)] = holdings
    declared = np.array(others.declared, np.uint64).reshape(-1, 2)
    workspace = Workspace()
    workspace.prepare(now.rules, None if game is None else game[1])
    results = []
    for show, plays in groupby(now.legal, lambda choice: choice.show):
        here = now.show(show)
        own = [_own_later(now, cards_shown(show) | 1 << card_of(choice.play)) for choice in plays]
        values = np.zeros((len(own), 4), np.float32)
        for earned in set(own):
            view, listed, solved = here.view.copy(), np.zeros(len(own), np.uint64), np.zeros_like(values)
            view[0]["points"][: now.rules.sides] += np.array(others.points, np.uint64)
            view[0]["points"][now.side] += earned
            if game is not None:
                view[0]["score"][:2], view[0]["aims_at_game"] = game[0], 1
            mind, depth, declarer = workspace.mind, np.uint64(ahead), np.uint64(others.declarer)
            solve_plays(flat, mind, view[0], given, depth, declarer, declared, listed, solved)
            if game is None:
                solved = now.rules.pays * solved + view[0]["points"].astype(np.float32)
            values[np.array(own) == earned] = solved[np.array(own) == earned]
        results.append(values)
    return np.concatenate(results).astype(np.float64)


SECONDS = 5.0
"""The default time limit."""

FIRST, MOST = 256, 1 << 20
"""Samples before the first look, and the largest number of samples."""

FEW = 16
"""The most choices for which the first look has all its samples; with more choices it has fewer, at least a chunk."""

LOOKS = 20
"""More looks than there will ever be: the error of 5% is shared out among them, and among the choices."""

ALPHA = 0.05


@dataclass(frozen=True)
class JudgedChoice:
    """A choice and what it is worth.

    ``margin`` is your own side's points at the end of the hand less the mean of the others', ``wins`` the chance to
    win the game, None without a score, and ``behind`` how much is lost against the best choice, in the same deals:
    points, or chances to win where the game is aimed at. That a choice is named the best because its estimate came out
    highest is allowed for (see ``Advice.wider``). ``sweep`` is the exact chance that the next player can score a
    scopa if every deal is equally likely, ``read`` the same by what the plays of the stage reveal, None where they
    reveal nothing; ``ends`` the chances that your own side makes cards, diamonds and so on, where hands were played
    out.
    """

    choice: TurnChoice
    margin: Estimate
    wins: Estimate | None
    behind: Estimate
    sweep: Fraction | None
    read: Estimate | None
    reason: str
    ends: Mapping[str, Estimate]


USUALLY = LineUp(((ALL, USUAL),))
"""Who plays on unless a line-up is given."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A choice to be made: what the player knows, who plays on, and what choices are ranked by.

    Where it is not known where the player sits there is an information set for each of the possible ``seats``, all
    equally likely: the turn is played out as that of each in turn, sample by sample, with sides numbered as at the
    first. The deals played out depend on the seed and their numbers alone; policies decide at their turns what they
    show. ``score`` is that of the game, your own first. ``aim`` is ``points`` or ``game``, by default the game if there
    is a score. With ``holdings``, masks by seat, all cards are known whatever the player knows; they are set where they
    follow from what is known, if the problem then ``solves`` the hand and has nobody play on. A choice that was
    ``chosen`` is judged in any case.

    Raises ``InputError`` for an aim at the game without a score; and where hands are played out as ``Experiment``
    does, and where it depends on the seat what may be played.
    """

    seats: tuple[HandState, ...]
    line_up: LineUp = USUALLY
    seed: int = 1
    score: tuple[int, ...] = ()
    aim: str = ""
    holdings: tuple[int, ...] | None = None
    solves: bool = True
    chosen: TurnChoice | None = None

    def __post_init__(self) -> None:
        aim = self.aim or ("game" if self.score else "points")
        if aim not in AIMS:
            raise unknown("aim", aim, AIMS)
        if aim == "game" and not self.score:
            raise InputError("--aim 'game' requires the score of the game (add it to --at, as 'score: 38-41')")
        object.__setattr__(self, "aim", aim)
        to_nothing = self.score and self.now.rules.shutout  # the solver's chances know only the points that follow
        if self.holdings is None and self.solves and len(self.seats) == 1 and not to_nothing:
            holdings = self.now.all_holdings() if self.now.plays_left <= SOLVED else None
            # Not where anybody may choose when to show a set, or which, at a later turn.
            if holdings is not None and not _own_later(self.now, 0) and later(self.now, holdings).solved:
                object.__setattr__(self, "holdings", holdings)

    @property
    def now(self) -> HandState:
        """What is known at the first of the seats."""
        return self.seats[0]

    # -------------------------------------------------------------------------------------------- hands played out

    @cached_property
    def _experiments(self) -> tuple[Experiment, ...]:
        """Who plays at which deals, for each seat."""
        return tuple(
            Experiment(now.rules, self.line_up.by_side(now.rules, now.side), 1, self.seed, constraints=now.constraints)
            for now in self.seats
        )

    @cached_property
    def choices(self) -> tuple[TurnChoice, ...]:
        """The choices judged, as the first seat has them, in the order in which they are listed; not of every seed."""
        listed = self.now.legal
        if any(list(map(_alike, now.legal)) != list(map(_alike, listed)) for now in self.seats[1:]):
            raise InputError("--at: what you may play depends on where you sit (add --me, as --me dealer)")
        if self.chosen is not None and self.chosen not in listed:
            listed = (*listed, self.chosen)
        if len(listed) <= MANY:
            return listed
        points = self._on_deals(0, listed, UNUSED, max(LEAST, TRIED // len(listed)))
        means = column_means(own_margins(self.now, points))
        best = sorted(range(len(listed)), key=means.__getitem__, reverse=True)[:JUDGED]
        return tuple(choice for place, choice in enumerate(listed) if place in best or choice == self.chosen)

    @property
    def none(self) -> SampledPoints:
        """The points of no samples."""
        from ..kernel.entries.values import POINTS

        return np.zeros((0, len(self.choices), POINTS), np.int16)

    def play(self, first: int, samples: int) -> SampledPoints:
        """The points that every choice judged leads to, on the deals from number ``first`` on."""
        number = len(self.seats)
        if number == 1:
            return self._on_deals(0, self.choices, first, samples)
        points, listed = np.zeros((samples, *self.none.shape[1:]), np.int16), self.now.legal
        judged = [listed.index(choice) for choice in self.choices]
        for place, (now, (begins, several)) in enumerate(zip(self.seats, allot(first, samples, number), strict=True)):
            if several:
                played = self._on_deals(place, tuple(now.legal[k] for k in judged), begins, several)
                points[(place - first) % number :: number] = _renumbered(
                    played, now.rules.sides, self.now.side - now.side
                )
        return points

    def _on_deals(self, place: int, choices: tuple[TurnChoice, ...], first: int, samples: int) -> SampledPoints:
        """The points that some choices lead to at one of the seats, on the deals from number ``first`` on."""
        from ..kernel.entries.values import POINTS, run_playouts

        points = np.zeros((samples, len(choices), POINTS), np.int16)
        shows, plays = np.zeros((len(choices), 3), np.uint64), np.array([play for _, play in choices], np.uint64)
        for row, (show, _) in zip(shows, choices, strict=True):
            row[: len(show)] = show
        with playing(self._experiments[place], first, samples, in_turn=True) as (flat, codes, streams, work):
            run_playouts(flat, codes, streams, memory_of(self.seats[place]), shows, plays, work, points)
        return points

    def extend(
        self, points: SampledPoints, samples: int, execution: Execution, on_growth: OnGrowth | None = None
    ) -> tuple[SampledPoints, str]:
        """Continue after ``points`` until there are ``samples``; returns all, and ``samples`` or ``interrupted``."""
        _ = self._experiments, self.choices  # before threads ask for them
        parts, deals = [points], TrialRange(samples, unit="samples", chunk=CHUNK * WITH_ROWS)
        start = Folded(np.zeros(0, np.int64), len(points), "interrupted")
        report = None if on_growth is None else lambda folded: on_growth(parts, folded.done)
        folded = execution.fold(
            deals, lambda *some: (np.zeros(0, np.int64), self.play(*some)), start, report, keep=parts.append
        )
        return np.concatenate(parts), folded.stopped

    # -------------------------------------------------------------------------------------------- judged

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
            solution = solve_turn(self.now, self.holdings, self.score or None, table, self.aim)
            return Advice(self, [], 1, "exact", solution=solution)
        points = self.none if earlier is None else earlier.points
        began, least = time.monotonic(), max(CHUNK, FIRST * FEW // max(points.shape[1], FEW) // CHUNK * CHUNK)
        number = samples or least

        def report(parts: list[SampledPoints], done: int) -> None:
            if on_growth is not None and done > 1:  # one sample has no interval
                on_growth(Advice(self, parts, done, table=table))

        while True:
            points, stopped = self.extend(points, number, execution, report)
            if len(points) < 2:
                raise KeyboardInterrupt  # before there was a result
            advice = Advice(self, [points], len(points), stopped, table)
            if samples is None and stopped != "interrupted":
                elapsed = time.monotonic() - began  # as many again, or as many as the time left is likely to allow
                left = int(len(points) / max(elapsed, 1e-6) * (seconds - elapsed)) // CHUNK * CHUNK
                number = min(2 * len(points), len(points) + max(0, left), MOST)
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
    parts: list[SampledPoints]
    done: int
    stopped: str = "interrupted"
    table: Win | None = None
    solution: Solution | None = None
    gaps: ClassVar[tuple[tuple[int, int], ...]] = ()

    @cached_property
    def points(self) -> SampledPoints:
        return np.concatenate(self.parts)[: self.done]

    @property
    def aim(self) -> str:
        """What choices are ranked by: a solution may have no chances to win."""
        return "points" if self.wins is None else self.problem.aim

    @property
    def choices(self) -> tuple[TurnChoice, ...]:
        """What is judged: all choices, or where there are many those that a first look left."""
        return self.problem.choices if self.solution is None else self.solution.choices

    @cached_property
    def margins(self) -> NDArray[np.float64]:
        """float64[samples, choices]: margins, one row where they are exact."""
        points = self.points if self.solution is None else self.solution.points[None]
        return own_margins(self.problem.now, points)

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
            chances = win_chances(seats[0].side, points, self.problem.score, self.table, now.side == 0)
            wins[place :: len(seats)] = chances
        return wins

    @property
    def values(self) -> NDArray[np.float64]:
        """float64[samples, choices]: what choices are ranked by."""
        return self.margins if self.wins is None or self.aim == "points" else self.wins

    @cached_property
    def ranking(self) -> tuple[JudgedChoice, ...]:
        """The choices, best first."""
        values, margin = self.values, self.margins
        means = list(zip(column_means(values), column_means(margin), strict=True))
        order = sorted(range(len(means)), key=means.__getitem__, reverse=True)
        return tuple(self._judged(place, order[0]) for place in order)

    def _judged(self, place: int, best: int) -> JudgedChoice:
        from ..kernel.entries.values import ENDS, SWEPT

        now, values = self.problem.now, self.values
        choice, sampled = self.choices[place], self.solution is None
        times = self.wider if place == best else 1.0
        gap = estimate(values[:, best] - values[:, place]) if place != best else Estimate(0.0, 0.0, 0.0, 0.0, self.done)
        next_holds = now.held[(now.seat + 1) % now.rules.players] > 0
        seats = self.problem.seats if now.constraints is None else ()
        sweep = [sweep_next(each, choice) for each in seats]
        return JudgedChoice(
            choice,
            stretch(estimate(self.margins[:, place]), times),
            None if self.wins is None else stretch(estimate(self.wins[:, place], 0.0, 1.0), times, 0.0, 1.0),
            stretch(gap, self.wider),
            sum(sweep, Fraction(0)) / len(sweep) if sweep else None,
            self._share(place, SWEPT, 1) if sampled and now.read and next_holds else None,
            reason(now, choice),
            {name: self._share(place, FIRST_END + end, now.side + 1) for end, name in enumerate(ENDS) if sampled},
        )

    def _share(self, place: int, column: int, value: int) -> Estimate:
        """How often a column of the points has a value after a choice, given by its place."""
        return proportion(int((self.points[:, place, column] == value).sum()), len(self.points))

    @cached_property
    def wider(self) -> float:
        """How many times wider than usual the intervals of the best choice and of the gaps behind it are.

        Each of the choices that may be the best, by the interval of its gap, could have come out highest: Bonferroni's
        correction for so many.
        """
        values = self.values
        best = int(np.argmax(column_means(values)))
        gaps = [estimate(values[:, best] - values[:, place]) for place in range(values.shape[1])]
        return NormalDist().inv_cdf(1 - ALPHA / 2 / sum(gap.low <= 0 for gap in gaps)) / Z


def is_separated(values: NDArray[np.float64]) -> bool:
    """Whether the best column is separated from all others, by 95% whatever the number of looks and columns."""
    n, choices = values.shape
    best = int(np.argmax(column_means(values)))
    behind = np.delete(values[:, [best]] - values, best, axis=1)
    if not behind.shape[1]:
        return True
    z = NormalDist().inv_cdf(1 - ALPHA / (LOOKS * (choices - 1)))
    return all(mean * math.sqrt(n) > z * deviation for mean, deviation in map(mean_and_deviation, behind.T.tolist()))


# ------------------------------------------------------------------------------------------------ why a choice is good


def sweep_next(now: HandState, choice: TurnChoice) -> Fraction:
    """The exact chance that the next player can score a scopa on the table a choice leaves.

    Every way of dealing the cards not seen is equally likely, as in ``position``.
    """
    following = now.after(choice)
    last = now.plays_left == 2 and not now.rules.last_card_scopa
    if following is None or last or not following.table:
        return Fraction(0)
    return midhand.chance_to_score(following)


def reason(now: HandState, choice: TurnChoice) -> str:
    """In plain words what a choice shows, what goes into the pile, its own card included, and what it leaves."""
    parts = [_taking(now, choice.play), _leaving(now, choice)]
    if choice.show:
        value = matta_shown(choice.show)
        declared = f" with the matta as {value}" if value else ""
        points = _count(points_shown(choice.show), "point")
        parts.insert(0, f"{points} for the set{'s' if len(choice.show) > 1 else ''}{declared}")
    return "; ".join(parts)


_DIAMONDS = 0b1111111111 << 10
_SETTEBELLO = 1 << cards.SETTEBELLO
_SEVENS = cards.mask(range(6, 40, 10))


def _taking(now: HandState, play: int) -> str:
    got = captured(play)
    if not got:
        return "takes nothing"
    got |= 1 << card_of(play)
    parts = (["the settebello"] if got & _SETTEBELLO else []) + _melds(now, got)
    diamonds = (got & _DIAMONDS & ~_SETTEBELLO).bit_count()
    sevens = (got & _SEVENS & ~_SETTEBELLO).bit_count()
    others = got.bit_count() - diamonds - sevens - (got & _SETTEBELLO).bit_count()
    counted = [_count(diamonds, "diamond"), _count(sevens, "seven"), _count(others, "other card")]
    parts += [words for words in counted if words]
    if others == got.bit_count():
        parts[-1] = _count(others, "card")
    return f"{'scopa; ' if is_scopa_play(play) else ''}into the pile: {', '.join(parts)}"


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'s' if number > 1 else ''}" if number else ""


def _melds(now: HandState, got: int) -> list[str]:
    """La piccola or la grande, where a capture makes it or makes it longer."""
    from ..kernel.entries.rules import flat_rules

    flat = flat_rules(now.rules)
    mine = now.piles[now.side]
    before, after = ((mask & _DIAMONDS) >> 10 for mask in (mine, mine | got))
    melds = [("la piccola", flat.piccola), ("la grande", flat.grandes)]
    return [
        f"{name} (+{int(points[after] - points[before])})" for name, points in melds if points[after] > points[before]
    ]


def _leaving(now: HandState, choice: TurnChoice) -> str:
    following = now.after(choice)
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
    if not (chance := sweep_next(now, choice)):
        return f"{what}, which the next player cannot sweep"
    sweepers = midhand.sweepers(following)
    # Those that lie open, or may be held, or are what a knock can declare the matta as
    lying = following.known[(following.seat + 1) % following.rules.players]
    by = sweepers & lying or sweepers & following.unseen or sweepers
    ranks = [rank for k, rank in enumerate(cards.RANKS) if any(by >> (10 * suit + k) & 1 for suit in range(4))]
    return f"{what}, {'surely ' if chance == 1 else ''}swept by {' or '.join(ranks)}"
