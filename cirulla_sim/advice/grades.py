"""How much a player loses a choice, graded by the policies that lose as much."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..kept import Estimate
from ..play import Record

RATES = {"careful": 0.03, "greedy": 0.17, "random": 0.5}
"""Points of the margin that each policy loses a choice, as the coach judges it: the mean of two and of four players,
measured by ``scripts/grades.py``. The coach plays on as ``careful``: who plays better, as ``search``, loses no more."""


def grade(low: float, high: float) -> str:
    """Whose rates an interval is nearest to: one policy's, or of the best and of the worst.

    >>> grade(-0.1, 0.01), grade(0.02, 2.0)
    ('careful', 'careful to random')
    """
    ends = [min(RATES, key=lambda policy: abs(RATES[policy] - rate)) for rate in (low, high)]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def game_rate(seats: Sequence[Record]) -> tuple[Estimate, str]:
    """What a player lost a choice over some hands, by what the coach says of its seat in each; and the grade of it.

    The interval is that of the judging: another evening brings other choices. ``n`` is the number of choices.
    """
    choices = sum(seat["choices"] for seat in seats)
    total, squares = sum(seat["loss"] for seat in seats), sum((seat["ci_high"] - seat["ci_low"]) ** 2 for seat in seats)
    rate, half = total / max(choices, 1), math.sqrt(squares) / 2 / max(choices, 1)
    return Estimate(rate, half / 2, rate - half, rate + half, choices), grade(rate - half, rate + half)
