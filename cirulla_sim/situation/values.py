"""Situations given from Python: as text, as a ``Situation``, or as a mapping of clauses to cards, names and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.errors import InputError, quoted
from .notation import Situation

SituationValue = str | Situation | Mapping[str, Any]
"""A situation as public functions take it."""

_NUMBERS = {"score": "-", "punteggio": "-", "points": "-", "punti": "-", "hand": " of ", "smazzata": " of "}
"""What stands between the numbers of a clause."""


def situation_text(flag: str, value: object) -> str:
    """The text of a situation, as ``Situation.parse`` or a record's ``FILE#HAND.PLAY`` has it.

    A mapping has a clause a key, ``_`` for a blank, and as values texts, lists of cards, numbers, or for ``cards`` a
    mapping. Raises ``InputError`` that names the flag for a value of any other type.

    >>> situation_text("--at", {"table": ["Jd", "4c"], "me": ["7h", "K*"], "score": (38, 41), "to_play": "me"})
    'table: Jd, 4c; me: 7h, K*; score: 38-41; to play: me'
    >>> situation_text("--at", Situation.parse("tavola: Jd 4c"))
    'table: Jd 4c'
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Situation):
        return str(value)
    if not isinstance(value, Mapping):
        raise InputError(
            f"{flag} {quoted(value)} is no situation (valid: text as 'me: 7h K*; table: Jd 4c', a Situation, or a "
            "mapping of clauses)"
        )
    return "; ".join(_clause(flag, key, given) for key, given in value.items())


def _clause(flag: str, key: object, given: object) -> str:
    if not isinstance(key, str) or any(sign in key for sign in ":;\n"):
        raise InputError(f"{flag}: {quoted(key)} is no clause (valid: 'me', 'table', 'captured us', 'to_play', ...)")
    name = " ".join(key.replace("_", " ").lower().split())
    return f"{name}: {_value(f'{flag}: {name}', name, given)}"


def _value(where: str, name: str, given: object) -> str:
    """What a clause says, as text."""
    if isinstance(given, Mapping):
        parts = [f"{_single(where, player)} {_single(where, number)}" for player, number in given.items()]
        return ", ".join(parts)
    if isinstance(given, Sequence) and not isinstance(given, (str, bytes)):
        return _NUMBERS.get(name, ", ").join(_single(where, item) for item in given)
    return _single(where, given)


def _single(where: str, item: object) -> str:
    """A text or a whole number."""
    if isinstance(item, bool) or not isinstance(item, (str, int)) or any(sign in str(item) for sign in ";\n"):
        raise InputError(
            f"{where}: {quoted(item)} is not valid (valid: cards as text, whole numbers, or lists of them)"
        )
    return str(item).strip()
