"""The entry point that plays hands and keeps what happened in each: deal, knocks, plays, piles and score."""

from __future__ import annotations

from .. import types
from ..game.flat import flat_type
from ..game.hand import play_hand, work_type
from ..game.hand_notes import notes_type, write_notes
from ..game.streams import batch_type
from ..jit import entry


@entry(types.void(flat_type, types.uint64[::1], batch_type, work_type, notes_type))
def run_notes(r, policies, batch, w, notes):
    """Play hands and write them to the rows of some notes, see ``write_notes``.

    ``policies`` is uint64[4], by side.
    """
    for i in range(batch.hands):
        play_hand(r, policies, batch.seed, batch.first + i, w)
        write_notes(r, w, i, notes)
