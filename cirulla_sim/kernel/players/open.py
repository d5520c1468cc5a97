"""``open``: a cheat who sees all holdings and plays the stage out in his mind; an upper mark, no fair opponent."""

from __future__ import annotations

import numpy as np

from ..game.bits import ZERO
from ..game.bonuses import points_of
from ..jit import entry
from .careful import NEVER, SCRATCH, VALUES, best_knock, value_knocks
from .knock import has_sets_left, keeping, show_set, take_back
from .solver import aims_at_game, search_within, solve_within
from .view import mind_at, policy_signature, rules_at

_THREE = np.uint64(3)


@entry(policy_signature)
def knock(rules, view, plays, mind):
    """What ``open`` shows: holdings of three as the stage is solved after it, larger ones as ``careful`` does."""
    r, m = rules_at(rules), mind_at(mind)
    value_knocks(r, m, view, plays)
    if r.plan[view.stage] > _THREE:
        return best_knock(m, np.uint64(plays.size))
    matta_value = view.matta_value
    for i in range(plays.size):
        at = VALUES + np.uint64(i)
        if m.reals[at] != NEVER:
            show_set(r, view, plays[i])
            earned = np.float32(0) if aims_at_game(r, m, view) else np.float32(points_of(plays[i]))
            m.reals[at] = search_within(r, m, view, view.hidden) + earned
            take_back(view, plays[i], matta_value)
    return best_knock(m, np.uint64(plays.size))


@entry(policy_signature)
def policy(rules, view, plays, mind):
    """The policy ``open``."""
    if plays.size == 1:
        return ZERO
    r, m = rules_at(rules), mind_at(mind)
    if has_sets_left(view):  # the solver knows nothing of them: no card is looked at that costs one
        view.first[view.seat] = keeping(r, view, m.words[SCRATCH:])
    return solve_within(r, m, view, plays, view.hidden)
