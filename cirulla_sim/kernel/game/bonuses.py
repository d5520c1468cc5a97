"""Bonuses of dealt cards, looked up: the dealer's for the table, the players' for sets of three cards; misdeals."""

from __future__ import annotations

import numpy as np

from ..jit import inline, noinline
from . import prices
from .bits import ONE, TWO, ZERO, lowest, popcount
from .flat import VALUE

TEN, ELEVEN = np.uint64(10), np.uint64(11)
THREE, FOUR = np.uint64(3), np.uint64(4)
_RANK = np.uint64(0x40100401)  # the four aces; shifted left by r, the four cards of rank r

CARDS = np.uint64((1 << 40) - 1)
DIGIT = np.uint64(15)
ORDERED, UNRANKED = 120, 130  # a holding of ten has no more sets of three
KIND_AT, CARDS_AT, POINTS_AT = np.uint64(prices.KIND_AT), np.uint64(prices.CARDS_AT), np.uint64(prices.POINTS_AT)
WITH_MATTA = np.uint64(prices.WITH_MATTA)

# Kinds of hand bonus.
NONE, LOW, LOW_NO_ACE, TRIPLE = map(np.uint64, (prices.NONE, prices.LOW, prices.LOW_NO_ACE, prices.TRIPLE))


@inline
def most_equal(cards):
    """The largest number of cards of one rank in a mask."""
    most = ZERO
    for rank in range(10):
        equal = popcount(cards & (_RANK << np.uint64(rank)))
        if equal > most:
            most = equal
    return most


@inline
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


@inline
def four_equal(r, cards):
    """Whether the table cards, a mask, are four of a rank, or three of a rank and the matta."""
    matta = (cards >> r.matta) & ONE
    return most_equal(cards) == FOUR or (matta == ONE and most_equal(cards & ~(ONE << r.matta)) == THREE)


@inline
def table_bonus(r, cards):
    """The dealer's bonus for the table cards, a mask, as a word (see ``prices``); 0 is none."""
    total = ((cards >> r.matta) & ONE) * WITH_MATTA
    while cards:
        total += VALUE[lowest(cards)]
        cards &= cards - ONE
    return r.tables[total]


@inline
def set_bonus(r, first, second, third):
    """The bonus for three cards, given by their digits, as a word (see ``prices``); 0 is none."""
    return r.sets[(first * ELEVEN + second) * ELEVEN + third]


@inline
def claim(r, cards, value):
    """The bonus that three cards, a mask, may be shown for with the matta as a value (1 without it); 0 is none."""
    second = cards & (cards - ONE)
    third = second & (second - ONE)
    number = (r.digits[lowest(cards)] * ELEVEN + r.digits[lowest(second)]) * ELEVEN + r.digits[lowest(third)]
    return r.claims[TEN * number + value - ONE]


@inline
def holding_bonus(r, deck, place):
    """The bonus for the three cards of the deal order from a place on, as a word; 0 is none."""
    return set_bonus(r, r.digits[deck[place]], r.digits[deck[place + ONE]], r.digits[deck[place + TWO]])


@inline
def bonus_of(r, cards):
    """The bonus for three cards, a mask, as a word; 0 is none."""
    second = cards & (cards - ONE)
    third = second & (second - ONE)
    return set_bonus(r, r.digits[lowest(cards)], r.digits[lowest(second)], r.digits[lowest(third)])


@inline
def knock_word(cards, bonus):
    """A knock in one word: the bonus and its cards, a mask, in bits 8-47."""
    return bonus | cards << CARDS_AT


@inline
def knock_points(knock):
    """The points of a knock, or of a bonus without its cards."""
    return knock >> POINTS_AT


@inline
def bonus_kind(knock):
    """The kind of a bonus."""
    return (knock >> KIND_AT) & DIGIT


@inline
def matta_of(knock):
    """The matta's declared value in a bonus, 0 without the matta."""
    return knock & DIGIT


@inline
def shown_in(knock):
    """The mask of the cards of a knock."""
    return (knock >> CARDS_AT) & CARDS


@inline
def add(cards, bonus, unranked, size):
    """Append a bonus, if it is one, to a list; returns the size of the list."""
    if bonus == ZERO:
        return size
    unranked[size] = knock_word(cards, bonus)
    return size + 1


@inline
def rank_candidates(unranked, size, candidates):
    """Copy knocks to ``candidates``, most points first; those of equal points stay in order."""
    for i in range(size):
        mine = knock_points(unranked[i])
        place = 0
        for j in range(i):  # all are compared with all: no branch to guess, and few are more than a dozen
            place += knock_points(unranked[j]) >= mine
        for j in range(i + 1, size):
            place += knock_points(unranked[j]) > mine
        candidates[place] = unranked[i]


@inline
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


@inline
def find_candidates(r, cards, matta, candidates):
    """Fill ``candidates`` with every set of three cards worth a bonus, most points first, then lowest ranks; how many.

    ``cards`` is the holding without the matta, ``matta`` the matta's mask if it is held, else 0. The cards are taken by
    rising value, so that the search ends as soon as a total is too high to be low. The places from ``ORDERED`` on are
    scratch.
    """
    ordered, unranked = candidates[ORDERED:], candidates[UNRANKED:]
    held = sort_by_value(cards, ordered)
    size = 0
    for i in range(held):
        first, a = ordered[i] >> FOUR, ordered[i] & DIGIT
        for j in range(i + 1, held):
            second, b = ordered[j] >> FOUR, ordered[j] & DIGIT
            if b > a and a + b + ONE > r.hand_low_most:
                break
            if matta:
                size = add(first | second | matta, set_bonus(r, a, b, ZERO), unranked, size)
            for k in range(j + 1, held):
                third, c = ordered[k] >> FOUR, ordered[k] & DIGIT
                if c > a and a + b + c > r.hand_low_most:
                    break
                size = add(first | second | third, set_bonus(r, a, b, c), unranked, size)
    rank_candidates(unranked, size, candidates)
    return size


@noinline
def best_sets(r, cards, candidates):
    """The up to three disjoint sets of three cards worth most in a holding, as knocks, most points first; 0 is none.

    ``candidates`` is a scratch uint64[250]. Ties go to the sets that come first by points, then by the lowest
    ranks; suits decide only between cards of one rank, so that kinds and points follow from the ranks and the matta.
    """
    best_first, best_second, best_third = ZERO, ZERO, ZERO
    matta = cards & (ONE << r.matta)
    size = find_candidates(r, cards & ~matta, matta, candidates)
    union = ZERO
    for i in range(size):
        union |= shown_in(candidates[i])
    most = popcount(union) // THREE  # an upper bound of disjoint sets; candidates fall in points
    best = ZERO
    for i in range(size):
        first = candidates[i]
        if most * knock_points(first) <= best:
            break
        if knock_points(first) > best:
            best = knock_points(first)
            best_first, best_second, best_third = first, ZERO, ZERO
        if most == ONE:
            break
        for j in range(i + 1, size):
            second = candidates[j]
            if knock_points(first) + (most - ONE) * knock_points(second) <= best:
                break
            if shown_in(first & second):
                continue
            if knock_points(first) + knock_points(second) > best:
                best = knock_points(first) + knock_points(second)
                best_first, best_second, best_third = first, second, ZERO
            if most == TWO:
                break
            for k in range(j + 1, size):
                third = candidates[k]
                if knock_points(first) + knock_points(second) + knock_points(third) <= best:
                    break
                if not shown_in((first | second) & third):
                    best = knock_points(first) + knock_points(second) + knock_points(third)
                    best_first, best_second, best_third = first, second, third
                    break
    return best_first, best_second, best_third


@inline
def choose_sets(r, cards, slot, seat, knocks, candidates):
    """Choose the sets that a holding of more than three cards shows, one after another, see ``best_sets``.

    ``knocks`` is uint64[slots, 4]: from row ``slot`` on the sets chosen are written for a seat, see ``knock_word``, an
    empty one only if there is a row for it.
    """
    first, second, third = best_sets(r, cards, candidates)
    if first:
        knocks[slot, seat] = first
        if slot + ONE < knocks.shape[0]:
            knocks[slot + ONE, seat] = second
        if slot + TWO < knocks.shape[0]:
            knocks[slot + TWO, seat] = third
