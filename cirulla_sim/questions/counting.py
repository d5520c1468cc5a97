"""Cases added up: how often a question is true, by value, with sums, squares and distributions of a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from .cases import Cases
from .expressions import Expression, groups_of, numbers_of, truth_of

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Sums:
    """Whole-number sums over cases: of the weights, of a number, and of its square."""

    count: int = 0
    total: int = 0
    squares: int = 0

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.count + other.count, self.total + other.total, self.squares + other.squares)


@dataclass(frozen=True)
class Counted:
    """The cases of a question added up; values of ``by`` are texts, ``""`` where nothing is split."""

    given: dict[str, int] = field(default_factory=dict)
    """Cases that are given, by value."""
    matching: dict[str, Sums] = field(default_factory=dict)
    """Those of them in which the text is true, by value, with the number's sums."""
    spread: dict[tuple[str, int], int] = field(default_factory=dict)
    """The same by value and number, for distributions."""

    def __add__(self, other: Counted) -> Counted:
        """These cases and others."""
        given, matching, spread = dict(self.given), dict(self.matching), dict(self.spread)
        for value, number in other.given.items():
            given[value] = given.get(value, 0) + number
        for value, sums in other.matching.items():
            matching[value] = matching.get(value, Sums()) + sums
        for place, number in other.spread.items():
            spread[place] = spread.get(place, 0) + number
        return Counted(given, matching, spread)

    def times(self, factor: int) -> Counted:
        """Every case so many times."""
        return Counted(
            {value: n * factor for value, n in self.given.items()},
            {value: Sums(s.count * factor, s.total * factor, s.squares * factor) for value, s in self.matching.items()},
            {place: n * factor for place, n in self.spread.items()},
        )

    def as_rows(self) -> list[list[list[Any]]]:
        """The same as lists of texts and whole numbers, for files; see ``from_rows``."""
        matching = [[value, sums.count, sums.total, sums.squares] for value, sums in sorted(self.matching.items())]
        spread = [[*place, n] for place, n in sorted(self.spread.items())]
        return [[[*item] for item in sorted(self.given.items())], matching, spread]

    @classmethod
    def from_rows(cls, rows: list[list[list[Any]]]) -> Counted:
        """The inverse of ``as_rows``; raises ``ValueError`` or ``TypeError`` for anything else."""
        given, matching, spread = rows
        return cls(
            {str(value): int(n) for value, n in given},
            {str(value): Sums(int(n), int(x), int(xx)) for value, n, x, xx in matching},
            {(str(value), int(number)): int(n) for value, number, n in spread},
        )


@dataclass(frozen=True)
class Together:
    """The sums of several questions over the same cases."""

    each: tuple[Counted, ...]

    def __add__(self, other: Together) -> Together:
        return Together(tuple(a + b for a, b in zip(self.each, other.each, strict=True)))


@dataclass(frozen=True)
class Parsed:
    """The expressions of a question, in the words of a vocabulary."""

    text: Expression | None
    given: Expression | None
    by: Expression | None
    number: Expression | None
    distribution: bool
    """Whether the number's distribution is the answer, not its mean."""

    @property
    def parts(self) -> list[Expression]:
        """Those that there are."""
        return [part for part in (self.text, self.given, self.by, self.number) if part is not None]


AddUp = Callable[[Codes, Codes, int, Codes | None], Sequence[Sums]]
"""From the rows of some cases, the code of each, how many codes there are and a number of each: the sums by code."""


def counted(question: Parsed, frame: pl.DataFrame, add_up: AddUp) -> Counted:
    """The sums of a question over the cases of a frame; raises ``InputError`` as expressions do.

    What is not given is left out before anything else is worked out.
    """
    rows = np.arange(frame.height)
    if question.given is not None:
        rows = rows[truth_of(frame, question.given)]
        frame = frame[rows]
    values, code = ([""], np.zeros(len(rows), np.int64)) if question.by is None else groups_of(frame, question.by)
    size = len(values)
    given = add_up(rows, code, size, None)
    of_given = {value: sums.count for value, sums in zip(values, given, strict=True) if sums.count}
    spread: dict[tuple[str, int], int] = {}
    if question.text is not None:
        true = truth_of(frame, question.text)
        rows, code, frame = rows[true], code[true], frame.filter(true)
    numbers = None if question.number is None else numbers_of(frame, question.number)
    if numbers is not None and question.distribution:
        several, which = np.unique(numbers, return_inverse=True)
        parts = add_up(rows, code * len(several) + which, size * len(several), None)
        for place, sums in enumerate(parts):
            if sums.count:
                spread[values[place // len(several)], int(several[place % len(several)])] = sums.count
    matching = given if numbers is None and question.text is None else add_up(rows, code, size, numbers)
    return Counted(
        of_given, {value: sums for value, sums in zip(values, matching, strict=True) if value in of_given}, spread
    )


def plainly(rows: Codes, code: Codes, size: int, numbers: Codes | None) -> list[Sums]:
    """Sums over deals dealt, each of which counts once."""
    count = np.bincount(code, minlength=size).tolist()
    if numbers is None:
        return [Sums(n) for n in count]
    total, squares = (_added(code, numbers**power, size) for power in (1, 2))
    return [Sums(*sums) for sums in zip(count, total, squares, strict=True)]


def _added(code: Codes, numbers: Codes, size: int) -> list[int]:
    added = np.zeros(size, np.int64)
    np.add.at(added, code, numbers)
    return [int(number) for number in added]


def weighing(cases: Cases) -> AddUp:
    """Sums over the deals that cases stand for; squares are left out, since exact answers need none."""

    def add_up(rows: Codes, code: Codes, size: int, numbers: Codes | None) -> list[Sums]:
        weights = len(cases.weights)
        keys, place = np.unique(code * weights + cases.which[rows], return_inverse=True)
        count = np.bincount(place, minlength=len(keys)).tolist()
        total = [0] * len(keys) if numbers is None else _added(place, numbers, len(keys))
        totals = [[0, 0] for _ in range(size)]
        for key, n, x in zip(keys.tolist(), count, total, strict=True):
            sums, weight = totals[key // weights], cases.weights[key % weights]
            sums[0] += weight * n
            sums[1] += weight * x
        return [Sums(*sums) for sums in totals]

    return add_up
