"""``cirulla-sim games``: whole games, and the chance to win from any score."""

from __future__ import annotations

from typing import Any

import click

from ..core.errors import InputError
from .options import (
    Choice,
    Count,
    deal_option,
    engine_option,
    first_option,
    format_option,
    keeping_options,
    line_ups_option,
    only_option,
    precision_options,
    rules_options,
    seed_option,
    show,
    threads_option,
)


@click.command("games")
@rules_options
@line_ups_option
@click.option(
    "--aim", type=Choice("aim", ("points", "game")), default="points", show_default=True,
    help="What careful, search and open maximise: points, or the chance to win; a side's own is told as search+game.",
)  # fmt: skip
@click.option("--games", type=Count(1, 10**12), show_default="100K", help="Games to play, at most.")
@first_option("game")
@deal_option
@seed_option
@threads_option
@engine_option
@precision_options("wins_game", "Stop when the 95% half-width is X or less.", "What the precision is of.")
@only_option
@click.option("--from", "from_", metavar="US-THEM", help="The chance to win from a score, as 38-41; ours first.")
@click.option("--dealer", show_default="us", metavar="us|them", help="With --from: who deals next.")
@click.option("--check", type=Count(1, 10**9), metavar="N", help="With --from: play so many games on from there too.")
@click.option("--win-table", is_flag=True, help="The chance to win from every score; needs -o.")
@click.option(
    "--hands", type=Count(1, 10**9), show_default="1M",
    help="With --from and --win-table: hands to measure points by.",
)  # fmt: skip
@first_option("hand", "--from and --win-table")
@keeping_options
@format_option
def command(form: str, lang: str | None, raw: bool, **asked: Any) -> None:
    """Play whole games and measure who wins, hands a game, lead changes, comebacks and margins, with 95% intervals.

    Sides are told by the first dealer. The table on the screen leaves out distributions; the file of -o, the other
    formats and --only hold every row.

    --from answers one question: the chance to win from a score. It and --win-table solve for the chances from the
    points that simulated hands bring; there --policy names one for both, or ours and theirs. Between more than two
    sides, who sit in the order of the scores, and in knock-outs, --from plays --games games out.
    """
    from ..verbs.games import games

    if asked["win_table"] and asked["output"] is None and asked["from_"] is None:
        raise InputError("--win-table needs a file to write to (give -o FILE.parquet)")
    show(games(**asked), form, lang, raw)
