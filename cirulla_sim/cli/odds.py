"""``cirulla-sim odds``: exact chances of the first deal."""

from __future__ import annotations

from pathlib import Path

import click

from ..rules import preset_of
from .options import chosen_rules, format_option, output_option, rules_options


@click.command("odds")
@rules_options
@output_option("Write the table to a parquet file.")
@format_option
def command(
    base: str,
    players: int | None,
    houses: tuple[str, ...],
    changes: tuple[str, ...],
    output: Path | None,
    form: str,
) -> None:
    """Show the exact chances of the first deal: bonuses of three cards held and of the table, misdeals.

    Every number is a count over all holdings of three cards or all tables of four: a fraction, not an estimate.
    """
    from .. import odds
    from ..tables import render, write

    rules = chosen_rules(base, players, houses, changes)
    frame = odds.first_deal(rules)
    if output is not None:
        write(frame, output, odds.metadata(rules, preset_of(base)))
        click.echo(f"Written: {output}", err=True)
    if frame.is_empty():
        click.echo("Under these rules the first deal brings no bonus and no misdeal.", err=True)
    click.echo(render(odds.for_readers(frame) if form == "table" else frame, form))
