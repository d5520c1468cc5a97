"""``cirulla-sim combine``."""

from __future__ import annotations

from pathlib import Path

import click

from .build import verb_command

command = verb_command(
    "combine",
    """Merge files of one request that hold different hands: the table of one run over all of them, byte for byte.

    They are files of simulate, games (also --win-table and a score), compare or tournament, each made with another
    --first-hand or --first-game, complete or interrupted. Hands that no file holds are left out, and a remark says
    which. A hand in two files, or a file of another request, is an error.
    """,
    click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE..."),
)
