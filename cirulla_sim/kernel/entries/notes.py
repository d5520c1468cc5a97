"""The entry point that plays hands and keeps what happened in each: deal, knocks, plays, piles and score."""

from __future__ import annotations

from numba import types

from ..game.bits import ZERO
from ..game.flat import flat_type
from ..game.hand import PLAYED, SLOTS, play_hand, work_type
from ..game.scoring import COLUMNS, SIDES
from ..jit import entry


@entry(
    types.void(
        flat_type,
        types.uint64[::1],
        types.uint64,
        types.uint64,
        types.uint64,
        work_type,
        types.uint64[:, ::1],
        types.uint8[:, ::1],
        types.uint64[:, :, ::1],
        types.uint64[:, ::1],
        types.uint64[:, ::1],
        types.int16[:, :, ::1],
    )
)
def run_notes(r, policies, seed, first, hands, w, deals, decks, knocks, plays, piles, scores):
    """Play hands ``first`` to ``first + hands - 1`` of a seed and keep of each what has room.

    ``policies`` is uint64[4], by side. Row i is hand ``first + i``; all but ``deals`` may have no rows and are then not
    kept: ``deals`` uint64[hands, 8] (``Work.deal``), ``decks`` uint8[hands, 40] (the deal order), ``knocks``
    uint64[hands, 6, 4] by slot and seat, ``plays`` uint64[hands, 40] in order, 0 behind the last, ``piles``
    uint64[hands, 4] and ``scores`` int16[hands, 4, len(COLUMNS)] by side.
    """
    for i in range(hands):
        play_hand(r, policies, seed, first + i, w)
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
