"""Deals: counted, written down, or under constraints."""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ONE, ZERO
from ..game.bonuses import FOUR
from ..game.constrained_deal import CONSTRAINTS, constraints_at, is_fitting, propose_deal
from ..game.earlier_misdeals import propose_process
from ..game.flat import flat_type
from ..game.hand import (
    MISDEALT,
    WON_AT_DEAL,
    call_dealer,
    cards_in,
    deal_stage,
    deal_with_constraints,
    dealer_signature,
    work_type,
)
from ..game.hand_notes import notes_type, write_notes
from ..game.streams import DEAL_LANE, batch_type, below, shuffle, start
from ..jit import entry, inline

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
