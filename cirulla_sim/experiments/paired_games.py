"""Whole games compared: game ``g`` has the same deals in every experiment, so games are paired as hands are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.chunks import game_row_names
from ..engine.trials import Games
from ..ruleset.rules_model import Rules
from ..stats.estimates import Difference, Estimate, Sums, apart, mean, paired, proportion
from .paired_runs import SUMS, Numbers, Quantity, paired_sums, sums_of_both

GAMES_CHUNK = 1 << 12
"""Games in a chunk, each played by every line-up or rule set."""


QUANTITIES = (
    Quantity("wins_game", "game", "dealer", "probability"),
    Quantity("hands", "game", "all", "mean"),
    Quantity("lead_changes", "game", "all", "mean"),
    Quantity("comeback", "game", "all", "mean"),
    Quantity("cappotto", "game", "all", "probability"),
)
WINS, LENGTH = 0, 1
PARTS = SUMS * len(QUANTITIES)


def game_numbers(rules: Rules, rows: NDArray[Any]) -> Numbers:
    """float64[QUANTITIES, games]: the quantities of each game as whole numbers, from the rows of ``Games.play``."""
    from ..kernel.game.whole_game import BY_CAPPOTTO

    row = dict(zip(game_row_names(rules), rows.T.astype(np.int64), strict=True))
    won = row["winners"] >> rules.dealer_side & 1  # winners are a mask of sides
    numbers = (won, row["hands"], row["lead_changes"], row["comeback"], row["ended"] == BY_CAPPOTTO)
    return np.array(numbers, np.float64)


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
    return proportion(total, games) if QUANTITIES[i].kind == "probability" else mean(total, squares, games)


def difference_of_games(i: int, rules: Rules, sums: Sums) -> Difference:
    """How much more of quantity number ``i`` the games of another line-up have."""
    return paired(sums, largest=_largest(i, sums))


def _largest(i: int, sums: Sums) -> float:
    """The largest difference there can be: of a chance 1, else what a game has, the root of the mean square."""
    if QUANTITIES[i].kind == "probability":
        return 1.0
    return max(1.0, math.sqrt(max(sums.xx, sums.yy) / sums.hands))


def difference_of(
    base: NDArray[np.int64], tally: NDArray[np.int64], i: int, games: int, unpaired: bool
) -> Difference:  # fmt: skip
    """How much more of quantity number ``i`` there is, from the ``paired_sums`` of both."""
    sums = sums_of_both(base, tally, i, games)
    return (apart if unpaired else paired)(sums, largest=_largest(i, sums))
