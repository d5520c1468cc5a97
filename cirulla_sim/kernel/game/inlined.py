"""How a seat chooses its play: one function a policy, from what the seat can see to (card, cards captured).

The masks of cards captured do not hold the card played; nothing captured means that the card is left on the table.
"""

from __future__ import annotations

import numpy as np

from ..jit import inline
from .bits import ONE, ZERO, lowest, popcount, select
from .captures import capture, choices, is_scopa, value_of
from .scoring import HALF_CARDS, SEVENS, diamonds_of
from .streams import LOW_32, below_32, draw

RANDOM, GREEDY = np.uint64(0), np.uint64(1)
"""The policies that are compiled into the playing of hands; any other is called by its address."""

_32 = np.uint64(32)
_SETTEBELLO = np.uint64(1 << 16)


@inline
def random_play(r, table, allowed, states, lane):
    """A card uniformly among those that may be played, then one of its captures uniformly.

    Where captures are optional, leaving a card that captures on the table is one choice more.
    """
    bits = draw(states, lane)
    card = select(allowed, below_32(states, lane, bits >> _32, popcount(allowed)))
    value = value_of(r, table, card)
    by_value, by_fifteen, sweep = choices(r, table, value)
    captures = by_value + by_fifteen + sweep
    if captures == ZERO:
        return card, ZERO
    k = below_32(states, lane, bits & LOW_32, captures + ONE if r.capture_optional else captures)
    if k == captures:
        return card, ZERO
    return card, capture(r, table, value, by_value, by_fifteen, k)


@inline
def worth_of_cards(cards):
    """What cards are worth by themselves, as digits that compare settebello, diamonds, sevens, number of cards."""
    return np.int64(
        popcount(cards & _SETTEBELLO) << np.uint64(18)
        | popcount(diamonds_of(cards)) << np.uint64(12)
        | popcount(cards & SEVENS) << np.uint64(6)
        | popcount(cards)
    )


@inline
def points_for(r, pile):
    """The points that a pile has for certain: melds, settebello, a majority of cards or diamonds."""
    return np.int64(r.diamonds[diamonds_of(pile)] + (popcount(pile) > HALF_CARDS) * r.cards_point)


@inline
def greedy_play(r, table, allowed, pile, last_card):
    """The play that takes most now, one play ahead: points, then settebello, diamonds, sevens, number of cards.

    A card left on the table counts against the play with what it would have been worth in a pile. The first of equal
    plays is taken: lowest card, lowest capture number.
    """
    before = points_for(r, pile)
    best = np.int64(-(1 << 40))
    best_card, best_got = ZERO, ZERO
    while allowed:
        card = lowest(allowed)
        own = ONE << card
        allowed ^= own
        value = value_of(r, table, card)
        by_value, by_fifteen, sweep = choices(r, table, value)
        captures = by_value + by_fifteen + sweep
        if captures == ZERO:
            worth = -worth_of_cards(own)
            if worth > best:
                best, best_card, best_got = worth, card, ZERO
        for k in range(captures):
            got = capture(r, table, value, by_value, by_fifteen, np.uint64(k))
            points = points_for(r, pile | got | own) - before
            if is_scopa(r, table, value, got, last_card):
                points += 1
            worth = (points << 24) + worth_of_cards(got | own)
            if worth > best:
                best, best_card, best_got = worth, card, got
    return best_card, best_got
