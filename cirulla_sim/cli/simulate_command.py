"""``cirulla-sim simulate``."""

from __future__ import annotations

from .build import verb_command

command = verb_command(
    "simulate",
    """Simulate many hands: bonuses, knocks, points by category and scores, each with its 95% interval.

    The terminal shows a headline and the first rows; --all shows every row, and the file of -o has them all.
    """,
)
