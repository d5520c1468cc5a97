"""The rounds of nights, many nights at once: who meets whom, what results are worth, how the pairs are placed.

Everywhere ``E`` is a number of nights, ``n`` of pairs, ``T`` of tables in a round.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..ruleset.catalogue import catalogue
from ..situation.night import ALL_PLAY_ALL, KNOCK_OUT, Night
from .game_quantities import ALL_POINTS, NO_GAME_POINTS, victory_points

Numbers = NDArray[np.int64]

_MOST_STEPS = 1_000
"""Steps of a search for a round without a rematch, after which there is none but in contrived cases."""


def swiss_round(order: Numbers, met: NDArray[np.bool_], byes: Numbers) -> Numbers:
    """The tables of a Swiss round, int64[E, T, 2].

    ``order`` is int64[E, n], the pairs from the first to the last by standing; ``met`` bool[E, n, n] says who has met
    whom, ``byes`` int64[E, n] how many byes each pair has had.

    From the top, each pair meets the highest pair below it that is free and that it has not met; where this leaves
    somebody only rematches, the lowest tables are changed until it does not. Where no round without rematches is found,
    a pair with only rematches left meets the highest free pair. With an odd number of pairs, the lowest of those with
    the fewest byes has one.

    >>> met = np.zeros((1, 4, 4), bool)
    >>> met[0, [3, 1, 0, 2], [1, 3, 2, 0]] = True
    >>> swiss_round(np.array([[3, 1, 0, 2]]), met, np.zeros((1, 4), int)).tolist()
    [[[3, 0], [1, 2]]]
    """
    if order.shape[1] % 2:
        order = _without_bye(order, byes)
    nights, tables = len(order), order.shape[1] // 2
    each = np.arange(nights)
    may_not = met[each[:, None, None], order[:, :, None], order[:, None, :]]  # by standing
    free = np.ones(order.shape, bool)
    paired = np.zeros((nights, tables, 2), np.int64)
    stuck = np.zeros(nights, bool)
    for table in range(tables):
        upper = free.argmax(axis=1)
        free[each, upper] = False
        new = free & ~may_not[each, upper]
        only_rematches = ~new.any(axis=1)
        stuck |= only_rematches
        lower = np.where(only_rematches[:, None], free, new).argmax(axis=1)
        free[each, lower] = False
        paired[:, table, 0], paired[:, table, 1] = upper, lower
    for night in np.flatnonzero(stuck):
        if (found := _without_rematch(may_not[night])) is not None:
            paired[night] = found
    return np.asarray(order[each[:, None, None], paired])


def _without_bye(order: Numbers, byes: Numbers) -> Numbers:
    """The order without the lowest pair of those that have had the fewest byes."""
    had = np.take_along_axis(byes, order, axis=1)
    fewest = had == had.min(axis=1, keepdims=True)
    out = order.shape[1] - 1 - fewest[:, ::-1].argmax(axis=1)
    stays = np.arange(order.shape[1]) != out[:, None]
    return np.asarray(order[stays].reshape(len(order), -1))


def _without_rematch(may_not: NDArray[np.bool_]) -> list[tuple[int, int]] | None:
    """The first pairing from the top without a forbidden match; None if none is found."""
    number = len(may_not)
    allowed = [sum(1 << other for other in range(number) if not row[other]) for row in may_not]
    steps = 0

    def search(free: int) -> list[tuple[int, int]] | None:
        nonlocal steps
        if not free:
            return []
        upper = (free & -free).bit_length() - 1
        free &= free - 1
        others = free & allowed[upper]
        while others and steps < _MOST_STEPS:
            steps += 1
            lower = others & -others
            if (rest := search(free ^ lower)) is not None:
                return [(upper, lower.bit_length() - 1), *rest]
            others ^= lower
        return None

    if not all(row & ~(1 << at) for at, row in enumerate(allowed)):
        return None  # somebody has met everybody
    return search((1 << number) - 1)


def all_rounds(pairs: int) -> Numbers:
    """The rounds in which everybody meets everybody once, int64[rounds, T, 2], by the circle method.

    With an odd number of pairs each has one bye.

    >>> all_rounds(4).tolist()
    [[[0, 3], [1, 2]], [[1, 3], [2, 0]], [[2, 3], [0, 1]]]
    >>> all_rounds(3).tolist()
    [[[1, 2]], [[2, 0]], [[0, 1]]]
    """
    circle = pairs - 1 + pairs % 2
    rounds, across = np.arange(circle)[:, None], np.arange(1, (circle + 1) // 2)
    tables = np.stack([(rounds + across) % circle, (rounds - across) % circle], axis=-1)
    if pairs % 2:
        return tables
    fixed = np.stack([np.arange(circle), np.full(circle, circle)], axis=-1)
    return np.concatenate([fixed[:, None], tables], axis=1)


def knock_out_round(left: Numbers) -> tuple[Numbers, Numbers]:
    """The pairs with a bye, int64[E, byes], and the tables of a knock-out round, int64[E, T, 2].

    ``left`` is int64[E, pairs that are left], in the order of the draw: the first meets the last, the second the last
    but one. In the first round those at the beginning have byes, as many as are missing to a power of two.

    >>> knock_out_round(np.array([[4, 0, 1, 3, 2]]))
    (array([[4, 0, 1]]), array([[[3, 2]]]))
    """
    number = left.shape[1]
    places = 1 << (number - 1).bit_length()
    byes = places - number
    return left[:, :byes], np.stack([left[:, byes : places // 2], left[:, places // 2 :][:, ::-1]], axis=-1)


# ------------------------------------------------------------------------------------------------ standings


class Standings:
    """The standings of ``E`` nights between rounds; ``lots`` are uint64[E, n]."""

    def __init__(self, night: Night, lots: NDArray[np.uint64]) -> None:
        number, pairs = lots.shape
        self.night, self.lots = night, lots
        self.victory_points, self.match_points, self.byes = np.zeros((3, number, pairs), np.int64)
        self.met = np.zeros((number, pairs, pairs), np.int64)  # how often
        self._each = np.arange(number)[:, None]
        self._left = lots.argsort(axis=1)  # in a knock-out, in the order of the draw
        self._out = np.ones((number, pairs), np.int64)  # the places of those that have lost in a knock-out

    def next_round(self, played: int) -> Numbers:
        """The tables of the next round after so many, int64[E, T, 2]; who is at none of them has a bye."""
        if self.night.format == KNOCK_OUT:
            return knock_out_round(self._left)[1]
        if self.night.format == ALL_PLAY_ALL:
            return np.repeat(all_rounds(self.lots.shape[1])[None, played], len(self.lots), axis=0)
        order = np.lexsort((self.lots, -self.match_points, -self.victory_points), axis=1)
        return swiss_round(order, self.met > 0, self.byes)

    def end_round(self, tables: Numbers, won: Numbers, points: Numbers, victory: Numbers) -> None:
        """Add the results of all tables of a round, and its byes.

        ``tables`` are int64[E, T, 2]; ``won`` and ``points`` those of the first of two pairs, int64[E, T]; ``victory``
        the victory points of both. A bye is worth those of a drawn match, except in a knock-out.
        """
        for own, sign in ((0, 1), (1, -1)):
            pair = tables[..., own]
            self.victory_points[self._each, pair] += victory[..., own]
            self.match_points[self._each, pair] += sign * points
            self.met[self._each, pair, tables[..., 1 - own]] += 1
        if self.night.format == KNOCK_OUT:
            byes = self._left[:, : self._left.shape[1] - 2 * tables.shape[1]]
            winners = np.where(won > 0, tables[..., 0], tables[..., 1])
            self._left = np.concatenate([byes, winners], axis=1)
            self._out[self._each, tables.sum(axis=2) - winners] = self._left.shape[1] + 1
            return
        bye = np.ones(self.byes.shape, np.int64)
        bye[self._each, tables.reshape(len(bye), -1)] = 0
        self.byes += bye
        self.victory_points += NO_GAME_POINTS * bye

    @property
    def place(self) -> Numbers:
        """The place of each pair from 1, int64[E, n]; pairs that are level share the highest."""
        if self.night.format == KNOCK_OUT:
            return self._out
        key = (self.victory_points << 32) + self.match_points
        return np.asarray(1 + (key[:, None, :] > key[:, :, None]).sum(axis=2))


def victory_scale(hands: int) -> Numbers:
    """The victory points of the winner by match points, int64[match points], in a match of some hands (002).

    More match points than the last earn as many. More hands than six are read from the column for six.

    >>> victory_scale(1).tolist()
    [10, 11, 12, 13, 14, 15, 15, 16, 16, 17]
    >>> len(victory_scale(6)) == len(victory_scale(24)), int(victory_scale(8)[-1])
    (True, 20)
    """
    data = catalogue()["victory_points"]
    lowest: Sequence[int] = data["lowest"][data["hands"].index(min(hands, max(data["hands"])))]
    return np.array([victory_points(lowest, points) for points in range(lowest[-1] + 1)])


def match_victory_points(scale: Numbers, points: Numbers) -> Numbers:
    """The victory points of both pairs, int64[..., 2], by the match points of the first, int64[...], on a scale.

    >>> match_victory_points(victory_scale(4), np.array([0, -12, 40])).tolist()
    [[10, 10], [6, 14], [20, 0]]
    """
    earned = scale[np.minimum(abs(points), len(scale) - 1)]
    mine = np.where(points >= 0, earned, ALL_POINTS - earned)
    return np.stack([mine, ALL_POINTS - mine], axis=-1)
