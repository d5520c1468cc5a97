"""What rules do to whole games: how long they get, how often the lead changes, and what a rule is worth in games won.

Game ``g`` has the same deals under every rule set, so games are paired as hands are. The chance to win is solved from
the points of hands where the game is such a chain (see ``expectancy``), which is much surer than counting games won.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..core.errors import InputError
from ..engine.engines import Folded, fold
from ..engine.trials import Games
from ..ruleset.rules_model import Rules
from ..stats.estimates import Difference, Estimate, student, two_sided
from ..stats.tails import mid_p
from .expectancy import WE, Expectancy, check, measure
from .paired_games import GAMES_CHUNK as CHUNK
from .paired_games import LENGTH, NUMBERS, PARTS, WINS, difference_of, level_of, play_games
from .paired_runs import difference_row, holm_corrected, level_row
from .rule_sets import Comparison


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
    everyone = tuple(
        Games(rules, comparison.policies, games, comparison.seed, known=comparison.known)
        for rules in comparison.sets.values()
    )
    folded = fold(
        partial(play_games, everyone, comparison.unpaired),
        Folded(np.zeros(len(comparison.sets) * PARTS, np.int64), 0, "interrupted"),
        games,
        unit="games",
        engine=engine,
        threads=threads,
        most=CHUNK,
        progress=progress,
    )
    if folded.stopped == "interrupted":
        raise KeyboardInterrupt
    chances = {name: _chances(rules, comparison, engine, threads) for name, rules in comparison.sets.items()}
    tallies = [[int(x) for x in part] for part in folded.tally.reshape(len(comparison.sets), PARTS)]
    first = next(iter(comparison.sets))
    rows = []
    for name, tally in zip(comparison.sets, tallies, strict=True):
        for i, (quantity, _) in enumerate(NUMBERS):
            one, other = chances[first], chances[name]
            if i == WINS and one is not None and other is not None:
                level = other.chance(0, 0, WE)
                length = max(sums[LENGTH] for sums in (tallies[0], tally)) / games
                difference = _chance_difference(one, other, comparison.unpaired, length)
            else:
                level = level_of(quantity, tally, i, games)
                difference = difference_of(tallies[0], tally, i, games, comparison.unpaired)
            rows.append(level_row({"rules": name}, quantity, level))
            if name != first:
                rows.append(difference_row({"rules": name}, quantity, difference, comparison.unpaired))
    return holm_corrected(rows)


# ------------------------------------------------------------------------------------------------ the chain


def _chances(rules: Rules, comparison: Comparison, engine: str, threads: int | None) -> Expectancy | None:
    """The chances of the first dealer's side and the others', None where games are no chain of points."""
    try:
        check(rules)
    except InputError:
        return None
    theirs, ours = comparison.policies[0], comparison.policies[-1]
    policies = (ours,) if ours == theirs else (ours, theirs)
    return measure(
        rules, policies, comparison.hands, comparison.seed, known=comparison.known, engine=engine, threads=threads
    )


def _chance_difference(one: Expectancy, other: Expectancy, unpaired: bool, length: float) -> Difference:
    """How much surer the first dealer's side is to win; both tables are of the same hands, batch by batch.

    Where no hand of any batch makes a difference, one of the ``length`` hands that a game has on average might still,
    and then decides the game at most.
    """
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
    freedom = max(count - 1, 1)
    if value == error == 0:
        half = min(1.0, length * mid_p(0, other.hands)[1])
        return Difference(Estimate(0.0, 0.0, -half, half, other.hands), 1.0, None)
    half = student(freedom) * error if error else 0.0
    found = Estimate(value, error, value - half, value + half, other.hands)
    return Difference(found, two_sided(value, error, freedom), gain)
