"""Questions in mid-hand put together with and, or, not: exact, from the chances that none of some of them is true."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from ..core.errors import InputError
from .expressions import TRUTHS
from .grammar import Node, quoted, read

MOST_PARTS = 5

_JOINED = re.compile(r"(\(|\)|\band\b|\bor\b|\bnot\b)", re.IGNORECASE)


@dataclass(frozen=True)
class Compound:
    """What must be true of some plain questions, by their place in ``parts``."""

    parts: tuple[str, ...]
    tree: Node

    def holds(self, true: Mapping[str, Any]) -> Any:
        """Whether it is true where these parts are, by the names that stand for them: truths, or arrays of them."""

        def value(node: Node) -> Any:
            if node.name == "word":
                return true[node.value]
            return TRUTHS[node.name](*map(value, node.parts))

        return value(self.tree)


def is_compound(question: str) -> bool:
    """Whether a question puts others together.

    >>> is_compound("sweep and not takes 7d"), is_compound("holds 7d")
    (True, False)
    """
    return _JOINED.search(question) is not None


def pieces(question: str) -> list[str]:
    """The plain questions in one, whatever puts them together.

    >>> pieces("sweep and not (takes 7d)")
    ['sweep', 'takes 7d']
    """
    plain = (" ".join(piece.split()) for piece in _JOINED.split(question))
    return [piece for piece in plain if piece and not _JOINED.fullmatch(piece)]


def compound(question: str) -> Compound:
    """A question read; a plain one is one part.

    Raises ``InputError`` for what cannot be read, and for too many parts.
    """
    parts: list[str] = []
    written = []
    for piece in _JOINED.split(question):
        plain = " ".join(piece.split())
        if not plain or _JOINED.fullmatch(plain):
            written.append(plain)
            continue
        if plain not in parts:
            parts.append(plain)
        written.append(f"part{parts.index(plain)}")
    try:
        tree = read(" ".join(written))
    except InputError:
        tree = Node("")
    if not parts or any(node.name not in ("word", "and", "or", "not") for node in _nodes(tree)):
        raise InputError(f"{quoted(question)} cannot be read (valid: as 'sweep and not takes 7d')")
    if len(parts) > MOST_PARTS:
        raise InputError(f"{quoted(question)} puts {len(parts)} questions together (valid: {MOST_PARTS} at most)")
    return Compound(tuple(parts), tree)


def _nodes(node: Node) -> list[Node]:
    return [node, *(below for part in node.parts for below in _nodes(part))]


def chance(question: Compound, none: Callable[[Sequence[str]], Fraction]) -> Fraction:
    """The chance that it is true, from the chances that none of some parts is, by inclusion and exclusion.

    >>> half = lambda parts: Fraction(1, 2) ** len(parts)
    >>> chance(compound("sweep and not (ace or capture)"), half)
    Fraction(1, 8)
    """
    chance_of_none = cache(lambda places: none([question.parts[place] for place in places]))
    total = Fraction(0)
    places = range(len(question.parts))
    for pattern in product((False, True), repeat=len(places)):
        if not question.holds({f"part{place}": true for place, true in zip(places, pattern, strict=True)}):
            continue
        false = [place for place in places if not pattern[place]]
        for also in product((False, True), repeat=sum(pattern)):
            true = [place for place in places if pattern[place]]
            extra = [place for place, taken in zip(true, also, strict=True) if taken]
            total += (-1) ** len(extra) * chance_of_none(tuple(sorted(false + extra)))
    return total
