"""The entry point that plays whole games and matches.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ONE, TWO, ZERO
from ..game.flat import flat_type, game_type
from ..game.hand import work_type
from ..game.scoring import SIDES
from ..game.whole_game import (
    DEALS,
    HANDS,
    HANDS_AT,
    MOST_HANDS,
    ROW,
    WINNERS,
    copy_row,
    fold_game,
    fold_match,
    gametally_type,
    gamework_type,
    most_won,
    play_game,
)
from ..jit import entry


@entry(
    types.uint64(
        flat_type,
        game_type,
        types.uint64,
        types.uint64[::1],
        work_type,
        gamework_type,
        gametally_type,
        types.int32[:, ::1],
    )
)
def run_games(r, g, seed, numbers, w, gw, tally, rows):
    """Play games (matches, if they are of several games) of some numbers and add them to a tally.

    ``gw`` has the policies and the score to start from. ``rows`` is int32[games,
    len(ROW) + sides + 2], the last two the mask of the match's winners and the number of its games; or has no rows.
    Returns 0, or 1 plus the number of the first game that did not end in ``MOST_HANDS`` hands; then the tally is void.
    """
    for side in range(SIDES):
        copy_row(gw.options, side, w.options, side)
    dealer = w.dealer
    w.goes_on = True
    for i in range(numbers.size):
        w.dealer = dealer
        index = numbers[i] << HANDS_AT
        gw.wins[:] = 0
        gw.styles[:] = ZERO
        gw.game[DEALS] = 0
        hands, number = ZERO, 0
        while TWO * most_won(gw, r.sides) <= g.best_of:  # the others can still reach as many
            if not play_game(r, g, seed, index + hands, MOST_HANDS - hands, w, gw):
                return numbers[i] + ONE
            hands += np.uint64(gw.game[HANDS])
            number += 1
            for side in range(r.sides):
                gw.wins[side] += np.int64(np.uint64(gw.game[WINNERS]) >> np.uint64(side) & ONE)
            if number == 1:
                fold_game(r, gw, tally)
                if rows.shape[0]:
                    for column in range(len(ROW)):
                        rows[i, column] = gw.game[column]
                    for side in range(r.sides):
                        rows[i, np.uint64(len(ROW)) + np.uint64(side)] = gw.points[side]
        fold_match(r, gw, number, hands, tally)
        if rows.shape[0]:
            winners = ZERO
            for side in range(r.sides):
                if gw.wins[side] > 0 and gw.wins[side] == np.int64(most_won(gw, r.sides)):
                    winners |= ONE << np.uint64(side)
            rows[i, np.uint64(len(ROW)) + r.sides] = winners
            rows[i, np.uint64(len(ROW)) + r.sides + ONE] = number
    return ZERO
