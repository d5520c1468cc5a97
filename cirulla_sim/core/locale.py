"""The languages of readers: English as the code has it, others by catalogues of its sentences.

A sentence of the code is the key of the catalogue; what stands in braces is filled in after it is translated.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from .numerals import odds, percent, points


class Speaker(Protocol):
    """A language, or what has one."""

    def say(self, text: str, *places: object, **values: object) -> str:
        """A sentence of the code in this language, with its values filled in; one without a translation stays."""

    def numerals(self, text: str) -> str:
        """A number, or some, written as in this language."""


@dataclass(frozen=True)
class Language:
    """The sentences of a language, none for English, and how its numbers are written."""

    texts: Mapping[str, str]
    comma: bool
    """Whether decimals come after a comma, and thousands after a full stop."""

    @property
    def english(self) -> bool:
        """Whether it is the code's own."""
        return not self.texts

    def say(self, text: str, *places: object, **values: object) -> str:
        """A sentence of the code in this language, with its values filled in; one without a translation stays.

        Names joined by a plus sign are translated one by one.
        """
        translated = self.texts.get(text) or " + ".join(self.texts.get(name, name) for name in text.split(" + "))
        return translated.format(*places, **values) if places or values else translated

    def phrase(self, text: str) -> str:
        """A text of a file in this language; its numbers stand in the catalogue as ``{0}``, ``{1}``."""
        numbers = re.findall(r"\d+", text)
        places = (f"{{{place}}}" for place in range(len(numbers)))
        return self.say(re.sub(r"\d+", lambda _: next(places), text), *numbers)

    def numerals(self, text: str) -> str:
        """A number, or some, written as in this language.

        >>> language("it").numerals("+1,234.5 ± 0.5"), language("en").numerals("1,234.5")
        ('+1.234,5 ± 0,5', '1,234.5')
        """
        return text.translate(_SWAPPED) if self.comma else text

    def percent(self, p: float) -> str:
        """A proportion in percent."""
        return self.numerals(percent(p))

    def points(self, mean: float) -> str:
        """A mean of points."""
        return self.numerals(points(mean))

    def odds(self, p: float, exact: bool = False) -> str:
        """A probability as odds.

        >>> language("it").odds(0.0643), language("en").odds(1e-4), language("it").odds(0)
        ('1 su 15,6', '1 in 10,000', 'mai visto')
        """
        words = odds(p, exact)
        head, _, number = words.rpartition(" ")
        if not number[0].isdigit():
            return self.say(words)
        return self.say(f"{head} {{n}}", n=self.numerals(number))


_SWAPPED = str.maketrans(".,", ",.")
_ADDED: list[Path] = []

CATALOGUES = {"it": "italian"}
"""The folder of sentences of each language, beside this module."""


def add_catalogue(path: Path) -> None:
    """Add sentences that a study uses; the file is called by its language, as ``it.toml``."""
    if path not in _ADDED:
        _ADDED.append(path)
        language.cache_clear()


@cache
def language(name: str) -> Language:
    """A language by its name."""
    if name == "en":
        return Language(MappingProxyType({}), comma=False)
    own = files(__package__).joinpath(CATALOGUES[name])
    sources = [*sorted(own.iterdir(), key=lambda file: file.name), *(path for path in _ADDED if path.stem == name)]
    parts = [part for source in sources for part in tomllib.loads(source.read_text("utf-8")).values()]
    texts = {english: text for part in parts for english, text in part.items()}
    return Language(MappingProxyType(texts), comma=True)
