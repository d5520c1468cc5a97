"""A hand played on from what one seat knows, again and again, the cards it does not see dealt as they may lie."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from ..situation.information_set import Situation
from .chunks import Notes, check_answers, new_notes, prepared
from .trials import Experiment


def play_rest(
    now: Situation, policies: tuple[str, ...], seed: int, first: int, hands: int, wanted: Collection[str]
) -> Notes:
    """Play on so many times, on the deals from number ``first`` of a seed on, and keep of each what is ``wanted``.

    Plays made already are 0 in the notes, and sweeps and bonuses so far are points for sweeps. Raises ``InputError`` as
    ``Experiment`` does.
    """
    from ..kernel.entries.playouts_entry import Memory
    from ..kernel.entries.rest_entry import run_rest
    from ..kernel.game import hand_notes
    from ..kernel.game.streams import batch
    from ..kernel.players.reading import READING

    experiment, notes = Experiment(now.rules, policies, 1, seed, known=now.known), new_notes(hands, wanted)
    flat, codes, work = prepared(experiment)
    memory = Memory(now.view, np.zeros(1, READING), np.uint64(now.unowned), np.uint64(now.forgotten))
    run_rest(
        flat, codes, batch(seed, first, hands), memory, np.uint64(now.number_of_plays), work, hand_notes.Notes(*notes)
    )
    check_answers(experiment, work)
    return notes
