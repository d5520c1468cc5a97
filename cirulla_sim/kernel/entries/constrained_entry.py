"""Deals under constraints, called by address from everything that deals.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..game.bits import ZERO
from ..game.bonuses import FOUR
from ..game.constrained_deal import deal_constrained
from ..game.hand import MISDEALT, WON_AT_DEAL, cards_in, dealer_signature, judge_table
from ..jit import entry


@entry(dealer_signature)
def deal(r, w, again):
    """Fill the deal order, see ``deal_constrained``; with ``again`` until the table is no misdeal."""
    w.deal[WON_AT_DEAL] = ZERO
    while True:
        w.deal[MISDEALT] = ZERO
        deal_constrained(w)
        cards = cards_in(w.deck, ZERO, FOUR) if r.table_cards else ZERO
        if not again or judge_table(r, w, cards):
            return cards
