"""What rules do to whole games: how long they last, how often the lead changes, and how often the dealer's side wins.

Game ``g`` has the same deals under every rule set, so games are paired as hands are. Where the points of a game form a
Markov chain (see ``expectancy``), the chance to win is solved from hands, which is more precise than counting games.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from ..core.errors import InputError
from ..engine.engines import Folded
from ..engine.trials import Games
from ..ruleset.rules_model import Rules
from ..stats.estimates import Difference, Estimate, student, two_sided
from ..stats.tails import mid_p
from .expectancy import WE, Expectancy, check, measure
from .paired_games import LENGTH, PARTS, QUANTITIES, WINS, difference_of, play_games
from .paired_runs import SUMS, difference_row, level_of, level_row
from .rule_sets import Comparison
from .runner import Execution


def compared_games(comparison: Comparison, number: int, execution: Execution) -> list[dict[str, Any]]:
    """The rows that games add to the table of a comparison; their p-values are not corrected yet.

    Raises ``InputError`` for games that cannot be played, ``KeyboardInterrupt`` on Ctrl-C.
    """
    sets = comparison.sets
    games = tuple(
        Games(rules, comparison.line_up.by_side(rules), number, comparison.seed, constraints=comparison.constraints)
        for rules in sets.values()
    )
    nothing = Folded(np.zeros(len(sets) * PARTS, np.int64), 0, "interrupted")
    played = execution.fold(games[0], partial(play_games, games, comparison.unpaired), nothing)
    if played.stopped == "interrupted":
        raise KeyboardInterrupt
    chances = [_chances(rules, comparison, execution) for rules in sets.values()]
    tallies = played.tally.reshape(len(sets), SUMS, -1)
    rows = []
    for place, (name, tally, chance) in enumerate(zip(sets, tallies, chances, strict=True)):
        for i, quantity in enumerate(QUANTITIES):
            if i == WINS and chances[0] is not None and chance is not None:
                level = chance.chance(0, 0, [WE])
                length = int(max(sums[0, LENGTH] for sums in (tallies[0], tally))) / number
                difference = _chance_difference(chances[0], chance, comparison.unpaired, length)
            else:
                level = level_of(quantity, tally, i, number)
                difference = difference_of(tallies[0], tally, i, number, comparison.unpaired)
            rows.append(level_row({"rules": name}, quantity, level))
            if place:
                rows.append(difference_row({"rules": name}, quantity, difference, comparison.unpaired))
    return rows


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
