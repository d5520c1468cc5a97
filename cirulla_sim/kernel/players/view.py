"""The information set of a seat that is to play, as one explicit value.

A policy is a function of this value, of the legal plays and of tables computed from the rules; it sees nothing else.
"""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ONE, ZERO
from ..game.bonuses import CARDS
from ..game.captures import make_table
from ..game.flat import WORD
from ..game.hand import PLAYS, SEATS, STYLES
from ..game.plays import side_of
from ..game.streams import STEP, mix
from ..jit import inline, intrinsic

VIEW = np.dtype(
    [
        ("players", WORD),
        ("sides", WORD),
        ("seat", WORD),  # whose turn it is; seats are numbered in playing order, the dealer last
        ("side", WORD),
        ("stage", WORD),  # from 0
        ("turn", WORD),  # plays of the seat in this stage so far
        ("plays_left", WORD),  # in the hand, this one included: 1 is the last play
        ("stock", WORD),  # cards not dealt yet
        ("holding", WORD),  # mask of the seat's own cards
        ("allowed", WORD),  # those of them that may be played now
        ("table", WORD),  # mask of the cards on the table
        ("matta_value", WORD),  # the value of the matta, as far as the seat can see
        ("last_capture", WORD),  # the seat that captured last, 255 for none
        ("pile", WORD, SEATS),  # mask of the cards captured, by side
        ("points", WORD, SEATS),  # sweeps and bonuses shown so far in this hand, by side
        ("score", WORD, SEATS),  # of the game before this hand, by side
        ("held", WORD, SEATS),  # number of cards, by seat
        ("shown", WORD, SEATS),  # mask of the cards in a holding that this seat can see, by seat
        ("first", WORD, SEATS),  # mask of the shown cards that must be played before others, by seat
        ("played", WORD, SEATS),  # mask of the cards played in this stage, by seat
        ("declined", WORD, SEATS),  # 1 if a seat could have knocked in this stage and did not, by seat
        ("history_size", WORD),  # number of plays in this stage
        ("history", WORD, PLAYS),  # these plays in order, see plays.py; 0 if unknown
        ("may_show", WORD),  # 1 if the seat decides which sets it shows, and may show some later in this stage
        ("samples", WORD),  # the number given with the policy's name
        ("aims_at_game", WORD),  # 1 to maximise the chance of winning the game, not points
        ("styles", WORD, (SEATS, STYLES)),  # by side, weights of the styles of play, see opponents.py; 0: prior
        ("opponent_work", WORD),  # address of the ``hand.WORK`` of the opponent model, else 0
        ("dice", WORD),  # state of the seat's own random stream, for ``roll_dice``
        ("hidden", WORD, SEATS),  # all holdings, for the policy that cheats; 0 for every other
    ],
    align=True,
)
view_type = types.Record(VIEW)

_SIGNED = [(name, np.int64, VIEW[name].shape) for name in VIEW.names]
own_view_type = types.Record(np.dtype(_SIGNED, align=True))
"""The same value with signed numbers, for user policies: mixing signed and unsigned ones gives floats."""


@intrinsic
def as_own(typingctx, view):
    """The view with signed numbers, the same memory."""

    def codegen(context, builder, signature, args):
        return builder.bitcast(args[0], context.get_value_type(signature.return_type))

    return own_view_type(view_type), codegen


@inline
def view_table(r, view):
    """The table of a view."""
    return make_table(r, view.table, view.matta_value)


@inline
def sees_holding(r, view, seat):
    """Whether the seat of a view sees the cards of another without their being shown, or they are its own."""
    open_stage = r.open_last_stage and view.stage + ONE == r.stages
    return seat == view.seat or open_stage or (r.open_partners and side_of(r, seat) == view.side)


@inline
def unseen_cards(view):
    """The mask of the cards that the seat cannot see: in other holdings or not dealt yet."""
    visible = view.holding | view.table
    for i in range(4):
        visible |= view.pile[i] | view.shown[i]
    return CARDS & ~visible


@inline
def cards_of_new_stage(r, view):
    """How many cards a seat holds at the start of the next stage."""
    return ZERO if view.stock == ZERO else r.plan[view.stage + ONE]


@inline
def roll_dice(view, n):
    """A draw from 0 .. n - 1 of the seat's own random stream."""
    view.dice += STEP
    return (mix(view.dice) >> np.uint64(32)) * n >> np.uint64(32)
