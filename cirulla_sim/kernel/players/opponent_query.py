"""The opponent model: how a seat would have played earlier in the stage, or would play later.

It plays in a work of its own (``VIEW.opponent_work``) with a workspace of its own, apart from those of the seat that
searches. Each seat sees there only its own information. In a sampled deal some seats can be greedy instead.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, ZERO, popcount
from ..game.bonuses import CARDS, bonus_of, knock_word, shown_in
from ..game.captures import make_table, with_matta_as
from ..game.flat import WORD
from ..game.hand import (
    HAND,
    KNOCKS,
    LAST_CAPTURE,
    NOBODY,
    PLAYS,
    SIDES,
    STYLES,
    call_ask,
    may_show_later,
    note_knock,
    work_type,
)
from ..game.inlined import greedy_play
from ..game.plays import Moment, captured_cards, declaring, may_be_played, played_card, rules_now, side_of, word_of
from ..game.scoring import COLUMN
from ..game.streams import STEP
from ..jit import inline, noinline, record_at
from .knock import set_before
from .opponents import GREEDY, MODEL, table_before_play
from .view import roll_dice, view_table

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
SHOWN = CARDS | np.uint64(63 << 40)
"""The bits of a play that everybody sees: the card and what it captures."""

_SCOPE, _HAND_BONUS = COLUMN["scope"], COLUMN["hand_bonus"]
_DICE = np.uint64(1 << 32)


@noinline
def look_back(r, m, view):
    """Write the open cards before each play of the stage, as far back as the plays are known.

    Plays are taken back: where the stage began is known from nothing else. The matta has its present value.
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
        t = table_before_play(r, t, play)
        p.table, p.last_capture = t.cards, later.last_capture
        for i in range(SIDES):
            p.pile[i] = later.pile[i]
        if captured_cards(play):
            p.pile[side_of(r, a.since % r.players)] &= ~(captured_cards(play) | ONE << played_card(play))
            p.last_capture = NOBODY
            for earlier in range(a.since):
                if captured_cards(view.history[np.uint64(earlier)]):
                    p.last_capture = np.uint64(earlier) % r.players


@inline
def shown_before(r, view, dealt, seat, number):
    """The mask of what a seat has shown of the cards dealt to it before play ``number`` of the stage.

    Holdings of three that earn something were shown at the seat's turn, but not by a seat that did not knock: the cards
    dealt to it in a sample may hold a set. Of larger holdings, all seats are assumed to see what the view shows now;
    where no seat may wait, the plays of the stage tell which sets were shown then.
    """
    if not r.knocks or r.plan[view.stage] < _THREE or view.declined[seat]:
        return ZERO
    if r.plan[view.stage] > _THREE:
        if may_show_later(r, r.plan[view.stage]):
            return set_before(r, view, seat, number) if r.must_show else view.first[seat]
        return view.shown[seat] if seat != view.seat else ZERO
    had_its_turn = r.shown_at_deal or number > seat or (number == seat and seat == view.seat)
    return dealt if had_its_turn and popcount(dealt) == _THREE and bonus_of(r, dealt) else ZERO


@inline
def prepare_queries(r, m, view, u):
    """Write into ``u`` what is the same for all queries of a position, and what ``look_back`` finds.

    Seats with large holdings do not decide what they show: listing all sets would take longer than the rest.
    """
    look_back(r, m, view)
    u.deal[HAND] = ZERO
    u.knocks[:] = ZERO
    u.score[:] = 0
    u.sampled_styles[:] = MODEL
    for i in range(SIDES):
        u.options[i, KNOCKS] = u.opponent if r.plan[view.stage] <= _THREE else ZERO
        u.game[i] = view.score[i]
        for style in range(STYLES):
            u.styles[i, style] = view.styles[i, style]
    first = r.begins[view.stage]
    for i in range(view.history_size):
        u.history[first + np.uint64(i)] = view.history[i]


@inline
def stand(r, m, view, u, number):
    """Set ``u`` to the state before play ``number`` of the stage, with the holdings ``m.holdings``."""
    p = m.query.past[number]
    u.deal[LAST_CAPTURE] = p.last_capture
    for i in range(SIDES):
        u.pile[i] = p.pile[i]
        u.score[i, _SCOPE], u.score[i, _HAND_BONUS] = view.points[i], 0
    for i in range(r.players):
        seat = np.uint64(i)
        u.held[seat] = m.holdings[seat]
        u.dealt[seat] = m.holdings[seat] | view.played[seat]
        shown = shown_before(r, view, u.dealt[seat], seat, number)
        u.knocks[r.slots[view.stage], seat] = knock_word(shown, ONE) if shown else ZERO
    for k in range(number, view.history_size):
        u.held[k % r.players] |= ONE << played_card(view.history[k])


@inline
def play_of(r, view, u, table, at):
    """The play, as a word, of the seat to play in ``u``."""
    u.states[at.seat + ONE] = roll_dice(view, _DICE) * STEP
    return call_ask(u.asker, r, u, u.opponent, table, at)


@inline
def model_before(r, m, view, u, seat, number):
    """The play, as a word, that the model makes as play ``number`` of the stage with the holdings ``m.holdings``."""
    stand(r, m, view, u, number)
    p = m.query.past[number]
    table = make_table(r, p.table, view.matta_value)
    at = Moment(view.stage, r.begins[view.stage] + number, number // r.players, seat)
    return play_of(rules_now(r, at.played), view, u, table, at)


@inline
def greedy_before(r, m, view, seat, number):
    """The play, as a word, that ``greedy`` makes then."""
    held = m.holdings[seat]
    for k in range(number, view.history_size):
        if k % r.players == seat:
            held |= ONE << played_card(view.history[k])
    if may_show_later(r, r.plan[view.stage]):
        held = may_be_played(held, shown_before(r, view, held, seat, number))
    p = m.query.past[number]
    table = make_table(r, p.table, view.matta_value)
    last_card = view.plays_left + view.history_size - number == ONE
    now = rules_now(r, r.begins[view.stage] + number)
    return word_of(now, greedy_play(now, table, held, p.pile[side_of(r, seat)], last_card), last_card)


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
        if u.sampled_styles[seat] == GREEDY:
            play = greedy_before(r, m, view, seat, number)
        else:
            play = model_before(r, m, view, u, seat, number)
        would += np.uint64((play ^ view.history[number]) & SHOWN == ZERO)
    return would, total


@inline
def greedy_turn(r, u, t, at):
    """The play, as a word, of a greedy seat that is to play in ``u``; its set is shown first."""
    declared, seat, held, slot = ZERO, at.seat, u.held[at.seat], r.slots[at.stage]
    if r.knocks and popcount(u.dealt[seat]) == _THREE and held == u.dealt[seat] and u.knocks[slot, seat] == ZERO:
        bonus = bonus_of(r, held)
        if bonus:
            u.knocks[slot, seat] = knock_word(held, bonus)
            declared = note_knock(r, u, u.knocks[slot, seat], seat)
    if declared:
        t = with_matta_as(r, t, declared)
    allowed = may_be_played(held, shown_in(u.knocks[slot, seat]) if r.shown_first else ZERO)
    last_card = at.played + ONE == r.plays
    choice = greedy_play(r, t, allowed, u.pile[side_of(r, seat)], last_card)
    return declaring(word_of(r, choice, last_card), declared)
