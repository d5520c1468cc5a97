"""``cirulla-sim simulate``."""

from __future__ import annotations

from typing import Any

from .build import show, verb_command


def run(form: str, lang: str, raw: bool, all: bool, **arguments: Any) -> None:
    from ..verbs.simulate import simulate

    show(simulate(**arguments), form, lang, raw, all)


command = verb_command(
    "simulate",
    run,
    """Simulate many hands: bonuses, knocks, points by category and scores, each with its 95% interval.

    The terminal shows a headline and the first rows; --all shows every row, and the file of -o has them all.
    """,
)
