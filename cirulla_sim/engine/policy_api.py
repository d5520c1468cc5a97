"""What a user policy may use: the parts of a play, counts of cards, random numbers. See ``docs/reference/policies.md``.

``card_of(play)``, ``value_in(play)``, ``captured(play)`` and ``is_sweep(play)`` take a play apart; ``unseen(view)`` is
the mask of the cards whose place the seat does not know; ``popcount(mask)`` counts cards and ``lowest(mask)`` is the
index of the first; ``roll(view, n)`` draws a number from 0 to n - 1. All are compiled, and can be called from a policy.
A function of your own that a policy calls is marked ``@helper``. All numbers are signed integers.

``Variant(base, change)`` is a policy of the package with a change of what it sees or may choose.
"""

from typing import Any

import numpy as np
from numba import njit

from ..kernel.game import bits
from ..kernel.game.streams import STEP, mix
from ..situation import plays
from .user_policies import Variant

_popcount: Any = bits.popcount
_lowest: Any = bits.lowest
_mix: Any = mix

helper = njit(nogil=True, error_model="numpy", boundscheck=True)
"""Compiles a function that a policy calls."""


card_of, value_in, captured = map(helper, (plays.card_of, plays.value_in, plays.captured))


@helper
def is_sweep(play: Any) -> Any:
    """1 where the play scores a scopa, else 0."""
    return play >> 50 & 1


@helper
def popcount(mask: Any) -> Any:
    """The number of cards of a mask."""
    return np.int64(_popcount(np.uint64(mask)))


@helper
def lowest(mask: Any) -> Any:
    """The index of the first card of a mask that is not empty."""
    return np.int64(_lowest(np.uint64(mask)))


@helper
def unseen(view: Any) -> Any:
    """The mask of the cards in other holdings, not shown, or not dealt yet."""
    seen = view.holding | view.table
    for i in range(4):
        seen |= view.pile[i] | view.shown[i]
    return 0xFFFFFFFFFF & ~seen


@helper
def roll(view: Any, n: Any) -> Any:
    """A draw from 0 to n - 1, from the seat's own dice."""
    dice = np.uint64(view.dice) + STEP
    view.dice = np.int64(dice)
    return np.int64((_mix(dice) >> np.uint64(32)) * np.uint64(n) >> np.uint64(32))


__all__ = ["Variant", "captured", "card_of", "helper", "is_sweep", "lowest", "popcount", "roll", "unseen", "value_in"]
