"""Whole games compared: game ``g`` has the same deals in every experiment, so games are paired as hands are."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..engine.chunks import game_row_names
from ..engine.trials import Games
from ..ruleset.rules_model import Rules
from ..stats.estimates import Difference, Estimate, Sums, apart, mean, paired, proportion
from .paired_runs import SUMS, Numbers, Quantity, paired_sums, sums_of_both

GAMES_CHUNK = 1 << 12
"""Games in a chunk, each played by every line-up or rule set."""


class _Number(NamedTuple):
    """A quantity of a game, and its number from the game's row."""

    quantity: Quantity
    of: Callable[[dict[str, NDArray[np.int64]], int], NDArray[Any]]


def _won(row: dict[str, NDArray[np.int64]], side: int) -> NDArray[np.bool_]:
    """Whether a side is among the winners, a mask of sides."""
    return np.asarray(row["winners"] >> side & 1 == 1)


NUMBERS = (
    _Number(Quantity("wins_game", "game", "dealer", "probability"), lambda row, dealer: _won(row, dealer)),
    _Number(Quantity("hands", "game", "all", "mean"), lambda row, dealer: row["hands"]),
    _Number(Quantity("lead_changes", "game", "all", "mean"), lambda row, dealer: row["lead_changes"]),
    _Number(Quantity("comeback", "game", "all", "mean"), lambda row, dealer: row["comeback"]),
    _Number(Quantity("cappotto", "game", "all", "probability"), lambda row, dealer: row["ended"] == _by_cappotto()),
)
WINS, LENGTH = 0, 1
PARTS = SUMS * len(NUMBERS)


def _by_cappotto() -> int:
    from ..kernel.game.whole_game import BY_CAPPOTTO

    return BY_CAPPOTTO


def game_numbers(rules: Rules, rows: NDArray[Any]) -> Numbers:
    """float64[NUMBERS, games]: the quantities of each game as whole numbers, from the rows of ``Games.play``."""
    named = dict(zip(game_row_names(rules), rows.T.astype(np.int64), strict=True))
    return np.array([number.of(named, rules.dealer_side) for number in NUMBERS]).astype(np.float64)


def play_games(games: tuple[Games, ...], unpaired: bool, first: int, number: int) -> tuple[NDArray[np.int64], None]:
    """Play games ``first`` to ``first + number - 1`` of each; returns int64[games * PARTS], sums.

    Unpaired, those after the first play the games from their number on.
    """
    sums, x = [], None
    for trials in games:
        start = first + trials.games if unpaired and x is not None else first
        y = game_numbers(trials.rules, trials.play(start, number, rows=True)[1])
        x = y if x is None else x
        sums.append(paired_sums(x, y).ravel())
    return np.concatenate(sums), None


def level_of(tally: NDArray[np.int64], i: int, games: int) -> Estimate:
    """Quantity number ``i`` of games, from the ``paired_sums`` of them."""
    total, squares = tally[:2, i].tolist()
    return proportion(total, games) if NUMBERS[i].quantity.kind == "probability" else mean(total, squares, games)


def difference_of_games(i: int, rules: Rules, sums: Sums) -> Difference:
    """How much more of quantity number ``i`` the games of another line-up have."""
    return paired(sums, largest=_largest(i, sums))


def _largest(i: int, sums: Sums) -> float:
    """The largest difference there can be: of a chance 1, else what a game has, the root of the mean square."""
    if NUMBERS[i].quantity.kind == "probability":
        return 1.0
    return max(1.0, math.sqrt(max(sums.xx, sums.yy) / sums.hands))


def difference_of(
    base: NDArray[np.int64], tally: NDArray[np.int64], i: int, games: int, unpaired: bool
) -> Difference:  # fmt: skip
    """How much more of quantity number ``i`` there is, from the ``paired_sums`` of both."""
    sums = sums_of_both(base, tally, i, games)
    return (apart if unpaired else paired)(sums, largest=_largest(i, sums))
