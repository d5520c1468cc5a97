"""The entry point that finds which cards can capture what from a table. Importing this module compiles it."""

from __future__ import annotations

from .. import types
from ..game.bits import ONE, ZERO
from ..game.bonuses import CARDS
from ..game.captures import table_of
from ..game.flat import flat_type
from ..game.plays import captured, card_of, is_sweep, list_plays
from ..jit import entry


@entry(types.UniTuple(types.uint64, 2)(flat_type, types.uint64, types.uint64, types.uint64, types.uint64[::1]))
def find_takers(r, cards, matta_value, target, plays):
    """Two masks: the cards with a capture that takes all of ``target``, and those that score a scopa with one.

    ``cards`` is the table and ``target`` any part of it; with an empty target any capture will do. The matta has the
    value ``matta_value`` on the table and in a holding, no play is the last of the hand, and ``plays`` is scratch.
    """
    takers, scorers = ZERO, ZERO
    for i in range(list_plays(r, table_of(r, cards, matta_value), CARDS, False, plays)):
        play = plays[i]
        if captured(play) and captured(play) & target == target:
            takers |= ONE << card_of(play)
            scorers |= is_sweep(play) << card_of(play)
    return takers, scorers
