"""The main job: an experiment carried out, shown and kept, with progress, a precision, and a way to go on."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ..core.errors import InputError, unknown
from ..core.version import VERSION
from ..engine.chunks import row_names
from ..engine.engines import Run, carry_out
from ..engine.fingerprint import fingerprint
from ..engine.trials import Trials
from ..exact.constrained import deal_metadata, deal_remarks, deal_words
from ..reporting.result import Result
from ..ruleset.presets import command_words
from ..storage.checkpoints import TALLY, pack
from ..storage.records import Records, recorded
from ..storage.tables import headlines, write_part
from .autosave import NOWHERE, Saving
from .merge import run_of, told
from .progress import progress_bar


@dataclass(frozen=True)
class Kind:
    """A verb that carries out experiments: its name, the schema of its files, what it shows of a run.

    ``flags`` are the words of the command that ask for this way of showing it, ``controls`` names what estimates of a
    run are corrected by, ``made`` is what its metadata says besides and ``said`` its remarks.
    """

    verb: str
    schema: str
    table: Callable[[Run], pl.DataFrame]
    shown: Callable[[pl.DataFrame], pl.DataFrame] = lambda frame: frame
    """What a reader is shown of the rows to be shown."""
    flags: tuple[str, ...] = ()
    controls: Callable[[Run], list[str]] = lambda run: []
    made: Callable[[Run], dict[str, Any]] = lambda run: {}
    said: Callable[[Run], Iterator[str]] = lambda run: iter(())


@dataclass(frozen=True)
class Plan:
    """An experiment and when to stop: at its end, or when a quantity's intervals are ``precision`` to each side."""

    kind: Kind
    experiment: Trials
    preset: str = "cirulla"
    precision: float | None = None
    precision_of: str = "points"

    @cached_property
    def fingerprint(self) -> str:
        """What tells whether the trials would still be played the same."""
        return fingerprint(self.experiment)

    def command(self, output: Path | None = None, records: Path | None = None) -> str:
        """The command that makes the result; threads and file names are left out, for they change nothing in it.

        With ``output`` and ``records`` the command that makes these files.
        """
        experiment = self.experiment
        words = ["cirulla-sim", self.kind.verb, *command_words(experiment.rules, self.preset)]
        words += [word for line_up in experiment.line_ups for word in ("--policy", line_up)]
        words += deal_words(experiment.known)
        words += [*experiment.asked_for, "--seed", str(experiment.seed)]
        if experiment.aim != "points":
            words += ["--aim", experiment.aim]
        words += self.kind.flags
        if self.precision is not None:
            words += ["--precision", f"{self.precision:g}", "--precision-of", self.precision_of]
        for flag, path in (("--records", records), ("-o", output)):
            words += [flag, str(path)] if path is not None else []
        return shlex.join(words)


def carry_out_plan(
    plan: Plan,
    saving: Saving = NOWHERE,
    *,
    engine: str = "threads",
    threads: int | None = None,
    records: Path | None = None,
    only: tuple[str, ...] = (),
    progress: bool = False,
) -> Result:
    """Carry out a plan, write the files asked for, and return the result.

    What the file of ``saving`` holds of it already is not played again.

    Raises ``InputError`` for rules that cannot be played, files that cannot be written, a quantity that is not there
    and a file to go on from that is of something else. Files appear whole or not at all.
    """
    check_quantities(plan.kind, plan.experiment, only, "--only")
    plan.experiment.check()
    enough = _precision_reached(plan) if plan.precision is not None else None
    if records is not None and saving.resume:
        raise InputError("--records cannot be used with --resume: the rows of the hands already played are not there")
    nothing = Run(plan.experiment, np.zeros(0, np.int64), 0, plan.experiment.unit)
    earlier = saving.earlier(partial(run_of, plan.experiment, lambda: metadata(plan, nothing), plan.kind.verb))
    kept_rows: Records | None = None

    def write(run: Run, part: Path) -> None:
        if kept_rows is not None:
            kept_rows.end_part()  # so that the rows of what is saved are there
        write_part(plan.kind.table(run), part, metadata(plan, run), {TALLY: pack(run.tally, "<i8")})

    with ExitStack() as stack:
        if records is not None:
            kept_rows = stack.enter_context(_recorded(plan, records, earlier, saving))
        keeper = stack.enter_context(saving.kept(write))  # a file that cannot be is told now
        bar = stack.enter_context(
            progress_bar(plan.experiment.number, earlier.done if earlier else 0, progress, plan.experiment.unit)
        )
        run = carry_out(
            plan.experiment,
            engine=engine,
            threads=threads,
            enough=enough,
            keep_rows=None if kept_rows is None else kept_rows.keep,
            progress=bar,
            resume=earlier,
            grown=keeper.grown,
        )
        if not run.done:
            raise KeyboardInterrupt
        complete = run.stopped != "interrupted"
        if kept_rows is not None:
            kept_rows.end_part(complete)
        frame, made, kept = plan.kind.table(run), metadata(plan, run), {TALLY: pack(run.tally, "<i8")}
        keeper.end(lambda part: write_part(frame, part, made, kept))
        written = [saving.output, kept_rows.finish(complete) if kept_rows is not None else None]
    remarks = tuple(_remarks(plan, run, earlier, saving.output, records, written))
    rows = frame.filter(pl.col("quantity").is_in(only)) if only else headlines(frame)
    return Result(frame, made, plan.kind.shown(rows), remarks, _exit_code(plan, run), kept, only)


def check_quantities(
    kind: Kind, experiment: Trials, names: Sequence[str], flag: str, distributions: bool = True
) -> None:
    """Raise ``InputError``, beginning with the flag, for a name that no row of the experiment's table has."""
    if not names:
        return
    experiment.check()
    frame = kind.table(Run(experiment, experiment.play(0, 2)[0], 2, experiment.unit))
    rows = frame if distributions else headlines(frame)
    known = rows["quantity"].unique(maintain_order=True).to_list()
    for name in names:
        if name not in known:
            raise unknown("quantity", name, known, where=f"{flag}: ")


def metadata(plan: Plan, run: Run) -> dict[str, Any]:
    """How a result was made: the contract's object for the file."""
    return {
        "version": VERSION,
        "command": plan.command(),
        "preset": plan.preset,
        "rules": asdict(plan.experiment.rules),
        "policies": list(plan.experiment.side_policies),
        "players": plan.experiment.rules.players,
        "seed": plan.experiment.seed,
        plan.experiment.unit: run.done,
        **which(run.experiment.first, run.gaps),
        "stopped": run.stopped,
        "schema": plan.kind.schema,
        "fingerprint": plan.fingerprint,
        **deal_metadata(plan.experiment.known, plan.experiment.rules),
        **({"controls": controls} if (controls := plan.kind.controls(run)) else {}),
        **plan.kind.made(run),
    }


def which(first: int, gaps: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """What metadata says of the numbers of the trials of a run, where they are not those from 0 on without a gap."""
    return ({"first": first} if first else {}) | ({"gaps": [list(gap) for gap in gaps]} if gaps else {})


def _precision_reached(plan: Plan) -> Callable[[Run], bool]:
    """Whether every interval of the quantity, distributions aside, is narrow enough."""
    check_quantities(plan.kind, plan.experiment, [plan.precision_of], "--precision-of", distributions=False)

    def reached(run: Run) -> bool:
        assert plan.precision is not None
        return max(_half_widths(plan.kind.table(run), plan.precision_of)) <= plan.precision

    return reached


def _half_widths(frame: pl.DataFrame, quantity: str) -> list[float]:
    rows = headlines(frame).filter(pl.col("quantity") == quantity)
    return ((rows["ci_high"] - rows["ci_low"]) / 2).to_list()


def _recorded(plan: Plan, path: Path, earlier: Run | None, saving: Saving) -> AbstractContextManager[Records]:
    """Takes the rows of a run, see ``records.recorded``."""

    def made() -> dict[str, Any]:
        found = metadata(plan, Run(plan.experiment, np.zeros(0, np.int64), 0, "hands")) | {"schema": "records/1"}
        return {name: value for name, value in found.items() if name not in ("hands", "stopped")}  # the rows tell

    names, done = row_names(plan.experiment.rules), None if earlier is None else earlier.done
    return recorded(path, names, made, plan.experiment.first, done, saving.force, saving.output is not None)


def gone_on(before: int, done: int, unit: str, gaps: Sequence[tuple[int, int]] = ()) -> str:
    """What of a run was there already, and what is missing among it.

    >>> gone_on(1000, 2000, "hands")
    'Went on from the 1_000 hands that were there.'
    """
    if gaps:
        return f"Left out, since no file holds them: {unit} {told(gaps)}."
    if done == before:
        return f"All {done:_} {unit} were there: nothing was played."
    return f"Went on from the {before:_} {unit} that were there."


def interruption(done: int, asked: int, unit: str) -> str:
    """What a table of an interrupted run is of."""
    return f"Interrupted after {done:_} of {asked:_} {unit}; the table is of those."


def players_line(line_ups: Sequence[str]) -> str:
    """Whose points a result tells.

    >>> players_line(["careful"]), players_line(["random,greedy"])
    ('Players: careful.', "Players: random,greedy (a policy a side, the dealer's last).")
    """
    sides = " (a policy a side, the dealer's last)" if any("," in line_up for line_up in line_ups) else ""
    return f"Players: {'; '.join(line_ups)}{sides}."


def _remarks(
    plan: Plan, run: Run, earlier: Run | None, output: Path | None, records: Path | None, written: Sequence[Path | None]
) -> Iterator[str]:  # fmt: skip
    unit = plan.experiment.unit
    yield players_line(plan.experiment.line_ups)
    yield from deal_remarks(plan.experiment.known, plan.experiment.rules)
    if earlier is not None:
        yield gone_on(earlier.done, run.done, unit, run.gaps)
    if run.stopped == "precision":
        yield f"Stopped after {run.done:_} {unit}: the precision asked for is reached."
    elif run.stopped == unit and plan.precision is not None:
        width = max(_half_widths(plan.kind.table(run), plan.precision_of))
        known = f"{plan.precision_of} is known to {width:.2g}"
        yield f"The precision {plan.precision:g} is not reached in {run.done:_} {unit}: {known}."
    if controls := plan.kind.controls(run):
        yield f"Points, margin and hands won are corrected by the deals' exact means: {', '.join(controls)}."
    yield from plan.kind.said(run)
    for path in written:
        if path is not None:
            yield f"Written: {path}"
    if run.stopped == "interrupted":
        yield interruption(run.done, plan.experiment.number, unit)
        if output is not None:
            yield f"To go on, give the same command again: {plan.command(output, records)}"


def _exit_code(plan: Plan, run: Run) -> int:
    if run.stopped == "interrupted":
        return 130
    if run.stopped == plan.experiment.unit and plan.precision is not None:
        return 3
    return 0
