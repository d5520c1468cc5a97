"""What a hand played leaves of itself: a row of its numbers, and a hash of all that happened."""

from __future__ import annotations

import numpy as np

from ..jit import inline
from .bits import ZERO
from .hand import MISDEALT, PLAYED, SLOTS, TABLE_KIND, WON_AT_DEAL
from .scoring import COLUMNS
from .streams import STEP, mix

ROW_HEAD = 3
"""Columns of a row before those of each side: misdeals, kind of table bonus, who won at the deal."""


@inline
def write_row(r, w, row):
    """Write the hand to a row, int16[ROW_HEAD + sides * len(COLUMNS)]."""
    row[0] = w.deal[MISDEALT]
    row[1] = w.deal[TABLE_KIND]
    row[2] = w.deal[WON_AT_DEAL]
    for side in range(r.sides):
        for column in range(len(COLUMNS)):
            row[np.uint64(ROW_HEAD) + side * np.uint64(len(COLUMNS)) + np.uint64(column)] = w.score[side, column]


@inline
def digest(r, w):
    """A hash of all that happened in the hand: deal, plays, knocks, piles and score.

    Two hands with one digest went the same way, but for a chance of one in 2**64.
    """
    h = ZERO
    for place in range(w.deal.size):
        h = mix(h + STEP + w.deal[place])
    for play in range(w.deal[PLAYED]):
        h = mix(h + STEP + w.history[play])
    for seat in range(r.players):
        for slot in range(SLOTS):
            h = mix(h + STEP + w.knocks[slot, seat])
    for side in range(r.sides):
        h = mix(h + STEP + w.pile[side])
        for column in range(len(COLUMNS)):
            h = mix(h + STEP + np.uint64(w.score[side, column]))
    return h
