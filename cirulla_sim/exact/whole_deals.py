"""Whole deals, counted: how many knocks, or points for them, all holdings of a hand have together.

The holdings of a deal are not independent, but given the table any of them may change places. So it is enough to count
*families*, sets of disjoint triples of cards that earn something: a family of ``t`` triples lies in ``t`` given
holdings in as many deals whatever else is dealt, and inclusion and exclusion turns these numbers into the numbers of
deals in which exactly those holdings earn what they earn. Families are counted by dynamic programming over the ranks
left in the pack: the first card left is in no triple of the family or in one, with two other cards left.

So it is enough to count how many holdings of each class there are in the places that a sum treats alike (see
``count_deals``). Everything is a whole number, so every answer is a fraction.

With larger holdings a deal order is counted by its ranks alone, the matta being a rank of its own, since bonuses follow
from them. Half of the holdings are dealt one after another: for all ranks that may be gone after each, in how many
orders, and with how many knocks. A table that is played lies before the other half, and where the ranks of both halves
make up the pack, their ways are multiplied.

>>> from cirulla_sim.ruleset.presets import build
>>> frame, weights = deal_cases(build("scopone"), "knocks")
>>> frame.rows(), weights
([(0, 0)], [1])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from itertools import accumulate, compress, permutations, product
from math import comb, factorial, prod
from operator import mul, sub
from os import cpu_count
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..ruleset.rules_model import Rules
from . import first_deal
from .features import PATTERN, columns, patterns
from .first_deal import HOLDING_SIZE, TABLE_SIZE
from .sums import (
    COMB,
    PACK_SIZE,
    Classes,
    Indices,
    TooManyCasesError,
    combinations,
    counts_of,
    list_shares,
    masks_of,
    rank_classes,
)

LOW_RANKS = 7
"""Ranks whose cards can be together with other ranks in what earns something: of eight and more nothing is low."""

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
    rules: Rules, holding_class: Indices, table_group: Indices, dealt: int
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


def _pattern_classes(rules: Rules, holding_class: Indices) -> tuple[tuple[tuple[Pattern, int], ...], int]:
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


MOST_CASES = 5_000_000
"""More cases than this are too many to count."""

StageSeat = tuple[int, int]
"""A stage and a seat, from 0."""

OF_LOW_CARDS = (
    "barsega", "barsegon", "misci", "bonus", "bonus_points", "low", "triple",
)  # fmt: skip
"""Features of a holding that are 0 but for low or equal cards."""


class HoldingSum(NamedTuple):
    """A number of each holding, added up over some places; or whether it is above 0.

    ``number`` is one of ``OF_LOW_CARDS``, or ``bonus_points`` and a kind of set.
    """

    number: str
    places: frozenset[StageSeat]
    truth: bool = False


def sums_of_deals(
    rules: Rules, sums: Mapping[str, HoldingSum], table_group: Indices, stages: int
) -> tuple[pl.DataFrame, Indices, tuple[int, ...]] | None:
    """All cases of some sums over the holdings of the first stages, for each group of tables; None for too many.

    ``table_group`` is as in ``count_deals``. Returns the cases of one group, a column a sum; and for all cases of all
    groups, group by group, how many deals they stand for: places in a tuple of numbers.
    """
    if any(size != first_deal.HOLDING_SIZE for size in rules.deal_plan[:stages]):
        return None
    places = list(product(range(stages), range(rules.players)))
    numbers = sorted({one.number for one in sums.values()})
    values, holding_class = _classes(rules, tuple(numbers))
    alike = Counter(tuple(place in one.places for one in sums.values()) for place in places)  # to every sum
    parts = [list_shares(size, [size] * (len(values) - 1), size) for size in alike.values()]
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


@lru_cache(64)
def _classes(rules: Rules, numbers: tuple[str, ...]) -> tuple[list[tuple[int, ...]], Indices]:
    """The distinct rows of some numbers of a holding, all zeros first, and which of them each holding has."""
    size = len(first_deal.holdings())
    each = columns("holding", rules, numbers)
    table = np.column_stack(
        [np.zeros(size, np.int64), *(each[number].to_numpy().astype(np.int64) for number in numbers)]
    )
    rows, which = np.unique(table, axis=0, return_inverse=True)  # no number is negative: zeros come first
    values = [tuple(row[1:]) for row in rows.tolist()]
    which = which.reshape(-1)
    if any(values[0]):
        return [(0,) * len(numbers), *values], which + 1
    return values, which


Words = NDArray[np.uint64]

MARKS = ("bonus", "barsega", "misci", "barsegon", "bonus_points")
"""What can be counted of a whole deal, one at a time."""

_HIGHEST = 8  # the ranks from here on separate the parts that threads deal side by side

_ROWS = 1 << 16  # multiplied at a time, so that memory stays small
_LIMB = 16  # bits of a whole number multiplied at a time


class Ranks(NamedTuple):
    """Ranks of some cards, one entry a pattern: uint64[n] each."""

    words: Words  # how many of each, four bits a rank, the matta the eleventh
    places: Words  # the same as numbers without gaps: of two patterns together the sum of their numbers


class Half(NamedTuple):
    """The ways to deal half of the holdings, or more: by the ranks that are gone and by mark."""

    ranks: Ranks
    ways: NDArray[np.uint64]  # uint64[n, marks]: orders of these ranks
    marks: tuple[int, ...]
    alike: tuple[int, ...]  # ranks that may change places and nothing changes


class Pack(NamedTuple):
    """The ranks of a pack, the matta apart: how many cards of each, and the number of a card of each."""

    classes: Classes
    counts: tuple[int, ...]
    steps: tuple[int, ...]


def _all_ranks(pack: Pack, size: int) -> Ranks:
    """All ranks that ``size`` cards may have, by rising place."""
    words, places, cards = (np.zeros(1, np.uint64) for _ in range(3))
    for rank in reversed(range(11)):
        counts = np.arange(pack.counts[rank] + 1, dtype=np.uint64)
        left = sum(pack.counts[:rank])
        total = (cards[:, None] + counts).ravel()
        fits = (total <= size) & (total + np.uint64(left) >= size)
        words = (words[:, None] | counts << np.uint64(4 * rank)).ravel()[fits]
        places = (places[:, None] + counts * np.uint64(pack.steps[rank])).ravel()[fits]
        cards = total[fits]
    return Ranks(words, places)


def _ranks_of(pack: Pack, masks: Words) -> tuple[Ranks, Words]:
    """The ranks of sets of cards, masks, and in how many orders they may come: size! / (count! of each rank)."""
    counts = counts_of(pack.classes, masks).astype(np.uint64)
    words = (counts << np.arange(0, 44, 4, dtype=np.uint64)).sum(axis=1)
    repeats = np.array([factorial(n) for n in range(5)], np.uint64)[counts].prod(axis=1)
    size = int(masks[0]).bit_count() if len(masks) else 0
    return Ranks(words, counts @ np.array(pack.steps[:-1], np.uint64)), np.uint64(factorial(size)) // repeats


def _dealt(pack: Pack, half: Half, size: int, held: tuple[Ranks, Words], marks: NDArray[np.int64]) -> Half:
    """The half with one holding more, ``size`` cards then; ``held`` are its ranks and orders, ``marks`` its marks.

    Jack, queen and king are mostly alike: then only one of the states that differ in their order is dealt on, with the
    ways of all of them, and what comes out is shared among the orders again.
    """
    from ..kernel.entries.rules import Dealt, Holdings, deal_next

    kinds, kind_of = np.unique(marks, return_inverse=True)
    sums = sorted({old + int(new) for old in half.marks for new in kinds})
    adds = np.array([[sums.index(old + int(new)) for new in kinds] for old in half.marks], np.uint64)
    order = np.argsort(held[0].places)  # rising places go through memory in one direction
    words, places, times, kind = (array[order] for array in (*held[0], held[1], kind_of.astype(np.uint64)))
    alike = _alike(pack, half.alike, Ranks(words, places), times, kind)

    ranks = _all_ranks(pack, size)
    place = np.zeros(pack.steps[-1], np.uint32)
    place[ranks.places] = np.arange(len(ranks.places), dtype=np.uint32)
    ways = np.zeros((len(ranks.places), len(sums)), np.uint64)
    spare = np.uint64(sum((7 - count) << 4 * rank for rank, count in enumerate(pack.counts)))
    orders, rows = list(permutations(alike)), permutations(range(len(alike)))
    counts = np.array([_count(half.ranks.words, rank) for rank in alike]).reshape(len(alike), -1)
    first = (counts[:-1] <= counts[1:]).all(axis=0)
    same = np.sum([(counts == counts[list(order)]).all(axis=0) for order in rows], axis=0)
    all_ways = half.ways[first] * (np.uint64(len(orders)) // same[first].astype(np.uint64))[:, None]
    from_words, from_places = half.ranks.words[first], half.ranks.places[first]

    def deal(pairs: list[tuple[slice, slice]]) -> None:
        for old, new in pairs:
            before = Dealt(from_words[old], from_places[old], all_ways[old])
            deal_next(before, Holdings(words[new], places[new], times[new], kind[new]), adds, spare, place, ways)

    with ThreadPoolExecutor(cpu_count()) as pool:
        list(pool.map(deal, _apart(pack, Ranks(from_words, from_places), Ranks(words, places), spare)))
    if len(orders) > 1:
        shared = np.zeros_like(ways)
        for to in orders:
            shared += ways[place[_exchanged(pack, ranks, alike, to)]]
        ways = shared // np.uint64(len(orders))
    return Half(ranks, ways, tuple(sums), alike)


def _apart(pack: Pack, first: Ranks, other: Ranks, spare: np.uint64) -> list[list[tuple[slice, slice]]]:
    """Parts of two lists of ranks, by rising place, of which some fit together: those that lead to the same highest
    ranks are in one list, so that threads never write to the same place."""
    from ..kernel.entries.rules import TOO_MANY

    step, high = pack.steps[_HIGHEST], np.uint64((1 << 44) - (1 << 4 * _HIGHEST))
    parts = []
    for ranks in (first, other):
        tops, starts = np.unique(ranks.places // np.uint64(step), return_index=True)
        ends = [*starts[1:], len(ranks.places)]
        parts.append(
            [(int(top), ranks.words[a] & high, slice(a, b)) for top, a, b in zip(tops, starts, ends, strict=True)]
        )
    lists: dict[int, list[tuple[slice, slice]]] = {}
    for (top, word, part), (counts, added, with_it) in product(*parts):
        if not (word + added + spare) & TOO_MANY & high:
            lists.setdefault(top + counts, []).append((part, with_it))
    return sorted(lists.values(), key=len, reverse=True)


def _count(words: Words, rank: int) -> NDArray[np.int64]:
    """How many cards of a rank."""
    return ((words >> np.uint64(4 * rank)) & np.uint64(15)).astype(np.int64)


def _exchanged(pack: Pack, cards: Ranks, ranks: Sequence[int], to: Sequence[int]) -> NDArray[np.int64]:
    """The places of cards where each of some ranks has as many cards as another had: int64[n]."""
    places = cards.places.astype(np.int64)
    for rank, other in zip(ranks, to, strict=True):
        places += (_count(cards.words, other) - _count(cards.words, rank)) * pack.steps[rank]
    return places


def _alike(pack: Pack, ranks: Sequence[int], held: Ranks, times: Words, kind: Words) -> tuple[int, ...]:
    """Three of ``ranks``, or fewer, that may change places in these holdings and neither orders nor kinds change."""

    def may_change(rank: int, other: int) -> bool:
        places = _exchanged(pack, held, (rank, other), (other, rank))
        at = np.minimum(np.searchsorted(held.places.astype(np.int64), places), len(places) - 1)
        return bool((held.places[at] == places).all() and (times[at] == times).all() and (kind[at] == kind).all())

    groups = [tuple(other for other in ranks if may_change(rank, other))[-3:] for rank in reversed(ranks)]
    return max(groups, key=len, default=())


def _dealt_all(rules: Rules, pack: Pack, sizes: Sequence[int], name: str) -> Half:
    """All ways to deal holdings of these sizes."""
    full = tuple(rank for rank in range(10) if pack.counts[rank] == 4)
    half = Half(_all_ranks(pack, 0), np.ones((1, 1), np.uint64), (0,), full)
    gone = 0
    for size in sorted(sizes, reverse=True):
        gone += size
        masks, _ = patterns(rules, size)
        marks = PATTERN[name].column(rules, masks).astype(np.int64)
        half = _dealt(pack, half, gone, _ranks_of(pack, masks), marks)
    return half


def _with_table(rules: Rules, pack: Pack, half: Half, gone: int) -> Half:
    """The half and a table that is played: no misdeal, and none that wins the game."""
    if not rules.table_cards:
        return half
    played = first_deal.tables()[~(first_deal.misdeals(rules) | first_deal.wins(rules))]
    ranks, times = _ranks_of(pack, masks_of(played))
    _, first = np.unique(ranks.places, return_index=True)
    table = Ranks(ranks.words[first], ranks.places[first]), times[first]
    return _dealt(pack, half, gone + rules.table_cards, table, np.zeros(len(first), np.int64))


@cache
def deal_cases(rules: Rules, name: str) -> tuple[pl.DataFrame, list[int]] | None:
    """How much of ``name``, one of ``MARKS``, a hand brings: cases and their weights, beyond 64 bits.

    With two sides the columns ``name_0`` and ``name_1`` are what the holdings of each side bring; else one column
    ``name`` is what all bring. Deals are counted as orders of ranks, without those with a misdeal or a table that wins.
    None where it is left to simulation: misdealt tables that are buried, which changes what the stock holds, and deal
    plans whose halves are too many cards to count in 64 bits.
    """
    if first_deal.buries(rules) and first_deal.misdeals(rules).any():
        return None
    columns = [f"{name}_0", f"{name}_1"] if rules.sides == 2 else [name]
    if not rules.hand_bonuses:
        return pl.DataFrame({column: [0] for column in columns}), [1]
    every = sorted(rules.deal_plan * rules.players)
    sizes = every[::2], every[1::2]  # with two sides each side's own
    if sum(sizes[0]) > 20 or sum(sizes[1]) + rules.table_cards > 22:
        return None
    classes = rank_classes(rules.matta)
    counts = tuple(map(len, classes))
    pack = Pack(classes, counts, tuple(accumulate((count + 1 for count in counts), mul, initial=1)))
    first = _dealt_all(rules, pack, sizes[0], name)
    second = first if sizes[0] == sizes[1] else _dealt_all(rules, pack, sizes[1], name)
    weights = _joined(pack, first, _with_table(rules, pack, second, sum(sizes[1])))
    rows: dict[tuple[int, ...], int] = {}
    for i, mine in enumerate(first.marks):
        for j, theirs in enumerate(second.marks):
            key = (mine, theirs) if rules.sides == 2 else (mine + theirs,)
            if weights[i][j]:
                rows[key] = rows.get(key, 0) + weights[i][j]
    return pl.DataFrame(list(rows), schema=dict.fromkeys(columns, pl.Int64), orient="row"), list(rows.values())


def _joined(pack: Pack, first: Half, second: Half) -> list[list[int]]:
    """Ways of both halves together, by mark of the one and of the other, where they make up the pack."""
    last = np.uint64(sum(count * step for count, step in zip(pack.counts, pack.steps, strict=False)))
    rest = np.searchsorted(second.ranks.places, last - first.ranks.places)
    total = [[0] * len(second.marks) for _ in first.marks]
    for start in range(0, len(rest), _ROWS):
        # Parts of 16 bits are multiplied as floats, which is exact: the sums of so many products stay below 2^53.
        part = slice(start, start + _ROWS)
        mine, theirs = _limbs(first.ways[part]), _limbs(second.ways[rest[part]])
        for i, a in enumerate(mine):
            for j, b in enumerate(theirs):
                for row, sums in zip(total, (a.T @ b).astype(np.int64).tolist(), strict=True):
                    for k, number in enumerate(sums):
                        row[k] += number << _LIMB * (i + j)
    return total


def _limbs(numbers: NDArray[np.uint64]) -> list[NDArray[np.float64]]:
    """Whole numbers as parts of 16 bits, the lowest first."""
    bits = int(numbers.max()).bit_length()
    return [
        ((numbers >> np.uint64(shift)) & np.uint64(0xFFFF)).astype(np.float64)
        for shift in range(0, max(bits, 1), _LIMB)
    ]
