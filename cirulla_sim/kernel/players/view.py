"""What a seat knows when it is to play, as one explicit value, and the plays it may choose from.

A policy is a function of this value, of the plays and of tables made from the rules; nothing else reaches it.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from ..calls import by_reference
from ..game.bits import ONE, ZERO, lowest
from ..game.captures import Table, capture, choices, is_scopa, new_rows, value_of
from ..game.flat import flat_type
from ..jit import small

WORD = np.uint64
SEATS = 4
MOST_PLAYS = 1 << 16
"""Room for the legal plays of one turn; the whole pack on the table has some 16,000 subsets of total fifteen."""

VIEW = np.dtype(
    [
        ("players", WORD),
        ("sides", WORD),
        ("seat", WORD),  # whose turn it is; seats are numbered in playing order, the dealer last
        ("side", WORD),
        ("stage", WORD),  # from 0
        ("turn", WORD),  # plays the seat has made in this stage
        ("plays_left", WORD),  # in the hand, this one included: 1 is the last play
        ("stock", WORD),  # cards not dealt yet
        ("holding", WORD),  # mask of the seat's own cards
        ("allowed", WORD),  # those of them that may be played now
        ("table", WORD),  # mask of the cards on the table
        ("table_product", WORD),  # of captures.Table
        ("matta_value", WORD),  # what the matta counts, as far as the seat knows
        ("last_capture", WORD),  # the seat that captured last, 255 for nobody
        ("pile", WORD, SEATS),  # mask of the cards captured, by side
        ("points", WORD, SEATS),  # sweeps and bonuses shown so far in this hand, by side
        ("score", WORD, SEATS),  # of the game before this hand, by side
        ("held", WORD, SEATS),  # number of cards, by seat
        ("shown", WORD, SEATS),  # mask of the cards known to be in a holding, by seat
        ("first", WORD, SEATS),  # mask of the shown cards that must be played before others, by seat
        ("played", WORD, SEATS),  # mask of the cards played in this stage, by seat
        ("declined", WORD, SEATS),  # 1 where a seat could have knocked in this stage and did not, by seat
        ("may_show", WORD),  # 1 where the seat decides which sets it shows, and may show some later in this stage
        ("samples", WORD),  # the number given with the policy's name
        ("aims_at_game", WORD),  # 1 where the policy is to maximise the chance of winning the game, not points
        ("dice", WORD),  # state of the seat's own random stream, for ``roll``
        ("hidden", WORD, SEATS),  # all holdings, for the policy that cheats; 0 for every other
    ],
    align=True,
)
view_type = numba.from_dtype(VIEW)

_SIGNED = [(name, np.int64, VIEW[name].shape) for name in VIEW.names]
own_view_type = numba.from_dtype(np.dtype(_SIGNED, align=True))
"""The same value with signed numbers, for policies of one's own: mixing signed and unsigned ones gives floats."""


@intrinsic
def as_own(typingctx, view):
    """The view with signed numbers, the same memory."""

    def codegen(context, builder, signature, args):
        return builder.bitcast(args[0], context.get_value_type(own_view_type))

    return own_view_type(view_type), codegen


class Mind(NamedTuple):
    """What a policy may use beside the view: tables made from the rules alone, and room to reckon in.

    What stands in the room before a call must not change the play.
    """

    diamonds: np.ndarray  # float32[59049], see worth.py
    cards: np.ndarray  # float32[41, 41]
    prime: np.ndarray  # float32[59049, 2]
    win: np.ndarray  # float32[plays + 1, S, S]: side 0's chance to win the game by plays left and points, or empty
    rows: np.ndarray  # uint16[41, 32]: of captures.Table
    words: np.ndarray  # uint64[WORDS]
    reals: np.ndarray  # float32[REALS]
    plays: np.ndarray  # uint64[2 * MOST_PLAYS]: of the positions ahead


WORDS, REALS = 1 << 15, 1 << 16

mind_type = types.NamedTuple(
    (
        types.float32[::1], types.float32[:, ::1], types.float32[:, ::1], types.float32[:, :, ::1],
        types.uint16[:, ::1], types.uint64[::1], types.float32[::1], types.uint64[::1],
    ),
    Mind,
)  # fmt: skip


def new_mind() -> Mind:
    """Room to reckon in, without tables."""
    return Mind(
        diamonds=np.zeros(0, np.float32),
        cards=np.zeros((0, 0), np.float32),
        prime=np.zeros((0, 2), np.float32),
        win=np.zeros((0, 0, 0), np.float32),
        rows=new_rows(),
        words=np.zeros(WORDS, np.uint64),
        reals=np.zeros(REALS, np.float32),
        plays=np.zeros(2 * MOST_PLAYS, np.uint64),
    )


policy_signature = types.uint64(types.uint64, view_type, types.uint64[::1], types.uint64)
"""Of every policy that is called: address of the rules, view, legal plays, address of the mind; it returns the place of
a play among the plays."""

address_of_rules, rules_at = by_reference(flat_type)
address_of_mind, mind_at = by_reference(mind_type)


def new_view() -> np.ndarray:
    """An empty view: an array of one ``VIEW``, whose fields are zero."""
    return np.zeros(1, VIEW)


@small
def play_word(card, value, got, scopa):
    """A play in one word: cards captured in bits 0-39, the card in 40-45, the value it has in 46-49, scopa in 50."""
    return got | card << np.uint64(40) | value << np.uint64(46) | np.uint64(scopa) << np.uint64(50)


CARDS = np.uint64((1 << 40) - 1)


@small
def card_of(play):
    """The index 0..39 of the card played."""
    return (play >> np.uint64(40)) & np.uint64(63)


@small
def value_in(play):
    """The value with which the card is played."""
    return (play >> np.uint64(46)) & np.uint64(15)


@small
def captured(play):
    """The mask of the table cards captured; 0 where the card is left on the table."""
    return play & CARDS


@small
def is_sweep(play):
    """1 where the play scores a scopa, else 0."""
    return (play >> np.uint64(50)) & ONE


@small
def declaring(play, value):
    """A play before which the matta is declared as a value, in bits 51-54; 0 says nothing."""
    return play | value << np.uint64(51)


@small
def declared_in(play):
    """The value that the matta is declared as before a play, or 0."""
    return (play >> np.uint64(51)) & np.uint64(15)


@small
def list_plays(r, t, allowed, last_card, plays):
    """Fill ``plays`` with every legal play; returns how many.

    The lowest card first, then captures by number, then leaving the card where that is a choice. Large tables must have
    filled rows.
    """
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


@small
def table_of(view, rows):
    """The table of a view; ``rows`` is its scratch, filled if the table is large."""
    return Table(view.table, view.table_product, view.matta_value, rows)


@small
def unseen(view):
    """The mask of the cards whose place the seat does not know: in other holdings or not dealt yet."""
    known = view.holding | view.table
    for i in range(4):
        known |= view.pile[i] | view.shown[i]
    return CARDS & ~known


@small
def roll(view, n):
    """A draw from 0 .. n - 1 of the seat's own random stream."""
    dice = view.dice
    dice += np.uint64(0x9E3779B97F4A7C15)
    z = (dice ^ (dice >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    view.dice = dice
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(32)) * n >> np.uint64(32)
