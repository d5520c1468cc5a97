"""Nights of matches: played in numbered nights, each a pure function of rules, night, policies, seed and number.

A match is one game of the engine, of the night's hands, the sides dealing in turn. Of source 002 are the victory
points, the maximum of them for a cappotto and the tie-breaks of a knock-out. Readings where it says nothing:

- Victory points of more than six hands are read from the column for six hands, the last of the table.
- A match that the rules decide at a deal (misdeals in a row, four equal table cards) is scored as a cappotto.
- A bye is worth the 10 victory points of a drawn match, and no match points.
- Pairs are placed by victory points, then by match points; in a knock-out by the round in which they lose.
- Lots are drawn for the first round of a Swiss, for pairs that are level when a round is paired, for the places in a
  knock-out, and for who deals first in a match.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..engine import policies as engine_policies
from ..engine.chunks import game_row_names
from ..engine.trials import Games, check_play
from ..ruleset.catalogue import catalogue
from ..ruleset.rules_model import Rules
from ..situation.night import ALL_PLAY_ALL, KNOCK_OUT, NIGHT_AT, SWISS, Night
from .game_quantities import ALL_POINTS, NO_GAME_POINTS, victory_points
from .night_rounds import Numbers, all_rounds, knock_out_round, swiss_round

MOST_NIGHTS = 1 << 31
"""Nights have numbers below this."""

_PAIR_BITS = 6  # of the number of a pair
_NIGHT_BITS = 31


@dataclass(frozen=True)
class Nights:
    """Numbered nights to play: the rules, the night, the policy of each pair in the order listed, and the seed.

    Raises ``InputError`` for rules of more than two sides, unknown policies and those that aim at the game.
    """

    rules: Rules
    night: Night
    policies: tuple[str, ...]
    seed: int = 1

    def __post_init__(self) -> None:
        if self.rules.sides != 2:
            raise InputError(
                f"{NIGHT_AT}a match is between two sides, and there are {self.rules.sides} (valid: players 2, or "
                "players 4 in partnership)"
            )
        if len(self.policies) != len(self.night.pairs):
            raise ValueError(f"{len(self.policies)} policies for {len(self.night.pairs)} pairs")
        check_play(self.rules, (engine_policies.USUAL,), self.seed)
        for name in dict.fromkeys(self.policies):
            try:
                engine_policies.check(name)
            except InputError as error:
                raise InputError(f"{NIGHT_AT}{error}") from None
            if engine_policies.aims(name):
                raise InputError(
                    f"{NIGHT_AT}policy {name!r} maximises the chance to win the game, and a match is played for its "
                    f"margin (valid: {engine_policies.without_suffixes(name)})"
                )

    @property
    def match_rules(self) -> Rules:
        """The rules of a match."""
        knock_out = self.night.format == KNOCK_OUT
        return replace(
            self.rules, hands_per_game=self.night.hands, hands_tie="draw", knockout_tiebreak=knock_out, best_of=1
        )

    @property
    def tables(self) -> int:
        """The most tables of a round: of a knock-out with byes, of the first or of the second."""
        pairs, places = len(self.policies), 1 << self.night.rounds
        return max(pairs - places // 2, places // 4) if self.night.format == KNOCK_OUT else pairs // 2

    def remarks(self) -> tuple[str, ...]:
        """Sentences on how the night was read where its source says nothing."""
        return tuple(_remarks(self.night))

    def play(self, first: int, number: int) -> PlayedNights:
        """Play nights ``first`` to ``first + number - 1``; raises ``InputError`` for numbers out of range."""
        if not 0 <= first <= first + number <= MOST_NIGHTS:
            raise InputError(f"nights '{first + number}' are not valid (valid: up to {MOST_NIGHTS:_})")
        sheet = _Sheet(self, first, number)
        if self.night.format == KNOCK_OUT:
            sheet.play_knock_out()
        else:
            circle = all_rounds(len(self.policies)) if self.night.format == ALL_PLAY_ALL else None
            for played in range(self.night.rounds):
                tables = sheet.next_swiss() if circle is None else np.repeat(circle[None, played], number, axis=0)
                sheet.play(played, tables)
                sheet.give_byes(tables)
            sheet.place_by_points()
        return sheet.result()


class PlayedNights(NamedTuple):
    """What happened in ``E`` nights of ``R`` rounds at up to ``T`` tables between ``n`` pairs.

    In ``matches`` the pair that deals first is named first; ``won`` and ``match_points`` are its own. Where a round has
    fewer than ``T`` tables, pairs are -1 and everything else is 0.
    """

    matches: Numbers  # [E, R, T, 2]: pairs from 0
    won: Numbers  # [E, R, T]: 1 won, 0 drawn, -1 lost
    match_points: Numbers  # [E, R, T]
    victory_points: Numbers  # [E, R, T, 2]: of both
    hands: Numbers  # [E, R, T]
    misdeals: Numbers  # [E, R, T]: the most in a row, before one table
    cappotto: NDArray[np.bool_]  # [E, R, T]: whether a cappotto ended it
    place: Numbers  # [E, n]: from 1; pairs that are level share the highest
    total_victory_points: Numbers  # [E, n]: with those of byes
    total_match_points: Numbers  # [E, n]


class _Sheet:
    """The score sheet of some nights while they are played."""

    def __init__(self, nights: Nights, first: int, number: int) -> None:
        pairs, rounds, tables = len(nights.policies), nights.night.rounds, nights.tables
        self.nights, self.first = nights, first
        self.lots = _lots(nights.seed, first, number, pairs)
        self.matches = np.full((number, rounds, tables, 2), -1)
        self.won, self.match_points, self.hands, self.misdeals = np.zeros((4, number, rounds, tables), np.int64)
        self.victory_points = np.zeros((number, rounds, tables, 2), np.int64)
        self.cappotto = np.zeros((number, rounds, tables), bool)
        self.total_victory_points, self.total_match_points, self.byes = np.zeros((3, number, pairs), np.int64)
        self.met = np.zeros((number, pairs, pairs), np.int64)  # how often
        self.place = np.ones((number, pairs), np.int64)
        self._each = np.arange(number)[:, None]
        self._names = list(dict.fromkeys(nights.policies))
        self._policy_of = np.array([self._names.index(name) for name in nights.policies])
        self._scale = victory_scale(nights.night.hands)

    def next_swiss(self) -> Numbers:
        """The tables of the next round of a Swiss."""
        order = np.lexsort((self.lots, -self.total_match_points, -self.total_victory_points), axis=1)
        return swiss_round(order, self.met > 0, self.byes)

    def play(self, played: int, tables: Numbers) -> Numbers:
        """Play a round at some tables, int64[E, T, 2]; returns who won each match, int64[E, T], if nobody drew."""
        at = (slice(None), played, slice(tables.shape[1]))
        upper, lower = tables.min(axis=2), tables.max(axis=2)
        numbers = match_number(self.first + self._each, upper, lower, self.met[self._each, upper, lower])
        upper_deals = _draws(self.nights.seed, numbers) >> np.uint64(63) == 0
        pairs = np.stack([np.where(upper_deals, upper, lower), np.where(upper_deals, lower, upper)], axis=-1)
        points = self._fill(at, self._rows(pairs, numbers))
        self.matches[at] = pairs
        for own, sign in ((0, 1), (1, -1)):
            pair = pairs[..., own]
            self.total_victory_points[self._each, pair] += self.victory_points[at][..., own]
            self.total_match_points[self._each, pair] += sign * points
            self.met[self._each, pair, pairs[..., 1 - own]] += 1
        return np.where(self.won[at] > 0, pairs[..., 0], pairs[..., 1])

    def _rows(self, pairs: Numbers, numbers: NDArray[np.uint64]) -> dict[str, Numbers]:
        """The columns of the games of some numbers, int64[E, T] by name; the first of two pairs deals first."""
        rules = self.nights.match_rules
        names = game_row_names(rules)
        rows = np.zeros((*numbers.shape, len(names)), np.int64)
        policies = self._policy_of[pairs]
        for dealer, other in np.unique(policies.reshape(-1, 2), axis=0).tolist():
            these = (policies == (dealer, other)).all(axis=2)
            games = _games(rules, (self._names[other], self._names[dealer]), self.nights.seed)
            rows[these] = games.play_numbers(numbers[these], rows=True)[1]
        return {name: rows[..., column] for column, name in enumerate(names)}

    def _fill(self, at: tuple[slice, int, slice], rows: dict[str, Numbers]) -> Numbers:
        """Write the results of matches on the sheet; returns the match points of those who dealt first."""
        from ..kernel.game.whole_game import AT_DEAL, BY_CAPPOTTO

        first_dealer, other = rows["winners"] >> 1 & 1, rows["winners"] & 1
        won = first_dealer - other
        outright = (rows["ended"] == BY_CAPPOTTO) | (rows["ended"] == AT_DEAL)
        most = len(self._scale) - 1
        points = np.where(outright, won * most, rows["side1_points"] - rows["side0_points"])
        earned = self._scale[np.minimum(abs(points), most)]
        mine = np.where(points >= 0, earned, ALL_POINTS - earned)
        self.won[at], self.match_points[at] = won, points
        self.victory_points[at] = np.stack([mine, ALL_POINTS - mine], axis=-1)
        self.hands[at], self.misdeals[at] = rows["hands"], rows["misdeals"]
        self.cappotto[at] = rows["ended"] == BY_CAPPOTTO
        return points

    def give_byes(self, tables: Numbers) -> None:
        """Give the victory points of a drawn match to those who are at none of the tables of a round."""
        bye = np.ones(self.byes.shape, np.int64)
        bye[self._each, tables.reshape(len(bye), -1)] = 0
        self.byes += bye
        self.total_victory_points += NO_GAME_POINTS * bye

    def play_knock_out(self) -> None:
        """Play the rounds of a knock-out and place pairs by the round in which they lose."""
        left = self.lots.argsort(axis=1)
        for played in range(self.nights.night.rounds):
            byes, tables = knock_out_round(left)
            winners = self.play(played, tables)
            left = np.concatenate([byes, winners], axis=1)
            self.place[self._each, tables.sum(axis=2) - winners] = left.shape[1] + 1

    def place_by_points(self) -> None:
        """Place pairs by victory points, then by match points."""
        key = (self.total_victory_points << 32) + self.total_match_points
        self.place = 1 + (key[:, None, :] > key[:, :, None]).sum(axis=2)

    def result(self) -> PlayedNights:
        return PlayedNights(**{name: getattr(self, name) for name in PlayedNights._fields})


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


def match_number(night: Numbers, upper: Numbers, lower: Numbers, meeting: Numbers) -> NDArray[np.uint64]:
    """The number of the game that two pairs play in a night; ``meeting`` counts their earlier ones.

    It does not depend on format and round, so two formats give two pairs the same cards: common random numbers.

    >>> [int(number) for number in match_number(np.array([0, 1]), np.array([0, 2]), np.array([1, 5]), np.array([0, 0]))]
    [1, 4229]
    """
    pairs = upper << _PAIR_BITS | lower
    return (meeting << _NIGHT_BITS + 2 * _PAIR_BITS | night << 2 * _PAIR_BITS | pairs).astype(np.uint64)


@lru_cache(512)
def _games(rules: Rules, names: tuple[str, ...], seed: int) -> Games:
    """The matches that two policies play, built and checked once; who deals first is the last."""
    games = Games(rules, names, 1, seed)
    games.check()
    return games


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


def _lots(seed: int, first: int, number: int, pairs: int) -> NDArray[np.uint64]:
    """The lots of the pairs, uint64[E, n], under the numbers that a match of a pair with itself would have."""
    pair = np.arange(pairs)
    return _draws(seed, match_number(np.arange(first, first + number)[:, None], pair, pair, np.zeros(1, np.int64)))


def _remarks(night: Night) -> Iterator[str]:
    if len(set(night.pairs)) > 1:
        yield f"{len(night.pairs)} pairs play in all."
    most = max(catalogue()["victory_points"]["hands"])
    if night.hands > most and night.format != KNOCK_OUT:
        yield f"Victory points of {night.hands} hands a round are those of {most} hands, with which their table ends."
    byes = len(night.pairs) % 2 and night.format != KNOCK_OUT
    if byes:
        yield f"A bye is worth {NO_GAME_POINTS} victory points, as a drawn match."
    if night.format == KNOCK_OUT and len(night.pairs) < 1 << night.rounds:
        yield f"{(1 << night.rounds) - len(night.pairs)} pairs, by lot, have a bye in the first round."
    if night.format == SWISS and night.rounds >= len(night.pairs) - 1 + len(night.pairs) % 2:
        yield "So many rounds of a Swiss may need rematches."
