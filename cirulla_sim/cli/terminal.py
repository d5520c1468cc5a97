"""A game at the terminal: cards in the colours of their suits, answers from the keyboard."""

from __future__ import annotations

import os
import re
import sys

import click

COLOURS = {"h": "red", "d": "blue", "c": "green", "s": None}
"""By suit, as in a pack of four colours; spades are as the terminal writes."""


def write(line: str) -> None:
    """Print a line, in colour where the output is a terminal and the environment does not refuse colours."""
    terminal = sys.stdout is not None and sys.stdout.isatty()  # None where it is closed
    plain = not terminal or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    click.echo(line if plain else coloured(line))


def coloured(line: str) -> str:
    """A line with its cards in the colours of their suits, and the numbers of choices and a scopa in bold.

    >>> coloured("   1  7d takes Ah")
    '\\x1b[1m   1\\x1b[0m  \\x1b[34m7d\\x1b[0m takes \\x1b[31mAh\\x1b[0m'
    """
    line = re.sub(r"\b[A2-7JQK]([hdcs])\b", lambda card: click.style(card[0], fg=COLOURS[card[1]]), line)
    line = re.sub(r"^ +[0-9]+(?=  )|scopa!", lambda part: click.style(part[0], bold=True), line)
    return click.style(line, bold=True) if re.match(r"(Hand|Stage|Smazzata|Distribuzione) [0-9]+( ·|$)", line) else line


def answer(prompt: str) -> str | None:
    """What a person answers to a prompt; None at the end of the input, or where there is none."""
    if sys.stdin is None:
        return None
    try:
        if sys.stdout is None or sys.stderr is None:  # closed: ``input`` requires both
            return sys.stdin.readline().strip() or None
        return input(prompt).strip()
    except EOFError:
        click.echo()
        return None
