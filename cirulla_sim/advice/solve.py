"""Positions in which all cards are known: the best line, solved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..experiments.expectancy import aiming_at_the_end
from ..situation.information_set import InformationSet
from .decision_points import Moment
from .rollouts import Win, margins

SOLVED = 12
"""Plays left from which on a situation in which all is known is solved."""

AHEAD = 12
"""Plays that the solver looks ahead where the stage goes on for longer than ``DEEPEST``."""
DEEPEST = 20


@dataclass(frozen=True)
class Solution:
    """What each play leads to with all cards known, and the line of best play for what is aimed at.

    ``points`` is float64[plays, 4], by side, everybody playing for points; ``wins``, float64[plays], is the chance to
    win the game, both playing for that, where a score was given and the hand is played to its end. ``ahead`` plays were
    looked ahead; unless the hand is ``settled`` then, the points are what the piles are expected to be worth (see
    ``kernel.worth``).
    """

    points: NDArray[np.float64]
    wins: NDArray[np.float64] | None
    line: tuple[tuple[int, int], ...]
    """Seat and play, a word, of each play in turn."""
    ahead: int
    settled: bool


# ------------------------------------------------------------------------------------------------ all cards known


def solvable(now: InformationSet) -> tuple[int, ...] | None:
    """All holdings of a situation that can be solved to the end of the hand, None where it cannot."""
    return now.all_holdings() if now.field("plays_left") <= SOLVED else None


def solve(
    now: InformationSet,
    holdings: tuple[int, ...],
    score: tuple[int, int] | None = None,
    table: Win | None = None,
    aim: str = "game",
) -> Solution:
    """Every legal play with all holdings known, masks by seat, everybody playing their best to the end of the stage.

    With more than two sides each maximises its points less the mean of the others'. ``score`` is that of the game, ours
    first, and ``table`` the chances to win from every score; the line is played for the ``aim``.
    """
    left = sum(held.bit_count() for held in holdings)
    ahead = left if left <= DEEPEST else AHEAD
    settled = ahead == now.field("plays_left")
    game = None
    if score is not None and table is not None and settled:
        game = (score if now.side == 0 else score[::-1], aiming_at_the_end(now.rules, table))
    points = _values(now, holdings, ahead) + np.array(now.by_seat("points"), np.float64)
    wins = None if game is None else _values(now, holdings, ahead, game)
    game = game if aim == "game" else None
    best = [_best(now, points if wins is None or game is None else wins)]
    moment = Moment.of_open_cards(now, holdings)
    while len(best) < ahead:
        moment = moment.after(best[-1])
        here = moment.information()
        best.append(_best(here, _values(here, moment.holdings, ahead - len(best), game)))
    seats = [(now.field("seat") + k) % now.rules.players for k in range(ahead)]
    line = tuple(zip(seats, best, strict=True))
    return Solution(points, None if wins is None else wins[:, now.side], line, ahead, settled)


def _values(
    now: InformationSet,
    holdings: tuple[int, ...],
    ahead: int,
    game: tuple[tuple[int, ...], NDArray[np.float32]] | None = None,
) -> NDArray[np.float64]:
    """float64[plays, 4]: by side, the points made from here on and those of the piles that the legal plays lead to.

    With ``game``, its score by side and the chances to win as ``policies.Workspace`` has them, it is chances.
    """
    from ..engine.policies import Workspace
    from ..kernel.entries.solve_entry import solve_plays
    from ..kernel.entries.states_entry import flat_rules

    plays = np.array(now.plays(), np.uint64)
    values, given, view = np.zeros((len(plays), 4), np.float32), np.zeros(4, np.uint64), now.view.copy()
    given[: len(holdings)] = holdings
    if game is not None:
        view[0]["score"][:2], view[0]["aims_at_game"] = game[0], 1
    workspace = Workspace()
    workspace.prepare(now.rules, None if game is None else game[1])
    solve_plays(flat_rules(now.rules), workspace.mind, view[0], given, np.uint64(ahead), plays, values)
    return values.astype(np.float64)


def _best(now: InformationSet, values: NDArray[np.float64]) -> int:
    margin = margins(now, values[None])[0]
    return now.plays()[int(margin.argmax())]
