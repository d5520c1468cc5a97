"""The entry points of the compiled code. Importing this module compiles them, or loads them from the cache folder."""

from __future__ import annotations

import numpy as np
from numba import types

from .bits import ONE, ZERO
from .flat import flat_type
from .hand import MISDEALT, TABLE_KIND, WON_AT_DEAL, deal_stage, deal_table, play_hand, work_type
from .jit import entry
from .scoring import COLUMNS
from .streams import start
from .tallies import fold_hand, tally_type

ROW_HEAD = 3
"""Columns of a row before those of each side: misdeals, kind of table bonus, who won at the deal."""


@entry(
    types.void(
        flat_type,
        types.uint64[::1],
        types.uint64,
        types.uint64,
        types.uint64,
        work_type,
        tally_type,
        types.int32[:, ::1],
    )
)
def run_hands(r, policies, seed, first, hands, w, tally, rows):
    """Play hands ``first`` to ``first + hands - 1`` of a seed and add them to a tally.

    ``policies`` is uint64[4], by side. ``rows`` is int32[hands, ROW_HEAD + sides * len(COLUMNS)] to keep a row a
    hand, or has no rows. What the last hand left in ``w`` stays there.
    """
    for i in range(hands):
        play_hand(r, policies, seed, first + i, w)
        fold_hand(r, w, tally)
        if rows.shape[0]:
            rows[i, 0] = w.deal[MISDEALT]
            rows[i, 1] = w.deal[TABLE_KIND]
            rows[i, 2] = w.deal[WON_AT_DEAL]
            for side in range(r.sides):
                for column in range(len(COLUMNS)):
                    rows[i, np.uint64(ROW_HEAD) + side * np.uint64(len(COLUMNS)) + np.uint64(column)] = w.score[
                        side, column
                    ]


@entry(types.uint64(flat_type, types.uint64, types.uint64, types.uint64, work_type))
def run_deals(r, seed, first, hands, w):
    """Deal hands without playing them, bonuses counted; returns the number of knocks."""
    knocks = ZERO
    for i in range(hands):
        start(w.states, seed, first + i)
        w.knocks[:] = ZERO
        w.score[:] = 0
        w.deal[:] = ZERO
        deal_table(r, w)
        slot, place = ZERO, r.table_cards
        for stage in range(r.stages):
            size = r.plan[stage]
            deal_stage(r, w, place, size, slot)
            place += size * r.players
            slot += size // np.uint64(3)
        for slot in range(w.knocks.shape[0]):
            for seat in range(r.players):
                knocks += ONE if w.knocks[slot, seat] else ZERO
    return knocks
