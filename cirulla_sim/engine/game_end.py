"""The end of a game by its score."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..ruleset.rules_model import Rules


def game_after(rules: Rules, points: NDArray[Any], hands: Any) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Whether games are to end after so many hands, and the side that leads each, -1 where there is none.

    ``points`` are those of the sides, int[..., sides]. Where nobody leads a game goes on, unless it may be drawn.

    >>> from cirulla_sim.ruleset.presets import build
    >>> due, leader = game_after(build(), np.array([[51, 40], [52, 52], [50, 49]]), 9)
    >>> due.tolist(), leader.tolist()
    ([True, True, False], [0, -1, 0])
    """
    best = points.min(axis=-1) if rules.lowest_wins else points.max(axis=-1)
    leads = points == best[..., None]
    due = hands >= rules.hands_per_game if rules.hands_per_game else points.max(axis=-1) >= rules.target
    return np.asarray(due), np.where(leads.sum(axis=-1) == 1, leads.argmax(axis=-1), -1)
