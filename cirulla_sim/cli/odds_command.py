"""``cirulla-sim odds``."""

from __future__ import annotations

from typing import Any

import click

from .build import completed, show, verb_command


def run(listed: bool, form: str, lang: str, raw: bool, all: bool, **arguments: Any) -> None:
    if listed:
        click.echo(listing(" ".join(arguments["question"]), lang))
        return
    from ..verbs.odds import odds

    show(odds(**arguments), form, lang=lang, raw=raw, all=all)


def listing(word: str, lang: str) -> str:
    """The functions in which a word occurs, by group, with an example and a sentence each.

    >>> print(listing("whether nobody wins", "en"))
    A game
    ties_game                           whether nobody wins the game (patta_partita)
    """
    from textwrap import fill

    from ..core.errors import InputError
    from ..questions.vocabulary import ARGUMENTS, listed, nearest

    found = listed(word, italian=lang == "it")
    texts = list(ARGUMENTS.items())[4:] if lang == "it" else list(ARGUMENTS.items())[:4]
    lines = [
        fill(f"{name + ':':<11} {text}", 120, subsequent_indent=" " * 12)
        for name, text in texts if word.lower() in text
    ]  # fmt: skip
    if not found and not lines:
        near = nearest(word)
        hint = f": did you mean {near[0]!r}?" if near else ""
        raise InputError(f"--list {word[:60]!r}: no function with this word{hint} (valid: odds --list)")
    for group, functions in found.items():
        lines += ["", group] if lines else [group]
        for function in functions:
            about, other = (function.it, function.name) if lang == "it" else (function.about, function.italian)
            lines.append(fill(f"{function.example:<35} {about} ({other})", 120, subsequent_indent=" " * 36))
    return "\n".join(lines)


command = verb_command(
    "odds",
    """Answer questions about cards dealt, hands played and games: exactly where that can be counted.

    A QUESTION is an expression of functions of who, when and with what, in English or Italian: barsega,
    "sevens >= 2", "sweeps(dealer, stage 2) > 0", "mean(points(us, primiera))", "max(points(us))", "wins(us) given
    barsega(me)". --list shows the functions, --list WORD those in which a word occurs. Several questions share the same
    hands. Without a QUESTION: the bonuses of three cards held and of the table, and misdeals.

    What you ask decides what is counted or simulated: cards held, a deal, a hand or a game played by --policy. The last
    line of the answer says which. What is too much to count is simulated, and shown with its interval.

    --at says what you know: cards of a deal, or a position in mid-hand. There you ask what the other players can do,
    as "can_sweep(next)", "holds(next, 7d)", or how the hand ends, as "wins(us)". Players are me, next, partner,
    previous, or first, second, third, dealer; --me says where you sit.
    """,
    click.argument("question", nargs=-1, shell_complete=completed("questions")),
    click.option("--list", "listed", is_flag=True, help="List the functions; with a word, those in which it occurs."),
    run=run,
)
