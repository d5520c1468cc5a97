"""The entry point that counts the ways to deal holdings by rank. Importing this module compiles it, or loads it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import types
from ..game.bits import ONE
from ..jit import entry

TOO_MANY = np.uint64(0x8888_8888_888)
"""A rank that is short of this bit of its four has no more cards than the pack has, see ``deal_next``."""


class Dealt(NamedTuple):
    """Cards dealt, by their ranks."""

    words: np.ndarray  # uint64[n]: the ranks, four bits each
    places: np.ndarray  # uint64[n]
    ways: np.ndarray  # uint64[n, marks]: in how many ways they can be dealt


class Holdings(NamedTuple):
    """Holdings to deal, by their ranks."""

    words: np.ndarray  # uint64[m]: the ranks, four bits each
    places: np.ndarray  # uint64[m]
    times: np.ndarray  # uint64[m]: the number of orders of each
    kinds: np.ndarray  # uint64[m]


_words = types.uint64[::1]


@entry(
    types.void(
        types.NamedTuple((_words, _words, types.uint64[:, ::1]), Dealt),
        types.NamedUniTuple(_words, 4, Holdings),
        types.uint64[:, ::1],
        types.uint64,
        types.uint32[::1],
        types.uint64[:, ::1],
    )
)
def deal_next(before, holdings, adds, spare, place, out):
    """Deal one holding after some cards, in every way, and add up the ways by the ranks dealt and by mark.

    ``adds`` uint64[marks, kinds] is the mark after a holding of a kind, by the mark before it. ``spare`` added to ranks
    sets a bit of ``TOO_MANY`` if a rank has more cards than the pack. The ways are added to the row of ``out`` whose
    number is in ``place``, at the sum of both places.
    """
    dealt, dealt_at, ways = before.words, before.places, before.ways
    held, held_at, times, mark = holdings.words, holdings.places, holdings.times, holdings.kinds
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
