"""The entry point that only deals hands. Importing this module compiles it, or loads it from the cache folder."""

from __future__ import annotations

import numpy as np
from numba import types

from .bits import ONE, ZERO
from .flat import flat_type
from .hand import deal_stage, deal_table, work_type
from .jit import entry
from .streams import start


@entry(types.uint64(flat_type, types.uint64, types.uint64, types.uint64, work_type))
def run_deals(r, seed, first, hands, w):
    """Deal hands without playing them, bonuses counted; returns the number of knocks."""
    knocks = ZERO
    for i in range(hands):
        start(w.states, seed, first + i)
        w.knocks[:] = ZERO
        w.score[:] = 0
        w.deal[:] = ZERO
        deal_table(r, w)
        slot, place = ZERO, r.table_cards
        for stage in range(r.stages):
            size = r.plan[stage]
            deal_stage(r, w, place, size, slot)
            place += size * r.players
            slot += size // np.uint64(3)
        for slot in range(w.knocks.shape[0]):
            for seat in range(r.players):
                knocks += ONE if w.knocks[slot, seat] else ZERO
    return knocks
