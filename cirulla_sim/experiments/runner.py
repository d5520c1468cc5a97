"""One way to carry out every request: check, resume, run, checkpoint, write, report.

A verb is a ``Job``: it says which trials there are, what they add up to, and which rows and notes that makes.
Everything else is written here once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import polars as pl

from ..core.errors import InputError, unknown
from ..core.version import VERSION
from ..engine.chunks import row_names
from ..engine.engines import Engine, Folded, Run, fold
from ..engine.fingerprint import fingerprint, policy_sources
from ..engine.trials import Numbered, Trials
from ..exact.constrained import deal_metadata, deal_remarks
from ..reporting.result import Result
from ..situation.constraints import Known
from ..situation.line_up import LineUp
from ..storage.checkpoints import TALLY, Wanted, pack, read_packed
from ..storage.records import Records, recorded
from ..storage.request import Request
from ..storage.tables import headlines, write_part
from .autosave import NOWHERE, Saving
from .merge import gap_text, merged
from .progress import progress_bar

A = TypeVar("A", bound=Any)


class State(Protocol):
    """What has been played so far."""

    @property
    def done(self) -> int:
        """How many trials."""

    @property
    def stopped(self) -> str:
        """Why no more: the unit (all were played), ``precision``, ``interrupted``, or what a job adds."""

    @property
    def gaps(self) -> tuple[tuple[int, int], ...]:
        """Trials among them that no file holds, each from one number to another."""


S = TypeVar("S", bound=State)

RECORDS = "records/2"


@dataclass(frozen=True)
class Execution:
    """How a request is carried out, which changes nothing in its result."""

    engine: str = "threads"
    threads: int | None = None
    progress: bool = False
    saving: Saving = NOWHERE
    records: Path | None = None
    only: tuple[str, ...] = ()
    rows: Records | None = None
    """Takes a row a trial where ``records`` are written; set by ``carry_out``."""

    def fold(
        self, trials: Numbered, play: Callable[[int, int], tuple[A, Any]], start: Folded[A],
        on_growth: Callable[[Folded[A]], None] | None = None, **options: Any,
    ) -> Folded[A]:  # fmt: skip
        """Add up what ``play`` makes of some trials, after those of ``start``; ``options`` are those of ``fold``."""
        done = start.done
        with self.progress_bar(trials.number, done, trials.unit) as bar:

            def report(state: Folded[A]) -> None:
                nonlocal done
                if on_growth is not None:
                    on_growth(state)
                bar(state.done - done)
                done = state.done

            return fold(play, start, trials, Engine(self.engine, self.threads), on_growth=report, **options)

    def progress_bar(self, number: int, done: int, unit: str) -> AbstractContextManager[Callable[[int], None]]:
        return progress_bar(number, done, self.progress, unit)


class Job(ABC, Generic[S]):
    """A request made ready: the trials, the rows that they add up to, and what a reader should know."""

    request: Request
    schema: str
    unit = "hands"
    free: frozenset[str] = frozenset()
    """Parts of the request's question that may differ where a file is resumed."""

    @abstractmethod
    def advance(self, earlier: S | None, how: Execution, on_growth: Callable[[S], None]) -> S:
        """Run, after what was there ``earlier``; ``on_growth`` hears of it on the way."""

    @abstractmethod
    def table(self, state: S) -> pl.DataFrame:
        """The rows; none where there is too little to tell anything."""

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """What tells whether the trials would still be played the same."""

    @property
    def size(self) -> int:
        """How many trials there are to play."""
        return self.request.effort.number or 0

    @property
    def known(self) -> Known | None:
        """The cards known of every deal."""
        return None

    def check(self) -> None:
        """Raise ``InputError`` if the request cannot be carried out."""

    def quantities(self, distributions: bool) -> Sequence[str]:
        """The names of the table's rows, with those of ``distributions`` or without."""
        raise NotImplementedError

    def load(self, paths: Sequence[Path], flag: str) -> S:
        """What files hold of it already; raises ``InputError`` where that is of something else, or nothing."""
        raise InputError(f"{flag} {paths[0]}: such a file cannot be resumed (valid: another file)")

    def same(self) -> dict[str, Any]:
        """What of the metadata must be the same in a file that is resumed, beside the request's identity."""
        return {}

    def facts(self, state: S) -> dict[str, Any]:
        """What the metadata says besides of what was played."""
        return {}

    def recorded(self, how: Execution, earlier: S | None) -> AbstractContextManager[Records]:
        """Opens the file of ``how.records``; raises ``InputError`` where there is a file already, or no such rows."""
        raise InputError("--records cannot be combined with such a request: it has no row a hand")

    def stored(self, state: S, final: bool) -> dict[str, str]:
        """What a file stores beside the table to be resumed from, by name."""
        return {}

    def notes(self, state: S) -> Iterator[str]:
        """What a reader should know besides."""
        return iter(())

    def missed(self, state: S) -> bool:
        """Whether the precision was not reached."""
        return self.request.effort.precision is not None and state.stopped == self.unit

    def draft(self, state: S) -> pl.DataFrame:
        """The table of a checkpoint."""
        return self.table(state)

    @property
    def wanted(self) -> Wanted:
        """What a file must be of to be resumed."""
        same = {"schema": self.schema, "version": VERSION, "fingerprint": self.fingerprint, **self.same()}
        return Wanted(self.request, self.free, same, self.unit)

    def metadata(self, state: S) -> dict[str, Any]:
        """How a result was made: the contract's object for the file."""
        request, effort = self.request, self.request.effort
        names = [name for line_up in request.line_ups for name in line_up.names]
        sources = policy_sources(names)
        return {
            "schema": self.schema,
            "version": VERSION,
            "request": request.as_json(),
            "command": request.command(),
            "policies": [str(line_up) for line_up in request.line_ups],
            "players": request.rules.fields.players,
            "seed": effort.seed,
            self.unit: state.done,
            **({"first": effort.first} if effort.first else {}),
            **({"gaps": [list(gap) for gap in state.gaps]} if state.gaps else {}),
            "stopped": state.stopped,
            "fingerprint": self.fingerprint,
            **({"sources": sources} if sources else {}),
            **deal_metadata(self.known, request.rules.fields),
            **self.facts(state),
        }


def carry_out(job: Job[S], how: Execution) -> Result:
    """Carry out a job, write the files asked for, and return the result; the same however it is carried out.

    What the file of ``how.saving`` holds of it already is not played again. Ctrl-C ends it: the table is of what is
    done.

    Raises ``InputError`` for what cannot be carried out, files that cannot be written, and one to resume that is of
    something else. Files appear whole or not at all.
    """
    if how.records is not None and how.saving.resume:
        raise InputError("--records cannot be combined with --resume: the rows of earlier hands are missing")
    job.check()
    _check_names(job, how.only, "--only", True)
    _check_names(job, filter(None, [job.request.effort.precision_of]), "--precision-of", False)
    saving = how.saving
    earlier = saving.earlier(job.load)

    with ExitStack() as stack:  # a file that cannot be written is refused now
        rows = None if how.records is None else stack.enter_context(job.recorded(how, earlier))

        def write(state: S, part: Path) -> None:
            if rows is not None:
                rows.end_part()  # a checkpoint is never ahead of the rows on the disk
            write_part(job.draft(state), part, job.metadata(state), job.stored(state, False))

        checkpoints = stack.enter_context(saving.open(write))
        state = job.advance(earlier, replace(how, rows=rows), checkpoints.on_growth)
        frame = job.table(state) if state.done else pl.DataFrame()
        complete = state.stopped != "interrupted"
        if frame.is_empty() and not complete:
            raise KeyboardInterrupt
        if rows is not None:
            rows.end_part(complete)
        metadata, stored = job.metadata(state), job.stored(state, True)
        checkpoints.end(lambda part: write_part(frame, part, metadata, stored))
        if rows is not None:
            rows.finish(complete)
    remarks = tuple(_remarks(job, state, earlier, how))
    code = 130 if state.stopped == "interrupted" else 3 if job.missed(state) else 0
    return Result(frame, metadata, remarks, code, stored, how.only)


def _check_names(job: Job[Any], names: Iterable[str], flag: str, distributions: bool) -> None:
    """Raise ``InputError`` that begins with the flag for a quantity that no row of the job's table has."""
    if names := list(names):
        valid = job.quantities(distributions)
        for name in names:
            if name not in valid:
                raise unknown("quantity", name, valid, where=f"{flag}: ")


def _remarks(job: Job[S], state: S, earlier: S | None, how: Execution) -> Iterator[str]:
    yield from players_line(job.request.line_ups)
    yield from deal_remarks(job.known, job.request.rules.fields)
    if earlier is not None:
        yield resumed(earlier.done, state.done, job.unit, state.gaps)
    if state.stopped == "precision":
        yield f"Stopped after {state.done:_} {job.unit}: the requested precision is reached."
    elif job.missed(state) and (precision := job.request.effort.precision) is not None:
        yield f"The precision {precision:g} is not reached in {state.done:_} {job.unit}."
    yield from job.notes(state)
    for path in (how.saving.output, how.records):
        if path is not None:
            yield f"Written: {path if path.exists() else f'{path}.parts'}"
    if state.stopped == "interrupted":
        yield f"Interrupted after {state.done:_} of {job.size:_} {job.unit}; the table covers those."
        if how.saving.output is not None:
            command = job.request.command(records=how.records, output=how.saving.output)
            yield f"To resume, give the same command again: {command}"


def players_line(line_ups: Sequence[LineUp]) -> Iterator[str]:
    """Whose points a result shows.

    >>> list(players_line([LineUp.parse("dealer=random, others=greedy")]))
    ['Players: dealer=random, others=greedy.']
    """
    if line_ups:
        yield f"Players: {'; '.join(map(str, line_ups))}."


def resumed(before: int, done: int, unit: str, gaps: Sequence[tuple[int, int]] = ()) -> str:
    """What of a run was there already, and what is missing among it.

    >>> resumed(1000, 2000, "hands")
    'Resumed after 1_000 hands.'
    """
    if gaps:
        return f"Left out, since no file holds them: {unit} {gap_text(gaps)}."
    if done == before:
        return f"All {done:_} {unit} were there: nothing was played."
    return f"Resumed after {before:_} {unit}."


# ------------------------------------------------------------------------------------------------ numbered trials


@dataclass(frozen=True, eq=False)
class TrialsJob(Job[Run]):
    """A job of numbered trials whose tally is one array: hands or games played, or compared."""

    request: Request
    trials: Trials
    schema: str
    rows: Callable[[Run], pl.DataFrame]
    """The table of a run."""
    precise: Callable[[pl.DataFrame, str], pl.DataFrame] = lambda frame, name: headlines(frame).filter(quantity=name)
    """The rows of a table whose intervals a precision is of."""
    about: Callable[[Run], Mapping[str, Any]] = lambda run: {}
    remarks: Callable[[Run], Iterator[str]] = lambda run: iter(())
    must_match: Mapping[str, Any] = field(default_factory=dict)
    free: frozenset[str] = frozenset()
    names: tuple[str, ...] | None = None
    """The quantities that the table has, where they are known without playing."""

    @property
    def unit(self) -> str:  # type: ignore[override]
        return self.trials.unit

    @property
    def size(self) -> int:
        return self.trials.number

    @property
    def known(self) -> Known | None:
        return self.trials.known

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint(self.trials)

    def check(self) -> None:
        self.trials.check()

    def quantities(self, distributions: bool) -> Sequence[str]:
        if self.names is not None:
            return self.names
        frame = self.rows(Run(self.trials, self.trials.play(0, 2)[0], 2, self.unit))
        shown = frame if distributions else headlines(frame)
        return shown["quantity"].unique(maintain_order=True).to_list()

    def same(self) -> dict[str, Any]:
        return dict(self.must_match)

    def table(self, state: Run) -> pl.DataFrame:
        return self.rows(state)

    def facts(self, state: Run) -> dict[str, Any]:
        return dict(self.about(state))

    def notes(self, state: Run) -> Iterator[str]:
        yield from self.remarks(state)
        if self.missed(state):
            yield f"{self.request.effort.precision_of} has a half-width of {self._width(state):.2g}."

    def stored(self, state: Run, final: bool) -> dict[str, str]:
        return {TALLY: pack(state.tally, "<i8")}

    def load(self, paths: Sequence[Path], flag: str) -> Run:
        shape = (self.trials.tally_size(),)
        state: Folded[Any] = merged(
            self.wanted, self.trials, paths, flag, lambda path, done: read_packed(path, TALLY, "<i8", shape, flag)
        )
        return self._run(state)

    def advance(self, earlier: Run | None, how: Execution, on_growth: Callable[[Run], None]) -> Run:
        trials, precision, rows = self.trials, self.request.effort.precision, how.rows
        nothing = Folded(np.zeros(trials.tally_size(), np.int64), 0, "interrupted")
        start = nothing if earlier is None else Folded(earlier.tally, earlier.done, earlier.stopped, earlier.gaps)
        state = how.fold(
            trials, partial(trials.play, rows=rows is not None), start, lambda state: on_growth(self._run(state)),
            enough=None if precision is None else lambda state: self._width(self._run(state)) <= precision,
            keep=None if rows is None else rows.keep,
        )  # fmt: skip
        return self._run(state)

    def recorded(self, how: Execution, earlier: Run | None) -> AbstractContextManager[Records]:
        assert how.records is not None

        def metadata() -> dict[str, Any]:
            about = self.metadata(Run(self.trials, np.zeros(0, np.int64), 0, self.unit)) | {"schema": RECORDS}
            return {name: value for name, value in about.items() if name not in (self.unit, "stopped")}

        names, done = row_names(self.trials.rules), None if earlier is None else earlier.done
        output = how.saving.output is not None
        return recorded(how.records, names, metadata, self.trials.first, done, how.saving.force, output)

    def _run(self, state: Folded[Any]) -> Run:
        return Run(self.trials, state.tally, state.done, state.stopped, state.gaps)

    def _width(self, state: Run) -> float:
        """The largest half-width of the quantity that the precision is of."""
        rows = self.precise(self.rows(state), str(self.request.effort.precision_of))
        return float(((rows["ci_high"] - rows["ci_low"]) / 2).max())  # type: ignore[arg-type]
