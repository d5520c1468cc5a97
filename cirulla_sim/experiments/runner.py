"""One way to carry out every request: check, resume, run, checkpoint, write, report.

A verb is a ``Job``: its trials, what they add up to, and the rows and remarks of the result. Everything else is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import itemgetter
from pathlib import Path
from platform import python_version
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
import polars as pl

from ..core.errors import InputError, NotWritten, unknown
from ..core.messages import Message
from ..core.version import VERSION
from ..engine.chunks import row_names, try_policy
from ..engine.engines import Engine, Folded, Run, fold
from ..engine.trials import Numbered, Trials, fingerprint, policy_sources
from ..engine.user_policies import is_plain
from ..ruleset.rules_model import Rules
from ..stats.sequential import trials_required
from ..storage.atomic_files import sibling_path
from ..storage.records import Records, stream_of, write_records
from ..storage.request import Request
from ..storage.tables import VERB_KINDS, ResultTable, headlines, write_table
from .checkpoints import NOWHERE, TALLY, Checkpoint, Saving, gap_texts, merge_files, pack
from .progress import NOBODY, Watch
from .tally import held_table, holm_corrected

if TYPE_CHECKING:
    from ..situation.constraints import DealConstraints


class State(Protocol):
    """The trials played so far, added up.

    ``done`` is their number. ``stopped`` is why it ended: the unit (all were played), ``precision``, ``interrupted`` or
    what a job adds. ``gaps`` are ranges of trials that are missing: numbers of the first and of the one after the last.
    """

    @property
    def done(self) -> int: ...

    @property
    def stopped(self) -> str: ...

    @property
    def gaps(self) -> tuple[tuple[int, int], ...]: ...


S = TypeVar("S", bound=State)
Folds = TypeVar("Folds", Folded[Any], Run)


@dataclass(frozen=True)
class Execution:
    """How a request is carried out; the result does not depend on it."""

    engine: str = "threads"
    threads: int | None = None
    saving: Saving = NOWHERE
    records: Path | None = None
    only: tuple[str, ...] = ()
    rows: Records | None = None
    """Takes a row a trial where ``records`` are written; set by ``carry_out``."""
    watch: Watch = NOBODY

    def fold(
        self, trials: Numbered, play: Callable[[int, int], tuple[Any, Any]], start: Folds,
        on_growth: Callable[[Folds], None] | None = None, **options: Any,
    ) -> Folds:  # fmt: skip
        """Play trials after those of ``start`` and add up the tallies; ``options`` are those of ``fold``."""

        def report(state: Folds) -> None:
            if on_growth is not None:
                on_growth(state)
            self.watch.played(state.done)

        engine, watch = Engine(self.engine, self.threads), self.watch
        with watch.following(trials.number, start.done, trials.unit):
            return fold(play, start, trials, engine, on_growth=report, stopped=watch.stopped, **options)


ON_THREADS = Execution()
"""On all cores, without a progress bar and without files."""


class Job(ABC, Generic[S]):
    """A request ready to be carried out: the trials, and the rows and remarks of their result."""

    request: Request
    schema: str
    unit = "hands"
    free: frozenset[str] = frozenset()
    """Parts of the request's question that may differ in a file to resume."""
    trials_called = ""
    """The name of the trials in remarks, in the plural, if it is not the unit."""
    constraints: DealConstraints | None = None
    """The constraints on every deal."""
    redealt = True
    """Whether misdeals are dealt again."""
    resumable = True
    """Whether its file can be resumed; otherwise it is replaced."""

    @abstractmethod
    def advance(self, earlier: S | None, execution: Execution, on_growth: Callable[[S], None]) -> S:
        """Play the trials after the ``earlier`` ones; ``on_growth`` gets every state on the way."""

    @abstractmethod
    def table(self, state: S) -> pl.DataFrame:
        """The rows; none if there are too few trials for an estimate."""

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A digest that changes with anything that the trials depend on."""

    @abstractmethod
    def load(self, files: Sequence[Checkpoint]) -> S:
        """The state that files of the same request hold; raises ``InputError`` for trials beyond those requested."""

    @property
    def size(self) -> int:
        """The number of trials to play; 0 if everything is counted exactly."""
        return self.request.effort.number or 0

    @property
    def any_stop(self) -> bool:
        """Whether intervals hold at any stop: those of a run that ends as soon as they are narrow."""
        return self.request.effort.precision is not None

    def check(self) -> None:
        """Raise ``InputError`` if the request cannot be carried out."""

    def seconds_at(self, seconds: Mapping[str, float]) -> float:
        """How long the run takes at least, roughly, if a hand of some policies takes so many ``seconds``."""
        line_ups = [line_up.names for line_up in self.request.line_ups]
        return self.size * sum(sum(seconds.get(name, 0) for name in names) / len(names) for names in line_ups)

    def same(self) -> dict[str, Any]:
        """Metadata that must be the same in a file to resume, besides the request's identity."""
        return {}

    def facts(self, state: S) -> dict[str, Any]:
        """Metadata of this verb."""
        return {}

    def stored(self, state: S, final: bool) -> dict[str, str]:
        """Texts by name that a file stores besides the table, to be resumed from."""
        return {}

    def resumed(self, earlier: S, state: S) -> str:
        """The remark on a run that was resumed."""
        return resume_remark(earlier.done, state.done, self.trials_called or self.unit, state.gaps)

    def notes(self, state: S) -> Iterator[str]:
        """Remarks of this verb."""
        return iter(())

    def method_notes(self, state: S) -> Iterator[str]:
        """Sentences of this verb on how the result was made."""
        return iter(())

    def missed(self, state: S) -> bool:
        """Whether all trials were played without reaching the precision."""
        return self.request.effort.precision is not None and state.stopped == self.unit

    def draft(self, state: S) -> pl.DataFrame:
        """The table of a checkpoint."""
        return self.table(state)

    def metadata(self, state: S) -> dict[str, Any]:
        """The metadata of a result, as in its file."""
        request, effort = self.request, self.request.effort
        sources, deal = policy_sources(request.policies), {}
        if self.constraints is not None:
            from ..exact.constrained import deal_metadata  # most runs are of any deal

            deal = deal_metadata(self.constraints, request.rules.fields, self.redealt)
        return {
            "schema": self.schema,
            "version": VERSION,
            "made_with": {"python": python_version(), "numpy": np.__version__, "polars": pl.__version__},
            "request": request.as_json(),
            "command": request.command(),
            "policies": [str(line_up) for line_up in request.line_ups],
            "players": request.rules.fields.players,
            "seed": effort.seed,
            self.unit: state.done,
            **({"first": effort.first} if effort.first else {}),
            **({"gaps": [list(gap) for gap in state.gaps]} if state.gaps else {}),
            "stopped": state.stopped,
            **({"intervals": "any stop"} if self.any_stop else {}),
            "fingerprint": self.fingerprint,
            **({"sources": sources} if sources else {}),
            **deal,
            **self.facts(state),
            **self.same(),
        }


SOON = 10.0
"""Seconds for which nobody needs an estimate: longer runs by slow functions of the user's own are announced."""


def carry_out(job: Job[S], execution: Execution) -> ResultTable:
    """Carry out a job, write its files, and return the result, which is the same for every engine and thread count.

    Trials that the output file holds already are not played again. On Ctrl-C the result covers the trials so far. Files
    appear whole or not at all.

    Raises ``InputError`` for an invalid request, files that cannot be written, and a file to resume of another request,
    ``NotWritten`` with the result where the disk is full in the end.
    """
    if execution.records is not None and execution.saving.resume:
        raise InputError("--records cannot be combined with --resume: the rows of earlier hands are missing")
    job.check()
    seconds = {
        name: try_policy(job.request.rules.fields, name).seconds for name in job.request.policies if is_plain(name)
    }
    if seconds and (whole := job.seconds_at(seconds)) > SOON:
        execution.watch.expected(*max(seconds.items(), key=itemgetter(1)), whole)
    _check_names(job, execution.only, "--only", True)
    _check_names(job, filter(None, [job.request.effort.precision_of]), "--precision-of", False)
    saving = _saving(execution)
    earlier = _earlier(job, saving)

    with ExitStack() as stack:  # a file that cannot be written is refused now
        rows = None
        if execution.records is not None:
            assert isinstance(job, TrialsJob)
            rows = stack.enter_context(job.recorded(execution, None if earlier is None else earlier.done))

        def save(state: S, frame: pl.DataFrame, stored: dict[str, str]) -> None:
            if saving.output is None:
                return
            if rows is not None:  # a checkpoint is never ahead of the rows on the disk
                rows.save()
            write_table(frame, saving.output, job.metadata(state), stored)
            if rows is not None:
                rows.has_checkpoint = True

        def on_growth(state: S) -> None:
            autosave.on_growth(state)
            execution.watch.draft(lambda: ResultTable(job.draft(state), job.metadata(state)))

        autosave = stack.enter_context(saving.open(
            lambda state: save(state, job.draft(state), job.stored(state, False)), at_once=rows is not None
        ))  # fmt: skip
        state = job.advance(earlier, replace(execution, rows=rows), on_growth)
        frame = job.table(state) if state.done or not job.size else pl.DataFrame()
        complete = state.stopped != "interrupted"
        if frame.is_empty() and not complete:
            raise KeyboardInterrupt
        stored, method = job.stored(state, True), tuple(_method(job, state))
        result = ResultTable(frame, job.metadata(state), (), 0, stored, execution.only, method)
        autosave.unsaved = None  # whatever happens now, this is what is saved
        try:
            save(state, frame, stored)
            if rows is not None and complete:
                rows.finish()
        except (OSError, InputError) as error:
            raise NotWritten.of(error, result) from error
        if complete and saving.output is not None and saving.output != execution.saving.output:
            saving.output.unlink(missing_ok=True)
    code = 130 if state.stopped == "interrupted" else 3 if job.missed(state) else 0
    return replace(result, remarks=tuple(_remarks(job, state, earlier, execution)), exit_code=code)


def _saving(execution: Execution) -> Saving:
    """Where a run is saved; records alone have a checkpoint beside them until the run is complete."""
    saving, records = execution.saving, execution.records
    if saving.output is not None or records is None:
        return saving
    return replace(saving, output=sibling_path(records, ".checkpoint"), flag="--records")


def _earlier(job: Job[S], saving: Saving) -> S | None:
    """What is done of a job already, or None; where the output file is of another request, it suggests ``--force``."""
    if not (job.resumable and saving.earlier):
        return None
    try:
        return _load(job, list(map(Checkpoint.read, saving.earlier)))
    except InputError as error:
        if saving.resume:
            raise
        fault = error.message.fault
        flag = "" if fault.startswith("-") else f"{saving.flag} "
        raise InputError("{flag}{fault} (give --force to replace it, or name another file)", flag, fault) from None


def _load(job: Job[S], files: Sequence[Checkpoint]) -> S:
    """What files hold of a job; raises ``InputError`` where that is not what a run stores."""
    same = {"schema": job.schema, "version": VERSION, **job.same(), "fingerprint": job.fingerprint}
    for file in files:
        file.check(job.request, job.unit, same, job.free)
    try:
        state = job.load(files)
        if state.done:
            job.table(state)
    except InputError:
        raise
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError, pl.exceptions.PolarsError):
        raise files[0].damaged() from None
    return state


def _check_names(job: Job[Any], names: Iterable[str], flag: str, distributions: bool) -> None:
    """Raise ``InputError`` that begins with the flag for a quantity that no row of the job's table has."""
    if names := list(names):
        assert isinstance(job, TrialsJob)
        valid = job.quantities(distributions)
        for name in names:
            if name not in valid:
                raise unknown("quantity", name, valid, where=f"{flag}: ")


def _remarks(job: Job[S], state: S, earlier: S | None, execution: Execution) -> Iterator[str]:
    trials = Message(job.trials_called or job.unit)
    if job.constraints is not None:
        from ..exact.constrained import deal_remark

        yield deal_remark(job.constraints, job.request.rules.fields, job.redealt)
    for name in filter(is_plain, job.request.policies):
        yield Message("Policy {name!r} is in plain Python: it plays a thousand times slower than a compiled one.", name)
    if earlier is not None and job.size:
        yield job.resumed(earlier, state)
    if job.missed(state) and (precision := job.request.effort.precision) is not None:
        yield Message("The precision {precision:g} is not reached in {done:,} {trials}.", precision, state.done, trials)
    yield from job.notes(state)
    for path in (execution.saving.output, execution.records):
        if path is not None:
            stream = stream_of(path)
            yield Message("Written: {path}", stream if stream.exists() else path)
    if state.stopped == "interrupted":
        yield Message(
            "Interrupted after {done:,} of {size:,} {trials}; the table covers those.", state.done, job.size, trials
        )
        if _saving(execution).output is not None and job.resumable:
            command = job.request.command(records=execution.records, output=execution.saving.output)
            yield Message("To resume, give the same command again: {command}", command)


def _method(job: Job[S], state: S) -> Iterator[str]:
    trials = Message(job.trials_called or job.unit)
    if state.stopped == "precision":
        yield Message("Stopped after {done:,} {trials}: the requested precision is reached.", state.done, trials)
    if job.any_stop:
        yield Message(
            "The 95% intervals hold at any stop, so they are wider than those of a fixed number of {trials}.", trials
        )
    yield from job.method_notes(state)


def resume_remark(before: int, done: int, unit: str, gaps: Sequence[tuple[int, int]] = ()) -> str:
    """The remark on a run of which ``before`` trials were in a file already.

    >>> resume_remark(1000, 2000, "hands")
    'Resumed after 1,000 hands.'
    """
    trials = unit if isinstance(unit, Message) else Message(unit)
    if gaps:
        return Message("Left out, since no file holds them: {unit} {gaps}.", trials, gap_texts(gaps))
    if done == before:
        return Message("All {done:,} {trials} were there: nothing was played.", done, trials)
    return Message("Resumed after {done:,} {trials}.", before, trials)


# ------------------------------------------------------------------------------------------------ numbered trials


RECORDS = "records/2"
"""The schema of files of a row a hand."""


@dataclass(frozen=True, eq=False)
class TrialsJob(Job[Run]):
    """A job of numbered trials whose tally is one array: hands or games played, or compared."""

    request: Request
    trials: Trials
    tally_name: ClassVar[str] = TALLY
    """Under which name a file stores the tally."""

    @abstractmethod
    def rows(self, run: Run) -> pl.DataFrame:
        """The table of a run, its p-values not corrected for their number."""

    def precise(self, frame: pl.DataFrame, quantity: str) -> pl.DataFrame:
        """The rows of a table whose intervals must reach a precision."""
        return headlines(frame).filter(quantity=quantity)

    @property
    def unit(self) -> str:  # type: ignore[override]
        return self.trials.unit

    @property
    def size(self) -> int:
        return self.trials.number

    @property
    def constraints(self) -> DealConstraints | None:  # type: ignore[override]
        return self.trials.constraints

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint(self.trials)

    def check(self) -> None:
        self.trials.check()

    def quantities(self, distributions: bool) -> Sequence[str]:
        """The quantities of the table, with or without those of ``distributions``."""
        frame = self.rows(Run(self.trials, self.trials.play(0, 2)[0], 2, self.unit))
        shown = frame if distributions else headlines(frame)
        return shown["quantity"].unique(maintain_order=True).to_list()

    def table(self, state: Run) -> pl.DataFrame:
        return holm_corrected(self.uncorrected(state))

    def uncorrected(self, state: Run) -> pl.DataFrame:
        """The table with p-values that are not corrected for their number; at any stop, if a precision ends the run."""
        frame = self.rows(state)
        return held_table(frame, self.rules_of) if self.any_stop else frame

    def rules_of(self, row: Mapping[str, Any]) -> Rules:
        """The rules that a row of the table is of."""
        return self.trials.rules

    def facts(self, state: Run) -> dict[str, Any]:
        kind = VERB_KINDS.get(self.schema.partition("/")[0])
        is_tested = kind is not None and "p_holm" in kind.columns.split()
        return {"levels": "holm"} if is_tested else {}

    def notes(self, state: Run) -> Iterator[str]:
        if self.missed(state):
            yield Message(
                "{quantity} has a half-width of {half_width:.2g}.",
                self.request.effort.precision_of, self._precise(state)[0],
            )  # fmt: skip

    def stored(self, state: Run, final: bool) -> dict[str, str]:
        return {self.tally_name: pack(state.tally, "<i8")}

    def load(self, files: Sequence[Checkpoint]) -> Run:
        shape = (self.trials.tally_size(),)
        held = merge_files(files, self.trials, lambda file, done: file.numbers(self.tally_name, "<i8", shape))
        return Run(self.trials, held.tally, held.done, held.stopped, held.gaps)

    def advance(self, earlier: Run | None, execution: Execution, on_growth: Callable[[Run], None]) -> Run:
        trials, precision, rows = self.trials, self.request.effort.precision, execution.rows
        nothing = Run(trials, np.zeros(trials.tally_size(), np.int64), 0, "interrupted")
        return execution.fold(
            trials, partial(trials.play, rows=rows is not None), earlier or nothing, on_growth,
            required=None if precision is None else self.required, keep=None if rows is None else rows.keep,
        )  # fmt: skip

    def recorded(self, execution: Execution, done: int | None) -> AbstractContextManager[Records]:
        """Opens the file of a row a hand, after those ``done``; raises ``InputError`` if it exists already."""
        assert execution.records is not None

        def metadata() -> dict[str, Any]:
            about = self.metadata(Run(self.trials, np.zeros(0, np.int64), 0, self.unit)) | {"schema": RECORDS}
            return {name: value for name, value in about.items() if name not in (self.unit, "stopped")}

        names = row_names(self.trials.rules)
        return write_records(execution.records, names, metadata, self.trials.first, done, execution.saving.force)

    def required(self, state: Run) -> float:
        """How many trials the precision requires at least."""
        precision = self.request.effort.precision
        assert precision is not None
        return trials_required(*self._precise(state), state.done, precision)

    def _precise(self, state: Run) -> tuple[float, float]:
        """The largest half-width and standard error of the rows that the precision is of."""
        rows = self.precise(self.table(state), str(self.request.effort.precision_of))
        return float(((rows["ci_high"] - rows["ci_low"]) / 2).max()), rows["std_error"].max()  # type: ignore[arg-type, return-value]
