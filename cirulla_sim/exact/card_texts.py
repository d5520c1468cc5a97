"""Sets of cards as texts, in the order of the pack, however they are written."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..core.cards import PACK, RANKS, SUITS, parse
from ..core.errors import InputError


def in_order(kind: str, written: str, size: int) -> str:
    """A set of ``size`` cards, ranks or suits as the vocabulary writes it, whatever the order and the letters.

    ``kind`` is ``cards``, ``ranks`` or ``suits``. Raises ``InputError`` for a set that cannot be.

    >>> in_order("cards", "10d 7♥ 2h", 3), in_order("ranks", "K7A", 3), in_order("suits", "♦h♦", 3)
    ('2h 7h Kd', 'A7K', 'hdd')
    """
    if kind == "cards":
        items = [parse(part) for part in re.split(r"[\s,]+(?!(?:of|di)\s)(?<!\sof\s)(?<!\sdi\s)", written.strip())]
        if len(set(items)) < len(items):
            raise InputError("names a card twice")
    elif kind == "ranks":
        items = [_of_letter(letter, _RANK_LETTERS) for letter in re.findall(r"10|[^\s,]", written)]
    else:
        items = [_of_letter(letter, _SUIT_LETTERS) for letter in re.findall(r"[^\s,\ufe0f]", written)]
    if len(items) != size:
        raise InputError(f"is a set of {len(items)}")
    if kind == "ranks" and max(map(items.count, items)) > 4:
        raise InputError("has five of a rank")
    items.sort()
    return " ".join(PACK[card] for card in items) if kind == "cards" else "".join(_LETTERS[kind][i] for i in items)


_LETTERS = {"ranks": RANKS, "suits": SUITS}
_RANK_LETTERS = {letter: i for i, letter in enumerate(RANKS.lower())} | {"1": 0, "8": 7, "9": 8, "10": 9}
_SUIT_LETTERS = {letter: i for i, letters in enumerate(("h♥♡", "d♦♢", "c♣♧", "s♠♤")) for letter in letters}


def _of_letter(letter: str, letters: Mapping[str, int]) -> int:
    if letter.lower() not in letters:
        raise InputError(f"names {letter!r}, which is none of {' '.join(letters)}")
    return letters[letter.lower()]
