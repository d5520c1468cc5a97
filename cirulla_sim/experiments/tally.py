"""Sums over trials of named numbers and of their products, and the estimates that follow from them.

Experiments on the same trials have their numbers summed in pairs, from which tables of differences follow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..ruleset.rules_model import Rules
from ..ruleset.scoring import bounds_of
from ..stats.decisions import at_level, holm, holm_levels
from ..stats.estimates import Difference, Estimate, bounded_mean, clustered, proportion
from ..stats.sequential import always_valid_p, widen_for_any_stop
from ..storage.tables import SCHEMA as COLUMNS
from ..storage.tables import estimate_of, estimate_row

ONE = "one"
"""The name of the number that is 1 in every trial: its sum is the number of trials."""

WholeNumbers = NDArray[np.int64]

Row = dict[str, Any]

Formula = Mapping[str, int]
"""A number of every trial as a sum of named ones: how often each is counted."""

Product = tuple[str, ...]
"""What is summed over the trials: a number by its name, or the product of two."""


@dataclass(frozen=True)
class Tally:
    """The sums over ``trials`` of numbers by name, and of their products by both names, in either order.

    >>> points = Tally(4, {"we": 10, "they": 6}, {("we", "we"): 30, ("we", "they"): 11, ("they", "they"): 14})
    >>> margin = {"we": 1, "they": -1}
    >>> points.sum(margin), points.product(margin, margin), points.mean(margin, -math.inf).value
    (4, 22, 1.0)
    """

    trials: int
    sums: Mapping[str, int]
    products: Mapping[tuple[str, str], int]

    @staticmethod
    def of(*, counts: WholeNumbers | None = None, trials: int | None = None, **numbers: WholeNumbers) -> Tally:
        """The tally of the ``numbers`` of each trial; or of trials by their numbers and how many have these.

        With ``trials`` those not counted have zeros.

        >>> Tally.of(counts=np.array([5, 2, 1]), points=np.arange(3)).mean({"points": 1}).value
        0.5
        """
        every = np.ones(len(next(iter(numbers.values()))), np.int64) if counts is None else counts
        sums = {name: int(every @ x) for name, x in numbers.items()}
        products = {(a, b): int(every @ (x * y)) for a, x in numbers.items() for b, y in numbers.items()}
        return Tally(int(every.sum()) if trials is None else trials, sums, products)

    @staticmethod
    def read(names: Sequence[Product], sums: WholeNumbers, trials: int) -> Tally:
        """The tally of some sums that stand one after the other."""
        every = dict(zip(names, sums.tolist(), strict=True))
        single = {name[0]: total for name, total in every.items() if len(name) == 1}
        return Tally(trials, single, {(name[0], name[1]): total for name, total in every.items() if len(name) == 2})

    def sum(self, x: Formula) -> int:
        return sum(times * self._sum(name) for name, times in x.items())

    def product(self, x: Formula, y: Formula) -> int:
        return sum(a * b * self._product(name, other) for name, a in x.items() for other, b in y.items())

    def mean(self, x: Formula, low: float = 0, high: float = math.inf, scale: float = 1.0) -> Estimate:
        """The mean of a column between two bounds, times ``scale``."""
        return bounded_mean(self.sum(x), self.product(x, x), self.trials, low, high, scale)

    def share(self, x: Formula) -> Estimate:
        """The share of trials in which a column is 1, where it is 0 or 1."""
        return proportion(self.sum(x), self.trials)

    def counted(self, count: int | np.int64) -> Estimate:
        """The share of so many of the trials."""
        return proportion(int(count), self.trials)

    def ratio(self, x: Formula, y: Formula) -> Estimate:
        """The sum of x as a proportion of the sum of y, whose interval is one between trials."""
        return clustered(
            self.sum(x), self.sum(y), self.product(x, x), self.product(x, y), self.product(y, y), self.trials
        )

    def _sum(self, name: str) -> int:
        return self.trials if name == ONE else self.sums[name]

    def _product(self, name: str, other: str) -> int:
        if ONE in (name, other):
            return self._sum(other if name == ONE else name)
        both = self.products.get((name, other))
        return self.products[other, name] if both is None else both


TrialNumbers = NDArray[np.float64]
"""Whole numbers of trials, float64[quantities, trials]: sums below 2**53 are exact, in any order."""


class Quantity(NamedTuple):
    """A number that every trial has, as the result table names it."""

    name: str
    per: str
    side: str
    kind: str

    @property
    def key(self) -> str:
        """What its numbers are called in a tally."""
        return f"{self.name} {self.side}"


class Measure(NamedTuple):
    """A quantity by which rules and line-ups are compared: its ``name`` in figures, what one trial is, and the side."""

    name: str
    quantity: str
    per: str
    side: str


MEASURES = (
    Measure("points", "points", "hand", "all"),
    Measure("margin", "margin", "hand", "dealer"),
    Measure("wins", "wins_hand", "side", "dealer"),
    Measure("spread", "margin_spread", "hand", "dealer"),
    Measure("games", "wins_game", "game", "dealer"),
    Measure("hands", "hands", "game", "all"),
    Measure("leads", "lead_changes", "game", "all"),
)
"""What rules and line-ups are compared by, what matters most first; all other quantities are details of these."""

_MAIN = {(measure.quantity, measure.side) for measure in MEASURES}


def is_main(row: Mapping[str, Any]) -> bool:
    """Whether a row is of one of the ``MEASURES``, which are corrected together, as all others are."""
    return row["value"] is None and (row["quantity"], row["side"]) in _MAIN


def table_schema(*labels: str) -> dict[str, Any]:
    """Columns of a table of differences: what is compared is called, under the ``labels``; the contract's; of
    differences, how many times wider the interval of unpaired runs would be, and the p-value, corrected by Holm's
    method (see ``holm_corrected``)."""
    return {**dict.fromkeys(labels, pl.String), **COLUMNS, "gain": pl.Float64, "p_holm": pl.Float64}


def difference_row(name: Mapping[str, str], quantity: Quantity, difference: Difference, unpaired: bool = False) -> Row:
    """The row of how much more of a quantity there is than in the first experiment, its p-value not yet corrected."""
    row = level_row(name, quantity._replace(kind="difference"), difference.estimate)
    return row | {"gain": None if unpaired else difference.gain, "p_holm": difference.p}


def level_row(name: Mapping[str, str], quantity: Quantity, estimate: Estimate) -> Row:
    """The row of a quantity of an experiment, which ``name`` calls by its column."""
    return {**name, **estimate_row(*quantity, estimate), "gain": None, "p_holm": None}


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
            wider = widen_for_any_stop(estimate, *bounds_of(rules_of(row), *names))
            row |= {"ci_low": wider.low, "ci_high": wider.high}
            if row.get("p_holm") is not None:
                row["p_holm"] = always_valid_p(estimate)
    return pl.DataFrame(rows, schema=frame.schema, orient="row")


# ------------------------------------------------------------------------------------------------ trials in pairs


def paired_names(keys: Sequence[str]) -> list[Product]:
    """The names of ``paired_sums`` of some quantities, end to end.

    ``first K`` is the number of the same trial in the first experiment, and ``more K`` how much larger K is, or 0.
    """
    parts = ("{0}",), ("{0}", "{0}"), ("first {0}", "{0}"), ("more {0}",), ("more {0}", "more {0}")
    return [tuple(name.format(key) for name in part) for part in parts for key in keys]


def paired_sums(x: TrialNumbers, y: TrialNumbers, more: TrialNumbers) -> NDArray[np.int64]:
    """The sums over the trials that ``paired_names`` names, where x is of the first experiment and y of another.

    ``more`` is how much larger y is, where it is.
    """
    excess = np.maximum(more, 0)
    products = [np.einsum("qt,qt->q", a, b) for a, b in ((y, y), (x, y), (excess, excess))]
    return np.concatenate([y.sum(axis=1), *products[:2], excess.sum(axis=1), products[2]]).astype(np.int64)


def winners_changed(x: NDArray[np.bool_], y: NDArray[np.bool_]) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """How many trials have other winners in y than in x, both bool[sides, trials], the side of interest last.

    And of each trial how many of the other sides win only in y, and how many only in x. Where the numbers of sides
    differ, all others count as one side.
    """
    if len(x) != len(y):
        x, y = (np.array([winners[:-1].any(axis=0), winners[-1]]) for winners in (x, y))
    return int((x != y).any(axis=0).sum()), (y & ~x)[:-1].sum(axis=0), (x & ~y)[:-1].sum(axis=0)
