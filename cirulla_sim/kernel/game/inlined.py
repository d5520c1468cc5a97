"""How a seat chooses its play: one function a policy, from what the seat can see to a ``CardPlay``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..jit import inline, noinline
from .bits import ONE, ZERO, lowest, pdep, popcount, select
from .captures import (
    CardPlay,
    by_suit,
    captures,
    cell_of,
    choice_at,
    count_choices,
    diamonds_in,
    first_choice,
    is_large,
    large_choice,
    large_choice_at,
    large_number,
    next_capture,
    place_by_rank,
    scores_scopa,
    sevens_in,
    states_at,
    subset_of,
    value_of,
)
from .scoring import HALF_CARDS, certain_points, diamonds_of
from .streams import LOW_32, below_32, draw_word

RANDOM, GREEDY = np.uint64(0), np.uint64(1)
"""The policies that are compiled into the playing of hands; any other is called by its address."""

_32 = np.uint64(32)
_SIX, _12, _18 = np.uint64(6), np.uint64(12), np.uint64(18)


@inline
def random_play(r, t, allowed, states, lane):
    """A card uniformly among those that may be played, then one of its choices uniformly."""
    bits = draw_word(states, lane)
    card = select(allowed, below_32(states, lane, bits >> _32, popcount(allowed)))
    value = value_of(r, t, card)
    if is_large(t):
        k = below_32(states, lane, bits & LOW_32, large_number(r, t, value))
        return large_choice_at(r, t, card, value, k)
    cell = cell_of(r, t, value)
    k = below_32(states, lane, bits & LOW_32, count_choices(cell))
    return choice_at(r, t, card, value, first_choice(cell) + k)


class Hoard(NamedTuple):
    """What of a side's pile decides the worth of a play; a value."""

    diamonds: int  # ten bits
    cards: int  # how many
    points: int  # that they have for certain: melds, settebello, a majority of cards or diamonds
    sweep: int  # points of a scopa, 0 where none counts


@inline
def greed(r, mine, got, own, scored):
    """What a choice takes, as digits that compare as ``greedy_play`` does; cards taken and played are by rank."""
    cards = got | own
    diamonds, size = diamonds_in(r, cards), popcount(cards)
    worth = np.int64((diamonds >> _SIX & ONE) << _18 | popcount(diamonds) << _12 | sevens_in(r, cards) << _SIX | size)
    points = r.diamonds[mine.diamonds | diamonds] + (mine.cards + size > HALF_CARDS) * r.cards_point
    points = np.int64(points) - np.int64(mine.points) + np.int64(scored * mine.sweep)
    taken, left = (points << 24) + worth, -worth
    return left ^ ((left ^ taken) & (np.int64(got == ZERO) - 1))  # whether a card captures is unpredictable: no branch


@noinline
def greedy_large(r, t, allowed, mine, pile):
    """``greedy_play`` on a table that is large, and under rules that it does not look up."""
    most, leaves = np.int64(-(1 << 40)), r.capture_optional and r.pays < 0
    best = CardPlay(ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)
    while allowed:
        card = lowest(allowed)
        allowed &= allowed - ONE
        value = value_of(r, t, card)
        own = ONE << place_by_rank(r, card, value)
        got, first = ZERO, True
        while got or first:
            got = next_capture(r, t.ranked, value, got)
            if got or first or leaves:  # where it may be left and points cost, leaving it is weighed too
                choice, taken = large_choice(r, t, card, value, got), got
                if t.ranked == ZERO and value == ONE and r.ace_takes_itself:
                    choice, taken = CardPlay(card, value, ZERO, ~ZERO, t.state, ZERO), own
                worth = greed(r, mine, taken, own, choice.scored)
                if r.further and taken:
                    more = certain_points(r, pile | by_suit(r, taken | own)) - certain_points(r, pile)
                    worth += np.int64(more << 24)  # a digit of ``greed``
                worth *= np.int64(r.pays)
                if worth > most:
                    best, most = choice, worth
            first = False
    return best


@inline
def greedy_play(r, t, allowed, pile, last_card):
    """The choice that takes most now, one play ahead: points, then settebello, diamonds, sevens, number of cards.

    A card left on the table counts against the play with what it would have been worth in a pile; a card that
    captures is not left. The first of equal plays is taken: lowest card, first capture.
    """
    if allowed & allowed - ONE == ZERO:  # there is often but one play: then nothing is weighed
        value = value_of(r, t, lowest(allowed))
        cell = cell_of(r, t, value)
        if count_choices(cell) == ONE:
            return choice_at(r, t, lowest(allowed), value, first_choice(cell))
    diamonds, size = diamonds_of(pile), popcount(pile)
    certain = np.int64(r.diamonds[diamonds] + (size > HALF_CARDS) * r.cards_point)
    mine = Hoard(diamonds, size, certain, r.sweep_point * np.uint64(not last_card or r.last_card_scopa))
    if is_large(t) or r.greedy_lists:
        return greedy_large(r, t, allowed, mine, pile)
    choices, most = states_at(r.states).choices, np.int64(-(1 << 40))
    best_card, best_place = ZERO, ZERO
    while allowed:
        card = lowest(allowed)
        allowed &= allowed - ONE
        value = value_of(r, t, card)
        own = ONE << place_by_rank(r, card, value)
        cell = cell_of(r, t, value)
        first = first_choice(cell)
        for k in range(count_choices(cell)):
            place = first + np.uint64(k)
            choice = choices[place]
            worth = greed(r, mine, pdep(subset_of(choice), t.ranked), own, scores_scopa(choice))
            if worth > most and (k == 0 or captures(choice)):
                best_card, best_place, most = card, place, worth
    return choice_at(r, t, best_card, value_of(r, t, best_card), best_place)
