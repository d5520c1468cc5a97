"""``cirulla-sim combine``: files of one question added up."""

from __future__ import annotations

from pathlib import Path

import click

from .options import format_option, output_option, show


@click.command("combine")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@output_option("Write the whole table there.")
@click.option("--force", is_flag=True, help="Replace what is there already.")
@format_option
def command(files: tuple[Path, ...], output: Path | None, force: bool, form: str, lang: str | None, raw: bool) -> None:
    """Add up files of one question whose hands differ: the table of one run over all of them, in the same bytes.

    Of simulate, games (--win-table and --from too), compare and tournament, each made with another --first-hand or
    --first-game, interrupted ones too. Hands that no file holds are left out, which is said; a hand that is in two
    files, or a file of another question, is refused.
    """
    from ..verbs.files import combine

    show(combine(files, output=output, force=force), form, lang, raw)
