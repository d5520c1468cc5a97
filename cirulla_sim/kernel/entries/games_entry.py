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
from ..game.streams import batch_type
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


@entry(types.uint64(flat_type, game_type, batch_type, work_type, gamework_type, gametally_type, types.int32[:, ::1]))
def run_games(r, g, batch, w, gw, tally, rows):
    """Play a batch of games (matches, if they are of several games) and add them to a tally.

    ``gw`` has the policies and the score to start from. ``rows`` is int32[games, len(ROW) + sides], or has no rows.
    Returns 0, or 1 plus the number of the first game that did not end in ``MOST_HANDS`` hands; then the tally is void.
    """
    for side in range(SIDES):
        copy_row(gw.options, side, w.options, side)
    dealer = w.dealer
    w.goes_on = True
    for i in range(batch.hands):
        w.dealer = dealer
        index = (batch.first + i) << HANDS_AT
        gw.wins[:] = 0
        gw.styles[:] = ZERO
        gw.game[DEALS] = 0
        hands, number = ZERO, 0
        while TWO * most_won(gw, r.sides) <= g.best_of:  # the others can still reach as many
            if not play_game(r, g, batch.seed, index + hands, MOST_HANDS - hands, w, gw):
                return batch.first + i + ONE
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
    return ZERO
