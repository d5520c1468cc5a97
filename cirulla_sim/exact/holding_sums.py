"""Numbers of holdings of three cards, added up over some of a deal: all deals counted at once, by table.

Every holding of a deal has the same chances given the table, so it is enough to count how many holdings of each class
there are in the places that a sum treats alike (see ``families.count_deals``).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import compress
from math import prod
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..ruleset.rules_model import Rules
from . import first_deal as cards
from .families import count_deals, multinomial
from .features import columns
from .first_deal import HandBonus

MOST_CASES = 5_000_000
"""More cases than this are too many to count."""

Place = tuple[int, int]
"""A stage and a seat, from 0."""

Indices = NDArray[np.int64]

KINDS: dict[str, tuple[HandBonus, ...]] = {
    "": (HandBonus.LOW, HandBonus.LOW_NO_ACE, HandBonus.TRIPLE), "barsega": (HandBonus.LOW, HandBonus.LOW_NO_ACE),
    "misci": (HandBonus.LOW_NO_ACE,), "barsegon": (HandBonus.TRIPLE,),
}  # fmt: skip
"""The bonuses that are sets of each kind, or of any."""

OF_LOW_CARDS = (
    "barsega", "barsegon", "misci", "bonus", "bonus_points", "low", "triple", "contains_low", "contains_triple",
)  # fmt: skip
"""Features of a holding that are 0 but for low or equal cards."""


class HoldingSum(NamedTuple):
    """A number of each holding, added up over some places; or whether it is above 0.

    ``number`` is one of ``OF_LOW_CARDS``, or ``bonus_points`` and a kind of set.
    """

    number: str
    places: frozenset[Place]
    truth: bool = False


def sums_of_deals(
    rules: Rules, sums: Mapping[str, HoldingSum], table_group: Indices, stages: int
) -> tuple[pl.DataFrame, Indices, tuple[int, ...]] | None:
    """All cases of some sums over the holdings of the first stages, for each group of tables; None for too many.

    ``table_group`` is as in ``count_deals``. Returns the cases of one group, a column a sum; and for all cases of all
    groups, group by group, how many deals they stand for: places in a tuple of numbers.
    """
    if any(size != cards.HOLDING_SIZE for size in rules.deal_plan[:stages]):
        return None
    places = list(itertools.product(range(stages), range(rules.players)))
    numbers = sorted({one.number for one in sums.values()})
    values, holding_class = _classes(rules, tuple(numbers))
    alike = Counter(tuple(place in one.places for one in sums.values()) for place in places)  # to every sum
    parts = [_compositions(size, len(values) - 1) for size in alike.values()]
    height, groups = prod(map(len, parts)), int(table_group.max()) + 1
    if height * groups > MOST_CASES:
        return None
    degree, ways = np.zeros((height, len(values) - 1), np.int64), np.ones(height, np.int64)
    total = {key: np.zeros(height, np.int64) for key in sums}
    inner = height
    for (chosen, size), part in zip(alike.items(), parts, strict=True):
        inner //= len(part)
        row = (np.arange(height) // inner) % len(part)
        degree += part[row]
        ways *= np.array([multinomial(size, tuple(d)) for d in part.tolist()], np.int64)[row]
        for key in compress(sums, chosen):
            number = numbers.index(sums[key].number)
            total[key] += (part @ np.array([value[number] for value in values[1:]], np.int64))[row]
    # count_deals is called once; equal numbers of holdings and ways weigh the same.
    keys, which = np.unique(np.column_stack((degree, ways)), axis=0, return_inverse=True)
    deals = count_deals(rules, holding_class, table_group, len(places))
    weights = tuple(by_class.get(tuple(key[:-1]), 0) * key[-1] for by_class in deals for key in keys.tolist())
    which = np.concatenate([which.reshape(-1) + group * len(keys) for group in range(groups)])
    frame = pl.DataFrame({key: column > 0 if sums[key].truth else column for key, column in total.items()})
    return frame, which, weights


@cache
def _numbers(rules: Rules, number: str) -> Indices:
    """A feature of every holding as a number, or the points of one kind of set: int64[9880]."""
    feature, _, detail = number.partition(" ")
    if detail:
        kind, points = cards.hand_bonus(rules)
        return np.where(np.isin(kind, KINDS[detail]), points, 0).astype(np.int64)
    return columns("holding", rules, (feature,))[feature].to_numpy().astype(np.int64)


@lru_cache(64)
def _classes(rules: Rules, numbers: tuple[str, ...]) -> tuple[list[tuple[int, ...]], Indices]:
    """The distinct rows of some numbers of a holding, all zeros first, and which of them each holding has."""
    size = len(cards.holdings())
    table = np.column_stack([np.zeros(size, np.int64), *(_numbers(rules, number) for number in numbers)])
    rows, which = np.unique(table, axis=0, return_inverse=True)  # no number is negative: zeros come first
    values = [tuple(row[1:]) for row in rows.tolist()]
    which = which.reshape(-1)
    if any(values[0]):
        return [(0,) * len(numbers), *values], which + 1
    return values, which


def _compositions(size: int, classes: int) -> Indices:
    """The number of holdings in each class, of ``size`` holdings: a row for each possibility."""
    every = itertools.product(range(size + 1), repeat=classes)
    return np.array([row for row in every if sum(row) <= size], np.int64)
