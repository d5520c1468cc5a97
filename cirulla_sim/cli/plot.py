"""``cirulla-sim plot``: a chart of a result file."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import InputError, unknown
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
    from .. import figures
    from ..figures.style import known_suffix
    from ..kept import read

    chart = output if output is not None else file.with_suffix(".png")
    known_suffix(chart, where="-o ")
    inches = _inches(width) if width is not None else None
    frame, metadata = read(file)
    try:
        names = figures.names(metadata)
    except InputError as error:
        raise InputError(f"{str(file)!r}: {error}") from None
    if figure is not None and figure not in names:
        raise unknown("figure", figure, names, where="--figure: ")
    if chart.exists() and chart.samefile(file):
        raise InputError(f"-o {str(chart)!r} is the file to draw itself (name another file)")
    try:
        drawn = figures.draw(frame, metadata, figure, inches)
    except InputError as error:
        where = "--figure" if figure is not None else repr(str(file))
        raise InputError(f"{where}: {error}") from None
    try:
        figures.save(drawn, chart)
    except InputError as error:
        raise InputError(f"-o {error}") from None
    click.echo(f"Written: {chart}", err=True)


def _inches(width: str) -> float:
    from ..figures.page import NARROWEST, WIDEST

    valid = f"(valid: inches from {NARROWEST:g} to {WIDEST:g}, as 7.2)"
    try:
        inches = float(width)
    except ValueError:
        raise InputError(f"--width {width!r} is not a number {valid}") from None
    if not NARROWEST <= inches <= WIDEST:
        raise InputError(f"--width {width!r} is out of range {valid}")
    return inches
