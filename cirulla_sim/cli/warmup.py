"""``cirulla-sim warmup``: compile everything ahead of time."""

from __future__ import annotations

import time

import click


@click.command("warmup")
def command() -> None:
    """Compile everything ahead of time, so that the first question of the day is answered at once."""
    start = time.perf_counter()
    # Importing a module compiles its entry points, or loads what was compiled before.
    from ..kernel.entries import (
        ask,  # noqa: F401
        careful,  # noqa: F401
        chain,  # noqa: F401
        deals,  # noqa: F401
        games,  # noqa: F401
        playouts,  # noqa: F401
        replays,  # noqa: F401
        run,  # noqa: F401
        search,  # noqa: F401
        solve,  # noqa: F401
    )
    from ..kernel.entries import open as cheat  # noqa: F401
    from ..kernel.jit import cache_folder

    seconds = time.perf_counter() - start
    folder = cache_folder()
    if folder is None:
        click.echo(f"Compiled in {seconds:.1f} s; no cache folder can be written, so every start compiles again.")
    else:
        click.echo(f"Ready in {seconds:.1f} s; compiled code is kept in {folder}")
