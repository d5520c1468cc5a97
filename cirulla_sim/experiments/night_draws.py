"""What chance decides in a night besides the cards: lots, who deals first, and the numbers that games have.

All are pure functions of seed and night, the same for nights that are simulated and for a night that people play.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .night_rounds import Numbers

_PAIR_BITS = 6  # of the number of a pair
_NIGHT_BITS = 31

MOST_NIGHTS = 1 << _NIGHT_BITS
"""Nights have numbers below this."""


def match_number(night: Numbers, upper: Numbers, lower: Numbers, meeting: Numbers) -> NDArray[np.uint64]:
    """The number of the game that two pairs play in a night; ``meeting`` counts their earlier ones.

    It does not depend on format and round, so two formats give two pairs the same cards: common random numbers.

    >>> [int(number) for number in match_number(np.array([0, 1]), np.array([0, 2]), np.array([1, 5]), np.array([0, 0]))]
    [1, 4229]
    """
    pairs = upper << _PAIR_BITS | lower
    return (meeting << _NIGHT_BITS + 2 * _PAIR_BITS | night << 2 * _PAIR_BITS | pairs).astype(np.uint64)


def draw_lots(seed: int, first: int, number: int, pairs: int) -> NDArray[np.uint64]:
    """The lots of the pairs in some nights, uint64[E, n], under the numbers of matches of a pair with itself."""
    pair = np.arange(pairs)
    return _draws(seed, match_number(np.arange(first, first + number)[:, None], pair, pair, np.zeros(1, np.int64)))


def draw_dealers(
    seed: int, nights: Numbers, tables: Numbers, met: Numbers
) -> tuple[Numbers, NDArray[np.uint64]]:  # fmt: skip
    """The tables, int64[E, T, 2], with the pair first that deals first, and the numbers of their games, uint64[E, T].

    ``nights`` are the numbers of the nights, int64[E], and ``met`` says how often each pair has met each before,
    int64[E, n, n].
    """
    upper, lower = tables.min(axis=2), tables.max(axis=2)
    each = np.arange(len(nights))[:, None]
    numbers = match_number(nights[:, None], upper, lower, met[each, upper, lower])
    upper_deals = _draws(seed, numbers) >> np.uint64(63) == 0
    return np.stack([np.where(upper_deals, upper, lower), np.where(upper_deals, lower, upper)], axis=-1), numbers


_STEP, _MIX_1, _MIX_2 = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], np.uint64)
_LOTS = np.uint64(0x5851F42D4C957F2D)
"""What sets the lots of a night apart from the deals of a hand of the same seed and number."""


def _mixed(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The output function of SplitMix64, see ``kernel.game.streams``."""
    z = (z ^ (z >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return np.asarray(z ^ (z >> np.uint64(31)))


def _draws(seed: int, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A random number, of 64 bits, for each of some numbers."""
    return _mixed(_mixed(np.array([seed], np.uint64) + _LOTS) + (numbers + np.uint64(1)) * _STEP)
