"""Every policy against every other on the same deals with sides exchanged, and the ranking that comes of it."""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np
import polars as pl
from numpy.typing import NDArray

from . import __version__
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
    play,
)
from .engines import executor, in_order, interruptible
from .errors import InputError
from .estimates import Estimate, proportion, student
from .experiment import Experiment, play_chunk, playable
from .policies import NAMES as POLICIES
from .resume import check, pack, read_packed
from .rules import Rules, command_words
from .sequential import Sequential, looks
from .simulate import progress_bar
from .tables import SCHEMA as COLUMNS
from .tables import empty_row, whole_file, write_part

SCHEMA = "tournament/1"

SCORES = "cirulla_sim_scores_{}"
"""Where a file keeps the scores of each pairing by deal, about 3 bytes a deal of two sides: games are counted from
hands in their order, so that sums would not do to go on from."""

CHEATS = ("open",)
"""Policies that see hidden cards: no opponents unless they are named."""

SIZED = ("search",)
"""Policies that think longer the larger the number after their name, as ``search:64``."""

MIN_HANDS, MAX_HANDS = 1000, 10**7

RESAMPLES = 10_000

PART_SECONDS = 0.05
"""How long a part of the work should take: so soon is Ctrl-C heard."""

_MEASURED_SECONDS = 0.1
_LARGEST = 1 << 16

Pair = tuple[str, str]
Row = dict[str, Any]


def ladder() -> tuple[str, ...]:
    """The policies that compete if none are named: all that play fair."""
    return tuple(name for name in POLICIES if name not in CHEATS)


@dataclass(frozen=True)
class Plan:
    """Which policies meet, over how many deals a pairing, and whether a pairing stops when it is decided.

    Raises ``InputError`` for fewer than two policies, one named twice, an unknown one, and numbers out of range.
    """

    rules: Rules
    policies: tuple[str, ...]
    hands: int = 100_000
    seed: int = 1
    preset: str = "cirulla"
    test: Sequential | None = None
    timed: bool = False

    def __post_init__(self) -> None:
        for number, name in enumerate(self.policies):
            if name in self.policies[:number]:
                raise InputError(f"policy {name!r} is named twice (name each policy once)")
            self.experiment((name,))
        if len(self.policies) < 2:
            named = f"policy {self.policies[0]!r} is" if self.policies else "no policies are"
            raise InputError(f"{named} no tournament (valid: two policies or more, of {', '.join(POLICIES)})")
        if not MIN_HANDS <= self.hands <= MAX_HANDS:
            raise InputError(f"hands '{self.hands}' is not valid (valid: {MIN_HANDS} to {MAX_HANDS:_} deals a pairing)")

    def experiment(self, policies: tuple[str, ...]) -> Experiment:
        """The hands that some policies play, one for all sides or one a side."""
        return Experiment(self.rules, policies, self.hands, self.seed)

    def command(self, resumed_from: Path | None = None) -> str:
        """The command that makes the result; threads and file names are left out, for they change nothing in it."""
        words = ["cirulla-sim", "tournament", *command_words(self.rules, self.preset)]
        words += ["--policy", ",".join(self.policies), "--hands", str(self.hands), "--seed", str(self.seed)]
        if self.test is not None:
            words += ["--until-decided", "--delta", f"{self.test.delta:g}"]
        words += ["--timed"] if self.timed else []
        if resumed_from is not None:
            words += ["--resume", str(resumed_from), "-o", str(resumed_from)]
        return shlex.join(words)


@dataclass(frozen=True)
class Played:
    """The scores of each pairing (see ``duplicate``), what was decided of it, and why all ended.

    ``stopped`` is ``hands`` (all deals were played), ``decided`` (every pairing was, before that) or ``interrupted``.
    """

    scores: Mapping[Pair, Scores]
    verdicts: Mapping[Pair, str | None]
    stopped: str

    @property
    def hands(self) -> int:
        """The deals of the pairing that has most."""
        return max(map(len, self.scores.values()), default=0)


@dataclass(frozen=True)
class Result:
    """What came out: the table, how it was made, remarks for the reader, and the exit code that tells how it ended."""

    frame: pl.DataFrame
    metadata: dict[str, Any]
    remarks: tuple[str, ...]
    exit_code: int


def carry_out_plan(
    plan: Plan,
    *,
    engine: str = "threads",
    threads: int | None = None,
    output: Path | None = None,
    resume: Path | None = None,
    progress: TextIO | None = None,
) -> Result:
    """Carry out a tournament, write the file asked for, and return the result; the same however it is carried out.

    ``resume`` is the file of an earlier one between the same policies, of no more deals, to go on from.

    Raises ``InputError`` for rules that cannot be played, a file that cannot be written, and one to go on from that is
    of something else.
    """
    for policy in plan.policies:
        playable(plan.experiment((policy,)))
    known = None if resume is None else _known(plan, resume)
    with ExitStack() as stack:
        part = stack.enter_context(whole_file(output)) if output is not None else None  # a bad folder is told now
        costs = {policy: seconds_a_hand(plan.rules, policy) for policy in plan.policies}
        played = play_all(plan, costs, engine=engine, threads=threads, known=known, progress=progress)
        frame = _table(plan, played, costs)
        made = metadata(plan, played)
        if part is not None:
            kept = {SCORES.format(k): pack(_columns(scores), "<i2") for k, scores in enumerate(played.scores.values())}
            write_part(frame, part, made, kept)
    code = {"interrupted": 130, "decided": 0, "hands": 0 if plan.test is None else 3}[played.stopped]
    return Result(frame, made, tuple(_remarks(plan, played, costs, output)), code)


def _table(plan: Plan, played: Played, costs: Mapping[str, float]) -> pl.DataFrame:
    rows = [*_pairing_rows(plan, played), *_ranking_rows(plan, played)]
    rows += _cost_rows(plan, costs) if plan.timed else []
    return pl.DataFrame(rows, schema={"policy": pl.String, "opponent": pl.String, **COLUMNS}, orient="row")


def _columns(scores: Scores) -> Scores:
    """Scores with the deals last, which packs best."""
    return scores.transpose(1, 2, 0)


def _known(plan: Plan, path: Path) -> dict[Pair, Scores]:
    """The scores of the first deals of each pairing that a file holds.

    Raises ``InputError`` that names what differs from the plan.
    """
    wanted = metadata(plan, Played({}, {}, "interrupted"))
    check(path, wanted, "hands", plan.hands, "tournament")
    sides, known = plan.rules.sides, {}
    for number, pair in enumerate(pairings(plan.policies)):
        shape = (len(arrangements(sides, *pair)), sides + 2, -1)
        known[pair] = read_packed(path, SCORES.format(number), "<i2", shape, "tournament").transpose(2, 0, 1)
    return known


def metadata(plan: Plan, played: Played) -> dict[str, Any]:
    """How a result was made: the contract's object for the file, and what the sequential test decided."""
    verdicts = [
        {"policy": one, "opponent": other, "verdict": played.verdicts[one, other], "hands": len(scores)}
        for (one, other), scores in played.scores.items()
    ]
    return {
        "version": __version__,
        "command": plan.command(),
        "preset": plan.preset,
        "rules": asdict(plan.rules),
        "policies": list(plan.policies),
        "players": plan.rules.players,
        "seed": plan.seed,
        "hands": played.hands,
        "stopped": played.stopped,
        "schema": SCHEMA,
    } | ({} if plan.test is None else {"test": asdict(plan.test), "verdicts": verdicts})


# ------------------------------------------------------------------------------------------------ playing


def play_all(
    plan: Plan,
    costs: Mapping[str, float],
    *,
    engine: str = "threads",
    threads: int | None = None,
    known: Mapping[Pair, Scores] | None = None,
    progress: TextIO | None = None,
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
    scores = {pair: np.zeros((plan.hands, len(rows[pair]), sides + 2), np.int16) for pair in live}
    begun = dict.fromkeys(live, 0)
    for pair, first_ones in (known or {}).items():
        begun[pair] = len(first_ones)
        scores[pair][: begun[pair]] = first_ones
    done: dict[Pair, int] = {}
    sums = dict.fromkeys(live, (0, 0))
    verdicts: dict[Pair, str | None] = dict.fromkeys(live)
    size = max(1, min(1 << 14, int(PART_SECONDS / max(costs.values()))))
    checkpoints = looks(plan.hands) if plan.test is not None else iter((plan.hands,))
    at = 0
    with (
        interruptible() as interrupted,
        executor(engine, threads) as (pool, most),
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
            parts = (partial(play, plan.experiment(rows[t.pair][t.number]), t.first, t.end - t.first) for t in tasks)
            for task, part in zip(tasks, in_order(parts, pool, most), strict=True):
                if interrupted():
                    kept = {pair: done.get(pair, max(task.start, begun[pair])) for pair in scores}
                    if min(kept.values()) < 2:
                        raise KeyboardInterrupt
                    return Played({pair: scores[pair][: kept[pair]] for pair in scores}, verdicts, "interrupted")
                scores[task.pair][task.first : task.end, task.number] = part
                more(task.end - task.first)
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
    whole = {pair: scores[pair][: done.get(pair, at)] for pair in scores}
    return Played(whole, verdicts, "hands" if live else "decided")


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
    return {"policy": policy, "opponent": opponent} | empty_row() | {
        "quantity": quantity,
        "per": per,
        "side": side,
        "kind": kind,
        "estimate": found.value,
        "std_error": found.std_error,
        "ci_low": found.low,
        "ci_high": found.high,
        "n": found.n,
    }  # fmt: skip


def _pairing_rows(plan: Plan, played: Played) -> Iterator[Row]:
    for one, other in ((a, b) for a in plan.policies for b in plan.policies if a != b):
        second = (one, other) not in played.scores
        scores = played.scores[(other, one) if second else (one, other)]
        sign = -1 if second else 1
        for side, dealer in (("all", None), ("dealer", True), ("others", False)):
            numbers, unit = margins(scores, None if dealer is None else dealer != second)
            yield _row(one, other, "margin", "difference", mean_of(sign * numbers, unit), side)
        yield _row(one, other, "wins_hand", "share", hands_won(alone(scores, second)))
        yield _row(one, other, "wins_game", "probability", games_won(alone(scores, second), plan.rules), per="game")
        if not second:
            yield _row(one, other, "dealer_advantage", "difference", mean_of(*dealer_advantages(scores)), "dealer")


@dataclass(frozen=True)
class Ranking:
    """One strength for each policy, in points a hand, mean zero; ``covariance`` is that of the strengths."""

    strengths: NDArray[np.float64]
    covariance: NDArray[np.float64]

    @property
    def order(self) -> list[int]:
        """The policies' places in the list, strongest first."""
        return [int(place) for place in np.argsort(-self.strengths, kind="stable")]


def rank(policies: Sequence[str], played: Played) -> Ranking:
    """The strengths that fit all margins best, by least squares: each policy's mean margin over all, itself included.

    Pairings share their deals, so their margins are correlated; the covariance of two is taken over the deals that both
    have. A pairing counts as much as any other, however many deals it has.
    """
    pairs = list(played.scores)
    found = [margins(scores) for scores in played.scores.values()]
    count = np.array([len(numbers) for numbers, _ in found])
    means = np.array([int(numbers.sum()) / len(numbers) * unit for numbers, unit in found])
    covariance = np.array([[_covariance(x, y) * unit**2 for y, _ in found] for x, unit in found])
    covariance /= np.maximum(count[:, None], count[None, :])
    design = np.zeros((len(policies), len(pairs)))
    for number, (one, other) in enumerate(pairs):
        design[policies.index(one), number], design[policies.index(other), number] = 1, -1
    design /= len(policies)
    return Ranking(design @ means, design @ covariance @ design.T)


def _covariance(x: NDArray[np.int64], y: NDArray[np.int64]) -> float:
    """The covariance of two numbers of a deal over the deals that have both, from whole sums."""
    n = min(len(x), len(y))
    x, y = x[:n], y[:n]
    return (n * int(x @ y) - int(x.sum()) * int(y.sum())) / (n * (n - 1))


def resampled(ranking: Ranking, resamples: int = RESAMPLES) -> NDArray[np.float64]:
    """Strengths as they might have come out, float64[resamples, policies]: normal draws of a fixed seed."""
    values, vectors = np.linalg.eigh(ranking.covariance)
    draws = np.random.default_rng(0).standard_normal((resamples, len(values)))
    strengths: NDArray[np.float64] = ranking.strengths + draws @ (vectors * np.sqrt(np.maximum(values, 0))).T
    return strengths


def _ranking_rows(plan: Plan, played: Played) -> Iterator[Row]:
    """Strengths, strongest first; how often each stays ahead of the next when resampled; how often the order holds."""
    ranking = rank(plan.policies, played)
    draws, order = resampled(ranking), ranking.order
    half = student(min(map(len, played.scores.values())) - 1)
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


# ------------------------------------------------------------------------------------------------ cost


def seconds_a_hand(rules: Rules, policy: str) -> float:
    """Processor time of a hand in which every side plays a policy: measured, so never twice the same."""
    experiment, hands = Experiment(rules, (policy,)), 1
    play_chunk(experiment, 0, 1)
    while True:
        start = time.thread_time()
        play_chunk(experiment, 0, hands)
        spent = time.thread_time() - start
        if spent >= _MEASURED_SECONDS:
            return spent / hands
        hands *= 2 if spent > _MEASURED_SECONDS / 8 else 8


def within_budget(plan: Plan, budget: float) -> Plan:
    """The plan with sizes chosen for a cost in microseconds a play, for the policies that have one and name none.

    Raises ``InputError`` if there are no such policies, or the smallest size costs more.
    """
    if not any(name in SIZED for name in plan.policies):
        named = ", ".join(plan.policies)
        raise InputError(f"--budget '{budget:g}' finds no size to choose among {named} (valid: {', '.join(SIZED)} too)")
    rules = plan.rules
    plays = rules.players * sum(rules.deal_plan)

    def cost(name: str, size: int) -> float:
        return seconds_a_hand(rules, f"{name}:{size}") * 1e6 / plays

    def fitted(name: str) -> str:
        return f"{name}:{largest_size(partial(cost, name), budget, name)}" if name in SIZED else name

    return replace(plan, policies=tuple(map(fitted, plan.policies)))


def largest_size(cost: Callable[[int], float], budget: float, name: str) -> int:
    """The largest power of two whose cost is within the budget, where larger sizes cost more.

    >>> largest_size(lambda size: 3.0 + 2 * size, 20, "search")
    8

    Raises ``InputError`` that names the policy if 1 costs more.
    """
    if (least := cost(1)) > budget:
        raise InputError(f"--budget '{budget:g}' is too small for {name}:1 (valid: {least:.1f} microseconds or more)")
    size = 1
    while size < _LARGEST and cost(2 * size) <= budget:
        size *= 2
    return size


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
    if output is not None:
        yield f"Written: {output}"
    if played.stopped == "interrupted":
        yield f"Interrupted after {played.hands:_} of {plan.hands:_} deals; the table is of those."
        if output is not None:
            yield f"To go on: {plan.command(resumed_from=output)}"


def _short(number: float) -> str:
    """Two figures, whole from ten on."""
    return f"{number:.0f}" if number >= 10 else f"{number:.2g}"


def as_text(result: Result) -> str:
    """Ranking and matrix of margins for a reader."""
    frame, made = result.frame, result.metadata
    names = frame.filter(pl.col("quantity") == "strength")["policy"].to_list()
    cell = {
        (row["policy"], row["opponent"], row["quantity"]): row
        for row in frame.filter(pl.col("side") == "all").iter_rows(named=True)
    }
    errors = [row["std_error"] for row in cell.values() if row["quantity"] in ("margin", "strength")]
    places = max(1, min(3, 1 - math.floor(math.log10(max(min(errors), 1e-9)))))

    def points(row: Row) -> str:
        return f"{row['estimate']:+.{places}f} ±{(row['ci_high'] - row['ci_low']) / 2:.{places}f}"

    def percent(row: Row) -> str:
        return f"{100 * row['estimate']:.1f}% ±{50 * (row['ci_high'] - row['ci_low']):.1f}"

    def matrix(quantity: str, write: Callable[[Row], str]) -> list[list[str]]:
        head = ["", *(f"over {name}" for name in names)]
        return [head] + [
            [one, *("·" if one == other else write(cell[one, other, quantity]) for other in names)] for one in names
        ]

    ranking = [["", "strength", "ahead of the next"]]
    for name, below in zip(names, [*names[1:], None], strict=True):
        stays = f"{100 * cell[name, below, 'stays_ahead']['estimate']:.2f}%" if below is not None else ""
        ranking.append([name, points(cell[name, None, "strength"]), stays])
    holds = cell[None, None, "order_holds"]["estimate"]
    two = made["players"] == 2 or made["rules"]["partnership"]
    blocks = [
        [f"Points a hand over the opponent, {'sides exchanged' if two else 'each alone in every place'}"],
        _aligned(matrix("margin", points)),
        [f"Chance of winning a game{'' if two else ', alone against the others'}"],
        _aligned(matrix("wins_game", percent)),
        [f"Strength in points a hand; the whole order holds in {100 * holds:.2f}% of resamples"],
        _aligned(ranking),
    ]
    lines = [line for block in blocks for line in block]
    for row in made.get("verdicts", []):
        lines.append(f"{row['policy']} and {row['opponent']}: {_VERDICTS[row['verdict']]} after {row['hands']:_} deals")
    return "\n".join(lines)


_VERDICTS = {"ahead": "the first is ahead", "behind": "the second is ahead", "level": "level", None: "not decided"}


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in rows
    ]
