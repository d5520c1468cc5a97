"""The states of a hand before each of its plays, and playing on from them.

A ``STANDING`` is such a state without the deal order, the plays and the knocks, which are those of the hand.
"""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ONE, ZERO, lowest, popcount
from ..game.bonuses import CARDS, matta_of, points_of, shown_in
from ..game.captures import land, remove, table_of, with_matta_as
from ..game.flat import WORD
from ..game.hand import (
    HAND,
    LAST_CAPTURE,
    NOBODY,
    PLAYS,
    SEATS,
    SIDES,
    TABLE_KIND,
    TABLE_POINTS,
    as_turn_begins,
    call_play,
    cards_in,
)
from ..game.plays import Moment, captured, card_of, is_sweep, side_of, value_in
from ..game.scoring import COLUMN
from ..game.streams import shuffle_tail, start
from ..jit import inline, noinline
from .knock import may_show_later

_THREE = np.uint64(3)
EVERYBODY = np.uint64((1 << SEATS) - 1)
"""The mask of all seats."""

_HAND_BONUS = COLUMN["hand_bonus"]

STANDING = np.dtype(
    [
        ("table", WORD),  # of captures.Table, as the two below
        ("product", WORD),
        ("matta_value", WORD),
        ("last_capture", WORD),
        ("pile", WORD, SIDES),  # mask, by side
        ("points", np.int32, SIDES),  # sweeps and bonuses so far, by side
        ("held", WORD, SEATS),  # mask, by seat
        ("dealt", WORD, SEATS),  # mask of what each seat was dealt in the stage
        ("stage", WORD),
        ("began", WORD),  # the number of the stage's first play
        ("slot", WORD),  # the first of the stage's knocks
        ("turn", WORD),
        ("seat", WORD),  # who is to play
    ],
    align=True,
)
"""The state of a hand before a play; there is one more after the last play."""

standing_type = types.Record(STANDING)
standings_type = standing_type[::1]


def new_standings() -> np.ndarray:
    """Empty states for a whole hand: ``STANDING``[PLAYS + 1]."""
    return np.zeros(PLAYS + 1, STANDING)


# ------------------------------------------------------------------------------------------------ a hand again


@inline
def has_begun(s):
    """Whether the stage has a play already."""
    return s.turn + s.seat != ZERO


@inline
def is_shown(r, w, s, knock, k, seat):
    """Whether set number ``k`` of a seat has been shown in the stage, if there is one.

    If shown cards are played before others, a set that is shown is played from at once.
    """
    gone = s.dealt[seat] & ~s.held[seat]
    if knock == ZERO:
        return False
    if not may_show_later(r, r.plan[s.stage]):
        return has_begun(s) if r.shown_at_deal else gone != ZERO
    if r.shown_at_deal and k == ZERO and has_begun(s) and gone == ZERO:
        gone = ONE << card_of(w.history[s.began + seat])
    return (shown_in(knock) & gone) != ZERO


@inline
def begin(r, w, s):
    """Write the state of the hand in ``w`` when the table was laid."""
    s.pile[:] = ZERO
    s.points[:] = 0
    s.last_capture = NOBODY
    s.table, s.matta_value = cards_in(w.deck, ZERO, r.table_cards), r.matta_value
    if w.deal[TABLE_KIND]:
        s.pile[r.sides - ONE], s.table = s.table, ZERO
        s.points[r.sides - ONE] = w.deal[TABLE_POINTS]
        s.last_capture = r.players - ONE
    s.stage, s.began, s.slot, s.turn, s.seat = ZERO, ZERO, ZERO, ZERO, ZERO


@inline
def table_at(r, s):
    """The table of a state."""
    return table_of(r, s.table, s.matta_value)


@inline
def deal_again(r, w, s, first):
    """Give every seat what it was dealt in the stage that begins, from place ``first`` of the deal order on."""
    for i in range(r.players):
        seat = np.uint64(i)
        s.dealt[seat] = cards_in(w.deck, first + seat * r.plan[s.stage], r.plan[s.stage])
        s.held[seat] = s.dealt[seat]


@inline
def step(r, w, s, after, play):
    """Write the state after a play."""
    t, seat, size = table_at(r, s), s.seat, r.plan[s.stage]
    card, got, side = card_of(play), captured(play), side_of(r, seat)
    for i in range(SEATS):
        after.pile[i], after.points[i] = s.pile[i], s.points[i]
        after.held[i], after.dealt[i] = s.held[i], s.dealt[i]
    after.held[seat] ^= ONE << card
    after.stage, after.began, after.slot = s.stage, s.began, s.slot
    after.turn, after.seat = s.turn, seat + ONE
    for i in range(r.players):
        other = np.uint64(i)
        for k in range(size // _THREE):
            knock = w.knocks[s.slot + k, other]
            if is_shown(r, w, after, knock, k, other) and not is_shown(r, w, s, knock, k, other):
                after.points[side_of(r, other)] += np.int32(points_of(knock))
                if matta_of(knock):
                    t = with_matta_as(r, t, matta_of(knock))
    after.last_capture = s.last_capture
    if got:
        after.points[side] += np.int32(is_sweep(play) * r.sweep_point)
        after.pile[side] |= got | ONE << card
        after.last_capture = seat
        t = remove(r, t, got & t.cards)
    else:
        t = land(r, t, card, value_in(play))
    if after.seat == r.players:
        after.turn, after.seat = s.turn + ONE, ZERO
        t = as_turn_begins(r, t)
        if after.turn == size:
            after.stage, after.slot, after.turn = s.stage + ONE, s.slot + size // _THREE, ZERO
            after.began = s.began + size * r.players
    after.table, after.matta_value = t.cards, t.matta_value


@inline
def follow(r, w, standings, stage):
    """Write the states of the hand played in ``w`` before each of its plays from a stage on, and after the last.

    The state before that stage is there already, unless it is the first.
    """
    first = r.table_cards
    for before in range(stage):
        first += r.plan[before] * r.players
    p = first - r.table_cards
    if stage == ZERO:
        begin(r, w, standings[0])
    while p < np.uint64(PLAYS) - r.table_cards:
        s = standings[p]
        if not has_begun(s):
            deal_again(r, w, s, first)
            first += r.plan[s.stage] * r.players
        step(r, w, s, standings[p + ONE], w.history[p])
        p += ONE


# ------------------------------------------------------------------------------------------------ playing on


@inline
def set_up(r, s, w, v):
    """Set ``v`` to a state of the hand in ``w``; the deal order is not copied."""
    v.deal[HAND], v.deal[LAST_CAPTURE] = w.deal[HAND], s.last_capture
    v.score[:] = 0
    v.knocks[:] = ZERO
    for i in range(SIDES):
        v.pile[i] = s.pile[i]
        v.score[i, _HAND_BONUS] = s.points[i]  # of whatever kind: they are but added up
        v.held[i], v.dealt[i] = s.held[i], s.dealt[i]
    if s.stage == r.stages:
        return
    for i in range(r.players):
        seat, shown = np.uint64(i), s.slot
        for k in range(r.plan[s.stage] // _THREE):
            knock = w.knocks[s.slot + k, seat]
            if is_shown(r, w, s, knock, k, seat):
                v.knocks[shown, seat] = knock
                shown += ONE


@noinline
def play_from(r, policies, s, v, played, dealt):
    """Play on in ``v``, set to this state after ``played`` plays, all seats by ``policies``, uint64[4].

    ``dealt`` is 0 if the stage is to be dealt first.
    """
    t = table_at(r, s)
    call_play(v.play, r, policies, v, t, Moment(s.stage, s.slot, played, s.turn, s.seat), dealt)


@inline
def cards_shown(r, s, w, seat):
    """The mask of the cards that a seat holds and has shown."""
    shown = ZERO
    for k in range(r.plan[s.stage] // _THREE):
        knock = w.knocks[s.slot + k, seat]
        if is_shown(r, w, s, knock, k, seat):
            shown |= shown_in(knock) & s.held[seat]
    return shown


@inline
def deal_others(r, s, w, v, redealt, seed, number):
    """Deal anew into ``v``, set to this state, the cards not dealt yet and those that some seats have not shown.

    ``redealt`` is the mask of these seats. A number of a seed deals the same whatever has been played.
    """
    start(v.states, seed, number)
    rest = CARDS & ~s.table
    for i in range(SIDES):
        rest &= ~s.pile[i]
    for i in range(r.players):
        seat = np.uint64(i)
        fixed = cards_shown(r, s, w, seat) if redealt >> seat & ONE else s.held[seat]
        rest &= ~fixed
        v.held[seat], v.dealt[seat] = fixed, (s.dealt[seat] & ~s.held[seat]) | fixed
    at = np.uint64(PLAYS) - popcount(rest)
    first = at
    while rest:
        v.deck[at] = lowest(rest)
        rest &= rest - ONE
        at += ONE
    shuffle_tail(v.states, v.deck, first)
    for i in range(r.players):
        seat = np.uint64(i)
        while popcount(v.held[seat]) < popcount(s.held[seat]):
            card = ONE << np.uint64(v.deck[first])
            v.held[seat] |= card
            v.dealt[seat] |= card
            first += ONE
