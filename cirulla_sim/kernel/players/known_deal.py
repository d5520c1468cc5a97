"""Deals of the cards that a seat does not see, as rollouts begin with: drawn whole, in agreement with all it knows.

A deal gives the hidden cards to the holdings and shuffles the stock. It agrees with the information of the seat: cards
gone, cards shown, and that a seat that would have shown a set and did not holds none. It is drawn with the
probability that the plays of the stage give it (``opponents.py``), and is a pure function of seed and number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import types
from ..game.bits import ONE, ZERO, lowest, popcount
from ..game.bonuses import best_sets, knock_word, shown_in
from ..game.hand import AT_ONCE, HAND, LAST_CAPTURE, NOBODY, PLAYS, SEATS, call_dealer, may_show_later
from ..game.plays import side_of
from ..game.scoring import COLUMN
from ..game.streams import below, start
from ..jit import inline, noinline
from .knock import holds_set
from .opponents import GRAINS, likelihood, read_plays, reading_type
from .view import lies_open, unseen, view_table, view_type

F = np.float32

TRIES = 2000
"""How often cards are dealt again if they disagree with what was shown and what was not.

If all disagree, a seat has kept a set back: then only the shown cards count.
"""

LOOKS = 256
"""Deals that are tried to find the largest likelihood, given the plays of the stage."""

_THREE = np.uint64(3)
STREAMS = 1 + SEATS
_SCOPE = COLUMN["scope"]


class Memory(NamedTuple):
    """What a seat sees and does not remember, and scratch."""

    views: np.ndarray  # ``view.VIEW``[1]: what it sees
    readings: np.ndarray  # ``reading.READING``[1]: scratch
    states: np.ndarray  # uint64[5]: scratch, the streams of a deal
    unowned: np.uint64  # mask of the cards gone of which it does not know who captured them
    forgotten: np.uint64  # the number of unseen cards that are gone
    shown: np.uint64  # mask of the cards that it has shown itself


memory_type = types.NamedTuple(
    (view_type[::1], reading_type[::1], types.uint64[::1], types.uint64, types.uint64, types.uint64), Memory
)


@inline
def hidden_cards(memory):
    """The mask of the unseen cards that are held, forgotten or in the stock."""
    return unseen(memory.views[0]) & ~memory.unowned


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
def plays_made(r, view):
    """How many plays have been made in the stage."""
    return r.plays - view.plays_left - r.begins[view.stage]


@inline
def plays_of(r, view, seat):
    """How many of them a seat has made."""
    played = plays_made(r, view)
    return played // r.players + np.uint64(seat < played % r.players)


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
        elif lies_open(r, view, seat):
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
def is_drawn(r, w, view, reading):
    """Whether the cards dealt are accepted, at random by their likelihood given the plays of the stage."""
    if not reading.informative:
        return True
    chance = likelihood_of_deal(r, w, view, reading)
    return F(below(w.states, ZERO, GRAINS)) * reading.bound < chance * F(GRAINS)


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
            agrees = agrees and (lies_open(r, view, seat) or keeps_no_set(r, w, view, seat, size))
    return agrees


@noinline
def read(r, w, memory, seed):
    """Read the plays of the stage, and find the largest likelihood of a deal: the same for all deals of a seed."""
    view, reading = memory.views[0], memory.readings[0]
    read_plays(r, view, view_table(r, view), unseen(view), reading)
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
    for attempt in range(TRIES + 1):
        agrees = deal_once(r, w, memory)
        if (agrees or attempt == TRIES) and is_drawn(r, w, view, reading):
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
    here = plays_made(r, view)
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
