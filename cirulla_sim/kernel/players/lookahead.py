"""Looking ahead in a deal of the unseen cards by the opponent model, and the value of the position reached.

Piles are worth their expected points, and the table the expected gain of the next player. This gain depends on the
table, on the unseen cards and on how many of them are held, so it is computed once for a table and cached for all deals
of a position.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ZERO, popcount
from ..game.captures import table_of, with_matta_as
from ..game.flat import WORD
from ..game.hand import LAST_CAPTURE, SIDES, as_turn_begins, make_play
from ..game.plays import Moment, declared_in, next_moment, rules_now, side_of
from ..game.scoring import COLUMN
from ..game.streams import STEP
from ..jit import inline, noinline
from .boards import NEVER, chances_of, expect_best, fill_takes, gains_of, hidden, load, splat, store
from .opponent_query import greedy_turn, play_of, stand
from .opponents import GREEDY
from .solver import lead, set_position, value_leaf
from .view import cards_of_new_stage

F = np.float32

RANKED = np.dtype(
    [
        ("gained", np.float32, 16),  # by value, what an unseen card gains
        ("expected", np.float32, 16),  # by number of cards held, of the best of them; NEVER if not computed yet
    ],
    align=True,
)
"""What is cached of a table."""

PLACES, PLACES_BITS = 1 << 10, np.uint64(10)

AHEAD = np.dtype(
    [
        ("keys", WORD, PLACES),  # the table of each entry, a mask; 0 for none
        ("tables", RANKED, PLACES),
    ],
    align=True,
)
"""The scratch of this file: a cache of tables."""

_SCOPE, _TABLE_BONUS, _HAND_BONUS = COLUMN["scope"], COLUMN["table_bonus"], COLUMN["hand_bonus"]


# ------------------------------------------------------------------------------------------------ the table left


@noinline
def ranked(r, m, t):
    """The cache entry of a table that is not empty: what unseen cards of each value gain from it."""
    place = (t.cards * STEP) >> (np.uint64(64) - PLACES_BITS)
    ranking = m.ahead.tables[place]
    if m.ahead.keys[place] != t.cards:
        store(ranking.gained, ZERO, gains_of(m, fill_takes(r, m, t, m.replies.left[0], F(r.pays))))
        store(ranking.expected, ZERO, splat(NEVER))
        m.ahead.keys[place] = t.cards
    return ranking


@inline
def reply_value(r, m, t, held):
    """What a player with ``held`` unseen cards is expected to gain from a table."""
    if t.cards == ZERO:
        return F(0)
    ranking = ranked(r, m, t)
    if ranking.expected[held] == NEVER:
        gains = load(ranking.gained, ZERO)
        ranking.expected[held] = expect_best(m, gains, chances_of(m, gains, hidden(held, m.replies.size)), NEVER)
    return ranking.expected[held]


# ------------------------------------------------------------------------------------------------ the plays


@noinline
def play_ahead(r, m, view, u, play, depth):
    """Make ``depth`` plays of the stage in ``u``: first ``play``, then those of the opponent model.

    Returns the table then, the seat to play, and the plays left.
    """
    stand(r, m, view, u, view.history_size)
    t = table_of(r, view.table, view.matta_value)
    at = Moment(view.stage, r.plays - view.plays_left, view.turn, view.seat)
    for ply in range(depth):
        now = rules_now(r, at.played)
        if ply:
            if at.seat == ZERO:
                t = as_turn_begins(r, t)
            play = greedy_turn(now, u, t, at) if u.sampled_styles[at.seat] == GREEDY else play_of(now, view, u, t, at)
            if declared_in(play):
                t = with_matta_as(r, t, declared_in(play))
        t = make_play(now, u, t, at.seat, play)
        u.history[at.played] = play
        at = next_moment(r, at)
    return t, at.seat, r.plays - at.played


@inline
def lead_after(r, m, view, u, play, depth):
    """The lead of the view's side after ``depth`` plays, by its own values of piles and table."""
    t, seat, left = play_ahead(r, m, view, u, play, depth)
    set_position(r, m, view, m.holdings)
    f = m.solver.frames[ZERO]
    for i in range(SIDES):
        earned = u.score[i, _SCOPE] + u.score[i, _TABLE_BONUS] + u.score[i, _HAND_BONUS]
        f.pile[i], f.points[i], f.held[i] = u.pile[i], F(r.pays) * (F(earned) - F(view.points[i])), u.held[i]
    if left:
        held = popcount(u.held[seat])
        f.points[side_of(r, seat)] += reply_value(r, m, t, held if held else cards_of_new_stage(r, view))
    f.table, f.matta_value, f.seat, f.left = t.cards, t.matta_value, seat, left
    f.last_capture = u.deal[LAST_CAPTURE]
    value_leaf(r, m, f)
    return lead(r, f.best, view.side)
