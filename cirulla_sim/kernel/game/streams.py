"""Random numbers as pure functions of (seed, hand, lane): every hand has its own deal and every seat its own dice.

The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): the state
grows by a constant and each output is a hash of it, so output ``n`` of a stream depends on its first state and ``n``
alone. A hand's key is a hash of seed and hand index; its lanes (0 the deal, 1 + seat the dice of a seat) are streams
that start at the first outputs of a stream started at that key. The starts are 64-bit hashes: among a thousand
million hands a few dozen pairs of streams overlap somewhere, in different places of different hands, which no
statistic can feel.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import types
from ..jit import inline
from .bits import ONE, ZERO, high_product

STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32, _63 = map(np.uint64, (27, 30, 31, 32, 63))
LOW_32 = np.uint64(0xFFFFFFFF)

DEAL_LANE = np.uint64(0)
PACK = np.uint64(40)

# A word of 64 bits gives eight draws of the shuffle at once; below, the product of the eight bounds of each word.
_BATCH = np.uint64(8)
_PRODUCTS = np.array(
    [int(np.prod(np.arange(top - 7, top + 1, dtype=np.uint64))) for top in (40, 32, 24, 16, 8)], dtype=np.uint64
)


class Batch(NamedTuple):
    """Consecutive hands of a seed; or games, or deals that are played on."""

    seed: int
    first: int
    hands: int


batch_type = types.Tuple((types.uint64,) * len(Batch._fields), Batch)


def batch(seed: int, first: int, hands: int) -> Batch:
    """Consecutive hands of a seed, as compiled code takes them."""
    return Batch(np.uint64(seed), np.uint64(first), np.uint64(hands))


@inline
def mix(z):
    """The output function of SplitMix64."""
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


@inline
def draw_word(states, lane):
    """The next 64 random bits of a lane; ``states`` is uint64[lanes]."""
    states[lane] += STEP
    return mix(states[lane])


@inline
def start(states, seed, index):
    """Set all lanes of ``states`` to where hand number ``index`` of a seed begins."""
    key = mix(mix(seed + STEP) + (index + ONE) * STEP)
    for lane in range(states.size):
        key += STEP
        states[lane] = mix(key)


@inline
def below(states, lane, n):
    """A draw from 0 .. n - 1 without bias (Lemire, "Fast random integer generation in an interval", 2019)."""
    word = draw_word(states, lane)
    low = word * n
    if low < n:
        reject = (ZERO - n) % n
        while low < reject:
            word = draw_word(states, lane)
            low = word * n
    return high_product(word, n)


@inline
def may_bias(product, n):
    """1 if a draw of ``below_32``, in the high half of ``product``, is one of the few to look at twice, else 0."""
    return (product & LOW_32) - n >> _63


@inline
def below_32(states, lane, bits, n):
    """The same from 32 random bits already drawn, two such draws to a word; fresh bits only if they would bias."""
    product = bits * n
    if may_bias(product, n):
        reject = (ONE << _32) % n
        while product & LOW_32 < reject:
            product = (draw_word(states, lane) >> _32) * n
    return product >> _32


@inline
def draw_swaps(states, swaps):
    """Fill ``swaps``, uint8[40], from the deal's lane: from the last place on, with which place each is swapped.

    With the draws for eight swaps taken from one word (Brackett-Rozinsky and Lemire, "Batched ranged
    random integer generation", 2024): multiplying by a bound gives a draw in the high half and fresh bits in the low
    half; the last low half tells, as for a single draw, the rare words that would bias and are drawn again.
    """
    last = PACK
    for batch in range(5):
        product = _PRODUCTS[batch]
        while True:
            bits = draw_word(states, DEAL_LANE)
            rest = bits * product  # the low half after all eight
            if rest >= product or rest >= (ZERO - product) % product:
                break
        for k in range(8):
            n = last - np.uint64(k)
            swaps[n - ONE] = high_product(bits, n)
            bits *= n
        last -= _BATCH


@inline
def shuffle(states, deck, swaps):
    """Fill ``deck``, uint8[40], with a uniformly random permutation of the cards (Fisher and Yates)."""
    draw_swaps(states, swaps)
    for card in range(40):
        deck[card] = card
    for place in range(39, 0, -1):
        i, j = np.uint64(place), np.uint64(swaps[place])
        deck[i], deck[j] = deck[j], deck[i]


@inline
def shuffle_part(states, deck, first, n):
    """Shuffle ``n`` cards of the deck from place ``first`` on uniformly, from the deal's lane."""
    while n > ONE:
        j = first + below(states, DEAL_LANE, n)
        i = first + n - ONE
        deck[i], deck[j] = deck[j], deck[i]
        n -= ONE
