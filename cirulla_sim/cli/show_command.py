"""``cirulla-sim show``."""

from __future__ import annotations

from typing import Any

import click

from .build import verb_command


def run(number: int, hands: int, play: int | None, form: str, lang: str, **arguments: Any) -> None:
    from ..advice.situations import read_at
    from ..verbs.show import hand, situation_before

    _, recorded = read_at(arguments["at"], arguments["me"])
    play = recorded.play if recorded is not None else play
    for index in range(number, number + hands):
        played = hand(number=index, **arguments)
        if play is not None:
            click.echo(situation_before(played, play))
        else:
            click.echo(played.json() if form == "json" else ("\n\n" if index > number else "") + played.text(lang))


command = verb_command(
    "show",
    """Play a hand by its number and show it: for a reader play by play, or as a hand record in JSON.

    The hand is the one that simulate plays under the same rules, line-up and seed. With --coach each play is judged by
    what its player knew: how much it loses against the best, where everybody plays on as careful. With --record hands
    of a file are shown, those of a game played at the terminal too.

    With --play, or --at FILE#HAND.PLAY, it prints what the player knew before that play, to be given to --at.
    """,
    run=run,
)
