"""The entry point for the points expected before and after each stage of a hand was dealt."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import types
from ..game.bits import ZERO
from ..game.bonuses import best_sets, bonus_of, points_of
from ..game.flat import flat_type
from ..game.hand import work_type
from ..game.moment import side_of
from ..game.scoring import COLUMN
from ..jit import entry, inline
from ..players.hand_state import EVERYBODY, deal_others, follow, play_from, set_up, standings_type

_THREE = np.uint64(3)
_TOTAL = COLUMN["total"]


@inline
def points_dealt(r, v, seat, size):
    """The most points that sets of what a seat was dealt are worth."""
    if not r.knocks or size < _THREE:
        return ZERO
    if size == _THREE:
        return points_of(bonus_of(r, v.dealt[seat]))
    first, second, third = best_sets(r, v.dealt[seat], v.candidates)
    return points_of(first) + points_of(second) + points_of(third)


class Worths(NamedTuple):
    """What playouts before and after each stage was dealt brought, by side: int16[stages, 2, samples, 4]."""

    points: np.ndarray  # at the end of the hand
    knocks: np.ndarray  # the most that the sets dealt in the stage are worth


@entry(
    types.void(
        flat_type,
        types.uint64[::1],
        types.uint64,
        work_type,
        work_type,
        standings_type,
        types.NamedUniTuple(types.int16[:, :, :, ::1], 2, Worths),
    )
)
def run_balance(r, policies, seed, w, v, standings, worths):
    """Play out the hand in ``w`` from before and after each stage was dealt, all seats by ``policies``.

    ``policies``, uint64[4], by side, have no dice and decide what they show. Cards not dealt yet are dealt anew from a
    seed; before the stage its holdings too.
    """
    points, knocks = worths.points, worths.knocks
    follow(r, w, standings, ZERO)
    played = ZERO
    for stage in range(r.stages):
        s = standings[played]
        for after in range(2):
            for k in range(points.shape[2]):
                set_up(r, s, w, v)
                deal_others(r, s, w, v, ZERO if after else EVERYBODY, seed, np.uint64(k))
                for seat in range(r.players):
                    dealt = points_dealt(r, v, seat, r.plan[stage])
                    knocks[stage, after, k, side_of(r, seat)] += np.int16(dealt)
                play_from(r, policies, s, v, played, np.uint64(after))
                for side in range(r.sides):
                    points[stage, after, k, side] = v.score[side, _TOTAL]
        played += r.plan[stage] * r.players
