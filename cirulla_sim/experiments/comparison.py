"""Experiments on the same numbered trials, compared with the first of them: rule sets, line-ups, formats of a night.

One experiment by itself needs none of this: it is a ``Trials`` of the engine, hands or games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf, isinf, sqrt
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.messages import Message
from ..engine.engines import Run
from ..engine.first_tables import Stratum
from ..engine.trials import Trials
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..stats.estimates import Difference, Estimate, PairedSums, independent_difference, paired_difference
from .hand_quantities import Beside, control_means
from .runner import TrialsJob
from .tally import (
    ONE,
    Product,
    Quantity,
    Row,
    Tally,
    TrialNumbers,
    difference_row,
    paired_names,
    paired_sums,
    table_schema,
)


class Scale(NamedTuple):
    """Of a quantity: how many numbers of a trial are added up in it, and the most that a trial can have, added up.

    ``most`` is infinite where there is no most, or it is not known.
    """

    several: int = 1
    most: float = inf

    @property
    def unit(self) -> Fraction:
        """What the sums are multiplied by."""
        return Fraction(1, self.several)


class Chunk(NamedTuple):
    """Some trials of an experiment: their tally, their rows and quantities, and of hands what tells them apart."""

    tally: NDArray[np.int64]
    rows: NDArray[Any]
    numbers: TrialNumbers
    hashes: NDArray[np.uint64] | None = None


@dataclass(frozen=True)
class TrialMeasures:
    """What is compared of a trial.

    With ``by_rules`` rule sets are compared, and what changes from trial to trial is added up; otherwise each
    experiment keeps its own tally.
    """

    quantities: tuple[Quantity, ...]
    chunk: int
    """Trials in a chunk at most."""
    by_rules: bool = False

    def numbers(self, rules: Rules, rows: NDArray[Any]) -> TrialNumbers:
        """float64[quantities, trials] of whole numbers, from the rows of an experiment, which may be these already."""
        return rows

    @cached_property
    def names(self) -> tuple[Product, ...]:
        """What is added up of an experiment."""
        return tuple(paired_names([quantity.key for quantity in self.quantities]))

    def scale(self, quantity: Quantity, rules: Rules) -> Scale:
        return Scale()

    def play(self, arm: Trials, first: int, number: int, rare: Stratum | None = None) -> Chunk:
        """Play ``number`` trials from ``first`` on, or of those that are in a stratum."""
        tally, rows = arm.play(first, number, rows=True)
        return Chunk(tally, rows, self.numbers(arm.rules, rows))

    def sums(self, x: Chunk, y: Chunk, base: Rules, rules: Rules) -> tuple[NDArray[np.int64], TrialNumbers]:
        """The sums that ``names`` names, and how much more of each quantity each trial has in y than in x."""
        more = y.numbers - x.numbers
        return paired_sums(x.numbers, y.numbers, more), more


class ComparedArm(NamedTuple):
    """What an experiment adds to a comparison: its own run, its sums, and those of the first on the same trials.

    ``sets`` are the rules of the first and its own.
    """

    name: str
    run: Run
    sums: Tally
    first: Tally
    measures: TrialMeasures
    sets: tuple[Rules, Rules]
    unpaired: bool

    def pair(self, key: str) -> PairedSums:
        """The sums of a quantity in the first experiment and in this one."""
        (x, xx), (y, yy) = ((tally.sums[key], tally.products[key, key]) for tally in (self.first, self.sums))
        xy, excess = self.sums.products[f"first {key}", key], f"more {key}"
        squared = self.sums.products[excess, excess]
        return PairedSums(x, y, xx, yy, xy, self.sums.trials, self.sums.sums[excess], squared)

    def level(self, quantity: Quantity) -> Estimate:
        """What the experiment shows of a quantity."""
        sides, most = self.measures.scale(quantity, self.sets[1])
        if quantity.kind == "mean":
            return self.sums.mean({quantity.key: 1}, -most if quantity.name == "margin" else 0, most, 1 / sides)
        return self.sums.share({quantity.key: 1}) if isinf(most) else self.sums.ratio({quantity.key: 1}, {ONE: sides})

    def units(self, quantity: Quantity) -> tuple[Fraction, Fraction]:
        """What the sums of a quantity are multiplied by in the first experiment and in this one."""
        base, own = (self.measures.scale(quantity, rules).unit for rules in self.sets)
        return base, own

    def largest(self, quantity: Quantity, sums: PairedSums) -> float:
        """The most by which a trial can differ in both; without a bound the root of the mean square."""
        one, other = (self.measures.scale(quantity, rules) for rules in self.sets)
        largest = max(one.most / one.several, other.most / other.several)
        if not isinf(largest):
            return largest
        return 1.0 if quantity.kind == "probability" else max(1.0, sqrt(max(sums.xx, sums.yy) / sums.hands))

    def difference(self, quantity: Quantity) -> Difference:
        """How much more of a quantity there is than in the first experiment."""
        both = self.pair(quantity.key)
        largest = self.largest(quantity, both)
        if self.unpaired:
            return independent_difference(both, *self.units(quantity), None if quantity.name == "margin" else largest)
        return paired_difference(both, *self.units(quantity), largest)


@dataclass(frozen=True)
class Comparison:
    """Experiments on the same numbered trials, by name; the first is what the others are compared with.

    ``unpaired``, the others play the next trials, so that nothing is shared. Those that differ from the first only in
    rare deals (``strata``) play as many of those deals, and so does the first beside them. Every trial of the ``same``
    goes as in the first. ``shared`` are the trials that all play, None for all: the first then plays more, as a control
    variate of the others.

    It has the rules, seed, constraints and numbers of the first. Raises ``ValueError`` if there are fewer than two.
    """

    arms: Mapping[str, Trials]
    measures: TrialMeasures
    unpaired: bool = False
    strata: Mapping[str, Stratum] = field(default_factory=dict)
    same: Set[str] = frozenset()
    shared: int | None = None
    rules: Rules = field(init=False)
    seed: int = field(init=False)
    constraints: DealConstraints | None = field(init=False)
    unit: str = field(init=False)
    first: int = field(init=False)
    number: int = field(init=False)

    def __post_init__(self) -> None:
        if len(self.arms) < 2:
            raise ValueError("one experiment has nothing to be compared with")
        for name in ("rules", "seed", "constraints", "unit", "first", "number"):
            object.__setattr__(self, name, getattr(self.base, name))

    @property
    def base(self) -> Trials:
        return next(iter(self.arms.values()))

    @property
    def side_policies(self) -> tuple[str, ...]:
        arms = [self.base] if self.measures.by_rules else self.arms.values()
        return tuple(name for arm in arms for name in arm.side_policies)

    @property
    def chunk(self) -> int:
        return self.measures.chunk

    def check(self) -> None:
        for arm in self.arms.values():
            arm.check()

    def _own(self, arm: Trials) -> int:
        return 0 if self.measures.by_rules else arm.tally_size()

    def tally_size(self) -> int:
        size = (len(self.arms) + len(self.strata)) * len(self.measures.names) + sum(map(self._own, self.arms.values()))
        return size if self.shared is None else size + self.base.tally_size()

    def by_all(self, done: int) -> int:
        """The number of trials, out of the first ones given, that all have played."""
        return done if self.shared is None else min(done, self.shared)

    def play(self, first: int, number: int, rows: bool = False) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Play ``number`` trials from ``first`` on; the tallies and sums of the experiments end to end.

        After those of an experiment with a stratum come the sums of the first in it, last the tally of the trials that
        the first plays by itself. With ``rows`` the second array is the effects, float64[(arms - 1) * quantities,
        trials]: how much more of each quantity each of the others has than the first.
        """
        tally, together = np.zeros(self.tally_size(), np.int64), self.by_all(first + number) - self.by_all(first)
        effects: list[TrialNumbers] = []
        if together:
            parts, effects = self._play_together(first, together)
            played = np.concatenate(parts)
            tally[: len(played)] = played
        if together < number:
            tally[-self.base.tally_size() :] = self.base.play(first + together, number - together)[0]
        return tally, np.concatenate(effects) if rows else np.zeros((0, 0))

    def _play_together(self, first: int, number: int) -> tuple[list[NDArray[np.int64]], list[TrialNumbers]]:
        (_, base), *others = self.arms.items()
        usual = self.measures.play(base, first, number)
        level, nothing = self.measures.sums(usual, usual, base.rules, base.rules)
        parts, effects = [usual.tally[: self._own(base)], level], []
        for name, arm in others:
            if name in self.same:
                parts.append(level)
                effects.append(nothing)
                continue
            rare = self.strata.get(name)
            x = usual if rare is None else self.measures.play(base, first, number, rare)
            y = self.measures.play(arm, first + self.number * self.unpaired, number, rare)
            sums, more = self.measures.sums(x, y._replace(hashes=None) if self.unpaired else y, base.rules, arm.rules)
            parts += [y.tally[: self._own(arm)], sums]
            parts += [] if rare is None else [self.measures.sums(x, x, base.rules, base.rules)[0]]
            effects.append(more)
        return parts, effects

    def parts(self, run: Run) -> Iterator[ComparedArm]:
        """What each experiment adds to the tally of a run."""
        names, done, left, base = self.measures.names, self.by_all(run.done), run.tally, None
        for name, arm in self.arms.items():
            own, sums, left = np.split(left, [self._own(arm), self._own(arm) + len(names)])
            tally = Tally.read(names, sums, done)
            first = base = base or tally
            if name in self.strata:
                sums, left = np.split(left, [len(names)])
                first = Tally.read(names, sums, done)
            played = Run(arm, own, done, run.stopped)
            yield ComparedArm(name, played, tally, first, self.measures, (self.rules, arm.rules), self.unpaired)


def comparison_of(run: Run) -> Comparison:
    """What a run of several experiments plays."""
    assert isinstance(run.experiment, Comparison)
    return run.experiment


# ------------------------------------------------------------------------------------------------ line-ups


def side_by_side(
    run: Run, table: Callable[..., pl.DataFrame], rows: Callable[[ComparedArm], Iterable[Row]], label: str = ""
) -> pl.DataFrame:
    """The table of a run of line-ups: ``policy`` in front, the ``table`` of each, then its paired differences.

    Its p-values are not corrected yet. Where the first has played more trials by itself, ``table`` of the others gets
    it as ``beside``. ``rows`` are those of the differences, with another ``label`` column if it is given.
    """
    comparison, schema = comparison_of(run), table_schema("policy", *filter(None, [label]))
    base, *others = comparison.parts(run)
    first = first_run(run)
    frames = [table(first).with_columns(policy=pl.lit(base.name))]
    for part in others:
        beside = {} if comparison.shared is None else {"beside": Beside(base.run, first, part.sums)}
        frames.append(table(part.run, **beside).with_columns(policy=pl.lit(part.name)))
    differences = pl.DataFrame([row for part in others for row in rows(part)], schema=schema, orient="row")
    return pl.concat([*frames, differences], how="diagonal").select(list(schema))


def first_run(run: Run) -> Run:
    """The part of a run that the first of several line-ups played; all of it if there is but one."""
    if not isinstance(run.experiment, Comparison):
        return run
    comparison = run.experiment
    alone = next(comparison.parts(run)).run
    if comparison.shared is None:
        return alone
    more = run.tally[-comparison.base.tally_size() :]
    return Run(comparison.base, alone.tally + more, run.done, run.stopped)


@dataclass(frozen=True, eq=False)
class LineUpsJob(TrialsJob):
    """Hands or games of one line-up with the table that it has ``alone``, or of several side by side.

    ``controlled`` tells whether that table has control variates.
    """

    alone: Callable[..., pl.DataFrame]
    controlled: bool = False
    free = frozenset({"control_hands"})

    @property
    def schema(self) -> str:  # type: ignore[override]
        return f"{self.request.verb}{'-line-ups' * isinstance(self.trials, Comparison)}/2"

    @property
    def shared(self) -> int | None:
        """The hands that all line-ups play, where the first plays more."""
        return self.trials.shared if isinstance(self.trials, Comparison) else None

    def rows(self, run: Run) -> pl.DataFrame:
        if not isinstance(self.trials, Comparison):
            return self.alone(run)
        return side_by_side(run, self.alone, lambda part: [
            difference_row({"policy": part.name}, one, part.difference(one)) for one in part.measures.quantities
        ])  # fmt: skip

    def controls(self, run: Run) -> list[str]:
        """The names of the control variates of a run."""
        return list(control_means(first_run(run))) if self.controlled else []

    def same(self) -> dict[str, Any]:
        return {} if self.shared is None else {"shared": self.shared}

    def facts(self, state: Run) -> dict[str, Any]:
        return super().facts(state) | ({"controls": controls} if (controls := self.controls(state)) else {})

    def notes(self, state: Run) -> Iterator[str]:
        if self.shared is not None:
            first, *others = map(str, self.request.line_ups)
            yield Message(
                "{others}: {played:,} hands, with the {done:,} of {first} as a control variate.",
                "; ".join(others), min(state.done, self.shared), state.done, first,
            )  # fmt: skip
        yield from super().notes(state)

    def method_notes(self, state: Run) -> Iterator[str]:
        if controls := self.controls(state):
            yield Message(
                "Control variates of points, margin, hands won: {controls}, of known mean.", [*map(Message, controls)]
            )
