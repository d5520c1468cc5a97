"""The tally of many hands: a fixed set of integer counts and sums, so that adding tallies is exact in any order."""

from __future__ import annotations

import numpy as np

from .. import types
from ..jit import inline
from .bits import ONE, ZERO
from .bonuses import THREE, bonus_kind, holding_bonus, knock_points
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

# Rows of TALLY.sums: d is a column's number for the dealer's side, o its sum over the other sides.
SUM_D, SUM_O, SUM_DD, SUM_OO, SUM_DO = range(5)

# Places in TALLY.hand.
HANDS, MISDEALS, MISDEALS_SQUARED, DEALER_WON, OTHERS_WON = range(5)
TABLE_KINDS = 5  # then three places for table bonuses by kind: fifteen, thirty, low
ANY = 8  # then four places for hands with at least one knock, by KNOCKS
CONTROLLED = 12  # then of each of CONTROLS: its sum, the sums of its products with each of CONTROLS and of RESULTS


TALLY = np.dtype(
    [
        # hands, counts of hands, sums of what their deals bring; see the places above
        ("hand", np.int64, CONTROLLED + len(CONTROLS) * CONTROL_SUMS),
        ("sums", np.int64, (5, len(COLUMNS))),  # sums, sums of squares and of products over hands
        ("stages", np.int64, (SLOTS, len(KNOCKS), 13)),  # by stage, KNOCKS and number of such knocks in it, but for 0
        # sides by DEALER or OTHERS and points of the hand, the last for that and more; pairs of OTHERS with the same
        # points of one hand, by those points
        ("points", np.int64, (3, SCORES)),
        ("primiera", np.int64, (2, 5, 64)),  # by class, sevens held and 16 * sides + 4 * won + tied
        ("piccola", np.int64, (2, 11)),  # sides by class and length of la piccola
    ],
    align=True,
)
"""Numbers of hands, all of them int64: the record lies over one flat array, so that tallies add up."""

SIZE = TALLY.itemsize // 8
tally_type = types.Record(TALLY)
views = tally_type.over
"""The parts of a tally, as views of its flat int64[SIZE] array."""

_TOTAL, _SEVENS = COLUMN["total"], COLUMN["sevens"]
_WON, _TIED, _LENGTH = COLUMN["primiera_won"], COLUMN["primiera_tied"], COLUMN["piccola_length"]
_TABLE_BONUS, _HAND_BONUS, _WINS = COLUMN["table_bonus"], COLUMN["hand_bonus"], COLUMN["wins"]

_BYTE, _EIGHT, _SIX_BITS, _SIX = np.uint64(255), np.uint64(8), np.uint64(63), np.uint64(6)
_FIVE = np.uint64(5)
_COUNTED = np.array([0, 0x01000001, 0x01000101, 0x01010000], np.uint64)
"""By kind of bonus, what a knock adds to the numbers of KNOCKS, each in a byte."""


@inline
def fold_knocks(r, w, tally):
    """Count the knocks of a hand by stage, and whether there was any, by kind."""
    slot, of_hand = ZERO, ZERO
    for stage in range(r.stages):
        numbers = ZERO
        for _ in range(r.plan[stage] // THREE):
            for seat in range(r.players):
                numbers += _COUNTED[bonus_kind(w.knocks[slot, seat])]
            slot += ONE
        of_hand += numbers
        for kind in range(len(KNOCKS)):
            tally.stages[stage, kind, numbers >> _EIGHT * np.uint64(kind) & _BYTE] += 1
    for kind in range(len(KNOCKS)):
        tally.hand[ANY + kind] += (of_hand >> _EIGHT * np.uint64(kind) & _BYTE) > ZERO


@inline
def dealt_bonuses(r, w):
    """Points of the best bonuses in what the dealer's side is dealt, and the others; none of a hand not played.

    Where a policy decides what it shows they are looked for, three cards at a time; else all have been shown.
    """
    dealer = r.sides - ONE
    mine, theirs, decides = np.int64(w.score[dealer, _HAND_BONUS]), np.int64(0), w.options[dealer, DECIDES]
    for side in range(dealer):
        theirs += w.score[side, _HAND_BONUS]
        decides |= w.options[side, DECIDES]
    if decides == ZERO or not r.knocks or w.deal[WON_AT_DEAL]:
        return mine, theirs
    mine, theirs, place = np.int64(0), np.int64(0), r.table_cards
    for stage in range(r.stages):
        if r.plan[stage] != THREE:
            break
        for seat in range(r.players):
            points = np.int64(knock_points(holding_bonus(r, w.deck, place)))
            if side_of(r, np.uint64(seat)) == dealer:
                mine += points
            else:
                theirs += points
            place += THREE
    return mine, theirs


@inline
def fold_deal(r, w, bonuses, tally):
    """Add to a tally what the deal of a hand brought and what was shown in it; write ``dealt_bonuses``."""
    misdeals = np.int64(w.deal[MISDEALT])
    tally.hand[MISDEALS] += misdeals
    tally.hand[MISDEALS_SQUARED] += misdeals * misdeals
    if w.deal[WON_AT_DEAL]:
        tally.hand[DEALER_WON - 1 + np.int64(w.deal[WON_AT_DEAL])] += 1
    if w.deal[TABLE_KIND]:
        tally.hand[TABLE_KINDS - 1 + np.int64(w.deal[TABLE_KIND])] += 1
    if r.knocks:
        fold_knocks(r, w, tally)
    bonuses[0], bonuses[1] = dealt_bonuses(r, w)


@inline
def counted_points(score):
    """The points of a side's hand as they are counted: the place in ``TALLY.points``."""
    return np.uint64(min(max(score[_TOTAL], 0), SCORES - 1))


@inline
def fold_sides(r, scores, b, tally):
    """Add the points of each side in a hand: to the sums of its batch over the columns, and to the distributions."""
    dealer = r.sides - ONE
    ours, others = scores[dealer], b.others
    for column in range(len(COLUMNS)):
        others[column] = scores[0, column]
    for side in range(ONE, dealer):
        for column in range(len(COLUMNS)):
            others[column] += scores[side, column]
    for column in range(len(COLUMNS)):  # 32 bits are enough for a batch's products, and several are computed at once
        x, y = ours[column], others[column]
        b.sums[SUM_D, column] += x
        b.sums[SUM_O, column] += y
        b.sums[SUM_DD, column] += np.int32(x * x)
        b.sums[SUM_OO, column] += np.int32(y * y)
        b.sums[SUM_DO, column] += np.int32(x * y)
    for side in range(r.sides):
        mine = scores[side]
        group = DEALER if side == dealer else OTHERS
        tally.points[group, counted_points(mine)] += 1
        tally.piccola[group, np.uint64(mine[_LENGTH])] += 1
    for side in range(dealer):
        points = counted_points(scores[side])
        for other in range(side + ONE, dealer):
            tally.points[ALIKE, points] += counted_points(scores[other]) == points


@inline
def fold_primiera(r, scores, tally):
    """Count by number of sevens how many sides hold it and won or tied the primiera."""
    codes = ZERO  # six bits for each number of sevens, those of the dealer's side first
    for side in range(r.sides):
        mine = scores[side]
        place = np.uint64(mine[_SEVENS]) + (ZERO if side == r.sides - ONE else _FIVE)
        codes += np.uint64(16 + 4 * mine[_WON] + mine[_TIED]) << _SIX * place
    for group in range(2):
        for sevens in range(5):
            tally.primiera[group, sevens, codes & _SIX_BITS] += 1
            codes >>= _SIX


@inline
def fold_controls(r, scores, bonuses, tally):
    """Add what the deal brought, and its products with itself and with what came of it; a hand not played has none."""
    dealer = r.sides - ONE
    theirs, lost = np.int64(0), np.int64(0)
    for side in range(dealer):
        theirs += scores[side, _TOTAL]
        lost += scores[side, _WINS]
    mine, won = np.int64(scores[dealer, _TOTAL]), np.int64(scores[dealer, _WINS])
    a, b, c = np.int64(bonuses[0]), np.int64(bonuses[1]), np.int64(scores[dealer, _TABLE_BONUS])
    factors = (np.int64(1), a, b, c, mine, theirs, won, lost)
    for control in range(len(CONTROLS)):
        for factor in range(CONTROL_SUMS):
            tally.hand[CONTROLLED + control * CONTROL_SUMS + factor] += factors[1 + control] * factors[factor]


@inline
def fold_scores(r, b, hands, tally):
    """Add the scores of a batch of hands to a tally."""
    tally.hand[HANDS] += hands
    tally.stages[:, :, 0] = 0
    b.sums[:] = 0
    for i in range(hands):
        fold_sides(r, b.scores[i], b, tally)
        fold_primiera(r, b.scores[i], tally)
        fold_controls(r, b.scores[i], b.bonuses[i], tally)
    for row in range(tally.sums.shape[0]):
        for column in range(len(COLUMNS)):
            tally.sums[row, column] += b.sums[row, column]
