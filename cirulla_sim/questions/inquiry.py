"""Questions ready to be counted and simulated, and the job that answers them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from ..core.errors import InputError
from ..engine.engines import Folded
from ..engine.fingerprint import fingerprint
from ..engine.trials import Experiment, Numbers
from ..experiments.progress import waiting
from ..experiments.runner import ON_THREADS, Execution, Job
from ..situation.constraints import DealConstraints
from ..storage.checkpoints import check
from ..storage.request import Effort, Request
from ..storage.tables import read_stored
from .answers import checked
from .cases import Trial, experiment
from .counting import Counted, Together
from .repeated import repeated

TALLY = "cirulla_sim_counted"

State = Folded[Together]

_PLURALS = {"first-deal": "deals", "piles": "piles"}
"""What several trials are called."""

PATIENCE = "Counting every deal of such large holdings takes ten seconds or more."


class Inquiry(Protocol):
    """Some questions about the same trials: counted where they can be, the others answered from simulated trials.

    ``subject`` is what a trial is, ``notes`` are remarks for the reader, ``is_slow`` whether counting takes ten seconds
    or more, ``from_any_seat`` whether it is asked from several seats in turn.
    """

    @property
    def subject(self) -> Trial: ...
    @property
    def notes(self) -> Sequence[str]: ...
    @property
    def is_slow(self) -> bool: ...
    @property
    def from_any_seat(self) -> bool: ...

    def exact(self) -> list[pl.DataFrame | None]:
        """The exact answer to each question, None where there are too many cases to count."""

    def play(self, which: Sequence[int], seed: int, first: int, number: int) -> tuple[Together, None]:
        """What trials from number ``first`` of a seed on come to, for the questions of these numbers."""

    def estimates(self, which: Sequence[int], state: State) -> list[pl.DataFrame]:
        """The answers to the questions of these numbers from simulated trials."""


@dataclass(frozen=True)
class CountedTable:
    """Answers that are always counted."""

    frame: pl.DataFrame
    subject: Trial
    notes: tuple[str, ...] = ()
    is_slow = False
    from_any_seat = False

    def exact(self) -> list[pl.DataFrame | None]:
        return [self.frame]

    def play(self, which: Sequence[int], seed: int, first: int, number: int) -> tuple[Together, None]:
        raise NotImplementedError

    def estimates(self, which: Sequence[int], state: State) -> list[pl.DataFrame]:
        raise NotImplementedError


def simulate(
    inquiry: Inquiry, which: Sequence[int], effort: Effort, execution: Execution = ON_THREADS,
    earlier: State | None = None, on_growth: Callable[[State], None] | None = None,
) -> State:  # fmt: skip
    """Simulate trials for the questions with the numbers ``which``, after those of ``earlier``.

    With a precision it stops once all intervals are that narrow to each side.
    """
    precision = effort.precision

    def is_enough(state: State) -> bool:
        return max(map(_half_width, inquiry.estimates(which, state))) <= (precision or 0)

    return execution.fold(
        Numbers(effort.number or 0, unit=effort.unit, chunk=inquiry.subject.chunk),
        partial(inquiry.play, which, effort.seed or 0),
        earlier or Folded(Together((Counted(),) * len(which)), 0, "interrupted"),
        on_growth,
        enough=None if precision is None else is_enough,
    )


def simulated(inquiry: Inquiry, number: int, seed: int = 1, threads: int | None = None) -> pl.DataFrame:
    """The estimate that ``number`` trials of a seed give for the first question, with its 95% interval."""
    state = simulate(inquiry, [0], Effort("hands", number, seed=seed), Execution(threads=threads))
    return inquiry.estimates([0], state)[0]


def _half_width(frame: pl.DataFrame) -> float:
    return float(((frame["ci_high"] - frame["ci_low"]) / 2).max())  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class OddsJob(Job[State]):
    """Odds: what can be counted is, the rest is simulated; with ``check`` everything is simulated too."""

    submitted: Request
    inquiry: Inquiry

    schema = "odds/2"
    free = frozenset({"check"})

    @cached_property
    def exact(self) -> list[pl.DataFrame | None]:
        """The exact answer to each question, None where there is none."""
        return self.inquiry.exact()

    def count(self, progress: bool) -> None:
        """Count what can be counted, with a message at a terminal if that takes long."""
        with waiting(PATIENCE if progress and self.inquiry.is_slow else None):
            _ = self.exact

    @cached_property
    def left(self) -> tuple[int, ...]:
        """The numbers of the questions that are simulated."""
        return tuple(n for n, frame in enumerate(self.exact) if frame is None or self._check is not None)

    @property
    def _check(self) -> int | None:
        return self.submitted.question.get("check")

    @cached_property
    def request(self) -> Request:  # type: ignore[override]
        """The request with the number of trials, and without any effort where everything is counted."""
        effort = self.submitted.effort
        if not self.left:
            effort = Effort(seed=None)
        elif self._check is not None:
            effort = replace(effort, number=None)
        elif effort.number is None:
            effort = replace(effort, number=self.inquiry.subject.usual)
        return replace(self.submitted, effort=effort)

    @property
    def size(self) -> int:
        return (self._check or self.request.effort.number or 0) if self.left else 0

    @property
    def trials_called(self) -> str:
        return self.inquiry.subject.unit

    @property
    def constraints(self) -> DealConstraints | None:
        return self.inquiry.subject.constraints

    @property
    def redealt(self) -> bool:
        return self.submitted.question.get("of") in ("deal", "hand", "game")

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint(self._experiment()) if self.left and self.inquiry.subject.policies else ""

    def _experiment(self) -> Experiment:
        subject = self.inquiry.subject
        return experiment(
            self.submitted.rules.fields, subject.policies, self.submitted.effort.seed or 0, subject.constraints
        )

    def check(self) -> None:
        if self.inquiry.subject.policies:
            self._experiment()

    def advance(self, earlier: State | None, execution: Execution, on_growth: Callable[[State], None]) -> State:
        if not self.left:
            return Folded(Together(()), 0, self.unit)
        effort = replace(self.request.effort, unit=self.unit, number=self.size)
        return simulate(self.inquiry, self.left, effort, execution, earlier, on_growth)

    def table(self, state: State) -> pl.DataFrame:
        estimated = iter(self.inquiry.estimates(self.left, state) if self.left else ())
        frames = []
        for number, frame in enumerate(self.exact):
            if number not in self.left:
                frames.append(frame)
            else:
                frames.append(next(estimated) if frame is None else checked(frame, next(estimated)))
        answers = pl.concat([frame for frame in frames if frame is not None], how="diagonal")
        times, of = self.submitted.question.get("in_"), str(self.submitted.question.get("of"))
        return answers if times is None else repeated(answers, times, _PLURALS.get(of, f"{of}s"))

    def facts(self, state: State) -> dict[str, Any]:
        anywhere = ", from any seat" if self.inquiry.from_any_seat else ""
        return {"trial": self.inquiry.subject.trial + anywhere}

    def stored(self, state: State, final: bool) -> dict[str, str]:
        rows = [counted.as_rows() for counted in state.tally.each]
        return {TALLY: json.dumps(rows, separators=(",", ":"))} if rows else {}

    def load(self, paths: Sequence[Path], flag: str) -> State:
        [path] = paths
        metadata = check(path, self.wanted, flag)
        done = metadata[self.unit]
        if done > self.size:
            raise InputError(f"--hands '{self.size}' is less than the {done} hands of {path} (valid: more)")
        try:
            each = tuple(Counted.from_rows(rows) for rows in json.loads(read_stored(path).get(TALLY, "[]")))
        except (TypeError, ValueError):
            each = ()
        if len(each) != len(self.left):
            raise InputError(f"{flag} {path}: holds nothing to resume from (valid: a file as it was written)")
        return Folded(Together(each), done, metadata["stopped"])

    def notes(self, state: State) -> Iterator[str]:
        yield from self.inquiry.notes
        if any(frame is None for frame in self.exact):
            yield f"Not counted: estimates from {state.done:_} simulated {self.inquiry.subject.unit}."
