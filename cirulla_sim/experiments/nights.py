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

from collections.abc import Iterator
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
from ..situation.night import KNOCK_OUT, NIGHT_AT, SWISS, Night
from .game_quantities import NO_GAME_POINTS
from .night_draws import MOST_NIGHTS, draw_dealers, draw_lots
from .night_rounds import Numbers
from .night_standings import Standings, match_victory_points, victory_scale


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
        for played in range(self.night.rounds):
            sheet.play(played)
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
        self.nights, self.numbers = nights, np.arange(first, first + number)
        self.standings = Standings(nights.night, draw_lots(nights.seed, first, number, pairs))
        self.matches = np.full((number, rounds, tables, 2), -1)
        self.won, self.match_points, self.hands, self.misdeals = np.zeros((4, number, rounds, tables), np.int64)
        self.victory_points = np.zeros((number, rounds, tables, 2), np.int64)
        self.cappotto = np.zeros((number, rounds, tables), bool)
        self._names = list(dict.fromkeys(nights.policies))
        self._policy_of = np.array([self._names.index(name) for name in nights.policies])
        self._scale = victory_scale(nights.night.hands)

    def play(self, played: int) -> None:
        """Play the next round after so many."""
        tables = self.standings.next_round(played)
        at = (slice(None), played, slice(tables.shape[1]))
        pairs, games = draw_dealers(self.nights.seed, self.numbers, tables, self.standings.met)
        points = self._fill(at, self._rows(pairs, games))
        self.matches[at] = pairs
        self.standings.enter(pairs, np.stack([points, -points], axis=-1), self.victory_points[at])
        self.standings.close(pairs, np.where(self.won[at] > 0, pairs[..., 0], pairs[..., 1]))

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
        self.won[at], self.match_points[at] = won, points
        self.victory_points[at] = match_victory_points(self._scale, points)
        self.hands[at], self.misdeals[at] = rows["hands"], rows["misdeals"]
        self.cappotto[at] = rows["ended"] == BY_CAPPOTTO
        return points

    def result(self) -> PlayedNights:
        standings = self.standings
        return PlayedNights(
            self.matches, self.won, self.match_points, self.victory_points, self.hands, self.misdeals, self.cappotto,
            standings.place, standings.victory_points, standings.match_points,
        )  # fmt: skip


@lru_cache(512)
def _games(rules: Rules, names: tuple[str, ...], seed: int) -> Games:
    """The matches that two policies play, built and checked once; who deals first is the last."""
    games = Games(rules, names, 1, seed)
    games.check()
    return games


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
