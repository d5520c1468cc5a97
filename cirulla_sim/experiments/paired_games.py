"""Whole games compared: game ``g`` has the same deals in every experiment, so games are paired as hands are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.chunks import game_row_names
from ..engine.trials import Games
from ..ruleset.rules_model import Rules
from ..stats.estimates import Difference, Sums, apart, paired
from .paired_runs import SUMS, Numbers, Quantity, largest_difference, paired_sums, sums_of_both

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


def difference_of_games(i: int, rules: Rules, sums: Sums) -> Difference:
    """How much more of quantity number ``i`` the games of another line-up have."""
    return paired(sums, largest=largest_difference(QUANTITIES[i], sums))


def difference_of(
    base: NDArray[np.int64], tally: NDArray[np.int64], i: int, games: int, unpaired: bool
) -> Difference:  # fmt: skip
    """How much more of quantity number ``i`` there is, from the ``paired_sums`` of both."""
    sums = sums_of_both(base, tally, i, games)
    return (apart if unpaired else paired)(sums, largest=largest_difference(QUANTITIES[i], sums))
