"""Features of sets of cards, held, on the table or captured, named as the functions of the question language.

Most follow from a `Sum`, so that they can be counted in several places at once. Patterns such as ``low`` look
at the ranks and at the matta, whatever they are worth; ``barsega`` and ``bonus_points`` follow the rules.

A pack has 848 million holdings of ten cards but 115 thousand patterns of them: how many cards of each rank, the matta
among them or not. What is shown of a holding follows from its pattern, so one holding stands for all of a pattern.

The cards of a hand end up in piles by play, not by chance; ``pile_cases`` counts the part of it that chance alone would
bring, given how many cards each side takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from typing import NamedTuple

import numpy as np
import polars as pl

from ..core.cards import PACK, RANKS, SETTEBELLO, SUITS, VALUES
from ..ruleset.catalogue import catalogue
from ..ruleset.rules_model import Rules
from ..situation.hand import matta_mask
from . import first_deal as deal
from . import sums
from .first_deal import HandBonus
from .sums import (
    ALL,
    EVERY_SUIT,
    Cards,
    Classes,
    Column,
    Masks,
    Placed,
    Sum,
    count_of,
    count_sums,
    counts_of,
    masks_of,
    merge_cases,
    rank_classes,
    weighted,
)

RANK_NAMES = ("aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "jacks", "queens", "kings")
SUIT_NAMES = ("hearts", "diamonds", "clubs", "spades")


@dataclass(frozen=True)
class SumFeature:
    """A feature of any set of cards: what a sum means."""

    sum: Callable[[Rules], Sum]
    meaning: Callable[[Column], Column] = lambda total: total

    def column(self, rules: Rules, masks: Masks) -> Column:
        """The feature of each set of cards: bool[n] or int64[n]."""
        return self.meaning(self.sum(rules).column(masks))


class PatternFeature(NamedTuple):
    """A feature of a set of cards that depends on its ranks and on the matta, and is no sum: bool[n] or int64[n]."""

    column: Callable[[Rules, Masks], Column]


Feature = SumFeature | PatternFeature


def count_feature(cards: int) -> SumFeature:
    """How many of some cards, a mask, are there."""
    return SumFeature(lambda rules: Sum(count_of(cards)))


def _any(cards: Callable[[Rules], int]) -> SumFeature:
    """Whether one of some cards is there."""
    return SumFeature(lambda rules: Sum(count_of(cards(rules)), most=1), lambda total: total > 0)


# ------------------------------------------------------------------------------------------------ sums


def _best_total(rules: Rules) -> Sum:
    """The total with the matta as an ace."""
    return Sum(weighted([1 if matta_mask(rules) >> card & 1 else value for card, value in enumerate(VALUES)]))


ANY_SET: dict[str, SumFeature] = {
    "total": SumFeature(lambda rules: Sum(weighted(VALUES))),
    "best_total": SumFeature(_best_total),
    "matta": _any(matta_mask),
    "settebello": _any(lambda rules: 1 << SETTEBELLO),
    "most_equal": SumFeature(lambda rules: Sum(count_of(ALL), sums.RANKS, greatest=True)),
    **{name: count_feature(EVERY_SUIT << rank) for rank, name in enumerate(RANK_NAMES)},
    **{name: count_feature(1023 << 10 * suit) for suit, name in enumerate(SUIT_NAMES)},
}
"""The features of any set of cards, as ``questions/vocabulary.toml`` describes them."""

LOW_TABLE = 9
_ALL_LOW = SumFeature(_best_total, lambda total: total <= LOW_TABLE)

COUNTED = "cards:"
"""Begins the name of the feature that counts some cards; the mask of the cards follows."""


def cards_named(name: str) -> SumFeature | None:
    """The feature of a name that begins with ``cards:``; None for other names."""
    return count_feature(int(name.removeprefix(COUNTED))) if name.startswith(COUNTED) else None


HOLDINGS = "holdings:"
"""Begins the name of the feature that a holding of three cards is one of some, which follow: bits in hexadecimal."""


def sum_of_set(rules: Rules, name: str) -> SumFeature | None:
    """The feature with a name, if it follows from a sum whatever place the cards lie in; None for others."""
    if name in ("misdeal", "wins_at_deal") and not (rules.misdeal_three_equal or rules.table_four_equal_wins):
        number = rules.misdeal_count * (name == "misdeal")
        cards = EVERY_SUIT << RANKS.index(rules.misdeal_rank) if number else 0
        return SumFeature(
            lambda rules: Sum(count_of(cards), most=number), lambda total: (total >= number) & (number > 0)
        )
    return cards_named(name) or ANY_SET.get(name)


# ------------------------------------------------------------------------------------------------ patterns


def knocks_shown(rules: Rules, masks: Masks) -> Masks:
    """The sets shown of each holding of three cards or more, uint64[3, n]: words as in ``kernel.bonuses``, 0 for none.

    The disjoint sets of three worth most together, as they are chosen in play.
    """
    from ..kernel.entries.choices import choose_all
    from ..kernel.entries.rules import flat_rules

    knocks = np.zeros((3, len(masks)), np.uint64)
    if rules.hand_bonuses:
        # When bonuses are shown and to whom changes nothing here, and the kernel plays one way only.
        usual = replace(rules, knock_timing="turn", open_partners=False, open_last_stage=False)
        choose_all(flat_rules(usual), masks, knocks, np.zeros(250, np.uint64))
    return knocks


def _shown(kinds: Sequence[int], points: bool = False) -> PatternFeature:
    """How many sets of these kinds are shown, or the points of these."""

    def column(rules: Rules, masks: Masks) -> Column:
        knocks = knocks_shown(rules, masks)
        each = knocks >> np.uint64(48) if points else np.uint64(1)
        shown = np.isin(knocks >> np.uint64(4) & np.uint64(15), kinds)
        return np.asarray(np.where(shown, each, 0).sum(axis=0), np.int64)

    return PatternFeature(column)


def _low(rules: Rules, masks: Masks) -> Column:
    """Whether three cards total ``hand_low_most`` at most, the matta an ace: the three lowest do."""
    *counts, matta = counts_of(rank_classes(rules.matta), masks).T
    counts[0] = counts[0] + matta
    total, lacking = np.zeros(len(masks), np.int64), np.full(len(masks), 3)
    for rank, count in enumerate(counts, 1):
        taken = np.minimum(count, lacking)
        total, lacking = total + taken * rank, lacking - taken
    return np.asarray((lacking == 0) & (total <= rules.hand_low_most))


def _equal(number: int) -> PatternFeature:
    """Whether so many cards are of one rank, the matta being of any."""

    def column(rules: Rules, masks: Masks) -> Column:
        *counts, matta = counts_of(rank_classes(rules.matta), masks).T
        return np.asarray(np.max(counts, axis=0) + matta >= number)

    return PatternFeature(column)


def _totals(number: int) -> PatternFeature:
    """Whether the cards total a number, the matta being worth what is lacking from 1 to 10."""

    def exactly(rules: Rules, masks: Masks) -> Column:
        wild = np.asarray(masks & np.uint64(matta_mask(rules)) != 0)
        lacking = number - (_best_total(rules).column(masks) - wild)
        return np.asarray(np.where(wild, (lacking >= 1) & (lacking <= 10), lacking == 0))

    return PatternFeature(exactly)


KINDS: dict[str, tuple[HandBonus, ...]] = {
    "": (HandBonus.LOW, HandBonus.LOW_NO_ACE, HandBonus.TRIPLE), "barsega": (HandBonus.LOW, HandBonus.LOW_NO_ACE),
    "misci": (HandBonus.LOW_NO_ACE,), "barsegon": (HandBonus.TRIPLE,),
}  # fmt: skip
"""The bonuses that are sets of each kind, or of any."""

PATTERN: dict[str, Feature] = ANY_SET | {
    "low": PatternFeature(_low),
    "triple": _equal(3),
    **{kind or "bonus": _shown(bonuses) for kind, bonuses in KINDS.items()},
    **{f"bonus_points {kind}".strip(): _shown(bonuses, points=True) for kind, bonuses in KINDS.items()},
}
"""The features of a holding of any size; ``bonus_points barsega`` are the points of one kind of set."""


@lru_cache(4)
def patterns(rules: Rules, size: int, classes: Classes = ((),)) -> tuple[Masks, Column]:
    """A holding of each pattern of ``size`` cards, uint64[n], and how many holdings are of it, int64[n].

    Holdings that have different numbers of cards of some classes are apart too.

    >>> masks, ways = patterns(Rules(), 2)
    >>> len(masks), int(ways.sum())
    (65, 780)
    """
    apart = {str(number): Placed(sums.make_up(each, size), (0,)) for number, each in
            enumerate((rank_classes(rules.matta), classes))}  # fmt: skip
    frame, ways = sums.count_sums(ALL, [size], apart, held=[0])
    return frame["held 0"].to_numpy(), np.array(ways, np.int64)


# ------------------------------------------------------------------------------------------------ piles

_DIAMONDS = 1
_BITS = (np.arange(1024)[:, None] >> np.arange(10)) & 1  # int64[1024, 10]: which cards are in each set of a suit
_RUN = np.cumprod(_BITS, axis=1).sum(axis=1)  # int64[1024]: how many cards from the ace on, without a gap
_WHOLE = 100  # more than any suit counts in a primiera: added for each, so that the sum tells how many there are


def _of_suits(suits: Sequence[int], by_set: Column) -> Sum:
    """A number for each set of ten cards, of some suits."""

    def of(masks: Masks) -> Column:
        return np.asarray(sum(by_set[masks >> np.uint64(10 * suit) & np.uint64(1023)] for suit in suits), np.int64)

    return Sum(of, sums.SUITS)


def _run(most: int) -> Sum:
    """The length of the run of diamonds from the ace on, at most ``most``, 0 for less than three."""
    run = np.minimum(_RUN, most)
    return _of_suits([_DIAMONDS], np.where(run >= 3, run, 0))


def _primes(rules: Rules, suits: Sequence[int] = range(4), whole: int = _WHOLE) -> Sum:
    """The best prime values of some suits, and ``whole`` for each that there is."""
    values = np.array(catalogue()["primes"][rules.primiera_values])
    return _of_suits(suits, (_BITS * values).max(axis=1) + whole * _BITS.any(axis=1))


WHOLE_FIRST = "primiera, whole first"
"""What decides a primiera that a side without a suit loses to one that has all."""

PILE: dict[str, SumFeature] = {
    "grande": SumFeature(lambda rules: Sum(count_of((0b111 << 17) * (rules.grande > 0))), lambda total: total == 3),
    "piccola": SumFeature(lambda rules: _run(rules.piccola_max)),
    "napola": SumFeature(lambda rules: _run(10)),
    "cappotto": SumFeature(
        lambda rules: Sum(count_of((1023 << 10) * (rules.all_diamonds not in ("none", 0)))), lambda total: total == 10
    ),
    "primiera": SumFeature(_primes, lambda total: np.where(total >= 4 * _WHOLE, total - 4 * _WHOLE, 0)),
    "sevens_then_sixes": SumFeature(lambda rules: Sum(weighted(catalogue()["primes"]["sevens_then_sixes"] * 4))),
    WHOLE_FIRST: SumFeature(_primes, lambda total: np.where(total >= 4 * _WHOLE, total, total % _WHOLE)),
    **{f"prime:{suit}": SumFeature(partial(_primes, suits=[suit], whole=0)) for suit in range(4)},
}
"""The features of a pile; ``captured:`` and a mask besides."""


def pile_feature(name: str) -> SumFeature:
    """The feature of a pile with a name; raises ``KeyError`` for none."""
    return cards_named(name) or PILE[name]


SideFeature = tuple[str, int]  # a feature, or ``wins:`` or ``ties:`` and a contest, and the side that has the pile


def deciding_feature(rules: Rules, category: str) -> str | None:
    """The feature that decides a contest; None where nobody wins it under these rules."""
    if category == "primiera":
        full = "primiera" if rules.primiera_lacking == "cannot_win" else WHOLE_FIRST
        return {"full": full, "sevens": f"{COUNTED}{EVERY_SUIT << 6}", "none": None}.get(rules.primiera, rules.primiera)
    return f"{COUNTED}{ALL if category == 'cards' else 1023 << 10}"


def of_piles(rules: Rules, name: str, piles: Sequence[Masks]) -> Column:
    """A feature of the first of some piles, masks of shape [n], or a contest with the others: bool[n] or int64[n].

    A contest is ``wins:`` or ``ties:`` and a category.
    """
    kind, _, category = name.partition(":")
    if kind not in ("wins", "ties"):
        return pile_feature(name).column(rules, piles[0])
    if (feature := deciding_feature(rules, category)) is None:
        return np.zeros(len(piles[0]), np.bool_)
    return contest([of_piles(rules, feature, [pile]) for pile in piles], kind == "ties")


def contest(values: Sequence[Column], ties: bool) -> Column:
    """Whether the first of some numbers is above all others; with ``ties``, whether none is above all others.

    Numbers of 0 win nothing, and are no tie.
    """
    top = np.max(values, axis=0)
    leaders = np.sum([value == top for value in values], axis=0)
    return np.asarray((leaders > 1 if ties else (leaders == 1) & (values[0] == top)) & (top > 0))


def pile_cases(rules: Rules, sizes: tuple[int, ...], names: Sequence[SideFeature]) -> tuple[pl.DataFrame, list[int]]:
    """All cases of some features, where side 0 has ``sizes[0]`` cards and side 1 ``sizes[1]`` of the rest.

    One column a name, ``feature_side``, in the order of ``names``; equal cases are merged. The weights are the numbers
    of pairs of piles: together the multinomial coefficient of 40 over the sizes and what is left.

    Raises ``ValueError`` for sizes below 0 or more than 40 cards together, ``KeyError`` for a name that is none,
    ``TooManyCasesError`` where there are more cases than memory should hold.

    >>> from math import comb
    >>> from cirulla_sim.ruleset.presets import build
    >>> frame, weights = pile_cases(build("cirulla"), (22, 18), [("cappotto", 0), ("primiera", 1)])
    >>> frame.columns, sum(weights) == comb(40, 22)
    (['cappotto_0', 'primiera_1'], True)
    """
    if min(sizes) < 0 or sum(sizes) > 40:
        raise ValueError(f"piles of {sizes[0]} and {sizes[1]} cards are not in a pack of 40")
    sums = {f"{name}_{side}": Placed(pile_feature(name).sum(rules), (side,)) for name, side in _parts(rules, names)}
    frame, weights = count_sums(ALL, sizes, sums)

    def column(name: str, side: int) -> Column:
        kind, _, category = name.partition(":")
        if kind in ("wins", "ties"):
            feature = deciding_feature(rules, category)
            if feature is None:
                return np.zeros(len(weights), np.bool_)
            return contest([column(feature, side), column(feature, 1 - side)], kind == "ties")
        if name == _ALL_CARDS:
            return np.full(len(weights), sizes[side])
        return pile_feature(name).meaning(frame[f"{name}_{side}"].to_numpy())

    return merge_cases({f"{name}_{side}": column(name, side) for name, side in names}, weights)


_ALL_CARDS = f"{COUNTED}{ALL}"


def _parts(rules: Rules, names: Sequence[SideFeature]) -> list[SideFeature]:
    """The features to count, of which side: those named and those that the comparisons named need."""
    parts: dict[SideFeature, None] = {}
    for name, side in names:
        kind, _, category = name.partition(":")
        if kind not in ("wins", "ties"):
            parts[name, side] = None
        elif feature := deciding_feature(rules, category):
            parts |= {(feature, 0): None, (feature, 1): None}
    return [part for part in parts if part[0] != _ALL_CARDS]


# ------------------------------------------------------------------------------------------------ three or four cards


TEXTS: dict[str, Callable[[Cards], list[str]]] = {
    "cards": lambda sets: [" ".join(row) for row in np.array(PACK)[sets].tolist()],
    "ranks": lambda sets: ["".join(row) for row in np.array([*RANKS])[np.sort(sets % 10, axis=1)].tolist()],
    "suits": lambda sets: ["".join(row) for row in np.array([*SUITS])[sets // 10].tolist()],
}  # fmt: skip
"""Texts of any sets of cards, their cards in order."""


def _one_shown(kinds: Sequence[HandBonus], points: bool = False) -> Callable[[Rules], Column]:
    """The same for each of the 9,880 holdings of three cards."""

    def column(rules: Rules) -> Column:
        kind, each = deal.holding_bonuses(rules)
        return np.where(np.isin(kind, kinds), each if points else 1, 0).astype(np.int64)

    return column


_ALL_SETS: dict[str, dict[str, Callable[[Rules], Column]]] = {
    "holding": {
        **{kind or "bonus": _one_shown(bonuses) for kind, bonuses in KINDS.items()},
        **{f"bonus_points {kind}".strip(): _one_shown(bonuses, points=True) for kind, bonuses in KINDS.items()},
    },
    "table": {
        "misdeal": deal.misdeals,
        "wins_at_deal": deal.wins,
        "bonus": lambda rules: (deal.table_bonuses(rules)[1] > 0).astype(np.int64),
        "bonus_points": lambda rules: deal.table_bonuses(rules)[1],
    },
}
"""Features of three cards held and of the table, of all sets in the order of ``combinations``."""

_EVERY = {"holding": deal.holdings, "table": deal.tables}
_SETS: dict[str, dict[str, Feature]] = {
    "holding": PATTERN,
    "table": {**ANY_SET, "low": _ALL_LOW, "fifteen": _totals(15), "thirty": _totals(30), "four_equal": _equal(4)},
}


@lru_cache(64)  # up to ten megabytes each
def columns(of: str, rules: Rules, names: tuple[str, ...]) -> pl.DataFrame:
    """Features, or texts, of every holding of three cards or every table (``of``: ``holding`` or ``table``)."""
    return pl.DataFrame(
        [_texts(of, name) if name in TEXTS else pl.Series(name, _column(of, rules, name)) for name in names]
    )


def _column(of: str, rules: Rules, name: str) -> Column:
    if name.startswith(HOLDINGS):
        chosen = np.unpackbits(np.frombuffer(bytes.fromhex(name.removeprefix(HOLDINGS)), np.uint8))
        return chosen[: len(deal.holdings())].astype(np.int64)
    if name in _ALL_SETS[of]:
        return _ALL_SETS[of][name](rules)
    return (cards_named(name) or _SETS[of][name]).column(rules, masks_of(_EVERY[of]()))


@cache  # a megabyte each
def _texts(of: str, name: str) -> pl.Series:
    """The text of every holding or table, which takes long to put together."""
    return pl.Series(name, TEXTS[name](_EVERY[of]()))
