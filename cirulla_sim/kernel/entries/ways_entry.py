"""The entry point that counts the ways to deal holdings by rank. Importing this module compiles it, or loads it."""

from __future__ import annotations

import numpy as np
from numba import types

from ..game.bits import ONE
from ..jit import entry

TOO_MANY = np.uint64(0x8888_8888_888)
"""A rank that is short of this bit of its four has no more cards than the pack has, see ``deal_more``."""

_words = types.Array(types.uint64, 1, "C", readonly=True)


@entry(
    types.void(
        _words, _words, types.uint64[:, ::1], _words, _words, _words, _words,
        types.uint64[:, ::1], types.uint64, types.Array(types.uint32, 1, "C"), types.uint64[:, ::1],
    )
)  # fmt: skip
def deal_more(dealt, dealt_at, ways, held, held_at, times, mark, adds, spare, place, out):
    """Deal one holding more, in every way, and add up the ways by the ranks dealt and by mark.

    Ranks dealt are words with four bits a rank, ``dealt`` uint64[n] with ``ways`` uint64[n, marks]; ``held`` uint64[m]
    are the holdings, each to be dealt in ``times`` orders and of the kind ``mark``; ``adds`` uint64[marks, kinds] is
    the mark that a kind makes of a mark. ``spare`` added to ranks dealt sets a bit of ``TOO_MANY`` where a rank has
    more cards than the pack. What is dealt then stands in the row ``place[dealt_at + held_at]`` of ``out``.
    """
    marks = ways.shape[1]
    apart = False  # whether a kind makes marks that are neighbours neighbours no more
    for old in range(1, marks):
        for kind in range(adds.shape[1]):
            apart |= adds[old, kind] != adds[old - 1, kind] + ONE
    for i in range(dealt.shape[0]):
        first, last = marks, 0  # most ranks have few marks
        for old in range(marks):
            if ways[i, old]:
                first, last = min(first, old), old + 1
        for j in range(held.shape[0]):
            if (dealt[i] + held[j] + spare) & TOO_MANY:
                continue
            row = out[place[dealt_at[i] + held_at[j]]]
            if apart:
                for old in range(first, last):
                    row[adds[old, mark[j]]] += ways[i, old] * times[j]
            else:
                at = adds[0, mark[j]]
                for old in range(first, last):
                    row[at + np.uint64(old)] += ways[i, old] * times[j]
