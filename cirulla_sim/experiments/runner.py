"""One way to carry out every request: check, resume, run, checkpoint, write, report.

A verb is a ``Job``: it says which trials there are, what they add up to, and which rows and notes that makes.
Everything else is written here once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import polars as pl

from ..core.errors import InputError, unknown
from ..core.version import VERSION
from ..engine.engines import Engine, Folded, fold
from ..engine.fingerprint import policy_sources
from ..engine.trials import Numbered
from ..exact.constrained import deal_metadata, deal_remarks
from ..reporting.result import Result
from ..situation.constraints import Known
from ..situation.line_up import LineUp
from ..storage.checkpoints import Wanted, damage_refused
from ..storage.records import Records
from ..storage.request import Request
from ..storage.tables import write_part
from .autosave import NOWHERE, Saving
from .merge import gap_text
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


ON_THREADS = Execution()
"""On all cores, without a progress bar and without files."""


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
        """How many trials there are to play; none where everything is counted."""
        return self.request.effort.number or 0

    @property
    def trials_called(self) -> str:
        """What readers call the trials, in the plural."""
        return self.unit

    @property
    def known(self) -> Known | None:
        """The cards known of every deal."""
        return None

    @property
    def redealt(self) -> bool:
        """Whether misdeals are dealt again."""
        return True

    @property
    def resumable(self) -> bool:
        """Whether its file is resumed; otherwise it is replaced."""
        return True

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

    def resumed(self, earlier: S, state: S) -> str:
        """What was there already, for readers."""
        return resumed(earlier.done, state.done, self.unit, state.gaps)

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
        same = {"schema": self.schema, "version": VERSION, **self.same(), "fingerprint": self.fingerprint}
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
    earlier = saving.earlier(partial(_load, job)) if job.resumable else None

    with ExitStack() as stack:  # a file that cannot be written is refused now
        rows = None if how.records is None else stack.enter_context(job.recorded(how, earlier))

        def write(state: S, part: Path) -> None:
            if rows is not None:
                rows.end_part()  # a checkpoint is never ahead of the rows on the disk
            write_part(job.draft(state), part, job.metadata(state), job.stored(state, False))

        checkpoints = stack.enter_context(saving.open(write))
        state = job.advance(earlier, replace(how, rows=rows), checkpoints.on_growth)
        frame = job.table(state) if state.done or not job.size else pl.DataFrame()
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


def _load(job: Job[S], paths: Sequence[Path], flag: str) -> S:
    """What files hold of a job already; raises ``InputError`` where that is not what a run stores."""
    with damage_refused(paths[0], flag):
        state = job.load(paths, flag)
        if state.done:
            job.table(state)
        return state


def _check_names(job: Job[Any], names: Iterable[str], flag: str, distributions: bool) -> None:
    """Raise ``InputError`` that begins with the flag for a quantity that no row of the job's table has."""
    if names := list(names):
        valid = job.quantities(distributions)
        for name in names:
            if name not in valid:
                raise unknown("quantity", name, valid, where=f"{flag}: ")


def _remarks(job: Job[S], state: S, earlier: S | None, how: Execution) -> Iterator[str]:
    trials = job.trials_called
    yield from players_line(job.request.line_ups)
    yield from deal_remarks(job.known, job.request.rules.fields, job.redealt)
    if earlier is not None and job.size:
        yield job.resumed(earlier, state)
    if state.stopped == "precision":
        yield f"Stopped after {state.done:_} {trials}: the requested precision is reached."
    elif job.missed(state) and (precision := job.request.effort.precision) is not None:
        yield f"The precision {precision:g} is not reached in {state.done:_} {trials}."
    yield from job.notes(state)
    for path in (how.saving.output, how.records):
        if path is not None:
            yield f"Written: {path if path.exists() else f'{path}.parts'}"
    if state.stopped == "interrupted":
        yield f"Interrupted after {state.done:_} of {job.size:_} {trials}; the table covers those."
        if how.saving.output is not None and job.resumable:
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
