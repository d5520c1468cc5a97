"""Hands without their luck: what the sides gain by play."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import policies
from .chunks import Seated, Seating, check_answers, prepared, row_names

PLAYOUTS, AGAIN = 32, 3
"""Playouts that a hand is valued by wherever it stands, and how often its last stage is played."""


def play_less_luck(experiment: Seated, first: int, hands: int) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Play hands ``first`` to ``first + hands - 1``; returns the row of each, and the points of each side less luck.

    These, int64[hands, sides], are in points times ``PLAYOUTS * AGAIN`` and have the same mean as the points, of the
    differences between hands whose first deals are the same; see ``kernel.entries.luck``.
    """
    from ..kernel.entries.luck_entry import Effort, Hands, run_luck
    from ..kernel.game.streams import batch
    from ..kernel.players.hand_state import new_standings

    rules, names = experiment.rules, experiment.side_policies
    rows = np.zeros((hands, len(row_names(rules))), np.int16)
    less = np.zeros((hands, rules.sides), np.int64)
    _, others, ahead = prepared(Seating(rules, tuple(map(policies.stand_in, names))), name="ahead")
    _, _, asker = prepared(experiment, name="queries")
    flat, codes, work = prepared(experiment)
    quick = sum(policies.is_quick(name) << side for side, name in enumerate(names))
    effort = Effort(
        others, np.uint64(quick), any(policies.ready(name).sees for name in names),
        np.uint64(_stream(experiment.seed)), np.uint64(PLAYOUTS), np.uint64(AGAIN),
    )  # fmt: skip
    played = Hands(codes, work, asker, ahead, new_standings())
    run_luck(flat, batch(experiment.seed, first, hands), played, effort, rows, less)
    check_answers(experiment, work)
    return rows, less


def _stream(seed: int) -> int:
    """The seed of what is dealt to value hands, another than theirs."""
    return (seed * 0x9E3779B97F4A7C15 + 0x5851F42D4C957F2D) % 2**64
