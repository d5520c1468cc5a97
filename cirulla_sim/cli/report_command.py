"""``cirulla-sim report``: one page of many results."""

from __future__ import annotations

import click

from .build import note, verb_command


def run(files: tuple[str, ...], output: str, title: str | None) -> None:
    from ..verbs.report import report

    note(f"Written: {report(files, output=output, title=title)}")


command = verb_command(
    "report",
    """Write one page of result files: charts, tables that sort, for whom they hold and how to make them again.

    In English and Italian, light and dark, for narrow and wide windows and for print; it requires no other file.
    House rules that compare measured for several line-ups (--policy repeated) can be chosen from.
    """,
    click.argument("files", metavar="FILE...", nargs=-1, required=True),
    run=run,
)
