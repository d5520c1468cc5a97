"""The entry points for advice: every choice of a turn, sets to show and then a play, played out on the same deals.

A deal is a pure function of seed and number (``players.known_deal``), so every choice is tried on the same deals with
the same dice. All policies must decide what they show: sets not shown yet are shown, and scored, when their time comes.
"""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ONE, TWO, ZERO, lowest
from ..game.bonuses import claim, shown_in
from ..game.captures import value_of, with_matta_as
from ..game.flat import flat_type
from ..game.hand import PLAYS, call_play, make_play, note_knock, work_type
from ..game.moment import Moment
from ..game.scoring import COLUMN
from ..game.streams import batch_type
from ..jit import entry, inline
from ..players.knock import may_show_later
from ..players.known_deal import find_deal, memory_type, read, set_up, slot_of
from ..players.reading import SWEEPS, power_of
from ..players.view import view_table

ENDS = ("cards", "diamonds", "settebello", "primiera", "grande")
"""Points for piles that at most one side scores."""

SWEPT, FIRST_END = 5, 6
POINTS = FIRST_END + len(ENDS)
"""Numbers of a playout: the points of each of up to four sides; who won the game outright, 1 + side, or 0; whether
the next player of the stage holds a card that sweeps; and who scored each of ``ENDS``, 1 + side, or 0."""

_TOTAL, _CAPPOTTO = COLUMN["total"], COLUMN["cappotto"]
_ENDS = tuple(COLUMN[name] for name in ENDS)


@inline
def may_declare(r, held, value):
    """Whether a set of some cards, a mask, lets the matta, one of them, be declared as a value."""
    matta = ONE << r.matta
    first = held & ~matta
    while first:
        second = first & (first - ONE)
        while second:
            if claim(r, matta | (first & (ZERO - first)) | (second & (ZERO - second)), value):
                return True
            second &= second - ONE
        first &= first - ONE
    return False


@inline
def can_sweep(r, w, t, seat, shown, may_show):
    """Whether a seat can take the whole table; ``shown`` are cards it must play first, or 0."""
    if t.cards == ZERO:
        return False
    held = shown if shown else w.held[seat]
    rest = held
    while rest:
        if power_of(r, t, value_of(r, t, lowest(rest))) == SWEEPS:
            return True
        rest &= rest - ONE
    if may_show and (held >> r.matta) & ONE:
        for i in range(1, 11):
            value = np.uint64(i)
            if power_of(r, t, value) == SWEEPS and may_declare(r, held, value):
                return True
    return False


@inline
def next_can_sweep(r, w, t, view, slot, turn, seat):
    """Whether the next player of the stage can sweep, if it need be with the matta as a set that it shows makes it."""
    if view.plays_left <= TWO and not r.last_card_scopa:
        return False
    size = r.plan[view.stage]
    shown, later = shown_in(w.knocks[slot, seat]) & w.held[seat], may_show_later(r, size)
    may_show = r.knocks and shown == ZERO and (later or turn == ZERO) and not (r.shown_at_deal and turn == ZERO)
    return can_sweep(r, w, t, seat, shown if later else ZERO, may_show)


@inline
def play_out(r, policies, w, view, shows, play):
    """Show sets and make a play in the hand set up, and play it out; returns whether the next player could sweep."""
    t, slot = view_table(r, view), slot_of(r, view.stage)
    for k in range(shows.size):
        if shows[k]:
            w.knocks[slot + np.uint64(k), view.seat] = shows[k]
            declared = note_knock(r, w, shows[k], view.seat)
            if declared:
                t = with_matta_as(r, t, declared)
    t = make_play(r, w, t, view.seat, play)
    played = np.uint64(PLAYS) - r.table_cards - view.plays_left
    w.history[played] = play
    turn, seat = view.turn, view.seat + ONE
    if seat == r.players:
        turn, seat = turn + ONE, ZERO
    swept = next_can_sweep(r, w, t, view, slot, turn, seat)
    call_play(w.play, r, policies, w, t, Moment(view.stage, slot, played + ONE, turn, seat), ONE)
    return swept


@entry(
    types.void(
        flat_type,
        types.uint64[::1],
        batch_type,
        memory_type,
        types.uint64[:, ::1],
        types.uint64[::1],
        work_type,
        types.int16[:, :, ::1],
    )
)
def run_playouts(r, policies, batch, memory, shows, plays, w, points):
    """Play out each of some choices of a seat on each deal of a batch.

    ``policies`` is uint64[4], by side; ``shows``, uint64[choices, 3], has the sets of a choice, 0 for none, and
    ``plays`` its play; ``points`` is int16[deals, choices, POINTS].
    """
    read(r, w, memory, batch.seed)
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
                if r.all_diamonds_wins and w.score[side, _CAPPOTTO]:
                    points[i, k, 4] = side + 1


@entry(types.void(flat_type, types.uint64, types.uint64, memory_type, work_type, types.uint64[:, ::1]))
def deal_behind(r, seed, first, memory, w, holdings):
    """Deal the unseen cards, deals from number ``first`` of a seed on, and write the holdings as masks.

    ``holdings`` is uint64[deals, 4]. If the view has no plays of the stage, all deals are equally likely.
    """
    read(r, w, memory, seed)
    for i in range(holdings.shape[0]):
        find_deal(r, w, memory, seed, first + np.uint64(i))
        for seat in range(r.players):
            holdings[i, seat] = w.held[seat]
