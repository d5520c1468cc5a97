"""``cirulla-sim bench``: the speed of this machine."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..core.locale import language
from ..verbs.options import BENCH, LANG
from .build import options
from .examples import epilog


@click.command("bench", epilog=epilog("bench"))
@options(*BENCH, LANG)
def command(yardstick: Path | None, hands: int, form: str, lang: str) -> None:
    """Measure hands a second by policy, players and threads, in whole games too, dealing alone, and a first result.

    Times random is how many hands of random players, as many and on as many threads, take as long as one of these, or
    as one playout: what search plays on from a play in one deal of the unseen cards.
    Slow policies play fewer hands a measurement. JSON gives nanoseconds a hand, the table microseconds.
    """
    import platform

    import polars as pl

    from ..reporting.text.formats import render
    from ..verbs.bench import for_readers, measure

    def say(text: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r{language(lang).message(text, 'bench'):<70}", nl=False, err=True)

    rows = measure(yardstick, hands, say)
    say("\r")
    click.echo(
        render(for_readers(rows, lang) if form == "table" else pl.DataFrame(rows, infer_schema_length=None), form)
    )
    click.echo(f"{platform.machine()}, Python {platform.python_version()}, {_processor()}", err=True)


def _processor() -> str:
    import os
    import platform

    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
        name = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor() or "unknown processor"
    return f"{name}, {os.cpu_count()} cores"
