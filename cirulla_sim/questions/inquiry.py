"""The job that answers questions: counted where they can be, simulated where not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import polars as pl

from ..core.errors import InputError
from ..core.messages import Message
from ..engine.engines import Folded
from ..engine.trials import APART, Experiment, TrialRange, fingerprint
from ..experiments.checkpoints import Checkpoint
from ..experiments.progress import show_if_slow
from ..experiments.runner import ON_THREADS, Execution, Job
from ..situation.constraints import DealConstraints
from ..situation.people import order_of_play
from ..stats.distributions import least_for_quantile
from ..stats.estimates import Repeated
from ..stats.sequential import trials_required
from ..storage.request import Effort, Request
from .answers import (
    QUANTILES,
    Counted,
    Together,
    compare_answers,
    highest_values,
    missed_share,
    select_values,
    sort_answers,
    values_in,
)
from .binding import BoundQuestions, QuestionState, empty_sums
from .cases import SEVERAL, TrialKind, experiment

TALLY = "cirulla_sim_counted"

_PLURALS = {"first-deal": "deals", "piles": "piles", "match": "matches"}
"""What several trials are called."""
FEW = 100
"""Fewer trials than this that fulfil a condition are worth a remark."""


def simulate_questions(
    inquiry: BoundQuestions, which: Sequence[int], effort: Effort, execution: Execution = ON_THREADS,
    earlier: QuestionState | None = None, on_growth: Callable[[QuestionState], None] | None = None,
    halved: bool = False,
) -> QuestionState:  # fmt: skip
    """Simulate trials for the questions with the numbers ``which``, after those of ``earlier``.

    ``halved``, every other trial is one by which values are chosen.

    With a precision it stops once all intervals, which hold at any stop then, are that narrow to each side.
    """
    precision = effort.precision

    def required(state: QuestionState) -> float:
        try:
            frames = inquiry.estimates(which, state, any_stop=True)
        except InputError:  # too few trials for an answer
            return state.done + 1
        every = pl.concat(frames, how="diagonal")
        half = every.select((pl.col("ci_high") - pl.col("ci_low")).max() / 2).item()
        # The error of a quantile, which is a number of the trials, may fall suddenly.
        error = every.filter(pl.col("kind") != "quantile")["std_error"].max()
        return trials_required(half or 0.0, error or 0.0, state.done, precision or 0.0)  # type: ignore[arg-type]

    chunk = min(inquiry.spaces[number].trial.chunk for number in which)
    return execution.fold(
        TrialRange(effort.number or 0, unit=effort.unit, chunk=chunk),
        partial(inquiry.play, which, effort.seed or 0, halved),
        earlier or Folded(empty_sums(len(which), halved), 0, "interrupted"),
        on_growth,
        required=None if precision is None else required,
    )


@dataclass(frozen=True, eq=False)
class OddsJob(Job[QuestionState]):
    """Odds: what can be counted is, the rest is simulated; with ``check`` everything is simulated too."""

    submitted: Request
    inquiry: BoundQuestions

    schema = "odds/2"
    free = frozenset({"check"})

    @cached_property
    def exact(self) -> list[pl.DataFrame | None]:
        """The exact answer to each question, None where there is none."""
        return self.inquiry.exact()

    def count(self, progress: bool) -> None:
        """Count what can be counted, with a message at a terminal if that takes long."""
        with show_if_slow(
            "Counting every deal: that may take some seconds, or a minute of many large holdings.", progress
        ):
            _ = self.exact

    @cached_property
    def left(self) -> tuple[int, ...]:
        """The numbers of the questions that are simulated."""
        return tuple(n for n, frame in enumerate(self.exact) if frame is None or "check" in self.submitted.question)

    @property
    def _top(self) -> int | None:
        return self.submitted.question.get("top")

    @cached_property
    def _trial(self) -> TrialKind:
        """What is simulated: of several questions that of which there are usually the fewest."""
        trials = [self.inquiry.spaces[number].trial for number in self.left] or [self.inquiry.spaces[0].trial]
        return min(trials, key=lambda trial: trial.usual)

    @cached_property
    def request(self) -> Request:  # type: ignore[override]
        """The request with the number of trials, and without any effort where everything is counted."""
        effort = self.submitted.effort
        if not self.left:
            effort = Effort(seed=None)
        elif "check" in self.submitted.question:
            effort = replace(effort, number=None)
        elif effort.number is None:
            effort = replace(effort, number=self._trial.usual)
        return replace(self.submitted, effort=effort)

    @property
    def size(self) -> int:
        return (self.submitted.question.get("check") or self.request.effort.number or 0) if self.left else 0

    @property
    def trials_called(self) -> str:  # type: ignore[override]
        return self._trial.unit

    @property
    def constraints(self) -> DealConstraints | None:  # type: ignore[override]
        return self.inquiry.spaces[0].constraints

    @property
    def redealt(self) -> bool:  # type: ignore[override]
        return any(space.trial.per in ("hand", "game") for space in self.inquiry.spaces)

    @cached_property
    def fingerprint(self) -> str:
        return "-".join(map(fingerprint, self._experiments())) if self.left else ""

    def _experiments(self) -> Iterator[Experiment]:
        rules, seed = self.submitted.rules.fields, self.submitted.effort.seed or 0
        for policies in dict.fromkeys(policies for space in self.inquiry.spaces for policies in space.seatings):
            yield experiment(rules, policies, seed, self.constraints)

    def check(self) -> None:
        for _ in self._experiments():
            pass

    def advance(
        self, earlier: QuestionState | None, execution: Execution, on_growth: Callable[[QuestionState], None]
    ) -> QuestionState:
        if not self.left:
            return Folded(Together(()), 0, self.unit)
        effort = replace(self.request.effort, unit=self.unit, number=self.size)
        return simulate_questions(self.inquiry, self.left, effort, execution, earlier, on_growth, self._top is not None)

    def _answers(self, state: QuestionState) -> pl.DataFrame:
        """The answers to all questions, of all values."""
        frames = {number: frame for number, frame in enumerate(self.exact) if frame is not None}
        for number, estimated in zip(self.left, self.inquiry.estimates(self.left, state, self.any_stop), strict=True):
            exact = frames.get(number)
            frames[number] = estimated if exact is None else compare_answers(exact, estimated, self.any_stop)
        return pl.concat([self._repeated(number, frames[number]) for number in sorted(frames)], how="diagonal")

    def _repeated(self, number: int, answer: pl.DataFrame) -> pl.DataFrame:
        """An answer, that for several trials if these are asked about."""
        question, per = self.submitted.question, answer["per"][0]
        units = _PLURALS.get(per, f"{per}s")
        several = Repeated(question.get("in_"), question.get("in_a_row"), units, question.get("times", 1))
        if not (several.trials or several.run):
            return answer
        if self.inquiry.table is not None or self.inquiry.questions[number].asks.trials == "after":
            return several.of(answer)
        return answer.with_columns(pl.col("quantity") + f" in {several.trials:_} {units}")

    def table(self, state: QuestionState) -> pl.DataFrame:
        if self._top is None:
            return sort_answers(self._answers(state))
        each = self._answers(replace(state, tally=state.tally if self._is_halved else state.tally.whole))
        if not self._is_halved:  # what is chosen by exact answers needs no second half
            return select_values(each, highest_values(each)[: self._top])
        # An estimate that is chosen for being high is too high: half of the trials chooses, the other half estimates.
        seen = set(each.filter(quantity=each["quantity"][0])["value"].to_list())
        choosing = self._answers(replace(state, tally=Together(state.tally.choosing)))
        return select_values(each, [value for value in highest_values(choosing) if value in seen][: self._top])

    @property
    def _is_halved(self) -> bool:
        """Whether values are chosen by some trials and estimated from others."""
        return self._top is not None and self.exact[0] is None

    def facts(self, state: QuestionState) -> dict[str, Any]:
        anywhere = ", from any seat" if len(self.inquiry.seats) > 1 else ""
        each = [space.trial.text for space in self.inquiry.spaces]
        for number, question in enumerate(self.inquiry.questions):
            if any(term.name == "misdeal" for part in question.given for term in part.terms):
                each[number] = each[number].replace(", misdeals too", "")  # the condition says which count
        facts: dict[str, Any] = {"trial": SEVERAL.join(dict.fromkeys(each)) + anywhere, "trials": self._trial.unit}
        if self._top is not None:
            facts["values"] = values_in(self._answers(replace(state, tally=state.tally.whole)))
            facts["chosen"] = "half" if self._is_halved else "all"
        return facts

    def stored(self, state: QuestionState, final: bool) -> dict[str, str]:
        each = (*state.tally.each, *state.tally.choosing)
        rows = [[[*key, *n] for key, n in sorted(counted.items())] for counted in each]
        return {TALLY: json.dumps(rows, separators=(",", ":"))} if rows else {}

    def load(self, files: Sequence[Checkpoint]) -> QuestionState:
        [file] = files
        done = file.metadata[self.unit]
        if done > self.size:
            raise InputError(
                "--hands {size!r} is less than the {done} hands of {path} (valid: more)", self.size, done, file.path
            )
        each = tuple(
            Counted({(str(value), str(number)): (int(n), int(first)) for value, number, n, first in rows})
            for rows in json.loads(file.stored.get(TALLY, "[]"))
        )
        questions = len(self.left)
        if len(each) != questions * (1 if self._top is None else 2):
            raise file.damaged()
        return Folded(Together(each[:questions], each[questions:]), done, file.metadata["stopped"])

    def notes(self, state: QuestionState) -> Iterator[str]:
        yield from self.inquiry.notes
        yield from self.inquiry.remarks()
        if any(frame is None for frame in self.exact):
            yield from self._too_few(state)
        if "hand" in (table := self.table(state)).columns:
            for row in table.filter(pl.col("hand").is_not_null(), per="hand").to_dicts():
                yield Message("{what} = {value:g}: {shown}", row["quantity"], row["estimate"], self._shown(row["hand"]))

    def method_notes(self, state: QuestionState) -> Iterator[str]:
        if any(frame is None for frame in self.exact):
            unit = Message(self._trial.unit)
            yield Message("Not counted: estimates from {done:,} simulated {trials}.", state.done, unit)

    def _too_few(self, state: QuestionState) -> Iterator[str]:
        """Remarks where few trials fulfil what is given."""
        unit = Message(self._trial.unit)
        fewest, questions = min(sums.total for sums in state.tally.whole.each), self.inquiry.questions
        if any(questions[number].aggregate == "quantiles" for number in self.left):
            rate = missed_share(fewest, self.any_stop)
            least_of = {float(share): least_for_quantile(float(share), rate) for share in QUANTILES}
            left_out = [share for share, least in least_of.items() if least > fewest]
            if left_out:
                yield Message(
                    "Quantiles left out: {shares}. {trials} {unit} are too few (valid: {least} or more).",
                    [f"{share:.0%}" for share in left_out], fewest, unit, max(least_of.values()),
                )  # fmt: skip
        if fewest < FEW and fewest < state.done:
            yield Message(
                "Only {fewest} of {done:,} {unit} fulfil what is given (--at deals only such hands where it is about "
                "cards; --hands plays more).",
                fewest, state.done, unit,
            )  # fmt: skip

    def _shown(self, hand: int) -> Message:
        """The command that shows a hand."""
        situation = {} if self.constraints is None else self.submitted.situation
        effort = Effort(seed=self.submitted.effort.seed)
        request = replace(self.submitted, verb="show", situation=situation, question={}, effort=effort)
        seat = hand // APART if len(self.inquiry.seats) > 1 else None
        who = "" if seat is None else Message(" (as {seat})", Message(order_of_play(self.submitted.rules.fields)[seat]))
        return Message("{command} --hand {hand}{who}", request.command(), hand, who)
