"""Monte Carlo analysis of Cirulla and its family: deals, hands, house rules and strategies.

What a question needs is imported when it is asked. The functions are the verbs of the command line, with the same names
for the same things, and text wherever it takes text:

``rules``       a rule set: a preset, house rules, single fields
``hand``        one hand by its number, play by play
``simulate``    many hands: how often, how many points
``odds``        exact chances of dealt cards, questions in words
``compare``     what house rules or other rule sets change, on the same deals
``games``       whole games, and the chance to win from any score
``tournament``  every policy against every other
``advise``      what to play here
``Game``        a game played choice by choice, by you and the policies
``read``        a result from its file
``combine``     files of one request merged
``plot``        a chart of a result or a file
``report``      a page of many results, in English and Italian

``presets``, ``house_rules``, ``policies`` and ``vocabulary`` list the names that these take, each with a sentence.

All verbs but ``rules``, ``hand``, ``plot`` and ``report`` give a ``Result``: ``frame`` (polars), ``to_pandas()``,
``metadata`` (the request, the command...), ``plot()``, ``save()``. Invalid arguments raise ``InputError``, in one line.

>>> import cirulla_sim as cs
>>> rules = cs.rules("cirulla", players=2, house="piccola-seven")
>>> cs.odds("barsega and matta", rules=rules).frame["exact"].item()
'47/2470'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .core.errors import InputError
from .core.version import VERSION as __version__  # noqa: F401

if TYPE_CHECKING:
    from .advice.game import Game, Outcome
    from .engine.user_policies import Choice, Turn
    from .reporting.page.section import Section
    from .reporting.result import Result, read
    from .reporting.text.plays import Hand
    from .ruleset.rule_set import RuleSet, rules
    from .situation.notation import Situation
    from .verbs.functions import advise, combine, compare, games, hand, odds, plot, report, simulate, tournament
    from .verbs.names import house_rules, policies, presets, vocabulary


_VERBS = ("advise", "combine", "compare", "games", "hand", "odds", "plot", "report", "simulate", "tournament")
_MODULES = {
    **dict.fromkeys(_VERBS, "verbs.functions"), "rules": "ruleset.rule_set", "RuleSet": "ruleset.rule_set",
    "Hand": "reporting.text.plays", "read": "reporting.result", "Result": "reporting.result",
    "Section": "reporting.page.section", "Game": "advice.game", "Outcome": "advice.game",
    "Choice": "engine.user_policies", "Turn": "engine.user_policies", "Situation": "situation.notation",
    "presets": "verbs.names", "house_rules": "verbs.names", "policies": "verbs.names", "vocabulary": "verbs.names",
}  # fmt: skip
"""The module that defines each public name; it is imported when the name is first used."""

__all__ = [
    "Choice", "Game", "Hand", "InputError", "Outcome", "Result", "RuleSet", "Section", "Situation", "Turn", "advise",
    "combine", "compare", "games", "hand", "house_rules", "odds", "plot", "policies", "presets", "read", "report",
    "rules", "simulate", "tournament", "vocabulary",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
