"""``cirulla-sim warmup``: compile everything ahead of time."""

from __future__ import annotations

import click

from ..core.locale import language
from ..verbs.options import LANG, VERBOSE
from .build import log_to_stderr, options
from .examples import epilog


@click.command("warmup", epilog=epilog("warmup"))
@options(LANG, VERBOSE)
def command(lang: str, verbose: bool) -> None:
    """Compile everything ahead of time, so that the first question of the day is answered at once."""
    from ..verbs.warmup import warm_up

    if verbose:
        log_to_stderr()
    seconds, folder = warm_up()
    if folder is None:
        text = f"Compiled in {seconds:.1f} s; no cache folder can be written, so every start compiles again."
    else:
        text = f"Ready in {seconds:.1f} s; compiled code is kept in {folder}"
    click.echo(language(lang).message(text))
