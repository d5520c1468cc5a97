"""Notes of hands played: deals, knocks, plays, piles and scores.

What a hand played leaves of itself: a row of its numbers, and a hash of all that happened.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import types
from ..jit import inline
from .bits import ZERO
from .hand import MISDEALT, PLAYED, PLAYS, SEATS, SLOTS, TABLE_KIND, WON_AT_DEAL
from .scoring import COLUMNS, SIDES, columns_of
from .streams import STEP, mix


class Notes(NamedTuple):
    """What happened in each of some hands, see ``NOTED``; arrays but ``deals`` may have no rows, to write nothing."""

    deals: NDArray[np.uint64]
    decks: NDArray[np.uint8]
    knocks: NDArray[np.uint64]
    plays: NDArray[np.uint64]
    piles: NDArray[np.uint64]
    scores: NDArray[np.int16]

    @property
    def misdeals(self) -> NDArray[np.uint64]:
        """How many tables of each hand were misdeals."""
        return self.deals[:, int(MISDEALT)]

    @property
    def decided(self) -> NDArray[np.uint64]:
        """Who won each hand at the deal, 0 for nobody."""
        return self.deals[:, int(WON_AT_DEAL)]

    @property
    def played(self) -> NDArray[np.bool_]:
        """Which hands were played at all, not decided at the deal: bool[hands]."""
        return np.asarray(self.decided == 0)


NOTED = {
    "deals": (types.uint64, (8,)),  # ``Work.deal``, see the places in ``hand``
    "decks": (types.uint8, (PLAYS,)),  # deal orders, the table first, then stage by stage and seat by seat
    "knocks": (types.uint64, (SLOTS, SEATS)),  # words of ``bonuses.knock_word``, 0 for none
    "plays": (types.uint64, (PLAYS,)),  # in order, words of ``plays.word_of``, 0 after the last
    "piles": (types.uint64, (SIDES,)),  # masks, by side
    "scores": (types.int16, (SIDES, len(COLUMNS))),  # by side
}
"""What is noted of a hand, behind the first axis of the arrays of ``Notes``, which is of hands."""

notes_type = types.Tuple(tuple(types.Array(kind, 1 + len(shape)) for kind, shape in NOTED.values()), Notes)


@inline
def write_notes(r, w, i, notes):
    """Write the hand to row ``i``."""
    for place in range(w.deal.size):
        notes.deals[i, place] = w.deal[place]
    if notes.decks.shape[0]:
        for place in range(w.deck.size):
            notes.decks[i, place] = w.deck[place]
    if notes.knocks.shape[0]:
        for slot in range(SLOTS):
            for seat in range(r.players):
                notes.knocks[i, slot, seat] = w.knocks[slot, seat]
    if notes.plays.shape[0]:
        for play in range(w.deal[PLAYED]):
            notes.plays[i, play] = w.history[play]
    if notes.piles.shape[0]:
        for side in range(SIDES):
            notes.piles[i, side] = w.pile[side]
    if notes.scores.shape[0]:
        for side in range(ZERO, r.sides):
            for column in range(len(COLUMNS)):
                notes.scores[i, side, column] = w.score[side, column]


ROW_HEAD = 3
"""Columns of a row before those of each side: misdeals, kind of table bonus, who won at the deal."""


@inline
def write_row(r, w, row):
    """Write the hand to a row, int16[ROW_HEAD + sides * columns]; these are as many as the rules have categories."""
    row[0] = w.deal[MISDEALT]
    row[1] = w.deal[TABLE_KIND]
    row[2] = w.deal[WON_AT_DEAL]
    for side in range(r.sides):
        columns = columns_of(r)
        for column in range(columns):
            row[np.uint64(ROW_HEAD) + side * columns + np.uint64(column)] = w.score[side, column]


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
        for column in range(columns_of(r)):
            h = mix(h + STEP + np.uint64(w.score[side, column]))
    return h
