"""Plays as words, and the list of those that are legal.

A play in one word: the cards captured in bits 0-39, the card played in 40-45, the value it has in 46-49, 1 in bit 50
if it is a scopa, the value that the matta is declared as before it in 51-54.
"""

from __future__ import annotations

import numpy as np

from ..jit import inline, noinline
from .bits import ONE, ZERO, lowest
from .bonuses import CARDS
from .captures import capture, choices, fill_rows, is_large, is_scopa, value_of

MOST_PLAYS = 1 << 16
"""More than the legal plays of a turn: the whole pack on the table has some 16,000 subsets of total fifteen."""


@inline
def play_word(card, value, got, scopa):
    """A play in one word: cards captured in bits 0-39, the card in 40-45, the value it has in 46-49, scopa in 50."""
    return got | card << np.uint64(40) | value << np.uint64(46) | np.uint64(scopa) << np.uint64(50)


@inline
def card_of(play):
    """The index 0..39 of the card played."""
    return (play >> np.uint64(40)) & np.uint64(63)


@inline
def value_in(play):
    """The value with which the card is played."""
    return (play >> np.uint64(46)) & np.uint64(15)


@inline
def captured(play):
    """The mask of the table cards captured; 0 if the card is left on the table."""
    return play & CARDS


@inline
def is_sweep(play):
    """1 if the play scores a scopa, else 0."""
    return (play >> np.uint64(50)) & ONE


@inline
def declaring(play, value):
    """A play before which the matta is declared as a value, in bits 51-54; 0 for no declaration."""
    return play | value << np.uint64(51)


@inline
def declared_in(play):
    """The value that the matta is declared as before a play, or 0."""
    return (play >> np.uint64(51)) & np.uint64(15)


@noinline
def list_plays(r, t, allowed, last_card, plays):
    """Fill ``plays`` with every legal play; returns how many.

    The lowest card first, then captures by number, then leaving the card where that is a choice. The rows of a large
    table are filled.
    """
    if is_large(t):
        fill_rows(r, t)
    size = ZERO
    most = np.uint64(plays.size)
    while allowed:
        card = lowest(allowed)
        allowed &= allowed - ONE
        value = value_of(r, t, card)
        by_value, by_fifteen, sweep = choices(r, t, value)
        captures = by_value + by_fifteen + sweep
        for k in range(captures):
            if size < most:
                got = capture(r, t, value, by_value, by_fifteen, np.uint64(k))
                plays[size] = play_word(card, value, got, is_scopa(r, t, value, got, last_card))
                size += ONE
        if (captures == ZERO or r.capture_optional) and size < most:
            plays[size] = play_word(card, value, ZERO, False)
            size += ONE
    return size
