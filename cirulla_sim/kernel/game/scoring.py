"""The score of a hand by category, for each side, from the piles."""

from __future__ import annotations

import numpy as np

from ...ruleset.categories import ALL, FURTHER, MOST, RUN
from ...ruleset.categories import COLUMNS as _CATEGORIES
from ..jit import inline, noinline
from .bits import ONE, TWO, ZERO, lowest, popcount

SUIT = np.uint64(0x3FF)
DIAMONDS_AT = np.uint64(10)
SEVENS = np.uint64(0x40100401 << 6)
HALF_CARDS = np.uint64(20)
SIX, TEN = np.uint64(6), np.uint64(10)
_THREE = np.uint64(3)
_WHOLE = np.uint64(1 << 8)
"""More than any primiera."""
_MANY = 1 << 20
"""More than the points of any hand."""

# Columns of the score of a side: points by category in the order of the hand record, then facts about the side's hand.
CATEGORIES = (*_CATEGORIES, "total")
FACTS = (
    "captures", "low", "low_no_ace", "triple", "knock", "any_low", "any_low_no_ace", "any_triple", "any_knock",
    "grande_made", "piccola_length", "cappotto", "primiera_won", "primiera_tied", "sevens", "wins",
)  # fmt: skip
USUAL = len(CATEGORIES + FACTS)
"""How many columns a score has under rules without further categories."""
COLUMNS = CATEGORIES + FACTS + FURTHER
COLUMN = {name: index for index, name in enumerate(COLUMNS)}
SIDES = 4

_CARDS, _DIAMONDS, _SETTEBELLO, _PRIMIERA, _GRANDE, _PICCOLA = range(6)
_SCOPE, _TOTAL, _FURTHER = COLUMN["scope"], COLUMN["total"], COLUMN[FURTHER[0]]
_GRANDE_SCORED, _PICCOLA_LENGTH, _CAPPOTTO = COLUMN["grande_made"], COLUMN["piccola_length"], COLUMN["cappotto"]
_WON, _TIED, _SEVENS, _WINS = COLUMN["primiera_won"], COLUMN["primiera_tied"], COLUMN["sevens"], COLUMN["wins"]


@inline
def count_sweeps(r, score, sweeps):
    """Count sweeps in the score of a side: their points, and their number too where they pay another than one each.

    The column of the number is behind those of ``Rules.scoring``.
    """
    score[_SCOPE] += np.int32(sweeps * r.sweep_point)
    if r.sweep_point != ONE:
        score[np.uint64(_FURTHER) + r.further] += np.int32(sweeps)


@inline
def columns_of(r):
    """How many columns a score has under some rules."""
    return np.uint64(USUAL) + r.further + np.uint64(r.sweep_point != ONE)


@inline
def diamonds_of(cards):
    """The diamonds of a mask as ten bits, the ace lowest."""
    return (cards >> DIAMONDS_AT) & SUIT


@inline
def primiera_value(r, cards):
    """What the primiera is decided by: the sum of what the cards of each suit count; 0 cannot win.

    Where a side without a suit cannot win, that is 0 then.
    """
    total = ZERO
    whole = True
    for suit in range(4):
        own = (cards >> np.uint64(10 * suit)) & SUIT
        total += r.primes[own]
        whole = whole and own != ZERO
    if r.primiera_whole_first:
        return total + (_WHOLE if whole else ZERO)
    return total if whole or not r.primiera_whole else ZERO


@inline
def mark_most(score, sides, value, points, column):
    """Give points to the side whose ``value`` is above every other's; returns the largest and how many have it.

    Who has most is unpredictable: no branch.
    """
    best, holders = ZERO, ZERO
    for side in range(sides):
        best = max(best, value[side])
    for side in range(sides):
        holders += np.uint64(value[side] == best)
    points *= np.uint64(holders == ONE) & np.uint64(best > ZERO)
    for side in range(sides):
        score[side, column] = points * np.uint64(value[side] == best)
    return best, holders


@inline
def measure(r, i, cards):
    """What category ``i`` of ``Rules.scoring`` counts in a pile."""
    kind, wanted = r.further_kind[i], r.further_cards[i]
    if kind == ALL:
        return np.uint64(cards & wanted == wanted)
    if kind == RUN:
        first = lowest(wanted)
        run = lowest(~((cards >> first) & (SUIT >> first % TEN)))  # cards of the suit in a row from the first on
        return run if run >= _THREE else ZERO
    return popcount(cards & wanted)


@noinline
def certain_points(r, cards):
    """The points that a pile has for certain in the categories of ``Rules.scoring``."""
    points = np.int64(0)
    for i in range(r.further):
        counted = measure(r, i, cards)
        if r.further_kind[i] >= MOST:
            counted = np.uint64(counted * TWO > popcount(r.further_cards[i]))
        points += np.int64(r.further_points[i]) * np.int64(counted)
    return points


@noinline
def further_points(r, i, piles, side):
    """The points of a side in category ``i`` of ``Rules.scoring``, when all cards are in piles, uint64[4]."""
    counted, most, tied = measure(r, i, piles[side]), True, False
    if r.further_kind[i] >= MOST:
        for other in range(r.sides):
            theirs = measure(r, i, piles[other])
            most = most and theirs <= counted
            tied = tied or (theirs == counted and np.uint64(other) != side)
        counted = np.uint64(counted > ZERO and most and (not tied or r.further_kind[i] > MOST))
    return np.int64(r.further_points[i]) * np.int64(counted)


@inline
def wins_outright(r, score, side):
    """Whether a hand makes a side win the game: by all ten diamonds, or by so many points to nothing."""
    total = 0
    for each in range(r.sides):
        total += score[each, _TOTAL]
    to_nothing = r.shutout and score[side, _TOTAL] == total and total >= np.int64(r.shutout)
    return to_nothing or (r.all_diamonds_wins and score[side, _CAPPOTTO] > 0)


@inline
def score_hand(r, pile, score, value):
    """Fill the points taken from the piles, the totals and the facts of each side.

    ``pile`` is uint64[4], a mask a side; ``score`` int32[4, len(COLUMNS)], where sweeps, bonuses and what happened in
    play have been counted already; ``value`` a scratch uint64[4].
    """
    sides = r.sides
    for side in range(sides):
        value[side] = popcount(pile[side])
    mark_most(score, sides, value, r.cards_point, _CARDS)
    for side in range(sides):
        value[side] = popcount(diamonds_of(pile[side]))
    mark_most(score, sides, value, r.diamonds_point, _DIAMONDS)
    for side in range(sides):
        value[side] = primiera_value(r, pile[side])
    best, holders = mark_most(score, sides, value, r.primiera_point, _PRIMIERA)
    for side in range(sides):
        mine = score[side]
        holds = np.uint64(value[side] == best) & np.uint64(best > ZERO)
        mine[_WON], mine[_TIED] = holds & np.uint64(holders == ONE), holds & np.uint64(holders > ONE)
        mine[_SEVENS] = popcount(pile[side] & SEVENS)
        diamonds = diamonds_of(pile[side])
        settebello = (diamonds >> SIX & ONE) * r.settebello_point
        piccola = r.piccola[diamonds]
        grande = r.grandes[diamonds]
        mine[_PICCOLA_LENGTH] = piccola
        mine[_GRANDE_SCORED] = grande > ZERO
        if diamonds == SUIT:
            mine[_CAPPOTTO] = r.all_diamonds_wins or r.all_diamonds_points
            if r.all_diamonds_points:
                settebello = min(settebello, r.all_diamonds)
                piccola = min(piccola, r.all_diamonds - settebello)
                grande = r.all_diamonds - settebello - piccola
        mine[_SETTEBELLO] = settebello
        mine[_GRANDE] = grande
        mine[_PICCOLA] = piccola
        total = 0
        for column in range(_TOTAL):
            total += mine[column]
        for i in range(r.further):
            mine[_FURTHER + i] = further_points(r, i, pile, np.uint64(side))
            total += mine[_FURTHER + i]
        mine[_TOTAL] = total
        value[side] = total if r.pays > 0 else _MANY - total
    mark_most(score, sides, value, ONE, _WINS)
