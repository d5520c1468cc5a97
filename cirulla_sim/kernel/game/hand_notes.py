"""What is kept of a hand played, where it is asked for: deal, knocks, plays, piles and score."""

from __future__ import annotations

from ..jit import inline
from .bits import ZERO
from .hand import PLAYED, SLOTS
from .scoring import COLUMNS, SIDES


@inline
def keep_notes(r, w, i, deals, decks, knocks, plays, piles, scores):
    """Write the hand to row ``i``.

    All but ``deals`` may have no rows and are then not kept: ``deals`` uint64[hands, 8] (``Work.deal``), ``decks``
    uint8[hands, 40] (the deal order), ``knocks`` uint64[hands, 6, 4] by slot and seat, ``plays`` uint64[hands, 40] in
    order, 0 behind the last, ``piles`` uint64[hands, 4] and ``scores`` int16[hands, 4, len(COLUMNS)] by side.
    """
    for place in range(w.deal.size):
        deals[i, place] = w.deal[place]
    if decks.shape[0]:
        for place in range(w.deck.size):
            decks[i, place] = w.deck[place]
    if knocks.shape[0]:
        for slot in range(SLOTS):
            for seat in range(r.players):
                knocks[i, slot, seat] = w.knocks[slot, seat]
    if plays.shape[0]:
        for play in range(w.deal[PLAYED]):
            plays[i, play] = w.made[play]
    if piles.shape[0]:
        for side in range(SIDES):
            piles[i, side] = w.pile[side]
    if scores.shape[0]:
        for side in range(ZERO, r.sides):
            for column in range(len(COLUMNS)):
                scores[i, side, column] = w.score[side, column]
