"""One or two sets of cards in deals under constraints: counted, each weighed by the deals that complete it."""

from __future__ import annotations

from itertools import product
from math import prod
from operator import mul
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..exact import first_deal as cards
from ..exact.families import count_pairs
from ..situation.deal_counts import Ways
from .cases import Cases, possible

MOST_COMPOSITIONS = 4_000
"""The most compositions of two sets, by the classes of cards that the constraints distinguish."""


class CardSet(NamedTuple):
    """The table or a holding: the distinct rows of its features, which of them each set of ``size`` cards has."""

    frame: pl.DataFrame
    group: NDArray[np.int64]
    size: int


def constrained_pairs(ways: Ways, sets: list[CardSet]) -> Cases | None:
    """The cases of one or two sets of cards, each weighed by the deals that complete it under constraints."""
    compositions = [ways.compositions(cards.combinations(each.size)) for each in sets]
    if prod(len(rows) for rows, _ in compositions) > MOST_COMPOSITIONS:
        return None
    alike = [each.group * len(rows) + which for each, (rows, which) in zip(sets, compositions, strict=True)]
    numbers = [(each.frame.height, len(rows)) for each, (rows, _) in zip(sets, compositions, strict=True)]
    times = [ways.completed(*rows) for rows in product(*(rows for rows, _ in compositions))]
    if len(sets) == 1:
        frame, by_group = sets[0].frame, np.bincount(alike[0], minlength=prod(numbers[0])).reshape(numbers[0])
    else:
        (a, m), (b, n) = numbers
        table = np.zeros((a * m, b * n), np.int64)
        pairs = count_pairs(alike[0], sets[0].size, alike[1], sets[1].size)
        table[: pairs.shape[0], : pairs.shape[1]] = pairs
        frame = crossed(sets[0].frame, sets[1].frame)
        by_group = table.reshape(a, m, b, n).transpose(0, 2, 1, 3).reshape(a * b, m * n)
    weights = [sum(map(mul, row, times)) for row in by_group.tolist()]
    return possible(frame, np.arange(len(weights)), weights)


def crossed(first: pl.DataFrame, second: pl.DataFrame) -> pl.DataFrame:
    """Every row of one frame beside every row of another."""
    return first.join(second, how="cross")
