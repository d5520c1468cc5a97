"""The misdeals before a given last deal: the whole dealing process, conditioned on where it ends.

The process deals again while the table is a misdeal. It ends with a table that stays or wins, or with the misdeal
number ``misdeals_lose``. Each earlier table is one of equally many, ``sets``, that could have lain there: where
everything is dealt again, any four cards of the pack; where the table is buried, any four cards of the stock that lay
beside the table which followed it, for the two have no card in common and the holdings stay. So a given last deal ends
the process after some given misdeals with a weight of ``1 / sets`` to the power of their number, and going back, one
number below ``sets`` draws the table before or ends: those below ``most`` number the misdeals. As ``most`` is not less
than the misdeals in any stock, the others end with the same chance everywhere. A number beyond the misdeals there are,
or a process of another length than the last table says, throws the deal away.
"""

from __future__ import annotations

from math import comb

import numpy as np

from .. import types
from ..jit import inline, record_at
from .bits import ONE, ZERO
from .bonuses import FOUR, four_equal, is_misdeal
from .constrained_deal import ALL_BITS, propose_deal
from .flat import NEVER
from .hand import MISDEALS, MISDEALT, WON_AT_DEAL, WON_BY_DEALER, WON_BY_OTHERS, cards_in
from .streams import DEAL_LANE, below

TABLES = comb(40, 4)

REDEALS = np.dtype(
    [
        ("misdeals", np.uint64),  # how many of all tables
        ("most", np.uint64),  # at least as many as are misdeals among the tables before any other, see above
        ("sets", np.uint64),  # tables before any other
        ("tables", np.uint64, TABLES),  # the misdeals, as masks
    ],
    align=True,
)
"""The misdeals of some rules."""

redeals_at = record_at(types.Record(REDEALS))

_MOST_NOTED = np.uint64(MISDEALS)


@inline
def table_before(r, p, number, stock):
    """The misdeal of a number; where tables are buried, of those within the stock, a mask. ZERO if there is none."""
    if not r.bury_table:
        return p.tables[number]
    for i in range(p.misdeals):
        if p.tables[i] & ~stock == ZERO:
            if number == ZERO:
                return p.tables[i]
            number -= ONE
    return ZERO


@inline
def draw_misdeals(r, w, table):
    """Write the misdeals before the last table to ``w.misdealt``, in the order of time, and return their number.

    All bits where the deal is to be thrown away.
    """
    p = redeals_at(w.redeals)
    if p.misdeals == ZERO:
        return ZERO
    first = r.table_cards + r.players * r.plan[0]
    stock = cards_in(w.deck, first, np.uint64(40) - first)
    number = ZERO
    while True:
        drawn = below(w.states, DEAL_LANE, p.sets)
        if drawn >= p.most:
            break
        before = table_before(r, p, drawn, stock)
        if before == ZERO:
            return ALL_BITS
        stock ^= before | table
        table = before
        w.misdealt[min(number, _MOST_NOTED - ONE)] = table
        number += ONE
        if number == r.misdeals_lose:
            return ALL_BITS
    i, j = ZERO, min(number, _MOST_NOTED)
    while i + ONE < j:
        j -= ONE
        w.misdealt[i], w.misdealt[j] = w.misdealt[j], w.misdealt[i]
        i += ONE
    return number


@inline
def propose_process(r, w):
    """Propose a last deal and the misdeals before it; returns whether they fit, and the table as a mask.

    What decides the game is noted in ``w``, and the misdeals.
    """
    if not propose_deal(w):
        return False, ZERO
    table = cards_in(w.deck, ZERO, FOUR) if r.table_cards else ZERO
    wins = r.table_four_equal_wins and four_equal(r, table)
    misdealt = not wins and is_misdeal(r, table)
    if misdealt and r.misdeals_lose == np.uint64(NEVER):
        return False, ZERO
    before = draw_misdeals(r, w, table)
    if before == ALL_BITS or (misdealt and before + ONE != r.misdeals_lose):
        return False, ZERO
    if misdealt:
        w.misdealt[before] = table
    w.deal[MISDEALT] = before + ONE if misdealt else before
    w.deal[WON_AT_DEAL] = WON_BY_DEALER if wins else WON_BY_OTHERS if misdealt else ZERO
    return True, table
