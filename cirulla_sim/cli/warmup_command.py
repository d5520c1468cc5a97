"""``cirulla-sim warmup``: compile everything ahead of time."""

from __future__ import annotations

import click


@click.command("warmup")
def command() -> None:
    """Compile everything ahead of time, so that the first question of the day is answered at once."""
    from ..verbs.warmup import warm_up

    seconds, folder = warm_up()
    if folder is None:
        click.echo(f"Compiled in {seconds:.1f} s; no cache folder can be written, so every start compiles again.")
    else:
        click.echo(f"Ready in {seconds:.1f} s; compiled code is kept in {folder}")
