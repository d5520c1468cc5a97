"""``cirulla-sim odds``: exact chances of dealt cards, and simulated ones where there is too much to count."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError
from ..rules import Rules, preset_of
from .options import (
    Choice,
    Count,
    chosen_rules,
    format_option,
    numbers,
    output_option,
    position_options,
    rules_options,
    seed_option,
    threads_option,
)

if TYPE_CHECKING:
    from ..odds import Question, Subject

_SUBJECTS = ("holding", "table", "first-deal", "deal", "piles", "position")
_DEALS = Count(1, 10**10)


@click.command("odds")
@click.argument("question", required=False)
@click.option(
    "--of",
    type=Choice("subject", _SUBJECTS),
    help="holding (default), table, first-deal (both, misdeals too), deal (a whole one, played), piles, position.",
)
@click.option("--given", metavar="EXPRESSION", help="Only where this is true.")
@click.option("--by", metavar="EXPRESSION", help="Split the answer by the values of this.")
@click.option("--mean", metavar="EXPRESSION", help="The mean of this instead of a chance.")
@click.option("--list", "listed", is_flag=True, help="List what can be asked of --of.")
@click.option("--cards", type=Count(3, 10), default=3, show_default=True, help="Cards of a holding, for --of holding.")
@click.option("--sizes", metavar="N,N", help="Cards of one's pile and of the other's, for --of piles (default: 20,20).")
@click.option("--policy", metavar="NAME[,NAME]", help="Piles as these policies play, not as chance would have them.")
@click.option("--check", type=_DEALS, metavar="N", help="Put the question to N simulated deals too, and compare.")
@click.option(
    "--hands", type=_DEALS, default=1_000_000, show_default="1M", help="Deals for a question that cannot be counted."
)
@seed_option
@threads_option
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
    cards: int,
    sizes: str | None,
    policy: str | None,
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
    **seen: Any,
) -> None:
    """Show exact chances of dealt cards: fractions, not estimates.

    Without a QUESTION: the bonuses of three cards held and of the table, and misdeals. A QUESTION is an expression over
    the features of --of, as "low and has_matta", "sevens >= 2" or, of a deal, "knocks = 0". What is too much to count
    is simulated, and shown with its interval.

    In mid-hand, with --table and --holding: what the following players can do, as sweep or 'holds 7d' (--list --of
    position). Every way of dealing the cards you have not seen is equally likely.
    """
    from ..kept import render, write
    from ..odds import first_deal as odds
    from ..odds import midhand as position
    from ..odds import questions, readers

    rules = chosen_rules(base, players, houses, changes)
    asked: dict[str, Any] = {"given": given, "by": by, "mean": mean}
    chosen = {"cards": None if cards == 3 else cards, "sizes": sizes, "policy": policy}
    if of == "position" or any(value not in (None, ()) for value in seen.values()):
        asked |= chosen
        _in_mid_hand(rules, preset_of(base), question, of, asked, seen, listed, (check, seed, threads), output, form)
        return
    if of == "table" and not rules.table_cards:
        raise InputError("--of 'table': no cards are laid on the table under these rules (valid: with table_cards 4)")
    subject, more = _subject(of or "holding", cards, sizes, policy)
    if listed:
        for name, sentence in questions.describe(rules, subject):
            click.echo(f"{name:<24} {sentence}")
        return
    words: list[str] = []
    dealt: int | None = None
    if question is None and by is None and mean is None:
        for flag, value in ({"given": given, "check": check} | chosen | {"of": of}).items():
            if value is not None:
                raise InputError(f"--{flag} '{value}' needs a question (valid: odds QUESTION --{flag} {value})")
        frame = odds.first_deal(rules)
        printed = readers.for_readers(frame)
    else:
        if question is not None and position.is_question(question) and question not in subject.features(rules):
            raise InputError(f"{question!r} is asked in mid-hand: say what lies on the table and what you hold "
                             f"(valid: odds {shlex.quote(question)} --table '3c 5d' --holding '7d Ks 2h')")  # fmt: skip
        full = questions.Question(question, of or "holding", given, by, mean)
        frame, dealt, how = _answer(rules, full, subject, check, hands, seed, threads)
        words = odds.question_words(full, [*more, *how])
        printed = readers.answers_for_readers(frame)
    if output is not None:
        write(frame, output, odds.metadata(rules, preset_of(base), words, dealt, seed if dealt else None))
        click.echo(f"Written: {output}", err=True)
    if frame.is_empty():
        click.echo("Under these rules the first deal brings no bonus and no misdeal.", err=True)
    elif rules.big_holdings and of in (None, "holding") and cards == 3:
        click.echo("These are the chances of any three cards of the pack (larger holdings: --cards 9).", err=True)
    click.echo(render(printed if form == "table" else frame, form))


def _subject(of: str, cards: int, sizes: str | None, policy: str | None) -> tuple[Subject, list[str]]:
    """What is asked of, and the words of the command that say so beside ``--of``."""
    from ..odds import played_piles, subjects

    if sizes is not None and of != "piles":
        raise InputError(f"--sizes {sizes!r} says nothing of a {of} (valid: with --of piles)")
    if policy is not None and of != "piles":
        raise InputError(f"--policy {policy!r} says nothing of a {of} (valid: with --of piles)")
    if cards != 3 and of != "holding":
        raise InputError(f"--cards '{cards}' says nothing of a {of} (valid: with --of holding)")
    if policy is not None:
        if sizes is not None:
            raise InputError(f"--sizes {sizes!r} and --policy {policy!r} clash: play decides the sizes (give one)")
        return played_piles.PlayedPiles(tuple(policy.split(","))), ["--policy", policy]
    if sizes is not None:
        parts = numbers("--sizes", sizes)
        if len(parts) != 2 or sum(parts) > 40:
            raise InputError(f"--sizes {sizes!r} is not valid (valid: two numbers that add up to 40 or less, as 22,18)")
        return played_piles.RandomPiles((parts[0], parts[1])), ["--sizes", sizes]
    if cards != 3:
        return subjects.LargeHolding(cards), ["--cards", str(cards)]
    return subjects.SUBJECTS[of], []


def _answer(
    rules: Rules, question: Question, subject: Subject, check: int | None, hands: int, seed: int, threads: int | None
) -> tuple[Any, int | None, list[str]]:
    """The answer, how many deals were simulated for it, and the words of the command that say so."""
    from ..odds import questions

    exact = questions.exact(rules, question, subject)
    if exact is not None and check is None:
        return exact, None, []
    dealt = check or hands
    simulated = questions.simulated(rules, question, dealt, seed, threads, subject)
    if exact is not None:
        return questions.checked(exact, simulated), dealt, ["--check", str(dealt), "--seed", str(seed)]
    click.echo(f"Not counted: an estimate from {dealt:_} simulated deals.", err=True)
    return simulated, dealt, ["--hands", str(dealt), "--seed", str(seed)]


def _in_mid_hand(
    rules: Rules,
    preset: str,
    question: str | None,
    of: str | None,
    asked: dict[str, Any],
    seen: dict[str, Any],
    listed: bool,
    simulate: tuple[int | None, int, int | None],
    output: Path | None,
    form: str,
) -> None:
    """Answer a question about a position; ``simulate`` is how many deals check it, their seed and the threads."""
    from ..kept import render, write
    from ..odds import first_deal as odds
    from ..odds import midhand as position
    from ..odds import questions
    from ..odds.position import read

    if listed:
        for name, sentence in position.QUESTIONS.items():
            click.echo(f"{name:<15} {sentence}")
        return
    for name, text in asked.items():
        if text is not None:
            raise InputError(
                f"--{name} {str(text)!r} says nothing of a position (valid: with --of holding or --of table)"
            )
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
    at = read(rules, **told)
    frame = position.answer(at, question)
    check, seed, threads = simulate
    if check is not None:
        frame = questions.checked(frame, position.simulated(at, question, check, seed, threads))
        words += ["--check", str(check), "--seed", str(seed)]
    if output is not None:
        write(frame, output, odds.metadata(rules, preset, words, check, seed if check else None))
        click.echo(f"Written: {output}", err=True)
    for line in position.remarks(at, question, assumed=seen["held"] is None and seen["seat"] is None):
        click.echo(line, err=True)
    click.echo(render(position.for_readers(frame, at) if form == "table" else frame, form))
