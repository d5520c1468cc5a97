"""The entry point that only deals hands. Importing this module compiles it, or loads it from the cache folder."""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ONE, ZERO
from ..game.bonuses import (
    FOUR,
    LOW,
    LOW_NO_ACE,
    THREE,
    TRIPLE,
    choose_sets,
    holding_bonus,
    kind_of,
    points_of,
    table_bonus,
)
from ..game.flat import flat_type
from ..game.hand import MISDEALT, WON_AT_DEAL, cards_in, deal_table, work_type
from ..game.streams import start_deal
from ..jit import entry, inline

COUNTS = (
    "misdeals",  # tables dealt again
    "dealer_won", "others_won",  # hands decided at the deal, in which nothing below is counted
    "table_plain", "table_15", "table_30", "table_low", "points_table_bonus",
    "low", "low_no_ace", "triple", "knock", "points_hand_bonus",  # low ones without an ace are low ones too
    "any_low", "any_low_no_ace", "any_triple", "any_knock",  # hands with at least one
)  # fmt: skip
"""What is counted, in the order of the places of ``counts``."""

_MISDEALS, _TABLES, _TABLE_POINTS = (COUNTS.index(name) for name in ("misdeals", "table_plain", "points_table_bonus"))
_KINDS, _POINTS, _ANY = (COUNTS.index(name) for name in ("low", "points_hand_bonus", "any_low"))
_DIGIT = np.uint64(0xFFFF)


@inline
def add_bonus(kinds, points, bonus):
    """Count one more bonus, a word: its kind, as a number of 16 bits a kind in one word, and its points."""
    return kinds + (ONE << (kind_of(bonus) << FOUR)), points + points_of(bonus)


@inline
def number_of(kinds, kind):
    """How many bonuses of a kind were counted."""
    return (kinds >> (kind << FOUR)) & _DIGIT


@inline
def count_knocks(r, w):
    """The bonuses of all holdings of a hand, by kind and in points; those of three cards without a branch."""
    kinds, points, place = ZERO, ZERO, r.table_cards
    for stage in range(r.stages):
        size = r.plan[stage]
        for _ in range(r.players):
            if size == THREE:
                kinds, points = add_bonus(kinds, points, holding_bonus(r, w.deck, place))
            elif size > THREE and r.knocks:
                w.knocks[:, 0] = ZERO
                choose_sets(r, cards_in(w.deck, place, size), ZERO, ZERO, w.knocks, w.candidates)
                for k in range(size // THREE):
                    kinds, points = add_bonus(kinds, points, w.knocks[np.uint64(k), 0])
            place += size
    return kinds, points


@entry(types.void(flat_type, types.uint64, types.uint64, types.uint64, work_type, types.int64[::1]))
def run_deals(r, seed, first, hands, w, counts):
    """Deal hands ``first`` to ``first + hands - 1`` of a seed without playing them, and count what they bring.

    They are the deals of the same hands when they are played. ``counts`` is int64[len(COUNTS)], added to.
    """
    for i in range(hands):
        start_deal(w.states, seed, first + i)
        cards = deal_table(r, w)
        counts[_MISDEALS] += w.deal[MISDEALT]
        if w.deal[WON_AT_DEAL]:
            counts[np.uint64(_MISDEALS) + w.deal[WON_AT_DEAL]] += 1
            continue
        bonus = table_bonus(r, cards)
        counts[np.uint64(_TABLES) + kind_of(bonus)] += 1
        counts[_TABLE_POINTS] += points_of(bonus)
        kinds, points = count_knocks(r, w)
        no_ace, triple = number_of(kinds, LOW_NO_ACE), number_of(kinds, TRIPLE)
        low = number_of(kinds, LOW) + no_ace
        counts[_KINDS] += low
        counts[_KINDS + 1] += no_ace
        counts[_KINDS + 2] += triple
        counts[_KINDS + 3] += low + triple
        counts[_POINTS] += points
        counts[_ANY] += low > ZERO
        counts[_ANY + 1] += no_ace > ZERO
        counts[_ANY + 2] += triple > ZERO
        counts[_ANY + 3] += low + triple > ZERO
