"""The entry points that list what the seat of a view may choose. Importing this module compiles or loads them."""

from __future__ import annotations

from .. import types
from ..game.bits import ONE, ZERO
from ..game.flat import flat_type
from ..game.plays import list_plays
from ..jit import entry
from ..players.knock import list_knocks, may_knock
from ..players.view import view_table, view_type


@entry(types.uint64(flat_type, view_type[::1], types.uint64, types.uint64[::1], types.uint64[::1]))
def list_shows(r, views, shown, scratch, knocks):
    """Write the sets that the seat of a view may show now, one of them, to ``knocks``; returns how many.

    ``shown`` is the mask of its cards shown already. ``knocks`` is uint64[MOST_KNOCKS], ``scratch`` uint64[CANDIDATES].
    """
    view = views[0]
    if (r.shown_at_deal and view.turn == ZERO) or not may_knock(r, view, r.plan[view.stage], shown):
        return ZERO
    size = list_knocks(r, view.holding & ~shown, knocks, scratch) - ONE
    for i in range(size):
        knocks[i] = knocks[i + 1]  # the first is none
    return size


@entry(types.uint64(flat_type, view_type[::1], types.uint64[::1]))
def list_legal(r, views, plays):
    """Write the legal plays of a view to ``plays``, uint64[n]; returns how many."""
    view = views[0]
    return list_plays(r, view_table(r, view), view.allowed, view.plays_left == ONE, plays)
