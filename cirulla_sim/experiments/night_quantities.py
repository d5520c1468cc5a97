"""What happened in nights of matches, as columns: who won, how close it was, how long it took."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError, unknown
from ..ruleset.rules_model import Rules
from ..situation.night import KNOCK_OUT, NIGHT_AT, Night
from .nights import Nights, PlayedNights

Column = NDArray[Any]
Wanted = tuple[str, int | None]
"""A function by its name and the number of a pair from 0; None for a function of the whole night."""


def _wins(played: PlayedNights, pair: int) -> Column:
    return np.asarray((played.place[:, pair] == 1) & ~_ties(played))


def _ties(played: PlayedNights) -> Column:
    return np.asarray((played.place == 1).sum(axis=1) > 1)


def _matches_won(played: PlayedNights, pair: int) -> Column:
    return np.asarray(_matches(played, pair, 1).sum(axis=(1, 2)))


def _undefeated(played: PlayedNights, pair: int) -> Column:
    return np.logical_not(_matches(played, pair, -1).any(axis=(1, 2)))


def _matches(played: PlayedNights, pair: int, won: int) -> Column:
    """Which matches ended so for a pair: 1 won, -1 lost; bool[E, R, T]."""
    first, second = played.matches[..., 0] == pair, played.matches[..., 1] == pair
    return np.asarray((first & (played.won == won)) | (second & (played.won == -won)))


def _lead(played: PlayedNights) -> Column:
    ranked = np.sort(played.total_victory_points, axis=1)
    return np.asarray(ranked[:, -1] - ranked[:, -2])


def _rematches(played: PlayedNights) -> Column:
    pairs = played.place.shape[1]
    tables = played.matches.reshape(len(played.place), -1, 2)
    met = np.where(tables[..., 0] < 0, -1, tables.min(axis=2) * pairs + tables.max(axis=2))
    met.sort(axis=1)
    return np.asarray(((met[:, 1:] == met[:, :-1]) & (met[:, 1:] >= 0)).sum(axis=1))


def _minutes(night: Night, played: PlayedNights) -> Column:
    if night.minutes is None:
        raise InputError(f"{NIGHT_AT}minutes requires the minutes that a hand takes (add: 5 minutes a hand)")
    longest = played.hands.max(axis=2).sum(axis=1)
    return np.asarray(-(-longest * night.minutes.numerator // night.minutes.denominator))


OF_PAIR: dict[str, Callable[[PlayedNights, int], Column]] = {
    "wins_night": _wins,
    "place": lambda played, pair: played.place[:, pair],
    "victory_points": lambda played, pair: played.total_victory_points[:, pair],
    "match_points": lambda played, pair: played.total_match_points[:, pair],
    "matches_won": _matches_won,
    "undefeated": _undefeated,
}
"""Functions about a pair, by name."""

OF_NIGHT: dict[str, Callable[[Night, PlayedNights], Column]] = {
    "ties_night": lambda night, played: _ties(played),
    "lead_night": lambda night, played: _lead(played),
    "hands_played": lambda night, played: played.hands.sum(axis=(1, 2)),
    "minutes": _minutes,
    "misdeal_run": lambda night, played: played.misdeals.max(axis=(1, 2)),
    "cappotti": lambda night, played: played.cappotto.sum(axis=(1, 2)),
    "tie_breaks": lambda night, played: (played.hands > night.hands).sum(axis=(1, 2)),
    "rematches": lambda night, played: _rematches(played),
}
"""Functions about the whole night, by name."""

_BY_VICTORY_POINTS = ("victory_points", "lead_night")


def night_columns(
    rules: Rules,
    night: Night,
    policies: Sequence[str],
    seed: int,
    first: int,
    number: int,
    wanted: Sequence[Wanted],
) -> dict[Wanted, Column]:
    """What some functions give in nights ``first`` to ``first + number - 1``: bool or int64, [nights] each.

    ``policies`` has one for each pair, see ``Night.policies``; the best pair is listed first. Raises ``InputError``
    for an unknown function, a pair that is not there, and minutes where those of a hand are not given.
    """
    for name, pair in wanted:
        check_function(night, name, pair)
    played = nights_of(rules, night, tuple(policies), seed).play(first, number)
    return {(name, pair): _column(night, played, name, pair) for name, pair in wanted}


def check_function(night: Night, name: str, pair: int | None) -> None:
    """Raise ``InputError`` unless there is such a function of such a night, and such a pair."""
    if name not in (*OF_PAIR, *OF_NIGHT):
        raise unknown("function of a night", name, (*OF_PAIR, *OF_NIGHT))
    if name in OF_PAIR and (pair is None or not 0 <= pair < len(night.pairs)):
        quoted = "no pair" if pair is None else f"pair '{pair + 1}'"
        raise InputError(f"{name}: {quoted} is not valid (valid: pair 1 to pair {len(night.pairs)})")
    if night.format == KNOCK_OUT and name in _BY_VICTORY_POINTS:
        raise InputError(f"{name}: a knock-out is not decided by victory points (valid: place, matches_won)")
    if name in OF_NIGHT and pair is not None:
        raise InputError(f"{name}: it is about no pair (valid: {name})")


def _column(night: Night, played: PlayedNights, name: str, pair: int | None) -> Column:
    return OF_NIGHT[name](night, played) if pair is None else OF_PAIR[name](played, pair)


@lru_cache(16)
def nights_of(rules: Rules, night: Night, policies: tuple[str, ...], seed: int) -> Nights:
    """The nights that some policies play, built and checked once."""
    return Nights(rules, night, policies, seed)
