"""``cirulla-sim show``: one hand by its number, play by play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .options import Choice, Count, deal_option, policy_option, rules_options, seed_option, threads_option


@click.command("show")
@rules_options
@policy_option
@deal_option
@seed_option
@click.option(
    "--record", type=click.Path(path_type=Path), metavar="FILE",
    help="Hands that were recorded, as by play or show --format json; --hand is their place in the file.",
)  # fmt: skip
@click.option("--hand", "first", type=Count(0, 10**12), default=0, show_default=True, help="Number of the first hand.")
@click.option("--hands", type=Count(1, 10**6), default=1, show_default=True, help="How many hands.")
@click.option(
    "--format", "form", type=Choice("format", ("text", "json")), default="text", help="text, or json: a record a line."
)
@click.option("--coach", is_flag=True, help="Judge every play, and tell where points were thrown away.")
@click.option("--samples", type=Count(4, 1 << 20), help="With --coach: deals played out for each play (default: 1000).")
@threads_option
def command(first: int, hands: int, form: str, **asked: Any) -> None:
    """Play a hand by its number and show it: for a reader play by play, or as a hand record in JSON.

    The hand is the one that simulate plays under the same rules, policies and seed. With --coach each play is judged by
    what its player knew: how much it loses against the best, where everybody plays on as careful. With --record hands
    of a file are shown, those of a game played at the terminal too.
    """
    from ..verbs.advise import hand

    for index in range(first, first + hands):
        played = hand(number=index, **asked)
        click.echo(played.json() if form == "json" else ("\n\n" if index > first else "") + played.text())
