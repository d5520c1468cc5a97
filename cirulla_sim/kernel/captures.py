"""The table, and which sets of its cards a card can capture: counted at once, and picked by number.

For the first ``n`` cards on the table and each total ``s`` from 0 to 15 the table keeps the number of subsets with that
total. A card of value ``v`` landing on the table adds, for every total, the number of subsets with ``v`` less, so with
one hexadecimal digit a total the sixteen numbers fit a word and the update is ``word + (word << 4 * v)``. No table of up
to six cards, five of them of one value if the matta helps, has more than 15 subsets of one total; larger tables keep the
numbers in rows of 16 ``uint16`` (the whole pack has some 16,000 subsets of total 15).

The number of captures of a card is read off, never searched for; capture number ``k`` is found by walking down the
cards: below the number of subsets without the next card it is not in the set, else it is. So every table that can occur
costs the same few steps, and a table where nothing can be captured costs one look.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types

from .bits import ONE, TWO, ZERO
from .jit import small

SMALL = np.uint64(6)
"""Up to this many cards the counts of a table fit one word."""

FIFTEEN = np.uint64(15)
_DIGIT = np.uint64(15)

# Places in Table.head.
N, MASK, TOTAL, SINGLES = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)


class Table(NamedTuple):
    """The cards on the table in the order they landed, and the counts of subsets; changed in place."""

    card: np.ndarray  # uint64[40]: indices of cards
    value: np.ndarray  # uint64[40]: capture value each has at present (a declared matta its declared one)
    packed: np.ndarray  # uint64[7]: for the first n cards, digit s (4 bits) is the number of subsets of total s
    rows: np.ndarray  # uint16[41, 32]: the same for more cards, total s at 16 + s; the first 16 stay 0
    head: np.ndarray  # uint64[4]: number of cards, their mask, their total, digit v: how many have value v


table_type = types.NamedTuple(
    (types.uint64[::1], types.uint64[::1], types.uint64[::1], types.uint16[:, ::1], types.uint64[::1]), Table
)


def new_table() -> Table:
    """An empty table."""
    packed = np.zeros(7, np.uint64)
    packed[0] = 1
    return Table(np.zeros(40, np.uint64), np.zeros(40, np.uint64), packed, np.zeros((41, 32), np.uint16), np.zeros(4, np.uint64))


@small
def clear(t):
    """Take all cards off the table."""
    t.head[N] = ZERO
    t.head[MASK] = ZERO
    t.head[TOTAL] = ZERO
    t.head[SINGLES] = ZERO


@small
def land(t, card, value):
    """Lay a card on the table with the value it has."""
    n = t.head[N]
    t.card[n] = card
    t.value[n] = value
    if n < SMALL:
        counts = t.packed[n]
        t.packed[n + ONE] = counts + (counts << (value << TWO))
    else:
        if n == SMALL:
            for s in range(16):
                t.rows[n, 16 + s] = (t.packed[n] >> np.uint64(4 * s)) & _DIGIT
        below = np.uint64(16) - value
        for s in range(16):
            t.rows[n + ONE, 16 + s] = t.rows[n, 16 + s] + t.rows[n, below + np.uint64(s)]
    t.head[N] = n + ONE
    t.head[MASK] |= ONE << card
    t.head[TOTAL] += value
    t.head[SINGLES] += ONE << (value << TWO)


@small
def remove(t, got):
    """Take a set of cards, a mask, off the table; the others stay in order."""
    if got == t.head[MASK]:
        clear(t)
        return
    n = t.head[N]
    clear(t)
    for i in range(n):
        card = t.card[i]
        if not (got >> card) & ONE:
            land(t, card, t.value[i])


@small
def count(t, n, s):
    """Number of subsets of the first ``n`` cards of the table with total ``s`` (0 to 15)."""
    if n <= SMALL:
        return (t.packed[n] >> (s << TWO)) & _DIGIT
    return np.uint64(t.rows[n, s + np.uint64(16)])


@small
def singles(t, value):
    """Number of cards on the table of a value."""
    return (t.head[SINGLES] >> (value << TWO)) & _DIGIT


@small
def pick(t, s, k):
    """The mask of subset number ``k`` of total ``s``; subsets without a card come before those with it, last card first."""
    got = ZERO
    i = t.head[N]
    while s:
        i -= ONE
        without = count(t, i, s)
        if k >= without:
            k -= without
            s -= t.value[i]
            got |= ONE << t.card[i]
    return got


@small
def pick_single(t, value, k):
    """The mask of the card number ``k`` on the table of a value."""
    for i in range(t.head[N]):
        if t.value[i] == value:
            if k == ZERO:
                return ONE << t.card[i]
            k -= ONE
    return ZERO


@small
def skip_singles(t, value, k):
    """The number among all subsets of total ``value`` of number ``k`` among those of two cards and more.

    The single card at place ``i`` has as its number the subsets of that total among the cards before it.
    """
    for i in range(t.head[N]):
        if t.value[i] == value and k >= count(t, np.uint64(i), value):
            k += ONE
    return k


@small
def choices(r, t, value):
    """How many captures a card of a value has: by its value, by fifteen, by the ace's sweep (0 or 1), three counts.

    ``r`` is the flat form of the rules. A set that can be captured in two ways is counted once.
    """
    n = t.head[N]
    if n == ZERO:
        return ZERO, ZERO, ZERO
    by_value = count(t, n, value)
    by_fifteen = count(t, n, FIFTEEN - value)
    if not r.plain_capture:
        equal = singles(t, value)
        if not r.capture_sum or (r.equal_first and equal and r.capture_equal):
            by_value = equal if r.capture_equal else ZERO
        elif not r.capture_equal:
            by_value -= equal
        if not r.capture_fifteen:
            by_fifteen = ZERO
    if value == ONE and r.ace_sweep:
        if singles(t, ONE) == ZERO:
            if r.ace_must_sweep:
                return ZERO, ZERO, ONE
            if t.head[TOTAL] == FIFTEEN - ONE and by_fifteen:
                return by_value, by_fifteen, ZERO
            return by_value, by_fifteen, ONE
        if r.ace_takes_ace_only:
            return by_value, ZERO, ZERO
    return by_value, by_fifteen, ZERO


@small
def capture(r, t, value, by_value, by_fifteen, k):
    """The mask of capture number ``k`` of a card, given its counts from ``choices``: by value, by fifteen, the sweep."""
    if k < by_value:
        if not r.plain_capture:
            equal = singles(t, value)
            if not r.capture_sum or (r.equal_first and equal and r.capture_equal):
                return pick_single(t, value, k)
            if not r.capture_equal:
                k = skip_singles(t, value, k)
        return pick(t, value, k)
    k -= by_value
    if k < by_fifteen:
        return pick(t, FIFTEEN - value, k)
    return t.head[MASK]


@small
def is_scopa(r, t, value, got, last_card):
    """Whether taking ``got`` with a card of a value scores a scopa; ``last_card`` tells the last play of the hand."""
    if got != t.head[MASK] or (last_card and not r.last_card_scopa):
        return False
    if r.ace_sweep_scopa or not r.ace_sweep or value != ONE or singles(t, ONE) != ZERO:
        return True
    return r.capture_fifteen and t.head[TOTAL] == FIFTEEN - ONE


@small
def revalue(t, card, value):
    """Give a card that lies on the table another value."""
    n = t.head[N]
    clear(t)
    for i in range(n):
        land(t, t.card[i], value if t.card[i] == card else t.value[i])
