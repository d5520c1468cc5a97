"""Line-ups side by side: the same hands or games played by several, as one experiment, and how they differ.

What every line-up shows by itself is told as ever; what it shows more or less than the first is a paired difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..kept import Difference, Sums, effect, level
from ..play import Run, Trials
from ..rulebook import Rules
from .pairing import Quantity, difference_row, holm_corrected, table_schema

Numbers = NDArray[np.float64]

_SUMS = 5
"""Sums kept of each quantity: of y, of y * y, of x * y, where x is the first line-up's number of the same trial, and
where y is larger, of how much larger it is and of its square."""


class Measures(NamedTuple):
    """What is paired of hands or of games."""

    quantities: tuple[Quantity, ...]
    numbers: Callable[[Rules, NDArray[Any]], Numbers]
    """float64[quantities, trials] of whole numbers, from the rows of an experiment."""
    difference: Callable[[int, Rules, Sums], Difference]
    """How much more of quantity number ``i`` there is, from the sums of both."""
    chunk: int
    """Trials in a chunk at most."""


@dataclass(frozen=True)
class SideBySide:
    """Experiments that differ in their policies alone, by what their line-ups are called; the first is compared with.

    Raises ``ValueError`` if there are fewer than two.
    """

    experiments: Mapping[str, Trials]
    measures: Measures

    def __post_init__(self) -> None:
        if len(self.experiments) < 2:
            raise ValueError("one line-up has nothing beside it")

    @property
    def first(self) -> Trials:
        """The experiment that the others are compared with."""
        return next(iter(self.experiments.values()))

    @property
    def rules(self) -> Rules:
        return self.first.rules

    @property
    def policies(self) -> tuple[str, ...]:
        return tuple(self.experiments)

    @property
    def side_policies(self) -> tuple[str, ...]:
        return tuple(self.experiments)

    @property
    def line_ups(self) -> tuple[str, ...]:
        return tuple(self.experiments)

    @property
    def aim(self) -> str:
        return self.first.aim

    @property
    def seed(self) -> int:
        return self.first.seed

    @property
    def unit(self) -> str:
        return self.first.unit

    @property
    def number(self) -> int:
        return self.first.number

    @property
    def chunk(self) -> int:
        return self.measures.chunk

    def of_number(self, number: int) -> SideBySide:
        return replace(self, experiments={name: one.of_number(number) for name, one in self.experiments.items()})

    def check(self) -> None:
        for one in self.experiments.values():
            one.check()

    def tally_size(self) -> int:
        return sum(one.tally_size() + self._sums for one in self.experiments.values())

    @property
    def _sums(self) -> int:
        return _SUMS * len(self.measures.quantities)

    def play(self, first: int, number: int, rows: bool = False) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Play so many from number ``first`` on in every line-up; the tallies of each, then its sums, end to end."""
        parts, x = [], None
        for one in self.experiments.values():
            tally, played = one.play(first, number, rows=True)
            y = self.measures.numbers(one.rules, played)
            x = y if x is None else x
            more = np.maximum(y - x, 0)
            products = [np.einsum("qh,qh->q", a, b) for a, b in ((y, y), (x, y))]
            sums = [y.sum(axis=1), *products, more.sum(axis=1), np.einsum("qh,qh->q", more, more)]
            parts += [tally, np.concatenate(sums).astype(np.int64)]
        return np.concatenate(parts), np.zeros((0, 0), np.int16)

    def parts(self, tally: NDArray[np.int64]) -> Iterator[tuple[str, Trials, NDArray[np.int64], NDArray[np.int64]]]:
        """Each line-up's name and experiment, its own tally, and int64[5, quantities], its sums."""
        at = 0
        for name, one in self.experiments.items():
            own, sums = one.tally_size(), self._sums
            yield name, one, tally[at : at + own], tally[at + own : at + own + sums].reshape(_SUMS, -1)
            at += own + sums


def side_by_side(run: Run, table: Callable[[Run], pl.DataFrame]) -> pl.DataFrame:
    """The table of a run of line-ups: ``policy`` in front, each one's own ``table``, then its paired differences."""
    schema = table_schema("policy")
    told = pl.DataFrame(differences_of(run), schema=schema, orient="row")
    empty = [pl.lit(None).cast(schema[column]).alias(column) for column in ("gain", "p_holm")]
    frames = [
        table(alone).with_columns(*empty, policy=pl.lit(name)).select(list(schema)) for name, alone in alone_of(run)
    ]
    return pl.concat([*frames, told])


def alone_of(run: Run) -> Iterator[tuple[str, Run]]:
    """Each line-up's name, and the part of a run of line-ups that it played."""
    assert isinstance(run.experiment, SideBySide)
    for name, one, tally, _ in run.experiment.parts(run.tally):
        yield name, Run(one, tally, run.done, run.stopped)


def first_of(run: Run) -> Run:
    """The part of a run of line-ups that the first of them played."""
    return next(alone_of(run))[1]


def differences_of(run: Run) -> list[dict[str, Any]]:
    """The rows of how much more there is of each quantity in the line-ups after the first, Holm-corrected."""
    asked = run.experiment
    assert isinstance(asked, SideBySide)
    rows = []
    (_, _, _, base), *others = asked.parts(run.tally)
    for name, _, _, sums in others:
        for i, quantity in enumerate(asked.measures.quantities):
            (x, xx), (y, yy, xy, more, more_squared) = ([int(number) for number in of[:, i]] for of in (base[:2], sums))
            of_both = Sums(x, y, xx, yy, xy, run.done, more, more_squared)
            found = asked.measures.difference(i, asked.rules, of_both)
            rows.append(difference_row({"policy": name}, quantity, found, False))
    return holm_corrected(rows)


def for_readers(frame: pl.DataFrame) -> pl.DataFrame:
    """A column a line-up with half its interval, then a column for each difference from the first."""
    names = frame["policy"].unique(maintain_order=True).to_list()
    keys = ["quantity", "per", "side", "value"]
    cells: dict[tuple[Any, ...], dict[str, str]] = {}
    for row in frame.iter_rows(named=True):
        key = (*(row[name] for name in keys), row["kind"] if row["kind"] != "difference" else "")
        if row["kind"] != "difference":
            cells.setdefault(key, {})[row["policy"]] = level(row)
            continue
        for kind in ("mean", "share", "probability"):  # the level that the difference is of
            if (own := cells.get((*key[:-1], kind))) is not None:
                own[f"{row['policy']} − {names[0]}"] = effect(row)
                break
    columns = [*names, *(f"{name} − {names[0]}" for name in names[1:])]
    rows = [
        dict(zip([*keys, "kind"], key, strict=True)) | {name: cell.get(name) for name in columns}
        for key, cell in cells.items()
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys([*keys, "kind", *columns], pl.String), orient="row")
