"""The dealing of deals in which cards are known, called by address by all that deal.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..game.bits import ZERO
from ..game.bonuses import FOUR
from ..game.constrained_deal import deal_known
from ..game.hand import MISDEALT, WON_AT_DEAL, cards_in, dealer_signature, judge_table
from ..jit import entry


@entry(dealer_signature)
def deal(r, w, again):
    """Fill the deal order, see ``deal_known``, with ``again`` until the table stays; none before it is noted."""
    w.deal[WON_AT_DEAL] = ZERO
    while True:
        w.deal[MISDEALT] = ZERO
        deal_known(w)
        cards = cards_in(w.deck, ZERO, FOUR) if r.table_cards else ZERO
        if not again or judge_table(r, w, cards):
            return cards
