"""The entry points of hands dealt with given first tables. Importing this module compiles them, or loads them."""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ONE, ZERO
from ..game.bonuses import FOUR, four_equal, is_misdeal, table_bonus
from ..game.flat import flat_type
from ..game.hand import MISDEALT, bury_table, cards_in, clear_hand, judge_table, play_dealt, work_type
from ..game.result_rows import digest, write_row
from ..game.streams import DEAL_LANE, batch_type, below, mix, shuffle, start
from ..jit import entry, inline

MISDEAL, WON = np.uint64(1 << 62), np.uint64(1 << 63)
"""What ``treat_tables`` writes instead of a bonus, whose word is smaller."""


@entry(types.void(flat_type, types.uint64[::1], types.uint64[::1]))
def treat_tables(r, tables, words):
    """Write to ``words`` what the rules do with each first table, a mask: ``WON``, ``MISDEAL`` or its bonus's word."""
    for i in range(tables.size):
        if r.table_four_equal_wins and four_equal(r, tables[i]):
            words[i] = WON
        elif is_misdeal(r, tables[i]):
            words[i] = MISDEAL
        else:
            words[i] = table_bonus(r, tables[i])


@inline
def lay_first(deck, cards):
    """Bring the cards of a mask to the front of a deal order, each changing places with the card there."""
    for place in range(len(deck)):
        if cards == ZERO:
            return
        card = ZERO
        while not (cards >> card) & ONE:
            card += ONE
        cards &= cards - ONE
        at = 0
        while np.uint64(deck[at]) != card:
            at += 1
        deck[at], deck[place] = deck[place], deck[at]


@inline
def deal_rare(r, seed, index, tables, w):
    """Deal hand number ``index`` with one of the ``tables`` as the first table; returns the mask of the one that stays.

    The streams are others than those of the hands of the seed, so that the two are independent.
    """
    start(w.states, mix(seed), index)
    clear_hand(index, w)
    chosen = tables[below(w.states, DEAL_LANE, np.uint64(tables.size))]
    while True:
        if w.deal[MISDEALT] and r.bury_table:
            bury_table(r, w)
        else:
            shuffle(w.states, w.deck)
            if w.deal[MISDEALT] == ZERO:
                lay_first(w.deck, chosen)
        cards = cards_in(w.deck, ZERO, FOUR)
        if judge_table(r, w, cards):
            return cards


@entry(
    types.void(
        flat_type, types.uint64[::1], batch_type, types.uint64[::1], work_type, types.int16[:, ::1], types.uint64[::1]
    )
)
def run_rare(r, policies, batch, tables, w, rows, digests):
    """Play hands, of those that begin with one of the ``tables``, masks.

    Each table is as likely, and all orders of the other cards. ``rows`` and ``digests`` are as in ``run.run_hands``.
    """
    for i in range(batch.hands):
        play_dealt(r, policies, deal_rare(r, batch.seed, batch.first + i, tables, w), w)
        write_row(r, w, rows[i])
        digests[i] = digest(r, w)
