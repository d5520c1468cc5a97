"""``wary``: takes what is worth most, leaves little behind, and no table that one unseen card is likely to sweep."""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, ZERO, popcount
from ..game.captures import by_rank, total_value
from ..game.plays import captured_cards, played_card, sweep_bit
from ..game.scoring import SEVENS
from ..jit import inline
from .boards import ACES, NEVER
from .view import unseen_cards

F = np.float64

_DIAMONDS, _HIGH_DIAMONDS = np.uint64(0b1111111111 << 10), np.uint64(0b1111000111 << 10)
"""All, and those of the piccola and the grande with the settebello."""


@inline
def rough_worth(cards):
    """Roughly what cards are worth in points."""
    diamonds = F(0.3) * F(popcount(cards & _DIAMONDS)) + F(0.9) * F(popcount(cards & _HIGH_DIAMONDS))
    return F(0.2) * F(popcount(cards)) + diamonds + F(0.3) * F(popcount(cards & SEVENS))


@inline
def cards_of_value(cards, value):
    """How many of some cards have a value, 0 where no card has it."""
    return popcount(cards & ACES << value - ONE) if ONE <= value <= np.uint64(10) else ZERO


@inline
def wary_play(r, view, plays):
    """The place of the play with which the seat gains most by rough weights, one play ahead."""
    unseen = unseen_cards(view)
    best, chosen = NEVER, ZERO
    for i in range(plays.size):
        own, got = ONE << played_card(plays[i]), captured_cards(plays[i])
        left = view.table & ~got if got else view.table | own
        total = total_value(by_rank(r, left, view.matta_value))
        sweeping = cards_of_value(unseen, total) + r.capture_fifteen * cards_of_value(unseen, np.uint64(15) - total)
        safe = F(1) - F(sweeping) / F(popcount(unseen) + ONE)  # against each of three cards
        value = F(r.sweep_point) * (F(sweep_bit(plays[i])) - F(1) + safe * safe * safe) - F(0.4) * rough_worth(left)
        value += rough_worth(own | got) if got else F(0)
        if F(r.pays) * value > best:
            best, chosen = F(r.pays) * value, np.uint64(i)
    return chosen
