"""``cirulla-sim plot``: a chart of a result file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..core.errors import InputError
from .build import note, verb_command


def run(files: tuple[str, ...], output: str | None, **look: Any) -> None:
    from ..verbs.plot import plot

    for file in files:
        if Path(file).is_dir():
            raise InputError(f"{file!r} is a folder (name a result file in it)")
    chart = Path(files[0]).with_suffix(".png") if output is None else Path(output)
    plot(files, output=chart, **look)
    note(f"Written: {chart}")


command = verb_command(
    "plot",
    """Draw a chart of FILE, a result file of simulate, odds, compare, games or tournament.

    Several files of simulate, of games or of odds stand in one chart, a row each, called by what they differ in:
    policies, rules, players. Their figures are those of several --policy.

    Figures, the first of each unless --figure names another:

    \b
    simulate    overview, bonuses, points, scores, primiera
    odds        odds
    compare     overview, points, categories, margin, wins, spread, games,
                hands, leads, changed; of nights: overview, wins, ties,
                undefeated, hands, minutes, misdeals, cappotti
    tournament  tournament, matrix, strength
    games       course, hands, winning_margin, lead_changes, comeback;
                of --win-table: chances; of a score: chance
    several --policy
                of simulate and games: strength, categories, margin, wins,
                points, games, hands, leads; of compare: overview, points,
                margin, wins, spread, games, hands, leads

    Type is at least 7 pt, on screens 12 px. The same file gives the same chart, byte for byte.
    """,
    click.argument("files", metavar="FILE...", nargs=-1, required=True),
    run=run,
)
