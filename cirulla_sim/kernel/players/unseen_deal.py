"""Sampled deals of the unseen cards.

A deal agrees with the information set of the seat: cards gone, cards shown; a seat that could have knocked and did not
holds no set of three worth a bonus, in larger holdings where the rules let nobody wait with one. And it agrees with the
plays of the stage: a style of play is drawn for every other seat, with cards (see ``opponents.py``); if it is the
model's or greedy's, the seat can hold the cards from which it would have played as it did, given what it held and saw
at each of its plays. If not, holdings have the likelihoods of ``opponents.py``. Style and cards are rejected together,
so the plays of the stage tell about both.

Every seat is offered all unseen cards once before any of them a second time. Each deal is as likely as before, but the
deals of a position differ more: 16 of them make 0.2 more of ``careful`` with four players.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, TWO, ZERO, highest, lowest, popcount, select
from ..game.bonuses import bonus_of
from ..game.flat import WORD
from ..game.hand import SEATS, STYLES
from ..jit import inline, noinline
from .knock import holds_set, left_over
from .opponent_query import agreeing
from .opponents import GRAINS, MODEL, OTHER, draw_style, fill_styles, likelihood
from .view import roll, unseen

F = np.float32

TRIES, TRIES_OF_MANY = 40, 8
"""How often a holding that disagrees with a play is dealt again, up to three cards and larger. Then the one that agrees
with most plays, from the last, is used.

Few large ones agree with all plays of a long stage. With 16 deals of four players 8 tries make 1.68 of ``careful`` in
Scopone Scientifico, 4 make 1.48 in three quarters of the time, 16 make 1.73 in a third more (each ± 0.07); in
Cirullone, where players may wait with sets, it is 2.2 with 4, 8 or 20. With ``opponents.py`` alone for large holdings
it was 1.15 and 2.0.
"""

DEALS = np.dtype(
    [
        ("unseen", WORD),  # mask of the unseen cards
        ("offered", WORD, SEATS),  # mask of those that a seat has been offered, until it has been offered all
        ("agreed", np.uint8, (TWO, SEATS, 40, 40)),  # by style of play, seat and hidden cards, see ``agreement``
        ("styles", WORD, (SEATS, STYLES)),  # by seat, weights of the styles of play, see opponents.py
    ],
    align=True,
)
"""The scratch of this file."""

RETAKES = 30
"""How often a large holding is dealt again before a try, if it has a set that would have been shown: most have one."""

AGREES = np.uint8(255)
"""The agreement of a holding with which all plays agree."""

_THREE = np.uint64(3)


@inline
def keeps_silent(r, m, view, seat, held):
    """Whether a holding agrees with a seat's not having knocked; of larger ones nothing is known if seats may wait."""
    if r.plan[view.stage] > _THREE:
        return not r.must_show or not holds_set(r, left_over(r, view, seat, held, m.sets), m.sets)
    cards = held | view.played[seat]
    if not view.declined[seat] or popcount(cards) != _THREE:
        return True
    return bonus_of(r, cards) == ZERO


@inline
def take(m, view, seat, free, count):
    """A mask of ``count`` of the cards ``free``, at random among those that the seat has not been offered."""
    held = ZERO
    while count:
        left = m.deals.unseen & ~m.deals.offered[seat] & ~held
        if left == ZERO:
            m.deals.offered[seat] = ZERO
            continue
        card = ONE << select(left, roll(view, popcount(left)))
        m.deals.offered[seat] |= card
        if card & free:
            held |= card
            count -= ONE
    return held


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
def deal_seats(r, m, view, first, free):
    """Deal the seats from ``first`` on what they lack of the cards ``free``, all deals as likely."""
    for i in range(first, r.players):
        seat = np.uint64(i)
        if seat == view.seat:
            m.holdings[seat] = view.holding
            continue
        hidden = take(m, view, seat, free, view.held[seat] - popcount(view.shown[seat]))
        m.holdings[seat] = view.shown[seat] | hidden
        free ^= hidden


@noinline
def prepare_deals(r, m, view, u):
    """Prepare the sampling of deals of a position; leaves one in ``m.holdings``, all that fit what is shown as likely.

    ``prepare_queries`` goes before.
    """
    m.deals.unseen = unseen(view)
    m.deals.offered[:] = ZERO
    m.deals.agreed[:] = 0
    fill_styles(r, view, u.certain, m.deals.styles)
    deal_seats(r, m, view, ZERO, m.deals.unseen)


@inline
def agreement(r, m, view, u, seat, hidden):
    """How many plays of a seat in the stage, plus one, agree with some hidden cards, a mask, in ``m.holdings``.

    ``AGREES`` if all. For up to two cards the result is cached for the position, if the seat sees no other cards.
    """
    first, last = lowest(hidden), highest(hidden)
    few, agreed = popcount(hidden) <= TWO and not r.open_partners, m.deals.agreed[u.sampled_styles[seat], seat]
    if few and agreed[first, last]:
        return agreed[first, last]
    would, total = agreeing(r, m, view, u, seat)
    result = AGREES if would == total else np.uint8(would + ONE)
    if few:
        agreed[first, last] = result
    return result


@noinline
def deal_holding(r, m, view, u, seat, free):
    """Deal a seat what it lacks of the cards ``free``, into ``m.holdings``; returns the cards left."""
    shown = view.shown[seat]
    lacking = view.held[seat] - popcount(shown)
    m.holdings[seat], u.sampled_styles[seat] = shown, MODEL
    if not lacking:
        return free
    best, most, style = ZERO, np.uint8(0), MODEL
    for _ in range(TRIES if r.plan[view.stage] <= _THREE else TRIES_OF_MANY):
        hidden = take(m, view, seat, free, lacking)
        if r.must_show and r.plan[view.stage] > _THREE:
            for _ in range(RETAKES):
                if keeps_silent(r, m, view, seat, shown | hidden):
                    break
                hidden = take(m, view, seat, free, lacking)
        m.holdings[seat] = shown | hidden
        u.sampled_styles[seat] = draw_style(view, m.deals.styles[seat])
        if r.open_partners:  # the seat sees the cards of its partner, which must differ from its own
            deal_seats(r, m, view, seat + ONE, free ^ hidden)
        belief = np.uint8(0)  # the cards are impossible, or rejected by likelihood
        if keeps_silent(r, m, view, seat, m.holdings[seat]):
            if u.sampled_styles[seat] != OTHER:
                belief = agreement(r, m, view, u, seat, hidden)
            elif is_drawn(m, view, seat, hidden):
                belief = AGREES
        if belief == AGREES:
            return free ^ hidden
        if belief and belief >= most:
            best, most, style = hidden, belief, u.sampled_styles[seat]
    if best:
        m.holdings[seat], u.sampled_styles[seat] = shown | best, style
    return free & ~m.holdings[seat]


@inline
def deal_believed(r, m, view, u):
    """Deal the unseen cards into ``m.holdings``, which has a deal already, in agreement with the plays of the stage.

    The styles of play that go with it are written into ``u``.
    """
    free = m.deals.unseen
    for i in range(r.players):
        seat = np.uint64(i)
        if seat != view.seat:
            free = deal_holding(r, m, view, u, seat, free)
