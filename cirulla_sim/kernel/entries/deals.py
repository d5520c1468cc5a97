"""Deals: counted, written down, or under constraints."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import types
from ..game.bits import ONE, ZERO
from ..game.bonuses import (
    FOUR,
    LOW,
    LOW_NO_ACE,
    THREE,
    TRIPLE,
    choose_sets,
    holding_bonus,
    kind_of,
    points_of,
    table_bonus,
)
from ..game.constrained_deal import CONSTRAINTS, constraints_at, is_fitting, propose_deal
from ..game.earlier_misdeals import propose_process
from ..game.flat import flat_type
from ..game.hand import (
    MISDEALT,
    WON_AT_DEAL,
    call_dealer,
    cards_in,
    deal_stage,
    deal_table,
    deal_with_constraints,
    dealer_signature,
    work_type,
)
from ..game.streams import DEAL_LANE, batch_type, below, shuffle, start, start_deal
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


COUNTS = (
    "misdeals",  # tables dealt again
    "dealer_won", "others_won",  # hands decided at the deal, in which nothing below is counted
    "table_plain", "table_15", "table_30", "table_low", "points_table_bonus",
    "low", "low_no_ace", "triple", "knock", "points_hand_bonus",  # low ones without an ace are low ones too
    "any_low", "any_low_no_ace", "any_triple", "any_knock",  # hands with at least one
)  # fmt: skip
"""What is counted, in the order of the places of ``counts``."""

_MISDEALS, _TABLES, _TABLE_POINTS = (COUNTS.index(name) for name in ("misdeals", "table_plain", "points_table_bonus"))
_KINDS, _POINTS, _ANY = (COUNTS.index(name) for name in ("low", "points_hand_bonus", "any_low"))
_DIGIT = np.uint64(0xFFFF)


@inline
def add_bonus(kinds, points, bonus):
    """Count one more bonus, a word: its kind, as a number of 16 bits a kind in one word, and its points."""
    return kinds + (ONE << (kind_of(bonus) << FOUR)), points + points_of(bonus)


@inline
def number_of(kinds, kind):
    """How many bonuses of a kind were counted."""
    return (kinds >> (kind << FOUR)) & _DIGIT


@inline
def count_knocks(r, w):
    """The bonuses of all holdings of a hand, by kind and in points; those of three cards without a branch."""
    kinds, points, place = ZERO, ZERO, r.table_cards
    for stage in range(r.stages):
        size = r.plan[stage]
        for _ in range(r.players):
            if size == THREE:
                kinds, points = add_bonus(kinds, points, holding_bonus(r, w.deck, place))
            elif size > THREE and r.knocks:
                w.knocks[:, 0] = ZERO
                choose_sets(r, cards_in(w.deck, place, size), ZERO, ZERO, w.knocks, w.candidates)
                for k in range(size // THREE):
                    kinds, points = add_bonus(kinds, points, w.knocks[np.uint64(k), 0])
            place += size
    return kinds, points


@entry(types.void(flat_type, types.uint64, types.uint64, types.uint64, work_type, types.int64[::1]))
def run_deals(r, seed, first, hands, w, counts):
    """Deal hands ``first`` to ``first + hands - 1`` of a seed without playing them, and count what they bring.

    They are the deals of the same hands when they are played. ``counts`` is int64[len(COUNTS)], added to.
    """
    for i in range(hands):
        start_deal(w.states, seed, first + i)
        cards = deal_table(r, w)
        counts[_MISDEALS] += w.deal[MISDEALT]
        if w.deal[WON_AT_DEAL]:
            counts[np.uint64(_MISDEALS) + w.deal[WON_AT_DEAL]] += 1
            continue
        bonus = table_bonus(r, cards)
        counts[np.uint64(_TABLES) + kind_of(bonus)] += 1
        counts[_TABLE_POINTS] += points_of(bonus)
        kinds, points = count_knocks(r, w)
        no_ace, triple = number_of(kinds, LOW_NO_ACE), number_of(kinds, TRIPLE)
        low = number_of(kinds, LOW) + no_ace
        counts[_KINDS] += low
        counts[_KINDS + 1] += no_ace
        counts[_KINDS + 2] += triple
        counts[_KINDS + 3] += low + triple
        counts[_POINTS] += points
        counts[_ANY] += low > ZERO
        counts[_ANY + 1] += no_ace > ZERO
        counts[_ANY + 2] += triple > ZERO
        counts[_ANY + 3] += low + triple > ZERO
