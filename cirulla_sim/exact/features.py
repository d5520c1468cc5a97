"""Features of cards held, 3 to 10, and of the table of four, named as the functions of the question language.

Most are columns over masks of cards, whatever their number. Patterns such as ``low`` look at the cards and at which
card is the matta, whatever they are worth; ``barsega`` and ``bonus_points`` follow the rules.

A pack has 848 million holdings of ten cards but 115 thousand patterns of them: how many cards of each rank, the matta
among them or not. What is shown of a holding follows from its pattern. So one holding stands for all of a pattern, with
their number as its weight; where a question looks at suits, holdings of one pattern that differ in how many cards they
have of those suits count apart. Features are read from masks, of patterns and of holdings dealt alike.

>>> from cirulla_sim.ruleset.presets import build
>>> frame, weights = holding_cases(build("cirullone"), 9, ["sevens", "matta"])
>>> frame.height, int(weights.sum()) == comb(40, 9)
(8, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from math import comb
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.cards import PACK, RANKS, SETTEBELLO, SUITS, VALUES, parse
from ..core.errors import InputError
from ..core.messages import Message
from ..ruleset.rules_model import Rules
from . import first_deal as deal
from .first_deal import LOW_TOTAL, HandBonus

MOST_CARDS = 6
"""The most cards that ``holding_cases`` tells apart."""

Masks = NDArray[np.uint64]
Column = NDArray[Any]

RANK_NAMES = ("aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "jacks", "queens", "kings")
SUIT_NAMES = ("hearts", "diamonds", "clubs", "spades")


class HoldingFeature(NamedTuple):
    """A feature of a holding: a column over masks, the suits whose cards it counts, and the cards that it looks for."""

    column: Callable[[Rules, Masks], Column]
    suits: tuple[int, ...] = ()
    cards: tuple[int, ...] = ()  # other than the matta


# ------------------------------------------------------------------------------------------------ features


def masks_of(sets: NDArray[np.uint8]) -> Masks:
    """Sets of cards, a row of indices each, as masks: uint64[n]."""
    return np.asarray(np.bitwise_or.reduce(np.uint64(1) << sets.astype(np.uint64), axis=1))


def has_card(masks: Masks, card: int) -> Column:
    """Whether each holding has a card: bool[n]."""
    return np.asarray((masks >> np.uint64(card)) & np.uint64(1) == 1)


def _count(masks: Masks, cards: Iterable[int]) -> Column:
    """How many of some cards each holding has: int16[n]."""
    total = np.zeros(len(masks), np.int16)
    for card in cards:
        total += has_card(masks, card)
    return total


def _of_rank(rank: int) -> Callable[[Rules, Masks], Column]:
    return lambda rules, masks: _count(masks, range(rank, 40, 10))


def _of_suit(suit: int) -> Callable[[Rules, Masks], Column]:
    return lambda rules, masks: _count(masks, range(10 * suit, 10 * suit + 10))


def _most_equal(rules: Rules, masks: Masks) -> Column:
    return np.asarray(np.max([_of_rank(rank)(rules, masks) for rank in range(10)], axis=0))


def _total(rules: Rules, masks: Masks) -> Column:
    total = np.zeros(len(masks), np.int16)
    for card, value in enumerate(VALUES):
        total += np.int16(value) * has_card(masks, card)
    return total


def has_matta(rules: Rules, masks: Masks) -> Column:
    """Whether each holding has the matta: bool[n], all false where no card is wild."""
    return np.zeros(len(masks), np.bool_) if rules.matta is None else has_card(masks, parse(rules.matta))


def _best_total(rules: Rules, masks: Masks) -> Column:
    own = 0 if rules.matta is None else VALUES[parse(rules.matta)] - 1
    return _total(rules, masks) - np.int16(own) * has_matta(rules, masks)


def _all_low(rules: Rules, masks: Masks) -> Column:
    return _best_total(rules, masks) <= LOW_TOTAL


def _totals(number: int) -> Callable[[Rules, Masks], Column]:
    """Whether the cards total a number, the matta being worth what is lacking from 1 to 10."""

    def exactly(rules: Rules, masks: Masks) -> Column:
        wild = has_matta(rules, masks)
        lacking = number - (_best_total(rules, masks) - wild)
        return np.where(wild, (lacking >= 1) & (lacking <= 10), lacking == 0)

    return exactly


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


def _shown(kinds: Sequence[int]) -> Callable[[Rules, Masks], Column]:
    """How many sets of these kinds are shown."""

    def column(rules: Rules, masks: Masks) -> Column:
        kind = (knocks_shown(rules, masks) >> np.uint64(4)) & np.uint64(15)
        return np.asarray(np.isin(kind, kinds).sum(axis=0, dtype=np.int16))

    return column


def _bonus_points(rules: Rules, masks: Masks) -> Column:
    return np.asarray((knocks_shown(rules, masks) >> np.uint64(48)).sum(axis=0).astype(np.int16))


def _ranks_and_matta(rules: Rules, masks: Masks) -> tuple[list[Column], Column]:
    """How many cards of each rank there are but for the matta, and whether that is there."""
    matta = has_matta(rules, masks)
    counts = [_of_rank(rank)(rules, masks) for rank in range(10)]
    if rules.matta is not None:
        counts[parse(rules.matta) % 10] = counts[parse(rules.matta) % 10] - matta
    return counts, matta


def _low(rules: Rules, masks: Masks) -> Column:
    """Whether three cards total ``LOW_TOTAL`` at most, the matta an ace: the three lowest do."""
    counts, matta = _ranks_and_matta(rules, masks)
    counts[0] = counts[0] + matta
    total: Column = np.zeros(len(masks), np.int16)
    lacking: Column = np.full(len(masks), 3, np.int16)
    for rank, count in enumerate(counts, 1):
        taken = np.minimum(count, lacking)
        total, lacking = total + taken * np.int16(rank), lacking - taken
    return np.asarray((lacking == 0) & (total <= LOW_TOTAL))


def _equal(number: int) -> Callable[[Rules, Masks], Column]:
    """Whether so many cards are of one rank, the matta being of any."""

    def column(rules: Rules, masks: Masks) -> Column:
        counts, matta = _ranks_and_matta(rules, masks)
        return np.asarray(np.max(counts, axis=0) + matta >= number)

    return column


ANY_SET: dict[str, HoldingFeature] = {
    "total": HoldingFeature(_total),
    "best_total": HoldingFeature(_best_total),
    "matta": HoldingFeature(has_matta),
    "settebello": HoldingFeature(lambda rules, masks: has_card(masks, SETTEBELLO), (), (SETTEBELLO,)),
    "most_equal": HoldingFeature(_most_equal),
    **{name: HoldingFeature(_of_rank(rank)) for rank, name in enumerate(RANK_NAMES)},
    **{name: HoldingFeature(_of_suit(suit), (suit,)) for suit, name in enumerate(SUIT_NAMES)},
}
"""The features of any set of cards by name, as ``questions/vocabulary.toml`` describes them."""

KINDS: dict[str, tuple[HandBonus, ...]] = {
    "": (HandBonus.LOW, HandBonus.LOW_NO_ACE, HandBonus.TRIPLE), "barsega": (HandBonus.LOW, HandBonus.LOW_NO_ACE),
    "misci": (HandBonus.LOW_NO_ACE,), "barsegon": (HandBonus.TRIPLE,),
}  # fmt: skip
"""The bonuses that are sets of each kind, or of any."""

PATTERN: dict[str, HoldingFeature] = ANY_SET | {
    "low": HoldingFeature(_low),
    "triple": HoldingFeature(_equal(3)),
    **{kind or "bonus": HoldingFeature(_shown(bonuses)) for kind, bonuses in KINDS.items()},
    "bonus_points": HoldingFeature(_bonus_points),
}
"""The features of a holding of any size, by name."""

HOLDS = "holds:"
"""Begins the name of the feature that counts some cards; the mask of the cards follows."""


def feature_of(name: str) -> HoldingFeature:
    """The feature of a holding of any size with a name, ``holds:`` and a mask too; raises ``KeyError`` for none."""
    if not name.startswith(HOLDS):
        return PATTERN[name]
    wanted = int(name.removeprefix(HOLDS))
    cards = tuple(card for card in range(40) if wanted >> card & 1)
    suits = {card // 10 for card in cards}
    if len(cards) == 10 and len(suits) == 1:
        return HoldingFeature(partial(_holds, wanted), tuple(suits))
    alike = all(all(wanted >> 10 * suit + card % 10 & 1 for suit in range(4)) for card in cards)
    return HoldingFeature(partial(_holds, wanted), (), () if alike else cards)


def _holds(wanted: int, rules: Rules, masks: Masks) -> Column:
    return np.asarray(np.bitwise_count(masks & np.uint64(wanted)).astype(np.int16))


# ------------------------------------------------------------------------------------------------ patterns


def holding_patterns(
    rules: Rules, size: int, suits: Sequence[int] = (), cards: Sequence[int] = ()
) -> tuple[Masks, NDArray[np.int64]]:
    """A holding of each pattern of ``size`` cards, uint64[n], and how many holdings are of it, int64[n].

    Patterns differ in how many cards they have of a rank, in whether they have the matta or one of ``cards``, and in
    how many they have of each of ``suits`` (0 hearts, 1 diamonds, 2 clubs, 3 spades). The weights add up to
    ``comb(40, size)``.

    >>> masks, weights = holding_patterns(Rules(), 2)
    >>> len(masks), int(weights.sum())
    (65, 780)
    """
    matta = () if rules.matta is None else (parse(rules.matta),)
    apart = sorted({*matta, *cards})
    state = pl.DataFrame(
        {"held": [0], "key": [0], "cards": [0], "weight": [1]} | {f"s{suit}": [0] for suit in suits},
        schema_overrides={"held": pl.UInt64},
    )
    for rank in range(10):
        state = _with_rank(state, _choices(rank, suits, apart))
        state = state.filter(pl.col("cards") <= size, pl.col("cards") >= size - 4 * (9 - rank))
        if suits:
            same = [name for name in state.columns if name not in ("held", "weight")]
            state = state.group_by(same, maintain_order=True).agg(pl.col("held").first(), pl.col("weight").sum())
    return state["held"].to_numpy(), state["weight"].to_numpy()


def _choices(rank: int, suits: Sequence[int], apart: Sequence[int]) -> pl.DataFrame:
    """The different ways to hold cards of a rank: one holding of each, and how many holdings it stands for."""
    rows: dict[tuple[int, ...], list[int]] = {}
    for chosen in range(16):
        held = [10 * suit + rank for suit in range(4) if chosen >> suit & 1]
        key = (len(held), *(card in held for card in apart), *(10 * suit + rank in held for suit in suits))
        rows.setdefault(key, [sum(1 << card for card in held), 0])[1] += 1
    columns: dict[str, Any] = {
        "key": [sum(int(bit) << i for i, bit in enumerate(key[1 : 1 + len(apart)], 3)) + key[0] for key in rows],
        "cards": [key[0] for key in rows],
        "held": np.array([held for held, _ in rows.values()], np.uint64),
        "weight": [weight for _, weight in rows.values()],
    }
    columns |= {f"s{suit}": [int(key[1 + len(apart) + i]) for key in rows] for i, suit in enumerate(suits)}
    return pl.DataFrame(columns)


def _with_rank(state: pl.DataFrame, choices: pl.DataFrame) -> pl.DataFrame:
    """Every holding so far with every choice of the next rank; ``key``: ranks, and cards that are distinguished."""
    sums = [name for name in choices.columns if name not in ("key", "held", "weight")]
    base = 1 + int(choices["key"].max())  # type: ignore[arg-type]
    return state.join(choices, how="cross").select(
        pl.col("held") | pl.col("held_right"),
        pl.col("key") * base + pl.col("key_right"),
        pl.col("weight") * pl.col("weight_right"),
        *(pl.col(name) + pl.col(f"{name}_right") for name in sums),
    )


def holding_cases(rules: Rules, size: int, names: Sequence[str]) -> tuple[pl.DataFrame, NDArray[np.int64]]:
    """All cases of some features of a holding of ``size`` cards: a column a name, and weights, int64.

    Equal cases are merged; the weights add up to ``comb(40, size)``. Raises ``KeyError`` for a name that is none, and
    ``InputError`` for two suits counted in more than six cards: too many patterns for memory.
    """
    features = {name: feature_of(name) for name in names}
    suits = sorted({suit for feature in features.values() for suit in feature.suits})
    if len(suits) > 1 and size > 6:
        both = Message("{first} and {other}", *(Message(SUIT_NAMES[suit]) for suit in suits[:2]))
        raise InputError("{suits} of {size} cards are too much at once to be counted (valid: one suit)", both, size)
    cards = sorted({card for feature in features.values() for card in feature.cards})
    if len(cards) > MOST_CARDS:
        raise InputError("{number} cards are too many to be distinguished (valid: {most})", len(cards), MOST_CARDS)
    if not names:
        return pl.DataFrame(), np.array([comb(40, size)])
    masks, weights = holding_patterns(rules, size, suits, cards)
    frame = pl.DataFrame({name: feature.column(rules, masks) for name, feature in features.items()})
    merged = frame.with_columns(weight=weights).group_by(list(names), maintain_order=True).agg(pl.col("weight").sum())
    return merged.drop("weight"), merged["weight"].to_numpy()


# ------------------------------------------------------------------------------------------------ three or four cards

Feature = Callable[[Rules, deal.Cards], Column]
"""A column over rows of cards."""


def _by_mask(column: Callable[[Rules, Masks], Column]) -> Feature:
    return lambda rules, sets: column(rules, masks_of(sets))


def _text(order: str, place: int) -> Feature:
    """The ranks (place 0) or suits (place 1) of each set as text, in order."""

    def joined(rules: Rules, sets: deal.Cards) -> Column:
        kinds = np.sort(sets % 10 if place == 0 else sets // 10, axis=1)
        letters = np.array(list(order))[kinds]
        return np.array(["".join(row) for row in letters.tolist()])

    return joined


def _cards(rules: Rules, sets: deal.Cards) -> Column:
    return np.array([" ".join(row) for row in np.array(PACK)[sets].tolist()])


def _one_shown(kinds: Sequence[HandBonus]) -> Feature:
    """Whether each of the 9,880 holdings shows a set of one of some kinds, as a number."""
    return lambda rules, _: np.isin(deal.hand_bonus(rules)[0], kinds).astype(np.int16)


TEXTS: dict[str, Feature] = {"cards": _cards, "ranks": _text(RANKS, 0), "suits": _text(SUITS, 1)}
"""Features that no rule changes: texts of any set of cards."""

_COMMON: dict[str, Feature] = {
    **TEXTS,
    **{name: _by_mask(feature.column) for name, feature in ANY_SET.items()},
}

HOLDING: dict[str, Feature] = _COMMON | {
    "low": _by_mask(_low),
    "triple": _by_mask(_equal(3)),
    **{kind or "bonus": _one_shown(bonuses) for kind, bonuses in KINDS.items()},
    "bonus_points": lambda rules, _: deal.hand_bonus(rules)[1],
}
"""Features of three cards held: columns over ``holdings()``."""

TABLE: dict[str, Feature] = _COMMON | {
    "low": _by_mask(_all_low),
    "fifteen": _by_mask(_totals(15)),
    "thirty": _by_mask(_totals(30)),
    "misdeal": lambda rules, _: deal.misdeals(rules),
    "four_equal": _by_mask(_equal(4)),
    "wins_at_deal": lambda rules, _: deal.wins(rules),
    "bonus": lambda rules, _: (deal.table_bonus(rules)[1] > 0).astype(np.int16),
    "bonus_points": lambda rules, _: deal.table_bonus(rules)[1],
}
"""Features of the four cards of a table: columns over ``tables()``."""

VOCABULARY = {"holding": HOLDING, "table": TABLE}


@lru_cache(64)  # up to ten megabytes each
def columns(of: str, rules: Rules, names: tuple[str, ...]) -> pl.DataFrame:
    """The columns named, over every holding or every table; names are of ``VOCABULARY``, or ``holds:`` and a mask."""
    return pl.DataFrame(
        [_texts(of, name) if name in TEXTS else pl.Series(name, _column(of, rules, name)) for name in names]
    )


def _column(of: str, rules: Rules, name: str) -> Column:
    sets = deal.holdings() if of == "holding" else deal.tables()
    if name.startswith(HOLDS):
        return feature_of(name).column(rules, masks_of(sets))
    return VOCABULARY[of][name](rules, sets)


@cache  # a megabyte each
def _texts(of: str, name: str) -> pl.Series:
    """The text of every holding or table, which takes long to put together."""
    return pl.Series(name, _column(of, Rules(), name))
