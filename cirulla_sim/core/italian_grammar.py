"""What Italian does to the words around a value: articles, contractions, elision, singular and plural.

A place of an Italian sentence may say what stands in front of its value, or which form of a word agrees with it:

    {p:il}  {p:nel}  {p:del}   the article, or a preposition with it, of a value without an article: il 12%, nell’81%
    {who:di}  {who:a}          a preposition in front of a noun with or without its article: dell’avversario, di Scopa
    {p:Nel}  {who:Di}          the same at the beginning of a sentence
    {n:punto|punti}            the singular where the value is one, otherwise the plural
"""

from __future__ import annotations

import re
from typing import Any

from .messages import Filler

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
_VOWEL = re.compile(r"[aeiouàèéìòùh]", flags=re.I)
_ONE = re.compile(r"[+−]?1(?![\d.,])(?!.*±)")
"""A number that takes the singular: 1, but not 1,5 and not an estimate."""


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
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        """A value as its place asks for it."""
        if "|" in format_spec:
            one, more = format_spec.split("|")
            return one if _ONE.match(str(value)) else more
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
        written = str(super().format_field(value, format_spec))
        return written.translate(SWAPPED) if isinstance(value, float) or format_spec == "," else written


def _before(preposition: str, article: str, noun: str) -> str:
    """An article, contracted with a preposition if there is one, and a noun."""
    word = _STEMS[preposition] + _ENDINGS[article] if preposition else article
    return word + noun if word.endswith("’") else f"{word} {noun}"


def _article(article: str, word: str) -> str:
    """The form of an article in front of a word, or of a number as it is read."""
    number = re.match(r"[+−]?(\d[\d.]*)", word)
    vowel = bool(_VOWEL.match(word)) if number is None else _begins_with_vowel(number[1])
    impure = bool(_IMPURE.match(word)) if number is None else number[1] == "0" or number[1].startswith("0.")
    if article in ("il", "la"):
        return "l’" if vowel else "lo" if impure and article == "il" else article
    return "gli" if article == "i" and (vowel or impure) else article


def _begins_with_vowel(digits: str) -> bool:
    """Whether a number is read with a vowel in front: uno, otto and whatever begins with it, undici, undicimila."""
    groups = digits.split(".")
    return digits == "1" or digits.startswith("8") or groups[0] == "11"
