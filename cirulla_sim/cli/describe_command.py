"""``cirulla-sim describe``: what a result file shows, in sentences."""

from __future__ import annotations

from pathlib import Path

import click

from .options import lang_option


@click.command("describe")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@lang_option
def command(file: Path, lang: str | None) -> None:
    """Say in a few sentences what FILE shows, how surely, for which players it holds, and what it does not show.

    Every number is the file's own.
    """
    from ..verbs.files import read

    click.echo(read(file).describe(lang or "en"))
