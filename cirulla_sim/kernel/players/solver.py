"""The best line of play when all holdings are known: alpha-beta to the end of the stage, or some plays ahead.

With two sides the value is the margin of side 0; with more, each side takes the play that is best for its points less
the mean of the others', and the value is the points of each; where the fewest points win, a point counts -1. In a stage
that others follow the end is worth what the piles are (see ``worth.py``); at the end of the hand it is the score.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, TWO, ZERO, popcount
from ..game.captures import left_on_table, make_table, with_matta_as
from ..game.flat import WORD
from ..game.hand import PLAYS, SEATS, as_turn_begins, end_hand, step
from ..game.plays import (
    captured_cards,
    declared_in,
    declaring,
    list_plays,
    may_be_played,
    played_card,
    rules_now,
    side_of,
    sweep_bit,
)
from ..game.scoring import COLUMN, COLUMNS, SEVENS, SIDES, diamonds_of
from ..jit import inline, noinline
from .view import unseen_cards
from .worth import BY_POINTS, aim_at_game, aims_at_game, prime_sign, worth_with

F = np.float32
INFINITE = F(1e6)

FRAME = np.dtype(
    [
        ("held", WORD, SEATS),  # mask of each seat's holding
        ("pile", WORD, SIDES),  # mask of each side's pile
        ("table", WORD),  # a mask
        ("matta_value", WORD),
        ("last_capture", WORD),  # the seat that captured last, or NOBODY
        ("seat", WORD),  # to play
        ("left", WORD),  # plays left in the hand
        ("first", WORD),  # place of its first play in Mind.plays
        ("count", WORD),  # its number of plays
        ("next", WORD),  # how many of them have been tried
        ("chosen", WORD),  # the number of the best one so far, from 1
        ("points", np.float32, SIDES),  # earned ahead, by side
        ("best", np.float32, SIDES),  # the best value so far, by side
        ("alpha", np.float32),
        ("beta", np.float32),
    ],
    align=True,
)
"""A position, and how far it has been searched."""

OPTIONS = 12
"""More than the ways to declare the matta of three cards, or not to show them."""

SOLVER = np.dtype(
    [
        ("frames", FRAME, PLAYS + 2),  # the line looked at: a position behind each play
        ("must", WORD, SEATS),  # mask of the cards that must be played before others, by seat
        ("score", WORD, SIDES),  # points of the game and of the hand so far, by side
        ("aimed", WORD),  # see BY_POINTS
        ("declarer", WORD),  # mask of a holding with the matta that is shown when its seat is to play; 0 for none
        ("options", WORD),  # number of the values that the matta may be declared as then
        ("values", WORD, OPTIONS),  # these
        ("earned", np.float32, OPTIONS),  # and the points of each
        ("ended", np.int32, (SIDES, len(COLUMNS))),  # the score of a hand that ends here, without what play has earned
        ("value", WORD, SIDES),  # scratch of scoring.score_hand
    ],
    align=True,
)
"""The scratch of the solver."""

MOST_SORTED = np.uint64(100)
MOST_LISTED = np.uint64(100_000)
"""Plays listed, after which a search ends with the best line found so far: a large table may give a card ten thousand
captures. No other position needs as many."""
WHOLE, WHOLE_OF_MANY, SHORTEST, ENOUGH = np.uint64(12), np.uint64(9), np.uint64(3), np.uint64(2000)
"""How far ``solve_within`` looks; four players' stage of three cards takes some 2,000 positions. Where more than two
sides, for whom no line is cut off, may leave captures, twelve plays take seconds."""
_KEY = np.uint64(55)
_SCOPE, _TABLE_BONUS, _HAND_BONUS, _TOTAL = (COLUMN[name] for name in ("scope", "table_bonus", "hand_bonus", "total"))
_EIGHT = np.uint64(8)


@inline
def sort_plays(plays, start, count):
    """Sort plays so that what looks best comes first: sweeps, then cards captured, diamonds and sevens twice.

    More than ``MOST_SORTED`` stay as they are.
    """
    if count > MOST_SORTED:
        return
    for i in range(start, start + count):
        word = plays[i]
        got = captured_cards(word)
        if got:
            got |= ONE << played_card(word)
            key = popcount(got) + popcount(diamonds_of(got)) + popcount(got & SEVENS) + _EIGHT * sweep_bit(word) + TWO
        else:
            own = ONE << played_card(word)
            key = ONE - min(ONE, popcount(diamonds_of(own)) + popcount(own & SEVENS))
        word |= key << _KEY
        j = np.uint64(i)
        while j > start and plays[j - ONE] < word:
            plays[j] = plays[j - ONE]
            j -= ONE
        plays[j] = word


@noinline
def list_declared(r, m, t, allowed, last_card, at):
    """List the plays of the seat that shows the matta now, each with the number of what it declares, from 1."""
    s, count = m.solver, ZERO
    for i in range(s.options):
        plays = m.plays[at + count :]
        listed = list_plays(r, with_matta_as(r, t, s.values[i]), allowed, last_card, plays)
        for k in range(listed):
            plays[k] = declaring(plays[k], np.uint64(i) + ONE)
        count += listed
    return count


@noinline
def open_frame(r, m, f, at):
    """List the plays of a position and set what its search begins with; ``at`` is the first free place for plays."""
    t = make_table(r, f.table, f.matta_value)
    seat, now = f.seat, rules_now(r, r.plays - f.left)
    if seat == ZERO:
        t = as_turn_begins(r, t)
        f.matta_value = t.matta_value
    allowed = may_be_played(f.held[seat], m.solver.must[seat])
    if m.solver.declarer and f.held[seat] == m.solver.declarer:
        count = list_declared(now, m, t, allowed, f.left == ONE, at)
    else:
        count = list_plays(now, t, allowed, f.left == ONE, m.plays[at:])
    sort_plays(m.plays, at, count)
    f.first, f.count, f.next, f.chosen = at, count, ZERO, ZERO


@inline
def make(r, m, f, g, play):
    """Write the position after a play in the position ``f`` into the frame ``g``.

    Its table is a mask alone, whose state is found when its plays are listed: positions at the end need none.
    """
    for i in range(4):
        k = np.uint64(i)
        g.held[k], g.pile[k], g.points[k] = f.held[k], f.pile[k], f.points[k]
    seat, own, got, declared = f.seat, ONE << played_card(play), captured_cards(play), declared_in(play)
    captures = ZERO - np.uint64(got != ZERO)
    g.last_capture = step(r, g, f.last_capture, seat, own, got, captures)
    g.table = left_on_table(f.table, got & ~own, own, captures)
    g.points[side_of(r, seat)] += F(r.pays) * F(sweep_bit(play) * r.sweep_point)
    g.matta_value = f.matta_value
    if declared:
        g.matta_value = m.solver.values[declared - ONE]
        g.points[side_of(r, seat)] += F(r.pays) * m.solver.earned[declared - ONE]
    g.seat = ZERO if seat + ONE == r.players else seat + ONE
    g.left = f.left - ONE


@inline
def value_leaf(r, m, g):
    """Write the points of each side at a position where the search ends into its ``best``."""
    piles, score = g.pile, m.solver.ended
    if g.left == ZERO:
        for i in range(r.sides):
            score[i, _SCOPE] = score[i, _TABLE_BONUS] = score[i, _HAND_BONUS] = 0  # in the position's points already
        end_hand(r, piles, g.last_capture, g.table, score, m.solver.value)
        for i in range(r.sides):
            g.best[i] = g.points[i] + F(r.pays) * F(score[i, _TOTAL])
    else:
        everything, sign = piles[0] | piles[1] | piles[2] | piles[3], F(0)
        for i in range(r.sides):
            mine = piles[np.uint64(i)]
            sign = -sign if i and r.sides == TWO else prime_sign(r, m, mine, everything ^ mine)
            g.best[i] = g.points[i] + worth_with(r, m, mine, everything ^ mine, sign)
    if m.solver.aimed:
        aim_at_game(r, m, g)


@inline
def side_lead(r, points, side):
    """The points of a side less the mean of the others'; ``points`` is float32[4], by side."""
    mine, others = points[side], F(0)
    for i in range(r.sides):
        others += points[np.uint64(i)]
    return mine - (others - mine) / F(r.sides - ONE)


@noinline
def search_frames(r, m, depth, alpha, beta, root):
    """Search the position in the first frame ``depth`` plays ahead (at least one); returns the number of positions.

    A search that lists more than ``MOST_LISTED`` plays ends early, and returns a number above it.
    The best play is left in the first frame (see ``best_play``), the points of each side in its line in ``best``.
    With two sides only a margin of side 0 above ``alpha`` and below ``beta`` is exact. ``root`` is the one play to try
    first, 0 for all.
    """
    frames = m.solver.frames
    nodes = ZERO
    ply = ZERO
    f = frames[ply]
    two = r.sides == TWO
    open_frame(r, m, f, ZERO)
    if root:
        m.plays[0], f.count = root, ONE
    f.alpha, f.beta = alpha, beta
    listed = f.count
    while True:
        side = side_of(r, f.seat)
        if f.next < f.count and (listed <= MOST_LISTED or f.chosen == ZERO):
            play = m.plays[f.first + f.next]
            f.next += ONE
            g = frames[ply + ONE]
            make(r, m, f, g, play)
            nodes += ONE
            if ply + ONE < depth:
                open_frame(r, m, g, f.first + f.count)
                listed += g.count
                g.alpha, g.beta = f.alpha, f.beta
                f, ply = g, ply + ONE
                continue
            value_leaf(r, m, g)
        else:
            if ply == ZERO:
                return max(nodes, listed) if listed > MOST_LISTED else nodes
            ply -= ONE
            g, f = f, frames[ply]
            side = side_of(r, f.seat)
        # The value of the position behind is in its ``best``: is it the best for who plays here?
        if f.chosen == ZERO or side_lead(r, g.best, side) > side_lead(r, f.best, side):
            f.chosen = f.next
            for i in range(4):
                f.best[np.uint64(i)] = g.best[np.uint64(i)]
        if two:
            margin = f.best[0] - f.best[1]
            if side == ZERO:
                f.alpha = max(f.alpha, margin)
            else:
                f.beta = min(f.beta, margin)
            if f.alpha >= f.beta:
                f.next = f.count


@inline
def set_position(r, m, view, holdings):
    """Write the position of a view, with all holdings (uint64[4], masks by seat), into the first frame.

    Holdings of seats beyond the players are not read, and may have any value.
    """
    s = m.solver
    f = s.frames[ZERO]
    for i in range(4):
        k = np.uint64(i)
        f.held[k] = holdings[k] if k < r.players else ZERO
        f.pile[k] = view.pile[k]
        f.points[k] = F(0)
        s.must[k] = view.first[k]
        s.score[k] = view.score[k] + view.points[k]
    f.table, f.matta_value = view.table, view.matta_value
    f.last_capture, f.seat, f.left = view.last_capture, view.seat, view.plays_left
    s.declarer = ZERO
    s.aimed = BY_POINTS if aims_at_game(r, m, view) else ZERO


@inline
def best_play(m):
    """The best play of the position in the first frame after ``search_frames``."""
    f = m.solver.frames[ZERO]
    return m.plays[f.first + f.chosen - ONE] & ((ONE << _KEY) - ONE)


@inline
def find_holdings(r, view, holdings):
    """Write all holdings, if they follow from the view, to ``holdings`` (uint64[4], by seat); returns whether."""
    rest = unseen_cards(view)
    if view.stock or popcount(rest) > np.uint64(10):
        return False
    for i in range(r.players):
        seat = np.uint64(i)
        holdings[seat] = view.holding if seat == view.seat else view.shown[seat]
        lacking = view.held[seat] - popcount(holdings[seat])
        if lacking:
            if lacking != popcount(rest):
                return False
            holdings[seat] |= rest
    return True


@inline
def plays_in_stage(view):
    """The number of plays left in this stage, the next one included."""
    return view.held[0] + view.held[1] + view.held[2] + view.held[3]


@inline
def find_play(plays, play):
    """The place of a play among the plays."""
    for i in range(plays.size):
        if plays[i] == play:
            return np.uint64(i)
    return ZERO


@inline
def solve_to_depth(r, m, view, holdings, depth):
    """What the best play leads to for the side to play, all holdings known, ``depth`` plays looked ahead.

    The play is then ``best_play``.
    """
    set_position(r, m, view, holdings)
    search_frames(r, m, depth, -INFINITE, INFINITE, ZERO)
    return side_lead(r, m.solver.frames[ZERO].best, view.side)


@inline
def solve_within(r, m, view, holdings):
    """The same, looked ahead as far as is cheap.

    That is to the end of a stage of up to ``WHOLE`` plays (or ``WHOLE_OF_MANY``); in a larger one a play farther and
    farther, until more than ``ENOUGH`` positions are searched.
    """
    here = plays_in_stage(view)
    whole = WHOLE_OF_MANY if r.sides > TWO and r.capture_optional else WHOLE
    depth = here if here <= whole else SHORTEST
    while True:
        set_position(r, m, view, holdings)
        nodes = search_frames(r, m, depth, -INFINITE, INFINITE, ZERO)
        if depth == here or nodes > ENOUGH:
            return side_lead(r, m.solver.frames[ZERO].best, view.side)
        depth += ONE
