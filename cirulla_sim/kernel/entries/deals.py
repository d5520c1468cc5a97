"""Deals: counted, written down, or under constraints.

The misdeals before a given last deal: the whole dealing process, conditioned on where it ends.

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
from ..game.bits import ONE, ZERO
from ..game.bonuses import FOUR, four_equal, is_misdeal
from ..game.constrained_deal import ALL_BITS, CONSTRAINTS, constraints_at, is_fitting, propose_deal
from ..game.flat import NEVER, flat_type
from ..game.hand import (
    MISDEALS,
    MISDEALT,
    WON_AT_DEAL,
    WON_BY_DEALER,
    WON_BY_OTHERS,
    call_dealer,
    cards_in,
    deal_stage,
    deal_with_constraints,
    dealer_signature,
    work_type,
)
from ..game.hand_notes import notes_type, write_notes
from ..game.streams import DEAL_LANE, batch_type, below, shuffle, start
from ..jit import entry, inline, record_at

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


ITEM = np.uint64(CONSTRAINTS.itemsize)


@inline
def meets_one(w):
    """Whether the deal meets one of the constraints that follow, if there are any."""
    meets = w.testers == ZERO
    for i in range(w.testers):
        meets = meets or is_fitting(constraints_at(w.constraints + (ONE + np.uint64(i)) * ITEM), w)
    return meets


@entry(dealer_signature)
def deal(r, w, again):
    """Fill the deal order; with ``again`` as the last deal of the whole process, misdeals before it and all."""
    w.deal[WON_AT_DEAL] = ZERO
    w.deal[MISDEALT] = ZERO
    every = w.constraints
    if w.alternatives > ONE:
        w.constraints += below(w.states, DEAL_LANE, w.alternatives) * (ONE + w.testers) * ITEM
    fits, cards = False, ZERO
    while not fits:
        if again:
            fits, cards = propose_process(r, w)
        else:
            fits = propose_deal(w)
        fits = fits and meets_one(w)
    if not again and r.table_cards:
        cards = cards_in(w.deck, ZERO, FOUR)
    w.constraints = every
    return cards


@entry(types.uint64(types.uint64, types.uint64, work_type))
def count_fitting(seed, tries, w):
    """How many of a number of proposed deals fit, with the random numbers of a seed."""
    start(w.states, seed, ZERO)
    number = ZERO
    for _ in range(tries):
        if propose_deal(w) and meets_one(w):
            number += ONE
    return number


@entry(types.uint64(flat_type, types.uint64, types.uint64, work_type))
def count_played(r, seed, tries, w):
    """How many of so many processes proposed fit and end with a table that is played, as above."""
    start(w.states, seed, ZERO)
    number = ZERO
    for _ in range(tries):
        if propose_process(r, w)[0] and meets_one(w) and w.deal[WON_AT_DEAL] == ZERO:
            number += ONE
    return number


@entry(types.void(flat_type, batch_type, types.boolean, types.uint64, work_type, notes_type))
def sample_deals(r, batch, again, stages, w, notes):
    """Deal hands and write them to notes, with the knocks of the first ``stages`` stages.

    ``again`` tells whether misdeals are dealt again; without it the first shuffle stays, whatever the table is.
    """
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
            shuffle(w.states, w.deck, w.swaps)
        for stage in range(stages):
            deal_stage(r, w, stage)
        write_notes(r, w, i, notes)
