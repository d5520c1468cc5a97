"""Jobs of numbered trials whose tally is one array: hands or games played, or compared."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import polars as pl

from ..core.messages import Message
from ..engine.chunks import row_names
from ..engine.engines import Run
from ..engine.trials import Trials, fingerprint
from ..ruleset.rules_model import Rules
from ..ruleset.scoring import bounds_of
from ..stats.decisions import at_level, holm, holm_levels
from ..stats.sequential import always_valid_p, held, trials_required
from ..storage.records import Records, recorded
from ..storage.request import Request
from ..storage.tables import VERB_KINDS, estimate_of, headlines
from .checkpoints import TALLY, Checkpoint, merged, pack
from .runner import Execution, Job
from .tally import is_main

if TYPE_CHECKING:
    from ..situation.constraints import DealConstraints

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
    def constraints(self) -> DealConstraints | None:
        return self.trials.constraints

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint(self.trials)

    def check(self) -> None:
        self.trials.check()

    def quantities(self, distributions: bool) -> Sequence[str]:
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
                self.request.effort.precision_of, _half_width(self._precise(state)),
            )  # fmt: skip

    def stored(self, state: Run, final: bool) -> dict[str, str]:
        return {self.tally_name: pack(state.tally, "<i8")}

    def load(self, files: Sequence[Checkpoint]) -> Run:
        shape = (self.trials.tally_size(),)
        held = merged(files, self.trials, lambda file, done: file.numbers(self.tally_name, "<i8", shape))
        return Run(self.trials, held.tally, held.done, held.stopped, held.gaps)

    def advance(self, earlier: Run | None, execution: Execution, on_growth: Callable[[Run], None]) -> Run:
        trials, precision, rows = self.trials, self.request.effort.precision, execution.rows
        nothing = Run(trials, np.zeros(trials.tally_size(), np.int64), 0, "interrupted")
        return execution.fold(
            trials, partial(trials.play, rows=rows is not None), earlier or nothing, on_growth,
            required=None if precision is None else self.required, keep=None if rows is None else rows.keep,
        )  # fmt: skip

    def recorded(self, execution: Execution, earlier: Run | None) -> AbstractContextManager[Records]:
        assert execution.records is not None

        def metadata() -> dict[str, Any]:
            about = self.metadata(Run(self.trials, np.zeros(0, np.int64), 0, self.unit)) | {"schema": RECORDS}
            return {name: value for name, value in about.items() if name not in (self.unit, "stopped")}

        names, done = row_names(self.trials.rules), None if earlier is None else earlier.done
        return recorded(execution.records, names, metadata, self.trials.first, done, execution.saving.force)

    def required(self, state: Run) -> float:
        """How many trials the precision requires at least."""
        rows, precision = self._precise(state), self.request.effort.precision
        assert precision is not None
        return trials_required(_half_width(rows), rows["std_error"].max(), state.done, precision)  # type: ignore[arg-type]

    def _precise(self, state: Run) -> pl.DataFrame:
        """The rows that the precision is of, with the intervals of the table."""
        return self.precise(self.table(state), str(self.request.effort.precision_of))


def _half_width(rows: pl.DataFrame) -> float:
    """The largest half-width of an interval."""
    return float(((rows["ci_high"] - rows["ci_low"]) / 2).max())  # type: ignore[arg-type]


Row = dict[str, Any]


def holm_corrected(frame: pl.DataFrame) -> pl.DataFrame:
    """A whole table with the plain p-values in ``p_holm`` corrected by Holm's method, and intervals at the same levels:
    a difference is significant if and only if its interval leaves out 0.

    The main quantities, by which readers compare, are corrected together, and all others together: what is of interest
    does not pay for details.
    """
    if "p_holm" not in frame.columns:
        return frame
    rows = frame.to_dicts()
    for main in (True, False):
        tested = [row for row in rows if row["p_holm"] is not None and is_main(row) == main]
        ps = [row["p_holm"] for row in tested]
        for row, level, p in zip(tested, holm_levels(ps), holm(ps), strict=True):
            low, high = at_level(row, row["p_holm"], level)
            row |= {"p_holm": p, "ci_low": low, "ci_high": high}
    return pl.DataFrame(rows, schema=frame.schema, orient="row")


def held_table(frame: pl.DataFrame, rules_of: Callable[[Row], Rules]) -> pl.DataFrame:
    """A table with its intervals widened so that they hold at any stop, and p-values that are valid then.

    The p-values are not corrected for their number. ``rules_of`` gives the rules that a row is of.
    """
    rows = frame.to_dicts()
    for row in rows:
        if (estimate := estimate_of(row)) is not None:
            names = (row[name] for name in ("quantity", "per", "side", "kind"))
            wider = held(estimate, *bounds_of(rules_of(row), *names))
            row |= {"ci_low": wider.low, "ci_high": wider.high}
            if row.get("p_holm") is not None:
                row["p_holm"] = always_valid_p(estimate)
    return pl.DataFrame(rows, schema=frame.schema, orient="row")
