"""What rules do to whole games: how long they get, how often the lead changes, and what a rule is worth in games won.

Game ``g`` has the same deals under every rule set, so games are paired as hands are. The chance to win is solved from
the points of hands where the game is such a chain (see ``expectancy``), which is much surer than counting games won.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..kept import Difference, Estimate, Sums, mean, paired, proportion, student, two_sided
from ..play import Folded, Games, fold, game_row_names
from ..rulebook import Rules
from ..whole_games import WE, Expectancy, check, measure
from .pairs import Comparison, Quantity, difference_row, holm_corrected, level_row

CHUNK = 1 << 12
"""Games in a chunk, each played under every rule set."""


class _Number(NamedTuple):
    """A quantity of a game, and its number from the game's row."""

    quantity: Quantity
    of: Callable[[dict[str, NDArray[np.int64]], int], NDArray[Any]]


def _won(row: dict[str, NDArray[np.int64]], side: int) -> NDArray[np.bool_]:
    """Whether a side is among the winners, a mask of sides."""
    return np.asarray(row["winners"] >> side & 1 == 1)


_NUMBERS = (
    _Number(Quantity("wins_game", "game", "dealer", "probability"), lambda row, dealer: _won(row, dealer)),
    _Number(Quantity("hands", "game", "all", "mean"), lambda row, dealer: row["hands"]),
    _Number(Quantity("lead_changes", "game", "all", "mean"), lambda row, dealer: row["lead_changes"]),
    _Number(Quantity("comeback", "game", "all", "mean"), lambda row, dealer: row["comeback"]),
    _Number(Quantity("cappotto", "game", "all", "probability"), lambda row, dealer: row["ended"] == _by_cappotto()),
)
_WINS = 0
_PARTS = 3 * len(_NUMBERS)


def _by_cappotto() -> int:
    from ..kernel.game.games import BY_CAPPOTTO

    return BY_CAPPOTTO


def compared_games(
    comparison: Comparison,
    games: int,
    *,
    engine: str = "threads",
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[dict[str, Any]]:
    """The rows that games add to the table of a comparison, Holm-corrected among themselves.

    Raises ``InputError`` for games that cannot be played, ``KeyboardInterrupt`` on Ctrl-C.
    """
    folded = fold(
        partial(play_games, comparison, games),
        Folded(np.zeros(len(comparison.rules) * _PARTS, np.int64), 0, "interrupted"),
        games,
        unit="games",
        engine=engine,
        threads=threads,
        most=CHUNK,
        progress=progress,
    )
    if folded.stopped == "interrupted":
        raise KeyboardInterrupt
    chances = {name: _chances(rules, comparison, engine, threads) for name, rules in comparison.rules.items()}
    tallies = [[int(x) for x in part] for part in folded.tally.reshape(len(comparison.rules), _PARTS)]
    first = next(iter(comparison.rules))
    rows = []
    for name, tally in zip(comparison.rules, tallies, strict=True):
        for i, (quantity, _) in enumerate(_NUMBERS):
            one, other = chances[first], chances[name]
            if i == _WINS and one is not None and other is not None:
                level = other.chance(0, 0, WE)
                difference = _chance_difference(one, other, comparison.unpaired)
            else:
                level = _level(quantity, tally, i, games)
                difference = _difference(tallies[0], tally, i, games, comparison.unpaired)
            rows.append(level_row(name, quantity, level))
            if name != first:
                rows.append(difference_row(name, quantity, difference, comparison.unpaired))
    return holm_corrected(rows)


def play_games(comparison: Comparison, games: int, first: int, number: int) -> tuple[NDArray[np.int64], None]:
    """Play games ``first`` to ``first + number - 1`` under every rule set; returns int64[rule sets * parts], sums.

    Unpaired, the rule sets after the first play the games from number ``games`` on.
    """
    sums, x = [], None
    for rules in comparison.rules.values():
        start = first + games if comparison.unpaired and x is not None else first
        _, rows = Games(rules, comparison.policies, number, comparison.seed).play(start, number, rows=True)
        named = dict(zip(game_row_names(rules), rows.T.astype(np.int64), strict=True))
        y = np.array([number_of.of(named, rules.dealer_side) for number_of in _NUMBERS]).astype(np.int64)
        x = y if x is None else x
        sums.append(np.concatenate([y.sum(axis=1), (y * y).sum(axis=1), (x * y).sum(axis=1)]))
    return np.concatenate(sums), None


def _level(quantity: Quantity, tally: list[int], i: int, games: int) -> Estimate:
    total, squares = tally[i], tally[len(_NUMBERS) + i]
    return proportion(total, games) if quantity.kind == "probability" else mean(total, squares, games)


def _difference(base: list[int], tally: list[int], i: int, games: int, unpaired: bool) -> Difference:
    many = len(_NUMBERS)
    sums = Sums(base[i], tally[i], base[many + i], tally[many + i], tally[2 * many + i], games)
    return paired(sums, Fraction(1), Fraction(1), independent=unpaired)


# ------------------------------------------------------------------------------------------------ the chain


def _chances(rules: Rules, comparison: Comparison, engine: str, threads: int | None) -> Expectancy | None:
    """The chances of the first dealer's side and the others', None where games are no chain of points."""
    try:
        check(rules)
    except InputError:
        return None
    theirs, ours = comparison.policies[0], comparison.policies[-1]
    policies = (ours,) if ours == theirs else (ours, theirs)
    return measure(rules, policies, comparison.hands, comparison.seed, engine=engine, threads=threads)


def _chance_difference(one: Expectancy, other: Expectancy, unpaired: bool) -> Difference:
    """How much surer the first dealer's side is to win; both tables are of the same hands, batch by batch."""
    mine, theirs = (chances.batches[:, WE, 0, 0] for chances in (other, one))
    value = float(other.chances[WE, 0, 0] - one.chances[WE, 0, 0])
    count = min(len(mine), len(theirs))
    if count < 2 or unpaired or len(mine) != len(theirs):
        error = math.hypot(*(chances.chance(0, 0, WE).std_error for chances in (one, other)))
        gain = None
    else:
        error = float((mine - theirs).std(ddof=1) / np.sqrt(count))
        apart = math.hypot(mine.std(ddof=1), theirs.std(ddof=1)) / math.sqrt(count)
        gain = apart / error if error else None
    half = student(max(count - 1, 1)) * error if error else 0.0
    found = Estimate(value, error, value - half, value + half, other.hands)
    return Difference(found, two_sided(value, error) if error else None, gain)
