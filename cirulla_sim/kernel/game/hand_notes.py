"""Notes of hands played: deals, knocks, plays, piles and scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import types
from ..jit import inline
from .bits import ZERO
from .hand import PLAYED, SLOTS
from .scoring import COLUMNS, SIDES


class Notes(NamedTuple):
    """What happened in each of some hands. Arrays but ``deals`` may have no rows: then nothing is written."""

    deals: np.ndarray  # uint64[hands, 8]: ``Work.deal``
    decks: np.ndarray  # uint8[hands, 40]: deal orders
    knocks: np.ndarray  # uint64[hands, 6, 4], by slot and seat
    plays: np.ndarray  # uint64[hands, 40], in order, 0 after the last
    piles: np.ndarray  # uint64[hands, 4], by side
    scores: np.ndarray  # int16[hands, 4, len(COLUMNS)], by side


notes_type = types.NamedTuple(
    (
        types.uint64[:, ::1],
        types.uint8[:, ::1],
        types.uint64[:, :, ::1],
        types.uint64[:, ::1],
        types.uint64[:, ::1],
        types.int16[:, :, ::1],
    ),
    Notes,
)


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
