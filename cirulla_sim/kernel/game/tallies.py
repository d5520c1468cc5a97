"""The tally of many hands: a fixed set of integer counts and sums, so that adding tallies is exact in any order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from .. import types
from ..jit import inline
from .bits import ONE, ZERO
from .bonuses import LOW_NO_ACE, THREE, TRIPLE, holding_bonus, kind_of, points_of
from .hand import KNOCKS as DECIDES
from .hand import MISDEALT, SLOTS, TABLE_KIND, WON_AT_DEAL
from .plays import side_of
from .scoring import COLUMN, COLUMNS

DEALER, OTHERS, ALIKE = 0, 1, 2
KNOCKS = ("low", "low_no_ace", "triple", "knock")
SCORES = 256

CONTROLS = ("hand_bonus_dealer", "hand_bonus_others", "table_bonus")
"""Numbers of a hand that follow from its deal: points of the best bonuses in what the dealer's side is dealt and the
others are, three cards at a time, shown or not; of the dealer's for the table."""

RESULTS = ("points_dealer", "points_others", "wins_dealer", "wins_others")
"""Numbers of a hand that the play decides too; of several others added up."""

CONTROL_SUMS = 1 + len(CONTROLS) + len(RESULTS)

# Rows of Tally.sums: d is a column's number for the dealer's side, o its sum over the other sides.
SUM_D, SUM_O, SUM_DD, SUM_OO, SUM_DO = range(5)

# Places in Tally.hand.
HANDS, MISDEALS, MISDEALS_SQUARED, DEALER_WON, OTHERS_WON = range(5)
TABLE_KINDS = 5  # then three places for table bonuses by kind: fifteen, thirty, low
ANY = 8  # then four places for hands with at least one knock, by KNOCKS
CONTROLLED = 12  # then of each of CONTROLS: its sum, the sums of its products with each of CONTROLS and of RESULTS


class Tally(NamedTuple):
    """Views of one flat int64 array."""

    hand: np.ndarray  # int64[36]: hands, counts of hands, sums of what their deals bring; see the places above
    sums: np.ndarray  # int64[5, len(COLUMNS)]: sums, sums of squares and of products over hands
    stages: np.ndarray  # int64[6, 4, 13]: hands by stage, KNOCKS and number of such knocks in it; 0 is not counted
    points: np.ndarray  # int64[3, 256]: sides by DEALER or OTHERS and points of the hand, the last for that and more;
    # pairs of OTHERS with the same points of one hand, by those points
    primiera: np.ndarray  # int64[2, 5, 64]: hands by class, sevens held and 16 * sides + 4 * won + tied
    piccola: np.ndarray  # int64[2, 11]: sides by class and length of la piccola


_SHAPES = {
    "hand": (CONTROLLED + len(CONTROLS) * CONTROL_SUMS,),
    "sums": (5, len(COLUMNS)),
    "stages": (SLOTS, len(KNOCKS), 13),
    "points": (3, SCORES),
    "primiera": (2, 5, 64),
    "piccola": (2, 11),
}
SIZE = sum(int(np.prod(shape)) for shape in _SHAPES.values())

tally_type = types.NamedTuple(tuple(types.Array(types.int64, len(shape)) for shape in _SHAPES.values()), Tally)


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
_TABLE_BONUS, _HAND_BONUS, _WINS = COLUMN["table_bonus"], COLUMN["hand_bonus"], COLUMN["wins"]
_LOW, _KNOCK = 0, len(KNOCKS) - 1
_FIRST_ANY = COLUMN["any_low"]


@inline
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


@inline
def counted_points(score):
    """The points of a side's hand as they are counted: the place in ``Tally.points``."""
    return np.uint64(min(max(score[_TOTAL], 0), SCORES - 1))


@inline
def fold_alike(w, tally, others):
    """Count pairs of the first ``others`` sides that have the same points."""
    for side in range(others):
        points = counted_points(w.score[side])
        for other in range(side + ONE, others):
            tally.points[ALIKE, points] += counted_points(w.score[other]) == points


@inline
def fold_sides(r, w, tally):
    """Add the points of each side in a hand: sums over the columns, and the distributions."""
    dealer = r.sides - ONE
    ours, others = w.score[dealer], w.others
    for column in range(len(COLUMNS)):
        others[column] = w.score[0, column]
    for side in range(ONE, dealer):
        for column in range(len(COLUMNS)):
            others[column] += w.score[side, column]
    for column in range(len(COLUMNS)):  # 32 bits are enough for a hand's products, and several are computed at once
        x, y = ours[column], others[column]
        tally.sums[SUM_D, column] += x
        tally.sums[SUM_O, column] += y
        tally.sums[SUM_DD, column] += np.int32(x * x)
        tally.sums[SUM_OO, column] += np.int32(y * y)
        tally.sums[SUM_DO, column] += np.int32(x * y)
    for side in range(r.sides):
        mine = w.score[side]
        group = DEALER if side == dealer else OTHERS
        tally.points[group, counted_points(mine)] += 1
        tally.piccola[group, np.uint64(mine[_LENGTH])] += 1
    if dealer > ONE:
        fold_alike(w, tally, dealer)


@inline
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


@inline
def dealt_bonuses(r, w):
    """Points of the best bonuses in what the dealer's side is dealt, and the others, three cards at a time."""
    dealer = r.sides - ONE
    mine, theirs = np.int64(0), np.int64(0)
    place = r.table_cards
    for stage in range(r.stages):
        if r.plan[stage] != THREE:
            break
        for seat in range(r.players):
            points = np.int64(points_of(holding_bonus(r, w.deck, place)))
            side = side_of(r, np.uint64(seat))
            if side == dealer:
                mine += points
            else:
                theirs += points
            place += THREE
    return mine, theirs


@inline
def fold_control(sums, number, x, factors):
    """Add a control and its products with the seven controls and results."""
    at = CONTROLLED + number * CONTROL_SUMS
    sums[at] += x
    sums[at + 1] += x * factors[0]
    sums[at + 2] += x * factors[1]
    sums[at + 3] += x * factors[2]
    sums[at + 4] += x * factors[3]
    sums[at + 5] += x * factors[4]
    sums[at + 6] += x * factors[5]
    sums[at + 7] += x * factors[6]


@inline
def fold_controls(r, w, tally):
    """Add what the deal brought, and its products with itself and with what came of it; a hand not played has none."""
    dealer = r.sides - ONE
    theirs, lost, b, decides = np.int64(0), np.int64(0), np.int64(0), w.options[dealer, DECIDES]
    for side in range(dealer):
        theirs += w.score[side, _TOTAL]
        lost += w.score[side, _WINS]
        b += w.score[side, _HAND_BONUS]
        decides |= w.options[side, DECIDES]
    mine, won = np.int64(w.score[dealer, _TOTAL]), np.int64(w.score[dealer, _WINS])
    a, c = np.int64(w.score[dealer, _HAND_BONUS]), np.int64(w.score[dealer, _TABLE_BONUS])
    if decides and r.knocks and not w.deal[WON_AT_DEAL]:
        a, b = dealt_bonuses(r, w)
    factors = (a, b, c, mine, theirs, won, lost)
    fold_control(tally.hand, 0, a, factors)
    fold_control(tally.hand, 1, b, factors)
    fold_control(tally.hand, 2, c, factors)


@inline
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
    fold_controls(r, w, tally)
    if r.knocks:
        fold_knocks(r, w, tally, w.counts)
