"""Numbers of sets of cards, and how often they come together in several places of a deal.

Most features of a set of cards are a `Sum`: what its cards of each part of the pack (a card, a rank, a suit)
come to, added up, or the greatest of these. Sevens are added up over cards, three equal cards are the greatest of
ranks, a primiera is added up over suits. It is counted part by part: every way to split a part among the places is a
row with what it adds in each; parts are put together two by two, and rows in which everything is equal are merged,
their ways added up. What is no sum is looked up for every set of a place, in `Groups` of equal ones; all that the
other places have to know of it is how many of its cards are of each class, which is a sum again, the `make_up`.

Everything is a whole number, so every answer is a fraction.

>>> sevens = Sum(count_of(0b1000000 * EVERY_SUIT))
>>> frame, ways = count_sums(ALL, [3, 3], {"mine": Placed(sevens, (0,)), "theirs": Placed(sevens, (1,))})
>>> frame.height, sum(ways) == comb(40, 3) * comb(37, 3)
(13, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from itertools import combinations as subsets
from math import comb, factorial, prod
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.cards import members, parse

PACK_SIZE = 40
ALL = (1 << PACK_SIZE) - 1
EVERY_SUIT = 1 | 1 << 10 | 1 << 20 | 1 << 30
"""The aces; shifted by a rank, the cards of that rank."""

Masks = NDArray[np.uint64]
Column = NDArray[Any]
Cards = NDArray[np.uint8]
Indices = NDArray[np.int64]
Classes = tuple[tuple[int, ...], ...]
"""Cards in classes: those of a class are alike."""

CARDS, RANKS, SUITS = (
    tuple(1 << card for card in range(PACK_SIZE)),
    tuple(EVERY_SUIT << rank for rank in range(10)),
    tuple(1023 << 10 * suit for suit in range(4)),
)
"""The parts of the pack that sums are over, as masks."""

MOST_ROWS = 8_000_000
"""More different rows than this are too many to count."""

MOST_PAIRS = 25_000_000
"""More rows than this are too many to be put together: some seconds."""

_AT_A_TIME = 2_000_000  # rows put together at a time, so that memory stays small


class TooManyCasesError(Exception):
    """More cases than memory should hold."""


# ------------------------------------------------------------------------------------------------ sets of cards


@cache
def combinations(size: int) -> Cards:
    """All sets of ``size`` cards of the pack: uint8[C(40, size), size] of indices, rows ascending, read-only."""
    rows = np.empty((1, 0), np.uint8)
    for _ in range(size):
        after = rows[:, -1].astype(np.intp) + 1 if rows.shape[1] else np.zeros(1, np.intp)
        each = PACK_SIZE - after
        starts = np.repeat(np.cumsum(each) - each - after, each)
        added = (np.arange(each.sum()) - starts).astype(np.uint8)
        rows = np.column_stack((np.repeat(rows, each, axis=0), added))
    rows.setflags(write=False)
    return rows


def index_of(sets: Cards) -> Indices:
    """The place of each set of cards, ascending in its row, among ``combinations`` of its size.

    >>> index_of(np.array([[0, 1, 2], [37, 38, 39]], np.uint8)).tolist()
    [0, 9879]
    """
    size, later = sets.shape[1], PACK_SIZE - 1 - sets.astype(np.int64)  # cards that may come after each
    after = sum((COMB[later[:, place], size - place] for place in range(size)), np.zeros(len(sets), np.int64))
    return comb(PACK_SIZE, size) - 1 - after


COMB = np.array([[comb(n, k) for k in range(PACK_SIZE + 1)] for n in range(PACK_SIZE + 1)], np.int64)
"""Binomial coefficients, the ways to take k of n cards: row n, column k."""


def masks_of(sets: Cards) -> Masks:
    """Sets of cards, a row of indices each, as masks: uint64[n]."""
    return np.asarray(np.bitwise_or.reduce(np.uint64(1) << sets.astype(np.uint64), axis=1))


def sets_of(masks: Masks, size: int) -> Cards:
    """The inverse for sets of ``size`` cards: uint8[n, size]."""
    bits = masks[:, None] >> np.arange(PACK_SIZE, dtype=np.uint64) & np.uint64(1)
    return np.nonzero(bits)[1].astype(np.uint8).reshape(len(masks), size)


# ------------------------------------------------------------------------------------------------ sums


class Sum(NamedTuple):
    """A number of a set of cards: ``of`` its cards of each part, added up, or the ``greatest`` of these.

    ``of`` is a column over masks with cards of one part; it is 0 of no cards, and never negative. Sums above ``most``
    all count as ``most``.
    """

    of: Callable[[Masks], Column]
    parts: tuple[int, ...] = CARDS
    greatest: bool = False
    most: int | None = None

    def column(self, masks: Masks) -> Column:
        """The number of each set of cards: int64[n]."""
        if self.parts == CARDS:
            total = np.asarray(self.of(masks), np.int64)
        else:
            each = (np.asarray(self.of(masks & np.uint64(part)), np.int64) for part in self.parts)
            total = np.maximum.reduce(list(each)) if self.greatest else sum(each, np.zeros(len(masks), np.int64))
        return total if self.most is None else np.minimum(total, self.most)


class Placed(NamedTuple):
    """A sum over the cards that lie in some places together, these by number."""

    sum: Sum
    places: tuple[int, ...]


def count_of(cards: int) -> Callable[[Masks], Column]:
    """How many of some cards, a mask, there are: for a ``Sum`` over cards."""
    return lambda masks: np.bitwise_count(masks & np.uint64(cards)).astype(np.int64)


def weighted(weights: Sequence[int]) -> Callable[[Masks], Column]:
    """The total of the weights of the cards, one for each card of the pack: for a ``Sum`` over cards."""

    def total(masks: Masks) -> Column:
        each = (
            np.int64(weight) * (masks >> np.uint64(card) & np.uint64(1)).astype(np.int64)
            for card, weight in enumerate(weights)
            if weight
        )
        return sum(each, np.zeros(len(masks), np.int64))

    return total


def classes_of(cards: int, sums: Iterable[Sum], apart: Callable[[int], Any] = lambda card: 0) -> Classes:
    """Some cards, a mask, in classes that every sum, and ``apart`` besides, treats alike."""
    sums, each = list(sums), members(cards)
    alone = [sum_.of(np.uint64(1) << np.array(each, np.uint64)).tolist() for sum_ in sums]
    classes: dict[Any, list[int]] = {}
    for number, card in enumerate(each):
        parts = [next(part for part in sum_.parts if part >> card & 1) for sum_ in sums if sum_.parts != CARDS]
        key = (apart(card), *parts, *(values[number] for values in alone))
        classes.setdefault(key, []).append(card)
    return tuple(tuple(some) for some in classes.values())


def make_up(classes: Classes, size: int) -> Sum:
    """How many of ``size`` cards are of each class, as one number; ``TooManyCasesError`` where that is too large."""
    weights, weight = [0] * PACK_SIZE, 1
    for some in sorted(classes, key=len)[:-1]:  # what is not of the others is of the largest
        for card in some:
            weights[card] = weight
        weight *= min(size, len(some)) + 1
        if weight >= 2**62:
            raise TooManyCasesError
    return Sum(weighted(weights))


def rank_classes(matta: str | None) -> Classes:
    """The pack by rank, aces first, but for the matta, which comes last; an empty class where no card is wild."""
    wild = () if matta is None else (parse(matta),)
    ranks = (tuple(card for card in range(rank, PACK_SIZE, 10) if card not in wild) for rank in range(10))
    return *ranks, wild


def counts_of(classes: Classes, masks: Masks) -> Indices:
    """How many cards of each class each set has: int64[n, classes]."""
    return np.stack([count_of(sum(1 << card for card in some))(masks) for some in classes], axis=1)


# ------------------------------------------------------------------------------------------------ counting

WAYS = "ways"


def count_sums(
    cards: int, sizes: Sequence[int], sums: Mapping[str, Placed], held: Sequence[int] = (),
    least: Mapping[str, int] = {},
) -> tuple[pl.DataFrame, list[int]]:  # fmt: skip
    """All cases of some sums where so many of ``cards``, a mask, lie in each place: a column a sum, and ways.

    Equal cases are merged; all ways together are the multinomial coefficient of the sizes and of the cards that lie in
    no place. For the places in ``held`` there is a column ``held N`` besides, a set of cards of the case as a mask.
    Cases in which a sum is below its ``least`` may be left out.

    Raises ``TooManyCasesError``.
    """
    every = cards.bit_count()
    nowhere = every - sum(sizes)
    if factorial(every) // prod(map(factorial, (*sizes, nowhere))) >= 2**127:
        raise TooManyCasesError
    parts, rest = _parts(cards, [placed.sum for placed in sums.values()], whole=bool(held))
    splits = [_splits(kinds, sizes, nowhere, sums, held) for kinds in parts]
    for name, lowest in least.items():
        most = [int(split[name].max() or 0) for split in splits]  # type: ignore[arg-type]
        spare = sum(most) - lowest  # what the cards of one part may lack
        splits = [one.filter(pl.col(name) >= high - spare) for one, high in zip(splits, most, strict=True)]
    dealt = list(accumulate(sum(map(len, kinds)) for kinds in parts))
    added = {name: placed.sum for name, placed in sums.items()}
    work = 0

    def put_together(first: int, end: int, start: int = 0) -> pl.DataFrame:
        """The parts from one number on, to another."""
        nonlocal work
        state = splits[first]
        for number in range(first + 1, end):
            to_come = splits[number : (number + end + 1) // 2]  # until then states grow
            if work + state.height * sum(one.height for one in to_come) > MOST_PAIRS:
                raise TooManyCasesError
            work += state.height * splits[number].height
            state = _together(state, splits[number], _fitting(sizes, dealt[number] - start, nowhere), added)
        return state

    half = len(parts) // 2
    begun = dealt[half - 1] if half else 0
    if half and not rest and not held and (len(sizes) + 1) ** max(begun, every - begun) < 2**32:
        first, second = put_together(0, half), put_together(half, len(parts), begun)
        joined = _joined(first, second, sizes, added)
        return joined.drop(WAYS), joined[WAYS].to_list()
    state = put_together(0, len(parts)) if parts else _splits([], sizes, nowhere, sums, held)
    return _completed(state, sizes, rest, [*sums, *(f"held {place}" for place in held)])


def _parts(cards: int, sums: Sequence[Sum], whole: bool) -> tuple[list[list[tuple[int, ...]]], int]:
    """The parts to be split, as kinds of cards that are alike; and the number of cards that need not be split."""
    over = {sum_.parts for sum_ in sums} - {CARDS}
    if len(over) > 1:
        raise TooManyCasesError
    if over:
        return [[(card,) for card in members(cards & part)] for part in over.pop() if cards & part], 0
    classes = classes_of(cards, sums)
    alone = (np.array([1 << some[0]], np.uint64) for some in classes)
    split = [some for some, card in zip(classes, alone, strict=True) if whole or any(one.of(card)[0] for one in sums)]
    return [[some] for some in split], cards.bit_count() - sum(map(len, split))


def _splits(
    kinds: Sequence[tuple[int, ...]], sizes: Sequence[int], nowhere: int, sums: Mapping[str, Placed],
    held: Sequence[int],
) -> pl.DataFrame:  # fmt: skip
    """Every way to split a part among the places: cards in each (``n0`` ..), sums and ways; equal ones merged."""
    counts, ways = np.zeros((1, len(sizes)), np.int64), np.ones(1, np.int64)
    masks = np.zeros((1, len(sizes)), np.uint64)
    for kind in kinds:
        own = list_shares(len(kind), sizes, nowhere)
        before = np.cumsum(own, axis=1)
        first = np.array([sum(1 << card for card in kind[:n]) for n in range(len(kind) + 1)], np.uint64)
        here = first[before] ^ first[before - own]
        own_ways = COMB[len(kind) - before + own, own].prod(axis=1)
        if len(counts) * len(own) > MOST_ROWS:
            raise TooManyCasesError
        counts = (counts[:, None] + own).reshape(-1, len(sizes))
        masks = (masks[:, None] | here).reshape(-1, len(sizes))
        ways = (ways[:, None] * own_ways).ravel()
        some = (counts <= np.array(sizes, np.int64)).all(axis=1)
        counts, masks, ways = counts[some], masks[some], ways[some]
    columns: dict[str, Any] = {f"n{place}": counts[:, place] for place in range(len(sizes))}
    for name, (sum_, places) in sums.items():
        columns[name] = sum_.column(np.bitwise_or.reduce(masks[:, list(places)], axis=1))
    columns |= {f"held {place}": masks[:, place] for place in held}
    rows = pl.DataFrame(columns | {WAYS: ways}).with_columns(pl.col(WAYS).cast(pl.Int128))
    return _merged([rows])


def list_shares(number: int, sizes: Sequence[int], nowhere: int) -> Indices:
    """Every way to share ``number`` cards that are alike among places of these sizes and none: int64[n, places]."""
    rows = np.zeros((1, 0), np.int64)
    for size in sizes:
        taken = np.arange(min(size, number) + 1)
        rows = np.column_stack((np.repeat(rows, len(taken), axis=0), np.tile(taken, len(rows))))
        rows = rows[rows.sum(axis=1) <= number]
        if len(rows) > MOST_ROWS:
            raise TooManyCasesError
    return np.asarray(rows[number - rows.sum(axis=1) <= nowhere], np.int64)


def _fitting(sizes: Sequence[int], dealt: int, nowhere: int) -> pl.Expr:
    """Which rows have room for the cards dealt so far."""
    numbers = [pl.col(f"n{place}") for place in range(len(sizes))]
    room = (number <= size for number, size in zip(numbers, sizes, strict=True))
    return pl.all_horizontal(*room, dealt - pl.sum_horizontal(numbers) <= nowhere)


def _together(first: pl.DataFrame, second: pl.DataFrame, fits: pl.Expr, sums: Mapping[str, Sum]) -> pl.DataFrame:
    """The rows of two parts put together: numbers added up, ways multiplied, equal rows merged; those that fit."""
    columns = [_both(name, sums.get(name)) for name in first.columns]
    step = max(1, _AT_A_TIME // max(1, second.height))
    return _merged(
        first[start : start + step].join(second, how="cross").select(columns).filter(fits)
        for start in range(0, max(1, first.height), step)
    )


def _both(name: str, sum_: Sum | None) -> pl.Expr:
    """A column of two parts put together."""
    one, other = pl.col(name), pl.col(f"{name}_right")
    if name == WAYS:
        return one * other
    if name.startswith("held "):
        return one | other
    if sum_ is None:
        return one + other
    total = pl.max_horizontal(one, other) if sum_.greatest else one + other
    return (total if sum_.most is None else total.clip(upper_bound=sum_.most)).alias(name)


def _joined(first: pl.DataFrame, second: pl.DataFrame, sizes: Sequence[int], sums: Mapping[str, Sum]) -> pl.DataFrame:
    """Two halves put together that make up the pack: sums and ways, these below 2^32 in each row of a half.

    The ways of every pair of sums are a product of matrices: over how many cards the places have of the first half.
    """
    numbers = [pl.col(f"n{place}") for place in range(len(sizes))]
    mine = pl.sum_horizontal(number * (PACK_SIZE + 1) ** place for place, number in enumerate(numbers))
    lacking = [size - number for size, number in zip(sizes, numbers, strict=True)]
    theirs = pl.sum_horizontal(number * (PACK_SIZE + 1) ** place for place, number in enumerate(lacking))
    fits = pl.all_horizontal(number >= 0 for number in lacking)
    first, second = first.with_columns(cards=mine), second.filter(fits).with_columns(cards=theirs)
    met = first.select("cards").join(second.select("cards"), on="cards", how="semi").unique(maintain_order=True)
    met = met.with_row_index("number")
    keys_a, ways_a = _by_cards(first, list(sums), met)
    keys_b, ways_b = _by_cards(second, list(sums), met)
    right = ways_b.T.astype(np.float64)
    step = max(1, _AT_A_TIME // max(1, keys_b.height))

    def pieces() -> Iterator[pl.DataFrame]:
        for start in range(0, max(1, keys_a.height), step):
            left = ways_a[start : start + step]
            # Floats multiply ten times as fast. They are exact here: half of the bits of a row's ways, times those of a
            # column, stay below 2^53.
            ways = ((left >> 16) @ right).astype(np.int64) << 16
            ways += ((left & 0xFFFF) @ right).astype(np.int64)
            pairs = keys_a[start : start + step].join(keys_b, how="cross")
            pairs = pairs.select(*(_both(name, sum_) for name, sum_ in sums.items()), pl.Series(WAYS, ways.ravel()))
            yield pairs.filter(pl.col(WAYS) > 0)

    return _merged(pieces())


def _by_cards(half: pl.DataFrame, sums: list[str], met: pl.DataFrame) -> tuple[pl.DataFrame, Indices]:
    """The different sums of a half, and their ways by how many cards the places have: int64[sums, cards]."""
    rows = half.join(met, on="cards")
    keys = rows.select(sums).unique(maintain_order=True).with_row_index("key")
    rows = rows.join(keys, on=sums)
    ways = np.zeros((keys.height, met.height), np.int64)
    ways[rows["key"].to_numpy(), rows["number"].to_numpy()] = rows[WAYS].cast(pl.Int64).to_numpy()
    return keys.drop("key"), ways


def _merged(pieces: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """All rows of some frames, equal ones merged, their ways added up; a set of cards held is that of the first."""
    whole = None
    for piece in pieces:
        rows = piece if whole is None else pl.concat([whole, piece])
        keys = [name for name in rows.columns if name != WAYS and not name.startswith("held ")]
        shown = [pl.col(name).first() for name in rows.columns if name.startswith("held ")]
        total = pl.col(WAYS).sum()
        whole = rows.group_by(keys, maintain_order=True).agg(*shown, total) if keys else rows.select(*shown, total)
        if whole.height > MOST_ROWS:
            raise TooManyCasesError
    assert whole is not None
    return whole


def _completed(
    state: pl.DataFrame, sizes: Sequence[int], rest: int, names: Sequence[str]
) -> tuple[pl.DataFrame, list[int]]:
    """The sums of all cases, with the ways to deal the rest of the cards."""
    counts = [f"n{place}" for place in range(len(sizes))]
    taken = state.select(counts).unique(maintain_order=True)
    ways = []
    for row in taken.rows():
        lacking = [size - n for size, n in zip(sizes, row, strict=True)]
        nowhere = rest - sum(lacking)
        fits = min((*lacking, nowhere)) >= 0
        ways.append(factorial(rest) // prod(map(factorial, (*lacking, nowhere))) if fits else 0)
    if counts:
        state = state.join(taken.with_columns(pl.Series("rest", ways, pl.Int128)), on=counts)
        state = state.with_columns(pl.col(WAYS) * pl.col("rest")).filter(pl.col(WAYS) > 0)
    whole = _merged([state.select(*names, WAYS)])
    return whole.drop(WAYS), whole[WAYS].to_list()


def merge_cases(columns: Mapping[str, Column | pl.Series], ways: Sequence[int]) -> tuple[pl.DataFrame, list[int]]:
    """Cases with these columns, equal ones merged, and their ways."""
    whole = _merged([pl.DataFrame({**columns, WAYS: pl.Series(ways, dtype=pl.Int128)})])
    return whole.drop(WAYS), whole[WAYS].to_list()


# ------------------------------------------------------------------------------------------------ what is no sum


class Groups(NamedTuple):
    """The sets of cards that a place may hold, a mask each or one for several alike, and the group of each.

    ``ways`` is how many sets each stands for: None for all sets of the pack in order, each for itself. Of group -1 are
    sets that the place may not hold.
    """

    place: int
    size: int
    group: Indices
    masks: Masks
    ways: Indices | None = None


def all_sets(place: int, size: int) -> Groups:
    """All sets of cards of a place, in one group."""
    if size > MOST_LISTED:
        raise TooManyCasesError
    sets = combinations(size)
    return Groups(place, size, np.zeros(len(sets), np.int64), masks_of(sets))


MOST_LISTED = 4
"""The most cards of a place of which all sets are listed."""


def group_name(number: int) -> str:
    """The name of the column that says which group a case is of, by the place's number among the groups."""
    return f"group {number}"


def count_groups(
    sizes: Sequence[int], sums: Mapping[str, Placed], groups: Sequence[Groups], least: Mapping[str, int] = {}
) -> tuple[pl.DataFrame, list[int]]:
    """All cases of some sums, and of the groups of at most two places: as ``count_sums`` of the whole pack.

    Of two places with groups all sets are given, each for itself. Raises ``TooManyCasesError``.
    """
    if len(groups) > 2:
        raise TooManyCasesError
    classes = classes_of(ALL, [placed.sum for placed in sums.values()])
    make_ups = {
        f"make-up {number}": Placed(make_up(classes, one.size), (one.place,)) for number, one in enumerate(groups)
    }
    frame, ways = count_sums(ALL, sizes, {**sums, **make_ups}, least=least)
    if not groups:
        return frame, ways
    names = [group_name(number) for number in range(len(groups))]
    chosen = _chosen(groups, [placed.sum for placed in make_ups.values()])
    alike = chosen.group_by(list(make_ups), maintain_order=True).agg(alike=pl.col(WAYS).sum())
    chosen = chosen.filter(pl.all_horizontal(pl.col(name) >= 0 for name in names)).join(alike, on=list(make_ups))
    cases = frame.with_columns(pl.Series("all", ways, pl.Int128)).join(chosen, on=list(make_ups))
    if cases.height > MOST_ROWS:
        raise TooManyCasesError
    # Sets of one make-up leave as much to the other places, so each has an equal part of the ways.
    share = pl.col("all") // pl.col("alike") * pl.col(WAYS)
    whole = _merged([cases.select(*sums, *names, share.alias(WAYS))])
    return whole.drop(WAYS), whole[WAYS].to_list()


MOST_GROUPS = 4_000
"""Groups of a place, apart by make-up, that are counted against those of another."""


def _chosen(groups: Sequence[Groups], make_ups: Sequence[Sum]) -> pl.DataFrame:
    """How many ways the places with groups are of each make-up and group: ``make-up N``, ``group N`` and ways."""
    kinds, which = [], []
    for number, (one, make_up_) in enumerate(zip(groups, make_ups, strict=True)):
        frame = pl.DataFrame({f"make-up {number}": make_up_.column(one.masks), group_name(number): one.group})
        rows = frame.unique(maintain_order=True).with_row_index("row")
        joined = frame.join(rows, on=frame.columns, how="left", maintain_order="left")
        which.append(joined["row"].to_numpy().astype(np.int64))
        kinds.append(rows.drop("row"))
    if len(groups) == 1:
        [rows], [row] = kinds, which
        each = np.ones(len(row), np.int64) if groups[0].ways is None else groups[0].ways
        total = np.zeros(rows.height, np.int64)
        np.add.at(total, row, each)
        return rows.with_columns(pl.Series(WAYS, total.tolist(), pl.Int128))
    if max(rows.height for rows in kinds) > MOST_GROUPS or any(one.ways is not None for one in groups):
        raise TooManyCasesError
    pairs = count_pairs(which[0], groups[0].size, which[1], groups[1].size)
    crossed = kinds[0].join(kinds[1], how="cross")
    return crossed.with_columns(pl.Series(WAYS, pairs.ravel().tolist(), pl.Int128)).filter(pl.col(WAYS) > 0)


def count_pairs(group_a: Indices, size_a: int, group_b: Indices, size_b: int) -> NDArray[np.int64]:
    """How many pairs of disjoint sets of cards, one of each group: int64[groups of a, groups of b].

    ``group_a`` gives the group of every set of ``size_a`` cards, in the order of ``combinations``. The number is an
    alternating sum over what both could have in common: sets of ``a`` with these cards times sets of ``b`` with them.
    """
    total = np.zeros((int(group_a.max()) + 1, int(group_b.max()) + 1))
    for common in range(min(size_a, size_b) + 1):
        # Below 2 ** 53 all through, so doubles are exact, and fast.
        a, b = _containing(group_a, size_a, common), _containing(group_b, size_b, common)
        total += (-1) ** common * (a @ b.T)
    return total.astype(np.int64)


def _containing(group: Indices, size: int, common: int) -> NDArray[np.float64]:
    """How many sets of each group contain each set of ``common`` cards: float64[groups, C(40, common)]."""
    inner = comb(PACK_SIZE, common)
    counts = np.zeros(int(group.max() + 1) * inner)
    for index in _inside(size, common):
        counts += np.bincount(group * inner + index, minlength=len(counts))
    return counts.reshape(-1, inner)


@cache
def _inside(size: int, common: int) -> list[Indices]:
    """The sets of ``common`` cards in each set of ``size``, by their places in ``combinations``: some megabytes."""
    return [index_of(combinations(size)[:, places]) for places in subsets(range(size), common)]
