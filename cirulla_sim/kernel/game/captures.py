"""The table, and which sets of its cards a card can capture: counted at once, and picked by number.

The number of subsets of the table with total ``s`` is the coefficient of ``x ** s`` in the product of ``1 + x ** v``
over the cards' values ``v``. With 16 for ``x`` the product is an integer whose hexadecimal digit ``s`` is that
number, and modulo 2**64 it keeps the totals 0 to 15, all that a capture needs. A card that lands multiplies the
integer by ``1 + 16 ** v``; a card that leaves multiplies it by the inverse modulo 2**64, which exists because the
factor is odd. So the whole table is two words, the mask of its cards and this product.

The digits are right as long as no number of subsets passes 15: no table of up to six cards has more, even with five
cards of one value by the matta's help. Larger tables also fill rows of 16 ``uint16``, one row a card (the whole pack
has some 16,000 subsets of total 15). The product survives the overflow, and its digits are right again when the table
shrinks.

So the number of captures of a card is read off, without a search, and capture number ``k`` results from walking down
the cards: below the number of subsets without the next card it is not in the set, else it is. Every table that can
occur costs the same few steps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types

from ..calls import address_of_record, record_at
from ..jit import inline
from .bits import ONE, TWO, ZERO, highest, lowest, popcount, select
from .flat import VALUE

SMALL = np.uint64(6)
"""Up to this many cards the digits of the product are right."""

FIFTEEN = np.uint64(15)
_DIGIT = np.uint64(15)
_INVERSE = np.array([0] + [pow(1 + 16**value, -1, 2**64) for value in range(1, 11)], np.uint64)


ROWS = np.dtype([("subsets", np.uint16, (41, 32))])
"""The scratch of a large table: in [n, 16 + s] the number of subsets of the n lowest cards with total s."""

rows_type = numba.from_dtype(ROWS)
rows_at = record_at(rows_type)


class Table(NamedTuple):
    """The cards on the table; a value, changed by making another."""

    cards: int  # 40-bit mask
    product: int  # of 1 + 16 ** value over the cards, modulo 2 ** 64
    matta_value: int  # what the matta counts at present, on the table or in a hand
    rows: int  # address of its ROWS, filled for large tables


table_type = types.NamedUniTuple(types.uint64, len(Table._fields), Table)


def new_rows() -> Any:
    """The scratch of a table; column 16 of row 0 is 1, the empty set, and the first 16 columns stay 0."""
    rows = np.zeros(1, ROWS)[0]
    rows["subsets"][0, 16] = 1
    return rows


@inline
def lay(cards, product, matta_value, rows):
    """A table, see ``Table``; ``rows`` is its scratch, a record of ``ROWS``."""
    return Table(cards, product, matta_value, address_of_record(rows))


@inline
def value_of(r, t, card):
    """The capture value of a card at present; the matta counts as declared."""
    value = VALUE[card]
    return t.matta_value if card == r.matta else value


@inline
def land(t, card, value):
    """The table with one more card."""
    return Table(t.cards | ONE << card, t.product + (t.product << (value << TWO)), t.matta_value, t.rows)


@inline
def remove(r, t, got):
    """The table without a set of its cards, a mask."""
    product = t.product
    cards = t.cards ^ got
    if cards == ZERO:
        return Table(ZERO, ONE, t.matta_value, t.rows)
    while got:
        product *= _INVERSE[value_of(r, t, lowest(got))]
        got &= got - ONE
    return Table(cards, product, t.matta_value, t.rows)


@inline
def with_matta_as(r, t, value):
    """The table with another value of the matta, wherever it is."""
    product = t.product
    if (t.cards >> r.matta) & ONE:
        product *= _INVERSE[t.matta_value]
        product += product << (value << TWO)
    return Table(t.cards, product, value, t.rows)


@inline
def fill_rows(r, t):
    """Count the subsets of a large table into its rows; to be called before anything else below if it is large."""
    subsets = rows_at(t.rows).subsets
    rest = t.cards
    n = 0
    while rest:
        below = np.uint64(16) - value_of(r, t, lowest(rest))
        rest &= rest - ONE
        for s in range(16):
            subsets[n + 1, 16 + s] = subsets[n, 16 + s] + subsets[n, below + np.uint64(s)]
        n += 1


@inline
def is_large(t):
    """Whether a table has more cards than the digits of the product can count for."""
    return popcount(t.cards) > SMALL


@inline
def count(t, s):
    """Number of subsets of the table with total ``s``, 0 to 15."""
    if is_large(t):
        return np.uint64(rows_at(t.rows).subsets[popcount(t.cards), np.uint64(16) + s])
    return (t.product >> (s << TWO)) & _DIGIT


@inline
def equals(r, t, value):
    """The mask of the cards on the table of a value."""
    same = ZERO
    rest = t.cards
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        if value_of(r, t, card) == value:
            same |= ONE << card
    return same


@inline
def total(r, t):
    """The total of the cards on the table."""
    points = ZERO
    rest = t.cards
    while rest:
        points += value_of(r, t, lowest(rest))
        rest &= rest - ONE
    return points


@inline
def pick(r, t, s, k):
    """The mask of subset number ``k`` of total ``s``.

    Subsets without a card come before those with it, the highest card first.
    """
    large = is_large(t)
    n = popcount(t.cards)
    product, rest, got = t.product, t.cards, ZERO
    while s:
        card = highest(rest)
        own = ONE << card
        rest ^= own
        n -= ONE
        value = value_of(r, t, card)
        product *= _INVERSE[value]
        digit = (product >> (s << TWO)) & _DIGIT
        without = np.uint64(rows_at(t.rows).subsets[n, np.uint64(16) + s]) if large else digit
        taken = ZERO - np.uint64(k >= without)  # a mask, not a branch: k is unpredictable
        k -= without & taken
        s -= value & taken
        got |= own & taken
    return got


@inline
def skip_singles(r, t, value, k):
    """The number among all subsets of total ``value`` of number ``k`` among those of two cards and more.

    The number of a single card is the number of subsets of that total among the cards below it.
    """
    below = Table(ZERO, ONE, t.matta_value, t.rows)
    rest = t.cards
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        own = value_of(r, t, card)
        if own == value and k >= count(below, value):
            k += ONE
        below = land(below, card, own)
    return k


@inline
def only_equals(r, t, value):
    """Whether a card may take by its value nothing but a single card of equal value."""
    return not r.capture_sum or (r.equal_first and r.capture_equal and equals(r, t, value) != ZERO)


@inline
def choices(r, t, value):
    """How many captures a card of a value has: by its value, by fifteen, by the ace's sweep (0 or 1), three counts.

    ``r`` is the flat form of the rules. A set that can be captured in two ways is counted once.
    """
    if t.cards == ZERO:
        return ZERO, ZERO, ZERO
    by_value = count(t, value)
    by_fifteen = count(t, FIFTEEN - value)
    if not r.plain_capture:
        if only_equals(r, t, value):
            by_value = popcount(equals(r, t, value)) if r.capture_equal else ZERO
        elif not r.capture_equal:
            by_value -= popcount(equals(r, t, value))
        if not r.capture_fifteen:
            by_fifteen = ZERO
    if value == ONE and r.ace_sweep:
        if count(t, ONE) == ZERO:
            if r.ace_must_sweep:
                return ZERO, ZERO, ONE
            if by_fifteen and total(r, t) == FIFTEEN - ONE:
                return by_value, by_fifteen, ZERO
            return by_value, by_fifteen, ONE
        if r.ace_takes_ace_only:
            return by_value, ZERO, ZERO
    return by_value, by_fifteen, ZERO


@inline
def capture(r, t, value, by_value, by_fifteen, k):
    """The mask of capture number ``k`` of a card, given its ``choices``: by value, by fifteen, the sweep."""
    if k >= by_value + by_fifteen:
        return t.cards
    if not r.plain_capture and k < by_value:
        if only_equals(r, t, value):
            return ONE << select(equals(r, t, value), k)
        if not r.capture_equal:
            return pick(r, t, value, skip_singles(r, t, value, k))
    # No branch between value and fifteen: k is unpredictable.
    fifteen = ZERO - np.uint64(k >= by_value)
    return pick(r, t, value ^ ((value ^ (FIFTEEN - value)) & fifteen), k - (by_value & fifteen))


@inline
def is_scopa(r, t, value, got, last_card):
    """Whether taking ``got`` with a card of a value scores a scopa; ``last_card`` for the last play of the hand."""
    if got != t.cards or (last_card and not r.last_card_scopa):
        return False
    if r.ace_sweep_scopa or not r.ace_sweep or value != ONE or count(t, ONE) != ZERO:
        return True
    return r.capture_fifteen and total(r, t) == FIFTEEN - ONE
