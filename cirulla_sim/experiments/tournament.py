"""Every policy against every other on the same deals with sides exchanged: what is played, and the table of it.

Of two sides each policy takes the one and then the other. Of more sides, each alone, each policy in turn is alone
against the other in every place. Either way the deals' luck falls on both alike, and the unit of the statistics is the
deal: the mean over all its arrangements.

Scores of a pairing are int16[deals, arrangements, sides + 2]: the points of each side, the dealer's last; the sides
that won the game outright, as bits; the tables dealt again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from operator import mul
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.signals import note_signals
from ..engine.chunks import play_chunk, row_names, try_policy
from ..engine.engines import executor, run_in_order
from ..engine.policies import POLICIES
from ..engine.trials import Experiment, game_after
from ..engine.user_policies import is_plain
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..situation.hand import won_outright
from ..stats.decisions import holm
from ..stats.distributions import tukey_p, tukey_quantile
from ..stats.estimates import Estimate, Z, mean, share_interval, stretch, student, two_sided
from ..stats.sequential import Sequential, at_any_stop, looks
from ..storage.tables import SCHEMA, estimate_row
from .runner import Execution
from .tally import ONE, Row, Tally, WholeNumbers

Scores = NDArray[np.int16]

BLOCK, BLOCKS, GAP = 64, 256, 16
"""Whole games are counted in blocks: the fewest deals of a block, and the most blocks. The last deals of a block
begin no game, so that those going on into the next block share few deals with its own."""

LONGEST = 10_000
"""Hands after which a game without an end is given up: only rules that give no points have such games."""

_SHARES = math.lcm(2, 3)
"""Parts a won game is cut in, since misdeals can win it for up to three sides at once."""

_SHARE_OF = np.array([_SHARES // max(1, winners.bit_count()) for winners in range(1 << 4)])
"""The parts each winner has, by the winners as bits."""


def all_pairs(policies: tuple[str, ...]) -> list[tuple[str, str]]:
    """Every policy against every later one.

    >>> all_pairs(("a", "b", "c"))
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    return list(combinations(policies, 2))


def arrangements(sides: int, policy: str, opponent: str) -> list[tuple[str, ...]]:
    """Who plays each side, the dealer's last, in each arrangement of a deal.

    >>> arrangements(2, "a", "b")
    [('a', 'b'), ('b', 'a')]
    >>> ["".join(seats) for seats in arrangements(3, "a", "b")]
    ['abb', 'bab', 'bba', 'baa', 'aba', 'aab']
    """
    alone = [(policy, opponent)] if sides == 2 else [(policy, opponent), (opponent, policy)]
    return [tuple(lone if side == at else rest for side in range(sides)) for lone, rest in alone for at in range(sides)]


def play_deals(experiment: Experiment, first: int, hands: int) -> Scores:
    """The scores of some deals in one arrangement, int16[hands, sides + 2]."""
    rules, rows = experiment.rules, play_chunk(experiment, first, hands, rows=True)[1]
    column = {name: rows[:, number] for number, name in enumerate(row_names(rules))}
    dealer, everybody = 1 << rules.dealer_side, (1 << rules.sides) - 1
    outright = np.array([0, dealer, everybody - dealer], np.int16)[column["won_at_deal"]]
    totals, cappotti = (
        np.array([column[f"side{side}_{name}"] for side in range(rules.sides)]) for name in ("total", "cappotto")
    )
    outright = outright | (1 << np.arange(rules.sides)) @ won_outright(rules, totals, cappotti)
    return np.column_stack([*(rules.pays * totals), outright, column["misdeals"]])


# ------------------------------------------------------------------------------------------------ margins


def deal_margins(scores: Scores, dealer: bool | None = None) -> tuple[WholeNumbers, float]:
    """The first policy's points less the second's on each deal, as whole numbers, and their unit in points.

    The mean of its sides less the mean of the others', averaged over the arrangements: all of them, or those in which
    it has the dealer's side (``dealer``), or has it not.
    """
    sides = scores.shape[2] - 2
    seats = np.array([[name == "a" for name in row] for row in arrangements(sides, "a", "b")])
    weights = np.where(
        seats, (sides - 1) // seats.sum(1, keepdims=True), -((sides - 1) // (~seats).sum(1, keepdims=True))
    )
    if dealer is not None:
        weights = weights * (seats[:, -1:] == dealer)
    counted = len(seats) if dealer is None else len(seats) // 2
    return _weighed(scores, weights), 1 / ((sides - 1) * counted)


def dealer_advantages(scores: Scores) -> tuple[WholeNumbers, float]:
    """The dealer's side's points less the mean of the others' on each deal, and their unit in points."""
    sides = scores.shape[2] - 2
    weights = np.full((scores.shape[1], sides), -1)
    weights[:, -1] = sides - 1
    return _weighed(scores, weights), 1 / ((sides - 1) * scores.shape[1])


def _weighed(scores: Scores, weights: NDArray[Any]) -> WholeNumbers:
    total = np.zeros(len(scores), np.int64)
    for arrangement, row in enumerate(weights.tolist()):
        for side, weight in enumerate(row):
            total += weight * scores[:, arrangement, side].astype(np.int64)
    return total


def mean_of(numbers: WholeNumbers, unit: float) -> Estimate:
    """The mean over deals, with Student's interval: sides exchanged, numbers are about as far above it as below."""
    tally, x = Tally.of(numbers=numbers), {"numbers": 1}
    plain = mean(tally.sum(x), tally.product(x, x), tally.trials, unit)
    return plain if plain.std_error else tally.mean(x, -math.inf, scale=unit)


# ------------------------------------------------------------------------------------------------ hands and games won


def lone_scores(scores: Scores, second: bool = False) -> Scores:
    """The arrangements in which the first policy (or the second) is alone, by the side it has."""
    sides = scores.shape[2] - 2
    return scores[:, ::-1] if second and sides == 2 else scores[:, sides * second :][:, :sides]


def share_of_hands(own: Scores) -> Estimate:
    """The share of hands in which the one that is alone has more points than any other side.

    ``own`` is int16[deals, sides, sides + 2], by its side, as from ``lone_scores``.
    """
    sides = own.shape[1]
    wins = np.zeros(len(own), np.int64)
    for side in range(sides):
        rest = [other for other in range(sides) if other != side]
        wins += own[:, side, side] > own[:, side, rest].max(axis=1)
    return Tally.of(wins=wins).ratio({"wins": 1}, {ONE: sides})


def game_chance(own: Scores, rules: Rules) -> Estimate:
    """The chance that the one that is alone wins a game, from games of hands that follow one another.

    The deal passes on from hand to hand, so each hand of a game is taken from the arrangement of the place that has
    come to the one that is alone; it begins in every place. Games are counted by blocks of deals: one after the other
    from the first deal of the block on. The last that begins in it is counted wherever it ends, so that short games are
    not counted more often than they come. The standard error is taken between blocks. ``n`` is the number of games.
    Ties after the last hand are played on, or where the rules let them stand won by nobody. Each game of a match counts
    for itself.
    """
    games, wins = _games_by_block(own, rules)
    share, number = Tally.of(wins=wins, games=games).ratio({"wins": 1}, {"games": _SHARES}), int(games.sum())
    if number and not 0 < share.std_error < math.inf:
        low, high = share_interval(share.value, number if len(games) > 1 else number / own.shape[1])
        return replace(share, low=low, high=high, n=number)
    return replace(share, n=number)


def _games_by_block(own: Scores, rules: Rules) -> tuple[WholeNumbers, WholeNumbers]:
    """Games begun in each block of deals, and parts of games won in them."""
    deals, sides = len(own), own.shape[1]
    size = max(BLOCK, -(-deals // BLOCKS))
    starts = np.arange(0, deals, size)
    at = np.repeat(starts[:, None], sides, axis=1)  # the next deal of each block's games, by the place first held
    stop = np.minimum(starts + size, deals)[:, None] - GAP
    place = np.repeat(np.arange(sides)[None], len(starts), axis=0)
    points = np.zeros((*at.shape, sides), np.int64)  # by seat from the one that is alone on
    played, games, wins = np.zeros_like(at), np.zeros_like(at), np.zeros_like(at)
    active = np.ones(at.shape, bool)
    for _ in range(LONGEST):
        deal = at % deals
        if rules.misdeal_dealer == "next":
            place = (place - own[deal, place, sides + 1]) % sides
        for seat in range(sides):
            points[..., seat] += own[deal, place, (place + seat) % sides]
        at, played = at + 1, played + 1
        ends, leader = game_after(rules, rules.pays * points, played)
        ends = ends & ((leader >= 0) | rules.drawn_games)
        outright = own[deal, place, sides]
        share = np.where(leader == 0, _SHARES, 0)
        share = np.where(outright > 0, (outright >> place & 1) * _SHARE_OF[outright], share)
        ends = (ends | (outright > 0)) & active
        games += ends
        wins += np.where(ends, share, 0)
        points[ends], played[ends] = 0, 0
        active &= ~(ends & (at >= stop))
        if not active.any():
            break
        place = (place - 1) % sides
    return games.sum(axis=1), wins.sum(axis=1)


MIN_HANDS, MAX_HANDS = 20, 10**7

Pair = tuple[str, str]


def ladder() -> tuple[str, ...]:
    """The policies that compete if none are named: all that do not see hidden cards."""
    return tuple(name for name, entry in POLICIES.items() if "sees_all" not in entry)


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
            text = "--policy {named}: a tournament requires at least two policies (of {names})"
            raise InputError(text, " ".join(map(repr, self.policies)), POLICIES)
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
    """The scores of each pairing, its verdict if it is decided, and why all ended.

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
        self.live = all_pairs(plan.policies)
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
            numbers, unit = deal_margins(self.scores[pair][at:until])
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
    measured = [deal_margins(scores) for scores in played.scores.values()]
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
            numbers, unit = deal_margins(scores, None if dealer is None else dealer != second)
            margin = points(sign * numbers, unit)
            error = wider * margin.std_error
            p = two_sided(margin.value, error, margin.n - 1) if error or margin.value else 1.0
            yield _row(policy, opponent, "margin", "difference", margin, side) | {
                "p_holm": p if side == "all" else None
            }
        won = lone_scores(scores, second)
        yield _row(policy, opponent, "wins_hand", "share", stretch(share_of_hands(won), wider, 0, 1))
        if games:
            chance = stretch(game_chance(won, plan.rules), wider, 0, 1)
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
