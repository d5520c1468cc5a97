"""The entry points for advice: the legal plays of a view, and each of them played out on the same deals.

A deal gives the unseen cards to the holdings and shuffles the stock. It agrees with the information of the seat: cards
gone, cards shown, and that a seat that could have knocked and did not holds no set worth a bonus. It is drawn with the
probability that the plays of the stage give it (``players.reading``). It is a pure function of seed and number, so
every play is tried on the same deals with the same dice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import types
from ..game.bits import ONE, TWO, ZERO, lowest, popcount
from ..game.bonuses import bonus_of, choose_sets, knock_word, matta_of, points_of, shown_in
from ..game.captures import value_of, with_matta_as
from ..game.flat import flat_type
from ..game.hand import HAND, KNOCKS, LAST_CAPTURE, NOBODY, PLAYS, call_dealer, call_play, make_play, work_type
from ..game.moment import Moment, side_of
from ..game.plays import list_plays
from ..game.scoring import COLUMN
from ..game.streams import batch_type, below, start
from ..jit import entry, inline, noinline
from ..players.ask import has_shown
from ..players.knock import may_show_later
from ..players.reading import GRAINS, SWEEPS, likelihood, power_of, read_plays, reading_type
from ..players.view import unseen, view_table, view_type

TRIES = 2000
"""How often cards are dealt again if they disagree with what was shown and what was not.

If all disagree, a seat has not shown its best set at once: then only the shown cards count.
"""

ENDS = ("cards", "diamonds", "settebello", "primiera", "grande")
"""Points for piles that at most one side scores."""

SWEPT, FIRST_END = 5, 6
POINTS = FIRST_END + len(ENDS)
"""Numbers of a playout: the points of each of up to four sides; who won the game outright, 1 + side, or 0; whether
the next player of the stage holds a card that sweeps; and who scored each of ``ENDS``, 1 + side, or 0."""

F = np.float32
LOOKS = 256
"""Deals that are tried to find the largest likelihood, given the plays of the stage."""

_THREE = np.uint64(3)
_SCOPE, _HAND_BONUS, _TOTAL, _CAPPOTTO = (
    COLUMN["scope"], COLUMN["hand_bonus"], COLUMN["total"], COLUMN["cappotto"],
)  # fmt: skip
_ENDS = tuple(COLUMN[name] for name in ENDS)
_SHOWN = ONE  # a knock of which only the shown cards are known


class Memory(NamedTuple):
    """What a seat sees and does not remember, and scratch."""

    views: np.ndarray  # ``view.VIEW``[1]: what it sees
    readings: np.ndarray  # ``reading.READING``[1]: scratch
    unowned: np.uint64  # mask of the cards gone of which it does not know who captured them
    forgotten: np.uint64  # the number of unseen cards that are gone


memory_type = types.NamedTuple((view_type[::1], reading_type[::1], types.uint64, types.uint64), Memory)


@inline
def slot_of(r, stage):
    """The first slot of a stage's knocks."""
    slot = ZERO
    for i in range(stage):
        slot += r.plan[i] // _THREE
    return slot


@inline
def deal_cards(r, w, view, cards, forgotten):
    """Deal the unseen cards, a mask, into ``w``: to the holdings, ``forgotten`` of them to the cards gone, the stock.

    The deal keeps to the constraints, if there are any. Returns the mask of the forgotten ones.
    """
    size = popcount(cards)
    first = np.uint64(PLAYS) - size
    if w.dealer:
        call_dealer(w.dealer, r, w, False)
    else:
        for i in range(size):
            w.deck[first + np.uint64(i)] = lowest(cards)
            cards &= cards - ONE
        for k in range(size - ONE):
            i = first + np.uint64(k)
            j = i + below(w.states, ZERO, size - np.uint64(k))
            w.deck[i], w.deck[j] = w.deck[j], w.deck[i]
    for i in range(r.players):
        seat = np.uint64(i)
        held = view.holding if seat == view.seat else view.shown[seat]
        while popcount(held) < view.held[seat]:
            held |= ONE << np.uint64(w.deck[first])
            first += ONE
        w.held[seat] = held
        w.dealt[seat] = held | view.played[seat]
    gone = ZERO
    for _ in range(forgotten):
        gone |= ONE << np.uint64(w.deck[first])
        first += ONE
    return gone


@inline
def find_knocks(r, w, slot, seat, size):
    """Write the knocks that the dealt cards of a seat make in a stage."""
    cards = w.dealt[seat]
    if size > _THREE:
        choose_sets(r, cards, slot, seat, w.knocks, w.candidates)
        return
    bonus = bonus_of(r, cards)
    if bonus:
        w.knocks[slot, seat] = knock_word(cards, bonus)


@inline
def is_consistent(r, w, view, slot, seat, size, is_open):
    """Whether the knocks of a seat agree with what it has shown; ``is_open`` if its cards are seen anyway."""
    shown, declined = ZERO, False
    for k in range(size // _THREE):
        if has_shown(r, r.shown_at_deal, np.uint64(k), view.turn, seat, view.seat):
            knock = w.knocks[slot + np.uint64(k), seat]
            shown |= shown_in(knock) & w.held[seat]
            declined = declined or (k == 0 and knock == ZERO)
    return is_open or (shown == view.shown[seat] and declined == (view.declined[seat] != ZERO))


@inline
def settle_knocks(r, w, view, slot, size, by_rule):
    """Find the knocks of all seats; returns whether they agree with the view, and the matta's value from now on.

    Points of sets not shown yet are added to the score, except for seats that decide themselves what they show. The
    cards that a seat has shown are its knock if its plays of the stage are unknown, if it may wait with its sets, and
    unless ``by_rule``.
    """
    matta_value, agrees = view.matta_value, True
    open_stage = r.open_last_stage and view.stage + ONE == r.stages
    for i in range(r.players):
        seat = np.uint64(i)
        side = side_of(r, seat)
        decides = w.options[side, KNOCKS] != ZERO
        waits = decides and may_show_later(r, size)
        if popcount(w.dealt[seat]) < size or waits or not by_rule:
            at = slot if decides or not r.shown_first else slot + view.turn // _THREE
            shown = view.first[seat] if seat == view.seat else view.shown[seat]  # all its own cards are visible
            w.knocks[at, seat] = knock_word(shown, _SHOWN) if shown else ZERO
            continue
        find_knocks(r, w, slot, seat, size)
        is_open = seat == view.seat or open_stage or (r.open_partners and side == view.side)
        agrees = agrees and is_consistent(r, w, view, slot, seat, size, is_open)
        for k in range(size // _THREE):
            knock = w.knocks[slot + np.uint64(k), seat]
            if knock and not has_shown(r, r.shown_at_deal, np.uint64(k), view.turn, seat, view.seat):
                if decides:
                    w.knocks[slot + np.uint64(k), seat] = ZERO
                    continue
                w.score[side, _HAND_BONUS] += points_of(knock)
                if matta_of(knock):
                    matta_value = matta_of(knock)
    return agrees, matta_value


@inline
def give_away(r, w, cards):
    """Put each card of a mask into a random pile."""
    while cards:
        w.pile[below(w.states, ZERO, r.sides)] |= cards & (ZERO - cards)
        cards &= cards - ONE


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
def recall(r, w, view):
    """Copy the plays of the stage from the view, so that the next seats see them too."""
    here = view.turn * r.players + view.seat
    first = np.uint64(PLAYS) - r.table_cards - view.plays_left - here
    for i in range(here):
        w.history[first + np.uint64(i)] = view.history[i] if view.history_size == here else ZERO


@inline
def deal_once(r, w, memory, by_rule):
    """Deal the unseen cards; returns whether knocks agree, the matta's value, the cards lost."""
    w.knocks[:] = ZERO
    w.score[:] = 0
    view = memory.views[0]
    lost = deal_cards(r, w, view, unseen(view) & ~memory.unowned, memory.forgotten)
    size = r.plan[view.stage]
    if not r.knocks or size < _THREE:
        return True, view.matta_value, lost
    agrees, matta_value = settle_knocks(r, w, view, slot_of(r, view.stage), size, by_rule)
    return agrees, matta_value, lost


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
        if deal_once(r, w, memory, True)[0]:
            reading.bound = max(reading.bound, likelihood_of_deal(r, w, view, reading))


@inline
def set_up(r, w, memory, seed, index):
    """Deal the unseen cards; returns the matta's value from now on."""
    start(w.states, seed, index)
    w.deal[:] = ZERO
    w.deal[HAND] = index
    w.styles[:] = ZERO
    view, reading = memory.views[0], memory.readings[0]
    matta_value, lost = view.matta_value, ZERO
    for attempt in range(TRIES + 1):
        agrees, matta_value, lost = deal_once(r, w, memory, attempt < TRIES)
        if agrees and is_drawn(r, w, view, reading):
            break
    recall(r, w, view)
    for i in range(4):
        w.pile[i] = view.pile[i]
        w.score[i, _SCOPE] = view.points[i]
    give_away(r, w, memory.unowned | lost)
    w.deal[LAST_CAPTURE] = view.last_capture
    if view.last_capture == NOBODY and (w.pile[0] | w.pile[1] | w.pile[2] | w.pile[3]):
        w.deal[LAST_CAPTURE] = below(w.states, ZERO, r.players)
    return matta_value


@inline
def can_sweep(r, t, held):
    """Whether one of some cards, a mask, can take the whole table."""
    sweeps = False
    while held and t.cards:
        sweeps = sweeps or power_of(r, t, value_of(r, t, lowest(held))) == SWEEPS
        held &= held - ONE
    return sweeps


@inline
def play_out(r, policies, w, view, matta_value, play):
    """Make a play in the hand set up and play it out; returns whether the next player of the stage could sweep then."""
    t = view_table(r, view)
    if matta_value != t.matta_value:
        t = with_matta_as(r, t, matta_value)
    t = make_play(r, w, t, view.seat, play)
    played = np.uint64(PLAYS) - r.table_cards - view.plays_left
    w.history[played] = play
    turn, seat = view.turn, view.seat + ONE
    if seat == r.players:
        turn, seat = turn + ONE, ZERO
    swept = (view.plays_left > TWO or r.last_card_scopa) and can_sweep(r, t, w.held[seat])
    call_play(w.play, r, policies, w, t, Moment(view.stage, slot_of(r, view.stage), played + ONE, turn, seat), ONE)
    return swept


@entry(
    types.void(
        flat_type, types.uint64[::1], batch_type, memory_type, types.uint64[::1], work_type, types.int16[:, :, ::1]
    )
)
def run_playouts(r, policies, batch, memory, plays, w, points):
    """Play out each of some plays of a seat on each deal of a batch.

    ``policies`` is uint64[4], by side; ``points`` is int16[deals, plays, POINTS].
    """
    read(r, w, memory, batch.seed)
    for i in range(batch.hands):
        for k in range(plays.size):
            matta_value = set_up(r, w, memory, batch.seed, batch.first + i)
            swept = play_out(r, policies, w, memory.views[0], matta_value, plays[k])
            points[i, k, 4:] = 0
            points[i, k, SWEPT] = swept
            for side in range(4):
                points[i, k, side] = w.score[side, _TOTAL]
                for end in range(len(_ENDS)):
                    if w.score[side, _ENDS[end]]:
                        points[i, k, FIRST_END + end] = side + 1
                if r.all_diamonds_wins and w.score[side, _CAPPOTTO]:
                    points[i, k, 4] = side + 1


@entry(types.uint64(flat_type, view_type[::1], types.uint64[::1]))
def list_legal(r, views, plays):
    """Write the legal plays of a view to ``plays``, uint64[n]; returns how many."""
    view = views[0]
    return list_plays(r, view_table(r, view), view.allowed, view.plays_left == ONE, plays)


@entry(
    types.void(
        flat_type,
        types.uint64,
        types.uint64,
        view_type[::1],
        work_type,
        reading_type[::1],
        types.uint64[:, ::1],
    )
)
def deal_behind(r, seed, first, views, w, readings, holdings):
    """Deal the unseen cards of a view, deals from number ``first`` of a seed on, and write the holdings as masks.

    ``holdings`` is uint64[deals, 4]; ``readings``, an array of one, is scratch. If the view has no plays of the
    stage, all deals are equally likely.
    """
    memory = Memory(views, readings, ZERO, ZERO)
    read(r, w, memory, seed)
    for i in range(holdings.shape[0]):
        set_up(r, w, memory, seed, first + np.uint64(i))
        for seat in range(r.players):
            holdings[i, seat] = w.held[seat]
