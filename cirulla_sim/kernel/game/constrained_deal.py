"""Deals under constraints: every deal that fits is equally likely.

Conditions on cards are met without rejection. Cards that no condition distinguishes are a class, and places of the deal
likewise a region. Along a chain of nodes, one for each class, a draw chooses how many cards of the class lie in each
region, weighted by the number of deals that follow; then chance alone decides which cards they are, and where in the
region each lies. Or else some holdings are drawn from lists of the sets that they may be.

Whatever is not met by the way of dealing is checked afterwards, and a deal that does not fit is thrown away.
"""

from __future__ import annotations

from math import comb

import numpy as np

from .. import types
from ..jit import inline, record_at
from .bits import ONE, ZERO, lowest, popcount
from .streams import DEAL_LANE, PACK, below, draw_word, shuffle, shuffle_part

REGIONS = 16
"""Regions at most."""

EDGES = 1 << 14
"""Choices at most, of all nodes together."""

CHECKS = 1_024
"""Conditions on cards that are checked, at most."""

TESTS = 32
"""Conditions on holdings that are checked, at most."""

DRAWN = 16
"""Holdings drawn from lists, at most."""

TRIPLES = comb(40, 3)

CONSTRAINTS = np.dtype(
    [
        ("classes", np.uint64),
        ("regions", np.uint64),
        ("class_of", np.uint8, 40),  # by card
        ("places", np.uint8, 40),  # of the deal order, region by region
        ("first", np.uint8, REGIONS + 1),  # where those of each region begin
        ("last", np.uint64, EDGES),  # of a choice: the largest word that makes it; of a node's last one all bits
        ("after", np.uint16, EDGES),  # the first choice of the node that follows
        ("takes", np.uint8, (EDGES, REGIONS)),  # how many of the class lie in each region
        ("drawn", np.uint64),  # holdings drawn from lists; where there are any, all other cards are dealt at random
        ("drawn_first", np.uint64, DRAWN),  # the first of the places in the deal order of each
        ("drawn_size", np.uint64, DRAWN),  # how many sets its list has
        ("drawn_sets", np.uint64, (DRAWN, TRIPLES)),  # masks of three cards
        ("sizes_known", np.uint64),  # holdings and such whose cards are looked at by what follows
        ("sizes", np.uint8, 40),  # and how many cards lie in each, in the order of the deal
        ("checks", np.uint64),
        ("check_places", np.uint64, CHECKS),  # a mask
        ("check_cards", np.uint64, CHECKS),  # a mask
        ("check_low", np.uint64, CHECKS),  # how many of the cards lie there, at least
        ("check_high", np.uint64, CHECKS),  # and at most
        ("tests", np.uint64),
        ("test_place", np.uint64, TESTS),
        ("test_beside", np.uint64, TESTS),  # a mask of cards that count as if they lay there
        ("test_some", np.uint8, TESTS),  # whether some three of the cards must be in the list, or none may be
        ("test_sets", np.uint8, (TESTS, TRIPLES)),
    ],
    align=True,
)
"""Constraints ready to be dealt: the choices of a node are consecutive, those of the first class come first."""

constraints_at = record_at(types.Record(CONSTRAINTS))

ALL_BITS = np.uint64(0xFFFFFFFFFFFFFFFF)

# The place of three cards a < b < c among all sets of three, in ascending order, is _FIRST[a] - _SECOND[b] + c.
_FIRST = np.array([TRIPLES - comb(40 - a, 3) + comb(39 - a, 2) for a in range(40)], np.uint64)
_SECOND = np.array([comb(40 - b, 2) + b + 1 for b in range(40)], np.uint64)


@inline
def deal_by_choices(k, w):
    """Fill the deal order along the chain of nodes."""
    choice = ZERO
    for kind in range(k.classes):
        if k.last[choice] != ALL_BITS:
            word = draw_word(w.states, DEAL_LANE)
            while word > k.last[choice]:
                choice += ONE
        for region in range(k.regions):
            w.shares[kind, region] = k.takes[choice, region]
        choice = np.uint64(k.after[choice])
    shuffle(w.states, w.deck, w.swaps)
    for place in range(PACK):
        w.candidates[place] = w.deck[place]
    for region in range(k.regions):
        w.shares[PACK, region] = k.first[region]
    for place in range(PACK):  # the first of a class go to the first region that takes some
        card = w.candidates[place]
        kind, region = np.uint64(k.class_of[card]), ZERO
        while w.shares[kind, region] == 0:
            region += ONE
        w.shares[kind, region] -= 1
        w.deck[np.uint64(k.places[np.uint64(w.shares[PACK, region])])] = card
        w.shares[PACK, region] += 1
    for region in range(k.regions):  # where those of one class lie as they came, and the others among them
        first = np.uint64(k.first[region])
        n = np.uint64(k.first[region + 1]) - first
        while n > ONE:
            i = np.uint64(k.places[first + n - ONE])
            j = np.uint64(k.places[first + below(w.states, DEAL_LANE, n)])
            w.deck[i], w.deck[j] = w.deck[j], w.deck[i]
            n -= ONE


@inline
def lay_cards(deck, place, cards):
    """Bring the cards of a mask to the places of a deal order from one on; each changes places with the card there."""
    while cards:
        at = ZERO
        while np.uint64(deck[at]) != lowest(cards):
            at += ONE
        deck[at], deck[place] = deck[place], deck[at]
        cards &= cards - ONE
        place += ONE


@inline
def deal_from_lists(k, w):
    """Fill the deal order with holdings from their lists, the other cards at random; returns whether none overlap."""
    taken = ZERO
    for i in range(k.drawn):
        cards = k.drawn_sets[i, below(w.states, DEAL_LANE, k.drawn_size[i])]
        if cards & taken:
            return False
        taken |= cards
        w.candidates[i] = cards
    shuffle(w.states, w.deck, w.swaps)
    for i in range(k.drawn):
        lay_cards(w.deck, k.drawn_first[i], w.candidates[i])
        shuffle_part(w.states, w.deck, k.drawn_first[i], popcount(w.candidates[i]))
    return True


@inline
def has_listed(k, test, cards):
    """Whether some three of the cards of a mask are in the list of a test."""
    while cards:
        a = lowest(cards)
        cards &= cards - ONE
        second = cards
        while second:
            b = lowest(second)
            second &= second - ONE
            third = second
            while third:
                if k.test_sets[test, _FIRST[a] - _SECOND[b] + lowest(third)] != 0:
                    return True
                third &= third - ONE
    return False


@inline
def is_fitting(k, w):
    """Whether the deal order meets what is checked."""
    at = ZERO
    for place in range(k.sizes_known):
        cards = ZERO
        for _ in range(k.sizes[place]):
            cards |= ONE << np.uint64(w.deck[at])
            at += ONE
        w.candidates[place] = cards
    for check in range(k.checks):
        places, cards = k.check_places[check], ZERO
        while places:
            cards |= w.candidates[lowest(places)]
            places &= places - ONE
        number = popcount(cards & k.check_cards[check])
        if number < k.check_low[check] or number > k.check_high[check]:
            return False
    for test in range(k.tests):
        cards = w.candidates[k.test_place[test]] | k.test_beside[test]
        if has_listed(k, test, cards) != (k.test_some[test] != 0):
            return False
    return True


@inline
def propose_deal(w):
    """Fill the deal order; returns whether it fits. ``w`` is a ``hand.WORK``."""
    k = constraints_at(w.constraints)
    if k.drawn:
        if not deal_from_lists(k, w):
            return False
    else:
        deal_by_choices(k, w)
    return is_fitting(k, w)
