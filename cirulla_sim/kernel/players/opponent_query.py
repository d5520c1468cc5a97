"""Asking the others: how a seat would play, in a hand of its own, where the stage stood before or may stand later.

The hand of those asked (``VIEW.asks``) has a room of its own, which is not that of whoever is thinking here. Each seat
is asked with what it sees there, and no more.
"""

from __future__ import annotations

import numpy as np

from ..calls import record_at
from ..game.bits import ONE, ZERO, popcount
from ..game.bonuses import bonus_of, knock_word
from ..game.captures import lay
from ..game.flat import WORD
from ..game.hand import HAND, KNOCKS, LAST_CAPTURE, NOBODY, PLAYS, SIDES, call_ask, work_type
from ..game.moment import Moment
from ..game.plays import captured, card_of
from ..game.scoring import COLUMN
from ..jit import inline, noinline
from .knock import may_show_later
from .reading import table_before
from .solver import side_of
from .view import roll, table_of

PAST = np.dtype(
    [
        ("table", WORD),  # of captures.Table, like the next
        ("product", WORD),
        ("last_capture", WORD),  # NOBODY where none is known
        ("pile", WORD, SIDES),  # mask, by side
    ],
    align=True,
)
"""What lay open before a play."""

ASKED = np.dtype([("past", PAST, PLAYS + 1), ("since", WORD)], align=True)
"""The scratch of this file: what lay open before each play of the stage from number ``since`` on, and now, last."""

work_at = record_at(work_type)

_THREE = np.uint64(3)
_SCOPE = COLUMN["scope"]
_DICE = np.uint64(1 << 32)
_MIXED = np.uint64(0x9E3779B97F4A7C15)


@noinline
def look_back(r, m, view):
    """Write what lay open before each play of the stage, as far back as the plays are known.

    The matta counts what it counts now.
    """
    a, t = m.asked, table_of(view, m.rows)
    now = a.past[view.told]
    now.table, now.product, now.last_capture = t.cards, t.product, view.last_capture
    for i in range(SIDES):
        now.pile[i] = view.pile[i]
    a.since = view.told
    while a.since and view.made[a.since - ONE]:
        later = a.past[a.since]
        a.since -= ONE
        play, p = view.made[a.since], a.past[a.since]
        t = table_before(r, t, play)
        p.table, p.product, p.last_capture = t.cards, t.product, later.last_capture
        for i in range(SIDES):
            p.pile[i] = later.pile[i]
        if captured(play):
            p.pile[side_of(r, a.since % r.players)] &= ~(captured(play) | ONE << card_of(play))
            p.last_capture = NOBODY
            for earlier in range(a.since):
                if captured(view.made[np.uint64(earlier)]):
                    p.last_capture = np.uint64(earlier) % r.players


@inline
def shown_before(r, view, dealt, seat, number):
    """The mask of what a seat has shown of the cards dealt to it before play ``number`` of the stage.

    Holdings of three that earn something were shown at the seat's turn, but not by a seat that did not knock: what is
    dealt to it for the time being may hold a set. Of larger ones as much is taken for known to all as whoever thinks
    here knows now.
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
    return np.uint64(PLAYS) - r.table_cards - view.plays_left - view.told


@inline
def stand(r, m, view, u, number):
    """Put ``u`` where the hand stood before play ``number`` of the stage, if the cards lie as in ``m.holdings``.

    Of large holdings nobody is asked what it shows: listing all sets takes longer than all else.
    """
    p = m.asked.past[number]
    u.deal[HAND], u.deal[LAST_CAPTURE] = ZERO, p.last_capture
    u.score[:] = 0
    u.knocks[:] = ZERO
    for i in range(SIDES):
        u.told[i, KNOCKS] = u.asked if r.plan[view.stage] <= _THREE else ZERO
        u.pile[i], u.game[i], u.score[i, _SCOPE] = p.pile[i], view.score[i], view.points[i]
    for i in range(r.players):
        seat = np.uint64(i)
        u.held[seat] = m.holdings[seat]
        u.dealt[seat] = m.holdings[seat] | view.played[seat]
        shown = shown_before(r, view, u.dealt[seat], seat, number)
        u.knocks[ZERO, seat] = knock_word(shown, ONE) if shown else ZERO
    first = plays_before(r, view)
    for i in range(view.told):
        k = np.uint64(i)
        u.made[first + k] = view.made[k]
        if k >= number:
            u.held[k % r.players] |= ONE << card_of(view.made[k])


@inline
def play_of(r, view, u, table, seat, turn, played):
    """The play, as a word, of a seat whose turn it is in ``u``, with ``played`` plays of the hand made."""
    u.states[seat + ONE] = roll(view, _DICE) * _MIXED
    return call_ask(u.asker, r, u, u.asked, table, Moment(view.stage, ZERO, played, turn, seat))


@noinline
def agreeing(r, m, view, u, seat):
    """How many plays of the stage a seat would have made as it did from its holding in ``m.holdings``, up to the first
    that it would not, the last first; and how many there are."""
    would, made = ZERO, ZERO
    for back in range(view.told - m.asked.since):
        number = view.told - ONE - np.uint64(back)
        if number % r.players != seat:
            continue
        made += ONE
        if would + ONE < made:
            continue
        stand(r, m, view, u, number)
        p, play = m.asked.past[number], view.made[number]
        table = lay(p.table, p.product, view.matta_value, u.rows)
        word = play_of(r, view, u, table, seat, number // r.players, plays_before(r, view) + number)
        would += np.uint64(card_of(word) == card_of(play) and captured(word) == captured(play))
    return would, made
