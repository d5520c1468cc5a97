"""``random`` and ``greedy`` as functions to call by address, for studies that force what they show or leave."""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, ZERO
from ..game.inlined import points_for, worth_of_cards
from ..game.plays import captured, card_of, is_sweep
from ..game.scoring import certain_points
from ..jit import inline
from .view import roll


@inline
def random_of_plays(view, plays):
    """A card evenly, then one of its plays evenly."""
    cards = ONE
    for i in range(1, plays.size):
        if card_of(plays[i]) != card_of(plays[i - 1]):
            cards += ONE
    chosen, place, first = roll(view, cards), ZERO, ZERO
    for i in range(plays.size):
        if i and card_of(plays[i]) != card_of(plays[i - 1]):
            place += ONE
            if place <= chosen:
                first = np.uint64(i)
    last = first
    while last + ONE < plays.size and card_of(plays[last + ONE]) == card_of(plays[first]):
        last += ONE
    return first + roll(view, last - first + ONE)


@inline
def greed(r, pile, play):
    """What a play takes, as digits that compare as ``inlined.greedy_play`` does."""
    own, got = ONE << card_of(play), captured(play)
    if got == ZERO:
        return -worth_of_cards(own) * np.int64(r.pays)
    points = points_for(r, pile | got | own) - points_for(r, pile) + np.int64(is_sweep(play) * r.sweep_point)
    if r.further:
        points += certain_points(r, pile | got | own) - certain_points(r, pile)
    return ((points << 24) + worth_of_cards(got | own)) * np.int64(r.pays)


@inline
def greedy_of_plays(r, view, plays):
    """The play that takes most now; the first of equal ones."""
    pile = view.pile[view.side]
    chosen = ZERO
    for i in range(1, plays.size):
        if greed(r, pile, plays[i]) > greed(r, pile, plays[chosen]):
            chosen = np.uint64(i)
    return chosen
