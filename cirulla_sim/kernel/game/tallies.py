"""The tally of many hands: a fixed set of integer counts and sums, so that adding tallies is exact in any order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numba import types

from ..jit import small
from .bits import ONE, ZERO
from .bonuses import LOW_NO_ACE, TRIPLE, kind_of
from .hand import MISDEALT, SLOTS, TABLE_KIND, WON_AT_DEAL
from .scoring import COLUMN, COLUMNS

DEALER, OTHERS = 0, 1
KNOCKS = ("low", "low_no_ace", "triple", "knock")
SCORES = 256

# Rows of Tally.sums: d is a column's number for the dealer's side, o its sum over the other sides.
SUM_D, SUM_O, SUM_DD, SUM_OO, SUM_DO = range(5)

# Places in Tally.hand.
HANDS, MISDEALS, MISDEALS_SQUARED, DEALER_WON, OTHERS_WON = range(5)
TABLE_KINDS = 5  # then three places for table bonuses by kind: fifteen, thirty, low
ANY = 8  # then four places for hands with at least one knock, by KNOCKS


class Tally(NamedTuple):
    """Views of one flat int64 array."""

    hand: np.ndarray  # int64[12]: hands, and counts of hands; see the places above
    sums: np.ndarray  # int64[5, len(COLUMNS)]: sums, sums of squares and of products over hands
    stages: np.ndarray  # int64[6, 4, 13]: hands by stage, KNOCKS and number of such knocks in it; 0 is not counted
    points: np.ndarray  # int64[2, 256]: sides by DEALER or OTHERS and points of the hand, the last for that and more
    primiera: np.ndarray  # int64[2, 5, 64]: hands by class, sevens held and 16 * sides + 4 * won + tied
    piccola: np.ndarray  # int64[2, 11]: sides by class and length of la piccola
    alike: np.ndarray  # int64[256]: pairs of sides of OTHERS with the same points of one hand, by those points


_SHAPES = {
    "hand": (12,),
    "sums": (5, len(COLUMNS)),
    "stages": (SLOTS, len(KNOCKS), 13),
    "points": (2, SCORES),
    "primiera": (2, 5, 64),
    "piccola": (2, 11),
    "alike": (SCORES,),
}
SIZE = sum(int(np.prod(shape)) for shape in _SHAPES.values())

tally_type = types.NamedTuple(tuple(types.Array(types.int64, len(shape), "C") for shape in _SHAPES.values()), Tally)


def cut(flat: np.ndarray, shapes: Iterable[tuple[int, ...]]) -> Iterator[np.ndarray]:
    """Views of one flat array, one after the other, in these shapes."""
    first = 0
    for shape in shapes:
        size = int(np.prod(shape))
        yield flat[first : first + size].reshape(shape)
        first += size


def views(flat: np.ndarray) -> Tally:
    """The parts of a tally, as views of its flat int64[SIZE] array."""
    return Tally(*cut(flat, _SHAPES.values()))


_TOTAL, _SEVENS = COLUMN["total"], COLUMN["sevens"]
_WON, _TIED, _LENGTH = COLUMN["primiera_won"], COLUMN["primiera_tied"], COLUMN["piccola_length"]
_LOW, _KNOCK = 0, len(KNOCKS) - 1
_FIRST_ANY = COLUMN["any_low"]


@small
def fold_knocks(r, w, tally, counts):
    """Count the knocks of a hand by stage, and whether there was any, by kind; ``counts`` is a scratch int64[4]."""
    slot = ZERO
    for stage in range(r.stages):
        counts[:] = 0
        for _ in range(r.plan[stage] // np.uint64(3)):
            for seat in range(r.players):
                knock = w.knocks[slot, seat]
                if knock:
                    kind = kind_of(knock)
                    counts[_KNOCK] += 1
                    if kind == TRIPLE:
                        counts[2] += 1
                    else:
                        counts[_LOW] += 1
                        counts[1] += kind == LOW_NO_ACE
            slot += ONE
        if counts[_KNOCK]:
            for kind in range(4):
                if counts[kind]:
                    tally.stages[stage, kind, counts[kind]] += 1
    for kind in range(4):
        any_side = False
        for side in range(r.sides):
            any_side = any_side or w.score[side, _FIRST_ANY + kind] != 0
        tally.hand[ANY + kind] += any_side


@small
def counted_points(score):
    """The points of a side's hand as they are counted: the place in ``Tally.points``."""
    return np.uint64(min(max(score[_TOTAL], 0), SCORES - 1))


@small
def fold_sides(r, w, tally):
    """Add what each side made of a hand: sums over the columns, and the distributions."""
    dealer = r.sides - ONE
    ours, others = w.score[dealer], w.others
    for column in range(len(COLUMNS)):
        others[column] = w.score[0, column]
    for side in range(ONE, dealer):
        for column in range(len(COLUMNS)):
            others[column] += w.score[side, column]
    for column in range(len(COLUMNS)):  # 32 bits are enough for a hand's products, and several are made at once
        x, y = ours[column], others[column]
        tally.sums[SUM_D, column] += x
        tally.sums[SUM_O, column] += y
        tally.sums[SUM_DD, column] += np.int32(x * x)
        tally.sums[SUM_OO, column] += np.int32(y * y)
        tally.sums[SUM_DO, column] += np.int32(x * y)
    for side in range(r.sides):
        mine = w.score[side]
        group = DEALER if side == dealer else OTHERS
        points = counted_points(mine)
        tally.points[group, points] += 1
        tally.piccola[group, np.uint64(mine[_LENGTH])] += 1
        for other in range(side + ONE, dealer):
            tally.alike[points] += counted_points(w.score[other]) == points


@small
def fold_primiera(r, w, tally, codes):
    """Count by number of sevens how many sides hold it and won or tied the primiera; ``codes`` is int64[2, 5]."""
    codes[:] = 0
    dealer = r.sides - ONE
    for side in range(r.sides):
        mine = w.score[side]
        group = DEALER if side == dealer else OTHERS
        codes[group, np.uint64(mine[_SEVENS])] += 16 + 4 * mine[_WON] + mine[_TIED]
    for group in range(2):
        for sevens in range(5):
            tally.primiera[group, sevens, np.uint64(codes[group, sevens])] += 1


@small
def fold_hand(r, w, tally):
    """Add the hand in ``w`` to a tally."""
    misdeals = np.int64(w.deal[MISDEALT])
    tally.hand[HANDS] += 1
    tally.hand[MISDEALS] += misdeals
    tally.hand[MISDEALS_SQUARED] += misdeals * misdeals
    if w.deal[WON_AT_DEAL]:
        tally.hand[DEALER_WON - 1 + np.int64(w.deal[WON_AT_DEAL])] += 1
    if w.deal[TABLE_KIND]:
        tally.hand[TABLE_KINDS - 1 + np.int64(w.deal[TABLE_KIND])] += 1
    fold_sides(r, w, tally)
    fold_primiera(r, w, tally, w.codes)
    if r.knocks:
        fold_knocks(r, w, tally, w.counts)
