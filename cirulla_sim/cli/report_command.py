"""``cirulla-sim report``: a small site of many results."""

from __future__ import annotations

from typing import Any

import click

from .build import completed, remark, verb_command


def run(files: tuple[str, ...], lang: str, **values: Any) -> None:
    from ..verbs.report import report

    remark(f"Written: {report(files, lang=lang, **values)}", lang)


command = verb_command(
    "report",
    """Write a folder of pages on result files: findings, charts, tables that sort, a glossary, how to reproduce them.

    The pages require no server and no network. They are in English and Italian, light and dark, for screens, phones and
    print. House rules that compare measured can be chosen from.
    """,
    click.argument("files", metavar="FILE...", shell_complete=completed("files"), nargs=-1, required=True),
    run=run,
)
