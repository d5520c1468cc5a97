"""Advice on a position as a job: its table, what a reader should know besides, and how its file is resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np
import polars as pl

from ..core.errors import InputError
from ..core.messages import Message
from ..engine.policies import policy_source
from ..experiments.checkpoints import Checkpoint, pack
from ..experiments.progress import NOBODY, ProgressBar
from ..experiments.runner import Execution, Job
from ..situation.people import seen_from
from ..stats.decisions import holm
from ..stats.estimates import Estimate, two_sided
from ..storage.request import Request
from ..storage.tables import SCHEMA as COLUMNS
from ..storage.tables import empty_row, estimate_row
from .judge import MOST, SECONDS, Advice, JudgedChoice, Problem, Solution

POINTS = "cirulla_sim_points"
FIRST = 8
"""Samples that a fingerprint is made of."""

_STOPPED = {"separated": "precision", "forced": "precision", "exact": None}
"""What files call these ends of advice; the others have one name."""


_LATER = {
    "all": Message("Sets that others may still show are shown at their turn, the matta as is best for them."),
    "most": Message("Sets that can be shown later are counted as shown at once, those worth most."),
}


@dataclass(frozen=True, eq=False)
class AdviceJob(Job[Advice]):
    """Advice on one position; the ``problem`` is what the request's situation, or play of a record, means.

    Without a number of samples in the request it takes ``seconds`` at most.
    """

    request: Request
    problem: Problem
    seconds: float = SECONDS

    schema = "advise/2"
    unit = "samples"
    free = frozenset({"ends"})

    @property
    def size(self) -> int:
        return self.request.effort.number or MOST

    @property
    def resumable(self) -> bool:  # type: ignore[override]
        return self.request.effort.number is not None

    @cached_property
    def fingerprint(self) -> str:
        digest = blake2b(digest_size=8)
        for now in self.problem.seats:
            digest.update(now.view.tobytes() + np.array([now.unowned, now.forgotten], "<u8").tobytes())
        if self.problem.holdings is None:
            digest.update(self.problem.play(0, FIRST).astype("<i2").tobytes())
            for name in self.problem.line_up.names:
                digest.update(policy_source(name))
        return digest.hexdigest()

    def check(self) -> None:
        if self.request.question.get("ends") and self.problem.holdings is not None:
            raise InputError("--ends: all cards are known and the hand is solved, not played out (leave it out)")

    def load(self, files: Sequence[Checkpoint]) -> Advice:
        [file] = files
        done = file.metadata["samples"]
        points = file.numbers(POINTS, "<i2", (-1, *self.problem.none.shape[1:]))
        if len(points) != done:
            raise file.damaged()
        if done > self.size:
            raise InputError(
                "--samples {size!r} is less than the {done} of {path} (valid: more)", self.size, done, file.path
            )
        return Advice(self.problem, [points], done)

    def advance(
        self, earlier: Advice | None, execution: Execution, on_growth: Callable[[Advice], None]
    ) -> Advice:  # fmt: skip
        if not self.resumable:  # for some seconds: a bar would have no end
            watch = NOBODY if isinstance(execution.watch, ProgressBar) else execution.watch
            return self.problem.judge(None, self.seconds, replace(execution, watch=watch))
        return self.problem.judge(self.request.effort.number, self.seconds, execution, earlier, on_growth)

    def table(self, state: Advice) -> pl.DataFrame:
        """A row a choice and quantity: ``play`` (sets shown and the play), the contract's columns, ``reason``.

        Quantities are ``margin``, ``wins_game`` (with a score), ``behind`` (what is lost against the best choice),
        ``sweep_next`` (all deals equally likely), ``sweep_next_read`` (as likely as the plays of the stage make them,
        where they reveal something), and where hands were played out ``makes_cards``, ``makes_diamonds`` and so on:
        your own side at the end of the hand. ``p_holm`` is the p-value of a loss, corrected for all choices; the best
        has none.
        """
        rows: list[dict[str, Any]] = []
        for judged in state.ranking:
            front = {"play": state.problem.now.in_words(judged.choice), "reason": judged.reason}
            for row in _rows(judged, "hand" if state.aim == "points" else "game"):
                tested = row["quantity"] == "behind" and row["std_error"] > 0
                p = two_sided(row["estimate"], row["std_error"], row["n"] - 1) if tested else None
                rows.append({**front, **row, "n": row["n"] if state.solution is None else None, "p_holm": p})
        corrected = iter(holm([row["p_holm"] for row in rows if row["p_holm"] is not None]))
        rows = [row if row["p_holm"] is None else row | {"p_holm": next(corrected)} for row in rows]
        schema = {"play": pl.String} | COLUMNS | {"p_holm": pl.Float64, "reason": pl.String}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def metadata(self, state: Advice) -> dict[str, Any]:
        """As of a request for as many samples as there were, so that its command gives the same table anywhere."""
        if self.problem.holdings is None and not self.resumable:
            return replace(self, request=self.request.resized(state.done, 0)).metadata(state)
        return super().metadata(state)

    def facts(self, state: Advice) -> dict[str, Any]:
        samples = state.done if state.solution is None else None
        deal = {} if self.problem.now.constraints is None else {"deal": str(self.problem.now.constraints)}
        return {"samples": samples, "stopped": _STOPPED.get(state.stopped, state.stopped), **deal}

    def stored(self, state: Advice, final: bool) -> dict[str, str]:
        return {POINTS: pack(state.points, "<i2", quick=True)} if self.resumable else {}

    def notes(self, state: Advice) -> Iterator[str]:
        return _notes(state) if state.solution is None else _notes_of_solution(state, state.solution)

    def method_notes(self, state: Advice) -> Iterator[str]:
        solution = state.solution
        if solution is not None and solution.shows:
            yield _LATER[solution.shows]
        if any(judged.read for judged in state.ranking):
            now = state.problem.now
            yield Message(
                "The unseen cards were dealt as what the others played in this stage ({plays}) makes likely: who "
                "leaves a card seldom holds one that captures, and hardly one that sweeps. The chance of a sweep next "
                "is given twice: if all deals were equally likely, and as the plays make them likely.",
                str(now.read),
            )


# ------------------------------------------------------------------------------------------------ the table


def _rows(judged: JudgedChoice, aimed_at: str) -> Iterator[dict[str, Any]]:
    named: Sequence[tuple[str, str, str, Estimate | None]] = (
        ("margin", "hand", "mean", judged.margin),
        ("wins_game", "game", "probability", judged.wins),
        ("behind", aimed_at, "difference", judged.behind),
        *((f"makes_{name}", "hand", "probability", chance) for name, chance in judged.ends.items()),
    )
    for name, per, kind, value in named:
        if value is not None:
            yield estimate_row(name, per, "own", kind, value)
    if judged.sweep is not None:
        chance = float(judged.sweep)
        yield (
            empty_row()
            | {"quantity": "sweep_next", "per": "play", "side": "others", "kind": "probability"}
            | {"estimate": chance, "std_error": 0.0, "ci_low": chance, "ci_high": chance, "exact": str(judged.sweep)}
        )
    if judged.read is not None:
        yield estimate_row("sweep_next_read", "play", "others", "probability", judged.read)


# ------------------------------------------------------------------------------------------------ notes

_WHY = {
    "separated": Message("the best choice is separated from all others (95%)"),
    "time": Message("the time is up, and the best choice is not separated from all others (95%): --time gives more"),
    "samples": Message("as many as requested"),
    "forced": Message("there is one choice"),
    "interrupted": Message("interrupted"),
}


def _notes(advice: Advice) -> Iterator[str]:
    now = advice.problem.now
    if now.constraints is not None:
        yield Message("Known besides: {known}; the chance of a sweep next is not counted then.", str(now.constraints))
    yield Message("{samples:,} samples to the end of the hand; {why}.", advice.done, _WHY[advice.stopped])
    listed, judged = len(now.legal), len(advice.choices)
    if judged < listed:
        yield Message("Of {listed} choices the {judged} that were best in a first look are judged.", listed, judged)


def _notes_of_solution(advice: Advice, solution: Solution) -> Iterator[str]:
    now, aim = advice.problem.now, advice.aim
    if solution.settled:
        so_far = Message("All cards are known, everybody plays their best to the end of the hand: exact.")
    else:
        so_far = Message(
            "All cards are known, everybody plays their best to the end of the stage, {ahead} plays on: exact so far; "
            "what the piles are expected to be worth then is from tables.",
            solution.ahead,
        )
    played_for = Message("points") if aim == "points" else Message("the game")
    aims = Message(" Margins are for points, chances for the game; the line is played for {aim}.", played_for)
    yield so_far if solution.wins is None else Message("{so_far}{aims}", so_far, aims)
    if not solution.line:  # it depends on who captured last, which is not known
        return
    people = seen_from(now.rules, now.seat)
    line = [Message("{who} {play}", Message(people[seat]), words) for seat, words in solution.line]
    yield Message("Best line: {line}.", line)
