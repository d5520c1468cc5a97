"""The chance to win a game from a score, by the chain of scores.

Scores are a Markov chain, with hands' points as simulation finds them. The state is our score, theirs, and who deals; a
hand adds points to both and passes the deal on. From the highest scores down each chance is a sum over the possible
hands. Where a hand may bring no points, the two chances of a score are solved for together. So the chain adds no error
of its own to that of the joint distribution of the points.

Two sides only: with three the states are too many for a table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.messages import Message
from ..engine import policies
from ..engine.chunks import play_chunk, prepare_play, row_names, workspace
from ..engine.engines import Folded
from ..engine.trials import Experiment, Games, check_score, fingerprint
from ..ruleset.rules_model import Rules
from ..ruleset.scoring import most
from ..situation.constraints import DealConstraints
from ..situation.hand import won_outright
from ..situation.notation import Situation
from ..situation.people import seat_of
from ..stats.estimates import Estimate, Z, share_interval, student
from ..storage.request import Request
from ..storage.tables import SCHEMA, estimate_row
from .checkpoints import TALLY, Checkpoint, merge_files, pack
from .runner import Execution, Job

BATCHES = 20
"""Batches of hands, every twentieth hand in each. Each gives its own table; their spread gives the standard errors."""

HANDFUL = 5
"""So few hands of a sample give no standard error by batches."""

WE, THEY = 0, 1


@dataclass(frozen=True)
class Expectancy:
    """The chances to win from every score, and how sure they are.

    ``chances`` is float64[2, S, S]: by who deals (``WE`` or ``THEY``), our score and theirs; S is above the target plus
    the most points a hand has brought. Where somebody has reached the target it is 1, 0, or in a tie the chance of
    playing on. ``batches`` is float64[batches, 2, S, S], the same from one part of the hands each.
    """

    rules: Rules
    hands: int
    chances: NDArray[np.float64]
    batches: NDArray[np.float64]

    def std_errors(self) -> NDArray[np.float64]:
        """float64[2, S, S]: the standard errors, from the spread of the batches; infinite where there is but one."""
        count = len(self.batches)
        if count < 2:
            return np.full_like(self.chances, np.inf)
        mean = sum(self.batches) / count  # batch by batch, in the same order on every machine
        return np.asarray(np.sqrt(sum((part - mean) ** 2 for part in self.batches) / (count - 1) / count))

    def intervals(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The ends of the 95% intervals, float64[2, S, S] each.

        Those of shares for the number of independent games with the same standard error, with Student's quantile for
        the batches. Where a chance or its opposite depends on a handful of hands, the batches give no error: there the
        number of games is at most that of the hands, so that what none of them brings about is not called impossible.
        """
        p, n = self.chances, self.hands
        error = self.std_errors() * student(len(self.batches) - 1) / Z
        alike = np.full_like(p, n)
        np.divide(p * (1 - p), error**2, out=alike, where=(error > 0) & (p > 0) & (p < 1))
        games = np.where(n * p * (1 - p) < HANDFUL, np.minimum(alike, n), alike)
        ends = np.array(
            [share_interval(*some) for some in zip(p.ravel().tolist(), games.ravel().tolist(), strict=True)]
        )
        low, high = ends.T.reshape(2, *p.shape)
        return low, high

    def chance(self, us: int, them: int, to_deal: Sequence[int]) -> Estimate:
        """The chance to win from a score at which the game goes on, with some to deal next, each as likely."""
        several, score = list(to_deal), np.s_[us : us + 1, them : them + 1]
        mean = replace(
            self,
            chances=np.asarray(sum(self.chances[several]) / len(several))[None, *score],
            batches=np.asarray(sum(self.batches[:, dealer] for dealer in several) / len(several))[:, None, *score],
        )
        value, error, low, high = (table.item() for table in (mean.chances, mean.std_errors(), *mean.intervals()))
        return Estimate(value, error, low, high, self.hands)


AIMED_BY = "careful"
"""The policy whose hands give the chances that policies aim by and that advice shows."""

AIMING_HANDS, COURSES = 100_000, 30_000
"""Its hands for the chances between hands, and for those within a hand."""


@cache
def between_hands(rules: Rules, engine: str = "threads", threads: int | None = None) -> NDArray[np.float64]:
    """The chances to win from every score when hands are played by ``careful``: float64[2, S, S], see ``Expectancy``.

    Raises ``InputError`` as ``measure_chances`` does.
    """
    return measure_chances(rules, (AIMED_BY,), AIMING_HANDS, engine=engine, threads=threads).chances


_BELOW, _ABOVE = 64, 128
"""The most points below 0 and above the target that a hand leads to; tables have half of the latter."""


@cache
def aiming_table(rules: Rules) -> NDArray[np.float32]:
    """The chances as ``policies.Workspace`` wants them: float32[plays + 1, S, S], of the side that deals the next hand.

    Entry (n, a, b) is for n plays left of this hand, a points of that side and b of the other, counting what its pile
    is worth then. With none left it is the chance between two hands. Before, it is the mean of that over what was still
    to come in hands of ``careful`` play: the points of both sides together, since what one takes the other lacks.

    Raises ``InputError`` as ``measure_chances`` does.
    """
    from ..kernel.entries.values import run_courses
    from ..kernel.game.streams import batch

    after = _beyond(rules, between_hands(rules))
    flat, codes, work = prepare_play(Experiment(rules, (AIMED_BY,), COURSES))
    courses = np.zeros((COURSES, 41 - rules.table_cards, 2), np.float32)  # what either side could count on
    courses = courses[: run_courses(flat, codes, batch(1, 0, COURSES), workspace().mind, work, courses)]
    size = rules.target + _ABOVE // 2
    inside = np.s_[_BELOW : _BELOW + size, _BELOW : _BELOW + size]
    table = np.zeros((courses.shape[1], size, size), np.float32)
    table[0] = after[inside]
    spectrum = np.fft.rfft2(after)
    for left in range(1, len(table)):
        to_come = np.fft.rfft2(_spread(courses[:, 0] - courses[:, left], len(after)))
        table[left] = np.fft.irfft2(spectrum * to_come.conj(), after.shape)[inside]
    return np.clip(table, 0, 1)


def with_aim(games: Games) -> Games:
    """The same games with the chances that policies aim by, where any policy aims at the game.

    Raises ``InputError`` as ``measure_chances`` does.
    """
    if not any(policies.parse_policy(name).aims for name in games.side_policies):
        return games
    return replace(games, win=aiming_table(games.rules))


def aiming_at_the_end(rules: Rules, chances: NDArray[np.float64]) -> NDArray[np.float32]:
    """The first entry of ``aiming_table``, float32[1, S, S], from chances as ``Expectancy`` has them."""
    size = rules.target + _ABOVE // 2
    return _beyond(rules, chances)[None, _BELOW : _BELOW + size, _BELOW : _BELOW + size].astype(np.float32)


def _beyond(rules: Rules, chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance of the side that deals next at any two scores from ``-_BELOW`` to ``_ABOVE`` above the target."""
    points = np.arange(-_BELOW, rules.target + _ABOVE)
    at = np.clip(points, 0, rules.target)
    after: NDArray[np.float64] = chances[WE][np.ix_(at, at)]
    over = np.maximum.outer(points, points) >= rules.target
    after[over & np.not_equal.outer(points, points)] = 0
    after[over & np.greater.outer(rules.pays * points, rules.pays * points)] = 1
    return after


def _spread(points: NDArray[np.float32], size: int) -> NDArray[np.float64]:
    """float64[size, size]: how often so many points of either side come, those below 0 at the end.

    Parts of points are shared out between the whole numbers on either side of them.
    """
    whole = np.floor(points).astype(int)
    part = points - whole
    shares = np.zeros((size, size))
    for mine, theirs in product((0, 1), repeat=2):
        weight = abs(1 - mine - part[:, 0]) * abs(1 - theirs - part[:, 1])
        np.add.at(shares, ((whole[:, 0] + mine) % size, (whole[:, 1] + theirs) % size), weight)
    return shares / len(points)


def measure_chances(
    rules: Rules,
    policies: tuple[str, ...] = ("greedy",),
    hands: int = 1_000_000,
    seed: int = 1,
    *,
    known: tuple[DealConstraints | None, DealConstraints | None] = (None, None),
    engine: str = "threads",
    threads: int | None = None,
) -> Expectancy:
    """Play hands with either side dealing and solve the chain of their points.

    With constraints on the next hand, ``known`` if we deal it and if they do, as many such hands are played, and the
    chances are those before it.

    Raises ``InputError`` for rules whose games are no such chain (see ``check``), and if a tie at the target can never
    be broken.
    """
    dealt = either_deals(rules, policies, hands, seed, known)
    played = Execution(engine, threads).fold(dealt[0], partial(count_outcomes, dealt), NOTHING)
    if played.stopped == "interrupted":
        raise KeyboardInterrupt
    return solve_hands(dealt, played)


def either_deals(
    rules: Rules,
    policies: tuple[str, ...],
    hands: int,
    seed: int,
    known: tuple[DealConstraints | None, DealConstraints | None] = (None, None),
    first: int = 0,
) -> tuple[Experiment, ...]:
    """The hands that we deal, and those that they deal where these are played otherwise; then those with known cards.

    ``first`` is the number of the first of so many. Raises ``InputError`` as ``check`` and ``Experiment`` do.
    """
    check_win_table(rules)
    ours, theirs = policies if len(policies) == 2 else (policies[0], policies[0])
    we_deal = Experiment(rules, (theirs, ours), hands, seed, first)
    they_deal = replace(we_deal, policies=(ours, theirs))
    chain = (we_deal,) if ours == theirs and known[0] == known[1] else (we_deal, they_deal)
    if known == (None, None):
        return chain
    return (*chain, *(replace(dealt, constraints=some) for dealt, some in zip(chain, known, strict=False)))


def solve_hands(dealt: Sequence[Experiment], played: Folded[Outcomes]) -> Expectancy:
    """The chances by the hands of ``either_deals``.

    Raises ``InputError`` if they never break a tie at the target.
    """
    rules, conditional = dealt[0].rules, dealt[-1].constraints is not None
    of_chain = len(dealt) // 2 if conditional else len(dealt)
    chances, *batches = [solve_chain(rules.target, part) for part in _by_who_is_to_deal(played, of_chain, rules)]
    if not np.isfinite(chances).all():
        raise InputError(
            "target {target!r}: in {hands:_} hands nothing has broken a tie (play more hands)",
            rules.target, played.done,
        )  # fmt: skip
    if conditional:
        first = _by_who_is_to_deal(played, of_chain, rules, of_chain)
        chances, *batches = [
            chances_before(after, part, rules.target) for after, part in zip((chances, *batches), first, strict=True)
        ]
    finite = [part for part in batches if np.isfinite(part).all()]
    if rules.lowest_wins:  # of more points the chance is what the chain has
        chances, finite = 1 - chances, [1 - part for part in finite]
    return Expectancy(rules, played.done, np.clip(chances, 0, 1), np.array(finite))  # sums of shares round above 1


def why_no_chain(rules: Rules) -> str:
    """Why there is no chain of scores; empty where there is one."""
    if rules.sides != 2:
        return Message("the chain of scores is for two sides")
    if rules.hands_per_game is not None:
        return Message("the chain of scores is for a target")
    return Message("the chain of scores has no knock-out") if rules.knockout_tiebreak else ""


def check_win_table(rules: Rules) -> None:
    """Raise ``InputError`` unless games are won by points at a target between two sides, ties played on."""
    if why := why_no_chain(rules):
        raise InputError("{why} (valid: two sides, a target, ties played on)", why)


# ------------------------------------------------------------------------------------------------ the hands

# A hand in one number, from the dealer's side: which experiment dealt it, its batch, who won at once (0 nobody, 1 the
# dealer's side, 2 the others), misdeals that passed the deal on modulo 2, points of the dealer's side, of the others.
_WIDTH = 1 << 16
_ENDINGS = 6

Outcomes = Counter[int]
"""Numbers of hands by what they bring."""

NOTHING: Folded[Outcomes] = Folded(Counter(), 0, "interrupted")
"""Before the first hand."""


def count_outcomes(dealt: tuple[Experiment, ...], first: int, hands: int) -> tuple[Outcomes, None]:
    """What hands ``first`` to ``first + hands - 1`` bring, whoever deals."""
    tally: Outcomes = Counter()
    for place, experiment in enumerate(dealt):
        rows = play_chunk(experiment, first, hands, rows=True)[1]
        batch = np.arange(first, first + hands) % BATCHES
        codes = (place * BATCHES + batch) * (_ENDINGS * _WIDTH * _WIDTH) + _codes(experiment.rules, rows)
        several, times = np.unique(codes, return_counts=True)
        tally.update(dict(zip(several.tolist(), times.tolist(), strict=True)))
    return tally, None


def _codes(rules: Rules, rows: NDArray[np.int16]) -> NDArray[np.int64]:
    names = row_names(rules)

    def column(name: str) -> NDArray[np.int64]:
        return rows[:, names.index(name)].astype(np.int64)

    won = column("won_at_deal")
    passed = column("misdeals") - (won == 2) if rules.misdeal_dealer == "next" else np.zeros_like(won)
    totals, cappotti = (np.array([column(f"side{side}_{name}") for side in (0, 1)]) for name in ("total", "cappotto"))
    others, dealer = won_outright(rules, totals, cappotti)
    won = np.where(dealer, 1, np.where(others, 2, won))
    code = won * 2 + passed % 2
    return np.asarray((code * _WIDTH + totals[1]) * _WIDTH + totals[0])


class HandCounts(NamedTuple):
    """Numbers of hands by what they bring."""

    points: NDArray[np.float64]
    """float64[2, 2, X, X]: by who is to deal, whether the deal is that side's again (1), our points and theirs."""
    outright: NDArray[np.float64]
    """float64[2, 2]: those that win the game at once, by who is to deal and who wins."""


def _by_who_is_to_deal(played: Folded[Outcomes], dealt: int, rules: Rules, first: int = 0) -> list[HandCounts]:
    """All hands, then those of each batch that has any; where a misdeal passed the deal on, the side not to deal dealt.

    ``dealt`` is the number of experiments, from number ``first``: of one alone the hands are those of either dealer.
    Where the fewest points win, a hand that wins the game at once is the loss of what the chain counts, more points.
    """
    codes, times = np.array([*played.tally], np.int64), np.array([*played.tally.values()], np.float64)
    where, hand = np.divmod(codes, _ENDINGS * _WIDTH * _WIDTH)
    place, batch = np.divmod(where, BATCHES)
    ending, points = np.divmod(hand, _WIDTH * _WIDTH)
    won, odd = np.divmod(ending, 2)
    dealers, others = np.divmod(points, _WIDTH)
    reach = 1 + int(max(dealers.max(), others.max()))
    batches, number = np.unique(batch, return_inverse=True)
    of_points, outright = np.zeros((len(batches), 2, 2, reach, reach)), np.zeros((len(batches), 2, 2))
    for to_deal, dealer in product((WE, THEY), repeat=2):
        here = (place == first + dealer % dealt) & (odd == (to_deal != dealer))
        on, over = here & (won == 0), here & (won > 0)
        ours, theirs = (dealers, others) if dealer == WE else (others, dealers)
        np.add.at(of_points, (number[on], to_deal, odd[on], ours[on], theirs[on]), times[on])
        np.add.at(outright, (number[over], to_deal, np.where(won == 1, dealer, 1 - dealer)[over]), times[over])
    parts = of_points, outright[:, :, :: rules.pays]
    return [HandCounts(*(part.sum(axis=0) for part in parts)), *map(HandCounts, *parts)]


# ------------------------------------------------------------------------------------------------ the chain


def solve_chain(target: int, hands: HandCounts) -> NDArray[np.float64]:
    """The chances to win, float64[2, S, S] (see ``Expectancy``), from numbers of hands; nan where nothing decides."""
    total = hands.points.sum(axis=(1, 2, 3)) + hands.outright.sum(axis=1)
    points = np.ascontiguousarray(hands.points / total[:, None, None, None])
    outright = np.ascontiguousarray(hands.outright[:, WE] / total)
    from ..kernel.entries.rules import solve_scores

    size = target + points.shape[-1]
    table = np.zeros((2, size, size))
    scores = np.arange(size)
    over = np.maximum.outer(scores, scores) >= target
    table[:, over] = np.greater.outer(scores, scores)[over]
    table[:, scores[target:], scores[target:]] = _after_a_tie(hands, total)[:, None]
    solve_scores(points, outright, target, table)
    return table


def _after_a_tie(hands: HandCounts, total: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[2]: the chance to win when the next hand that is no tie decides, by who deals; ``total`` hands each."""
    won, other = (hands.outright[:, WE] + np.tril(hands.points, -1).sum(axis=(1, 2, 3))) / total
    ties = np.trace(hands.points, axis1=2, axis2=3) / total[:, None]  # by who deals and whether the deal stays
    (passes, stays), (back, others_stay) = ties
    both = (1 - stays) * (1 - others_stay) - passes * back
    if abs(both) < 1e-12:
        return np.full(2, np.nan)
    chances = won * (1 - others_stay) + passes * other, other * (1 - stays) + back * won
    return np.array(chances) / float(both)


def chances_before(after: NDArray[np.float64], hands: HandCounts, target: int) -> NDArray[np.float64]:
    """float64[2, target, target]: the chances before one of some hands, from those after it, float64[2, S, S]."""
    points, outright = hands
    reach = target + points.shape[-1]
    # The same table up to higher scores, where who has more has won; a tie is that of any score beyond the target
    size = max(reach, after.shape[-1])
    scores = np.arange(size)
    wide = np.broadcast_to(np.greater.outer(scores, scores).astype(float), (2, size, size)).copy()
    wide[:, scores, scores] = after[:, target, target][:, None]
    wide[:, : after.shape[1], : after.shape[2]] = after
    after = wide
    chances = np.zeros((2, target, target))
    for to_deal in range(2):
        for again, ours, theirs in np.argwhere(points[to_deal]).tolist():
            then = after[to_deal if again else 1 - to_deal, ours : ours + target, theirs : theirs + target]
            chances[to_deal] += points[to_deal, again, ours, theirs] * then
        chances[to_deal] += outright[to_deal, 0]
        chances[to_deal] /= points[to_deal].sum() + outright[to_deal].sum()
    return chances


CHANCE = {"score": pl.String, "dealer": pl.String, "method": pl.String} | SCHEMA
"""The columns of the chance to win from a score; ``dealer`` is who deals the next hand, ``any`` for each seat equally
likely, and ``method`` is ``chain``."""


# ------------------------------------------------------------------------------------------------ scores


def rules_from(rules: Rules, at: Situation) -> Rules:
    """The rules of the rest of a game with a fixed number of hands; raises ``InputError`` for a hand after the last."""
    if at.hand is None:
        if at.score and rules.hands_per_game is not None:
            raise InputError(
                "--at: score: which of the {hands} hands is next? (add it, as 'hand: 3 of {hands}')",
                rules.hands_per_game,
            )
        return rules
    number, hands = at.hand
    if rules.hands_per_game not in (None, hands):
        raise InputError(
            "--at: hand: {number} of {hands}, and a game has {hands_per_game} under these rules",
            number, hands, rules.hands_per_game,
        )  # fmt: skip
    return replace(rules, hands_per_game=hands - number + 1)


def check_score_of(rules: Rules, score: tuple[int, ...]) -> None:
    """Raise ``InputError`` for a score, ours first, that is none of an unfinished game."""
    try:
        check_score(rules, score)
    except InputError as error:
        raise InputError("--at: {error}", error) from None


# ------------------------------------------------------------------------------------------------ the jobs

Known = tuple[DealConstraints | None, DealConstraints | None]
"""What is known of the next deal if we deal it, and if they do."""


@dataclass(frozen=True, eq=False)
class ChainJob(Job[Folded[Outcomes]]):
    """Chances to win by the chain of scores, from hands that either side deals."""

    request: Request
    schema: str
    rows: Callable[[Expectancy], pl.DataFrame]
    columns: Mapping[str, Any]
    dealt: tuple[Experiment, ...]

    @property
    def constraints(self) -> DealConstraints | None:  # type: ignore[override]
        return self.dealt[-1].constraints

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint(*self.dealt)

    def check(self) -> None:
        self.dealt[0].check()

    def advance(
        self, earlier: Folded[Outcomes] | None, execution: Execution, on_growth: Callable[[Folded[Outcomes]], None]
    ) -> Folded[Outcomes]:
        return execution.fold(self.dealt[0], partial(count_outcomes, self.dealt), earlier or NOTHING, on_growth)

    def table(self, state: Folded[Outcomes]) -> pl.DataFrame:
        """The chances; no rows where the hands so far decide nothing.

        Raises ``InputError`` where all of them decide nothing.
        """
        try:
            return self.rows(solve_hands(self.dealt, state))
        except InputError:
            if state.stopped != "interrupted":
                raise
            return pl.DataFrame(schema=self.columns)

    def stored(self, state: Folded[Outcomes], final: bool) -> dict[str, str]:
        return {TALLY: pack(np.array(sorted(state.tally.items()), np.int64), "<i8")}

    def load(self, files: Sequence[Checkpoint]) -> Folded[Outcomes]:
        return merge_files(files, self.dealt[0], self._outcomes_in)

    def _outcomes_in(self, file: Checkpoint, done: int) -> Outcomes:
        """What a file of a number of hands holds; raises ``InputError`` for counts these experiments cannot produce."""
        codes, times = (numbers := file.numbers(TALLY, "<i8", (-1, 2))).T
        points = np.maximum(codes % _WIDTH, codes // _WIDTH % _WIDTH)
        possible = (codes >= 0) & (codes < len(self.dealt) * BATCHES * _ENDINGS * _WIDTH * _WIDTH) & (times > 0)
        possible &= points <= most(self.dealt[0].rules)["total"]
        if not possible.all() or int(times.sum()) != done * len(self.dealt) or len({*codes.tolist()}) < len(codes):
            raise file.damaged()
        return Counter(dict(numbers.tolist()))


# ------------------------------------------------------------------------------------------------ what is asked


def win_chance_job(request: Request, at: Situation, known: Known) -> ChainJob:
    """The chance to win from a score, or from every score if there is none.

    Where it is not said where we sit every seat is as likely. Raises ``InputError`` for a score and players that cannot
    be, and for rules without a chain.
    """
    rules, effort, [line_up] = request.rules.fields, request.effort, request.line_ups
    ours, dealer = [0, 1], "any"
    if at.i_am is not None:
        ours = [rules.side(seat_of(at.i_am, rules, 0, "--at: i am: "))]
        dealer = "us" if ours[0] == rules.dealer_side else "them"
    dealt = either_deals(rules, line_up.by_side(rules, 0), effort.number or 1, effort.seed or 0, known, effort.first)
    if not at.score:
        return ChainJob(request, "win-table/2", win_table, TABLE, dealt)
    about = {"score": "-".join(map(str, at.score)), "dealer": dealer, "method": "chain"}

    def rows(chances: Expectancy) -> pl.DataFrame:
        chance = chances.chance(at.score[0], at.score[1], [rules.dealer_side - us for us in ours])
        return pl.DataFrame([about | estimate_row("wins_game", "game", "us", "probability", chance)], schema=CHANCE)

    return ChainJob(request, "win-chance/2", rows, CHANCE, dealt)


TABLE = {"us": pl.Int64, "them": pl.Int64, "dealer": pl.String} | SCHEMA
"""The columns of ``win_table``."""


def win_table(expectancy: Expectancy) -> pl.DataFrame:
    """A row a score and dealer: ``us``, ``them``, ``dealer`` (``us`` or ``them``), then the contract's columns."""
    target = expectancy.rules.target
    inside = np.s_[:, :target, :target]
    dealer, us, them = np.indices(expectancy.chances[inside].shape)
    numbers = (expectancy.chances, expectancy.std_errors(), *expectancy.intervals())
    columns = (us, them, np.array(["us", "them"])[dealer], *(table[inside] for table in numbers))
    names = ("us", "them", "dealer", "estimate", "std_error", "ci_low", "ci_high")
    same = {"quantity": "wins_game", "per": "game", "side": "us", "kind": "probability", "n": expectancy.hands}
    frame = pl.DataFrame(dict(zip(names, (column.ravel() for column in columns), strict=True)))
    literals = {name: pl.lit(value) for name, value in (same | {"value": None, "exact": None}).items()}
    return frame.with_columns(**literals).select(pl.col(name).cast(kind) for name, kind in TABLE.items())
