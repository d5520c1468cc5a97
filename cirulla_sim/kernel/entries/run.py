"""The entry point that plays hands. Importing this module compiles it, or loads it from the cache folder."""

from __future__ import annotations

import numpy as np
from numba import types

from ..game.bits import ZERO
from ..game.flat import flat_type
from ..game.hand import MISDEALT, PLAYED, SLOTS, TABLE_KIND, WON_AT_DEAL, play_hand, work_type
from ..game.scoring import COLUMNS
from ..game.streams import STEP, mix
from ..game.tallies import fold_hand, tally_type
from ..jit import entry, small

ROW_HEAD = 3
"""Columns of a row before those of each side: misdeals, kind of table bonus, who won at the deal."""


@small
def digest(r, w):
    """A hash of all that happened in the hand: deal, plays, knocks, piles and score.

    Two hands with one digest went the same way, but for a chance of one in 2**64.
    """
    h = ZERO
    for place in range(w.deal.size):
        h = mix(h + STEP + w.deal[place])
    for play in range(w.deal[PLAYED]):
        h = mix(h + STEP + w.made[play])
    for seat in range(r.players):
        for slot in range(SLOTS):
            h = mix(h + STEP + w.knocks[slot, seat])
    for side in range(r.sides):
        h = mix(h + STEP + w.pile[side])
        for column in range(len(COLUMNS)):
            h = mix(h + STEP + np.uint64(w.score[side, column]))
    return h


@entry(
    types.void(
        flat_type,
        types.uint64[::1],
        types.uint64,
        types.uint64,
        types.uint64,
        work_type,
        tally_type,
        types.int16[:, ::1],
        types.uint64[::1],
    )
)
def run_hands(r, policies, seed, first, hands, w, tally, rows, digests):
    """Play hands ``first`` to ``first + hands - 1`` of a seed and add them to a tally.

    ``policies`` is uint64[4], by side. ``rows`` is int16[hands, ROW_HEAD + sides * len(COLUMNS)] to keep a row a
    hand, or has no rows; ``digests`` is uint64[hands] to keep a hash of each hand, or has none. What the
    last hand left in ``w`` stays there.
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
        if digests.size:
            digests[i] = digest(r, w)
