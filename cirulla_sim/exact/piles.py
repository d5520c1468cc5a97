"""Two piles of given sizes, any cards as likely as any others: primiera, melds and the rest, as exact weights.

The cards of a hand end up in piles by play, not by chance; this is the part of it that chance alone would bring, given
how many cards each side takes. A feature of a pile is a sum over its suits of a feature of ten cards, so
the features are defined once, as tables over the 1,024 sets of ten cards, and read both from piles as masks and by the
count: every split of a suit among side 0, side 1 and nobody is a row, equal rows are merged, and suits are put together
two by two.

>>> from cirulla_sim.ruleset.presets import build
>>> frame, weights = pile_cases(build("cirulla"), (22, 18), [("cappotto", 0), ("primiera", 1)])
>>> frame.columns, int(weights.sum()) == comb(40, 22)
(['cappotto_0', 'primiera_1'], True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import comb
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.cards import PRIME_VALUES
from ..core.errors import InputError
from ..ruleset.rules_model import Rules

Masks = NDArray[np.uint64]
Column = NDArray[Any]
Tables = NDArray[np.int16]

_DIAMONDS = 1
_BITS = (np.arange(1024)[:, None] >> np.arange(10)) & 1  # int64[1024, 10]: which cards are in each set of a suit
_LACKING = 100  # prime points of a suit one does not hold: more than all primieras, so that no sum hides it


class PileFeature(NamedTuple):
    """A feature of one pile: a number for each suit, added up, and what the sum means."""

    tables: Callable[[Rules], Tables]  # int16[4, 1024]: by suit and set of its cards, ten bits, the ace lowest
    meaning: Callable[[Column], Column] = lambda total: total


# ------------------------------------------------------------------------------------------------ features


def _in(suits: Sequence[int], by_set: Column) -> Tables:
    """Tables that give these numbers in some suits and 0 in the others."""
    tables = np.zeros((4, 1024), np.int16)
    tables[list(suits)] = by_set
    return tables


def _of_suit(suit: int, by_set: Column) -> Callable[[Rules], Tables]:
    return lambda rules: _in([suit], by_set)


_RUN = np.cumprod(_BITS, axis=1).sum(axis=1)  # int64[1024]: how many cards from the ace on, without a gap


def _run(most: int) -> Column:
    """The length of the run of diamonds from the ace on, at most ``most``, 0 for less than three: int64[1024]."""
    run = np.minimum(_RUN, most)
    return np.where(run >= 3, run, 0)


def _grande(rules: Rules) -> Tables:
    return _in([_DIAMONDS], np.asarray(_BITS[:, 7:].all(axis=1) & bool(rules.grande)))


def _prime(rules: Rules) -> Column:
    """The best prime value of the cards of a suit: int64[1024]."""
    return np.asarray((_BITS * np.array(PRIME_VALUES[rules.primiera_values])).max(axis=1))


_COUNT = _BITS.sum(axis=1)
_HELD = _COUNT > 0


def _prime_of(suit: int, rules: Rules) -> Tables:
    return _in([suit], _prime(rules))


_WHOLE_FIRST = "primiera, whole first"
"""The primiera where a side that lacks a suit loses to one that has all."""

_PILE: dict[str, PileFeature] = {
    "grande": PileFeature(_grande, lambda total: total == 1),
    "piccola": PileFeature(lambda rules: _in([_DIAMONDS], _run(rules.piccola_max))),
    "napola": PileFeature(_of_suit(_DIAMONDS, _run(10))),
    "cappotto": PileFeature(
        lambda rules: _in([_DIAMONDS], (_COUNT == 10) & (rules.all_diamonds not in ("none", 0))),
        lambda total: total == 1,
    ),
    "primiera": PileFeature(
        lambda rules: _in(range(4), np.where(_HELD, _prime(rules), _LACKING)),
        lambda total: np.where(total < _LACKING, total, 0),
    ),
    _WHOLE_FIRST: PileFeature(
        lambda rules: _in(range(4), _prime(rules) + _LACKING * _HELD),
        lambda total: np.where(total < 4 * _LACKING, total % _LACKING, total),
    ),
    **{f"prime:{suit}": PileFeature(partial(_prime_of, suit)) for suit in range(4)},
}
"""The features of a pile by name, as ``questions/vocabulary.toml`` describes them; ``captured:`` and a mask besides."""

CAPTURED = "captured:"
ALL = (1 << 40) - 1


def pile_feature(name: str) -> PileFeature:
    """A feature of a pile by name; raises ``KeyError`` for none."""
    if not name.startswith(CAPTURED):
        return _PILE[name]
    wanted = int(name.removeprefix(CAPTURED))
    bits = [(wanted >> 10 * suit & 1023) >> np.arange(10) & 1 for suit in range(4)]
    tables = np.array([(_BITS * own).sum(axis=1) for own in bits], np.int16)
    return PileFeature(lambda rules: tables)


def compared(rules: Rules, category: str) -> str | None:
    """The feature that decides a contest; None where nobody wins it under these rules."""
    if category == "primiera":
        full = "primiera" if rules.primiera_lacking == "cannot_win" else _WHOLE_FIRST
        return {"full": full, "sevens": f"{CAPTURED}{_SEVENS}", "none": None}[rules.primiera]
    return f"{CAPTURED}{ALL if category == 'cards' else 1023 << 10}"


_SEVENS = sum(1 << card for card in range(6, 40, 10))


def of_pile(rules: Rules, name: str, pile: Masks) -> Column:
    """A feature of piles given as masks, uint64[n]: bool or int16 of shape [n]."""
    feature = pile_feature(name)
    tables = feature.tables(rules)
    total = np.zeros(len(pile), np.int16)
    for suit in range(4):
        total += tables[suit, (pile >> np.uint64(10 * suit)) & np.uint64(1023)]
    return feature.meaning(total)


def contest(values: Sequence[Column], ties: bool) -> Column:
    """Whether the first of some numbers is above all others; with ``ties``, whether none is above all others.

    Numbers of 0 win nothing, and are no tie.
    """
    top = np.max(values, axis=0)
    leaders = np.sum([value == top for value in values], axis=0)
    return np.asarray((leaders > 1 if ties else (leaders == 1) & (values[0] == top)) & (top > 0))


# ------------------------------------------------------------------------------------------------ cases

SideFeature = tuple[str, int]  # a feature, or ``wins:`` or ``ties:`` and a contest, and the side that has the pile

_ROWS = 2_000_000  # at a time, so that memory stays small
_MOST = 8_000_000


def pile_cases(
    rules: Rules, sizes: tuple[int, int], names: Sequence[SideFeature]
) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """All cases of some features, where side 0 has ``sizes[0]`` cards and side 1 ``sizes[1]`` of the rest.

    One column a name, ``feature_side``, in the order of ``names``; equal cases are merged. The weights are the numbers
    of pairs of piles: together the multinomial coefficient of 40 over the sizes and what is left, 2.4e17 at most.
    Sums of weights fit int64; sums of products with a feature may not.

    Raises ``ValueError`` for sizes below 0 or more than 40 cards together, ``KeyError`` for a name that is none,
    ``InputError`` where there are more cases than memory should hold.
    """
    if min(sizes) < 0 or sum(sizes) > 40:
        raise ValueError(f"piles of {sizes[0]} and {sizes[1]} cards are not in a pack of 40")
    frame, weights = _counted(rules, sizes, _parts(rules, names))

    def column(name: str, side: int) -> Column:
        kind, _, category = name.partition(":")
        if kind in ("wins", "ties"):
            feature = compared(rules, category)
            if feature is None:
                return np.zeros(len(weights), np.bool_)
            return contest([column(feature, side), column(feature, 1 - side)], kind == "ties")
        if name == _ALL_CARDS:
            return np.full(len(weights), sizes[side], np.int16)
        return pile_feature(name).meaning(frame[f"{name}_{side}"].to_numpy())

    features = pl.DataFrame({f"{name}_{side}": column(name, side) for name, side in names} | {"weight": weights})
    merged = features.group_by(features.columns[:-1], maintain_order=True).agg(pl.col("weight").sum())
    return merged.drop("weight"), merged["weight"].to_numpy()


_ALL_CARDS = f"{CAPTURED}{ALL}"


def _parts(rules: Rules, names: Sequence[SideFeature]) -> list[SideFeature]:
    """The features to count, of which side: those named and those that the comparisons named need."""
    parts: dict[SideFeature, None] = {}
    for name, side in names:
        kind, _, category = name.partition(":")
        if kind not in ("wins", "ties"):
            parts[name, side] = None
        elif feature := compared(rules, category):
            parts |= {(feature, 0): None, (feature, 1): None}
    return [part for part in parts if part[0] != _ALL_CARDS]


def _counted(rules: Rules, sizes: tuple[int, int], parts: list[SideFeature]) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """The sums of each part, a column each, and how many pairs of piles have them."""
    if not parts:
        return pl.DataFrame(), np.array([comb(40, sizes[0]) * comb(40 - sizes[0], sizes[1])])
    tables = {part: pile_feature(part[0]).tables(rules) for part in parts}
    suits = [_suit(suit, tables, whole=sum(sizes) == 40) for suit in range(4)]
    halves = [_together(suits[i], suits[j], sizes) for i, j in ((0, 1), (2, 3))]
    del suits
    return _joined(halves[0], halves[1], sizes)


def _suit(suit: int, tables: dict[SideFeature, Tables], whole: bool) -> pl.DataFrame:
    """Every split of a suit among side 0, side 1 and, unless all cards are in a pile (``whole``), nobody; merged."""
    digits = np.indices((2 if whole else 3,) * 10).reshape(10, -1)
    own = [((digits == side).astype(np.int64) << np.arange(10)[:, None]).sum(axis=0) for side in (0, 1)]
    columns = {f"n{side}": _COUNT[own[side]].astype(np.int16) for side in (0, 1)}
    columns |= {f"{name}_{side}": table[suit, own[side]] for (name, side), table in tables.items()}
    return pl.DataFrame(columns).group_by(columns.keys(), maintain_order=True).agg(ways=pl.len().cast(pl.Int64))


def _added(columns: Sequence[str]) -> list[pl.Expr]:
    """The sums of two rows put side by side; what lacks one suit or more is all one."""
    return [(pl.col(name) + pl.col(f"{name}_right")).clip(upper_bound=_LACKING) for name in columns]


def _together(first: pl.DataFrame, second: pl.DataFrame, sizes: tuple[int, int]) -> pl.DataFrame:
    """The rows of two suits put together, equal ones merged; without those that have too many cards somewhere."""
    sums, ways = first.columns[:-1], pl.col("ways") * pl.col("ways_right")
    n0, n1 = pl.col("n0"), pl.col("n1")
    fits = (n0 <= sizes[0]) & (n1 <= sizes[1]) & (n0 + n1 >= sum(sizes) - 20)
    step = max(1, _ROWS // second.height)
    return _merged(
        first[start : start + step].join(second, how="cross").select(*_added(sums), ways).filter(fits)
        for start in range(0, first.height, step)
    )


def _merged(pieces: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """All rows of some frames, equal ones merged, their ways in the last column added up.

    Raises ``InputError`` where there are more different ones than memory should hold.
    """
    whole = None
    for piece in pieces:
        rows = piece if whole is None else pl.concat([whole, piece])
        whole = rows.group_by(rows.columns[:-1], maintain_order=True).agg(pl.col("ways").sum())
        if whole.height > _MOST:
            raise InputError(
                "this question about two piles has more than {most:,} different cases (ask about less at once)", _MOST
            )
    assert whole is not None
    return whole


def _joined(
    first: pl.DataFrame, second: pl.DataFrame, sizes: tuple[int, int]
) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """Two halves put together where the cards add up to the sizes: sums and ways.

    The ways of every pair of sums are a product of matrices: over how many cards the piles have of the first half.
    """
    parts = first.columns[2:-1]
    keys_a, ways_a = _by_cards(first, parts, pl.col("n0"), pl.col("n1"))
    keys_b, ways_b = _by_cards(second, parts, sizes[0] - pl.col("n0"), sizes[1] - pl.col("n1"))
    met = ways_a.any(axis=0) & ways_b.any(axis=0)
    ways_a, right = ways_a[:, met], ways_b[:, met].T.astype(np.float64)
    step = max(1, _ROWS // keys_b.height)

    def pieces() -> Iterator[pl.DataFrame]:
        for start in range(0, keys_a.height, step):
            left = ways_a[start : start + step]
            # Floats multiply ten times as fast. They are exact here: a row's ways add up to 3^20 at most, so half of
            # their 32 bits times those of a column stay below 2^53.
            ways = ((left >> 16) @ right).astype(np.int64) << 16
            ways += ((left & 0xFFFF) @ right).astype(np.int64)
            pairs = keys_a[start : start + step].join(keys_b, how="cross").select(*_added(parts), ways=ways.ravel())
            yield pairs.filter(pl.col("ways") > 0)

    merged = _merged(pieces())
    return merged.drop("ways"), merged["ways"].to_numpy()


def _by_cards(
    half: pl.DataFrame, parts: list[str], cards_0: pl.Expr, cards_1: pl.Expr
) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """The different sums of a half, and their ways by how many cards are meant: int64[sums, 21 * 21]."""
    rows = half.with_columns(c0=cards_0, c1=cards_1)
    rows = rows.filter(pl.col("c0").is_between(0, 20), pl.col("c1").is_between(0, 20))
    keys = rows.select(parts).unique(maintain_order=True).with_row_index("key")
    rows = rows.join(keys, on=parts, how="left")
    ways = np.zeros((keys.height, 21 * 21), np.int64)
    ways[rows["key"].to_numpy(), (rows["c0"] * 21 + rows["c1"]).to_numpy()] = rows["ways"].to_numpy()
    return keys.drop("key"), ways
