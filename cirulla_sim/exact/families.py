"""Whole deals, counted: what every holding of three cards earns at once, and two sets of cards seen side by side.

The holdings of a deal are not independent, but given the table any of them may change places. So it is enough to count
*families*, sets of disjoint triples of cards that earn something: a family of ``t`` triples lies in ``t`` given
holdings in as many deals whatever else is dealt, and inclusion and exclusion turns these numbers into the numbers of
deals in which exactly those holdings earn what they earn. Families are counted by dynamic programming over the ranks
left in the pack: the first card left is in no triple of the family or in one, with two other cards left.

Everything is a whole number, so every answer is a fraction.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from math import comb, factorial, prod
from operator import sub
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..ruleset.rules_model import Rules
from .first_deal import (
    HOLDING_SIZE,
    TABLE_SIZE,
)
from .sums import COMB, PACK_SIZE, TooManyCasesError, combinations, counts_of, masks_of, rank_classes

LOW_RANKS = 7
"""Ranks whose cards can be together with other ranks in what earns something: of eight and more nothing is low."""

Classes = NDArray[np.int64]
BigNumbers = Any  # an array of Python's whole numbers


class Pattern(NamedTuple):
    """Cards by rank, the matta apart."""

    ranks: tuple[int, ...]  # number of cards of each of the ten ranks
    matta: int  # 1 with the matta


@cache
def rank_patterns(matta: str | None, size: int) -> tuple[list[Pattern], NDArray[np.intp]]:
    """The distinct patterns of the sets of ``size`` cards, and which of them each row of ``combinations`` has."""
    counts = counts_of(rank_classes(matta), masks_of(combinations(size)))
    rows, which = np.unique(counts, axis=0, return_inverse=True)
    return [Pattern(tuple(row[:10]), row[10]) for row in rows.tolist()], which.reshape(-1)


def _whole_pack(matta: str | None) -> Pattern:
    *ranks, wild = map(len, rank_classes(matta))
    return Pattern(tuple(ranks), wild)


# ------------------------------------------------------------------------------------------------ families


@cache
def _families(matta: str | None, classes: tuple[tuple[Pattern, int], ...], kinds: int, most: int) -> NDArray[np.int64]:
    """Number of families among the cards of the low ranks left: int64[left of rank 1, ..., of rank 7, matta, *degrees].

    ``classes`` gives the class, from 1, of each pattern that earns something; degree ``k`` of a family is how many of
    its triples are of class ``k + 1``, at most ``most`` of each.
    """
    pack = _whole_pack(matta)
    degrees = (most + 1,) * kinds
    if kinds > 1:  # how many of each class can be had at all
        alone = (_families(matta, tuple((p, 1) for p, c in classes if c == k + 1), 1, most) for k in range(kinds))
        degrees = tuple(int(np.nonzero(number.reshape(-1, most + 1).any(axis=0))[0].max()) + 1 for number in alone)
    low = [(pattern, kind) for pattern, kind in classes if not any(pattern.ranks[LOW_RANKS:])]
    left = np.zeros((pack.matta + 1, *degrees), np.int64)
    left.reshape(pack.matta + 1, -1)[:, 0] = 1  # nothing but the matta left: the family of no triples
    for rank in reversed(range(LOW_RANKS)):
        starting = [(p, kind) for p, kind in low if p.ranks[rank] and not any(p.ranks[:rank])]
        levels = [left]
        for count in range(1, pack.ranks[rank] + 1):
            level = levels[count - 1].copy()
            for pattern, kind in starting:
                own = pattern.ranks[rank]
                if own <= count:
                    _add_shifted(level, levels[count - own], pattern, rank, kind, comb(count - 1, own - 1))
            levels.append(level)
        left = np.stack(levels)
    return left


def _add_shifted(
    level: NDArray[np.int64], source: NDArray[np.int64], pattern: Pattern, rank: int, kind: int, ways: int
) -> None:
    """Add the families whose first triple is of a pattern: what is left without it, one degree up."""
    axes = level.ndim
    higher = (*pattern.ranks[rank + 1 : LOW_RANKS], pattern.matta)
    to, of = [slice(None)] * axes, [slice(None)] * axes
    factor: Any = ways
    for axis, taken in enumerate(higher):
        size = level.shape[axis]
        if taken >= size:
            return
        if taken:
            to[axis], of[axis] = slice(taken, None), slice(None, size - taken)
            chosen = np.array([comb(count, taken) for count in range(taken, size)], np.int64)
            factor = factor * chosen.reshape([-1 if a == axis else 1 for a in range(axes)])
    up = len(higher) + kind - 1
    if level.shape[up] == 1:
        return
    to[up], of[up] = slice(1, None), slice(None, -1)
    level[tuple(to)] += factor * source[tuple(of)]


@cache
def _count_families(
    matta: str | None, classes: tuple[tuple[Pattern, int], ...], kinds: int, most: int, left: tuple[Pattern, ...]
) -> BigNumbers:
    """Families by class among the cards left, for each pattern of them: object[patterns, *degrees].

    Of the court cards only three equal ones earn anything, or two and the matta.
    """
    low = _families(matta, classes, kinds, most)
    triple: dict[int, int] = {}
    wild: dict[int, int] = {}
    for pattern, kind in classes:
        if any(pattern.ranks[LOW_RANKS:]):
            rank = next(i for i, n in enumerate(pattern.ranks) if n)
            (wild if pattern.matta else triple)[rank] = kind
    ranks, mattas = np.array([p.ranks for p in left]), np.array([p.matta for p in left])
    counts = [list(triple.values()).count(kind) + (kind in wild.values()) for kind in range(1, kinds + 1)]
    base = low[tuple(ranks[:, :LOW_RANKS].T)]
    base = np.pad(base, [(0, 0), (0, 0), *((0, own) for own in counts)]).astype(object)
    families = _with_triples(base[np.arange(len(left)), mattas], ranks, triple)
    for rank, kind in wild.items():
        others = {court: own for court, own in triple.items() if court != rank}
        pairs = mattas * COMB[ranks[:, rank], 2]
        families = families + _raised(_with_triples(base[:, 0], ranks, others), kind, pairs)
    return families


def _with_triples(families: BigNumbers, ranks: NDArray[np.int64], triple: Mapping[int, int]) -> BigNumbers:
    """With three equal cards of each of these ranks, or without, for each pattern of the cards left."""
    for rank, kind in triple.items():
        families = families + _raised(families, kind, COMB[ranks[:, rank], 3])
    return families


def _raised(families: BigNumbers, kind: int, ways: NDArray[np.int64]) -> BigNumbers:
    """One degree more in a class, in so many ways for each pattern; the highest degree is that of no family yet."""
    higher = np.zeros_like(families)
    to, of = ([slice(None)] * families.ndim for _ in range(2))
    to[kind], of[kind] = slice(1, None), slice(None, -1)
    times = ways.astype(object).reshape(-1, *[1] * (families.ndim - 1))
    higher[tuple(to)] = times * families[tuple(of)]
    return higher


# ------------------------------------------------------------------------------------------------ deals


def count_deals(
    rules: Rules, holding_class: Classes, table_group: Classes, dealt: int
) -> list[dict[tuple[int, ...], int]]:
    """In how many deals the holdings are of given classes, for each group of tables.

    ``holding_class`` is int64[9880]: 0 for holdings of no interest, classes 1, 2, ... for the others, which must be low
    or equal cards, whatever their suits (that is checked). ``table_group`` is int64[91390]: the group of each table, -1
    for tables left out; one entry only where no table is laid. ``dealt`` is the number of holdings dealt.

    Returns for each group a mapping from numbers of holdings (of class 1, of class 2, ...) to the number of deals in
    which so many *given* holdings are of these classes and all others of class 0. Deals are counted as sets of cards
    given to each holding. Adding up over which holdings are meant gives all deals.

    Raises ``TooManyCasesError`` for other classes.
    """
    classes, kinds = _pattern_classes(rules, holding_class)
    pack = _whole_pack(rules.matta)
    if len(table_group) == 1:
        patterns, which, size = [Pattern((0,) * 10, 0)], np.zeros(1, np.intp), PACK_SIZE
    else:
        patterns, which = rank_patterns(rules.matta, TABLE_SIZE)
        size = PACK_SIZE - TABLE_SIZE
    if not kinds:
        ways = factorial(size) // (6**dealt * factorial(size - 3 * dealt))
        return [{(): int(number) * ways} for number in np.bincount(table_group[table_group >= 0])]
    left = tuple(
        Pattern(tuple(a - b for a, b in zip(pack.ranks, p.ranks, strict=True)), pack.matta - p.matta) for p in patterns
    )
    families = _count_families(rules.matta, classes, kinds, dealt, left)
    groups = []
    for group in range(int(table_group.max()) + 1):
        number = np.bincount(which[table_group == group], minlength=len(patterns))
        some = number.nonzero()[0]
        groups.append(_exactly(np.tensordot(number[some].astype(object), families[some], 1), dealt, size))
    return groups


def _pattern_classes(rules: Rules, holding_class: Classes) -> tuple[tuple[tuple[Pattern, int], ...], int]:
    patterns, which = rank_patterns(rules.matta, HOLDING_SIZE)
    low, high = np.full(len(patterns), 99), np.full(len(patterns), -1)
    np.minimum.at(low, which, holding_class)
    np.maximum.at(high, which, holding_class)
    if (low != high).any():
        raise TooManyCasesError  # classes of holdings that differ in suits only are not the same
    classes = tuple((p, int(c)) for p, c in zip(patterns, high, strict=True) if c)
    for pattern, _ in classes:
        if any(pattern.ranks[LOW_RANKS:]) and max(pattern.ranks) + pattern.matta != HOLDING_SIZE:
            raise TooManyCasesError  # a class of holdings with court cards that are not all equal
    return classes, int(holding_class.max())


def _exactly(families: BigNumbers, dealt: int, size: int) -> dict[tuple[int, ...], int]:
    """From families to deals in which given holdings are what they are and all others of class 0."""
    at_least = {}
    for degrees in map(tuple, np.argwhere(families).tolist()):
        triples = sum(degrees)
        if triples <= dealt:
            rest = factorial(size - 3 * triples) // (6 ** (dealt - triples) * factorial(size - 3 * dealt))
            at_least[degrees] = int(families[degrees]) * prod(factorial(d) for d in degrees) * rest
    exact = {}
    for degrees in at_least:
        free, total = dealt - sum(degrees), 0
        for counts, deals in at_least.items():
            extra = tuple(map(sub, counts, degrees))
            if min(extra, default=0) >= 0:
                total += (-1) ** sum(extra) * multinomial(free, extra) * deals
        if total:
            exact[degrees] = total
    return exact


@lru_cache(2**14)
def multinomial(n: int, parts: tuple[int, ...]) -> int:
    """In how many ways ``n`` places are given to parts of these sizes and a rest.

    >>> multinomial(4, (2, 1))
    12
    """
    return factorial(n) // (prod(factorial(part) for part in parts) * factorial(n - sum(parts)))
