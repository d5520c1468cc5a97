"""``cirulla-sim table``: a result file as a table."""

from __future__ import annotations

from typing import Any

import click

from .build import completed, verb_command


def run(file: str, only: str | None, form: str, **display: Any) -> None:
    from ..reporting.result import at_terminal
    from ..reporting.result_files import read, showing

    result = read(file, only=only)
    with showing(file):
        text = at_terminal(result, form, **display)
    click.echo(text)


command = verb_command(
    "table",
    """Print FILE, a result file, as a table: as when it was made, or in another format or language.

    markdown, latex (booktabs) and html have words, percent, "1 in n" and ± for intervals; csv has plain numbers for
    spreadsheets; --raw has the names and digits of the file.
    """,
    click.argument("file", metavar="FILE", shell_complete=completed("files")),
    run=run,
)
