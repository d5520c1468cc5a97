"""Every policy against every other on the same deals with sides exchanged, and the ranking that comes of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from ..core.errors import InputError
from ..core.version import VERSION
from ..engine.chunks import playable
from ..engine.engines import executor, in_order, interruptible
from ..exact.constrained import deal_metadata
from ..reporting.result import Result
from ..stats.estimates import Estimate, Z, proportion, stretched, student
from ..storage.checkpoints import check as check_same
from ..storage.checkpoints import pack, read_packed
from ..storage.tables import SCHEMA as COLUMNS
from ..storage.tables import estimate_row, write_part
from .autosave import NOWHERE, Saving
from .budget import seconds_a_hand
from .duplicate import (
    LESS_UNIT,
    Scores,
    Whole,
    alone,
    arrangements,
    dealer_advantages,
    games_won,
    hands_won,
    less_luck,
    margins,
    mean_of,
    pairings,
    play,
    width,
)
from .merge import gaps_between, spans, told, within
from .progress import progress_bar
from .ranking import rank, resampled
from .sequential import Sequential, at_any_stop, looks
from .tournament_plan import SCHEMA, SCORES, Pair, Plan, Played, Row
from .tournament_readers import as_text

PART_SECONDS = 0.05
"""How long a part of the work should take: so soon is Ctrl-C heard."""

LONGER = 8
"""How many times as long a hand takes where luck is told apart, more or less."""


def carry_out_plan(
    plan: Plan,
    saving: Saving = NOWHERE,
    *,
    engine: str = "threads",
    threads: int | None = None,
    progress: bool = False,
) -> Result:
    """Carry out a tournament, write the file asked for, and return the result; the same however it is carried out.

    What the file of ``saving`` holds of it already, of the same policies and of no more deals, is not played again.

    Raises ``InputError`` for rules that cannot be played, a file that cannot be written, and one to go on from that is
    of something else.
    """
    for policy in plan.policies:
        playable(plan.experiment((policy,)))
    known = saving.earlier(partial(_known, plan))
    costs = {policy: seconds_a_hand(plan.rules, policy) for policy in plan.policies}

    def write(played: Played, part: Path) -> None:
        table = _table(plan, played, costs, games=False)  # to count games takes long
        write_part(table, part, metadata(plan, played), _kept(plan, played, quick=True))

    with saving.kept(write) as keeper:  # a file that cannot be is told now
        played = play_all(
            plan, costs, engine=engine, threads=threads, known=known, progress=progress, grown=keeper.grown
        )
        keeper.grown(replace(played, stopped="interrupted"))
        frame, made, kept = _table(plan, played, costs), metadata(plan, played), _kept(plan, played)
        keeper.end(lambda part: write_part(frame, part, made, kept))
    code = {"interrupted": 130, "decided": 0, "hands": 0 if plan.test is None else 3}[played.stopped]
    return Result(frame, made, as_text(frame, made), tuple(_remarks(plan, played, costs, saving.output)), code, kept)


def _kept(plan: Plan, played: Played, quick: bool = False) -> dict[str, str]:
    """The scores of each pairing, packed, to go on from."""
    packed = (pack(_columns(scores), plan.kept_as, quick) for scores in played.scores.values())
    return {SCORES.format(k): text for k, text in enumerate(packed)}


def _table(plan: Plan, played: Played, costs: Mapping[str, float], games: bool = True) -> pl.DataFrame:
    rows = [*_pairing_rows(plan, played, games), *_ranking_rows(plan, played)]
    rows += _cost_rows(plan, costs) if plan.timed else []
    return pl.DataFrame(rows, schema={"policy": pl.String, "opponent": pl.String, **COLUMNS}, orient="row")


def _columns(scores: Scores) -> Scores:
    """Scores with the deals last, which packs best."""
    return scores.transpose(1, 2, 0)


def _known(plan: Plan, paths: Sequence[Path], flag: str) -> dict[Pair, Scores]:
    """The scores of the first deals of each pairing that files hold, one after another.

    Raises ``InputError`` that names what differs from the plan, and for deals that are held twice or missing between.
    """
    wanted = metadata(plan, Played({}, {}, "interrupted"))
    held = sorted(
        span for path in paths for span in spans(check_same(path, wanted, "hands", "tournament", flag), "hands", path)
    )
    within(held, "hands", plan.first, plan.hands, flag)
    if gaps := gaps_between(held, "hands"):
        raise InputError(
            f"{flag}: hands {told(gaps)} are in no file, and games are counted from hands in their order "
            f"(play them with --first-hand {gaps[0][0]})"
        )
    sides, known = plan.rules.sides, {}
    for number, pair in enumerate(pairings(plan.policies)):
        shape = (len(arrangements(sides, *pair)), width(sides, plan.luck), -1)
        found = [
            read_packed(
                span.path, SCORES.format(number), plan.kept_as, shape, "tournament", flag, span.end - span.start
            )
            for span in held
        ]
        if len(paths) > 1 and any(
            part.shape[-1] != span.end - span.start for part, span in zip(found, held, strict=True)
        ):
            raise InputError(
                f"{flag}: pairings of these files have played other deals (give files that all are played)"
            )
        known[pair] = np.concatenate(found, axis=-1).transpose(2, 0, 1)
    return known


def metadata(plan: Plan, played: Played) -> dict[str, Any]:
    """How a result was made: the contract's object for the file, and what the sequential test decided."""
    verdicts = [
        {
            "policy": one,
            "opponent": other,
            "verdict": (verdict := played.verdicts[one, other]),
            "hands": len(scores),
            "intervals": "any stop" if verdict else "fixed",
        }
        for (one, other), scores in played.scores.items()
    ]
    return {
        "version": VERSION,
        "command": plan.command(),
        "preset": plan.preset,
        "rules": asdict(plan.rules),
        "policies": list(plan.policies),
        "players": plan.rules.players,
        "seed": plan.seed,
        "hands": played.hands,
        **({"first": plan.first} if plan.first else {}),
        "stopped": played.stopped,
        "schema": SCHEMA,
        "fingerprint": plan.fingerprint,
        **({"luck": "told apart"} if plan.luck else {}),
        **deal_metadata(plan.known, plan.rules),
    } | ({} if plan.test is None else {"test": asdict(plan.test), "verdicts": verdicts})


# ------------------------------------------------------------------------------------------------ playing


def play_all(
    plan: Plan,
    costs: Mapping[str, float],
    *,
    engine: str = "threads",
    threads: int | None = None,
    known: Mapping[Pair, Scores] | None = None,
    progress: bool = False,
    grown: Callable[[Played], None] | None = None,
) -> Played:
    """Play all pairings over the same deals; the same scores for any engine and number of threads.

    ``costs``, seconds a hand by policy, only set how much is given to a thread at once. ``known`` are the scores of the
    first deals of each pairing, as many as there are: those are not played again, and where pairings stop when decided
    they are looked at as if they just had been. Ctrl-C ends it: the deals that all pairings have played are kept, and
    those that were known.

    Raises ``KeyboardInterrupt`` if a pairing has fewer than two of them.
    """
    sides = plan.rules.sides
    live = pairings(plan.policies)
    rows = {pair: arrangements(sides, *pair) for pair in live}
    shape = {pair: (plan.hands, len(rows[pair]), width(sides, plan.luck)) for pair in live}
    scores: dict[Pair, Scores] = {pair: np.zeros(shape[pair], plan.kept_as) for pair in live}
    begun = dict.fromkeys(live, 0)
    for pair, first_ones in (known or {}).items():
        begun[pair] = len(first_ones)
        scores[pair][: begun[pair]] = first_ones
    done: dict[Pair, int] = {}
    sums = dict.fromkeys(live, (0, 0))
    verdicts: dict[Pair, str | None] = dict.fromkeys(live)
    far = 40 if engine.startswith("dask") else 1  # times as much where each part takes a message
    slowest = max(costs.values()) * (LONGER if plan.luck else 1)
    size = max(1, min(far << 14, int(far * PART_SECONDS / slowest)))
    checkpoints = looks(plan.hands) if plan.test is not None else iter((plan.hands,))
    at = 0

    def up_to(deal: int) -> Played:
        """The deals before one that all pairings have played, and those that were known."""
        kept = {pair: done.get(pair, max(deal, begun[pair])) for pair in scores}
        return Played({pair: scores[pair][: kept[pair]] for pair in scores}, dict(verdicts), "interrupted")

    with (
        interruptible() as interrupted,
        executor(engine, threads, partial(play, plan.experiment(plan.policies[:1]), 0, 1, plan.luck)) as (pool, most),
        progress_bar(
            sum(len(rows[pair]) * plan.hands for pair in live),
            sum(len(rows[pair]) * begun[pair] for pair in live),
            progress,
        ) as more,
    ):
        for until in checkpoints:
            tasks = [
                _Part(pair, number, start, max(start, begun[pair]), min(start + size, until))
                for start in range(at, until, size)
                for pair in live
                if begun[pair] < min(start + size, until)
                for number in range(len(rows[pair]))
            ]
            parts = (
                partial(play, plan.experiment(rows[t.pair][t.number]), plan.first + t.first, t.end - t.first, plan.luck)
                for t in tasks
            )
            ended = 0
            for ended, part in enumerate(in_order(parts, pool, most, interrupted), 1):
                task = tasks[ended - 1]
                scores[task.pair][task.first : task.end, task.number] = part
                more(task.end - task.first)
                if grown is not None and ended < len(tasks) and (whole := up_to(tasks[ended].start)).least >= 2:
                    grown(whole)
            if ended < len(tasks):
                if (whole := up_to(tasks[ended].start)).least < 2:
                    raise KeyboardInterrupt
                return whole
            if plan.test is not None:
                for pair in tuple(live):
                    sums[pair], verdicts[pair] = _look(plan.test, scores[pair], at, until, sums[pair])
                    if verdicts[pair] is not None:
                        live.remove(pair)
                        done[pair] = until
                        more((plan.hands - max(until, begun[pair])) * len(rows[pair]))
            at = until
            if not live:
                break
    every = {pair: scores[pair][: done.get(pair, at)] for pair in scores}
    return Played(every, verdicts, "hands" if live else "decided")


class _Part(NamedTuple):
    """A part of the work: deals ``first`` to ``end - 1`` in one arrangement of a pairing.

    Before it, all pairings have played the deals up to ``start``.
    """

    pair: Pair
    number: int
    start: int
    first: int
    end: int


def _look(
    test: Sequential, scores: Scores, at: int, until: int, sums: tuple[int, int]
) -> tuple[tuple[int, int], str | None]:
    """The sums of margins and of their squares with the deals from ``at`` to ``until`` added, and the verdict."""
    numbers, unit = margins(scores[at:until])
    total, squares = sums[0] + int(numbers.sum()), sums[1] + int(numbers @ numbers)
    return (total, squares), test.verdict(until, total * unit / until, squares * unit**2 / until)


# ------------------------------------------------------------------------------------------------ the table


def _row(
    policy: str | None, opponent: str | None, quantity: str, kind: str, found: Estimate, side: str = "all",
    per: str = "hand",
) -> Row:  # fmt: skip
    return {"policy": policy, "opponent": opponent} | estimate_row(quantity, per, side, kind, found)


def _pairing_rows(plan: Plan, played: Played, games: bool = True) -> Iterator[Row]:
    for one, other in ((a, b) for a in plan.policies for b in plan.policies if a != b):
        second = (one, other) not in played.scores
        pair = (other, one) if second else (one, other)
        scores, wider, sign = played.scores[pair], _wider(played, pair), -1 if second else 1

        def points(numbers: Whole, unit: float, wider: float = wider) -> Estimate:
            return stretched(mean_of(numbers, unit), wider)

        for side, dealer in (("all", None), ("dealer", True), ("others", False)):
            numbers, unit = margins(scores, None if dealer is None else dealer != second)
            yield _row(one, other, "margin", "difference", points(sign * numbers, unit), side)
        if (less := less_luck(scores)) is not None:
            numbers, unit = margins(less)
            yield _row(one, other, "margin_less_luck", "difference", points(sign * numbers, unit / LESS_UNIT))
        won = alone(scores, second)
        yield _row(one, other, "wins_hand", "share", stretched(hands_won(won), wider, 0, 1))
        if games:
            chance = stretched(games_won(won, plan.rules), wider, 0, 1)
            yield _row(one, other, "wins_game", "probability", chance, per="game")
        if not second:
            yield _row(one, other, "dealer_advantage", "difference", points(*dealer_advantages(scores)), "dealer")


def _wider(played: Played, pair: Pair) -> float:
    """How many times wider than usual the intervals of a pairing are: where the test ended it they hold at any stop."""
    return at_any_stop(len(played.scores[pair])) / Z if played.verdicts.get(pair) else 1.0


def _ranking_rows(plan: Plan, played: Played) -> Iterator[Row]:
    """Strengths, strongest first; how often each stays ahead of the next when resampled; how often the order holds."""
    ranking = rank(plan.policies, played)
    draws, order = resampled(ranking), ranking.order
    half = student(min(map(len, played.scores.values())) - 1) * max(_wider(played, pair) for pair in played.scores)
    for place in order:
        value, error = float(ranking.strengths[place]), math.sqrt(max(0.0, ranking.covariance[place, place]))
        found = Estimate(value, error, value - half * error, value + half * error, played.hands)
        yield _row(plan.policies[place], None, "strength", "mean", found)
    ahead = {(one, other): draws[:, one] > draws[:, other] for one, other in pairwise(order)}
    for (one, other), holds in ahead.items():
        found = proportion(int(holds.sum()), len(draws))
        yield _row(plan.policies[one], plan.policies[other], "stays_ahead", "share", found, per="resample")
    holds = np.logical_and.reduce(list(ahead.values()))
    yield _row(None, None, "order_holds", "share", proportion(int(holds.sum()), len(draws)), per="resample")


def _cost_rows(plan: Plan, costs: Mapping[str, float]) -> list[Row]:
    """Microseconds a hand and side."""
    found = {policy: 1e6 * seconds / plan.rules.sides for policy, seconds in costs.items()}
    rows = [_row(policy, None, "cost", "mean", Estimate(cost, 0, cost, cost, 1)) for policy, cost in found.items()]
    return [row | dict.fromkeys(("std_error", "ci_low", "ci_high", "n")) for row in rows]


# ------------------------------------------------------------------------------------------------ for readers


def _remarks(plan: Plan, played: Played, costs: Mapping[str, float], output: Path | None) -> Iterator[str]:
    told = [f"{policy} {_short(1e6 * seconds / plan.rules.sides)}" for policy, seconds in costs.items()]
    yield f"Cost in microseconds a hand and side: {', '.join(told)} (measured here, now)."
    if played.stopped == "hands" and plan.test is not None:
        still = [f"{one} and {other}" for (one, other), verdict in played.verdicts.items() if verdict is None]
        yield f"Not decided in {plan.hands:_} deals: {', '.join(still)}."
    if any(played.verdicts.values()):
        yield "Intervals of decided pairings and of strengths hold at any stop; resamples are as if none had stopped."
    if output is not None:
        yield f"Written: {output}"
    if played.stopped == "interrupted":
        yield f"Interrupted after {played.hands:_} of {plan.hands:_} deals; the table is of those."
        if output is not None:
            yield f"To go on, give the same command again: {plan.command(output)}"


def _short(number: float) -> str:
    """Two figures, whole from ten on."""
    return f"{number:.0f}" if number >= 10 else f"{number:.2g}"
