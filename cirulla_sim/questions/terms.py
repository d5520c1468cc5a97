"""A function of the language with its arguments: who, when and with what."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from ..situation.notation import described
from ..situation.people import NAME_OF
from .vocabulary import Function, functions, suit_of

TABLE = -1
"""In place of a seat: the table that is dealt."""

CATEGORIES = ("cards", "diamonds", "settebello", "primiera", "grande", "piccola", "sweeps", "knocks", "table")
"""What points are for."""

KINDS = ("barsega", "barsegon", "misci")
"""Kinds of sets shown."""

_CATEGORY = {
    "carte": "cards", "denari": "diamonds", "coins": "diamonds", "scope": "sweeps", "scopa": "sweeps",
    "sweep": "sweeps", "accusi": "knocks", "accuso": "knocks", "tavola": "table", "tavolo": "table",
} | {name: name for name in CATEGORIES}  # fmt: skip
_KIND = {"barseghe": "barsega", "barsegoni": "barsegon", "decino": "barsegon", "tris": "barsegon"} | {
    name: name for name in KINDS
}
_SIDES = {
    "dealer_side": "dealer_side", "dealer's side": "dealer_side", "parte_mazziere": "dealer_side",
    "first_side": "first_side", "first's side": "first_side", "parte_primo": "first_side",
}  # fmt: skip
PEOPLE = NAME_OF | _SIDES | dict.fromkeys(("nobody", "nessuno", "no one", "none"), "nobody")
"""What people may be called, in either language -> their name."""

_STAGES = re.compile(r"(?:stage|giro)s? ?(\d{1,2})(?: ?(?:-|to|a) ?(\d{1,2}))?")
_ORDINAL = {"first": 1, "primo": 1, "second": 2, "secondo": 2, "third": 3, "terzo": 3, "fourth": 4, "quarto": 4}
_NTH_STAGE = re.compile(rf"(?:the |il )?({'|'.join(_ORDINAL)}) (?:stage|giro)")
_AFTER = re.compile(r"(?:after|dopo) (?:stage|giro|il giro) ?(\d{1,2})")
_WITH = re.compile(r"(?:with|con) (?:an? |una? |the )?(.+)")
_BY_SWEEP = re.compile(r"(?:by|con|with|di) (?:a )?(?:scopa|sweep|scope)")
_PAIR = re.compile(r"(?:pair|coppia|player|giocatore) ?(\d{1,2})|(best|migliore)")


@dataclass(frozen=True)
class Term:
    """A function with its arguments: ``who`` are seats, ``TABLE``, or numbers of pairs; ``stages`` are from 0.

    Stages are empty for the whole hand. ``after`` is the number of stages after which a score is asked. ``cards`` is a
    mask; ``detail`` is a category of points, a kind of set or the number of a suit.
    """

    name: str
    who: tuple[int, ...] = ()
    stages: tuple[int, ...] = ()
    after: int | None = None
    cards: int = 0
    detail: str = ""
    by_sweep: bool = False

    @property
    def key(self) -> str:
        """A name for its column."""
        return repr((self.name, self.who, self.stages, self.after, self.cards, self.detail, self.by_sweep))

    @property
    def function(self) -> Function:
        """What it is a term of."""
        return functions()[self.name]


# ------------------------------------------------------------------------------------------------ arguments


def _stages(word: str, term: Term) -> Term | None:
    word = _NTH_STAGE.sub(lambda match: f"stage {_ORDINAL[match[1]]}", word)
    match = _STAGES.fullmatch(word)
    if match is None or term.stages:
        return None
    first = int(match[1]) - 1
    return replace(term, stages=tuple(range(first, int(match[2] or match[1]))) or (-1,))


def _after(word: str, term: Term) -> Term | None:
    match = _AFTER.fullmatch(word)
    return None if match is None else replace(term, after=int(match[1]))


def _cards(word: str, term: Term) -> Term | None:
    cards = described(word)
    return None if cards is None or term.cards else replace(term, cards=cards)


def _with(word: str, term: Term) -> Term | None:
    match = _WITH.fullmatch(word)
    return None if match is None else _cards(match[1], term)


def _by(word: str, term: Term) -> Term | None:
    return replace(term, by_sweep=True) if _BY_SWEEP.fullmatch(word) else None


def _detail(names: dict[str, str]) -> Callable[[str, Term], Term | None]:
    return lambda word, term: replace(term, detail=names[word]) if word in names and not term.detail else None


def _suit(word: str, term: Term) -> Term | None:
    suit = suit_of(word)
    return None if suit is None else replace(term, detail=str(suit))


READ: dict[str, Callable[[str, Term], Term | None]] = {
    "stage": _stages, "after": _after, "cards": _cards, "with": _with, "by": _by, "kind": _detail(_KIND),
    "category": _detail(_CATEGORY), "suit": _suit,
}  # fmt: skip
"""How each kind of argument is read: the term with it, None where it is none."""

EXAMPLES = {
    "stage": "stage 1", "after": "after stage 1", "cards": "7d", "with": "with ace", "by": "by scopa",
    "kind": "barsega", "category": "primiera", "suit": "hearts",
}  # fmt: skip
"""One of each kind."""


def person_of(function: Function, word: str) -> str | None:
    """Whom a word means, for a function; None for nobody: a player or group, ``table``, or the number of a pair."""
    if function.who == "pair":
        match = _PAIR.fullmatch(word)
        return None if match is None else match[1] or "1"
    if function.who == "holder" and word in ("table", "tavola", "tavolo"):
        return "table"
    return None if function.default == "table" else PEOPLE.get(word)  # only the table is fifteen
