"""The entry point that deals and keeps what it dealt. Importing this module compiles it, or loads it from the cache."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import types
from ..game.bits import ZERO
from ..game.flat import flat_type
from ..game.hand import MISDEALT, WON_AT_DEAL, call_dealer, deal_stage, deal_with_constraints, work_type
from ..game.streams import batch_type, shuffle, start
from ..jit import entry

_THREE, _MOST = np.uint64(3), np.uint64(255)


class Deals(NamedTuple):
    """Hands dealt."""

    decks: np.ndarray  # uint8[hands, 40]: deal orders
    knocks: np.ndarray  # uint64[hands, 6, 4], by slot and seat, see ``bonuses.knock_word``; or of no rows
    decided: np.ndarray  # uint8[hands]: who won at the deal, 0 for nobody
    misdeals: np.ndarray  # uint8[hands]: how many tables were misdeals before


@entry(
    types.void(
        flat_type,
        batch_type,
        types.boolean,
        types.uint64,
        work_type,
        types.NamedTuple((types.uint8[:, ::1], types.uint64[:, :, ::1], types.uint8[::1], types.uint8[::1]), Deals),
    )
)
def sample_deals(r, batch, again, stages, w, deals):
    """Deal hands and write them to ``deals``, with the knocks of the first ``stages`` stages.

    ``again`` tells whether misdeals are dealt again; without it the first shuffle stays, whatever the table is.
    """
    decks, knocks = deals.decks, deals.knocks
    for i in range(batch.hands):
        start(w.states, batch.seed, batch.first + i)
        w.knocks[:] = ZERO
        w.score[:] = 0
        w.deal[:] = ZERO
        if again:
            deal_with_constraints(r, w)
        elif w.dealer:
            call_dealer(w.dealer, r, w, False)
        else:
            shuffle(w.states, w.deck)
        slot, place = ZERO, r.table_cards
        for stage in range(stages):
            size = r.plan[stage]
            deal_stage(r, w, place, size, slot)
            place += size * r.players
            slot += size // _THREE
        for place in range(decks.shape[1]):  # one by one: copying whole rows would allocate
            decks[i, place] = w.deck[place]
        deals.decided[i] = w.deal[WON_AT_DEAL]
        deals.misdeals[i] = min(w.deal[MISDEALT], _MOST)
        if knocks.shape[0]:
            for slot in range(knocks.shape[1]):
                for seat in range(knocks.shape[2]):
                    knocks[i, slot, seat] = w.knocks[slot, seat]
