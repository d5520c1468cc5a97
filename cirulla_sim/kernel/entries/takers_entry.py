"""The entry point that finds which cards can capture what from a table. Importing this module compiles it."""

from __future__ import annotations

import numpy as np
from numba import types

from ..game.bits import ONE, ZERO, lowest
from ..game.captures import capture, choices, fill_rows, is_large, is_scopa, land, lay, rows_type, value_of
from ..game.flat import flat_type
from ..jit import entry

PACK = np.uint64(40)


@entry(types.UniTuple(types.uint64, 2)(flat_type, types.uint64, types.uint64, types.uint64, rows_type))
def find_takers(r, cards, matta_value, target, rows):
    """Two masks: the cards with a capture that takes all of ``target``, and those that score a scopa with one.

    ``cards`` is the table and ``target`` any part of it; with an empty target any capture will do. The matta has the
    value ``matta_value`` on the table and in a holding, no play is the last of the hand, and ``rows`` is scratch.
    """
    table = lay(ZERO, ONE, matta_value, rows)
    while cards:
        card = lowest(cards)
        cards &= cards - ONE
        table = land(table, card, value_of(r, table, card))
    if is_large(table):
        fill_rows(r, table)
    takers, scorers = ZERO, ZERO
    for i in range(PACK):
        card = np.uint64(i)
        value = value_of(r, table, card)
        by_value, by_fifteen, sweep = choices(r, table, value)
        for k in range(by_value + by_fifteen + sweep):
            got = capture(r, table, value, by_value, by_fifteen, np.uint64(k))
            if got & target == target:
                takers |= ONE << card
                if is_scopa(r, table, value, got, False):
                    scorers |= ONE << card
    return takers, scorers
