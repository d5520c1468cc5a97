"""The vocabulary of questions about dealt cards: the features of a holding of three cards and of a table of four.

Each feature is defined once, as a column over ``holdings()`` or ``tables()``; patterns such as ``low`` look at the
cards and at which card is the matta, whatever they are worth, and ``bonus_points`` says what they are worth.
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
from .patterns import ANY_SET, HoldingFeature, masks_of

Column = Any  # an array with one entry a set of cards: bool, integer or text
Feature = tuple[str, Callable[[Rules, deal.Cards], Column]]


def _any_set(feature: HoldingFeature) -> Feature:
    """A feature of any set of cards, from a row of cards instead of a mask."""
    return feature.sentence, lambda rules, sets: feature.column(rules, masks_of(sets))


def _best_total(rules: Rules, sets: deal.Cards) -> Column:
    return ANY_SET["best_total"].column(rules, masks_of(sets))


def _low(rules: Rules, sets: deal.Cards) -> Column:
    return _best_total(rules, sets) <= deal.LOW_TOTAL


def _low_no_ace(rules: Rules, sets: deal.Cards) -> Column:
    return _low(rules, sets) & ~deal.with_matta(rules, sets) & (sets % 10 != 0).all(axis=1)


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


def _with_card(card: int) -> Callable[[Rules, deal.Cards], Column]:
    return lambda rules, sets: (sets == card).any(axis=1)


_COMMON: dict[str, Feature] = {
    "cards": ("the cards as text, hearts first: '2h 7d Kc'", _cards),
    "ranks": ("their ranks as text, ace first: 'A7K'", _text(RANKS, 0)),
    "suits": ("their suits as text, in the order h d c s: 'hdc'", _text(SUITS, 1)),
    "total": _any_set(ANY_SET["total"]),
    "best_total": _any_set(ANY_SET["best_total"]),
    "low": ("whether they total 9 or less, the matta at its best", _low),
    **{name: _any_set(feature) for name, feature in ANY_SET.items()},
    **{f"has_{name}": (f"whether {name} is among them", _with_card(card)) for card, name in enumerate(PACK)},
}

HOLDING: dict[str, Feature] = _COMMON | {
    "low_no_ace": ("whether they are low with neither an ace nor the matta", _low_no_ace),
    "triple": ("whether the three are equal, the matta any card", _all_equal),
    "bonus_points": ("points they earn when shown", lambda rules, _: deal.hand_bonus(rules)[1]),
}
"""Features of three cards held: name -> (sentence, column over ``holdings()``)."""

TABLE: dict[str, Feature] = _COMMON | {
    "fifteen": ("whether they total 15, the matta any value", _totals(15)),
    "thirty": ("whether they total 30, the matta any value", _totals(30)),
    "misdeal": ("whether they are a misdeal", lambda rules, _: deal.misdeals(rules)),
    "four_equal": ("whether the four are equal, the matta any card", _all_equal),
    "wins": ("whether they win the dealer's side the game", lambda rules, _: deal.wins(rules)),
    "bonus_points": ("points they earn the dealer if played", lambda rules, _: deal.table_bonus(rules)[1]),
}
"""Features of the four cards of a table: name -> (sentence, column over ``tables()``)."""

VOCABULARY = {"holding": HOLDING, "table": TABLE}


@lru_cache(64)  # up to ten megabytes each
def columns(of: str, rules: Rules, names: tuple[str, ...]) -> pl.DataFrame:
    """The columns named, over every holding or every table."""
    sets = deal.holdings() if of == "holding" else deal.tables()
    features = VOCABULARY[of]
    return pl.DataFrame(
        [_texts(of, name) if name in _TEXTS else pl.Series(name, features[name][1](rules, sets)) for name in names]
    )


_TEXTS = ("cards", "ranks", "suits")
"""Features that no rule changes."""


@cache  # a megabyte each
def _texts(of: str, name: str) -> pl.Series:
    """The text of every holding or table, which takes long to put together."""
    written = VOCABULARY[of][name][1]
    return pl.Series(name, written(Rules(), deal.holdings() if of == "holding" else deal.tables()))
