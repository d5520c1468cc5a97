"""What hands are worth: the points expected in their course, playouts of choices, and the rest of a hand."""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ONE, TWO, ZERO, lowest
from ..game.bonuses import claim, find_candidates, knock_points, shown_in
from ..game.captures import value_of, with_matta_as
from ..game.flat import flat_type
from ..game.hand import (
    NOBODY,
    TABLE_KIND,
    TABLE_POINTS,
    WON_AT_DEAL,
    call_play,
    cards_in,
    make_play,
    may_show_later,
    note_knock,
    play_hand,
    step,
    work_type,
)
from ..game.hand_notes import notes_type, write_notes
from ..game.plays import Moment, captured_cards, may_be_played, next_moment, played_card, rules_now, side_of, sweep_bit
from ..game.scoring import COLUMN, wins_outright
from ..game.streams import batch_type
from ..jit import entry, inline
from ..players.ask import mind_type
from ..players.opponents import SWEEPS, power_of
from ..players.unseen_deal import find_deal, memory_type, read_stage, set_up
from ..players.view import view_table
from ..players.worth import side_worth

numbers_type = types.uint64[::1]

_THREE = np.uint64(3)
_TOTAL = COLUMN["total"]


@inline
def shown_now(r, w, stage, turn, seat, card, gone):
    """The points of the sets that a seat shows at its turn, before it plays a card.

    All at its first turn, or each with the first of its cards if these are played first; ``gone`` were played.
    """
    points = ZERO
    for k in range(r.plan[stage] // _THREE):
        knock = w.knocks[r.slots[stage] + np.uint64(k), seat]
        cards = shown_in(knock)
        if (cards >> card & ONE and not cards & gone) if r.shown_first else turn == 0:
            points += knock_points(knock)
    return points


@inline
def note_course(r, m, w, course):
    """Write what the two sides of the hand in ``w`` can expect, by the number of plays left. Overwrites piles."""
    pile, points = w.pile, w.value
    pile[:], points[:] = ZERO, ZERO
    if w.deal[TABLE_KIND]:
        pile[ONE], points[ONE] = cards_in(w.deck, ZERO, r.table_cards), w.deal[TABLE_POINTS]
    played, gone = ZERO, ZERO
    for stage in range(r.stages):
        for turn in range(r.plan[stage]):
            for place in range(r.players):
                seat = np.uint64(place)
                side = side_of(r, seat)
                play = w.history[played]
                got = captured_cards(play)
                points[side] += shown_now(r, w, stage, turn, seat, played_card(play), gone)
                gone |= ONE << played_card(play)
                for k in range(TWO):
                    mine = np.uint64(k)
                    worth = side_worth(r, m, pile[mine], pile[ONE - mine])
                    course[r.plays - played, mine] = np.float32(r.pays) * worth + np.float32(points[mine])
                step(r, w, NOBODY, seat, ONE << played_card(play), got, ZERO - np.uint64(got != ZERO))
                points[side] += sweep_bit(play) * r.sweep_point
                played += ONE
    for side in range(2):
        course[ZERO, np.uint64(side)] = np.float32(w.score[side, _TOTAL])


@entry(types.uint64(flat_type, numbers_type, batch_type, mind_type, work_type, types.float32[:, :, ::1]))
def run_courses(r, policies, batch, m, w, courses):
    """Play hands of two sides; returns how many were played, not won at the deal.

    ``policies`` is uint64[4], by side, ``m`` a mind with tables. Of each hand played a row of ``courses``,
    float32[hands, plays + 1, 2], has by the number of plays left what each side can expect: sweeps, bonuses
    shown, and what its pile is worth then (see ``worth.py``); with none left its points.
    """
    count = ZERO
    for i in range(batch.hands):
        play_hand(r, policies, batch.seed, batch.first + i, w)
        if not w.deal[WON_AT_DEAL]:
            note_course(r, m, w, courses[count])
            count += ONE
    return count


ENDS = ("cards", "diamonds", "settebello", "primiera", "grande")
"""Points for piles that at most one side scores."""

SWEPT, FIRST_END = 5, 6
POINTS = FIRST_END + len(ENDS)
"""Numbers of a playout: the points of each of up to four sides; who won the game outright, 1 + side, or 0; whether
the next player of the stage holds a card that sweeps; and who scored each of ``ENDS``, 1 + side, or 0."""

_TOTAL = COLUMN["total"]
_ENDS = tuple(COLUMN[name] for name in ENDS)


@inline
def next_can_sweep(r, w, t, view, then):
    """Whether the next player of the stage can sweep, if it need be with the matta as a set that it shows makes it."""
    if t.cards == ZERO or (view.plays_left <= TWO and not r.last_card_scopa):
        return False
    now, at_first, later = rules_now(r, then.played), then.turn == ZERO, may_show_later(r, r.plan[view.stage])
    shown = shown_in(w.knocks[r.slots[view.stage], then.seat]) & w.held[then.seat]
    held = may_be_played(w.held[then.seat], shown if later else ZERO)
    rest, matta = held, held & (ONE << r.matta)
    while rest:
        if power_of(now, t, value_of(r, t, lowest(rest))) == SWEEPS:
            return True
        rest &= rest - ONE
    may_show = (
        r.knocks and matta != ZERO and shown == ZERO and (later or at_first) and not (r.shown_at_deal and at_first)
    )
    for i in range(find_candidates(r, held & ~matta, matta, w.candidates) if may_show else 0):
        three = shown_in(w.candidates[i])
        for value in range(ONE, np.uint64(11)):
            if three & matta and claim(r, three, value) and power_of(now, t, value) == SWEEPS:
                return True
    return False


@inline
def play_out(r, policies, w, view, shows, play):
    """Show sets and make a play in the hand set up, and play it out; returns whether the next player could sweep."""
    t = view_table(r, view)
    for k in range(shows.size):
        if shows[k]:
            w.knocks[r.slots[view.stage] + np.uint64(k), view.seat] = shows[k]
            declared = note_knock(r, w, shows[k], view.seat)
            if declared:
                t = with_matta_as(r, t, declared)
    played = r.plays - view.plays_left
    t = make_play(rules_now(r, played), w, t, view.seat, play)
    w.history[played] = play
    then = next_moment(r, Moment(view.stage, played, view.turn, view.seat))
    swept = next_can_sweep(r, w, t, view, then)
    call_play(w.play, r, policies, w, t, then, ONE)
    return swept


@entry(
    types.void(
        flat_type,
        numbers_type,
        batch_type,
        memory_type,
        types.uint64[:, ::1],
        numbers_type,
        work_type,
        types.int16[:, :, ::1],
    )
)
def run_playouts(r, policies, batch, memory, shows, plays, w, points):
    """Play out each of some choices of a seat on each deal of a batch.

    ``policies`` is uint64[4], by side; ``shows``, uint64[choices, 3], has the sets of a choice, 0 for none, and
    ``plays`` its play; ``points`` is int16[deals, choices, POINTS].
    """
    read_stage(r, w, memory, batch.seed)
    for i in range(batch.hands):
        find_deal(r, w, memory, batch.seed, batch.first + i)
        for k in range(plays.size):
            set_up(r, w, memory, batch.first + i)
            swept = play_out(r, policies, w, memory.views[0], shows[k], plays[k])
            points[i, k, 4:] = 0
            points[i, k, SWEPT] = swept
            for side in range(4):
                points[i, k, side] = w.score[side, _TOTAL]
                for end in range(len(_ENDS)):
                    if w.score[side, _ENDS[end]]:
                        points[i, k, FIRST_END + end] = side + 1
                if side < r.sides and wins_outright(r, w.score, side):
                    points[i, k, 4] = side + 1


@entry(types.void(flat_type, types.uint64, types.uint64, memory_type, work_type, types.uint64[:, ::1]))
def deal_behind(r, seed, first, memory, w, holdings):
    """Deal the unseen cards, deals from number ``first`` of a seed on, and write the holdings as masks.

    ``holdings`` is uint64[deals, 4]. If the view has no plays of the stage, all deals are equally likely.
    """
    read_stage(r, w, memory, seed)
    for i in range(holdings.shape[0]):
        find_deal(r, w, memory, seed, first + np.uint64(i))
        for seat in range(r.players):
            holdings[i, seat] = w.held[seat]


@entry(types.void(flat_type, numbers_type, batch_type, memory_type, types.uint64, work_type, notes_type))
def run_rest(r, policies, batch, memory, played, w, notes):
    """Play out a hand from the information of a seat, on each deal of a batch, and write the hands to notes.

    ``played`` is the number of plays so far; the seat to play need not be the one whose information it is, and has
    shown nothing at this turn yet. ``policies``, uint64[4], by side, decide what they show. In the notes earlier plays
    are 0, and sweeps and bonuses so far count as points for sweeps. If the view has no plays of the stage, all deals
    that agree with the information are equally likely.
    """
    view = memory.views[0]
    read_stage(r, w, memory, batch.seed)
    turn = (played - r.begins[view.stage]) // r.players
    for i in range(batch.hands):
        find_deal(r, w, memory, batch.seed, batch.first + i)
        set_up(r, w, memory, batch.first + i)
        now = Moment(view.stage, played, turn, played % r.players)
        call_play(w.play, r, policies, w, view_table(r, view), now, np.uint64(1))
        for earlier in range(played):
            w.history[earlier] = ZERO
        write_notes(r, w, i, notes)
