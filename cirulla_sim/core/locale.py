"""The languages of readers: English as the code has it, others by catalogues of its sentences.

A sentence of the code is the key of the catalogue; what stands in braces is filled in after it is translated.
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.resources import files
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any

from .cards import in_language
from .messages import Filler, Message, before_suggestion, fill_in, in_forms
from .numerals import format_percent, odds_words

_ENDINGS = {"il": "l", "lo": "llo", "l’": "ll’", "la": "lla", "i": "i", "gli": "gli", "le": "lle"}
"""What an article becomes behind a preposition."""
_STEMS = {"di": "de", "a": "a", "da": "da", "in": "ne", "su": "su"}
"""What a preposition becomes in front of an article."""
_ARTICLES = ("il", "la", "i", "le")
"""The articles that a place may name; they stand for lo, l’ and gli too."""
_ARTICLED = {article: ("", article) for article in _ARTICLES} | {
    stem + _ENDINGS[article]: (preposition, article) for preposition, stem in _STEMS.items() for article in _ARTICLES
}

SWAPPED = str.maketrans(".,", ",.")
"""Decimals come after a comma, and thousands after a full stop."""

_WITH_ARTICLE = re.compile(r"(il|lo|la|i|gli|le) (.*)|(l’)(.*)", flags=re.S | re.I)
_IMPURE = re.compile(r"s[^aeiouàèéìòù\W\d]|z|x|y|gn|ps|pn", flags=re.I)
_READ_WITH_VOWEL = re.compile(r"1$|8|11(\.|$)")
"""Numbers that are read with a vowel in front: uno, otto and whatever begins with it, undici, undicimila."""
_TYPED = re.compile(r"'[^']*'|(?<![\w-])(?:to play|last capture|i am|[a-z_]+)\b")
# A word of a command, besides its options and what is quoted in it
_VOWEL = re.compile(r"[aeiouàèéìòùh]", flags=re.I)


class Agreement(Filler):
    """Fills the places of Italian sentences.

    >>> form = Agreement().format
    >>> form("{0:il}, {1:il}, {2:il}, {3:il}", "12%", "81%", "0,5%", "11%")
    'il 12%, l’81%, lo 0,5%, l’11%'
    >>> form("{0:nel} dei casi, più {1:di}, {2:di}, {3:a}", "8%", "l’avversario", "il mazziere", "gli altri")
    'nell’8% dei casi, più dell’avversario, del mazziere, agli altri'
    >>> form("{n} {n:punto|punti}, {m} {m:mano|mani}", n="1", m="1,5 ± 0,2")
    '1 punto, 1,5 ± 0,2 mani'
    >>> form("{hands:,} mani, {half}", hands=20_000, half=0.5)
    '20.000 mani, 0,5'

    Words that somebody types are those of ``add_names("parole", ...)`` in a place that ends in ``:parole``.
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        """A value as its place asks for it."""
        if format_spec[:1].isupper():
            filled = self.format_field(value, format_spec.lower())
            return filled[:1].upper() + filled[1:]
        if format_spec in _ARTICLED:
            preposition, article = _ARTICLED[format_spec]
            return _before(preposition, _article(article, str(value)), str(value))
        if format_spec in _STEMS:
            # A noun behind a preposition, contracted with the article that the noun may have
            noun = str(value)
            match = _WITH_ARTICLE.fullmatch(noun)
            if match is None:
                joined = "ad" if format_spec == "a" and noun[:1].lower() == "a" else format_spec
                return f"{joined} {noun}"
            return _before(format_spec, (match[1] or match[3]).lower(), match[2] or match[4])
        if words := _NAMED.get(format_spec):
            return _TYPED.sub(lambda word: words.get(word[0], word[0]), str(value))
        written = str(super().format_field(value, format_spec))
        return written.translate(SWAPPED) if isinstance(value, float) or format_spec == "," else written


def _before(preposition: str, article: str, noun: str) -> str:
    """An article, contracted with a preposition if there is one, and a noun."""
    word = _STEMS[preposition] + _ENDINGS[article] if preposition else article
    return word + noun if word.endswith("’") else f"{word} {noun}"


def _article(article: str, word: str) -> str:
    """The form of an article in front of a word, or of a number as it is read."""
    number = re.match(r"[+−]?(\d[\d.]*)", word)
    vowel = bool(_VOWEL.match(word)) if number is None else _READ_WITH_VOWEL.match(number[1]) is not None
    impure = bool(_IMPURE.match(word)) if number is None else number[1] == "0" or number[1].startswith("0.")
    if article in ("il", "la"):
        return "l’" if vowel else "lo" if impure and article == "il" else article
    return "gli" if article == "i" and (vowel or impure) else article


@dataclass(frozen=True)
class Language:
    """The sentences of a language, none for English, how their places are filled in and how its numbers are written."""

    name: str
    texts: Mapping[str, str]
    comma: bool
    """Whether decimals come after a comma, and thousands after a full stop."""
    filler: Filler = field(default_factory=Filler)
    messages: Mapping[str, str] = field(default_factory=dict)
    """The translations of the templates of messages."""

    @property
    def english(self) -> bool:
        """Whether it is the code's own."""
        return not self.texts

    def say(self, text: str, *places: object, **values: object) -> str:
        """A sentence of the code in this language, with its values filled in; one without a translation stays.

        Names joined by a plus sign are translated one by one.
        """
        own = _NAMED.get(self.name, {})
        translated = self.texts.get(text) or " + ".join(
            self.texts.get(name) or own.get(name, name) for name in text.split(" + ")
        )
        sentence = self.filler.format(translated, *places, **values) if places or values else translated
        return sentence if self.english else _UNBROKEN.sub(NO_BREAK, _MILLIONS.sub(" di ", sentence))

    def phrase(self, text: str) -> str:
        """A text of a file in this language; its numbers stand in the catalogue as ``{0}``, ``{1}``."""
        places = count()
        return self.say(re.sub(r"\d+", lambda _: f"{{{next(places)}}}", text), *re.findall(r"\d+", text))

    def translate(self, text: str, called: Mapping[str, str] | None = None) -> str:
        """A message in this language with the values that it has; a text without a translation stays.

        ``called`` says what a page of forms calls the options whose flags the message names.

        >>> error = Message("{flag} {value!r} is not valid (valid: text)", "--as", "is not valid")
        >>> language("it").translate(error)
        "--as 'is not valid' non è valido (valido: testo)"
        >>> language("en").translate(error, {"--as": "“Name”"})
        "“Name” 'is not valid' is not valid (valid: text)"
        """
        if self.english and called is None:
            return str(text)
        template, values = (text.template, text.values) if isinstance(text, Message) else (text, {})
        known = self.messages.get(template) or _NAMED.get(self.name, {}).get(template, template)
        template = _UNBROKEN.sub(NO_BREAK, known)
        if called is not None:
            template = in_forms(template, called)
            values = {name: _called(value, called) for name, value in values.items()}
        return in_language(fill_in(template, values, self.filler, partial(self.translate, called=called)), self.name)

    def numerals(self, text: str) -> str:
        """A number, or some, written as in this language.

        >>> language("it").numerals("-1,234.5 (0.5)"), language("en").numerals("1,234.5")
        ('−1.234,5 (0,5)', '1,234.5')
        """
        return _UNBROKEN.sub(NO_BREAK, _MINUS.sub("−", text.translate(SWAPPED))) if self.comma else text

    def percent(self, p: float) -> str:
        """A proportion in percent."""
        return self.numerals(format_percent(p))

    def odds(self, p: float, exact: bool = False) -> str:
        """A probability as odds.

        >>> language("it").odds(0.0643), language("en").odds(1e-4), language("it").odds(0)
        ('1 su 15,6', '1 in 10,000', 'mai osservato')
        """
        return self.translate(odds_words(p, exact))


def _called(value: object, called: Mapping[str, str]) -> object:
    """A value of a message, in place of a flag at its beginning what its field is called."""
    flag, colon, after = str(value).partition(": ")
    is_flag = isinstance(value, str) and not isinstance(value, Message) and flag in called
    return called[flag] + colon + after if is_flag else value


NO_BREAK = "\u00a0"
"""A blank at which no line is broken."""

_MINUS = re.compile(r"(?<![\w.,)-])-(?=\d)")
_UNBROKEN = re.compile(r" (?=±)|(?<=±) |(?<=[\d}]) (?=(?:\{\w+:)?(?:punt[oi]|p\.p\.|smazzat[ae]|partit[ae]|µs)\b)")
"""Blanks within what is read as one: around ±, and between a number and its unit."""
_MILLIONS = re.compile(r"(?<=\d\.000\.000) (?=(?:smazzate|partite|distribuzioni|serate|incontri)\b)")
# Blanks behind round millions in Italian
_ADDED: list[Path] = []
_NAMED: dict[str, dict[str, str]] = {}

NAMES = {"en": "English", "it": "Italiano"}
"""The languages, each by its own name."""

CATALOGUES = {"it": "italian"}
"""The folder of sentences of each language, beside this module."""

MESSAGES = "messages.toml"
"""The file of messages in such a folder."""


def add_catalogue(path: Path) -> None:
    """Add sentences that a study uses; the file is called by its language, as ``it.toml``."""
    if path not in _ADDED:
        _ADDED.append(path)
        language.cache_clear()


def add_names(name: str, translations: Iterable[Sequence[str]]) -> None:
    """Add what rules call something, each text in English and in a language; sentences of the catalogues go before."""
    _NAMED.setdefault(name, {}).update((text, translation) for text, translation in translations)


@cache
def language(name: str) -> Language:
    """A language by its name."""
    if name == "en":
        return Language(name, MappingProxyType({}), comma=False)
    own = files(__package__).joinpath(CATALOGUES[name])
    sources = [*sorted(own.iterdir(), key=lambda file: file.name), *(path for path in _ADDED if path.stem == name)]
    texts: dict[str, str] = {}
    messages: dict[str, str] = {}
    for source in sources:
        for part in tomllib.loads(source.read_text("utf-8")).values():
            (messages if source.name == MESSAGES else texts).update(part)
    messages = {before_suggestion(english): before_suggestion(text) for english, text in messages.items()} | messages
    return Language(name, MappingProxyType(texts), True, Agreement(), MappingProxyType(messages))


def preferred_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the environment asks for, or Windows where it says nothing; English without a catalogue of it.

    >>> preferred_language({"LANG": "it_IT.UTF-8"}), preferred_language({"LC_ALL": "C", "LANG": "it_IT.UTF-8"})
    ('it', 'en')
    """
    chosen = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    chosen = chosen or _language_of_windows()
    name = re.split(r"[_.@]", chosen)[0].lower()
    return name if name in CATALOGUES else "en"


def _language_of_windows() -> str:
    """The language in which Windows speaks to its user, as ``it_IT``; empty on other systems."""
    if sys.platform != "win32":
        return ""
    import ctypes
    from locale import windows_locale

    return windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")


def unbroken(text: str) -> str:
    """A sentence whose numbers are not broken from their intervals and units.

    >>> unbroken("by +0.4 ± 0.1 points").count("\\u00a0")
    3
    """
    text = text.replace(" ± ", f"{NO_BREAK}±{NO_BREAK}")
    return re.sub(r"(\d) (?=\w)", rf"\1{NO_BREAK}", text)
