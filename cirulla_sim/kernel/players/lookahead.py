"""Playing on in a deal of the unseen cards, each seat asked for its play; and what the position then is worth.

Piles are worth what is expected of them, and the table what the next player is expected to make of it. That depends on
the table, on the cards unseen and on how many of them are held, so it is reckoned once for a table and remembered for
all deals of a position.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, TWO, ZERO, popcount
from ..game.captures import lay, with_matta_as
from ..game.flat import WORD
from ..game.hand import LAST_CAPTURE, SIDES, as_turn_begins, make_play
from ..game.plays import declared_in
from ..game.scoring import COLUMN
from ..jit import inline, noinline
from .boards import NEVER, fill_takes, rank_values
from .lanes import splat, store
from .opponent_query import play_of, plays_before, stand
from .solver import lead, set_position, side_of, value_leaf

F = np.float32

RANKED = np.dtype(
    [
        ("order", WORD),  # the values unseen by what they gain, most first, four bits each
        ("gains", np.float32, 16),  # of the unseen values in their order
        ("expected", np.float32, 16),  # of the best of so many cards held, or NEVER where it is not reckoned yet
    ],
    align=True,
)
"""What is remembered of a table."""

PLACES, PLACES_BITS = 1 << 10, np.uint64(10)

AHEAD = np.dtype(
    [
        ("keys", WORD, PLACES),  # which table is ranked in each place, a mask; 0 for none
        ("tables", RANKED, PLACES),
    ],
    align=True,
)
"""The scratch of this file: tables met, as the same ones come again and again."""

_FOUR = np.uint64(4)
_HASH = np.uint64(0x9E3779B97F4A7C15)
_SCOPE, _TABLE_BONUS, _HAND_BONUS = COLUMN["scope"], COLUMN["table_bonus"], COLUMN["hand_bonus"]


# ------------------------------------------------------------------------------------------------ the table left


@inline
def prepare_ahead(m):
    """Forget the tables of other positions. ``careful.prepare`` goes before."""
    m.ahead.keys[:] = ZERO


@inline
def ranked(r, m, t):
    """What is remembered of a table that is not empty."""
    place = (t.cards * _HASH) >> (np.uint64(64) - PLACES_BITS)
    known = m.ahead.tables[place]
    if m.ahead.keys[place] != t.cards:
        rank_table(r, m, t, known)
        m.ahead.keys[place] = t.cards
    return known


@noinline
def rank_table(r, m, t, known):
    """Rank what unseen cards of all values make of a table."""
    board = m.replies.left[0]
    fill_takes(r, m, t, board, F(1))
    rank_values(m, board, known.gains)
    store(known.expected, ZERO, splat(NEVER))
    order = ZERO
    for i in range(popcount(m.replies.values)):
        order |= board.values[np.uint64(i)] << (np.uint64(i) << TWO)
    known.order = order


@inline
def reply_value(r, m, t, held):
    """What a player with ``held`` unseen cards is expected to gain from a table."""
    if t.cards == ZERO:
        return F(0)
    known = ranked(r, m, t)
    if known.expected[held] == NEVER:
        known.expected[held] = expect_reply(m, known, held)
    return known.expected[held]


@inline
def expect_reply(m, known, held):
    """The same of a table that is ranked: the gain of each value, by the chance that it is the best held."""
    none_of = m.tables.none_of[held, m.replies.size]
    expected, before, cards = F(0), F(1), ZERO
    order, i = known.order, ZERO
    while order and before > F(0):
        cards += m.replies.count[order & np.uint64(15)]
        none = none_of[cards]
        expected += (before - none) * known.gains[i]
        before = none
        order >>= _FOUR
        i += ONE
    return expected


# ------------------------------------------------------------------------------------------------ the plays


@noinline
def play_ahead(r, m, view, u, play, depth):
    """Make ``depth`` plays of the stage in ``u``, ``play`` the first, each seat asked for its own.

    Returns the table then, who is to play, and the plays left.
    """
    stand(r, m, view, u, view.told)
    t = lay(view.table, view.table_product, view.matta_value, u.rows)
    seat, turn, left = view.seat, view.turn, view.plays_left
    played = plays_before(r, view) + view.told
    for ply in range(depth):
        if ply:
            if seat == ZERO:
                t = as_turn_begins(r, t)
            play = play_of(r, view, u, t, seat, turn, played)
            if declared_in(play):
                t = with_matta_as(r, t, declared_in(play))
        t = make_play(r, u, t, seat, play)
        u.made[played] = play
        played += ONE
        left -= ONE
        seat += ONE
        if seat == r.players:
            seat, turn = ZERO, turn + ONE
    return t, seat, left


@inline
def lead_after(r, m, view, u, play, depth):
    """The lead of the view's side after ``depth`` plays, by what piles and table are worth to whoever thinks here."""
    t, seat, left = play_ahead(r, m, view, u, play, depth)
    set_position(r, m, view, m.holdings)
    f = m.solver.frames[ZERO]
    for i in range(SIDES):
        made = u.score[i, _SCOPE] + u.score[i, _TABLE_BONUS] + u.score[i, _HAND_BONUS]
        f.pile[i], f.points[i], f.held[i] = u.pile[i], F(made) - F(view.points[i]), u.held[i]
    if left:
        held = popcount(u.held[seat])
        coming = r.plan[view.stage + ONE] if view.stock else ZERO
        f.points[side_of(r, seat)] += reply_value(r, m, t, held if held else coming)
    f.table, f.product, f.matta_value, f.seat, f.left = t.cards, t.product, t.matta_value, seat, left
    f.last_capture = u.deal[LAST_CAPTURE]
    value_leaf(r, m, f)
    return lead(r, f.best, view.side)
