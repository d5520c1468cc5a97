"""Options of version 0.1 that are part of ``--at`` or of a question now: what was typed, in the new spelling."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from ..situation.people import ABSOLUTE

_FOLLOWING = {2: ("next",), 3: ("next", "previous"), 4: ("next", "partner", "previous")}


def _counts(value: str, players: int) -> str:
    names, numbers = _FOLLOWING[players], value.split(",")
    numbers = numbers * len(names) if len(numbers) == 1 else numbers
    return "cards: " + ", ".join(f"{name} {n.strip()}" for name, n in zip(names, numbers, strict=False))


def _shown(value: str, players: int) -> str:
    who, _, cards = value.partition(":")
    place = who.strip()
    names = _FOLLOWING[players]
    name = names[int(place) - 1] if place.isdecimal() and 1 <= int(place[:9]) <= len(names) else "me"
    return f"shown {name}: {cards.strip()}"


def _seat(value: str, players: int) -> str:
    number = int(value[:9]) if value.isdecimal() else 1
    return f"i am: {'dealer' if number >= players else ABSOLUTE[max(number, 1) - 1]}"


def _piles(value: str, players: int) -> str:
    parts = [part.partition(":") for part in value.split(";")]
    names = {"mine": "us", "theirs": "them"}
    return "; ".join(f"captured {names.get(who.strip(), who.strip())}: {cards.strip()}" for who, _, cards in parts)


def _deal(value: str, players: int) -> str:
    """Seats by name, and a table that leaves cards open."""
    named = re.sub(r"\bseat\s*(\d)", lambda m: "dealer" if int(m[1]) + 1 >= players else ABSOLUTE[int(m[1])], value)
    named = re.sub(r"\b(table|tavola|tavolo|terra):([^;.]*)(?=;|$)", lambda m: f"{m[1]}:{m[2].rstrip()} ..", named)
    return f"{named}; i am: dealer"


def _named(clause: str) -> Callable[[str, int], str]:
    return lambda value, players: f"{clause}: {value}"


REPLACED: dict[str, Callable[[str, int], str]] = {
    "--deal": _deal, "--table": _named("table"), "--holding": _named("me"),
    "--seen": _named("gone"), "--held": _counts, "--seat": _seat, "--shown": _shown, "--matta-as": _named("matta"),
    "--piles": _piles, "--stage": _named("stage"), "--points": _named("points"), "--score": _named("score"),
    "--from": _named("score"), "--dealer": lambda value, players: f"i am: {'first' if value == 'them' else 'dealer'}",
}  # fmt: skip
"""The clause of each option, given its value and the number of players."""


def new_spelling(words: Sequence[str]) -> str:
    """The situation that options of version 0.1 among the words of a command described; empty if there are none.

    >>> new_spelling(["odds", "sweep", "--table", "3c 5d", "--holding=7d Ks", "--seat", "1"])
    'table: 3c 5d; me: 7d Ks; i am: first; to play: next'
    """
    typed = [part for word in words for part in (word.split("=", 1) if word.startswith("--") else [word])]
    given = [(name, value) for name, value in pairwise(typed)]
    players = next((int(value) for name, value in given if name == "--players" and value in ("2", "3", "4")), 4)
    clauses = [REPLACED[name](value, players) for name, value in given if name in REPLACED]
    if "odds" in typed[:1] and "--table" in typed:
        clauses.append("to play: next")
    return "; ".join(clauses)


QUESTIONS = {
    "--of": "odds 'sweeps(us)'", "--mean": "odds 'mean(margin(us))'", "--quantiles": "odds 'quantiles(margin(us))'",
    "--histogram": "odds 'histogram(sweeps(us))'", "--cards": "odds barsega --rules cirullone",
}  # fmt: skip
"""Options of ``odds`` that are gone, each with an example of what says the same now."""


def new_question(option: str, words: Sequence[str]) -> str:
    """The command that asks what ``odds`` with an option of version 0.1 asked; empty for any other option."""
    if option not in QUESTIONS or list(words[:1]) != ["odds"]:
        return ""
    from .replaced_questions import question_command  # reads the vocabulary, only when it is needed

    return question_command(words) or QUESTIONS[option]
