"""Standings of nights of matches: what results are worth, who meets whom next, and how the pairs are placed.

The one definition for nights that are simulated (``nights``), many at a time, and for a night that people play
(``club_night``). Everywhere ``E`` is a number of nights, ``n`` of pairs, ``T`` of tables in a round.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..ruleset.catalogue import catalogue
from ..situation.night import ALL_PLAY_ALL, KNOCK_OUT, Night
from .game_quantities import ALL_POINTS, NO_GAME_POINTS, victory_points
from .night_rounds import Numbers, all_rounds, knock_out_round, swiss_round


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

    def enter(self, tables: Numbers, points: Numbers, victory: Numbers) -> None:
        """Add the match points and victory points of the pairs at some tables, all int64[E, T, 2]."""
        for own in (0, 1):
            pair = tables[..., own]
            self.victory_points[self._each, pair] += victory[..., own]
            self.match_points[self._each, pair] += points[..., own]
            self.met[self._each, pair, tables[..., 1 - own]] += 1

    def close(self, tables: Numbers, winners: Numbers) -> None:
        """End a round of all its tables, of which a knock-out needs the winners, int64[E, T]; others give byes.

        A bye is worth the victory points of a drawn match.
        """
        if self.night.format == KNOCK_OUT:
            byes = self._left[:, : self._left.shape[1] - 2 * tables.shape[1]]
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


def victory_lines(hands: int) -> tuple[tuple[int, int, int | None], ...]:
    """The table of victory points of a match of some hands (002): those of the winner, from and to how many points.

    The last line has no end.

    >>> victory_lines(4)[:3], victory_lines(4)[-1]
    (((10, 0, 1), (11, 2, 3), (12, 4, 6)), (20, 27, None))
    """
    scale = victory_scale(hands).tolist()
    lows = [scale.index(victory) for victory in range(scale[0], scale[-1] + 1)]
    ends = [low - 1 for low in lows[1:]]
    return tuple((scale[low], low, high) for low, high in zip(lows, [*ends, None], strict=True))


def match_victory_points(scale: Numbers, points: Numbers) -> Numbers:
    """The victory points of both pairs, int64[..., 2], by the match points of the first, int64[...], on a scale.

    >>> match_victory_points(victory_scale(4), np.array([0, -12, 40])).tolist()
    [[10, 10], [6, 14], [20, 0]]
    """
    earned = scale[np.minimum(abs(points), len(scale) - 1)]
    mine = np.where(points >= 0, earned, ALL_POINTS - earned)
    return np.stack([mine, ALL_POINTS - mine], axis=-1)
