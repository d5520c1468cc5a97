"""The chance of winning the game, for players that aim at it and not at points."""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, TWO, ZERO, popcount, real_at
from ..game.scoring import diamonds_of
from ..jit import inline
from .worth import side_worth

F = np.float32

BY_POINTS, BY_NOTHING = ONE, TWO
"""What ``aimed`` is: 0 if values are points. If they are chances of winning the game, ``BY_POINTS`` if points break
ties, else ``BY_NOTHING``. A player that is beaten by best play still hopes for mistakes,
and points are the hope: without them aiming at the game lost more of it than it won."""
LEAST = F(0.0001)
"""Of a chance, what a point is worth at least."""
STEP = F(3)
"""Points up and down between which it is looked what a point is worth: as many as a play may change."""
ALL_OF = np.array([0.55**lacking for lacking in range(11)], F)
"""The chance to take all remaining diamonds, by their number, if no other side has any. Captures are correlated, so it
is more than one half to that power. It fits hands of ``careful`` play within a third or so."""


@inline
def win_at(m, left, i, j):
    """Side 0's chance of winning the game with ``left`` plays left and whole points, from the table of the mind."""
    return real_at(m.win, (left * m.win_size + i) * m.win_size + j)


@inline
def chance_at(m, left, mine, theirs):
    """Side 0's chance of winning the game with two scores (reals) and ``left`` plays left."""
    last = m.win_size - ONE
    mine, theirs = min(max(mine, F(0)), F(last)), min(max(theirs, F(0)), F(last))
    i, j = min(np.uint64(mine), last - ONE), min(np.uint64(theirs), last - ONE)
    x, y = mine - F(i), theirs - F(j)
    low = win_at(m, left, i, j) * (F(1) - x) + win_at(m, left, i + ONE, j) * x
    high = win_at(m, left, i, j + ONE) * (F(1) - x) + win_at(m, left, i + ONE, j + ONE) * x
    return low * (F(1) - y) + high * y


@inline
def aims_at_game(r, m, view):
    """Whether the values of a seat are chances of winning the game, not points."""
    return view.aims_at_game == ONE and m.win_size > ZERO and r.sides == TWO


@inline
def outright(r, mine, others):
    """The chance that a side takes all ten diamonds."""
    if diamonds_of(others) or not r.all_diamonds_wins:
        return F(0)
    return ALL_OF[np.uint64(10) - popcount(diamonds_of(mine))]


@inline
def aim_at_game(r, m, g):
    """Turn the points of two sides in the ``best`` of a position into their chances of winning the game."""
    score, best = m.solver.score, g.best
    pays = F(r.pays)
    chance = chance_at(m, g.left, F(score[0]) + pays * best[0], F(score[1]) + pays * best[1])
    won, lost = outright(r, g.pile[0], g.pile[1]), outright(r, g.pile[1], g.pile[0])
    chance = won + (F(1) - won - lost) * chance
    if m.solver.aimed == BY_POINTS:
        chance += LEAST * (best[0] - best[1])
    best[0], best[1] = chance, F(1) - chance


@inline
def stakes(r, m, view):
    """What is at stake at a view, by its change of the lead of the own side (see ``lead``): an own point, a point of
    the others, winning the game at once, losing it.

    Where points are maximised a point is a point. Where the game is, it is worth what it changes in the chance, but
    never less than ``LEAST``: if no chance is left to change, points are still better than none.
    """
    if not aims_at_game(r, m, view):
        return F(1), F(1), F(0), F(0)
    mine, theirs = view.pile[0], view.pile[1]
    pays = F(r.pays)
    here = F(view.score[0] + view.points[0]) + pays * side_worth(r, m, mine, theirs)
    there = F(view.score[1] + view.points[1]) + pays * side_worth(r, m, theirs, mine)
    left = view.plays_left
    first = (chance_at(m, left, here + STEP, there) - chance_at(m, left, here - STEP, there)) / STEP
    second = (chance_at(m, left, here, there - STEP) - chance_at(m, left, here, there + STEP)) / STEP
    first, second = max(pays * first, LEAST), max(pays * second, LEAST)
    chance = F(2) * chance_at(m, left, here, there)
    if view.side:
        return second, first, chance, F(2) - chance
    return first, second, F(2) - chance, chance
