"""The entry point that solves one position. Importing this module compiles it, or loads it from the cache folder."""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ONE
from ..game.flat import flat_type
from ..game.plays import list_plays
from ..jit import entry
from ..players.game_aim import BY_NOTHING
from ..players.solver import INFINITE, search_frames, set_position
from ..players.view import view_table, view_type
from ..players.workspace import mind_type


@entry(
    types.uint64(
        flat_type,
        mind_type,
        view_type,
        types.uint64[::1],
        types.uint64,
        types.uint64,
        types.uint64[:, ::1],
        types.uint64[::1],
        types.float32[:, ::1],
    )
)
def solve_plays(r, m, view, holdings, depth, declarer, declared, plays, values):
    """Write every legal play of a position to ``plays`` and, by side, what each leads to into ``values``.

    ``holdings`` is uint64[4], masks by seat. ``declarer`` is that of another seat, which shows it with the matta when
    it is to play, for one of the values and points in the rows of ``declared``; 0 for none. Returns how many plays
    there are.
    """
    count = list_plays(r, view_table(r, view), view.allowed, view.plays_left == ONE, plays)
    for i in range(min(count, np.uint64(values.shape[0]))):
        set_position(r, m, view, holdings)
        if m.solver.aimed:
            m.solver.aimed = BY_NOTHING  # the values are results, not only compared
        m.solver.declarer, m.solver.options = declarer, np.uint64(declared.shape[0])
        for k in range(declared.shape[0]):
            m.solver.values[k], m.solver.earned[k] = declared[k, 0], np.float32(declared[k, 1])
        search_frames(r, m, depth, -INFINITE, INFINITE, plays[i])
        for side in range(4):
            values[i, np.uint64(side)] = m.solver.frames[0].best[np.uint64(side)]
    return count
