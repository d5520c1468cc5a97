"""One or two sets of cards in deals that have known cards: counted, each weighed by the deals that complete it."""

from __future__ import annotations

from math import prod
from operator import mul

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..exact import first_deal as cards
from ..exact.families import count_pairs
from ..situation.deal_counts import Ways
from .cases import Cases, possible

MOST_COMPOSITIONS = 4_000
"""The most compositions of two sets, by the classes of cards that the constraints distinguish."""


def constrained_pairs(
    ways: Ways, frames: list[pl.DataFrame], groups: list[NDArray[np.int64]], sizes: list[int]
) -> Cases | None:
    """The cases of one or two sets of cards, each weighed by the deals with known cards that complete it."""
    compositions = [ways.compositions(cards.combinations(size)) for size in sizes]
    if prod(len(rows) for rows, _ in compositions) > MOST_COMPOSITIONS:
        return None
    alike = [group * len(rows) + which for group, (rows, which) in zip(groups, compositions, strict=True)]
    every = [frame.height * len(rows) for frame, (rows, _) in zip(frames, compositions, strict=True)]
    if len(frames) == 1:
        sets = np.bincount(alike[0], minlength=every[0]).reshape(frames[0].height, -1)
        times = [ways.completed(row) for row in compositions[0][0]]
        return possible(frames[0], np.arange(frames[0].height), [sum(map(mul, row, times)) for row in sets.tolist()])
    table = np.zeros(every, np.int64)
    pairs = count_pairs(alike[0], sizes[0], alike[1], sizes[1])
    table[: pairs.shape[0], : pairs.shape[1]] = pairs
    times = [ways.completed(first, second) for first in compositions[0][0] for second in compositions[1][0]]
    (a, b), (m, n) = (frame.height for frame in frames), (len(rows) for rows, _ in compositions)
    by_group = table.reshape(a, m, b, n).transpose(0, 2, 1, 3).reshape(a * b, m * n)
    weights = [sum(map(mul, row, times)) for row in by_group.tolist()]
    both = pl.concat([frames[0][np.repeat(np.arange(a), b)], frames[1][np.tile(np.arange(b), a)]], how="horizontal")
    return possible(both, np.arange(a * b), weights)
