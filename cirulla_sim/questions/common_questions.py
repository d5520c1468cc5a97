"""Questions that people ask, each with the command that answers it, in several wordings of each language.

>>> find_wording("how often does the dealer win").command
'odds "wins(dealer_side)" --hands 20k'
>>> find_wording("what is the capital of France?")
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any

from ..core.data import load_toml
from ..ruleset.catalogue import catalogue
from ..situation.notation import Situation
from .vocabulary import in_italian


@dataclass(frozen=True)
class CommonQuestion:
    """A question in several wordings of each language, the usual one first, and the command that answers it."""

    section: str
    command: str
    en: tuple[str, ...]
    it: tuple[str, ...]
    answered: bool | None = None
    """Whether the documentation shows the answer, a number; None where it does not list the question."""

    def text(self, lang: str) -> str:
        """The question in its usual words."""
        return (self.it if lang == "it" else self.en)[0]

    @property
    def arguments(self) -> dict[str, str]:
        """The verb, the question and the options of the command, as they are written.

        >>> common_questions()[1].arguments
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
    return load_toml(__package__, "common_questions.toml")


@cache
def sections() -> dict[str, tuple[str, str]]:
    """The titles of the sections in both languages."""
    return {name: tuple(fields["title"]) for name, fields in _catalogue().items() if "title" in fields}


@cache
def common_questions() -> tuple[CommonQuestion, ...]:
    """All questions, section by section; of every house rule what it changes."""
    found = [
        CommonQuestion(section, one["command"], tuple(one["en"]), tuple(one["it"]), one.get("answered"))
        for section in sections()
        for one in _catalogue()[section].get("question", ())
    ]
    for name, house in catalogue()["house"].items():
        texts = (f"What changes {house['phrase'][0]}?",), (f"Che cosa cambia {house['phrase'][1]}?",)
        found.append(CommonQuestion("rules", f"compare --house {name} --hands 20k", *texts))
    return tuple(sorted(found, key=lambda one: list(sections()).index(one.section)))


def find_wording(text: str) -> CommonQuestion | None:
    """The question with this wording, but for the case of letters, blanks and marks; None for no such question."""
    words = re.findall(r"\w+", text.lower())
    same = (
        one for one in common_questions() for known in (*one.en, *one.it) if re.findall(r"\w+", known.lower()) == words
    )
    return next(same, None)


def nearest_questions(text: str) -> list[str]:
    """Up to two questions whose wording is most like a text, in their usual words, in the language of that wording.

    >>> nearest_questions("how often do I have a joker and a barsega?")
    ['How often can I knock with my first three cards?', 'How often do I have at least one seven?']
    """
    wordings = {
        text: one.text(lang) for one in common_questions() for lang in ("en", "it") for text in getattr(one, lang)
    }
    return list(dict.fromkeys(wordings[near] for near in get_close_matches(text, wordings, 2, 0.55)))
