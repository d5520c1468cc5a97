"""Whole games compared: line-ups, and what rules do to how long games last and who wins.

Game ``g`` has the same deals in every experiment, so games are paired as hands are. Where the points of a game form a
Markov chain (see ``expectancy``), the chance to win is solved from hands, which is more precise than counting games.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..engine.chunks import game_row_names
from ..engine.engines import Folded
from ..engine.trials import Games
from ..ruleset.rules_model import Rules
from ..stats.estimates import Difference, Estimate, Sums, mean_change, student, two_sided
from ..stats.tails import mid_p
from .expectancy import WE, Expectancy, check, measure
from .paired_runs import (
    SUMS,
    Numbers,
    Quantity,
    difference_of,
    difference_row,
    largest_difference,
    level_of,
    level_row,
    paired_sums,
    sums_of_both,
    winners_changed,
)
from .rule_sets import Comparison
from .runner import Execution
from .tally import ONE, Tally

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
"""What changes game by game, in either direction, where all play the same games: see ``compared_hands.CHANGES``.

``dealer`` is the side that deals first.
"""

# A part of the tally has the ``paired_sums``, then the numbers of ``_changed``.
_CHANGED = SUMS * len(QUANTITIES)
_PART = _CHANGED + 5


def compared_games(comparison: Comparison, number: int, execution: Execution) -> list[dict[str, Any]]:
    """The rows that games add to the table of a comparison; their p-values are not corrected yet.

    Raises ``InputError`` for games that cannot be played, ``KeyboardInterrupt`` on Ctrl-C.
    """
    sets, base, unpaired = comparison.sets, comparison.rules, comparison.unpaired
    games = tuple(
        Games(rules, comparison.line_up.by_side(rules), number, comparison.seed, constraints=comparison.constraints)
        for rules in sets.values()
    )
    nothing = Folded(np.zeros(len(sets) * _PART, np.int64), 0, "interrupted")
    played = execution.fold(games[0], partial(_play, games, unpaired), nothing)
    if played.stopped == "interrupted":
        raise KeyboardInterrupt
    chances = [_chances(rules, comparison, execution) for rules in sets.values()]
    parts = played.tally.reshape(len(sets), _PART)
    first, *_ = paired = parts[:, :_CHANGED].reshape(len(sets), SUMS, -1)
    rows = []
    for place, (name, sums, chance) in enumerate(zip(sets, paired, chances, strict=True)):
        named, both = {"rules": name}, [sums_of_both(first, sums, i, number) for i in range(len(QUANTITIES))]
        for i, quantity in enumerate(QUANTITIES):
            if i == WINS and chances[0] is not None and chance is not None:
                level = chance.chance(0, 0, [WE])
                length = max(both[LENGTH].x, both[LENGTH].y) / number
                difference = _chance_difference(chances[0], chance, unpaired, length)
            else:
                level, difference = level_of(quantity, sums, i, number), difference_of(quantity, both[i], unpaired)
            rows.append(level_row(named, quantity, level))
            if place:
                rows.append(difference_row(named, quantity, difference, unpaired))
        if place and not unpaired:
            sides = sets[name].sides
            others = sides - 1 if sides == base.sides else 1  # else all others count as one side
            changes = _changes(both[WINS], both[LENGTH], parts[place, _CHANGED:].tolist(), others)
            rows += [level_row(named, *row) for row in zip(CHANGES, changes, strict=True)]
    return rows


def _play(games: tuple[Games, ...], unpaired: bool, first: int, number: int) -> tuple[NDArray[np.int64], None]:
    """Play games ``first`` to ``first + number - 1`` of each; returns int64[games * _PART], sums.

    Unpaired, those after the first play the games from their number on.
    """
    parts: list[NDArray[np.int64]] = []
    for trials in games:
        start = first + trials.games if unpaired and parts else first
        rows = trials.play(start, number, rows=True)[1]
        y, winners = game_numbers(trials.rules, rows), _winners(trials.rules, rows)
        if not parts:
            x, before = y, winners
        changed, gained, lost = winners_changed(before, winners)
        others = np.array([changed, gained.sum(), lost.sum(), gained @ gained, lost @ lost])
        parts += [paired_sums(x, y).ravel(), others]
    return np.concatenate(parts), None


def game_numbers(rules: Rules, rows: NDArray[Any]) -> Numbers:
    """float64[QUANTITIES, games]: the quantities of each game as whole numbers, from the rows of ``Games.play``."""
    from ..kernel.game.whole_game import BY_CAPPOTTO

    row = dict(zip(game_row_names(rules), rows.T.astype(np.int64), strict=True))
    won = _winners(rules, rows)[rules.dealer_side]
    numbers = (won, row["hands"], row["lead_changes"], row["comeback"], row["ended"] == BY_CAPPOTTO)
    return np.array(numbers, np.float64)


def _winners(rules: Rules, rows: NDArray[Any]) -> NDArray[np.bool_]:
    """bool[sides, games]: whether each side wins, the first dealer's last; more than one can, and none."""
    winners = rows[:, game_row_names(rules).index("winners")]  # a mask of sides
    return np.asarray(winners >> np.arange(rules.sides)[:, None] & 1, np.bool_)


def difference_of_games(i: int, rules: Rules, sums: Sums) -> Difference:
    """How much more of quantity number ``i`` the games of another line-up have."""
    return difference_of(QUANTITIES[i], sums)


def _changes(wins: Sums, length: Sums, changed: list[int], others: int) -> list[Estimate]:
    """The estimates of ``CHANGES``, from the paired sums and the numbers after them; ``others`` are the other sides.

    Several of those can win or lose the same game.
    """
    winner, gained, lost, gained_squared, lost_squared = changed
    products = {("gained", "gained"): gained_squared, ("lost", "lost"): lost_squared}
    games = Tally(wins.hands, {"gained": gained, "lost": lost}, products)
    # Only a length that has not been seen to change needs a bound; no game has a longest length.
    largest = math.inf if length.excess or length.x != length.y else largest_difference(QUANTITIES[LENGTH], length)
    return [
        games.counted(winner),
        games.counted(wins.excess),
        games.ratio({"gained": 1}, {ONE: others}),
        games.counted(wins.excess - (wins.y - wins.x)),
        games.ratio({"lost": 1}, {ONE: others}),
        mean_change(length, largest),
    ]


# ------------------------------------------------------------------------------------------------ the chain


def _chances(rules: Rules, comparison: Comparison, execution: Execution) -> Expectancy | None:
    """The chances of the first dealer's side and the others', None where games are no chain of points."""
    try:
        check(rules)
    except InputError:
        return None
    sides = comparison.line_up.by_side(rules)
    dealer, others = sides[rules.dealer_side], sides[1 - rules.dealer_side]
    return measure(
        rules, (dealer,) if dealer == others else (dealer, others), comparison.hands, comparison.seed,
        known=(comparison.constraints, comparison.constraints), engine=execution.engine, threads=execution.threads,
    )  # fmt: skip


def _chance_difference(base: Expectancy, other: Expectancy, unpaired: bool, length: float) -> Difference:
    """How much likelier the first dealer's side is to win; both tables are of the same hands, batch by batch.

    Where no hand of any batch makes a difference, one of the ``length`` hands that a game has on average might still,
    and then decides the game at most.
    """
    x, y = (chances.batches[:, WE, 0, 0] for chances in (base, other))
    value = float(other.chances[WE, 0, 0] - base.chances[WE, 0, 0])
    count = min(len(x), len(y))
    if count < 2 or unpaired or len(x) != len(y):
        error = math.hypot(*(chances.chance(0, 0, [WE]).std_error for chances in (base, other)))
        gain = None
    else:
        error = float((y - x).std(ddof=1) / np.sqrt(count))
        apart = math.hypot(y.std(ddof=1), x.std(ddof=1)) / math.sqrt(count)
        gain = apart / error if error else None
    freedom = max(count - 1, 1)
    if value == error == 0:
        half = min(1.0, length * mid_p(0, other.hands)[1])
        return Difference(Estimate(0.0, 0.0, -half, half, other.hands), 1.0, None)
    half = student(freedom) * error if error else 0.0
    return Difference(Estimate(value, error, value - half, value + half, other.hands), two_sided(value, error, freedom),
                      gain)  # fmt: skip
