"""``cirulla-sim play``."""

from __future__ import annotations

import sys
from typing import Any

import click

from .build import verb_command


def run(**arguments: Any) -> None:
    from ..verbs.play import play

    play(click.echo, _answer, **arguments)


def _answer(prompt: str) -> str | None:
    """What a person answers to a prompt; None at the end of the input, or where there is none."""
    if sys.stdin is None:
        return None
    try:
        if sys.stdout is None or sys.stderr is None:  # closed: ``input`` requires both
            return sys.stdin.readline().strip() or None
        return input(prompt).strip()
    except EOFError:
        click.echo()
        return None


command = verb_command(
    "play",
    """Play against the policies: cards shown, legal plays by number, sets to knock with, undo, hints, the score sheet.

    Two players unless --players says otherwise. The game is saved as hand records: show --record and advise --record
    read them. Leave at any time; the same command resumes the game. A policy of your own is imported only if this
    command names it.
    """,
    run=run,
)
