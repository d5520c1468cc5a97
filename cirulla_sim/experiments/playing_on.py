"""The chance to win a game from a score, by playing games on from there."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from ..engine.chunks import by_side, game_row_names
from ..engine.engines import Folded
from ..engine.trials import Games, check_score
from ..stats.estimates import Estimate, proportion
from .win_chance_setup import THIS, Machine, Setting


def games_from(setting: Setting, score: tuple[int, ...], dealer: int, number: int) -> Games:
    """So many games that go on from a score, ours and then the others' in order of play.

    ``dealer`` is the place in that order of the side that deals next. Raises ``InputError`` as ``Games`` does.
    """
    rules = setting.rules
    check_score(rules, score)
    order = _order(rules.sides, dealer)
    everyone = by_side(rules, setting.policies)
    return Games(
        replace(rules, best_of=1),
        tuple(everyone[place] for place in order),
        number,
        setting.seed,
        tuple(score[place] for place in order),
        first=setting.first,
        known=setting.known,
    )


def won(games: Games, dealer: int, first: int, number: int) -> tuple[int, None]:
    """How many of games ``first`` to ``first + number - 1`` we win, when the side at a place deals next."""
    rows = games.play(first, number, rows=True)[1]
    ours = _order(games.rules.sides, dealer).index(0)
    winners = rows[:, game_row_names(games.rules).index("winners")]
    return int(np.count_nonzero(winners >> ours & 1)), None


def _order(sides: int, dealer: int) -> list[int]:
    """Places in the order of play by side; the dealer's is last."""
    return [(dealer + 1 + side) % sides for side in range(sides)]


def played_out(setting: Setting, score: tuple[int, ...], dealer: int, games: int, machine: Machine = THIS) -> Estimate:
    """The chance that we win from a score, by so many ``games_from`` it."""
    on = games_from(setting, score, dealer, games)
    nothing: Folded[int] = Folded(0, 0, "interrupted")
    found = machine.carry_out(on, partial(won, on, dealer), nothing)
    if found.stopped == "interrupted":
        raise KeyboardInterrupt
    return proportion(found.tally, found.done)
