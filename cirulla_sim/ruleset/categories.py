"""What a hand pays, as a list of categories: what is counted in a pile or in play, and what it pays."""

from __future__ import annotations

import re
from functools import cache, reduce
from operator import or_
from typing import Any, NamedTuple

from ..core import cards
from ..core.data import load_toml
from ..core.errors import InputError
from ..core.locale import add_names

MOST_FURTHER = 4
"""Rules have no more categories of their own."""

EACH, ALL, RUN, MOST, MOST_OR_TIED, IN_PLAY = range(6)
KINDS = {"each": EACH, "all": ALL, "run": RUN, "most": MOST, "most or tied": MOST_OR_TIED}
"""What is counted of some cards: each; 1 for all of them; those in a row of a suit, from a card on, at least three; 1
for more of them than any other side has; 1 for as many as any."""
_EACH_SWEEP = "each sweep"

MOST_POINTS = 50

FURTHER = tuple(f"further_{number + 1}" for number in range(MOST_FURTHER))
"""The columns of the categories that rules have of their own, in their order."""


class Category(NamedTuple):
    """A category: its names in English and in Italian, what it counts of which cards, a mask, and what it pays.

    ``column`` is where the score of a hand has it. ``most`` are the most points that all sides of a hand get from it.
    """

    name: str
    italian: str
    kind: int
    cards: int
    points: int
    column: str = ""
    most: int = 0

    @property
    def key(self) -> str:
        """What records and tables call it."""
        return self.name if self.column in FURTHER else self.column

    @property
    def usual(self) -> str:
        """The usual category that has one of these names, in either language, else its own name."""
        return SPELLINGS.get(self.name.lower()) or SPELLINGS.get(self.italian.lower(), self.name)

    def __str__(self) -> str:
        names = self.name if self.italian == self.name else f"{self.name} | {self.italian}"
        kind = next((word for word, kind in KINDS.items() if kind == self.kind), None)
        counted = _EACH_SWEEP if kind is None else f"{kind} {group_text(self.cards)}"
        return f"{names}: {counted} = {self.points}"


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
    if match is None or not int(match[4]) <= MOST_POINTS:
        raise InputError("{text!r} is no category of points (valid: as 'king of coins: each Kd = 1')", text)
    name, italian, counted, points = match[1], match[2] or match[1], match[3].lower(), int(match[4])
    if counted == _EACH_SWEEP and SPELLINGS.get(name.lower()) == "sweeps":
        return Category("sweeps", "scope", IN_PLAY, 0, points)
    kind = max((word for word in KINDS if counted.startswith(f"{word} ")), key=len, default=None)
    if kind is None:
        raise InputError(
            "{text!r}: {counted!r} counts nothing (valid: {kinds})", text, counted, ", ".join((*KINDS, _EACH_SWEEP))
        )
    mask = group_of(counted[len(kind) :])
    if kind == "run" and mask.bit_count() != 1:
        raise InputError("{text!r}: a run begins at one card (valid: as 'run Ad')", text)
    if name.lower() in FROM_PLAY:
        raise InputError("{text!r}: {name!r} is no name for it (valid: another name)", text, name)
    add_names("it", [(name, italian)])
    number = {EACH: mask.bit_count(), RUN: 10, MOST_OR_TIED: 4}.get(KINDS[kind], 1)
    return Category(name, italian, KINDS[kind], mask, points, most=points * number)


def usual_category(name: str, points: int, most: int | None = None) -> Category:
    """A category of ``USUAL`` that pays some points, of which all sides together get the ``most``."""
    entry = USUAL[name]
    word, _, groups = entry.get("counts", "").partition(" ")
    kind, mask = KINDS.get(word, IN_PLAY), group_of(groups)
    most = points * (mask.bit_count() if kind == EACH else 1) if most is None else most
    return Category(entry["names"][0], (entry["names"] * 2)[1], kind, mask, points, entry["column"], most)


@cache
def categories_of(scoring: tuple[str, ...]) -> tuple[Category, ...]:
    """The categories of ``Rules.scoring`` that count cards."""
    own = (category for category in map(read_category, scoring) if category.kind != IN_PLAY)
    return tuple(category._replace(column=column) for category, column in zip(own, FURTHER, strict=False))


@cache
def replaced_by(scoring: tuple[str, ...]) -> frozenset[str]:
    """The usual categories in whose place others stand.

    >>> replaced_by(("denari: each *d = 1", "re bello: each Kd = 1")) & set(USUAL)
    frozenset({'diamonds'})
    """
    return frozenset(category.usual for category in categories_of(scoring))


@cache
def sweep_point(scoring: tuple[str, ...]) -> int:
    """What a sweep pays by ``Rules.scoring``; 1 where it does not say.

    >>> sweep_point(("sweeps | scope: each sweep = 0",)), sweep_point(())
    (0, 1)
    """
    return next((category.points for category in map(read_category, scoring) if category.kind == IN_PLAY), 1)


_DATA = load_toml(__package__, "categories.toml")
USUAL: dict[str, dict[str, Any]] = {
    name: {"column": name, "record": entry["names"], **entry} for name, entry in _DATA.items()
}
"""The usual categories by name, in the order of the score: what their entries say."""
BY_COLUMN = {entry["column"]: entry for entry in USUAL.values()}
COLUMNS = tuple(BY_COLUMN)
"""Where the score of a hand has them, in their order."""
SPELLINGS = {word: name for name, entry in USUAL.items() for word in entry["names"]}
_IN_PLAY = {name: entry["column"] for name, entry in USUAL.items() if "counts" not in entry}
FROM_PLAY = (*_IN_PLAY, *_IN_PLAY.values(), "total", "further")
"""Names of what piles do not show, and of sums: no other category can have them."""
add_names("it", ((entry["record"] * 2)[:2] for entry in USUAL.values()))


def group_of(text: str) -> int:
    """The mask of some cards, each word one, or all of a rank (``7*``) or a suit (``*d``); raises ``InputError``."""
    return reduce(or_, (cards.mask_of_word(word.lower()) or 1 << cards.parse(word) for word in text.split()), 0)


def group_text(mask: int) -> str:
    """The cards of a mask as ``group_of`` reads them, whole suits and ranks in one word."""
    words = []
    for word in [*(f"*{suit}" for suit in cards.SUITS), *(f"{rank}*" for rank in cards.RANKS)]:
        whole = group_of(word)
        if mask & whole == whole:
            words.append(word)
            mask &= ~whole
    return " ".join([*words, *cards.texts(mask)])
