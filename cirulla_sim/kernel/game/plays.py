"""Plays as words, and the list of those that are legal.

A play in one word: the cards captured in bits 0-39 (an ace that takes itself from an empty table is its own), the
card played in 40-45, the value it has in 46-49, 1 in bit 50 if it is a scopa, the value that the matta is declared as
before it in 51-54.

The moment of a hand: which play comes next, and whose it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import types
from ..jit import inline, noinline, record_at
from .bits import ONE, ZERO, lowest
from .bonuses import CARDS
from .captures import (
    CardPlay,
    by_rank,
    by_suit,
    cell_of,
    choice_at,
    choice_of,
    count_choices,
    first_choice,
    is_large,
    large_choice,
    next_capture,
    value_of,
)
from .flat import flat_type

flat_at = record_at(flat_type)

MOST_PLAYS = 1 << 16
"""More than the legal plays of a turn: the whole pack on the table has some 16,000 subsets of total fifteen."""


@inline
def rules_now(r, played):
    """The rules after so many plays of the hand: before ``ace_from`` an ace captures like any other card."""
    if r.ace_from:
        return flat_at(r.early if played < r.ace_from else r.late)
    return r


@inline
def played_card(play):
    """The index 0..39 of the card played."""
    return (play >> np.uint64(40)) & np.uint64(63)


@inline
def captured_cards(play):
    """The mask of the table cards captured; 0 if the card is left on the table."""
    return play & CARDS


@inline
def sweep_bit(play):
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


@inline
def word_of(r, choice, last_card):
    """A choice as a word; ``last_card`` for the last play of the hand."""
    scopa, got = choice.scored & np.uint64(not last_card or r.last_card_scopa), by_suit(r, choice.ranked)
    if r.ace_takes_itself and got == ZERO:
        got = ONE << choice.card & choice.captures
    return got | choice.card << np.uint64(40) | choice.value << np.uint64(46) | scopa << np.uint64(50)


@inline
def choice_in(r, t, play):
    """A legal play, a word, as a ``Choice``."""
    card, got = played_card(play), captured_cards(play)
    value = (play >> np.uint64(46)) & np.uint64(15)
    if r.ace_takes_itself and got == ONE << card:
        return CardPlay(card, value, ZERO, ~ZERO, t.state, ZERO)
    return choice_of(r, t, card, value, by_rank(r, got, t.matta_value), sweep_bit(play))


@noinline
def list_large(r, t, card, last_card, plays):
    """Fill ``plays`` with the choices of a card on a large table, as many as there is room for; returns how many."""
    value, size = value_of(r, t, card), ZERO
    got = next_capture(r, t.ranked, value, ZERO)
    leaves = got == ZERO or r.capture_optional
    while (got or leaves) and size < np.uint64(plays.size):
        plays[size] = word_of(r, large_choice(r, t, card, value, got), last_card)
        size += ONE
        leaves = leaves and got
        got = next_capture(r, t.ranked, value, got) if got else ZERO
    return size


@noinline
def list_plays(r, t, allowed, last_card, plays):
    """Fill ``plays`` with every legal play; returns how many.

    The lowest card first, then its captures, then leaving the card where that is a choice.
    """
    size = ZERO
    while allowed:
        card = lowest(allowed)
        allowed &= allowed - ONE
        if is_large(t):
            size += list_large(r, t, card, last_card, plays[size:])
            continue
        value = value_of(r, t, card)
        cell = cell_of(r, t, value)
        for k in range(count_choices(cell)):
            choice = choice_at(r, t, card, value, first_choice(cell) + np.uint64(k))
            plays[size + np.uint64(k)] = word_of(r, choice, last_card)
        size += count_choices(cell)
    return size


class Moment(NamedTuple):
    """The next play of a hand; a value, changed by making another."""

    stage: int
    played: int  # plays before it in the hand
    turn: int  # plays before it in the stage by the seat to play
    seat: int  # to play


moment_type = types.Tuple((types.uint64,) * len(Moment._fields), Moment)


@inline
def next_moment(r, at):
    """The moment after a play, within the stage."""
    last = at.seat + ONE == r.players
    return Moment(at.stage, at.played + ONE, at.turn + np.uint64(last), ZERO if last else at.seat + ONE)


@inline
def may_be_played(held, first):
    """The cards of a holding that may be played, a mask: of those that go first, the ones held, if there are any."""
    return held & first if held & first else held


@inline
def side_of(r, seat):
    """The side of a seat."""
    return seat & r.seat_bits
