"""``open``: a policy with perfect information, which solves the stage; an upper bound, not a fair opponent."""

from __future__ import annotations

import numpy as np

from ..game.bits import ZERO
from ..game.bonuses import points_of
from ..jit import inline
from .boards import NEVER
from .careful import best_knock, value_knocks
from .game_aim import aims_at_game
from .knock import has_sets_left, keeping, show_set, take_back
from .solver import best_play, place_of, solve_within

_THREE = np.uint64(3)


@inline
def open_knock(r, m, view, knocks):
    """What ``open`` shows: holdings of three as the stage is solved after it, larger ones as ``careful`` does."""
    value_knocks(r, m, view, knocks)
    if r.plan[view.stage] > _THREE:
        return best_knock(m, np.uint64(knocks.size))
    matta_value = view.matta_value
    for i in range(knocks.size):
        k = np.uint64(i)
        if m.shows[k] != NEVER:
            show_set(r, view, knocks[i])
            paid = np.float32(r.pays) * np.float32(points_of(knocks[i]))
            earned = np.float32(0) if aims_at_game(r, m, view) else paid
            m.shows[k] = solve_within(r, m, view, view.hidden) + earned
            take_back(view, knocks[i], matta_value)
    return best_knock(m, np.uint64(knocks.size))


@inline
def open_play(r, m, view, plays):
    """The place of the play that is best with all holdings known."""
    if plays.size == 1:
        return ZERO
    if has_sets_left(r, view):  # the solver ignores them: leave out cards that would lose one
        view.first[view.seat] = keeping(r, view, m.sets)
    solve_within(r, m, view, view.hidden)
    return place_of(plays, best_play(m))
