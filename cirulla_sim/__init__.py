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
``read``        a result from its file
``combine``     files of one question added up
``plot``        a chart of a result or a file
``report``      a page of many results, in English and Italian

All but ``rules``, ``hand``, ``plot`` and ``report`` give a ``Result``: ``frame`` (polars), ``to_pandas()``, ``made``
(how it was made, the command included), ``plot()``, ``save()``. What cannot be raises ``InputError``, in one line.

>>> import cirulla_sim as cs
>>> rules = cs.rules("cirulla", players=2, house="piccola-seven")
>>> cs.odds("low and has_matta", rules=rules).frame["exact"].item()
'53/2470'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import InputError

if TYPE_CHECKING:
    from .advice import advise, hand
    from .chances import odds
    from .comparison import compare
    from .contest import tournament
    from .files import combine, plot, read
    from .hands import simulate
    from .pages import Section, report
    from .play import Hand
    from .rulebook import RuleSet, rules
    from .runs import Result
    from .whole_games import games

__version__ = "0.1.0"

_ROOMS = {
    "rules": "rulebook", "RuleSet": "rulebook", "hand": "advice", "Hand": "play", "simulate": "hands",
    "odds": "chances", "compare": "comparison", "games": "whole_games", "tournament": "contest", "advise": "advice",
    "read": "files", "plot": "files", "combine": "files", "Result": "runs", "report": "pages", "Section": "pages",
}  # fmt: skip
"""Where each name lives; no room is called as a function is, for Python would put it in the function's place."""

__all__ = [
    "Hand", "InputError", "Result", "RuleSet", "Section", "advise", "combine", "compare", "games", "hand", "odds",
    "plot", "read", "report", "rules", "simulate", "tournament",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_ROOMS[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
