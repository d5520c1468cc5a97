"""The functions (``vocabulary.toml``) and aggregates (``aggregates.toml``) of the question language, as data."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from typing import Any

from ..core.cards import PACK, SUIT_OF, mask_of_word
from ..core.data import load_toml
from ..core.locale import add_names, language
from ..ruleset.categories import SPELLINGS, USUAL, categories_of
from ..ruleset.rules_model import Rules
from ..ruleset.scoring import category_named, most
from ..situation.notation import NUMBER_OF
from ..situation.people import NAME_OF

WORDS: dict[str, dict[str, Any]] = load_toml(__package__, "words.toml")

GROUPS: dict[str, Sequence[str]] = WORDS["groups"]
"""The groups of the list of functions, in English and in Italian."""


def _read_entries(file: str) -> dict[str, dict[str, Any]]:
    """The entries of a file by name, with tuples in place of lists."""
    entries = load_toml(__package__, file)
    for fields in entries.values():
        fields |= {key: tuple(value) for key, value in fields.items() if isinstance(value, list)}
    return entries


@dataclass(frozen=True)
class Aggregate:
    """What is asked of a value over all trials; see ``aggregates.toml`` for what its fields mean."""

    name: str
    italian: tuple[str, ...]
    of: str
    kind: str
    rows: str
    reads: tuple[str, str]
    parts: int = 1
    extreme: bool = False
    trials: str = ""
    own_interval: bool = False
    of_trials: tuple[str, str] = ("", "")


@cache
def aggregates() -> dict[str, Aggregate]:
    """Every aggregate by name."""
    return {name: Aggregate(name, **fields) for name, fields in _read_entries("aggregates.toml").items()}


def _each_call(italian: bool = False) -> str:
    """How every aggregate is written."""
    each = ((one.italian[0] if italian else one.name, one.parts) for one in aggregates().values())
    return ", ".join(f"{name}({', '.join('xy'[:parts])})" for name, parts in each)


_CALLED = {"aggregates": _each_call(), "aggregati": _each_call(italian=True)}
ARGUMENTS = {name: text.format(**_CALLED) for name, text in WORDS["arguments"].items()}
"""What stands in the brackets of functions, and around them, in English and in Italian."""

RANKS = ("aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "jacks", "queens", "kings")
SUITS = ("hearts", "diamonds", "clubs", "spades")


@dataclass(frozen=True)
class Function:
    """A function of the language; see ``vocabulary.toml`` for what its fields mean."""

    name: str
    names: tuple[str, ...]
    italian: str
    group: str
    gives: str
    space: str
    about: str
    it: str
    example: str
    reads: tuple[str, str]
    most: float | str | tuple[str, ...] | None = None
    who: str = ""
    default: str = ""
    arguments: tuple[str, ...] = ()
    requires: str = ""
    also: tuple[str, ...] = ()
    mid_hand: bool = True
    on_table: bool = True
    in_stock: bool = False
    adds_up: bool = True
    as_one: bool = False
    one_card: bool = False
    contest: bool = False
    zero_is_none: bool = False
    says: tuple[Sequence[str], ...] = ((), ())
    per: str = ""
    of_a_hand: str = ""
    feature: str = ""
    column: str = ""
    notes: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every word for it, in both languages."""
        return *self.names, self.italian, *self.also


@cache
def functions() -> dict[str, Function]:
    """Every function of the language by name."""
    every: dict[str, Function] = {}
    for name, fields in _read_entries("vocabulary.toml").items():
        function = Function(name, **fields)
        if name not in ("rank", "suit"):
            every[name] = function
            continue
        for one, italian in zip(function.names, function.italian.split(", "), strict=True):  # of each rank or suit
            every[one] = replace(
                function, name=one, names=(one,), italian=italian, about=function.about.format(name=one),
                it=function.it.format(name=italian), example=function.example.format(name=one),
            )  # fmt: skip
    named = {name: one.italian[0] for name, one in aggregates().items()} | WORDS["translations"] | CATEGORIES
    add_names("parole", (named | {name: function.italian for name, function in every.items()}).items())
    return every


@cache
def _by_spelling() -> dict[str, str]:
    return {word: function.name for function in functions().values() for word in function.spellings}


TABLE, EACH, STOCK = -1, -2, -3
"""In place of a seat: the table that is dealt; each of the people that a quantifier names; the cards not dealt yet."""

QUANTIFIERS = ("everybody", "somebody", "nobody")
"""People of whom one after the other the comparison is true, in which they stand."""

EXTREMES = ("most", "fewest")
"""The largest and the smallest number of any player or side."""

Bounds = tuple[float, float]
"""The least and the most that something can be under some rules: intervals of means never leave them."""

FURTHER_ONES = "further"
"""All categories of points that rules have of their own."""

ANY = (-math.inf, math.inf)


def score_columns(rules: Rules, category: str) -> tuple[str, ...]:
    """The columns of a score in which a category of points is, all of the rules' own ones, or the total for none."""
    if category == FURTHER_ONES:
        return tuple(own.column for own in categories_of(rules.scoring))
    named = category_named(rules, category) if category else None
    return ("total",) if named is None else (named.column,)


@dataclass(frozen=True)
class Term:
    """A function with its arguments: ``who`` are seats, ``TABLE``, ``STOCK``, or numbers of pairs.

    ``stages`` are from 0, and are empty for the whole hand. ``turn`` is which of their cards of a stage players play,
    from 0. ``after`` is the number of stages after which something is asked. ``cards`` is a mask; ``detail`` is a
    category of points, a kind of set or the number of a suit.
    """

    name: str
    who: tuple[int, ...] = ()
    stages: tuple[int, ...] = ()
    turn: int | None = None
    after: int | None = None
    cards: int = 0
    detail: str = ""
    by_sweep: bool = False

    @property
    def key(self) -> str:
        """A name for its column."""
        return repr(self)

    @property
    def function(self) -> Function:
        """What it is a term of."""
        return functions()[self.name]

    @property
    def is_of_sets_shown(self) -> bool:
        """Whether it is about sets that players show, which policies may decide."""
        return self.function.group == "shown"

    def bounds(self, rules: Rules) -> Bounds:
        """The least and the most that it can be; infinite where that is not simple."""
        if self.function.gives == "truth":
            return 0.0, float(not isinstance(self.function.most, str) or getattr(rules, self.function.most))
        names = self.function.most
        if names is None or isinstance(names, (int, float)):
            return ANY if names is None else (0.0, float(names))
        limits = {**most(rules), "cards": self.cards.bit_count() or len(PACK), "margin": most(rules)["total"]}
        limits["points"] = sum(most(rules)[name] for name in score_columns(rules, self.detail))
        high = float(max(limits[name] for name in ([names] if isinstance(names, str) else names)))
        return -high if names == "margin" else 0.0, high


HELD_OR_SHOWN: dict[str, Sequence[str]] = WORDS["held_or_shown"]
"""Words that may be about sets held or about sets shown, with the functions for each."""


def by_word(section: str) -> dict[str, str]:
    """What each word of a section stands for."""
    return {
        word: name
        for name, words in WORDS[section].items()
        for word in (words.split() if isinstance(words, str) else words)
    }


def meaning_of(word: str) -> Term | None:
    """What a word of an expression means, without any arguments; None for nothing.

    A card is whether it is held. Words for a rank or a suit, in the singular too, are how many of these are held.

    >>> meaning_of("re di coppe").function.name, meaning_of("asso").function.name, meaning_of("nonsense")
    ('holds', 'aces', None)
    """
    plain = " ".join(word.lower().replace("\ufe0f", "").split())
    if plain in _by_spelling():
        return Term(_by_spelling()[plain])
    cards = mask_of_word(plain) or 0
    if cards.bit_count() == 1:
        return Term("holds", cards=cards)
    return next((Term(name) for name in (*RANKS, *SUITS) if cards and cards == mask_of_word(name)), None)


_NUMBERS = {word: number for word, number in NUMBER_OF.items() if word not in ("a", "an", "un")}
_NUMBERS |= {word: int(number) for word, number in by_word("numbers").items()}


def number_word(word: str) -> int | None:
    """The number that a word is, in either language; None for any other word.

    >>> number_word("due"), number_word("eight"), number_word("aces")
    (2, 8, None)
    """
    return _NUMBERS.get(word.lower())


def cards_counted(name: str) -> int:
    """The mask of the cards that a function for a rank or a suit counts, 0 for any other."""
    return mask_of_word(name) or 0 if name in (*RANKS, *SUITS) else 0


def makes_sense(function: Function, here: str) -> bool:
    """Whether a function makes sense in a kind of place: fresh, position, game, night or piles."""
    return not {function.space, function.group}.isdisjoint(WORDS["here"][here].split())


def nearest_words(word: str, here: str = "fresh") -> list[str]:
    """The three words of the language most like one that is none, one for a function, the nearest first.

    They make sense ``here``. A function that requires arguments is shown with some.

    >>> nearest_words("swep"), nearest_words("cansweep", "position"), nearest_words("hold")
    (['sweep'], ['can_sweep', 'sweep'], ['holds(next, 7d)'])
    """
    spellings = {name: of for name, of in _by_spelling().items() if makes_sense(functions()[of], here)}
    near = get_close_matches(word.lower(), spellings, 8, 0.65)
    near += [name for name in spellings if len(word) > 3 and (word.lower() in name or name in word.lower())]
    each: dict[str, str] = {}
    for name in near:
        function = functions()[spellings[name]]
        each.setdefault(function.name, function.example if function.requires else name)
    return list(each.values())[:3]


def in_italian(question: str) -> str:
    """An English expression in Italian words, texts in quotation marks left as they are.

    >>> in_italian("mean(points(us, primiera)) >= 2 and 'AK' = ranks(dealer, stage 1)")
    "media(punti(noi, primiera)) >= 2 e 'AK' = valori(mazziere, giro 1)"
    """
    functions()
    return language("it").filler.format("{0:parole}", question)


def functions_by_group(word: str = "", italian: bool = False, here: str = "") -> dict[str, list[Function]]:
    """The functions by the titles of their groups; with a word, those in which it occurs.

    ``here``, leaves out those that make no sense there.
    """
    wanted = word.lower().strip()
    found: dict[str, list[Function]] = {}
    for function in functions().values():
        group = GROUPS[function.group]
        texts = (*function.spellings, function.about, function.it, *group)
        if any(wanted in text.lower() for text in texts) and (not here or makes_sense(function, here)):
            found.setdefault(group[italian], []).append(function)
    return found


# ------------------------------------------------------------------------------------------------ arguments


CATEGORIES = {name: (entry["names"] * 2)[1] for name, entry in USUAL.items()} | {FURTHER_ONES: "altri"}
"""What points are for, with the Italian names."""

KINDS = tuple(WORDS["kinds"])
"""Kinds of sets shown."""

_CATEGORY = SPELLINGS | {FURTHER_ONES: FURTHER_ONES, "altri": FURTHER_ONES}
_KIND = by_word("kinds") | {name: name for name in KINDS}
PEOPLE = NAME_OF | by_word("people")
"""What people may be called, in either language -> their name."""

_ORDINAL = {word: int(number) for word, number in by_word("ordinals").items()}
_NTH = f"(?:the |il |la |my |la mia )?(?P<nth>{'|'.join(_ORDINAL)})"
_WRITTEN = {kind: pattern.replace("NTH", _NTH) for kind, pattern in WORDS["written"].items()}
"""How arguments are written."""
_NAMED: dict[str, Mapping[str, str]] = {
    "kind": _KIND, "category": _CATEGORY, "suit": {word: str(suit) for word, suit in SUIT_OF.items() if len(word) > 1},
}  # fmt: skip
"""Arguments that are names."""
_PAIR = re.compile(r"(?:pair|coppia|player|giocatore) ?(\d{1,2})|(best|migliore)")


def with_argument(kind: str, word: str, term: Term) -> Term | None:
    """A term with an argument of a kind; None where the word is none, or one is there already."""
    if kind in _NAMED:
        return replace(term, detail=_NAMED[kind][word]) if word in _NAMED[kind] and not term.detail else None
    match = re.fullmatch(_WRITTEN[kind], word)
    parts = match.groupdict() if match else {}
    number = int(parts.get("low") or _ORDINAL.get(parts.get("nth") or "", 0))
    cards = mask_of_word(parts["cards"]) if parts.get("cards") else None
    there = {"stage": term.stages, "turn": term.turn is not None, "cards": term.cards, "with": term.cards}.get(kind)
    if match is None or (cards is None and "cards" in parts) or there:
        return None
    if kind == "stage":
        return replace(term, stages=tuple(range(number - 1, int(parts["high"] or number))) or (-1,))
    fields = {"turn": number - 1, "after": number, "by_sweep": True, "cards": cards}
    name = {"with": "cards", "by": "by_sweep"}.get(kind, kind)
    return replace(term, **{name: fields[name]})  # type: ignore[arg-type]


EXAMPLES = {
    "stage": "stage 1", "turn": "card 1", "after": "after stage 1", "cards": "7d", "with": "with ace", "by": "by scopa",
    "kind": "barsega", "category": "primiera", "suit": "hearts",
}  # fmt: skip
"""One argument of each kind."""


PLACES = by_word("places")
"""Places of cards that are nobody's, in either language -> their name."""


def person_of(function: Function, word: str) -> str | None:
    """Whom a word means, for a function; None for nobody: a player or group, a place, or the number of a pair."""
    if function.who == "pair" and PEOPLE.get(word) not in QUANTIFIERS:
        match = _PAIR.fullmatch(word)
        return None if match is None else match[1] or "1"
    if function.who == "holder" and word in PLACES:
        return PLACES[word]
    return None if function.default == "table" else PEOPLE.get(word)  # only the table is fifteen
