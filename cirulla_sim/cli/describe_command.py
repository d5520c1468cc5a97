"""``cirulla-sim describe``: what a result file shows, in sentences."""

from __future__ import annotations

import click

from .build import completed, verb_command


def run(file: str, lang: str) -> None:
    from ..reporting.result_files import read, showing

    result = read(file)
    with showing(file):
        text = result.describe(lang)
    click.echo(text)


command = verb_command(
    "describe",
    """Say in a few sentences what FILE shows, how precisely, for which players it holds, and what it does not show.

    Every number is the file's own.
    """,
    click.argument("file", metavar="FILE", shell_complete=completed("files")),
    run=run,
)
