"""Features of a holding of three cards and of a table of four, named as the functions of the question language.

Each feature is defined once, as a column over ``holdings()`` or ``tables()``. Patterns such as ``low`` look at the
cards and at which card is the matta, whatever they are worth; ``barsega`` and ``bonus_points`` follow the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np
import polars as pl

from ..core.cards import PACK, RANKS, SUITS, parse
from ..ruleset.rules_model import Rules
from . import first_deal as deal
from .patterns import ANY_SET, HOLDS, HoldingFeature, feature_of, masks_of

Column = Any  # an array with one entry a set of cards: bool, integer or text
Feature = Callable[[Rules, deal.Cards], Column]


def _any_set(feature: HoldingFeature) -> Feature:
    """A feature of any set of cards, from a row of cards instead of a mask."""
    return lambda rules, sets: feature.column(rules, masks_of(sets))


def _best_total(rules: Rules, sets: deal.Cards) -> Column:
    return ANY_SET["best_total"].column(rules, masks_of(sets))


def _low(rules: Rules, sets: deal.Cards) -> Column:
    return _best_total(rules, sets) <= deal.LOW_TOTAL


def _totals(number: int) -> Callable[[Rules, deal.Cards], Column]:
    """Whether the cards total a number, the matta being worth what is lacking from 1 to 10."""

    def exactly(rules: Rules, sets: deal.Cards) -> Column:
        wild = deal.with_matta(rules, sets)
        lacking = number - (_best_total(rules, sets) - wild)
        return np.where(wild, (lacking >= 1) & (lacking <= 10), lacking == 0)

    return exactly


def _all_equal(rules: Rules, sets: deal.Cards) -> Column:
    """Whether all cards are of one rank, the matta being of any."""
    ranks = (sets % 10).astype(np.int16)
    if rules.matta is None:
        return ranks.min(axis=1) == ranks.max(axis=1)
    matta = sets == parse(rules.matta)
    return np.where(matta, 99, ranks).min(axis=1) == np.where(matta, -1, ranks).max(axis=1)


def _text(order: str, place: int) -> Callable[[Rules, deal.Cards], Column]:
    """The ranks (place 0) or suits (place 1) of each set as text, in order."""

    def joined(rules: Rules, sets: deal.Cards) -> Column:
        kinds = np.sort(sets % 10 if place == 0 else sets // 10, axis=1)
        letters = np.array(list(order))[kinds]
        return np.array(["".join(row) for row in letters.tolist()])

    return joined


def _cards(rules: Rules, sets: deal.Cards) -> Column:
    return np.array([" ".join(row) for row in np.array(PACK)[sets].tolist()])


def _shown(*kinds: deal.HandBonus) -> Callable[[Rules, deal.Cards], Column]:
    """Whether each of the 9,880 holdings shows a set of one of some kinds, as a number."""
    return lambda rules, _: np.isin(deal.hand_bonus(rules)[0], kinds).astype(np.int16)


TEXTS: dict[str, Feature] = {"cards": _cards, "ranks": _text(RANKS, 0), "suits": _text(SUITS, 1)}
"""Features that no rule changes: texts of any set of cards."""

_COMMON: dict[str, Feature] = {
    **TEXTS,
    "low": _low,
    **{name: _any_set(feature) for name, feature in ANY_SET.items()},
}

HOLDING: dict[str, Feature] = _COMMON | {
    "triple": _all_equal,
    "contains_low": lambda rules, sets: _low(rules, sets) & ~_all_equal(rules, sets),
    "contains_triple": _all_equal,
    "barsega": _shown(deal.HandBonus.LOW, deal.HandBonus.LOW_NO_ACE),
    "misci": _shown(deal.HandBonus.LOW_NO_ACE),
    "barsegon": _shown(deal.HandBonus.TRIPLE),
    "bonus": _shown(deal.HandBonus.LOW, deal.HandBonus.LOW_NO_ACE, deal.HandBonus.TRIPLE),
    "bonus_points": lambda rules, _: deal.hand_bonus(rules)[1],
}
"""Features of three cards held: columns over ``holdings()``."""

TABLE: dict[str, Feature] = _COMMON | {
    "fifteen": _totals(15),
    "thirty": _totals(30),
    "misdeal": lambda rules, _: deal.misdeals(rules),
    "four_equal": _all_equal,
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
