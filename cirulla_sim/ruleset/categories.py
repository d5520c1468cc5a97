"""Categories of points that rules may have besides the usual ones: what is counted in a pile, and what it pays."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from ..core import cards
from ..core.errors import InputError

MOST_CATEGORIES = 4
"""Rules have no more of them."""

EACH, ALL, RUN, MOST, MOST_OR_TIED = range(5)
KINDS = {"each": EACH, "all": ALL, "run": RUN, "most": MOST, "most or tied": MOST_OR_TIED}
"""What is counted: the cards; 1 for all of them; the cards in a row of a suit, from a card on, at least three; 1 for
more of them than any other side has; 1 for as many as any."""

MOST_POINTS = 50

FURTHER = tuple(f"further_{number + 1}" for number in range(MOST_CATEGORIES))
"""What the points of the categories are called in compiled code, in their order."""


class Category(NamedTuple):
    """A category: its names in English and in Italian, what it counts (``KINDS``), a mask of cards, and its points."""

    name: str
    italian: str
    kind: int
    cards: int
    points: int

    @property
    def most(self) -> int:
        """The most points that all sides of a hand can get."""
        number = {EACH: self.cards.bit_count(), RUN: 10, MOST_OR_TIED: 4}.get(self.kind, 1)
        return self.points * number

    def __str__(self) -> str:
        names = self.name if self.italian == self.name else f"{self.name} | {self.italian}"
        kind = next(word for word, kind in KINDS.items() if kind == self.kind)
        return f"{names}: {kind} {group_text(self.cards)} = {self.points}"


_CATEGORY = re.compile(r"\s*([^|:=;]+?)\s*(?:\|\s*([^|:=;]+?)\s*)?:\s*(.+?)\s*=\s*(\d{1,2})\s*")


def read_category(text: str) -> Category:
    """A category from text, as ``king of coins | re bello: each Kd = 1``; cards as ``Kd``, ``7*``, ``*d``.

    Raises ``InputError``.

    >>> read_category("court cards: each J* Q* K* = 1").points
    1
    >>> str(read_category("re bello: all Kd Qd = 2"))
    're bello: all Qd Kd = 2'
    """
    match = _CATEGORY.fullmatch(text)
    if match is None or not 1 <= int(match[4]) <= MOST_POINTS:
        raise InputError("{text!r} is no category of points (valid: as 'king of coins: each Kd = 1')", text)
    name, italian, counted, points = match[1], match[2] or match[1], match[3].lower(), int(match[4])
    kind = max((word for word in KINDS if counted.startswith(f"{word} ")), key=len, default=None)
    if kind is None:
        raise InputError("{text!r}: {counted!r} counts nothing (valid: {kinds})", text, counted, ", ".join(KINDS))
    mask = 0
    for word in counted[len(kind) :].split():
        mask |= group_of(word)
    if kind == "run" and mask.bit_count() != 1:
        raise InputError("{text!r}: a run begins at one card (valid: as 'run Ad')", text)
    return Category(name, italian, KINDS[kind], mask, points)


@cache
def categories_of(scoring: tuple[str, ...]) -> tuple[Category, ...]:
    """The categories of ``Rules.scoring``."""
    return tuple(map(read_category, scoring))


def group_of(word: str) -> int:
    """The mask of a card, or of all cards of a rank (``7*``) or a suit (``*d``); raises ``InputError``."""
    return cards.described(word.lower()) or 1 << cards.parse(word)


def group_text(mask: int) -> str:
    """The cards of a mask as ``group_of`` reads them, whole suits and ranks in one word."""
    words = []
    for word in [*(f"*{suit}" for suit in cards.SUITS), *(f"{rank}*" for rank in cards.RANKS)]:
        whole = group_of(word)
        if mask & whole == whole:
            words.append(word)
            mask &= ~whole
    return " ".join([*words, *cards.texts(mask)])
