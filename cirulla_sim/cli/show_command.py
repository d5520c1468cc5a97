"""``cirulla-sim show``."""

from __future__ import annotations

from typing import Any

import click

from .build import verb_command


def run(number: int, hands: int, form: str, **arguments: Any) -> None:
    from ..verbs.show import hand

    for index in range(number, number + hands):
        played = hand(number=index, **arguments)
        click.echo(played.json() if form == "json" else ("\n\n" if index > number else "") + played.text())


command = verb_command(
    "show",
    run,
    """Play a hand by its number and show it: for a reader play by play, or as a hand record in JSON.

    The hand is the one that simulate plays under the same rules, line-up and seed. With --coach each play is judged by
    what its player knew: how much it loses against the best, where everybody plays on as careful. With --record hands
    of a file are shown, those of a game played at the terminal too.
    """,
)
