"""``cirulla-sim table``: a result file as a table."""

from __future__ import annotations

from pathlib import Path

import click

from .options import format_option, only_option, show


@click.command("table")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@only_option
@format_option
def command(file: Path, only: str | None, form: str, lang: str | None, raw: bool) -> None:
    """Print FILE, a result file, as a table: as when it was made, or for readers in another format or language.

    markdown, latex (booktabs), html and csv have words, percent, "1 in n" and ± for intervals; --raw has all names and
    digits.
    """
    from ..verbs.files import read

    show(read(file, only=only), form, lang, raw)
