"""Cases added up: how often a question is true, by value, with sums, squares, distributions and extremes of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .cases import Cases
from .expressions import groups_of, numbers_of, truth_of
from .question import Question

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Sums:
    """Whole-number sums over cases: of the weights, of a number and its square, of another, and of their product.

    Numbers are in units of one ``expressions.UNIT``-th.
    """

    count: int = 0
    total: int = 0
    squares: int = 0
    other: int = 0
    other_squares: int = 0
    product: int = 0

    def __add__(self, other: Sums) -> Sums:
        return Sums(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


Extreme = tuple[int, int]
"""A number, and the lowest number of a trial that has it."""


@dataclass(frozen=True)
class Counted:
    """The cases of a question added up; values of ``by`` are texts, ``""`` where nothing is split."""

    given: dict[str, int] = field(default_factory=dict)
    """Cases that are given, by value."""
    matching: dict[str, Sums] = field(default_factory=dict)
    """Those in which it is true, or all of them with the sums of a number, by value."""
    spread: dict[tuple[str, str], int] = field(default_factory=dict)
    """The same by value and by the value of the expression, for distributions."""
    extremes: dict[str, tuple[Extreme, Extreme]] = field(default_factory=dict)
    """The least and the greatest number, by value."""

    def __add__(self, other: Counted) -> Counted:
        """These cases and others."""
        given, matching, spread, extremes = (
            dict(self.given), dict(self.matching), dict(self.spread), dict(self.extremes),
        )  # fmt: skip
        for value, number in other.given.items():
            given[value] = given.get(value, 0) + number
        for value, sums in other.matching.items():
            matching[value] = matching.get(value, Sums()) + sums
        for place, number in other.spread.items():
            spread[place] = spread.get(place, 0) + number
        for value, (low, high) in other.extremes.items():
            least, most = extremes.get(value, (low, high))
            extremes[value] = min(low, least), max(high, most, key=lambda one: (one[0], -one[1]))
        return Counted(given, matching, spread, extremes)

    def times(self, factor: int) -> Counted:
        """Every case so many times."""
        return Counted(
            {value: n * factor for value, n in self.given.items()},
            {value: Sums(*(number * factor for number in astuple(sums))) for value, sums in self.matching.items()},
            {place: n * factor for place, n in self.spread.items()},
            self.extremes,
        )

    def as_rows(self) -> list[list[list[Any]]]:
        """The same as lists of texts and whole numbers, for files; see ``from_rows``."""
        return [
            [[*item] for item in sorted(self.given.items())],
            [[value, *astuple(sums)] for value, sums in sorted(self.matching.items())],
            [[*place, n] for place, n in sorted(self.spread.items())],
            [[value, *low, *high] for value, (low, high) in sorted(self.extremes.items())],
        ]

    @classmethod
    def from_rows(cls, rows: list[list[list[Any]]]) -> Counted:
        """The inverse of ``as_rows``; raises ``ValueError`` or ``TypeError`` for anything else."""
        given, matching, spread, extremes = rows
        return cls(
            {str(value): int(n) for value, n in given},
            {str(value): Sums(*map(int, sums)) for value, *sums in matching},
            {(str(value), str(number)): int(n) for value, number, n in spread},
            {str(value): ((int(a), int(b)), (int(c), int(d))) for value, a, b, c, d in extremes},
        )


@dataclass(frozen=True)
class Together:
    """The sums of several questions over the same cases."""

    each: tuple[Counted, ...]

    def __add__(self, other: Together) -> Together:
        return Together(tuple(a + b for a, b in zip(self.each, other.each, strict=True)))


AddUp = Callable[[Codes, Codes, int, Sequence[Codes]], Sequence[Sums]]
"""From the rows of some cases, the code of each, how many codes there are and numbers of each: the sums by code."""


def counted(question: Question, frame: pl.DataFrame, add_up: AddUp, trials: Codes | None = None) -> Counted:
    """The sums of a question over the cases of a frame; raises ``InputError`` as expressions do.

    What is not given is left out before anything else is worked out. ``trials`` are the numbers of simulated trials.
    """
    rows = np.arange(frame.height)
    for condition in question.given:
        true = truth_of(frame, condition)
        rows, frame = rows[true], frame.filter(true)
    values, code = ([""], np.zeros(len(rows), np.int64)) if question.by is None else groups_of(frame, question.by)
    given = add_up(rows, code, len(values), ())
    of_given = {value: sums.count for value, sums in zip(values, given, strict=True) if sums.count}
    if not question.parts:
        return Counted(of_given)
    spread: dict[tuple[str, str], int] = {}
    extremes: dict[str, tuple[Extreme, Extreme]] = {}
    matching = given
    if question.aggregate == "chance":
        true = truth_of(frame, question.parts[0])
        matching = add_up(rows[true], code[true], len(values), ())
    elif question.aggregate in ("histogram", "quantiles"):
        spread = _spread(question, frame, rows, values, code, add_up)
    else:
        numbers = [numbers_of(frame, part) for part in question.parts]
        if question.aggregate in ("max", "min"):
            extremes = _extremes(numbers[0], values, code, rows if trials is None else trials[rows])
        else:
            matching = add_up(rows, code, len(values), numbers)
    return Counted(
        of_given,
        {value: sums for value, sums in zip(values, matching, strict=True) if value in of_given},
        spread,
        extremes,
    )


def _spread(
    question: Question, frame: pl.DataFrame, rows: Codes, values: Sequence[str], code: Codes, add_up: AddUp
) -> dict[tuple[str, str], int]:
    """How often each value of the expression comes up, by the value that splits the answer."""
    if question.aggregate == "quantiles":
        numbers, which = np.unique(numbers_of(frame, question.parts[0]), return_inverse=True)
        several = [str(number) for number in numbers.tolist()]
    else:
        several, which = groups_of(frame, question.parts[0])
    parts = add_up(rows, code * len(several) + which, len(values) * len(several), ())
    return {
        (values[place // len(several)], several[place % len(several)]): sums.count
        for place, sums in enumerate(parts)
        if sums.count
    }


def _extremes(numbers: Codes, values: Sequence[str], code: Codes, trials: Codes) -> dict[str, tuple[Extreme, Extreme]]:
    """The least and the greatest number by value, each with its first trial."""
    found = {}
    for place, value in enumerate(values):
        here = np.flatnonzero(code == place)
        if len(here):
            ends = (here[numbers[here].argmin()], here[numbers[here].argmax()])
            low, high = ((int(numbers[at]), int(trials[at])) for at in ends)
            found[value] = low, high
    return found


def plainly(rows: Codes, code: Codes, size: int, numbers: Sequence[Codes]) -> list[Sums]:
    """Sums over trials, each of which counts once."""
    count = np.bincount(code, minlength=size).tolist()
    products = [number**power for number in numbers for power in (1, 2)]
    products += [numbers[0] * numbers[1]] if len(numbers) > 1 else []
    added = [_added(code, product, size) for product in products]
    return [Sums(*sums) for sums in zip(count, *added, strict=True)]


def _added(code: Codes, numbers: Codes, size: int) -> list[int]:
    added = np.zeros(size, np.int64)
    np.add.at(added, code, numbers)
    return [int(number) for number in added]


def weighing(cases: Cases) -> AddUp:
    """Sums over the deals that cases stand for; squares are left out, since exact answers need none."""

    def add_up(rows: Codes, code: Codes, size: int, numbers: Sequence[Codes]) -> list[Sums]:
        weights = len(cases.weights)
        keys, place = np.unique(code * weights + cases.which[rows], return_inverse=True)
        count = np.bincount(place, minlength=len(keys)).tolist()
        totals = [_added(place, each, len(keys)) for each in numbers] + [[0] * len(keys)] * (2 - len(numbers))
        sums = [[0, 0, 0] for _ in range(size)]
        for key, *added in zip(keys.tolist(), count, *totals, strict=True):
            weight = cases.weights[key % weights]
            for place_of_sum, number in enumerate(added):
                sums[key // weights][place_of_sum] += weight * number
        return [Sums(n, total, 0, other) for n, total, other in sums]

    return add_up
