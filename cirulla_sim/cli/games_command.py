"""``cirulla-sim games``: whole games, and the chance to win from a score."""

from __future__ import annotations

from typing import Any

from ..core.errors import InputError
from .build import show, verb_command


def run(form: str, lang: str, raw: bool, all: bool, **arguments: Any) -> None:
    from ..verbs.games import games

    if arguments["win_table"] and arguments["output"] is None:
        raise InputError("--win-table requires a file to write to (add -o FILE.parquet)")
    show(games(**arguments), form, lang=lang, raw=raw, all=all)


command = verb_command(
    "games",
    """Play whole games and measure who wins, hands a game, lead changes, comebacks and margins, with 95% intervals.

    Sides are named by the first dealer. The terminal leaves out distributions; --all shows every row, and the file of
    -o has them all.

    A score, as --at 'score: 38-41', asks for our chance to win from there. It and --win-table solve for the chances
    from the points of simulated hands; --policy names the sides there, as 'us=search, them=careful'. Between more than
    two sides, whose scores come in the order of play, and in knock-outs, --games games are played out from the score.
    """,
    run=run,
)
