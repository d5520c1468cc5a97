"""``cirulla-sim advise``: what to play here, and how sure is that."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from .options import (
    Choice,
    Count,
    Positive,
    format_option,
    position_options,
    rules_options,
    saving_options,
    seed_option,
    show,
    threads_option,
)


@click.command("advise")
@partial(position_options, having_played=False)
@click.option("--deal", metavar="KNOWN", help="Unseen cards known besides, as 'partner: 7d; next: no aces; stock: Ad'.")
@click.option("--score", metavar="MINE-THEIRS", help="Score of the game before this hand, as 38-41.")
@click.option(
    "--aim", type=Choice("aim", ("points", "game")), default=None, show_default="game with --score, else points",
    help="What ranks the plays: points, or the chance to win the game.",
)  # fmt: skip
@click.option(
    "--record", type=click.Path(path_type=Path), metavar="FILE", help="A hand record, as of show --format json."
)
@click.option(
    "--hand", type=Count(0, 10**12), metavar="N",
    help="With --record: which hand of the file, from 0 (default: all; with --play the first).",
)  # fmt: skip
@click.option("--play", type=Count(1, 40), help="With --record: which play of the hand, from 1 (default: all).")
@click.option("--open", is_flag=True, help="All cards are known: the exact best line.")
@click.option("--ends", is_flag=True, help="How often you make cards, diamonds, settebello, primiera, grande then.")
@click.option("--hands", metavar="CARDS/CARDS...", help="With --open: all hands, yours first, then in order of play.")
@click.option("--policy", default="careful", show_default=True, metavar="NAME[,NAME...]", help="How all play on.")
@click.option("--samples", type=Count(2, 1 << 20), help="So many samples, whatever the time (of all plays: 1000).")
@click.option("--time", type=Positive(), default=5.0, show_default=True, help="Seconds, at most.")
@seed_option
@threads_option
@rules_options
@saving_options
@format_option
def command(form: str, lang: str | None, raw: bool, **asked: Any) -> None:
    """Judge every legal play: points, chance to win the game, risk of a sweep next, and why; the best first.

    Say what you see: --table, --holding (before you play), and --seen or --piles, the cards gone. Or name a play of a
    hand record (--record, --play): only what that player knew is used, or with --open everything. Without --play every
    play of the record is judged: what was thrown away, and what each side's margin is made of, luck and errors.

    The cards you do not see are dealt out as they may lie, again and again, and everybody plays on by --policy. It ends
    when the best play is told from all others, or with --time. The same --samples and --seed give the same advice.
    """
    from ..verbs.advise import advise

    show(advise(**asked), form, lang, raw)
