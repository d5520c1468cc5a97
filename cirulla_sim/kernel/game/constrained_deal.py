"""Deals under constraints: every deal that fits is equally likely, and drawn without rejection.

Cards that no constraint distinguishes are a class, and places of the deal likewise a region. Along a chain of nodes,
one for each class, a draw chooses how many cards of the class lie in each region, weighted by the number of deals that
follow; then chance alone decides which cards they are, and where in the region each lies.
"""

from __future__ import annotations

import numpy as np

from .. import types
from ..calls import record_at
from ..jit import inline
from .bits import ONE, ZERO
from .streams import DEAL_LANE, PACK, below, draw, shuffle

REGIONS = 16
"""Regions at most."""

EDGES = 1 << 14
"""Choices at most, of all nodes together."""

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
    ],
    align=True,
)
"""Constraints ready to be dealt: the choices of a node are consecutive, those of the first class come first."""

constraints_at = record_at(types.Record(CONSTRAINTS))

ALL_BITS = np.uint64(0xFFFFFFFFFFFFFFFF)


@inline
def deal_constrained(w):
    """Fill the deal order with one of the deals that fit, each as likely; ``w`` is a ``hand.WORK``."""
    k = constraints_at(w.constraints)
    choice = ZERO
    for kind in range(k.classes):
        if k.last[choice] != ALL_BITS:
            word = draw(w.states, DEAL_LANE)
            while word > k.last[choice]:
                choice += ONE
        for region in range(k.regions):
            w.shares[kind, region] = k.takes[choice, region]
        choice = np.uint64(k.after[choice])
    shuffle(w.states, w.deck)
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
