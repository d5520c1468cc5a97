"""Whole games compared: game ``g`` has the same deals in every experiment, so games are paired as hands are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.chunks import game_row_names
from ..engine.trials import Games
from ..ruleset.rules_model import Rules
from ..stats.estimates import Difference, Estimate, Sums, apart, clustered, mean_change, paired, proportion
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
CHANGES = (
    Quantity("game_winner_changed", "game", "all", "share"),
    Quantity("games_gained", "game", "dealer", "share"),
    Quantity("games_gained", "game", "others", "share"),
    Quantity("games_lost", "game", "dealer", "share"),
    Quantity("games_lost", "game", "others", "share"),
    Quantity("hands_moved", "game", "all", "mean"),
)
"""What changes game by game, in either direction, where all play the same games: see ``paired_effects.CHANGES``.

``dealer`` is the side that deals first.
"""

# A part of the tally has the ``paired_sums``, then the numbers of ``_winners_changed``.
_WINNERS = SUMS * len(QUANTITIES)
PARTS = _WINNERS + 5


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
    parts: list[NDArray[np.int64]] = []
    for trials in games:
        start = first + trials.games if unpaired and parts else first
        rows = trials.play(start, number, rows=True)[1]
        y, winners = game_numbers(trials.rules, rows), _winners(trials.rules, rows)
        if not parts:
            x, before = y, winners
        parts += [
            paired_sums(x, y).ravel(),
            _winners_changed(before, winners, games[0].rules.sides, trials.rules.sides),
        ]
    return np.concatenate(parts), None


def _winners(rules: Rules, rows: NDArray[Any]) -> NDArray[np.bool_]:
    """bool[sides, games]: whether each side wins, the first dealer's last; more than one can, and none."""
    winners = rows[:, game_row_names(rules).index("winners")]
    return np.asarray(winners >> np.arange(rules.sides)[:, None] & 1, np.bool_)


def _winners_changed(x: NDArray[np.bool_], y: NDArray[np.bool_], *sides: int) -> NDArray[np.int64]:
    """int64[5]: how many games have another winner in y; how many of the other sides win only in y, and only in x, and
    the sums over the games of the squares of both.

    Where the numbers of ``sides`` differ, all others count as one side.
    """
    if len(set(sides)) > 1:
        x, y = (np.array([winners[:-1].any(axis=0), winners[-1]]) for winners in (x, y))
    gained, lost = (y & ~x)[:-1].sum(axis=0), (x & ~y)[:-1].sum(axis=0)
    return np.array([(x != y).any(axis=0).sum(), gained.sum(), lost.sum(), gained @ gained, lost @ lost])


def difference_of_games(i: int, rules: Rules, sums: Sums) -> Difference:
    """How much more of quantity number ``i`` the games of another line-up have."""
    return paired(sums, largest=largest_difference(QUANTITIES[i], sums))


def difference_of(
    base: NDArray[np.int64], part: NDArray[np.int64], i: int, games: int, unpaired: bool
) -> Difference:  # fmt: skip
    """How much more of quantity number ``i`` there is, from the first part of the tally and another."""
    sums = sums_of_both(sums_of(base), sums_of(part), i, games)
    return (apart if unpaired else paired)(sums, largest=largest_difference(QUANTITIES[i], sums))


def sums_of(part: NDArray[np.int64]) -> NDArray[np.int64]:
    """The ``paired_sums`` of a part of the tally."""
    return part[:_WINNERS].reshape(SUMS, -1)


def changes_of(base: NDArray[np.int64], part: NDArray[np.int64], games: int, others: int) -> list[Estimate]:
    """The estimates of ``CHANGES``, from the first part of the tally and another; ``others`` are the other sides."""
    won, hands = (sums_of_both(sums_of(base), sums_of(part), i, games) for i in (WINS, LENGTH))
    changed, gained, lost, gained_squared, lost_squared = part[_WINNERS:].tolist()
    # Only a length that has not been seen to change needs a bound; no game has a longest length.
    largest = math.inf if hands.excess or hands.x != hands.y else largest_difference(QUANTITIES[LENGTH], hands)
    return [
        proportion(changed, games),
        proportion(won.excess, games),
        _of_others(gained, gained_squared, games, others),
        proportion(won.excess - (won.y - won.x), games),
        _of_others(lost, lost_squared, games, others),
        mean_change(hands, largest),
    ]


def _of_others(count: int, squares: int, games: int, others: int) -> Estimate:
    """The share of games for the mean of the other sides, of which several can win or lose the same one."""
    return clustered(count, others * games, squares, others * count, others**2 * games, games)
