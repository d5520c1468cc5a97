"""``cirulla-sim odds``: exact chances of dealt cards, and simulated ones where there is too much to count."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import InputError
from ..rules import preset_of
from .options import (
    Choice,
    Count,
    chosen_rules,
    format_option,
    output_option,
    rules_options,
    seed_option,
    threads_option,
)

_SUBJECTS = ("holding", "table", "first-deal", "deal")
_DEALS = Count(1, 10**10)


@click.command("odds")
@click.argument("question", required=False)
@click.option(
    "--of",
    type=Choice("subject", _SUBJECTS),
    default="holding",
    show_default=True,
    help="holding (three cards), table (four), first-deal (both, misdeals too), deal (a whole deal, to be played).",
)
@click.option("--given", metavar="EXPRESSION", help="Only where this is true.")
@click.option("--by", metavar="EXPRESSION", help="Split the answer by the values of this.")
@click.option("--mean", metavar="EXPRESSION", help="The mean of this instead of a chance.")
@click.option("--list", "listed", is_flag=True, help="List what can be asked of --of.")
@click.option("--check", type=_DEALS, metavar="N", help="Put the question to N simulated deals too, and compare.")
@click.option(
    "--hands", type=_DEALS, default=1_000_000, show_default="1M", help="Deals for a question that cannot be counted."
)
@seed_option
@threads_option
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
    check: int | None,
    hands: int,
    seed: int,
    threads: int | None,
    base: str,
    players: int | None,
    houses: tuple[str, ...],
    changes: tuple[str, ...],
    output: Path | None,
    form: str,
) -> None:
    """Show exact chances of dealt cards: fractions, not estimates.

    Without a QUESTION: the bonuses of three cards held and of the table, and misdeals. A QUESTION is an expression over
    the features of --of, as "low and has_matta", "sevens >= 2" or, of a deal, "knocks = 0". What is too much to count
    is simulated, and shown with its interval.
    """
    from .. import odds, questions
    from ..tables import render, write

    rules = chosen_rules(base, players, houses, changes)
    if listed:
        for name, sentence in questions.describe(rules, of):
            click.echo(f"{name:<24} {sentence}")
        return
    asked = questions.Question(question, of, given, by, mean)
    words: list[str] = []
    dealt: int | None = None
    if question is None and by is None and mean is None:
        if given is not None or check is not None:
            flag, value = ("--given", given) if given is not None else ("--check", check)
            raise InputError(f"{flag} '{value}' needs a question (valid: odds QUESTION {flag} ...)")
        frame = odds.first_deal(rules)
        printed = odds.for_readers(frame)
    else:
        exact = questions.exact(rules, asked)
        dealt = check if exact is not None else check or hands
        simulated = questions.simulated(rules, asked, dealt, seed, threads) if dealt else None
        words = odds.question_words(asked)
        if exact is None:
            assert simulated is not None
            frame = simulated
            words += ["--hands", str(dealt), "--seed", str(seed)]
            click.echo(f"Too many cases to count: an estimate from {dealt:_} simulated deals.", err=True)
        elif simulated is None:
            frame = exact
        else:
            frame = questions.checked(exact, simulated)
            words += ["--check", str(check), "--seed", str(seed)]
        printed = odds.answers_for_readers(frame)
    if output is not None:
        write(frame, output, odds.metadata(rules, preset_of(base), words, dealt, seed if dealt else None))
        click.echo(f"Written: {output}", err=True)
    if frame.is_empty():
        click.echo("Under these rules the first deal brings no bonus and no misdeal.", err=True)
    elif rules.big_holdings and of == "holding":
        click.echo("Out of larger holdings: these are the chances of any three cards of the pack.", err=True)
    click.echo(render(printed if form == "table" else frame, form))
