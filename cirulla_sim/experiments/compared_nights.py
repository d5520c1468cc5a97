"""Formats of a night of matches compared on the same nights, as one experiment.

Two pairs that meet in a night get the same cards in every format, so nights are paired by their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError
from ..engine.engines import Run
from ..ruleset.rules_model import Rules
from ..situation.night import KNOCK_OUT, Night
from ..stats.estimates import no_difference
from .nights import MOST_NIGHTS, Column, Wanted, night_columns, nights_of
from .paired_runs import (
    SUMS,
    Quantity,
    difference_of,
    difference_row,
    level_of,
    level_row,
    paired_sums,
    sums_of_both,
    table_schema,
)

LABEL = "rules"
"""The column that names the formats: that of comparisons."""

LONG_RUN = 3
"""Misdeals in a row that are talked about."""


class Compared(NamedTuple):
    """A quantity by which nights are compared: how the table names it, and the function that gives it.

    Where it is a chance and the function gives a number, the chance is that of ``least`` or more.
    """

    quantity: Quantity
    function: Wanted
    least: int | None = None

    def numbers(self, column: Column) -> Column:
        """The numbers of nights, from what the function gives."""
        return column if self.least is None else np.asarray(column >= self.least)


_BEST = "pair 1"
QUANTITIES = (
    Compared(Quantity("wins_night", "night", _BEST, "probability"), ("wins_night", 0)),
    Compared(Quantity("ties_night", "night", "all", "probability"), ("ties_night", None)),
    Compared(Quantity("undefeated", "night", _BEST, "probability"), ("undefeated", 0)),
    Compared(Quantity("misdeal_run_3", "night", "all", "probability"), ("misdeal_run", None), LONG_RUN),
    Compared(Quantity("hands_played", "night", "all", "mean"), ("hands_played", None)),
    Compared(Quantity("minutes", "night", "all", "mean"), ("minutes", None)),
    Compared(Quantity("cappotti", "night", "all", "mean"), ("cappotti", None)),
)
"""All of them, in the order of the table; the best pair is listed first."""


@dataclass(frozen=True)
class ComparedNights:
    """Formats of a night compared with the first of them: the rules, who plays, how many nights, and the seed.

    ``formats`` maps names to nights, all of the same pairs; ``policies`` has one for each pair. Raises ``InputError``
    if there is nothing to compare, for nights that cannot be played, and for numbers out of range.
    """

    rules: Rules
    formats: Mapping[str, Night]
    policies: tuple[str, ...]
    nights: int = 20_000
    seed: int = 1
    first: int = 0

    unit: ClassVar[str] = "hands"
    """As in the metadata of every run of hands, and as the options --hands and --first-hand are called."""
    chunk: ClassVar[int] = 256
    constraints: ClassVar[None] = None

    def __post_init__(self) -> None:
        if len(self.formats) < 2:
            raise InputError("nothing to compare with (valid: two formats or more)")
        for night in self.formats.values():
            nights_of(self.rules, night, self.policies, self.seed)
        if self.first + self.nights > MOST_NIGHTS:
            raise InputError(
                "--hands {nights!r}: nights have numbers below {most:_} (valid: up to {room:_} from number "
                "{first:_} on)",
                self.nights, MOST_NIGHTS, max(0, MOST_NIGHTS - self.first), self.first,
            )  # fmt: skip

    @property
    def side_policies(self) -> tuple[str, ...]:
        """The policies, each once."""
        return tuple(dict.fromkeys(self.policies))

    @property
    def number(self) -> int:
        return self.nights

    @property
    def quantities(self) -> tuple[Compared, ...]:
        """The quantities that make sense in every format: there are no ties in a knock-out."""
        nights = self.formats.values()
        absent = {
            "ties_night": any(night.format == KNOCK_OUT for night in nights),
            "minutes": any(night.minutes is None for night in nights),
            "cappotti": self.rules.all_diamonds != "wins",
        }
        return tuple(compared for compared in QUANTITIES if not absent.get(compared.quantity.name))

    def of_number(self, number: int, first: int | None = None) -> ComparedNights:
        return replace(self, nights=number, first=self.first if first is None else first)

    def check(self) -> None:
        """Whether it can be played was checked when it was built."""

    def tally_size(self) -> int:
        return len(self.formats) * SUMS * len(self.quantities)

    def play(self, first: int, number: int, rows: bool = False) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Play nights ``first`` to ``first + number - 1`` in every format; returns ``paired_sums`` end to end."""
        parts, x = [], None
        for night in self.formats.values():
            y = self.numbers_of(night, first, number)
            x = y if x is None else x
            parts.append(paired_sums(x, y).ravel())
        return np.concatenate(parts), np.zeros((0, 0))

    def numbers_of(self, night: Night, first: int, number: int) -> NDArray[np.float64]:
        """float64[quantities, nights]: the quantities of each night as whole numbers."""
        wanted = [compared.function for compared in self.quantities]
        columns = night_columns(self.rules, night, self.policies, self.seed, first, number, wanted)
        return np.array([compared.numbers(columns[compared.function]) for compared in self.quantities], np.float64)

    def remarks(self) -> Iterator[str]:
        """How nights are read where the source says nothing, and what is left out."""
        nights = self.formats.values()
        built = (nights_of(self.rules, night, self.policies, self.seed) for night in nights)
        yield from dict.fromkeys(remark for one in built for remark in one.remarks())
        if len({night.minutes is None for night in nights}) > 1:
            yield "Minutes are left out: not every format says how many a hand takes (add: 5 minutes a hand)."


def compared_nights(run: Run) -> pl.DataFrame:
    """The table of a run: the levels of each format, then its paired differences from the first, not corrected yet.

    Formats that differ in their minutes alone play the same matches: everything else differs by exactly 0.
    """
    trials = run.experiment
    assert isinstance(trials, ComparedNights)
    base, *_ = tallies = run.tally.reshape(len(trials.formats), SUMS, -1)
    first = next(iter(trials.formats.values()))
    rows = []
    for place, ((name, night), tally) in enumerate(zip(trials.formats.items(), tallies, strict=True)):
        for i, (quantity, *_) in enumerate(trials.quantities):
            rows.append(level_row({LABEL: name}, quantity, level_of(quantity, tally, i, run.done)))
            if not place:
                continue
            sums = sums_of_both(base, tally, i, run.done)
            same = quantity.name != "minutes" and replace(night, minutes=first.minutes) == first
            difference = no_difference(run.done) if same else difference_of(quantity, sums)
            rows.append(difference_row({LABEL: name}, quantity, difference) | {"exact": "0" if same else None})
    return pl.DataFrame(rows, schema=table_schema(LABEL), orient="row")
