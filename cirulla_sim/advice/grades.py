"""How much a player loses a choice, graded by the policies that lose as much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..stats.estimates import Estimate
from .rollouts import estimate

RATES = {"search:64": 0.03, "careful": 0.07, "greedy": 0.31, "random": 0.86}
"""Points of the margin that each policy loses a choice, as the coach judges it: the mean of two and of four players,
measured by ``scripts/grades.py 40 300``."""


def rate(played: Sequence[tuple[Mapping[str, Any], int]]) -> Estimate | None:
    """What a player lost a choice over some hands, each with what the coach says of it and the player's seat.

    The interval is that of the mean over such choices: plays that were forced do not count. None of fewer than two.
    """
    plays = [play for coach, seat in played for play in coach["plays"] if play["seat"] == seat]
    lost = [play["loss"] for play in plays if play["choices"] > 1]
    return estimate(np.array(lost)) if len(lost) > 1 else None


def grade(interval: Estimate) -> str:
    """Whose rates an interval is nearest to: one policy's, or of the best and of the worst.

    >>> grade(Estimate(0.0, 0.01, -0.02, 0.02, 50)), grade(Estimate(0.5, 0.2, 0.1, 0.9, 50))
    ('search:64', 'careful to random')
    """
    ends = [min(RATES, key=lambda policy: abs(RATES[policy] - end)) for end in (interval.low, interval.high)]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)
