"""What the page may name: rules and policies of the package, never a file, an engine, a scheduler or an output."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.arguments import count
from ..core.errors import InputError, unknown
from ..ruleset.catalogue import catalogue, house_names, preset_names
from ..situation.notation import RECORDED, Situation

POLICIES = {
    "random": "random: plays any card", "greedy": "greedy: takes what is worth most now",
    "careful": "careful: a good player", "search:4": "search:4: a strong player, slow",
    "search:16": "search:16: the strongest, very slow",
}  # fmt: skip
"""Policies from the weakest to the strongest, and what they are; larger searches take too long for a page."""


def policy(name: str, flag: str = "--policy") -> str:
    """The name of a policy that the page offers; raises ``InputError`` that names the flag for any other."""
    if name not in POLICIES:
        raise unknown("policy", name, POLICIES, where=f"{flag}: ")
    return name


def preset(name: str) -> str:
    """The name of a preset; raises ``InputError`` for any other, and so for a file."""
    if name not in preset_names():
        raise unknown("preset", name, preset_names(), where="--rules: ")
    return name


def houses(names: Iterable[str]) -> tuple[str, ...]:
    """Names of house rules, also of several together as ``NAME+NAME``; raises ``InputError`` for any other."""
    chosen = tuple(names)
    for name in (part for several in chosen for part in several.split("+")):
        if name not in house_names():
            raise unknown("house rule", name, house_names(), where="--house: ")
    return chosen


def players(text: str, rules: str) -> int | None:
    """A number of players that a preset has; None for the usual one. Raises ``InputError`` for another."""
    if not text:
        return None
    number, seats = count("--players", text, 2, 4), catalogue()["preset"][rules]["seats"]
    if number not in seats:
        raise InputError("--players {text!r}: {rules} has not that number (valid: {other_seats})", text, rules, seats)
    return number


def situation(text: str) -> str | None:
    """A situation as it is written; None for none.

    Raises ``InputError`` for a play of a record, which would be a file, for policies of pairs that the page does not
    offer, and for text that is no situation.
    """
    if not text:
        return None
    if RECORDED.match(text):
        raise InputError("--at {text!r}: a file cannot be named here (valid: cards, as 'me: 7h K*')", text)
    night = Situation.parse(text).night
    for name in () if night is None else filter(None, night.pairs):
        policy(name, "--at")
    return text
