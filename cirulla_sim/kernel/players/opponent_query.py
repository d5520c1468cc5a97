"""The opponent model: how a seat would have played earlier in the stage, or would play later.

It plays in a work of its own (``VIEW.opponent_work``) with a workspace of its own, apart from those of the seat that
searches. Each seat sees there only its own information.
"""

from __future__ import annotations

import numpy as np

from ..calls import record_at
from ..game.bits import ONE, ZERO, popcount
from ..game.bonuses import bonus_of, knock_word
from ..game.captures import table_of
from ..game.flat import WORD
from ..game.hand import HAND, KNOCKS, LAST_CAPTURE, NOBODY, PLAYS, SIDES, call_ask, work_type
from ..game.moment import Moment, side_of
from ..game.plays import captured, card_of
from ..game.scoring import COLUMN
from ..jit import inline, noinline
from .knock import may_show_later
from .reading import table_before
from .view import roll, view_table

PAST = np.dtype(
    [
        ("table", WORD),  # a mask
        ("last_capture", WORD),  # NOBODY if unknown
        ("pile", WORD, SIDES),  # mask, by side
    ],
    align=True,
)
"""The open cards before a play."""

QUERY = np.dtype([("past", PAST, PLAYS + 1), ("since", WORD)], align=True)
"""The scratch of this file: the open cards before each play of the stage from number ``since`` on, and now, last."""

work_at = record_at(work_type)

_THREE = np.uint64(3)
_SCOPE = COLUMN["scope"]
_DICE = np.uint64(1 << 32)
_MIXED = np.uint64(0x9E3779B97F4A7C15)


@noinline
def look_back(r, m, view):
    """Write the open cards before each play of the stage, as far back as the plays are known.

    The matta has its present value.
    """
    a, t = m.query, view_table(r, view)
    now = a.past[view.history_size]
    now.table, now.last_capture = t.cards, view.last_capture
    for i in range(SIDES):
        now.pile[i] = view.pile[i]
    a.since = view.history_size
    while a.since and view.history[a.since - ONE]:
        later = a.past[a.since]
        a.since -= ONE
        play, p = view.history[a.since], a.past[a.since]
        t = table_before(r, t, play)
        p.table, p.last_capture = t.cards, later.last_capture
        for i in range(SIDES):
            p.pile[i] = later.pile[i]
        if captured(play):
            p.pile[side_of(r, a.since % r.players)] &= ~(captured(play) | ONE << card_of(play))
            p.last_capture = NOBODY
            for earlier in range(a.since):
                if captured(view.history[np.uint64(earlier)]):
                    p.last_capture = np.uint64(earlier) % r.players


@inline
def shown_before(r, view, dealt, seat, number):
    """The mask of what a seat has shown of the cards dealt to it before play ``number`` of the stage.

    Holdings of three that earn something were shown at the seat's turn, but not by a seat that did not knock: the cards
    dealt to it in a sample may hold a set. Of larger holdings, all seats are assumed to see what the view shows now.
    """
    if not r.knocks or r.plan[view.stage] < _THREE or view.declined[seat]:
        return ZERO
    if r.plan[view.stage] > _THREE:
        if may_show_later(r, r.plan[view.stage]):
            return view.first[seat]
        return view.shown[seat] if seat != view.seat else ZERO
    had_its_turn = r.shown_at_deal or number > seat or (number == seat and seat == view.seat)
    return dealt if had_its_turn and popcount(dealt) == _THREE and bonus_of(r, dealt) else ZERO


@inline
def plays_before(r, view):
    """The number of plays of the hand before the stage."""
    return np.uint64(PLAYS) - r.table_cards - view.plays_left - view.history_size


@inline
def stand(r, m, view, u, number):
    """Set ``u`` to the state before play ``number`` of the stage, with the holdings ``m.holdings``.

    Seats with large holdings do not decide what they show: listing all sets would take longer than the rest.
    """
    p = m.query.past[number]
    u.deal[HAND], u.deal[LAST_CAPTURE] = ZERO, p.last_capture
    u.score[:] = 0
    u.knocks[:] = ZERO
    for i in range(SIDES):
        u.options[i, KNOCKS] = u.opponent if r.plan[view.stage] <= _THREE else ZERO
        u.pile[i], u.game[i], u.score[i, _SCOPE] = p.pile[i], view.score[i], view.points[i]
    for i in range(r.players):
        seat = np.uint64(i)
        u.held[seat] = m.holdings[seat]
        u.dealt[seat] = m.holdings[seat] | view.played[seat]
        shown = shown_before(r, view, u.dealt[seat], seat, number)
        u.knocks[ZERO, seat] = knock_word(shown, ONE) if shown else ZERO
    first = plays_before(r, view)
    for i in range(view.history_size):
        k = np.uint64(i)
        u.history[first + k] = view.history[k]
        if k >= number:
            u.held[k % r.players] |= ONE << card_of(view.history[k])


@inline
def play_of(r, view, u, table, seat, turn, played):
    """The play, as a word, of the seat to play in ``u`` after ``played`` plays of the hand."""
    u.states[seat + ONE] = roll(view, _DICE) * _MIXED
    return call_ask(u.asker, r, u, u.opponent, table, Moment(view.stage, ZERO, played, turn, seat))


@noinline
def agreeing(r, m, view, u, seat):
    """How many plays of a seat in the stage agree with its holding in ``m.holdings``, and how many there are.

    Counting goes back from the last play to the first that disagrees.
    """
    would, total = ZERO, ZERO
    for back in range(view.history_size - m.query.since):
        number = view.history_size - ONE - np.uint64(back)
        if number % r.players != seat:
            continue
        total += ONE
        if would + ONE < total:
            continue
        stand(r, m, view, u, number)
        p, play = m.query.past[number], view.history[number]
        table = table_of(r, p.table, view.matta_value)
        word = play_of(r, view, u, table, seat, number // r.players, plays_before(r, view) + number)
        would += np.uint64(card_of(word) == card_of(play) and captured(word) == captured(play))
    return would, total
