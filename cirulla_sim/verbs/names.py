"""The names that arguments take, each with a sentence: presets, house rules, policies, functions of questions."""

from __future__ import annotations

from html import escape
from types import MappingProxyType

from ..core.arguments import LANGUAGES, choice, public
from ..core.locale import language
from ..questions.vocabulary import functions
from ..ruleset.catalogue import catalogue

POLICIES = MappingProxyType(
    {
        "random": "plays any legal card",
        "greedy": "takes what is worth most now",
        "careful": "also considers what it leaves to the next player; fast",
        "search": "plays out deals of the cards that it does not see: stronger and slower, search:N with N deals",
        "open": "sees all cards and plays the best line: a measure, not a fair player",
    }
)
"""The policies of the package, in the order of their strength."""


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
    return _titles("preset", lang)


@public
def house_rules(*, lang: str = "en") -> Names:
    """The house rules, which ``house`` takes, each with what it says; ``lang`` is ``en`` or ``it``.

    >>> house_rules()["piccola-seven"], house_rules(lang="it")["piccola-seven"]
    ('La piccola counts up to seven cards', 'La piccola arriva fino a sette carte')
    """
    return _titles("house", lang)


@public
def policies(*, lang: str = "en") -> Names:
    """The policies, which ``policy`` takes; ``lang`` is ``en`` or ``it``.

    >>> policies()["greedy"]
    'takes what is worth most now'
    """
    translate = language(choice("--lang", "language", lang, LANGUAGES)).translate
    return Names({name: translate(text) for name, text in POLICIES.items()})


@public
def vocabulary(*, lang: str = "en") -> Names:
    """The functions that questions are made of, each with what it is; in Italian (``lang="it"``) by Italian names.

    >>> vocabulary()["holds"]
    'how many of some cards are among those held: 7d, K* (kings), diamonds; of a side, by all its players'
    """
    italian = choice("--lang", "language", lang, LANGUAGES) == "it"
    every = functions().values()
    return Names({one.italian: one.it for one in every} if italian else {one.name: one.about for one in every})


def _titles(kind: str, lang: str) -> Names:
    """What the catalogue of rules calls its presets or house rules."""
    translate = language(choice("--lang", "language", lang, LANGUAGES)).translate
    return Names({name: translate(spec["title"][0]) for name, spec in catalogue()[kind].items()})
