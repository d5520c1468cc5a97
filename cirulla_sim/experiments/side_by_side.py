"""Line-ups side by side: the same hands or games played by several, as one experiment, and how they differ.

Each line-up has the rows that it would have alone; its differences from the first are paired trial by trial.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.messages import Message
from ..engine.engines import Run
from ..engine.trials import Trials
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..stats.estimates import Difference, PairedSums
from .hand_quantities import Beside
from .tally import SUMS, Quantity, TrialNumbers, difference_row, paired_sums, sums_of_both, table_schema
from .trials_job import TrialsJob

Row = dict[str, Any]


class Measures(NamedTuple):
    """What is paired of hands or of games."""

    quantities: tuple[Quantity, ...]
    numbers: Callable[[Rules, NDArray[Any]], TrialNumbers]
    """float64[quantities, trials] of whole numbers, from the rows of an experiment."""
    difference: Callable[[int, Rules, PairedSums], Difference]
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
    shared: int | None = None
    """Trials that all play, None for all; the first plays more, as a control variate of the others."""

    def __post_init__(self) -> None:
        if len(self.experiments) < 2:
            raise ValueError("one line-up has nothing beside it")

    @property
    def base(self) -> Trials:
        """The experiment that the others are compared with."""
        return next(iter(self.experiments.values()))

    @property
    def rules(self) -> Rules:
        return self.base.rules

    @property
    def side_policies(self) -> tuple[str, ...]:
        return tuple(name for experiment in self.experiments.values() for name in experiment.side_policies)

    @property
    def seed(self) -> int:
        return self.base.seed

    @property
    def constraints(self) -> DealConstraints | None:
        return self.base.constraints

    @property
    def unit(self) -> str:
        return self.base.unit

    @property
    def first(self) -> int:
        return self.base.first

    @property
    def number(self) -> int:
        return self.base.number

    @property
    def chunk(self) -> int:
        return self.measures.chunk

    def check(self) -> None:
        for experiment in self.experiments.values():
            experiment.check()

    def tally_size(self) -> int:
        sizes = sum(experiment.tally_size() + self._sums for experiment in self.experiments.values())
        return sizes if self.shared is None else sizes + self.base.tally_size()

    def by_all(self, done: int) -> int:
        """The number of trials, out of the first ones given, that all have played."""
        return done if self.shared is None else min(done, self.shared)

    @property
    def _sums(self) -> int:
        return SUMS * len(self.measures.quantities)

    def play(self, first: int, number: int, rows: bool = False) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Play so many from number ``first`` on; the tallies of each line-up, then its sums, end to end.

        Last, where not all trials are shared, the tally of those that the first plays by itself.
        """
        tally, together = np.zeros(self.tally_size(), np.int64), self.by_all(first + number) - self.by_all(first)
        if together:
            played = self._play_together(first, together)
            tally[: len(played)] = played
        if together < number:
            tally[-self.base.tally_size() :] = self.base.play(first + together, number - together)[0]
        return tally, np.zeros((0, 0), np.int16)

    def _play_together(self, first: int, number: int) -> NDArray[np.int64]:
        parts, x = [], None
        for experiment in self.experiments.values():
            tally, played = experiment.play(first, number, rows=True)
            y = self.measures.numbers(experiment.rules, played)
            x = y if x is None else x
            parts += [tally, paired_sums(x, y).ravel()]
        return np.concatenate(parts)

    def parts(self, tally: NDArray[np.int64]) -> Iterator[tuple[str, Trials, NDArray[np.int64], NDArray[np.int64]]]:
        """Each line-up's name and experiment, its own tally, and int64[5, quantities], its sums."""
        for name, experiment in self.experiments.items():
            size = experiment.tally_size()
            own, sums, tally = np.split(tally, [size, size + self._sums])
            yield name, experiment, own, sums.reshape(SUMS, -1)


def side_by_side(
    run: Run, table: Callable[..., pl.DataFrame], rows: Callable[[Run], Iterable[Row]] | None = None, label: str = ""
) -> pl.DataFrame:
    """The table of a run of line-ups: ``policy`` in front, the ``table`` of each, then its paired differences.

    Its p-values are not corrected yet. Where the first has played more trials by itself, ``table`` of the others gets
    it as ``beside``. ``rows`` are those of the differences, if not ``differences_of``, with another ``label`` column.
    """
    schema = table_schema("policy", *filter(None, [label]))
    frames = [
        (table(alone) if beside is None else table(alone, beside=beside)).with_columns(policy=pl.lit(name))
        for name, alone, beside in _alone(run)
    ]
    differences = pl.DataFrame((rows or differences_of)(run), schema=schema, orient="row")
    return pl.concat([*frames, differences], how="diagonal").select(list(schema))


def _alone(run: Run) -> Iterator[tuple[str, Run, Beside | None]]:
    """Each line-up's name and the part of a run that it played, and of those that have a control what that played."""
    trials = run.experiment
    assert isinstance(trials, SideBySide)
    done, keys = trials.by_all(run.done), [(quantity.name, quantity.side) for quantity in trials.measures.quantities]
    (first, experiment, tally, _), *others = trials.parts(run.tally)
    shared = whole = Run(experiment, tally, done, run.stopped)
    if trials.shared is not None:
        whole = Run(experiment, tally + run.tally[-experiment.tally_size() :], run.done, run.stopped)
    yield first, whole, None
    for name, other, own, sums in others:
        products = dict(zip(keys, sums[2].tolist(), strict=True))
        beside = None if trials.shared is None else Beside(shared, whole, products)
        yield name, Run(other, own, done, run.stopped), beside


def first_of(run: Run) -> Run:
    """The part of a run of line-ups that the first of them played."""
    return next(_alone(run))[1]


def differences_of(run: Run) -> Iterator[Row]:
    """The rows of how much more there is of each quantity in the line-ups after the first, not corrected yet."""
    trials = run.experiment
    assert isinstance(trials, SideBySide)
    (_, _, _, base), *others = trials.parts(run.tally)
    for name, _, _, sums in others:
        for i, quantity in enumerate(trials.measures.quantities):
            both = sums_of_both(base, sums, i, trials.by_all(run.done))
            yield difference_row({"policy": name}, quantity, trials.measures.difference(i, trials.rules, both))


@dataclass(frozen=True, eq=False)
class LineUpsJob(TrialsJob):
    """Line-ups side by side, each with the table that it has ``alone``."""

    alone: TrialsJob
    free = frozenset({"control_hands"})

    @property
    def schema(self) -> str:  # type: ignore[override]
        kind, _, version = self.alone.schema.partition("/")
        return f"{kind}-line-ups/{version}"

    def rows(self, run: Run) -> pl.DataFrame:
        return side_by_side(run, self.alone.rows)

    def same(self) -> dict[str, Any]:
        assert isinstance(self.trials, SideBySide)
        return {} if self.trials.shared is None else {"shared": self.trials.shared}

    def facts(self, state: Run) -> dict[str, Any]:
        return super().facts(state) | self.same() | self.alone.facts(first_of(state))

    def notes(self, state: Run) -> Iterator[str]:
        assert isinstance(self.trials, SideBySide)
        if self.trials.shared is not None:
            first, *others = self.trials.experiments
            yield Message(
                "{others}: {played:,} hands, with the {done:,} of {first} as a control variate.",
                "; ".join(others), self.trials.by_all(state.done), state.done, first,
            )  # fmt: skip
        yield from super().notes(state)

    def method_notes(self, state: Run) -> Iterator[str]:
        return self.alone.method_notes(first_of(state))
