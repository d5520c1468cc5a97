"""``cirulla-sim odds``: exact chances of dealt cards."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import InputError
from ..rules import preset_of
from .options import Choice, chosen_rules, format_option, output_option, rules_options


@click.command("odds")
@click.argument("question", required=False)
@click.option(
    "--of", type=Choice("subject", ("holding", "table")), default="holding", help="holding (default) or table."
)
@click.option("--given", metavar="EXPRESSION", help="Only where this is true.")
@click.option("--by", metavar="EXPRESSION", help="Split the answer by the values of this.")
@click.option("--mean", metavar="EXPRESSION", help="The mean of this instead of a chance.")
@click.option("--list", "listed", is_flag=True, help="List what can be asked of --of.")
@rules_options
@output_option("Write the table to a parquet file.")
@format_option
def command(
    question: str | None,
    of: str,
    given: str | None,
    by: str | None,
    mean: str | None,
    listed: bool,
    base: str,
    players: int | None,
    houses: tuple[str, ...],
    changes: tuple[str, ...],
    output: Path | None,
    form: str,
) -> None:
    """Show exact chances of dealt cards: fractions, not estimates.

    Without a QUESTION: the bonuses of three cards held and of the table, and misdeals. A QUESTION is an expression over
    the features of three cards held or of four table cards, any of the pack, as "low and has_matta" or "sevens >= 2".
    """
    from .. import odds, questions
    from ..tables import render, write

    rules = chosen_rules(base, players, houses, changes)
    if listed:
        for name, sentence in questions.describe(of):
            click.echo(f"{name:<15} {sentence}")
        return
    asked = {"given": given, "by": by, "mean": mean}
    if question is None and by is None and mean is None:
        if given is not None:
            raise InputError(f"--given {given!r} needs a question (valid: odds QUESTION --given EXPRESSION)")
        frame = odds.first_deal(rules)
        printed = odds.for_readers(frame)
    else:
        frame = questions.ask(rules, question, of, **asked)
        printed = odds.answers_for_readers(frame)
    if output is not None:
        words = odds.question_words(question, of, asked)
        write(frame, output, odds.metadata(rules, preset_of(base), words))
        click.echo(f"Written: {output}", err=True)
    if frame.is_empty():
        click.echo("Under these rules the first deal brings no bonus and no misdeal.", err=True)
    elif rules.big_holdings and of == "holding":
        click.echo("Out of larger holdings: these are the chances of any three cards of the pack.", err=True)
    click.echo(render(printed if form == "table" else frame, form))
