"""Deals of the cards that a seat does not see, drawn with the probability that the plays of the stage give them.

A deal agrees with the information of the seat: cards gone, cards shown, and that a seat that would have shown a set and
did not holds none. There are two ways to draw one, with a stream of random numbers each.

Rollouts of advice deal all hidden cards at once, the forgotten ones and the stock too, and begin again where the deal
disagrees or its likelihood (``opponents.py``) rejects it: so they keep to any constraints, and deal number ``n`` of a
seed is the same wherever it is dealt.

``search`` deals the holdings, seat by seat, many times a play; larger ones may hold a set unless the rules let nobody
wait with one. A style of play is drawn for every other seat, with cards (see ``opponents.py``); if it is the model's or
greedy's, the seat can hold the cards from which it would have played as it did, given what it held and saw at each of
its plays. If not, holdings have the likelihoods of ``opponents.py``. Style and cards are rejected together, so the
plays of the stage tell about both. Every seat is offered all unseen cards once before any of them a second time: each
deal is as likely as before, but the deals of a position differ more: 16 of them make 0.2 more of ``careful`` with four
players.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import types
from ..game.bits import ONE, TWO, ZERO, highest, lowest, popcount, select
from ..game.bonuses import best_sets, bonus_of, knock_word, shown_in
from ..game.flat import WORD
from ..game.hand import AT_ONCE, HAND, LAST_CAPTURE, NOBODY, PLAYS, SEATS, STYLES, call_dealer, may_show_later
from ..game.plays import side_of
from ..game.scoring import COLUMN
from ..game.streams import below, start
from ..jit import inline, noinline
from .knock import cards_without_set, holds_set, plays_of
from .opponent_query import agreeing
from .opponents import GRAINS, MODEL, OTHER, draw_style, fill_styles, likelihood, read_plays, reading_type
from .view import roll_dice, sees_holding, unseen_cards, view_table, view_type

F = np.float32
_THREE = np.uint64(3)
_SCOPE = COLUMN["scope"]

# ------------------------------------------------------------------------------------------------ all cards at once

MOST_DEALT = 2000
"""How often cards are dealt again if they disagree with what was shown and what was not.

If all disagree, a seat has kept a set back: then only the shown cards count.
"""

LOOKS = 256
"""Deals that are tried to find the largest likelihood, given the plays of the stage."""

STREAMS = 1 + SEATS


class Memory(NamedTuple):
    """What a seat sees and does not remember, and scratch."""

    views: np.ndarray  # ``view.VIEW``[1]: what it sees
    readings: np.ndarray  # ``opponents.READING``[1]: scratch
    states: np.ndarray  # uint64[5]: scratch, the streams of a deal
    unowned: np.uint64  # mask of the cards gone of which it does not know who captured them
    forgotten: np.uint64  # the number of unseen cards that are gone
    shown: np.uint64  # mask of the cards that it has shown itself


memory_type = types.Tuple(
    (view_type[::1], reading_type[::1], types.uint64[::1], types.uint64, types.uint64, types.uint64), Memory
)


@inline
def hidden_cards(memory):
    """The mask of the unseen cards that are held, forgotten or in the stock."""
    return unseen_cards(memory.views[0]) & ~memory.unowned


@inline
def shuffle_hidden(r, w, cards):
    """Shuffle hidden cards, a mask, into the end of the deal order; it keeps to the constraints, if there are any."""
    if w.dealer:
        call_dealer(w.dealer, r, w, False)
        return
    size = popcount(cards)
    first = np.uint64(PLAYS) - size
    for i in range(size):
        w.deck[first + np.uint64(i)] = lowest(cards)
        cards &= cards - ONE
    for k in range(size - ONE):
        i = first + np.uint64(k)
        j = i + below(w.states, ZERO, size - np.uint64(k))
        w.deck[i], w.deck[j] = w.deck[j], w.deck[i]


@inline
def deal_hidden(r, w, memory, cards):
    """Deal hidden cards, a mask, from the end of the deal order: to the holdings, the cards gone, the stock.

    Returns the mask of the forgotten ones.
    """
    view, first = memory.views[0], np.uint64(PLAYS) - popcount(cards)
    for i in range(r.players):
        seat = np.uint64(i)
        held = view.holding if seat == view.seat else view.shown[seat]
        while popcount(held) < view.held[seat]:
            held |= ONE << np.uint64(w.deck[first])
            first += ONE
        w.held[seat] = held
        w.dealt[seat] = held | view.played[seat]
    gone = ZERO
    for _ in range(memory.forgotten):
        gone |= ONE << np.uint64(w.deck[first])
        first += ONE
    return gone


@inline
def had_its_time(r, view, k, seat):
    """Whether another seat has had its time to show its set number ``k`` of the stage, if it shows at once."""
    when = k * _THREE if r.shown_first else ZERO
    return plays_of(r, view, seat) > when or (when == ZERO and r.shown_at_deal)


@inline
def shows_by_rule(r, w, view, seat, size):
    """Whether a seat that shows its best sets at once would have shown with the cards dealt what it has shown."""
    first, second, third = best_sets(r, w.dealt[seat], w.candidates)
    shown = ZERO
    for k in range(size // _THREE):
        if had_its_time(r, view, np.uint64(k), seat):
            shown |= shown_in(first if k == 0 else second if k == 1 else third) & w.held[seat]
    return shown == view.shown[seat] and (first == ZERO) == (view.declined[seat] != ZERO)


@inline
def keeps_no_set(r, w, view, seat, size):
    """Whether the cards dealt to another seat agree with what it has shown and what not."""
    best, shown, held = w.options[side_of(r, seat), AT_ONCE], view.shown[seat], w.held[seat]
    if not had_its_time(r, view, ZERO, seat):
        return True
    is_known, later = popcount(w.dealt[seat]) == size, may_show_later(r, size)
    at_once = r.must_show or best
    if later and is_known and best:
        return shows_by_rule(r, w, view, seat, size)
    if view.declined[seat]:
        cards = w.dealt[seat] if is_known else held
        return (later and not at_once) or not holds_set(r, cards, w.candidates)
    if not later:
        return not holds_set(r, held & ~shown, w.candidates)
    # Every set takes three turns to play: with nothing left of one between them the seat has had none since.
    return (
        not at_once or shown != ZERO or plays_of(r, view, seat) % _THREE == ZERO or not holds_set(r, held, w.candidates)
    )


@inline
def note_shown(r, w, memory):
    """Note the cards that each seat has shown in the stage, as far as they are known, as a knock without points."""
    w.knocks[:] = ZERO
    view = memory.views[0]
    size, slot = r.plan[view.stage], r.slots[view.stage]
    if not r.knocks or size < _THREE:
        return
    for i in range(r.players):
        seat = np.uint64(i)
        shown = view.shown[seat]
        if seat == view.seat:
            shown = memory.shown | view.first[seat]
        elif sees_holding(r, view, seat):
            shown = view.first[seat]
            if size == _THREE and had_its_time(r, view, ZERO, seat) and holds_set(r, w.dealt[seat], w.candidates):
                shown = w.dealt[seat]
        elif shown == ZERO and view.declined[seat] == ZERO and had_its_time(r, view, ZERO, seat):
            shown = view.played[seat]  # a set of which nothing is left
        w.knocks[slot, seat] = knock_word(shown, ZERO)


@inline
def likelihood_of_deal(r, w, view, reading):
    """The likelihood of the plays of the stage given the cards dealt, up to a factor."""
    chance = F(1)
    for i in range(r.players):
        seat = np.uint64(i)
        if seat != view.seat:
            chance *= likelihood(reading, seat, w.held[seat] & ~view.shown[seat])
    return chance


@inline
def deal_once(r, w, memory):
    """Deal the hidden cards; returns whether they agree with what the others have shown in the stage, and what not."""
    cards, view = hidden_cards(memory), memory.views[0]
    shuffle_hidden(r, w, cards)
    deal_hidden(r, w, memory, cards)
    size, agrees = r.plan[view.stage], True
    if r.knocks and size >= _THREE:
        for i in range(r.players):
            seat = np.uint64(i)
            agrees = agrees and (sees_holding(r, view, seat) or keeps_no_set(r, w, view, seat, size))
    return agrees


@noinline
def read_stage(r, w, memory, seed):
    """Read the plays of the stage, and find the largest likelihood of a deal: the same for all deals of a seed."""
    view, reading = memory.views[0], memory.readings[0]
    read_plays(r, view, view_table(r, view), unseen_cards(view), reading)
    if not reading.informative:
        return
    start(w.states, seed, ZERO)
    reading.bound = F(0)
    for _ in range(LOOKS):
        if deal_once(r, w, memory):
            reading.bound = max(reading.bound, likelihood_of_deal(r, w, view, reading))


@inline
def find_deal(r, w, memory, seed, index):
    """Find deal number ``index``: it is left in the deal order, and the streams as they are then in ``memory``."""
    start(w.states, seed, index)
    view, reading = memory.views[0], memory.readings[0]
    for attempt in range(MOST_DEALT + 1):
        if not deal_once(r, w, memory) and attempt < MOST_DEALT:
            continue
        if not reading.informative:
            break
        chance = likelihood_of_deal(r, w, view, reading)
        if F(below(w.states, ZERO, GRAINS)) * reading.bound < chance * F(GRAINS):
            break
    for i in range(STREAMS):
        memory.states[i] = w.states[i]


@inline
def set_up(r, w, memory, index):
    """Set up the hand of the deal found."""
    for i in range(STREAMS):
        w.states[i] = memory.states[i]
    view = memory.views[0]
    lost = deal_hidden(r, w, memory, hidden_cards(memory))
    note_shown(r, w, memory)
    w.deal[:] = ZERO
    w.deal[HAND] = index
    w.styles[:] = ZERO
    w.score[:] = 0
    here = r.plays - view.plays_left - r.begins[view.stage]
    for i in range(here):  # the next seats see these plays too
        w.history[r.begins[view.stage] + np.uint64(i)] = view.history[i] if view.history_size == here else ZERO
    for i in range(4):
        w.pile[i] = view.pile[i]
        w.score[i, _SCOPE] = view.points[i]
    lost |= memory.unowned
    while lost:  # each into a random pile
        w.pile[below(w.states, ZERO, r.sides)] |= lost & (ZERO - lost)
        lost &= lost - ONE
    w.deal[LAST_CAPTURE] = view.last_capture
    if view.last_capture == NOBODY and (w.pile[0] | w.pile[1] | w.pile[2] | w.pile[3]):
        taker = below(w.states, ZERO, r.players)
        while not w.pile[side_of(r, taker)]:
            taker = below(w.states, ZERO, r.players)
        w.deal[LAST_CAPTURE] = taker


# ------------------------------------------------------------------------------------------------ seat by seat

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
        ("agreed", np.uint8, (TWO, SEATS, 40, 40)),  # by style of play, seat and hidden cards, see ``cached_agreement``
        ("styles", WORD, (SEATS, STYLES)),  # by seat, weights of the styles of play, see opponents.py
    ],
    align=True,
)
"""The scratch of this file."""

RETAKES = 30
"""How often a large holding is dealt again before a try, if it has a set that would have been shown: most have one."""

AGREES = np.uint8(255)
"""The agreement of a holding with which all plays agree."""


@inline
def keeps_silent(r, m, view, seat, held):
    """Whether a holding agrees with a seat's not having knocked; of larger ones nothing is known if seats may wait."""
    if r.plan[view.stage] > _THREE:
        return not r.must_show or not holds_set(r, cards_without_set(r, view, seat, held, m.sets), m.sets)
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
        card = ONE << select(left, roll_dice(view, popcount(left)))
        m.deals.offered[seat] |= card
        if card & free:
            held |= card
            count -= ONE
    return held


@inline
def is_accepted(m, view, seat, hidden):
    """Whether hidden cards dealt to a seat are accepted, at random by the likelihood of its plays in this stage."""
    reading = m.reading
    if not reading.informative or hidden == ZERO:
        return True
    bound = F(GRAINS)
    for _ in range(popcount(hidden)):
        bound /= reading.most[seat]
    return F(roll_dice(view, GRAINS)) < likelihood(reading, seat, hidden) * bound


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
    m.deals.unseen = unseen_cards(view)
    m.deals.offered[:] = ZERO
    m.deals.agreed[:] = 0
    fill_styles(r, view, u.certain, m.deals.styles)
    deal_seats(r, m, view, ZERO, m.deals.unseen)


@inline
def cached_agreement(r, m, view, u, seat, hidden):
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
                belief = cached_agreement(r, m, view, u, seat, hidden)
            elif is_accepted(m, view, seat, hidden):
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
