"""Sums over trials of named numbers and of their products, and the estimates that follow from them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..stats.estimates import Estimate, bounded_mean, clustered, proportion

ONE = "one"
"""The name of the number that is 1 in every trial: its sum is the number of trials."""

Whole = NDArray[np.int64]

Column = Mapping[str, int]
"""A number of every trial as a sum of named ones: how often each is counted."""


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
    def of(*, counts: Whole | None = None, trials: int | None = None, **numbers: Whole) -> Tally:
        """The tally of the ``numbers`` of each trial; or of trials by their numbers and how many have these.

        With ``trials`` those not counted have zeros.

        >>> Tally.of(counts=np.array([5, 2, 1]), points=np.arange(3)).mean({"points": 1}).value
        0.5
        """
        every = np.ones(len(next(iter(numbers.values()))), np.int64) if counts is None else counts
        sums = {name: int(every @ x) for name, x in numbers.items()}
        products = {(a, b): int(every @ (x * y)) for a, x in numbers.items() for b, y in numbers.items()}
        return Tally(int(every.sum()) if trials is None else trials, sums, products)

    def sum(self, x: Column) -> int:
        return sum(times * self._sum(name) for name, times in x.items())

    def product(self, x: Column, y: Column) -> int:
        return sum(a * b * self._product(name, other) for name, a in x.items() for other, b in y.items())

    def mean(self, x: Column, low: float = 0, high: float = math.inf, scale: float = 1.0) -> Estimate:
        """The mean of a column between two bounds, times ``scale``."""
        return bounded_mean(self.sum(x), self.product(x, x), self.trials, low, high, scale)

    def share(self, x: Column) -> Estimate:
        """The share of trials in which a column is 1, where it is 0 or 1."""
        return proportion(self.sum(x), self.trials)

    def counted(self, count: int | np.int64) -> Estimate:
        """The share of so many of the trials."""
        return proportion(int(count), self.trials)

    def ratio(self, x: Column, y: Column) -> Estimate:
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
