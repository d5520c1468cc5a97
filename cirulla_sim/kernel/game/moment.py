"""The moment of a hand: which play comes next, and whose it is."""

from __future__ import annotations

from typing import NamedTuple

from .. import types
from ..jit import inline


class Moment(NamedTuple):
    """The next play of a hand; a value, changed by making another."""

    stage: int
    slot: int  # of the stage's first knocks
    played: int  # plays before it in the hand
    turn: int  # plays before it in the stage by the seat to play
    seat: int  # to play


moment_type = types.NamedUniTuple(types.uint64, len(Moment._fields), Moment)


@inline
def side_of(r, seat):
    """The side of a seat."""
    return seat & r.seat_bits
