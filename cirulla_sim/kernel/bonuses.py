"""Bonuses for dealt cards: the dealer's on the table, the players' on sets of three cards; misdeals."""

from __future__ import annotations

import numpy as np

from .bits import ONE, TWO, ZERO, lowest, popcount
from .flat import VALUE
from .jit import small

NINE, TEN, FIFTEEN, THIRTY = np.uint64(9), np.uint64(10), np.uint64(15), np.uint64(30)
THREE, FOUR, EIGHT = np.uint64(3), np.uint64(4), np.uint64(8)
_RANK = np.uint64(0x40100401)  # the four aces; shifted left by r, the four cards of rank r

CARDS = np.uint64((1 << 40) - 1)
DIGIT = np.uint64(15)
ORDERED, FOUND = 120, 130  # a holding of ten has no more sets of three
POINTS_AT = np.uint64(48)

# Kinds of hand bonus.
NONE, LOW, LOW_NO_ACE, TRIPLE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)


@small
def most_equal(cards):
    """The largest number of cards of one rank in a mask."""
    most = ZERO
    for rank in range(10):
        equal = popcount(cards & (_RANK << np.uint64(rank)))
        if equal > most:
            most = equal
    return most


@small
def is_misdeal(r, cards):
    """Whether the table cards, a mask, are a misdeal; the matta counts as its own card."""
    if popcount(cards & r.misdeal_mask) >= r.misdeal_count:
        return True
    if r.misdeal_three_equal:
        without = cards & ~(ONE << r.matta)
        most = most_equal(cards)
        fourth_is_matta = without != cards and most_equal(without) == THREE
        return most == FOUR or (most == THREE and not fourth_is_matta)
    return False


@small
def four_equal(r, cards):
    """Whether the table cards, a mask, are four of a rank, or three of a rank and the matta."""
    matta = (cards >> r.matta) & ONE
    return most_equal(cards) == FOUR or (matta == ONE and most_equal(cards & ~(ONE << r.matta)) == THREE)


@small
def table_bonus(r, cards):
    """The dealer's bonus for the four table cards, a mask: (kind, points, matta's value).

    Kind 0 is none, 1 fifteen, 2 thirty, 3 low; the best of those that fit. A low table is low with the matta an ace.
    """
    total = ZERO
    rest = cards
    while rest:
        total += VALUE[lowest(rest)]
        rest &= rest - ONE
    wild = (cards >> r.matta) & ONE
    to_15, to_30, low = FIFTEEN - total, THIRTY - total, total <= NINE
    if wild:
        total -= r.matta_value
        to_15, to_30, low = FIFTEEN - total, THIRTY - total, total <= EIGHT
    # Without the matta a total fits where nothing is left to add; with it, where a value from 1 to 10 is (unsigned: a
    # total that is too high leaves a huge number).
    fits_15 = to_15 - ONE < TEN if wild else to_15 == ZERO
    fits_30 = to_30 - ONE < TEN if wild else to_30 == ZERO
    kind, points, value = ZERO, ZERO, ZERO
    if fits_15 and r.table_15 > points:
        kind, points, value = ONE, r.table_15, to_15
    if fits_30 and r.table_30 > points:
        kind, points, value = TWO, r.table_30, to_30
    if low and r.table_low > points:
        kind, points, value = THREE, r.table_low, ONE
    return kind, points, value if wild else ZERO


@small
def set_bonus(r, cards):
    """The bonus for a set of three cards, a mask: (kind, points, matta's value, 0 without the matta)."""
    rest = cards & ~(ONE << r.matta)
    a = VALUE[lowest(rest)]
    rest &= rest - ONE
    b = VALUE[lowest(rest)]
    if (cards >> r.matta) & ONE:
        return wild_bonus(r, a, b)
    return plain_bonus(r, a, b, VALUE[lowest(rest & (rest - ONE))])


@small
def plain_bonus(r, a, b, c):
    """The bonus for three cards of these values, none of them the matta: (kind, points, 0).

    Three equal cards that are low too earn what the rules say for both. Where three equal cards earn nothing a low set
    of them is a low one.
    """
    if a == b and b == c:
        points = r.hand_both if a <= THREE else r.hand_triple
        kind = TRIPLE
        if a <= THREE and r.hand_triple == ZERO and points == r.hand_low:
            kind = LOW if a == ONE else LOW_NO_ACE
    elif a + b + c <= NINE:
        points = r.hand_low
        kind = LOW_NO_ACE if a > ONE and b > ONE and c > ONE else LOW
    else:
        points, kind = ZERO, NONE
    return kind if points else NONE, points, ZERO


@small
def wild_bonus(r, a, b):
    """The bonus for two cards of these values and the matta: (kind, points, matta's value).

    The matta takes the one value that earns most. In a low set it is an ace, the value no rule forbids, or a two beside
    two aces, which with an ace would be three equal.
    """
    kind, points, value = NONE, ZERO, ZERO
    if a == b:
        # Low too: but where a low matta is always an ace, not as a two or a three.
        too = a <= THREE and not (r.matta_low_ace and a > ONE)
        points, value = r.hand_both if too else r.hand_triple, a
        kind = LOW if too and r.hand_triple == ZERO and points == r.hand_low else TRIPLE
    low_value = TWO if a == b and a == ONE else ONE
    low = a + b + low_value <= NINE and not (r.matta_low_ace and low_value == TWO)
    if low and (r.hand_low > points or (r.hand_low == points and r.hand_triple == ZERO)):
        kind, points, value = LOW, r.hand_low, low_value
    if points == ZERO:
        return NONE, ZERO, ZERO
    return kind, points, value


@small
def knock_word(cards, kind, points, value):
    """A knock in one word: the matta's value in bits 0-3, the kind in 4-7, the cards in 8-47, points from 48."""
    return value | kind << FOUR | cards << EIGHT | points << POINTS_AT


@small
def points_of(knock):
    """The points of a knock."""
    return knock >> POINTS_AT


@small
def kind_of(knock):
    """The kind of bonus of a knock."""
    return (knock >> FOUR) & DIGIT


@small
def matta_of(knock):
    """The matta's declared value of a knock, 0 without the matta."""
    return knock & DIGIT


@small
def shown_in(knock):
    """The mask of the cards of a knock."""
    return (knock >> EIGHT) & CARDS


@small
def add(cards, bonus, found, size):
    """Add a bonus, if it is one, to those found; returns how many there are."""
    kind, points, value = bonus
    if kind == NONE:
        return size
    found[size] = knock_word(cards, kind, points, value)
    return size + 1


@small
def rank_candidates(found, size, candidates):
    """Copy the knocks found to ``candidates``, most points first; those of equal points stay in order."""
    for i in range(size):
        mine = points_of(found[i])
        place = 0
        for j in range(i):  # all are compared with all: no branch to guess, and few are more than a dozen
            place += points_of(found[j]) >= mine
        for j in range(i + 1, size):
            place += points_of(found[j]) > mine
        candidates[place] = found[i]


@small
def sort_by_value(cards, ordered):
    """Write the cards of a mask to ``ordered``, lowest value first, each as its own mask times 16 plus its value."""
    size = 0
    for rank in range(10):
        equal = cards & (_RANK << np.uint64(rank))
        while equal:
            own = equal & (ZERO - equal)
            equal ^= own
            ordered[size] = own << FOUR | np.uint64(rank) + ONE
            size += 1
    return size


@small
def find_candidates(r, cards, matta, candidates):
    """Fill ``candidates`` with every set of three cards worth a bonus, most points first, then lowest ranks; how many.

    ``cards`` is the holding without the matta, ``matta`` the matta's mask if it is held, else 0. The cards are taken by
    rising value, so that the search ends as soon as a total is too high to be low. The places from ``ORDERED`` on are
    scratch.
    """
    ordered, found = candidates[ORDERED:], candidates[FOUND:]
    held = sort_by_value(cards, ordered)
    size = 0
    for i in range(held):
        first, a = ordered[i] >> FOUR, ordered[i] & DIGIT
        for j in range(i + 1, held):
            second, b = ordered[j] >> FOUR, ordered[j] & DIGIT
            if b > a and a + b + ONE > NINE:
                break
            if matta:
                size = add(first | second | matta, wild_bonus(r, a, b), found, size)
            for k in range(j + 1, held):
                third, c = ordered[k] >> FOUR, ordered[k] & DIGIT
                if c > a and a + b + c > NINE:
                    break
                size = add(first | second | third, plain_bonus(r, a, b, c), found, size)
    rank_candidates(found, size, candidates)
    return size


@small
def keep(knocks, slot, seat, first, second, third):
    """Write up to three knocks of a seat from row ``slot`` on; an empty one only where there is a row for it."""
    knocks[slot, seat] = first
    if slot + ONE < knocks.shape[0]:
        knocks[slot + ONE, seat] = second
    if slot + TWO < knocks.shape[0]:
        knocks[slot + TWO, seat] = third


@small
def choose_sets(r, cards, slot, seat, knocks, candidates):
    """Choose the disjoint sets of three cards worth most in a holding of more than three; they are shown in this order.

    ``knocks`` is uint64[slots, 4]: from row ``slot`` on the sets chosen are written for a seat, see ``knock_word``.
    ``candidates`` is a scratch uint64[250]. Ties go to the sets that come first by points, then by the lowest
    ranks; suits decide only between cards of one rank, so that kinds and points follow from the ranks and the matta.
    """
    matta = cards & (ONE << r.matta)
    size = find_candidates(r, cards & ~matta, matta, candidates)
    union = ZERO
    for i in range(size):
        union |= shown_in(candidates[i])
    most = popcount(union) // THREE  # so many disjoint sets at most, and candidates fall in points
    best = ZERO
    for i in range(size):
        first = candidates[i]
        if most * points_of(first) <= best:
            break
        if points_of(first) > best:
            best = points_of(first)
            keep(knocks, slot, seat, first, ZERO, ZERO)
        if most == ONE:
            break
        for j in range(i + 1, size):
            second = candidates[j]
            if points_of(first) + (most - ONE) * points_of(second) <= best:
                break
            if shown_in(first & second):
                continue
            if points_of(first) + points_of(second) > best:
                best = points_of(first) + points_of(second)
                keep(knocks, slot, seat, first, second, ZERO)
            if most == TWO:
                break
            for k in range(j + 1, size):
                third = candidates[k]
                if points_of(first) + points_of(second) + points_of(third) <= best:
                    break
                if not shown_in((first | second) & third):
                    best = points_of(first) + points_of(second) + points_of(third)
                    keep(knocks, slot, seat, first, second, third)
                    break
