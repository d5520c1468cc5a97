"""``cirulla-sim warmup``: compile everything ahead of time."""

from __future__ import annotations

import click

from ..core.locale import language
from ..verbs.options import LANG
from .build import options


@click.command("warmup")
@options(LANG)
def command(lang: str) -> None:
    """Compile everything ahead of time, so that the first question of the day is answered at once."""
    from ..verbs.warmup import warm_up

    seconds, folder = warm_up()
    if folder is None:
        text = f"Compiled in {seconds:.1f} s; no cache folder can be written, so every start compiles again."
    else:
        text = f"Ready in {seconds:.1f} s; compiled code is kept in {folder}"
    click.echo(language(lang).message(text))
