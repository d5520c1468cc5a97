"""Sampled deals of the unseen cards.

A deal agrees with the information set of the seat: cards gone, cards shown; a seat that could have knocked and did not
holds no set of three worth a bonus. And it agrees with the plays of the stage. Every other seat follows the opponent
model or, unless that is certain, with a small chance another policy. If it follows the model, it can hold the cards
from which the model would have played as the seat did, given what the seat held and saw at each of its plays. If not,
holdings have the likelihoods of ``reading.py``.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, TWO, ZERO, highest, lowest, popcount
from ..game.bonuses import bonus_of
from ..game.flat import WORD
from ..game.hand import SEATS
from ..jit import inline, noinline
from .opponent_query import agreeing
from .reading import GRAINS, likelihood
from .view import roll, unseen

F = np.float32

DOUBT = F(0.1)
"""The chance that a seat does not follow the opponent model. With 0 instead, 0.08 more is won against ``careful``, and
as much less against ``greedy``, four players; between 0.1 and 0.3 no difference was measured."""

TRIES, TRIES_OF_MANY = 40, 8
"""How often a holding that disagrees with a play is dealt again, up to three cards and larger. Then the one that agrees
with most plays, from the last, is used.

Few large ones agree with all plays of a long stage. With 16 deals of four players 8 tries make 1.68 of ``careful`` in
Scopone Scientifico, 4 make 1.48 in three quarters of the time, 16 make 1.73 in a third more (each ± 0.07); in Cirullone
it is 2.2 with 4, 8 or 20. With ``reading.py`` alone for large holdings it was 1.15 and 2.0.
"""

DEALS = np.dtype(
    [
        ("cards", WORD, 40),  # the unseen cards one by one
        ("agreed", np.uint8, (SEATS, 40, 40)),  # by seat and its hidden cards, see ``agreement``
    ],
    align=True,
)
"""The scratch of this file."""

AGREES = np.uint8(255)
"""The agreement of a holding with which all plays agree."""

_THREE = np.uint64(3)


@inline
def keeps_silent(r, view, seat, held):
    """Whether a holding agrees with a seat's not having knocked; checked for holdings of three cards only."""
    cards = held | view.played[seat]
    if not view.declined[seat] or popcount(cards) != _THREE:
        return True
    return bonus_of(r, cards) == ZERO


@inline
def lay_out(m, cards):
    """Lay out the unseen cards, a mask, one by one, to be taken; returns how many they are."""
    left = ZERO
    while cards:
        m.deals.cards[left] = lowest(cards)
        cards &= cards - ONE
        left += ONE
    return left


@inline
def take(m, view, left, count):
    """Take ``count`` of the first ``left`` unseen cards at random, a mask, and move them behind the others."""
    cards = m.deals.cards
    held = ZERO
    for k in range(count):
        last = left - ONE - np.uint64(k)
        j = roll(view, last + ONE)
        card = cards[j]
        cards[j] = cards[last]
        cards[last] = card
        held |= ONE << card
    return held


@inline
def set_aside(m, left, held):
    """Put some of the first ``left`` unseen cards, a mask, behind the others of them."""
    cards, last = m.deals.cards, left
    for back in range(left):
        i = left - ONE - np.uint64(back)
        card = cards[i]
        if held >> card & ONE:
            last -= ONE
            cards[i], cards[last] = cards[last], card


@inline
def is_drawn(m, view, seat, hidden):
    """Whether hidden cards dealt to a seat are accepted, at random by the likelihood of its plays in this stage."""
    reading = m.reading
    if not reading.informative or hidden == ZERO:
        return True
    bound = F(GRAINS)
    for _ in range(popcount(hidden)):
        bound /= reading.most[seat]
    return F(roll(view, GRAINS)) < likelihood(reading, seat, hidden) * bound


@inline
def deal_seats(r, m, view, first, left):
    """Deal the seats from ``first`` on what they lack of the first ``left`` unseen cards, all deals as likely."""
    for i in range(first, r.players):
        seat = np.uint64(i)
        if seat == view.seat:
            m.holdings[seat] = view.holding
            continue
        lacking = view.held[seat] - popcount(view.shown[seat])
        m.holdings[seat] = view.shown[seat] | take(m, view, left, lacking)
        left -= lacking


@noinline
def deal_evenly(r, m, view):
    """Deal the unseen cards into ``m.holdings``, all that agree with what is shown as likely."""
    deal_seats(r, m, view, ZERO, lay_out(m, unseen(view)))


@inline
def forget_agreements(m):
    """Clear the agreements of other positions."""
    m.deals.agreed[:] = 0


@inline
def agreement(r, m, view, u, seat, hidden):
    """How many plays of a seat in the stage, plus one, agree with some hidden cards, a mask, in ``m.holdings``.

    ``AGREES`` if all. For up to two cards the result is cached for the position, if the seat sees no other cards.
    """
    first, last = lowest(hidden), highest(hidden)
    few = popcount(hidden) <= TWO and not r.open_partners
    if few and m.deals.agreed[seat, first, last]:
        return m.deals.agreed[seat, first, last]
    would, total = agreeing(r, m, view, u, seat)
    result = AGREES if would == total else np.uint8(would + ONE)
    if few:
        m.deals.agreed[seat, first, last] = result
    return result


@inline
def is_believed(r, m, view, u, seat, hidden):
    """How far hidden cards dealt to a seat into ``m.holdings`` are plausible.

    ``AGREES`` if they are accepted, else their ``agreement``, or 0 if they are impossible or rejected by likelihood.
    """
    if not keeps_silent(r, view, seat, m.holdings[seat]):
        return np.uint8(0)
    if F(roll(view, GRAINS)) < (F(0) if u.certain else DOUBT) * F(GRAINS):
        return AGREES if is_drawn(m, view, seat, hidden) else np.uint8(0)
    return agreement(r, m, view, u, seat, hidden)


@noinline
def deal_holding(r, m, view, u, seat, left):
    """Deal a seat of the first ``left`` unseen cards what it lacks, into ``m.holdings``; returns how many are left."""
    shown = view.shown[seat]
    lacking = view.held[seat] - popcount(shown)
    m.holdings[seat] = shown
    if not lacking:
        return left
    best, most = ZERO, np.uint8(0)
    for _ in range(TRIES if r.plan[view.stage] <= _THREE else TRIES_OF_MANY):
        hidden = take(m, view, left, lacking)
        m.holdings[seat] = shown | hidden
        if r.open_partners:  # the seat sees the cards of its partner, which must differ from its own
            deal_seats(r, m, view, seat + ONE, left - lacking)
        belief = is_believed(r, m, view, u, seat, hidden)
        if belief == AGREES:
            return left - lacking
        if belief and belief >= most:
            best, most = hidden, belief
    if best:
        set_aside(m, left, best)
        m.holdings[seat] = shown | best
    return left - lacking


@inline
def deal_believed(r, m, view, u):
    """Deal the unseen cards into ``m.holdings``, which has a deal already, in agreement with the plays of the stage."""
    left = lay_out(m, unseen(view))
    for i in range(r.players):
        seat = np.uint64(i)
        if seat != view.seat:
            left = deal_holding(r, m, view, u, seat, left)
