"""The entry point that plays out hands from the information of a seat. Importing it compiles or loads it."""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ZERO
from ..game.flat import flat_type
from ..game.hand import call_play, work_type
from ..game.hand_notes import notes_type, write_notes
from ..game.moment import Moment
from ..game.streams import batch_type
from ..jit import entry
from ..players.known_deal import find_deal, memory_type, set_up, slot_of
from ..players.view import view_table


@entry(types.void(flat_type, types.uint64[::1], batch_type, memory_type, types.uint64, work_type, notes_type))
def run_rest(r, policies, batch, memory, played, w, notes):
    """Play out a hand from the information of a seat, on each deal of a batch, and write the hands to notes.

    ``played`` is the number of plays so far; the seat to play need not be the one whose information it is, and has
    shown nothing at this turn yet. ``policies``, uint64[4], by side, decide what they show. In the notes earlier plays
    are 0, and sweeps and bonuses so far count as points for sweeps. The plays of the stage are not read: all deals
    that agree with the information are equally likely.
    """
    view = memory.views[0]
    memory.readings[0].informative = False
    slot, turn = slot_of(r, view.stage), played // r.players
    for stage in range(view.stage):
        turn -= r.plan[stage]
    for i in range(batch.hands):
        find_deal(r, w, memory, batch.seed, batch.first + i)
        set_up(r, w, memory, batch.first + i)
        w.history[:] = ZERO
        now = Moment(view.stage, slot, played, turn, played % r.players)
        call_play(w.play, r, policies, w, view_table(r, view), now, np.uint64(1))
        write_notes(r, w, i, notes)
