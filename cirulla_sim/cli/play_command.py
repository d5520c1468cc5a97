"""``cirulla-sim play``: a game against the policies, at the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .options import Count, rules_options


@click.command("play")
@rules_options
@click.option(
    "--policy", metavar="NAME[,NAME...]", show_default="careful",
    help="Who plays against you, and your partner's seat: one for all, or one a side, the first dealer's last.",
)  # fmt: skip
@click.option(
    "--seat", type=Count(0, 3), show_default="0", help="Your seat in the first hand: 0 plays first, the last deals."
)
@click.option("--seed", help="Of the deals and of the others' dice (default: another game every time).")
@click.option(
    "--samples", type=Count(4, 1 << 20), help="For the coach: deals played out for each play (default: 1000)."
)
@click.option(
    "--output", "-o", type=click.Path(path_type=Path), metavar="FILE.jsonl", show_default="cirulla-game.jsonl",
    help="Where the game is kept, after every choice. A game that is there is gone on with.",
)  # fmt: skip
@click.option("--force", is_flag=True, help="Begin again where another game is in the file.")
def command(**asked: Any) -> None:
    """Play against the policies: cards shown, legal plays by number, sets to knock with, undo, hints, the score sheet.

    Two players unless --players says otherwise. The game is kept as hand records: show --record and advise --record
    read them. Leave at any time; the same command goes on.
    """
    from ..advice.conversation import sit_down

    def hear(prompt: str) -> str | None:
        try:
            return input(prompt).strip()
        except EOFError:
            click.echo()
            return None

    sit_down(click.echo, hear, **asked)
