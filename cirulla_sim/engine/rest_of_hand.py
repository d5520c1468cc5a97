"""A hand played on from what one seat knows, again and again, the cards it does not see dealt as they may lie."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from ..situation.information_set import InformationSet
from .chunks import Notes, new_notes, playing
from .trials import Experiment


def play_rest(now: InformationSet, experiment: Experiment, first: int, hands: int, wanted: Collection[str]) -> Notes:
    """The notes ``wanted`` of a hand played on ``hands`` times, on the deals of an experiment from number ``first`` on.

    Plays made already are 0 in the notes, and sweeps and bonuses so far are points for sweeps.
    """
    from ..kernel.entries.rest_entry import run_rest
    from ..kernel.game import hand_notes

    notes, plays = new_notes(hands, wanted), np.uint64(now.number_of_plays)
    with playing(experiment, first, hands) as (flat, codes, streams, work):
        run_rest(flat, codes, streams, memory_of(now), plays, work, hand_notes.Notes(*notes))
    return notes


def memory_of(now: InformationSet) -> Any:
    """What the kernel deals the unseen cards of a situation by."""
    from ..kernel.entries.playouts_entry import Memory
    from ..kernel.players.reading import READING

    return Memory(now.view, np.zeros(1, READING), np.uint64(now.unowned), np.uint64(now.forgotten))
