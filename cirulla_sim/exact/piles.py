"""Two piles of given sizes, any cards as likely as any others: primiera, melds and the rest, as exact weights.

The cards of a hand end up in piles by play, not by chance; this is the part of it that chance alone would bring, given
how many cards each side takes. A feature of a pile is a sum over its suits of a feature of ten cards, so
the features are defined once, as tables over the 1,024 sets of ten cards, and read both from piles as masks and by the
count: every split of a suit among side 0, side 1 and nobody is a row, equal rows are merged, and suits are put together
two by two.

>>> from cirulla_sim.ruleset.presets import build
>>> frame, weights = pile_cases(build("cirulla"), (22, 18), [("cappotto", 0), ("settebello", 1)])
>>> frame.columns, int(weights.sum()) == comb(40, 22)
(['cappotto_0', 'settebello_1'], True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import comb
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.cards import PRIME_VALUES
from ..core.errors import InputError
from ..ruleset.rules_model import Rules
from .patterns import SUIT_NAMES

Masks = NDArray[np.uint64]
Column = NDArray[Any]
Tables = NDArray[np.int16]

_DIAMONDS = 1
_BITS = (np.arange(1024)[:, None] >> np.arange(10)) & 1  # int64[1024, 10]: which cards are in each set of a suit
_LACKING = 100  # prime points of a suit one does not hold: more than all primieras, so that no sum hides it


class PileFeature(NamedTuple):
    """A feature of one pile: a number for each suit, added up, and what the sum means."""

    sentence: str
    tables: Callable[[Rules], Tables]  # int16[4, 1024]: by suit and set of its cards, ten bits, the ace lowest
    meaning: Callable[[Column], Column] = lambda total: total


class Contest(NamedTuple):
    """A comparison of two piles: the feature that is compared, None where nothing is."""

    sentence: str
    compared: Callable[[Rules], str | None]
    meaning: Callable[[Column, Column], Column]


# ------------------------------------------------------------------------------------------------ features


def _in(suits: Sequence[int], by_set: Column) -> Tables:
    """Tables that give these numbers in some suits and 0 in the others."""
    tables = np.zeros((4, 1024), np.int16)
    tables[list(suits)] = by_set
    return tables


def _all_suits(by_set: Column) -> Callable[[Rules], Tables]:
    return lambda rules: _in(range(4), by_set)


def _of_suit(suit: int, by_set: Column) -> Callable[[Rules], Tables]:
    return lambda rules: _in([suit], by_set)


def _melds(rules: Rules) -> tuple[Column, Column]:
    """Points of la grande and of la piccola for each set of diamonds, int64[1024] each, as they stand in the score.

    Where all ten diamonds are worth a number of points, settebello, la piccola and la grande share these in this order.
    """
    run = np.minimum(np.cumprod(_BITS, axis=1).sum(axis=1), rules.piccola_max)
    piccola = np.where(run >= 3, run, 0)
    extra = _BITS[:, 6] * (1 + _BITS[:, 5]) if rules.grande_extended else 0
    grande = np.where(_BITS[:, 7:].all(axis=1), rules.grande + extra, 0) if rules.grande else np.zeros(1024, np.int64)
    if isinstance(rules.all_diamonds, int):
        settebello = min(rules.settebello_point, rules.all_diamonds)
        piccola[-1] = min(int(piccola[-1]), rules.all_diamonds - settebello)
        grande[-1] = rules.all_diamonds - settebello - piccola[-1]
    return grande, piccola


_PRIME = (_BITS * np.array(PRIME_VALUES[:10])).max(axis=1)
_COUNT = _BITS.sum(axis=1)
_HELD = _COUNT > 0

PILE: dict[str, PileFeature] = {
    "cards": PileFeature("how many cards", _all_suits(_COUNT)),
    "diamonds": PileFeature("how many diamonds", _of_suit(_DIAMONDS, _COUNT)),
    "sevens": PileFeature("how many sevens", _all_suits(_BITS[:, 6])),
    "suits": PileFeature("how many suits it has a card of", _all_suits(_HELD)),
    "settebello": PileFeature(
        "whether the seven of diamonds is in it", _of_suit(_DIAMONDS, _BITS[:, 6]), lambda total: total == 1
    ),
    "cappotto": PileFeature(
        "whether all ten diamonds are in it", _of_suit(_DIAMONDS, _COUNT == 10), lambda total: total == 1
    ),
    "grande": PileFeature("points of la grande", lambda rules: _in([_DIAMONDS], _melds(rules)[0])),
    "piccola": PileFeature("points of la piccola", lambda rules: _in([_DIAMONDS], _melds(rules)[1])),
    "primiera": PileFeature(
        "prime points of its best card of each suit, 0 if a suit is lacking",
        _all_suits(np.where(_HELD, _PRIME, _LACKING)),
        lambda total: np.where(total < _LACKING, total, 0),
    ),
    **{
        f"prime_{name}": PileFeature(f"prime points of its best card of {name}, 0 for none", _of_suit(suit, _PRIME))
        for suit, name in enumerate(SUIT_NAMES)
    },
}
"""The features of a pile, by name."""


def _primiera_by(rules: Rules) -> str | None:
    return {"full": "primiera", "sevens": "sevens", "none": None}[rules.primiera]


def _is_larger(own: Column, other: Column) -> Column:
    return np.asarray(own > other)


def _is_equal(own: Column, other: Column) -> Column:
    return np.asarray((own == other) & (own > 0))


CONTESTS: dict[str, Contest] = {
    "cards_won": Contest("whether it has the most cards", lambda rules: "cards", _is_larger),
    "diamonds_won": Contest("whether it has the most diamonds", lambda rules: "diamonds", _is_larger),
    "primiera_won": Contest("whether it wins the primiera", _primiera_by, _is_larger),
    "primiera_tied": Contest("whether it ties for the best primiera", _primiera_by, _is_equal),
}
"""The comparisons of two piles, by name."""


def of_piles(rules: Rules, name: str, own: Masks, other: Masks) -> Column:
    """A feature or a contest of piles given as masks, uint64[n] each: bool or int16 of shape [n]."""
    if name in CONTESTS:
        return _contest(rules, name, lambda feature, mine: of_piles(rules, feature, own if mine else other, own))
    tables = PILE[name].tables(rules)
    total = np.zeros(len(own), np.int16)
    for suit in range(4):
        total += tables[suit, (own >> np.uint64(10 * suit)) & np.uint64(1023)]
    return PILE[name].meaning(total)


def _contest(rules: Rules, name: str, column: Callable[[str, bool], Column]) -> Column:
    """A contest, from the columns of the feature compared: of the pile itself (True) and of the other (False)."""
    compared = CONTESTS[name].compared(rules)
    if compared is None:
        return np.zeros_like(column("cards", True), np.bool_)
    return CONTESTS[name].meaning(column(compared, True), column(compared, False))


# ------------------------------------------------------------------------------------------------ cases

Part = tuple[str, int]  # a feature or contest, and the side that has the pile

_ROWS = 2_000_000  # at a time, so that memory stays small
_MOST = 8_000_000


def pile_cases(rules: Rules, sizes: tuple[int, int], names: Sequence[Part]) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """All cases of some features, where side 0 has ``sizes[0]`` cards and side 1 ``sizes[1]`` of the rest.

    One column a name, ``feature_side``, in the order of ``names``; equal cases are merged. The weights are the numbers
    of pairs of piles: together the multinomial coefficient of 40 over the sizes and what is left, 2.4e17 at most.
    Sums of weights fit int64; sums of products with a feature may not.

    Raises ``ValueError`` for sizes below 0 or more than 40 cards together, ``KeyError`` for a name that is none,
    ``InputError`` where there are more cases than memory should hold.
    """
    if min(sizes) < 0 or sum(sizes) > 40:
        raise ValueError(f"piles of {sizes[0]} and {sizes[1]} cards are not in a pack of 40")
    parts = _parts(rules, names)
    frame, weights = _counted(rules, sizes, parts)

    def column(name: str, side: int) -> Column:
        if name in CONTESTS:
            return _contest(rules, name, lambda feature, own: column(feature, side if own else 1 - side))
        if name == "cards":
            return np.full(len(weights), sizes[side], np.int16)
        return PILE[name].meaning(frame[f"{name}_{side}"].to_numpy())

    features = pl.DataFrame({f"{name}_{side}": column(name, side) for name, side in names} | {"weight": weights})
    merged = features.group_by(features.columns[:-1], maintain_order=True).agg(pl.col("weight").sum())
    return merged.drop("weight"), merged["weight"].to_numpy()


def _parts(rules: Rules, names: Sequence[Part]) -> list[Part]:
    """The features to count, of which side: those named and those that the comparisons named need."""
    parts: dict[Part, None] = {}
    for name, side in names:
        if name not in CONTESTS:
            parts[name, side] = None
        elif compared := CONTESTS[name].compared(rules):
            parts |= {(compared, 0): None, (compared, 1): None}
    return [part for part in parts if part[0] != "cards"]


def _counted(rules: Rules, sizes: tuple[int, int], parts: list[Part]) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """The sums of each part, a column each, and how many pairs of piles have them."""
    if not parts:
        return pl.DataFrame(), np.array([comb(40, sizes[0]) * comb(40 - sizes[0], sizes[1])])
    tables = {part: PILE[part[0]].tables(rules) for part in parts}
    suits = [_suit(suit, tables, whole=sum(sizes) == 40) for suit in range(4)]
    halves = [_together(suits[i], suits[j], sizes) for i, j in ((0, 1), (2, 3))]
    del suits
    return _joined(halves[0], halves[1], sizes)


def _suit(suit: int, tables: dict[Part, Tables], whole: bool) -> pl.DataFrame:
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
                f"too much is asked of two piles at once: more than {_MOST:,} different cases (valid: less)"
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
