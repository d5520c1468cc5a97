"""Experiments on the same trials: the sums of their numbers in pairs, and the rows of tables of differences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..stats.estimates import Difference, Estimate, Sums, apart, bounded_mean, paired, proportion
from ..storage.tables import SCHEMA as COLUMNS
from ..storage.tables import estimate_row

Numbers = NDArray[np.float64]
"""Whole numbers of trials, float64[quantities, trials]: sums below 2**53 are exact, in any order."""

SUMS = 5
"""Rows of ``paired_sums``."""


class Quantity(NamedTuple):
    """A number that every trial has, as the result table names it."""

    name: str
    per: str
    side: str
    kind: str


def table_schema(*labels: str) -> dict[str, Any]:
    """Columns of a table of differences: what is compared is called, under the ``labels``; the contract's; of
    differences, how many times wider the interval of unpaired runs would be, and the p-value, corrected by Holm's
    method for all differences in the table (see ``holm_corrected``)."""
    return {**dict.fromkeys(labels, pl.String), **COLUMNS, "gain": pl.Float64, "p_holm": pl.Float64}


def difference_row(
    name: Mapping[str, str], quantity: Quantity, difference: Difference, unpaired: bool = False
) -> dict[str, Any]:
    """The row of how much more of a quantity there is than in the first experiment, its p-value not yet corrected."""
    row = level_row(name, quantity._replace(kind="difference"), difference.estimate)
    return row | {"gain": None if unpaired else difference.gain, "p_holm": difference.p}


def level_row(name: Mapping[str, str], quantity: Quantity, estimate: Estimate) -> dict[str, Any]:
    """The row of a quantity of an experiment, which ``name`` calls by its column."""
    return {**name, **estimate_row(*quantity, estimate), "gain": None, "p_holm": None}


def paired_sums(x: Numbers, y: Numbers, more: Numbers | None = None) -> NDArray[np.int64]:
    """int64[5, quantities]: the sums over the trials of y, of y * y, of x * y, where x is of the first experiment; and
    where y is larger, of how much larger it is and of the square of that.

    ``more`` is how much larger y is, where that is not y - x.
    """
    excess = np.maximum(y - x if more is None else more, 0)
    products = [np.einsum("qt,qt->q", a, b) for a, b in ((y, y), (x, y), (excess, excess))]
    return np.array([y.sum(axis=1), *products[:2], excess.sum(axis=1), products[2]]).astype(np.int64)


def sums_of_both(base: NDArray[np.int64], other: NDArray[np.int64], i: int, trials: int) -> Sums:
    """The sums of quantity number ``i``, from the ``paired_sums`` of the first experiment and of another."""
    (x, xx, *_), (y, yy, xy, excess, excess_squared) = (sums[:, i].tolist() for sums in (base, other))
    return Sums(x, y, xx, yy, xy, trials, excess, excess_squared)


def winners_changed(x: NDArray[np.bool_], y: NDArray[np.bool_]) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """How many trials have other winners in y than in x, both bool[sides, trials], the side of interest last.

    And of each trial how many of the other sides win only in y, and how many only in x. Where the numbers of sides
    differ, all others count as one side.
    """
    if len(x) != len(y):
        x, y = (np.array([winners[:-1].any(axis=0), winners[-1]]) for winners in (x, y))
    return int((x != y).any(axis=0).sum()), (y & ~x)[:-1].sum(axis=0), (x & ~y)[:-1].sum(axis=0)


def level_of(quantity: Quantity, tally: NDArray[np.int64], i: int, trials: int) -> Estimate:
    """A quantity, 0 or more, which is number ``i`` of those in the ``paired_sums`` of some trials."""
    total, squares = tally[:2, i].tolist()
    return proportion(total, trials) if quantity.kind == "probability" else bounded_mean(total, squares, trials)


def difference_of(quantity: Quantity, sums: Sums, unpaired: bool = False) -> Difference:
    """How much more of a quantity, 0 or more, there is than in the first experiment."""
    return (apart if unpaired else paired)(sums, largest=largest_difference(quantity, sums))


def largest_difference(quantity: Quantity, sums: Sums) -> float:
    """The largest difference there can be: of a chance 1, else what a trial has, the root of the mean square."""
    if quantity.kind == "probability":
        return 1.0
    return max(1.0, math.sqrt(max(sums.xx, sums.yy) / sums.hands))
