"""Jobs of numbered trials whose tally is one array: hands or games played, or compared.

Rare rules by dealing rare deals: of rules that act through the first table alone, only such tables are dealt.

Two rule sets that differ in nothing but what they do with tables (the dealer's bonus, misdeals, hands won at the deal)
play every hand alike whose table they treat alike. Those hands are one stratum, in which the difference is exactly 0;
the others are the second, dealt by themselves, with a weight that is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property, partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.messages import Message
from ..engine.chunks import row_names
from ..engine.engines import Folded, Run
from ..engine.trials import Trials, fingerprint
from ..exact.first_deal import tables
from ..ruleset.rules_model import Rules, bounds_of
from ..situation.constraints import DealConstraints
from ..stats.decisions import at_level, holm, holm_levels
from ..stats.sequential import always_valid_p, held, trials_required
from ..storage.checkpoints import TALLY, Checkpoint, pack
from ..storage.records import Records, recorded
from ..storage.request import Request
from ..storage.result_schema import VERB_KINDS
from ..storage.tables import estimate_of, headlines
from .merge import merged
from .runner import Execution, Job
from .tally import is_main

RECORDS = "records/2"
"""The schema of files of a row a hand."""


@dataclass(frozen=True, eq=False)
class TrialsJob(Job[Run]):
    """A job of numbered trials whose tally is one array: hands or games played, or compared."""

    request: Request
    trials: Trials
    schema: str
    rows: Callable[[Run], pl.DataFrame]
    """The table of a run."""
    precise: Callable[[pl.DataFrame, str], pl.DataFrame] = lambda frame, name: headlines(frame).filter(quantity=name)
    """The rows of a table, by quantity, whose intervals must reach the precision."""
    about: Callable[[Run], Mapping[str, Any]] = lambda run: {}
    remarks: Callable[[Run], Iterator[str]] = lambda run: iter(())
    method: Callable[[Run], Iterator[str]] = lambda run: iter(())
    must_match: Mapping[str, Any] = field(default_factory=dict)
    free: frozenset[str] = frozenset()
    names: tuple[str, ...] | None = None
    """The quantities of the table; None to play two trials for them."""

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
        if self.names is not None:
            return self.names
        frame = self.rows(Run(self.trials, self.trials.play(0, 2)[0], 2, self.unit))
        shown = frame if distributions else headlines(frame)
        return shown["quantity"].unique(maintain_order=True).to_list()

    def same(self) -> dict[str, Any]:
        return dict(self.must_match)

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
        levels = {"levels": "holm"} if kind is not None and "p_holm" in kind.back else {}
        return {**self.about(state), **levels}

    def notes(self, state: Run) -> Iterator[str]:
        yield from self.remarks(state)
        if self.missed(state):
            yield Message(
                "{quantity} has a half-width of {half_width:.2g}.",
                self.request.effort.precision_of, _half_width(self._precise(state)),
            )  # fmt: skip

    def method_notes(self, state: Run) -> Iterator[str]:
        return self.method(state)

    def stored(self, state: Run, final: bool) -> dict[str, str]:
        return {TALLY: pack(state.tally, "<i8")}

    def load(self, files: Sequence[Checkpoint]) -> Run:
        shape = (self.trials.tally_size(),)
        return self._run(merged(files, self.trials, lambda file, done: file.numbers(TALLY, "<i8", shape)))

    def advance(self, earlier: Run | None, execution: Execution, on_growth: Callable[[Run], None]) -> Run:
        trials, precision, rows = self.trials, self.request.effort.precision, execution.rows
        nothing = Folded(np.zeros(trials.tally_size(), np.int64), 0, "interrupted")
        start = nothing if earlier is None else Folded(earlier.tally, earlier.done, earlier.stopped, earlier.gaps)
        state = execution.fold(
            trials, partial(trials.play, rows=rows is not None), start, lambda state: on_growth(self._run(state)),
            required=None if precision is None else lambda state: self._required(self._run(state), precision),
            keep=None if rows is None else rows.keep,
        )  # fmt: skip
        return self._run(state)

    def recorded(self, execution: Execution, earlier: Run | None) -> AbstractContextManager[Records]:
        assert execution.records is not None

        def metadata() -> dict[str, Any]:
            about = self.metadata(Run(self.trials, np.zeros(0, np.int64), 0, self.unit)) | {"schema": RECORDS}
            return {name: value for name, value in about.items() if name not in (self.unit, "stopped")}

        names, done = row_names(self.trials.rules), None if earlier is None else earlier.done
        return recorded(execution.records, names, metadata, self.trials.first, done, execution.saving.force)

    def _run(self, state: Folded[Any]) -> Run:
        return Run(self.trials, state.tally, state.done, state.stopped, state.gaps)

    def _required(self, state: Run, precision: float) -> float:
        """How many trials the precision requires at least."""
        rows = self._precise(state)
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


SELDOM = Fraction(1, 4)
"""The largest chance of a stratum that is dealt by itself: its hands are played under both rule sets."""

_DEALT = (
    "misdeal_mask", "misdeal_count", "misdeal_three_equal", "table_four_equal_wins", "tables", "bury_table",
)  # fmt: skip
"""What of the flat rules is read when the table is dealt and never again."""


@dataclass(frozen=True, eq=False)
class Stratum:
    """The deals of two rule sets that may differ: masks of their first tables, uint64[n], and their exact chance.

    The first table is the first that is no misdeal under both.
    """

    tables: NDArray[np.uint64]
    chance: Fraction


@cache
def stratum(base: Rules, rules: Rules) -> Stratum | None:
    """The deals in which alone hands under two rule sets may differ; None where that is not certain or not rare.

    That is certain where the rules differ only in what they do with tables, and tables dealt before that one leave no
    trace in what is dealt after them. Buried ones do; and where misdeals in a row lose, those of one rule set count.
    """
    from ..kernel.entries.hands import MISDEAL, treat_tables
    from ..kernel.entries.rules import flat_rules
    from ..kernel.game.flat import NEVER, alike

    flat, other = flat_rules(base), flat_rules(rules)
    if base.table_cards != 4 or alike(flat, other) or not alike(flat, other, _DEALT):
        return None
    masks = _masks()
    mine, theirs = np.zeros((2, len(masks)), np.uint64)
    treat_tables(flat, masks, mine)
    treat_tables(other, masks, theirs)
    misdeals = (mine == MISDEAL, theirs == MISDEAL)
    again = misdeals[0] & misdeals[1]
    if flat.bury_table != other.bury_table:
        again[:] = False
        differ = (mine != theirs) | misdeals[0] | misdeals[1]
    else:
        differ = mine != theirs
    lost = int(flat.misdeals_lose)
    if again.any() and (flat.bury_table or (lost != NEVER and ((misdeals[0] | misdeals[1]) & differ).any())):
        return None
    p, q = (Fraction(int(part.sum()), len(masks)) for part in (differ, again))
    chance = p / (1 - q) * (1 if lost == NEVER else 1 - q**lost)
    return Stratum(masks[differ], chance) if 0 < chance <= SELDOM else None


@cache
def _masks() -> NDArray[np.uint64]:
    """The masks of all tables of four cards, uint64[91390]."""
    return np.asarray((np.uint64(1) << tables().astype(np.uint64)).sum(axis=1), np.uint64)
