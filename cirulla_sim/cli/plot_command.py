"""``cirulla-sim plot``: a chart of a result file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..core.errors import InputError
from .options import output_option


@click.command("plot")
@click.argument("files", type=click.Path(path_type=Path), metavar="FILE...", nargs=-1, required=True)
@output_option("The chart, a .png, .svg or .pdf (default: FILE with the ending .png).", click.Path(path_type=Path))
@click.option("--figure", metavar="NAME", help="One of its figures, as listed above.")
@click.option("--lang", metavar="en|it", default="en", show_default=True, help="English or Italian.")
@click.option("--title", metavar="TEXT", help="Title (default: what the chart shows).")
@click.option("--subtitle", metavar="TEXT", help="Text under the title (default: rules, players, hands, seed).")
@click.option("--caption", metavar="TEXT", help="Text under the chart.")
@click.option("--no-footer", "footer", is_flag=True, flag_value=False, default=True, help="Leave out the command.")
@click.option(
    "--size", metavar="column|page|screen|phone", help="90 mm or 170 mm of print, 1080 or 390 px of a screen."
)
@click.option("--width", metavar="WIDTH", help="Width, from 90mm on, as 90mm, 3.6in, 7.2 (inches); the height follows.")
@click.option("--theme", metavar="light|dark|grey", default="light", show_default=True, help="Colours.")
@click.option("--axis", metavar="linear|log", default="linear", show_default=True, help="Of sizes of differences.")
@click.option("--dpi", metavar="N", help="Dots an inch of a png (default: 200; 300 in print, 192 on a screen).")
def command(files: tuple[Path, ...], output: Path | None, **asked: Any) -> None:
    """Draw a chart of FILE, a result file of simulate, odds, compare, games or tournament, or of a study.

    Several files of simulate, of games or of odds stand in one chart, a row each, called by what they differ in:
    policies, rules, players. Their figures are those of several --policy.

    Figures, the first of each unless --figure names another:

    \b
    simulate    overview, bonuses, points, scores, primiera
    odds        odds
    compare     overview, points, categories, margin, wins, spread, games,
                hands, leads, changed
    tournament  tournament, matrix, strength
    games       course, hands, winning_margin, lead_changes, comeback;
                of --win-table: chances; of --from: chance
    several --policy
                of simulate and games: strength, categories, margin, wins,
                points, games, hands, leads; of compare: overview, points,
                margin, wins, spread, games, hands, leads
    studies     luck, shares, games (luck and skill); aim; reliability; curve; answers

    Type is at least 7 pt, on screens 12 px. The same file gives the same chart, byte for byte.
    """
    from ..verbs.files import plot

    for file in files:
        if file.is_dir():
            raise InputError(f"{str(file)!r} is a folder (name a result file in it)")
    chart = output if output is not None else files[0].with_suffix(".png")
    plot(files, output=chart, **asked)
    click.echo(f"Written: {chart}", err=True)
