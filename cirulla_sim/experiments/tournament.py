"""Every policy against every other on the same deals with sides exchanged: what is played, and the table of it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from operator import mul
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.signals import note_signals
from ..engine.chunks import play_chunk, try_policy
from ..engine.engines import executor, run_in_order
from ..engine.policies import NAMES
from ..engine.trials import Experiment
from ..engine.user_policies import is_plain
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..stats.decisions import holm
from ..stats.distributions import tukey_p, tukey_quantile
from ..stats.estimates import Estimate, Z, stretch, student, two_sided
from ..stats.sequential import Sequential, at_any_stop, looks
from ..storage.tables import SCHEMA, estimate_row
from .duplicate import (
    Scores,
    alone,
    arrangements,
    dealer_advantages,
    games_won,
    hands_won,
    margins,
    mean_of,
    pairings,
    play_deals,
)
from .runner import Execution
from .tally import Row, WholeNumbers

APART = ("open",)
"""No opponents unless they are named: policies that see hidden cards."""

MIN_HANDS, MAX_HANDS = 20, 10**7

Pair = tuple[str, str]


def ladder() -> tuple[str, ...]:
    """The policies that compete if none are named: all that play fair, and against anybody."""
    return tuple(name for name in NAMES if name not in APART)


@dataclass(frozen=True)
class Plan:
    """Which policies meet, on how many deals a pairing, and the ``test`` that ends a pairing when it is decided.

    Raises ``InputError`` for fewer than two policies, an unknown one, and numbers out of range.
    """

    rules: Rules
    policies: tuple[str, ...]
    hands: int = 100_000
    seed: int = 1
    first: int = 0
    constraints: DealConstraints | None = None
    test: Sequential | None = None

    def __post_init__(self) -> None:
        for name in self.policies:
            self.experiment((name,))
        if len(self.policies) < 2:
            named = " ".join(map(repr, self.policies))
            raise InputError("--policy {named}: a tournament requires at least two policies (of {names})", named, NAMES)
        if not MIN_HANDS <= self.hands <= MAX_HANDS:
            raise InputError(
                "hands {hands!r} is not valid (valid: {least} to {most:_} deals a pairing)",
                self.hands, MIN_HANDS, MAX_HANDS,
            )  # fmt: skip

    def experiment(self, policies: tuple[str, ...]) -> Experiment:
        """The hands that some policies play, one for all sides or one a side."""
        return Experiment(self.rules, policies, self.hands, self.seed, self.first, self.constraints)


@dataclass(frozen=True)
class PlayedPairings:
    """The scores of each pairing (see ``duplicate``), its verdict if it is decided, and why all ended.

    ``stopped`` is ``hands`` (all deals were played), ``decided`` (every pairing was, before that) or ``interrupted``.
    """

    scores: Mapping[Pair, Scores]
    verdicts: Mapping[Pair, str | None]
    stopped: str
    gaps: tuple[tuple[int, int], ...] = ()
    """None: games are counted from deals in their order."""

    @property
    def done(self) -> int:
        """The deals of the pairing that has most."""
        return max(map(len, self.scores.values()), default=0)

    @property
    def least(self) -> int:
        """The deals of the pairing that has fewest."""
        return min(map(len, self.scores.values()), default=0)


PART_SECONDS = 0.05
"""How long a part of the work should take: so soon is Ctrl-C noticed."""

FEWEST = 2
"""Deals of every pairing that a table requires."""

_MEASURED_SECONDS = 0.02


def seconds_a_hand(rules: Rules, policy: str) -> float:
    """Processor time of a hand in which every side plays a policy: measured, so never twice the same."""
    if is_plain(policy):
        return try_policy(rules, policy).seconds
    experiment, hands = Experiment(rules, (policy,)), 1
    play_chunk(experiment, 0, 1)
    while True:
        start = time.thread_time()
        play_chunk(experiment, 0, hands)
        spent = time.thread_time() - start
        if spent >= _MEASURED_SECONDS:
            return spent / hands
        hands *= 2 if spent > _MEASURED_SECONDS / 8 else 8


def play_all(
    plan: Plan,
    costs: Mapping[str, float],
    execution: Execution,
    earlier: Mapping[Pair, Scores] | None = None,
    on_growth: Callable[[PlayedPairings], None] = lambda played: None,
) -> PlayedPairings:
    """Play all pairings on the same deals; the same scores for any engine and number of threads.

    ``costs``, seconds a hand by policy, only set how much a thread gets at once. ``earlier`` are the scores of the
    first deals of each pairing: those are not played again, and a test looks at them as if they just had been. Ctrl-C
    ends it: the deals that all pairings have played stay, and all ``earlier`` ones.

    Raises ``KeyboardInterrupt`` if a pairing then has fewer than two.
    """
    pairs = _Pairings(plan, earlier or {})
    far = 40 if execution.engine.startswith("dask") else 1  # times as much where each part takes a message
    seconds = max(costs.values())
    size = max(1, min(far << 14, int(far * PART_SECONDS / seconds)))
    ready, at = partial(play_deals, plan.experiment(plan.policies[:1]), 0, 1), 0
    seats, held = pairs.seats, pairs.earlier
    done = sum(len(seats[pair]) * held[pair] for pair in seats)
    with (
        note_signals() as interrupted,
        executor(execution.engine, execution.threads, ready, interrupted) as (pool, most),
        execution.watch.following(sum(map(len, seats.values())) * plan.hands, done, "hands"),
    ):
        for until in (plan.hands,) if plan.test is None else looks(plan.hands):
            parts, ended = list(pairs.parts(at, until, size)), 0
            works = (
                partial(
                    play_deals, plan.experiment(seats[part.pair][part.arrangement]), plan.first + part.first,
                    part.end - part.first,
                )
                for part in parts
            )  # fmt: skip
            for ended, scores in enumerate(run_in_order(works, pool, most, interrupted), 1):
                part = parts[ended - 1]
                pairs.scores[part.pair][part.first : part.end, part.arrangement] = scores
                done += part.end - part.first
                execution.watch.played(done)
                if ended < len(parts) and (state := pairs.up_to(parts[ended].start)).least >= FEWEST:
                    on_growth(state)
            if ended < len(parts):
                if (state := pairs.up_to(parts[ended].start)).least < FEWEST:
                    raise KeyboardInterrupt
                return state
            if plan.test is not None:
                done += pairs.look(plan.test, at, until)
                execution.watch.played(done)
            at = until
            if not pairs.live:
                break
    return replace(pairs.up_to(at), stopped="hands" if pairs.live else "decided")


class _DealRange(NamedTuple):
    """A part of the work: deals ``first`` to ``end - 1`` in one arrangement of a pairing.

    Before it, all pairings have played the deals up to ``start``.
    """

    pair: Pair
    arrangement: int
    start: int
    first: int
    end: int


class _Pairings:
    """All pairings as they are played."""

    def __init__(self, plan: Plan, earlier: Mapping[Pair, Scores]) -> None:
        self.plan = plan
        self.live = pairings(plan.policies)
        self.scores: dict[Pair, Scores] = {}
        self.seats = {pair: arrangements(plan.rules.sides, *pair) for pair in self.live}
        self.earlier = {pair: len(earlier.get(pair, ())) for pair in self.live}
        self._decided_at: dict[Pair, int] = {}
        self._verdicts: dict[Pair, str | None] = dict.fromkeys(self.live)
        self._sums = dict.fromkeys(self.live, (0, 0))
        for pair, seats in self.seats.items():
            shape = (plan.hands, len(seats), plan.rules.sides + 2)
            self.scores[pair] = np.zeros(shape, np.int16)
            self.scores[pair][: self.earlier[pair]] = earlier.get(pair, 0)

    def parts(self, at: int, until: int, size: int) -> Iterator[_DealRange]:
        """The parts of deals ``at`` to ``until - 1`` that are still to be played."""
        for start in range(at, until, size):
            end = min(start + size, until)
            for pair in self.live:
                if self.earlier[pair] < end:
                    for arrangement in range(len(self.seats[pair])):
                        yield _DealRange(pair, arrangement, start, max(start, self.earlier[pair]), end)

    def up_to(self, deal: int) -> PlayedPairings:
        """The deals before one that all pairings have played, and the earlier ones."""
        scores = {
            pair: own[: self._decided_at.get(pair, max(deal, self.earlier[pair]))] for pair, own in self.scores.items()
        }
        return PlayedPairings(scores, dict(self._verdicts), "interrupted")

    def look(self, test: Sequential, at: int, until: int) -> int:
        """Test each pairing with the deals from ``at`` to ``until`` added; how many hands need not be played now."""
        spared = 0
        for pair in tuple(self.live):
            numbers, unit = margins(self.scores[pair][at:until])
            total, squares = self._sums[pair]
            total, squares = total + int(numbers.sum()), squares + int(numbers @ numbers)
            self._sums[pair] = total, squares
            self._verdicts[pair] = test.verdict(until, total * unit / until, squares * unit**2 / until)
            if self._verdicts[pair] is not None:
                self.live.remove(pair)
                self._decided_at[pair] = until
                spared += (self.plan.hands - max(until, self.earlier[pair])) * len(self.seats[pair])
        return spared


@dataclass(frozen=True)
class Ranking:
    """One strength for each policy, in points a hand, mean zero; ``covariance`` is that of the strengths."""

    strengths: NDArray[np.float64]
    covariance: NDArray[np.float64]

    @property
    def order(self) -> list[int]:
        """The policies' places in the list, strongest first."""
        return [int(place) for place in np.argsort(-self.strengths, kind="stable")]


def rank(policies: Sequence[str], played: PlayedPairings) -> Ranking:
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
    signs = [[(name == policy) - (name == opponent) for policy, opponent in pairs] for name in policies]
    strengths = [math.fsum(map(mul, row, means.tolist())) / len(policies) for row in signs]
    of_margins = covariance.tolist()
    shared = [[math.fsum(x * math.fsum(map(mul, b, row)) for x, row in zip(a, of_margins, strict=True)) for b in signs]
              for a in signs]  # fmt: skip
    return Ranking(np.array(strengths), np.array(shared) / len(policies) ** 2)


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
        shared = ranking.covariance[[one, other, one], [one, other, other]].tolist()
        error = math.sqrt(max(0.0, math.fsum(map(mul, (1, 1, -2), shared))))
        errors_apart = value / error if error else math.inf if value else 0.0
        estimate = Estimate(value, error, value - reach * error, value + reach * error, deals)
        yield Gap(one, other, estimate, tukey_p(errors_apart / wider, count, deals - 1))


COLUMNS = {"policy": pl.String, "opponent": pl.String, **SCHEMA, "p_holm": pl.Float64, "p_tukey": pl.Float64}
"""The columns of a tournament. ``p_holm`` is the p-value of a margin over all hands, corrected for all pairings;
``p_tukey`` that of a gap between two strengths, which is at most 5% where its simultaneous interval leaves out 0."""


def result_table(plan: Plan, played: PlayedPairings, games: bool = True) -> pl.DataFrame:
    """The rows of all pairings, and the ranking; to count ``games`` takes long."""
    rows = [*_corrected(_pairing_rows(plan, played, games)), *_ranking_rows(plan, played)]
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def _row(
    policy: str | None, opponent: str | None, quantity: str, kind: str, estimate: Estimate, side: str = "all",
    per: str = "hand",
) -> Row:  # fmt: skip
    named = {"policy": policy, "opponent": opponent, "p_holm": None, "p_tukey": None}
    return named | estimate_row(quantity, per, side, kind, estimate)


def _pairing_rows(plan: Plan, played: PlayedPairings, games: bool) -> Iterator[Row]:
    for policy, opponent in ((a, b) for a in plan.policies for b in plan.policies if a != b):
        second = (policy, opponent) not in played.scores
        pair = (opponent, policy) if second else (policy, opponent)
        scores, wider, sign = played.scores[pair], _wider(played, pair), -1 if second else 1

        def points(numbers: WholeNumbers, unit: float, wider: float = wider) -> Estimate:
            return stretch(mean_of(numbers, unit), wider)

        for side, dealer in (("all", None), ("dealer", True), ("others", False)):
            numbers, unit = margins(scores, None if dealer is None else dealer != second)
            margin = points(sign * numbers, unit)
            error = wider * margin.std_error
            p = two_sided(margin.value, error, margin.n - 1) if error or margin.value else 1.0
            yield _row(policy, opponent, "margin", "difference", margin, side) | {
                "p_holm": p if side == "all" else None
            }
        won = alone(scores, second)
        yield _row(policy, opponent, "wins_hand", "share", stretch(hands_won(won), wider, 0, 1))
        if games:
            chance = stretch(games_won(won, plan.rules), wider, 0, 1)
            yield _row(policy, opponent, "wins_game", "probability", chance, per="game")
        if not second:
            advantage = points(*dealer_advantages(scores))
            yield _row(policy, opponent, "dealer_advantage", "difference", advantage, "dealer")


def _corrected(rows: Iterable[Row]) -> list[Row]:
    """Rows with their p-values corrected by Holm; the two rows of a pairing are one test."""
    rows = list(rows)
    plain = {frozenset((row["policy"], row["opponent"])): row["p_holm"] for row in rows if row["p_holm"] is not None}
    corrected = dict(zip(plain, holm(list(plain.values())), strict=True))
    return [
        row | {"p_holm": corrected[frozenset((row["policy"], row["opponent"]))]} if row["p_holm"] is not None else row
        for row in rows
    ]


def _wider(played: PlayedPairings, pair: Pair) -> float:
    """How many times wider than usual the intervals of a pairing are: where the test ended it they hold at any stop."""
    return at_any_stop(len(played.scores[pair])) / Z if played.verdicts.get(pair) else 1.0


def _ranking_rows(plan: Plan, played: PlayedPairings) -> Iterator[Row]:
    """Strengths, strongest first, and the gaps between all of them with simultaneous intervals."""
    ranking, names = rank(plan.policies, played), plan.policies
    wider = max(_wider(played, pair) for pair in played.scores)
    half = student(played.least - 1) * wider
    for place in ranking.order:
        value, error = float(ranking.strengths[place]), math.sqrt(max(0.0, ranking.covariance[place, place]))
        strength = Estimate(value, error, value - half * error, value + half * error, played.done)
        yield _row(names[place], None, "strength", "mean", strength)
    for gap in gaps(ranking, played.least, wider):
        row = _row(names[gap.stronger], names[gap.weaker], "strength_gap", "difference", gap.estimate)
        yield row | {"p_tukey": gap.p}
