"""Exact chances by plain enumeration: what the referee says of every set of cards of the pack.

Bonuses, misdeals and totals depend on the ranks of the cards and on which card is the matta, so the referee is asked
about one set of each kind, drawn at random, and every other set of the kind has the same answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from referee.cards import PACK, RANKS, SUITS
from referee.held_cards import RANK_NAMES, SUIT_NAMES
from referee.questions import FUNCTIONS, TABLE

from cirulla_sim.ruleset.rules_model import Rules

Array = NDArray[Any]

BY_CARD: dict[str, set[str]] = {}
BY_CARD |= {name: {card for card in PACK if card[0] == rank} for name, rank in zip(RANK_NAMES, RANKS, strict=True)}
BY_CARD |= {name: {card for card in PACK if card[1] == suit} for name, suit in zip(SUIT_NAMES, SUITS, strict=True)}
BY_CARD |= {"settebello": {"7d"}}
"""Functions that count certain cards -> the cards."""


@cache
def sets_of(size: int) -> Array:
    """Every set of so many cards, by their places in the pack: uint8[n, size]."""
    return np.array(list(combinations(range(40), size)), np.uint8)


@cache
def masks_of(size: int) -> Array:
    """The same as masks: uint64[n]."""
    return bits(sets_of(size))


def bits(rows: Array) -> Array:
    return np.asarray((np.uint64(1) << rows.astype(np.uint64)).sum(axis=1, dtype=np.uint64))


def shuffled(number: int, seed: int) -> Array:
    """Packs in random order: uint8[number, 40]."""
    packs = np.tile(np.arange(40, dtype=np.uint8), (number, 1))
    return np.random.default_rng(seed).permuted(packs, axis=1)


def named(row: Array) -> list[str]:
    return [PACK[card] for card in row.tolist()]


@cache
def kinds(matta: str | None, size: int) -> tuple[Array, Array]:
    """The place of one set of each kind, drawn at random, and the kind of every set."""
    rank = np.arange(40) % 10
    if matta is not None:
        rank[PACK.index(matta)] = 10
    order = np.random.default_rng(size).permutation(len(sets_of(size)))
    codes = (5**rank)[sets_of(size)].sum(axis=1)[order]
    _, first, shuffled = np.unique(codes, return_index=True, return_inverse=True)
    which = np.empty(len(order), np.int64)
    which[order] = shuffled
    return order[first], which


def for_every(matta: str | None, size: int, of: Callable[[list[str]], Any]) -> Array:
    """What a function that looks at ranks and the matta says of every set of ``size`` cards."""
    some, which = kinds(matta, size)
    return np.array([of(named(row)) for row in sets_of(size)[some]])[which]


@lru_cache(400)
def values(rules: Rules, name: str, size: int = 3, cards: frozenset[str] = frozenset()) -> Array:
    """A function of the question language for every set of ``size`` cards: held by a player, or a table of four."""
    data, on_table = asdict(rules), size == 4
    if name in BY_CARD or name in ("holds", "matta"):
        wanted = cards or BY_CARD.get(name) or {rules.matta}
        counted = np.isin(sets_of(size), [PACK.index(card) for card in wanted if card]).sum(axis=1)
        return np.asarray(counted > 0 if name in ("settebello", "matta") else counted)
    where = {} if name in ("fifteen", "thirty", "four_equal", "misdeal", "wins_at_deal") else {"seats": TABLE}

    def value(some: list[str]) -> Any:
        if on_table:
            return FUNCTIONS[name]({"table": some, "misdeals": [], "stages": []}, data, **where)
        return FUNCTIONS[name]({"table": [], "stages": [{"hands": [some]}]}, data, seats=(0,))

    return for_every(rules.matta, size, value)


def is_played(rules: Rules) -> Array:
    """Which tables are neither a misdeal nor won at the deal."""
    if not rules.table_cards:
        return np.ones(len(sets_of(4)), np.bool_)
    return ~(values(rules, "misdeal", 4) | values(rules, "wins_at_deal", 4))


def without(size: int, seen: int) -> Array:
    """Which sets of ``size`` cards have none of the cards of a mask."""
    return masks_of(size) & np.uint64(seen) == 0


@lru_cache(20)
def deals_played(rules: Rules, seen: int = 0) -> Array:
    """For every holding of three, how many tables may lie beside it and are played, if the cards of a mask are away.

    All holdings of a kind that are possible have the same number.
    """
    tables = masks_of(4)[is_played(rules) & without(4, seen)]
    _, which = kinds(rules.matta, 3)
    possible = np.flatnonzero(without(3, seen))
    number = np.zeros(which.max() + 1, np.int64)
    for kind, first in zip(*np.unique(which[possible], return_index=True), strict=True):
        number[kind] = (tables & masks_of(3)[possible[first]] == 0).sum()
    return np.where(without(3, seen), number[which], 0)


def mean(numbers: Array, weights: Array | None = None) -> Fraction:
    """The mean of whole numbers, each as often as its weight."""
    if weights is None:
        return Fraction(int(numbers.sum()), len(numbers))
    return Fraction(int((numbers * weights).sum()), int(weights.sum()))


def pair_sum(rules: Rules, first: Array, size: int, second: Array, seen: int = 0) -> tuple[int, int]:
    """The sum of products over all disjoint pairs of a holding of three and a set of ``size``, and how many these are.

    ``first`` depends on the kind of the holding alone.
    """
    _, which = kinds(rules.matta, 3)
    possible = np.flatnonzero(without(3, seen))
    beside, allowed = masks_of(size), without(size, seen)
    total = number = 0
    for kind, at in zip(*np.unique(which[possible], return_index=True), strict=True):
        apart = allowed & (beside & masks_of(3)[possible[at]] == 0)
        times = int((which[possible] == kind).sum())
        total += times * int(first[possible[at]]) * int(second[apart].sum())
        number += times * int(apart.sum())
    return total, number
