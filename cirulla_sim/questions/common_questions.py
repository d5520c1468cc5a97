"""Questions that people ask, each with the command that answers it, and those nearest to a question in plain words.

Two texts are alike as far as their words are: words for one thing in the vocabulary are the same word, others are alike
by the groups of three letters that they share, so that endings and slips of the pen matter little. Rare words count
most.

>>> [question.command for question in nearest("how often does the dealer win?", n=1)]
['odds "wins(dealer_side)" --hands 20k']
>>> [question.command for question in nearest("quanto vale la mata in punti", n=1)]
['odds "mean(margin(us))" --by "matta(me)" --hands 20k']
>>> nearest("what is the capital of France?")
[]
"""

from __future__ import annotations

import math
import re
import shlex
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import repeat
from operator import mul
from typing import Any
from unicodedata import normalize

from ..core.cards import described
from ..core.locale import language
from ..ruleset.catalogue import catalogue
from ..situation.notation import Situation
from ..situation.people import ITALIAN
from .parser import ITALIAN_FUNCTIONS
from .suggestions import is_filler
from .vocabulary import CATEGORIES, PEOPLE, RANKS, functions, meaning_of, number_word

_CALLED = {described("7d"): "settebello", described("7h"): "matta"}
"""Cards that have names."""

LONGEST = 300
"""The most characters of a question in plain words."""

LIKE_ENOUGH = 0.45
"""How much alike a question must be to be named."""

FILLER, UNKNOWN = 0.1, 0.4
"""What a word such as *how* or *the*, and a word of no question count, of the weight that they would have."""


@dataclass(frozen=True)
class CommonQuestion:
    """A question in several wordings of each language, the usual one first, and the command that answers it."""

    section: str
    command: str
    en: tuple[str, ...]
    it: tuple[str, ...]
    answered: bool = False
    """Whether the documentation shows the answer, a number."""

    def text(self, lang: str) -> str:
        """The question in its usual words."""
        return (self.it if lang == "it" else self.en)[0]

    @cached_property
    def arguments(self) -> dict[str, str]:
        """The verb, the question and the options of the command, as they are written.

        >>> questions()[1].arguments
        {'verb': 'odds', 'question': 'barsegon'}
        """
        verb, *words = shlex.split(self.command)
        given = {"verb": verb} | ({} if words[0].startswith("--") else {"question": words.pop(0)})
        return given | {flag[2:].replace("-", "_"): value for flag, value in zip(words[::2], words[1::2], strict=True)}

    def in_language(self, lang: str) -> dict[str, str]:
        """The arguments with expressions and situation as they are written in a language."""
        given = dict(self.arguments)
        for name in ("question", "given", "by") if lang == "it" else ():
            given |= {name: in_italian(given[name])} if name in given else {}
        return given | ({"at": Situation.parse(given["at"]).text(lang)} if "at" in given else {})


@cache
def _catalogue() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("common_questions.toml").read_text("utf-8"))


@cache
def sections() -> dict[str, tuple[str, str]]:
    """The titles of the sections in both languages."""
    return {name: tuple(fields["title"]) for name, fields in _catalogue().items() if "title" in fields}


@cache
def questions() -> tuple[CommonQuestion, ...]:
    """All questions, section by section; of every house rule what it changes."""
    found = [
        CommonQuestion(section, one["command"], tuple(one["en"]), tuple(one["it"]), one.get("answered", False))
        for section in sections()
        for one in _catalogue()[section]["question"]
    ]
    of_houses = {one.arguments.get("house") for one in found}
    for name, house in catalogue()["house"].items():
        title, italian = (language(of).translate(house["title"]) for of in ("en", "it"))
        if name not in of_houses:
            texts = (f"What changes with this rule: {title}?",), (f"Che cosa cambia con questa regola: {italian}?",)
            found.append(CommonQuestion("rules", f"compare --house {name} --hands 20k", *texts))
    return tuple(sorted(found, key=lambda one: list(sections()).index(one.section)))


# ------------------------------------------------------------------------------------------------ the nearest


def nearest(text: str, lang: str = "", n: int = 3) -> list[CommonQuestion]:
    """The questions most like a text, the nearest first; none that has little in common with it.

    Wordings of ``lang`` go before others of the same likeness.
    """
    if len(text) > LONGEST:
        return []
    wanted = words_of(text)
    near = [_similar_words(word) for word in wanted]
    nearest_of = {other: max(like.get(other, 0.0) for like in near) for other in set().union(*near)}
    alike = {
        question: max(
            _alike(wanted, near, nearest_of, words) + 0.02 * (of == lang)
            for of in ("en", "it")
            for words in map(words_of, getattr(question, of))
        )
        for question in questions()
    }
    found = sorted(alike, key=lambda question: -alike[question])
    return [question for question in found[:n] if alike[question] >= LIKE_ENOUGH]


def language_of(text: str) -> str:
    """The language whose wordings have more of the words of a text.

    >>> language_of("quanto spesso vince il mazziere"), language_of("how often does the dealer win?")
    ('it', 'en')
    """
    return max(("en", "it"), key=lambda of: len(_plain_words(text) & _words_of_language(of)))


@cache
def _words_of_language(lang: str) -> set[str]:
    return _plain_words(" ".join(text for question in questions() for text in getattr(question, lang)))


def _plain_words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


@lru_cache(1 << 12)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, each once, as the vocabulary has them, small and without accents.

    >>> words_of("Tre sette in mano, perché?"), words_of("three sevens of the dealer")
    (('3', '7', 'in', 'mano', 'perche'), ('3', '7', 'of', 'the', '#dealer'))
    """
    plain = normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    plain = re.sub(r"(\w+) (?:of|di) (\w+)", lambda card: _CALLED.get(described(card[0]) or 0, card[0]), plain)
    plain = plain.replace("no one", "nobody")
    return tuple(dict.fromkeys(map(_concept, re.findall(r"[a-z_]+|\d+", plain))))


@lru_cache(1 << 12)
def _concept(word: str) -> str:
    """The word that stands for all words of one thing, in both languages."""
    if word in _alike_words():
        return _alike_words()[word]
    if (number := number_word(word)) is not None:
        return str(number)
    if word in PEOPLE and not is_filler(word):
        return f"@{PEOPLE[word]}"
    term = None if is_filler(word) else meaning_of(word)
    if term is None:
        near = get_close_matches(word, _alike_words(), 1, 0.8) if len(word) > 4 else ()
        return _alike_words()[near[0]] if near else word
    return str(RANKS.index(term.name) + 1) if term.name in RANKS[1:7] else f"#{term.name}"


@cache
def _alike_words() -> dict[str, str]:
    """The first of the words that mean nearly the same, by word."""
    return {word: f"#{group.split()[0]}" for group in _catalogue()["alike"] for word in group.split()}


@cache
def _little_words() -> frozenset[str]:
    return frozenset(word for line in _catalogue()["little"] for word in line.split())


@cache
def _weights() -> dict[str, float]:
    """How much a word counts: more the fewer questions have it."""
    each = [{word for text in (*one.en, *one.it) for word in words_of(text)} for one in questions()]
    seen = Counter(word for words in each for word in words)
    return {word: math.log(len(each) / number) for word, number in seen.items()}


@lru_cache(1 << 12)
def _weight(word: str) -> float:
    weight = _weights().get(word, UNKNOWN * math.log(len(questions())))
    return weight * (FILLER if is_filler(word) or word in _little_words() else 1.0)


def _alike(
    wanted: Sequence[str], near: Sequence[Mapping[str, float]], nearest_of: Mapping[str, float], words: Sequence[str]
) -> float:
    """How much of two texts is in the other, the one asked above all, by the weights of their words; 1 for the same.

    ``near`` has for each word wanted those that are like it, ``nearest_of`` for each of these how like it is at most.
    """
    common = [word for word in words if word in nearest_of]
    if not common:
        return 0.0
    of_wanted = [max(map(like.get, common, repeat(0.0))) for like in near]
    of_words = [nearest_of.get(word, 0.0) for word in words]
    return float((_found(wanted, of_wanted) ** 2 * _found(words, of_words)) ** (1 / 3))


def _found(words: Sequence[str], shares: Sequence[float]) -> float:
    """How much of some words was found, each by its share, by their weights."""
    weights = list(map(_weight, words))
    return float(sum(map(mul, weights, shares)) / (sum(weights) or 1.0))


@lru_cache(1 << 12)
def _similar_words(word: str) -> dict[str, float]:
    """The words of the questions that are like a word, each with how alike they are."""
    return {other: share for other in _weights() if (share := _similar(word, other))}


def _similar(word: str, other: str) -> float:
    """How alike two words are, by their groups of three letters; 0 where that is little."""
    if word == other:
        return 1.0
    groups, others = _letters(word), _letters(other)
    share = 2 * len(groups & others) / (len(groups) + len(others))
    return share if share >= 0.45 else 0.0


@lru_cache(1 << 12)
def _letters(word: str) -> frozenset[str]:
    """The groups of three letters of a word."""
    plain = word.strip("#@")
    return frozenset(f"  {plain} "[at : at + 3] for at in range(len(plain) + 1))


# ------------------------------------------------------------------------------------------------ Italian

_AROUND = {
    "given": "se", "and": "e", "or": "o", "not": "non", "between": "tra", "stage": "giro", "stages": "giri",
    "after": "dopo", "with": "con", "by": "con", "card": "carta", "ace": "asso", "seven": "sette", "nobody": "nessuno",
    "together": "insieme", "most": "massimo", "fewest": "minimo", "table": "tavola", "dealer_side": "parte_mazziere",
    "first_side": "parte_primo",
}  # fmt: skip


def in_italian(expression: str) -> str:
    """An English expression in Italian words, texts in quotation marks left as they are.

    >>> in_italian("wins(us) given knocks(us, barsegon) and 'AK' = ranks")
    "vince(noi) se bussate(noi, barsegon) e 'AK' = valori"
    """
    italian = {name: function.italian for name, function in functions().items()} | CATEGORIES | ITALIAN | _AROUND
    italian |= {name: word for word, name in reversed(ITALIAN_FUNCTIONS.items())}
    return re.sub(r"'[^']*'|[a-z_]+", lambda match: italian.get(match[0], match[0]), expression)
