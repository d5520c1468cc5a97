"""The functions of the question language, as ``vocabulary.toml`` defines them, and what words mean."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from ..core.cards import SUIT_OF
from ..situation.notation import NUMBER_OF, described

GROUPS = {
    "held": ("Cards held, and the table dealt", "Le carte in mano, e la tavola data"),
    "table": ("The table", "La tavola"),
    "shown": ("Sets shown", "Accusi"), "play": ("Play", "Il gioco"), "pile": ("Piles", "I mazzetti"),
    "score": ("The score of a hand", "Il punteggio di una smazzata"),
    "turn": ("The next plays, in mid-hand: --at 'table: 3c 5d; me: 7d Ks; to play: next'",
             "Le prossime giocate, a metà smazzata: --at 'tavola: 3c 5d; io: 7d Ks; tocca a: prossimo'"),
    "game": ("A game", "Una partita"),
    "night": ("A tournament night: --at 'night: 1 pair search:4, 7 pairs careful, 4 rounds of 8 hands, swiss'",
              "Una serata di torneo: --at 'serata: 1 coppia search:4, 7 coppie, 4 turni di 8 smazzate, svizzero'"),
}  # fmt: skip
"""The groups of the list of functions, in English and in Italian."""

ARGUMENTS = {
    "Who": "me, next, partner (opposite), previous; first, second, third, dealer; us, them, others; dealer_side, "
           "first_side; somebody, everybody, nobody; table",
    "When": "stage 2, stages 1-2; after stage 1",
    "With what": "7d, sevens, K*, diamonds; with ace, by scopa; barsega, barsegon, misci; primiera, sweeps, knocks",
    "What of it": "mean(x), ratio(x, y), quantiles(x), histogram(x), max(x), min(x); x given y; --given, --by, --top, "
                  "--in, --in-a-row",
    "Chi": "io, prossimo, compagno (dirimpetto), precedente; primo, secondo, terzo, mazziere; noi, loro, altri; "
           "parte_mazziere, parte_primo; qualcuno, tutti, nessuno; tavola",
    "Quando": "giro 2, secondo giro; dopo giro 1",
    "Con che": "7d, sette, K*, denari; con asso, con scopa; barsega, barsegon, misci; primiera, scope, accusi",
    "Che cosa": "media(x), rapporto(x, y), quantili(x), istogramma(x), massimo(x), minimo(x); x se y",
}  # fmt: skip
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
    most: float | str | tuple[str, ...] | None = None
    who: str = ""
    default: str = ""
    takes: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[str, ...]:
        """The kinds of arguments that it takes besides who is meant."""
        return tuple(kind.rstrip("!") for kind in self.takes)

    @property
    def requires(self) -> bool:
        """Whether it means nothing without an argument, as ``holds(7d)``."""
        return any(kind.endswith("!") for kind in self.takes)

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every word for it, in both languages."""
        return *self.names, self.italian, *self.also


@cache
def functions() -> dict[str, Function]:
    """Every function of the language by name."""
    text = files(__package__).joinpath("vocabulary.toml").read_text("utf-8")
    every: dict[str, Function] = {}
    for name, fields in tomllib.loads(text).items():
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()
        }
        function = Function(name=name, **values)
        for one in _each(function) if name in ("rank", "suit") else (function,):
            every[one.name] = one
    return every


def _each(family: Function) -> Iterator[Function]:
    """A function for each rank or suit."""
    for name, italian in zip(family.names, family.italian.split(", "), strict=True):
        yield replace(
            family, name=name, names=(name,), italian=italian, about=family.about.format(name=name),
            it=family.it.format(name=italian), example=family.example.format(name=name),
        )  # fmt: skip


@cache
def _by_spelling() -> dict[str, str]:
    return {word: function.name for function in functions().values() for word in function.spellings}


@dataclass(frozen=True)
class Meaning:
    """What a word means: a function, with the mask of a card where the word is one."""

    function: Function
    cards: int = 0


def meaning_of(word: str) -> Meaning | None:
    """What a word of an expression means; None for nothing.

    A card is whether it is held. Words for a rank or a suit, in the singular too, are how many of these are held.

    >>> meaning_of("re di coppe").function.name, meaning_of("asso").function.name, meaning_of("nonsense")
    ('holds', 'aces', None)
    """
    plain = " ".join(word.lower().replace("\ufe0f", "").split())
    if plain in _by_spelling():
        return Meaning(functions()[_by_spelling()[plain]])
    cards = described(plain) or 0
    if cards.bit_count() == 1:
        return Meaning(functions()["holds"], cards)
    for name, alike in _counted().items():
        if cards == alike:
            return Meaning(functions()[name])
    return None


_LARGER = (
    "eleven undici", "twelve dodici", "thirteen tredici", "fourteen quattordici", "fifteen quindici", "sixteen sedici",
    "seventeen diciassette", "eighteen diciotto", "nineteen diciannove", "twenty venti",
)  # fmt: skip
_NUMBERS = {word: number for word, number in NUMBER_OF.items() if word not in ("a", "an", "un")}
_NUMBERS |= {"zero": 0, "nessuno": 0, "thirty": 30, "trenta": 30, "forty": 40, "quaranta": 40}
_NUMBERS |= {word: number for number, words in enumerate(_LARGER, 11) for word in words.split()}


def number_word(word: str) -> int | None:
    """The number that a word is, in either language; None for any other word.

    >>> number_word("due"), number_word("eight"), number_word("aces")
    (2, 8, None)
    """
    return _NUMBERS.get(word.lower())


@cache
def _counted() -> dict[str, int]:
    """The masks of the ranks and suits that are counted."""
    ranks = {name: sum(1 << 10 * suit + rank for suit in range(4)) for rank, name in enumerate(RANKS)}
    return ranks | {name: 0b1111111111 << 10 * suit for suit, name in enumerate(SUITS)}


def cards_counted(name: str) -> int:
    """The mask of the cards that a function for a rank or a suit counts, 0 for any other."""
    return _counted().get(name, 0)


def suit_of(word: str) -> int | None:
    """The number of a suit by name, in either language."""
    return SUIT_OF.get(word) if len(word) > 1 else None


HERE: dict[str, Callable[[Function], bool]] = {
    "fresh": lambda function: function.space not in ("turn", "night"),
    "position": lambda function: function.space in ("turn", "hand") or function.group == "held",
    "game": lambda function: function.space == "game",
    "night": lambda function: function.space == "night",
    "piles": lambda function: function.group == "pile",
}
"""The functions that make sense in each kind of place where a question is asked."""


def nearest(word: str, here: str = "fresh") -> list[str]:
    """The three words of the language most like one that is none, one for a function, the nearest first.

    They make sense ``here``, a key of ``HERE``. A function that requires arguments is shown with some.

    >>> nearest("swep"), nearest("cansweep", "position"), nearest("hold")
    (['sweep'], ['can_sweep', 'sweep'], ['holds(next, 7d)'])
    """
    spellings = {name: of for name, of in _by_spelling().items() if HERE[here](functions()[of])}
    near = get_close_matches(word.lower(), spellings, 8, 0.6)
    near += [name for name in spellings if len(word) > 3 and (word.lower() in name or name in word.lower())]
    each: dict[str, str] = {}
    for name in near:
        function = functions()[spellings[name]]
        each.setdefault(function.name, function.example if function.requires else name)
    return list(each.values())[:3]


def in_a_sentence(text: str) -> str:
    """The expression that a plain sentence about cards held may mean; empty where there is none.

    >>> in_a_sentence("How often am I dealt a barsega?"), in_a_sentence("two kings and an ace"), in_a_sentence("hello")
    ('barsega', 'kings = 2 and ace', '')
    """
    parts: list[str] = []
    number: int | None = None
    words = re.findall(r"[^\W\d_]{2,}|\d+", text.lower())
    held = [function for function in functions().values() if function.space == "cards" and not function.requires]
    offered = [function for function in held if function.gives in ("truth", "count")]
    for word, after in pairwise([*words, ""]):
        meaning = meaning_of(word)
        value = int(word) if word.isdigit() and len(word) < 3 else number_word(word)
        if value is not None and (meaning is None or meaning_of(after)):
            number = value
        elif meaning is not None and meaning.function in offered:
            counts = number is not None and cards_counted(meaning.function.name)
            parts.append(f"{word} = {number}" if counts else word)
            number = None
    return " and ".join(dict.fromkeys(parts))


def listed(word: str = "", italian: bool = False) -> dict[str, list[Function]]:
    """The functions by group; with a word, those in which it occurs."""
    wanted = word.lower().strip()
    found: dict[str, list[Function]] = {}
    for function in functions().values():
        group = GROUPS[function.group]
        if any(wanted in text.lower() for text in (*function.spellings, function.about, function.it, *group)):
            found.setdefault(group[italian], []).append(function)
    return found
