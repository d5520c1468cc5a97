"""What rules change: several rule sets on the same deals with the same dice, each effect a paired difference.

Hand number ``i`` of a seed has one deal order whatever the rules, so the numbers that two rule sets make of it are a
pair, and the mean of their differences has a much smaller error than the difference of their means. A chunk of hands
is played under every rule set; what is kept of it are sums of whole numbers over the hands.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from ..core.errors import unknown
from ..core.numerals import one_in
from ..core.version import VERSION
from ..engine.engines import Folded, Run, carry_out
from ..engine.fingerprint import fingerprint
from ..exact.constrained import deal_metadata, deal_remarks, deal_words
from ..reporting.result import Result
from ..storage.checkpoints import TALLY, pack
from ..storage.tables import write_part
from .autosave import NOWHERE, Saving
from .compare_readers import for_readers, line_ups_for_readers
from .compared_games import compared_games
from .compared_line_ups import compared_side_by_side
from .merge import run_of
from .paired_effects import compared
from .paired_hands import QUANTITIES
from .paired_runs import table_schema
from .progress import progress_bar
from .rule_sets import Comparison
from .runner import gone_on, players_line, which
from .side_by_side import SideBySide

SCHEMA, LINE_UPS = "compare/2", "compare-line-ups/2"


@dataclass(frozen=True)
class Plan:
    """A comparison, or that of several line-ups, the words of the command that ask for it, and how sure it is to be."""

    asked: Comparison | SideBySide
    words: tuple[str, ...]
    preset: str = "cirulla"
    precision: float | None = None
    precision_of: str = "points"
    games: int = 0

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """One for each line-up."""
        each = self.asked.experiments.values() if isinstance(self.asked, SideBySide) else (self.asked,)
        return tuple(one for one in each if isinstance(one, Comparison))

    def table(self, run: Run) -> pl.DataFrame:
        """The table of a run of hands."""
        return compared_side_by_side(run, compared_run) if isinstance(self.asked, SideBySide) else compared_run(run)

    def for_readers(self, frame: pl.DataFrame) -> pl.DataFrame:
        """What a reader sees of the whole table."""
        return line_ups_for_readers(frame) if isinstance(self.asked, SideBySide) else for_readers(frame)

    @cached_property
    def fingerprint(self) -> str:
        """What tells whether the hands would still be played the same."""
        return fingerprint(self.asked)

    def command(self, output: Path | None = None) -> str:
        """The command that makes the result; threads and file names are left out, for they change nothing in it.

        With ``output`` the command that makes that file.
        """
        words = ["cirulla-sim", "compare", *self.words]
        words += [word for line_up in self.asked.line_ups for word in ("--policy", line_up)]
        words += deal_words(self.asked.known)
        words += [*self.asked.asked_for, "--seed", str(self.asked.seed)]
        words += ["--unpaired"] if self.comparisons[0].unpaired else []
        words += ["--games", str(self.games)] if self.games else []
        if self.precision is not None:
            words += ["--precision", f"{self.precision:g}", "--precision-of", self.precision_of]
        words += ["-o", str(output)] if output is not None else []
        return shlex.join(words)


def compared_run(run: Run) -> pl.DataFrame:
    """The table of what one line-up played."""
    assert isinstance(run.experiment, Comparison)
    return compared(run.experiment, Folded(run.tally, run.done, run.stopped))


def asking_words(
    changes: Iterable[str] = (), houses: Iterable[str] = (), against: Iterable[str] = ()
) -> tuple[str, ...]:
    """The words of a command that ask for changed fields, and for what is compared.

    >>> " ".join(asking_words(houses=["no-matta"], against=["scopa"]))
    '--house no-matta --against scopa'
    """
    repeated = {"--rule": changes, "--house": houses, "--against": against}
    return tuple(word for flag, values in repeated.items() for value in values for word in (flag, value))


def check_quantities(names: Iterable[str], flag: str) -> None:
    """Raise ``InputError``, beginning with the flag, for a name that no row of the table has."""
    known = dict.fromkeys([*(quantity.name for quantity in QUANTITIES), "margin_spread", "changed"])
    for name in names:
        if name not in known:
            raise unknown("quantity", name, known, where=f"{flag}: ")


def carry_out_plan(
    plan: Plan,
    saving: Saving = NOWHERE,
    *,
    engine: str = "threads",
    threads: int | None = None,
    chunk: int | None = None,
    only: tuple[str, ...] = (),
    progress: bool = False,
) -> Result:
    """Carry out a plan, write the file asked for, and return the result; the same for any engine, threads and chunks.

    What the file of ``saving`` holds of it already, of the same rule sets and unpaired of as many hands too, is not
    played again; games are.

    Raises ``InputError`` for a file that cannot be written, a quantity that is not there and a file to go on from that
    is of something else. The file appears whole or not at all. Ctrl-C ends the run: the table is of the hands done, and
    if it comes while games are played they are left out.
    """
    check_quantities(only, "--only")
    check_quantities([plan.precision_of], "--precision-of")
    plan.asked.check()
    nothing = Run(plan.asked, np.zeros(0, np.int64), 0, "hands")
    earlier = saving.earlier(partial(run_of, plan.asked, lambda: metadata(plan, nothing), "compare"))

    def write(run: Run, part: Path) -> None:
        write_part(plan.table(run), part, metadata(plan, run), {TALLY: pack(run.tally, "<i8")})

    with ExitStack() as stack:
        keeper = stack.enter_context(saving.kept(write))  # a file that cannot be is told now
        bar = stack.enter_context(progress_bar(plan.asked.number, earlier.done if earlier else 0, progress))
        run = carry_out(
            plan.asked,
            engine=engine,
            threads=threads,
            chunk=chunk,
            enough=None if plan.precision is None else partial(_precise, plan),
            progress=bar,
            resume=earlier,
            grown=keeper.grown,
        )
        if not run.done:
            raise KeyboardInterrupt
        frame = plan.table(run)
        if plan.games and run.stopped != "interrupted":
            try:
                frame = pl.concat([frame, *_games(plan, frame, engine, threads, progress)])
            except KeyboardInterrupt:
                run = replace(run, stopped="interrupted")
        made, kept = metadata(plan, run), {TALLY: pack(run.tally, "<i8")}
        keeper.end(lambda part: write_part(frame, part, made, kept))
    remarks = tuple(_remarks(plan, frame, run, earlier, saving.output))
    shown = frame.filter(pl.col("quantity").is_in(only)) if only else plan.for_readers(frame)
    return Result(frame, made, shown, remarks, _exit_code(plan, run), kept, only)


def _games(plan: Plan, frame: pl.DataFrame, engine: str, threads: int | None, progress: bool) -> Iterator[pl.DataFrame]:
    """What games add to the table, line-up by line-up."""
    for comparison in plan.comparisons:
        with progress_bar(plan.games, 0, progress, "games") as bar:
            rows = compared_games(comparison, plan.games, engine=engine, threads=threads, progress=bar)
        told = pl.DataFrame(rows, schema=table_schema(comparison.label), orient="row")
        yield told.with_columns(policy=pl.lit(comparison.line_ups[0])).select(frame.columns)


def metadata(plan: Plan, run: Run) -> dict[str, Any]:
    """How a result was made: the contract's object for the file, and in ``compared`` what each rule set changes.

    ``unpaired`` is the number of the first hand of the other rule sets, where they play hands of their own; ``seldom``
    tells of which rule sets only the deals were played that they may change, and the chance of these.
    """
    comparison = plan.comparisons[0]
    rules, (_, *others) = comparison.rules, comparison.sets
    return {
        "version": VERSION,
        "command": plan.command(),
        "preset": plan.preset,
        "rules": asdict(rules),
        "compared": {name: comparison.sets[name].differences(rules) for name in others},
        "policies": list(plan.asked.side_policies),
        "players": rules.players,
        "seed": comparison.seed,
        "hands": run.done,
        **which(run.experiment.first, run.gaps),
        "stopped": run.stopped,
        "schema": LINE_UPS if isinstance(plan.asked, SideBySide) else SCHEMA,
        "fingerprint": plan.fingerprint,
        **deal_metadata(comparison.known, rules),
        **({"unpaired": comparison.hands} if comparison.unpaired else {}),
        **({"seldom": seldom} if (seldom := _seldom(comparison)) else {}),
    }


def _seldom(comparison: Comparison) -> dict[str, dict[str, Any]]:
    """Of the rule sets that play only deals which they may change: how many first tables, and their exact chance."""
    return {
        name: {"tables": len(deals.tables), "chance": str(deals.chance)} for name, deals in comparison.strata.items()
    }


def _width(plan: Plan, frame: pl.DataFrame) -> float:
    """The largest half-width of the differences of the quantity that the precision is of."""
    kind = "share" if plan.precision_of == "changed" else "difference"
    rows = frame.filter(quantity=plan.precision_of, kind=kind)
    return float(((rows["ci_high"] - rows["ci_low"]) / 2).max())  # type: ignore[arg-type]


def _precise(plan: Plan, run: Run) -> bool:
    assert plan.precision is not None
    return _width(plan, plan.table(run)) <= plan.precision


def _remarks(plan: Plan, frame: pl.DataFrame, run: Run, earlier: Run | None, output: Path | None) -> Iterator[str]:
    comparison = plan.comparisons[0]
    rules = comparison.sets
    base, *others = rules
    yield players_line(plan.asked.line_ups)
    yield from deal_remarks(comparison.known, comparison.rules)
    if earlier is not None:
        yield gone_on(earlier.done, run.done, "hands", run.gaps)
    for name in others:
        one, other = rules[base], rules[name]
        if (one.deal_plan, one.table_cards) != (other.deal_plan, other.table_cards) and not comparison.unpaired:
            yield f"{name} deals the same packs otherwise: seats hold other cards, so pairing helps less."
        if (deals := comparison.strata.get(name)) is not None:
            yield f"{name}: dealt were only first tables with which it may matter, {one_in(deals.chance)}, counted."
        if one.sides != other.sides:
            yield f"{name} has {other.sides} sides and {base} {one.sides}."
    if run.stopped == "precision":
        yield f"Stopped after {run.done:_} hands: the precision asked for is reached."
    elif run.stopped == "hands" and plan.precision is not None:
        known = f"{plan.precision_of} is known to {_width(plan, frame):.2g}"
        yield f"The precision {plan.precision:g} is not reached in {run.done:_} hands: {known}."
    if output is not None:
        yield f"Written: {output}"
    if run.stopped == "interrupted":
        yield f"Interrupted after {run.done:_} of {plan.asked.number:_} hands; the table is of those."
        if output is not None:
            yield f"To go on, give the same command again: {plan.command(output)}"


def _exit_code(plan: Plan, run: Run) -> int:
    if run.stopped == "interrupted":
        return 130
    return 3 if run.stopped == "hands" and plan.precision is not None else 0
