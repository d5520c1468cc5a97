"""The entry point that plays dealt hands with other dice. Importing this module compiles it, or loads it."""

from __future__ import annotations

import numpy as np
from numba import types

from ..game.bits import ONE
from ..game.flat import flat_type
from ..game.hand import deal_hand, play_dealt, work_type
from ..game.scoring import COLUMN
from ..game.streams import start
from ..jit import entry

_TOTAL = COLUMN["total"]


@entry(
    types.void(
        flat_type,
        types.uint64[::1],
        types.uint64,
        types.uint64,
        types.uint64,
        types.uint64,
        work_type,
        types.int32[::1],
    )
)
def run_replays(r, policies, seed, dice, first, hands, w, margins):
    """Play the deals ``first`` to ``first + hands - 1`` of a seed with the dice that the same hands of another have.

    With ``dice`` equal to ``seed`` these are the hands as ever. ``margins`` takes for each hand the points of the
    dealer's side times the number of other sides, less the points of those.
    """
    dealer = r.sides - ONE
    for i in range(hands):
        cards = deal_hand(r, seed, first + i, w)
        start(w.states, dice, first + i)
        play_dealt(r, policies, cards, w)
        margin = np.int32(dealer) * w.score[dealer, _TOTAL]
        for side in range(dealer):
            margin -= w.score[side, _TOTAL]
        margins[i] = margin
