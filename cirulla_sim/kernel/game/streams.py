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
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
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


batch_type = types.NamedUniTuple(types.uint64, len(Batch._fields), Batch)


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
def draw(states, lane):
    """The next 64 random bits of a lane; ``states`` is uint64[lanes]."""
    states[lane] += STEP
    return mix(states[lane])


@inline
def hand_key(seed, index):
    """The key of a hand; its lanes are the first outputs of the stream that starts there."""
    return mix(mix(seed + STEP) + (index + ONE) * STEP)


@inline
def start(states, seed, index):
    """Set all lanes of ``states`` to where hand number ``index`` of a seed begins."""
    key = hand_key(seed, index)
    for lane in range(states.size):
        key += STEP
        states[lane] = mix(key)


@inline
def start_deal(states, seed, index):
    """Set the lane of the deal alone to where hand number ``index`` of a seed begins."""
    states[DEAL_LANE] = mix(hand_key(seed, index) + STEP)


@inline
def below(states, lane, n):
    """A draw from 0 .. n - 1 without bias (Lemire, "Fast random integer generation in an interval", 2019)."""
    word = draw(states, lane)
    low = word * n
    if low < n:
        reject = (ZERO - n) % n
        while low < reject:
            word = draw(states, lane)
            low = word * n
    return high_product(word, n)


@inline
def below_32(states, lane, bits, n):
    """The same from 32 random bits already drawn, two such draws to a word; fresh bits only if they would bias."""
    product = bits * n
    if product & LOW_32 < n:
        reject = (ONE << _32) % n
        while product & LOW_32 < reject:
            product = (draw(states, lane) >> _32) * n
    return product >> _32


@inline
def shuffle(states, deck):
    """Fill ``deck``, uint8[40], with a uniformly random permutation of the cards, from the deal's lane.

    Fisher and Yates, with the draws for eight swaps taken from one word (Brackett-Rozinsky and Lemire, "Batched ranged
    random integer generation", 2024): multiplying by a bound gives a draw in the high half and fresh bits in the low
    half; the last low half tells, as for a single draw, the rare words that would bias and are drawn again.
    """
    for card in range(40):
        deck[card] = card
    last = PACK
    for batch in range(5):
        product = _PRODUCTS[batch]
        while True:
            bits = draw(states, DEAL_LANE)
            rest = bits * product  # the low half after all eight
            if rest >= product or rest >= (ZERO - product) % product:
                break
        for k in range(8):
            n = last - np.uint64(k)
            j = high_product(bits, n)
            bits *= n
            i = n - ONE
            deck[i], deck[j] = deck[j], deck[i]
        last -= _BATCH


@inline
def shuffle_tail(states, deck, first):
    """Shuffle ``deck[first:]`` uniformly, from the deal's lane."""
    n = PACK - first
    while n > ONE:
        j = first + below(states, DEAL_LANE, n)
        i = first + n - ONE
        deck[i], deck[j] = deck[j], deck[i]
        n -= ONE
