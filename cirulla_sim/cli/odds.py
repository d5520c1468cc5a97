"""``cirulla-sim odds``: exact chances of dealt cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..errors import InputError
from ..rules import Rules, preset_of
from .options import Choice, chosen_rules, format_option, numbers, output_option, position_options, rules_options


@click.command("odds")
@click.argument("question", required=False)
@click.option(
    "--of",
    type=Choice("subject", ("holding", "table", "position")),
    help="holding (default), table, or position (in mid-hand).",
)
@click.option("--given", metavar="EXPRESSION", help="Only where this is true.")
@click.option("--by", metavar="EXPRESSION", help="Split the answer by the values of this.")
@click.option("--mean", metavar="EXPRESSION", help="The mean of this instead of a chance.")
@click.option("--list", "listed", is_flag=True, help="List what can be asked of --of.")
@position_options
@rules_options
@output_option("Write the table to a parquet file.")
@format_option
def command(
    question: str | None,
    of: str | None,
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
    **seen: Any,
) -> None:
    """Show exact chances of dealt cards: fractions, not estimates.

    Without a QUESTION: the bonuses of three cards held and of the table, and misdeals. A QUESTION is an expression over
    the features of three cards held or of four table cards, any of the pack, as "low and has_matta" or "sevens >= 2".

    In mid-hand, with --table and --holding: what the following players can do, as sweep or 'holds 7d' (--list --of
    position). Every way of dealing the cards you have not seen is equally likely.
    """
    from .. import odds, questions
    from ..tables import render, write

    rules = chosen_rules(base, players, houses, changes)
    asked = {"given": given, "by": by, "mean": mean}
    if of == "position" or any(value not in (None, ()) for value in seen.values()):
        _in_mid_hand(rules, preset_of(base), question, of, asked, seen, listed, output, form)
        return
    of = of or "holding"
    if listed:
        for name, sentence in questions.describe(of):
            click.echo(f"{name:<15} {sentence}")
        return
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


def _in_mid_hand(
    rules: Rules,
    preset: str,
    question: str | None,
    of: str | None,
    asked: dict[str, str | None],
    seen: dict[str, Any],
    listed: bool,
    output: Path | None,
    form: str,
) -> None:
    """Answer a question about a position."""
    from .. import odds, position
    from ..tables import render, write

    if listed:
        for name, sentence in position.QUESTIONS.items():
            click.echo(f"{name:<15} {sentence}")
        return
    for name, text in asked.items():
        if text is not None:
            raise InputError(f"--{name} {text!r} says nothing of a position (valid: with --of holding or --of table)")
    if of not in (None, "position"):
        raise InputError(f"--of {of!r} and a position clash (valid: --of position, or no --table, --holding, --seen)")
    for flag in ("table", "holding"):
        if seen[flag] is None:
            raise InputError(f"--{flag} is missing: a position needs --table and --holding (valid: cards, '' for none)")
    if question is None:
        raise InputError(f"no question about the position (valid: {', '.join(position.QUESTIONS)})")
    words = [question]
    for flag, value in seen.items():
        for item in value if isinstance(value, tuple) else () if value is None else (value,):
            words += [f"--{flag.replace('_', '-')}", str(item)]
    told = seen | {"held": numbers("--held", seen["held"]), "seen": seen["seen"] or ""}
    at = position.read(rules, **told)
    frame = position.answer(at, question)
    if output is not None:
        write(frame, output, odds.metadata(rules, preset, words))
        click.echo(f"Written: {output}", err=True)
    for line in position.remarks(at, question, assumed=seen["held"] is None and seen["seat"] is None):
        click.echo(line, err=True)
    click.echo(render(position.for_readers(frame, at) if form == "table" else frame, form))
