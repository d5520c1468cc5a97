"""The entry point that plays on from what a seat knows, and keeps what comes of it. Importing it compiles it."""

from __future__ import annotations

import numpy as np
from numba import types

from ..game.bits import ZERO
from ..game.captures import lay, with_matta_as
from ..game.flat import flat_type
from ..game.hand import call_play, work_type
from ..game.hand_notes import keep_notes
from ..jit import entry
from ..players.reading import reading_type
from ..players.view import view_type
from .playouts_entry import set_up, slot_of


@entry(
    types.void(
        flat_type,
        types.uint64[::1],
        types.uint64,
        types.uint64,
        types.uint64,
        types.Array(view_type, 1, "C"),
        types.uint64,
        types.uint64,
        types.uint64,
        work_type,
        types.Array(reading_type, 1, "C"),
        types.uint64[:, ::1],
        types.uint8[:, ::1],
        types.uint64[:, :, ::1],
        types.uint64[:, ::1],
        types.uint64[:, ::1],
        types.int16[:, :, ::1],
    )
)
def run_rest(
    r, policies, seed, first, hands, views, unowned, forgotten, played, w, readings, deals, decks, knocks, plays, piles,
    scores,
):  # fmt: skip
    """Play on from a view, on the deals from number ``first`` of a seed on, and keep what comes of each.

    ``played`` plays were made in the hand; the seat whose turn it is then need not be that of the view. ``policies`` is
    uint64[4], by side; ``unowned`` and ``forgotten`` are as in ``playouts``, the arrays as in ``notes``: plays before
    these stay 0, and sweeps and bonuses so far count as points for sweeps. All deals that agree with the view are as
    likely: the plays of the stage are not read. ``readings``, an array of one, is scratch.
    """
    view, reading = views[0], readings[0]
    reading.told = False
    slot, turn = slot_of(r, view.stage), played // r.players
    for stage in range(view.stage):
        turn -= r.plan[stage]
    for i in range(hands):
        matta_value = set_up(r, w, view, reading, seed, first + np.uint64(i), unowned, forgotten)
        w.made[:] = ZERO
        t = lay(view.table, view.table_product, view.matta_value, w.rows)
        if matta_value != t.matta_value:
            t = with_matta_as(r, t, matta_value)
        call_play(
            w.play, r, policies, w, t.cards, t.product, t.matta_value, view.stage, slot, played, turn,
            played % r.players, np.uint64(1),
        )  # fmt: skip
        keep_notes(r, w, i, deals, decks, knocks, plays, piles, scores)
