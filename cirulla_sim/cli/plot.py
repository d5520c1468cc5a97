"""``cirulla-sim plot``: a chart of a result file."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import InputError
from .options import output_option


@click.command("plot")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@output_option("The chart, a .png, .svg or .pdf (default: FILE with the ending .png).", click.Path(path_type=Path))
@click.option("--figure", metavar="NAME", help="One of its figures; a name it does not have lists them.")
@click.option("--width", metavar="INCHES", help="Width on paper; the height follows.")
def command(file: Path, output: Path | None, figure: str | None, width: str | None) -> None:
    """Draw a chart of FILE, a result file of simulate, odds, compare, games or tournament, or of a study.

    Figures of simulate: overview (default), bonuses, points, scores, primiera; of odds: odds; of compare: overview
    (default), points, categories, margin, wins, spread, changed.

    The same file gives the same chart, byte for byte.
    """
    from ..files import plot

    if file.is_dir():
        raise InputError(f"{str(file)!r} is a folder (name a result file in it)")
    chart = output if output is not None else file.with_suffix(".png")
    plot(file, output=chart, figure=figure, width=width)
    click.echo(f"Written: {chart}", err=True)
