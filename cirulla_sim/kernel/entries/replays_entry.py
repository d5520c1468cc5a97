"""The entry point that plays dealt hands with other dice. Importing this module compiles it, or loads it."""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ONE
from ..game.flat import flat_type
from ..game.hand import deal_hand, play_dealt, work_type
from ..game.scoring import COLUMN
from ..game.streams import batch_type, start
from ..jit import entry

_TOTAL = COLUMN["total"]


@entry(types.void(flat_type, types.uint64[::1], batch_type, types.uint64, work_type, types.int32[::1]))
def run_replays(r, policies, batch, dice, w, margins):
    """Play hands with the dice that the same hands of another seed, ``dice``, have.

    With the seed of the deals these are the usual hands. ``margins`` takes for each hand the points of the
    dealer's side times the number of other sides, less the points of those.
    """
    dealer = r.sides - ONE
    for i in range(batch.hands):
        cards = deal_hand(r, batch.seed, batch.first + i, w)
        start(w.states, dice, batch.first + i)
        play_dealt(r, policies, cards, w)
        margin = np.int32(dealer) * w.score[dealer, _TOTAL]
        for side in range(dealer):
            margin -= w.score[side, _TOTAL]
        margins[i] = margin
