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
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from .. import __version__
from ..errors import unknown
from ..kept import (
    TALLY,
    check_same,
    pack,
    progress_bar,
    read_packed,
    whole_file,
    write_part,
)
from ..paired import CHUNK, QUANTITIES, WIDTH, compared, play_pairs, table_schema
from ..play import Folded, fold
from ..runs import Result, players_line
from .games import compared_games
from .readers import for_readers
from .rule_sets import Comparison

SCHEMA = "compare/1"


@dataclass(frozen=True)
class Plan:
    """A comparison, the words of the command that ask for it, and how sure of which quantity it is to be."""

    comparison: Comparison
    words: tuple[str, ...]
    preset: str = "cirulla"
    precision: float | None = None
    precision_of: str = "points"
    games: int = 0

    def command(self, resumed_from: Path | None = None) -> str:
        """The command that makes the result; threads and file names are left out, for they change nothing in it."""
        comparison = self.comparison
        words = ["cirulla-sim", "compare", *self.words, "--policy", ",".join(comparison.policies)]
        words += ["--hands", str(comparison.hands), "--seed", str(comparison.seed)]
        words += ["--unpaired"] if comparison.unpaired else []
        words += ["--games", str(self.games)] if self.games else []
        if self.precision is not None:
            words += ["--precision", f"{self.precision:g}", "--precision-of", self.precision_of]
        if resumed_from is not None:
            words += ["--resume", str(resumed_from), "-o", str(resumed_from)]
        return shlex.join(words)


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
    *,
    engine: str = "threads",
    threads: int | None = None,
    chunk: int | None = None,
    output: Path | None = None,
    resume: Path | None = None,
    only: tuple[str, ...] = (),
    progress: bool = False,
) -> Result:
    """Carry out a plan, write the file asked for, and return the result; the same for any engine, threads and chunks.

    ``resume`` is the file of an earlier run to go on from: of the same rule sets, and unpaired of as many hands too.

    Raises ``InputError`` for a file that cannot be written, a quantity that is not there and a file to go on from that
    is of something else. The file appears whole or not at all. Ctrl-C ends the run: the table is of the hands done, and
    if it comes while games are played they are left out.
    """
    comparison = plan.comparison
    check_quantities(only, "--only")
    check_quantities([plan.precision_of], "--precision-of")
    start = Folded(np.zeros(len(comparison.rules) * WIDTH, np.int64), 0, "interrupted")
    start = start if resume is None else _resumed(plan, start, resume)
    with ExitStack() as stack:
        part = stack.enter_context(whole_file(output)) if output is not None else None  # a bad folder is told now
        bar = stack.enter_context(progress_bar(comparison.hands, start.done, progress))
        folded = fold(
            partial(play_pairs, comparison),
            start,
            comparison.hands,
            engine=engine,
            threads=threads,
            chunk=chunk,
            most=CHUNK,
            enough=None if plan.precision is None else partial(_precise, plan),
            progress=bar,
        )
        if not folded.done:
            raise KeyboardInterrupt
        frame = compared(comparison, folded)
        if plan.games and folded.stopped != "interrupted":
            try:
                rows = compared_games(comparison, plan.games, engine=engine, threads=threads)
                frame = pl.concat([frame, pl.DataFrame(rows, schema=table_schema(comparison.label), orient="row")])
            except KeyboardInterrupt:
                folded = replace(folded, stopped="interrupted")
        made, kept = metadata(plan, folded), {TALLY: pack(folded.tally, "<i8")}
        if part is not None:
            write_part(frame, part, made, kept)
    remarks = tuple(_remarks(plan, frame, folded, output))
    shown = frame.filter(pl.col("quantity").is_in(only)) if only else for_readers(frame)
    return Result(frame, made, shown, remarks, _exit_code(plan, folded), kept, only)


def _resumed(plan: Plan, nothing: Folded, path: Path) -> Folded:
    """What a file holds of the plan's hands; raises ``InputError`` that names what differs."""
    made = check_same(path, metadata(plan, nothing), "hands", plan.comparison.hands, "compare")
    tally = read_packed(path, TALLY, "<i8", nothing.tally.shape, "compare")
    return Folded(tally, made["hands"], made["stopped"])


def metadata(plan: Plan, folded: Folded) -> dict[str, Any]:
    """How a result was made: the contract's object for the file, and in ``compared`` what each rule set changes.

    ``unpaired`` is the number of the first hand of the other rule sets, where they play hands of their own.
    """
    base, *others = plan.comparison.rules
    rules = plan.comparison.rules[base]
    return {
        "version": __version__,
        "command": plan.command(),
        "preset": plan.preset,
        "rules": asdict(rules),
        "compared": {name: plan.comparison.rules[name].differences(rules) for name in others},
        "policies": list(plan.comparison.experiments[base].side_policies),
        "players": rules.players,
        "seed": plan.comparison.seed,
        "hands": folded.done,
        "stopped": folded.stopped,
        "schema": SCHEMA,
    } | ({"unpaired": plan.comparison.hands} if plan.comparison.unpaired else {})


def _width(plan: Plan, frame: pl.DataFrame) -> float:
    """The largest half-width of the differences of the quantity that the precision is of."""
    kind = "share" if plan.precision_of == "changed" else "difference"
    rows = frame.filter(quantity=plan.precision_of, kind=kind)
    return float(((rows["ci_high"] - rows["ci_low"]) / 2).max())  # type: ignore[arg-type]


def _precise(plan: Plan, folded: Folded) -> bool:
    assert plan.precision is not None
    return _width(plan, compared(plan.comparison, folded)) <= plan.precision


def _remarks(plan: Plan, frame: pl.DataFrame, folded: Folded, output: Path | None) -> Iterator[str]:
    base, *others = plan.comparison.rules
    rules = plan.comparison.rules
    yield players_line([",".join(plan.comparison.policies)])
    for name in others:
        one, other = rules[base], rules[name]
        if (one.deal_plan, one.table_cards) != (other.deal_plan, other.table_cards) and not plan.comparison.unpaired:
            yield f"{name} deals the same packs otherwise: seats hold other cards, so pairing helps less."
        if one.sides != other.sides:
            yield f"{name} has {other.sides} sides and {base} {one.sides}."
    if folded.stopped == "precision":
        yield f"Stopped after {folded.done:_} hands: the precision asked for is reached."
    elif folded.stopped == "hands" and plan.precision is not None:
        known = f"{plan.precision_of} is known to {_width(plan, frame):.2g}"
        yield f"The precision {plan.precision:g} is not reached in {folded.done:_} hands: {known}."
    if output is not None:
        yield f"Written: {output}"
    if folded.stopped == "interrupted":
        yield f"Interrupted after {folded.done:_} of {plan.comparison.hands:_} hands; the table is of those."
        if output is not None:
            yield f"To go on: {plan.command(resumed_from=output)}"


def _exit_code(plan: Plan, folded: Folded) -> int:
    if folded.stopped == "interrupted":
        return 130
    return 3 if folded.stopped == "hands" and plan.precision is not None else 0
