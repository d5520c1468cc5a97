"""The entry point that plays hands and keeps what happened in each: deal, knocks, plays, piles and score."""

from __future__ import annotations

from numba import types

from ..game.flat import flat_type
from ..game.hand import play_hand, work_type
from ..game.hand_notes import keep_notes
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
    """Play hands ``first`` to ``first + hands - 1`` of a seed and keep of each what has room, see ``keep_notes``.

    ``policies`` is uint64[4], by side. Row i is hand ``first + i``.
    """
    for i in range(hands):
        play_hand(r, policies, seed, first + i, w)
        keep_notes(r, w, i, deals, decks, knocks, plays, piles, scores)
