"""The random streams: published vectors, uniform shuffles, unbiased draws."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from late import late
from scipy import stats

from cirulla_sim.kernel import types
from cirulla_sim.kernel.game import streams

options = {"nogil": True, "_nrt": False, "error_model": "numpy"}
lane_0 = np.uint64(0)


@late(types.void(types.uint64[::1], types.uint64[::1]), **options)
def fill(states, words):
    for i in range(words.size):
        words[i] = streams.draw_word(states, lane_0)


@late(types.void(types.uint64, types.uint64, types.uint64[::1]), **options)
def starts(seed, index, states):
    streams.start(states, seed, index)


@late(types.void(types.uint64, types.uint64, types.uint64[::1], types.uint8[:, ::1], types.int64[:, :, ::1]), **options)
def count_pairs(seed, shuffles, states, scratch, counts):
    deck, swaps = scratch[0], scratch[1]
    for index in range(shuffles):
        streams.start(states, seed, index)
        streams.shuffle(states, deck, swaps)
        for place in range(39):
            counts[place, np.uint64(deck[place]), np.uint64(deck[place + 1])] += 1


@late(types.void(types.uint64[::1], types.uint64, types.boolean, types.int64[::1]), **options)
def count_draws(states, n, halves, counts):
    for _ in range(200_000):
        if halves:
            k = streams.below_32(states, lane_0, streams.draw_word(states, lane_0) >> np.uint64(32), n)
        else:
            k = streams.below(states, lane_0, n)
        counts[k % np.uint64(counts.size)] += 1


@late(types.void(types.uint64[::1], types.uint64, types.uint8[::1], types.int64[::1]), **options)
def count_tails(states, first, deck, counts):
    for _ in range(60_000):
        for i in range(40):
            deck[i] = i
        streams.shuffle_part(states, deck, first, np.uint64(40) - first)
        a, b, c = np.uint64(deck[37]), np.uint64(deck[38]), np.uint64(deck[39])
        counts[(a - np.uint64(37)) * np.uint64(9) + (b - np.uint64(37)) * np.uint64(3) + c - np.uint64(37)] += 1


@pytest.mark.parametrize(
    ("seed", "published"),
    [
        # The vectors that go round with the reference implementation of SplitMix64.
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]),
        (1234567, [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]),
    ],
)
def test_splitmix64_gives_the_published_vectors(seed: int, published: list[int]) -> None:
    words = np.zeros(len(published), np.uint64)
    fill(np.array([seed], np.uint64), words)
    assert words.tolist() == published


def test_streams_of_neighbouring_hands_and_lanes_have_nothing_in_common() -> None:
    first_words = set()
    for seed, index in itertools.product((0, 1, 2, 2**32, 2**64 - 1), range(200)):
        states = np.zeros(5, np.uint64)
        starts(np.uint64(seed), np.uint64(index), states)
        first_words.update(states.tolist())
    assert len(first_words) == 5 * 200 * 5


def test_places_of_cards_are_uniform_and_neighbours_independent() -> None:
    """Chi-square over 40 x 40 cells, 400,000 shuffles: a cell 2% too frequent would be found (power above 0.99)."""
    shuffles = 400_000
    counts = np.zeros((39, 40, 40), np.int64)
    count_pairs(np.uint64(12), np.uint64(shuffles), np.zeros(5, np.uint64), np.zeros((2, 40), np.uint8), counts)
    places = np.vstack([counts.sum(axis=2), counts[-1].sum(axis=0)])
    assert (places.sum(axis=1) == shuffles).all()
    # Rows and columns have fixed sums: 39 * 39 degrees of freedom.
    expected = shuffles / 40
    chi2 = ((places - expected) ** 2 / expected).sum() * 39 / 40
    assert 1e-4 < stats.chi2.sf(chi2, 39 * 39) < 1 - 1e-4
    pairs = counts[:, ~np.eye(40, dtype=bool)]
    assert counts.sum() == pairs.sum()
    expected = shuffles / (40 * 39)
    # The largest of 60,840 standard normal deviates is above 6.2 once in 30,000 times.
    assert np.abs(pairs - expected).max() / np.sqrt(expected) < 6.2


@pytest.mark.parametrize(("n", "halves"), [(2, True), (3, False), (7, True), (40, False), (40, True)])
def test_draws_below_a_bound_are_uniform(n: int, halves: bool) -> None:
    counts = np.zeros(n, np.int64)
    count_draws(np.array([99], np.uint64), np.uint64(n), halves, counts)
    assert counts.sum() == 200_000
    assert stats.chisquare(counts).pvalue > 1e-4


def test_rejection_makes_a_bound_unbiased_that_multiplying_alone_would_not() -> None:
    """With a bound of 3 * 2 ** 62 a plain product gives every third number twice as often."""
    counts = np.zeros(3, np.int64)
    count_draws(np.array([5], np.uint64), np.uint64(3 * 2**62), False, counts)
    assert stats.chisquare(counts).pvalue > 1e-4


def test_a_tail_is_shuffled_uniformly_and_the_rest_stays() -> None:
    deck, counts = np.zeros(40, np.uint8), np.zeros(27, np.int64)
    count_tails(np.array([3], np.uint64), np.uint64(37), deck, counts)
    assert deck[:37].tolist() == list(range(37))
    seen = counts[counts > 0]
    assert len(seen) == 6
    assert stats.chisquare(seen).pvalue > 1e-4
