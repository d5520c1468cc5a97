"""The names that arguments take, each with a sentence: presets, house rules, policies, functions of questions."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from ..core.arguments import LANGUAGES, choice, public
from ..engine.policies import POLICIES
from ..questions.vocabulary import functions
from ..ruleset.catalogue import catalogue


class Names(dict[str, str]):
    """Names, each with a sentence on what it is; it shows itself as a table.

    >>> Names({"scopa": "The game of sweeps", "cirulla": "The game of fifteens"})
    scopa    The game of sweeps
    cirulla  The game of fifteens
    """

    def __repr__(self) -> str:
        wide = max(map(len, self), default=0)
        return "\n".join(f"{name:<{wide}}  {sentence}" for name, sentence in self.items())

    def _repr_html_(self) -> str:
        rows = (f"<tr><td><code>{escape(name)}</code></td><td>{escape(text)}</td></tr>" for name, text in self.items())
        return f"<table>{''.join(rows)}</table>"


@public
def presets(*, lang: str = "en") -> Names:
    """The presets, which ``rules`` takes, each with what it is; ``lang`` is ``en`` or ``it``.

    >>> presets()["scopa"]
    'Scopa, each alone'
    """
    return _texts(catalogue()["preset"], "title", lang)


@public
def house_rules(*, lang: str = "en") -> Names:
    """The house rules, which ``house`` takes, each with what it says; ``lang`` is ``en`` or ``it``.

    >>> house_rules()["piccola-seven"], house_rules(lang="it")["piccola-seven"]
    ('La piccola counts up to seven cards', 'La piccola arriva fino a sette carte')
    """
    return _texts(catalogue()["house"], "title", lang)


@public
def policies(*, lang: str = "en") -> Names:
    """The policies, which ``policy`` takes; ``lang`` is ``en`` or ``it``.

    >>> policies()["greedy"]
    'takes what is worth most now'
    """
    return _texts(POLICIES, "about", lang)


@public
def vocabulary(*, lang: str = "en") -> Names:
    """The functions that questions are made of, each with what it is; in Italian (``lang="it"``) by Italian names.

    >>> vocabulary()["holds"]
    'how many of some cards are among those held: 7d, K* (kings), diamonds; of a side, by all its players'
    """
    italian = choice("--lang", "language", lang, LANGUAGES) == "it"
    every = functions().values()
    return Names({one.italian: one.it for one in every} if italian else {one.name: one.about for one in every})


def _texts(entries: Mapping[str, Mapping[str, Any]], key: str, lang: str) -> Names:
    """A text of each entry, which has it in all languages."""
    place = LANGUAGES.index(choice("--lang", "language", lang, LANGUAGES))
    return Names({name: entry[key][place] for name, entry in entries.items()})
