"""``cirulla-sim plot``: a chart of a result file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..core.errors import InputError
from .build import completed, remark, verb_command


def run(files: tuple[str, ...], output: str | None, lang: str, **look: Any) -> None:
    from ..verbs.plot import files_of, plot

    for file in files:
        if Path(file).is_dir():
            raise InputError(f"{file!r} is a folder (name a result file in it)")
    target = Path(files[0]).with_suffix(".png") if output is None else Path(output)
    written = files_of(plot(files, output=target, lang=lang, **look), target)
    if len(written) > 1:
        remark(f"The chart does not fit on one sheet: {len(written)} files.", lang)
    for chart in written:
        remark(f"Written: {chart}", lang)


command = verb_command(
    "plot",
    """Draw a chart of FILE, a result file of simulate, odds, compare, games or tournament.

    The title is a finding of the figure, tested. A figure shows eight rows, those with the largest effects, and says
    how many others there are; --all shows every row, --rows those that you name. Several files of simulate, of games
    or of odds stand in one chart, called by what they differ in: policies, rules, players.

    Figures, the first that has something to show unless --figure names another:

    \b
    simulate    points, wins, bonuses, scores, primiera
    odds        odds
    compare     points, categories, margin, wins, spread, games, hands,
                leads, winners, changed; of nights: wins, ties, undefeated,
                hands, minutes, misdeals, cappotti
    tournament  strength, matrix
    games       wins, hands, winning_margin, lead_changes, comeback;
                of --win-table: we-deal, they-deal; of a score: chance
    several --policy
                of simulate and games: margin, wins, games, points,
                categories, hands, leads; of compare: points, margin, wins,
                spread, games, hands, leads

    A chart is at most 120 mm high in a column and 170 mm on a page; what does not fit becomes several files.
    Type is at least 7 pt, on screens 12 px. The same file gives the same chart, byte for byte.
    """,
    click.argument("files", metavar="FILE...", shell_complete=completed("files"), nargs=-1, required=True),
    run=run,
)
