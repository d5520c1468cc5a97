"""``cirulla-sim combine``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .build import show, verb_command


def run(files: tuple[Path, ...], form: str, lang: str, raw: bool, all: bool, **arguments: Any) -> None:
    from ..verbs.combine import combine

    show(combine(files, **arguments), form, lang, raw, all)


command = verb_command(
    "combine",
    run,
    """Merge files of one request that hold different hands: the table of one run over all of them, byte for byte.

    They are files of simulate, games (also --win-table and --from), compare or tournament, each made with another
    --first-hand or --first-game, complete or interrupted. Hands that no file holds are left out, and a remark says
    which. A hand in two files, or a file of another request, is an error.
    """,
    click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."),
)
