"""What the shell completes: the names that an option or argument takes, found without any heavy import."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from click import Command, Context, Parameter
from click import Option as ClickOption
from click.shell_completion import CompletionItem

from ..engine.policy_names import OPPONENTS, SUFFIXES
from ..questions.vocabulary import functions
from ..reporting.text.quantity_names import QUANTITIES
from ..ruleset.catalogue import catalogue
from ..situation.people import ABSOLUTE
from ..verbs.names import house_rules, policies, presets
from ..verbs.option_model import Option

FIGURES = (
    "points", "wins", "bonuses", "scores", "primiera", "odds", "categories", "margin", "spread", "games", "hands",
    "leads", "winners", "changed", "ties", "undefeated", "minutes", "misdeals", "cappotti", "strength", "matrix",
    "winning_margin", "lead_changes", "comeback", "we-deal", "they-deal", "chance",
)  # fmt: skip
"""The figures of all kinds of files; here because the modules that draw them import matplotlib."""


def _changed_fields() -> list[str]:
    """Every field with each value that a source gives it, as ``target=26``."""
    return [f"{name}={value}" for name, spec in catalogue()["field"].items() for value in spec["source"]]


SIZES = ("4", "16", "64", "256")
"""Numbers of samples that follow ``search:``."""


def _line_up(typed: str) -> list[str]:
    """The line-ups that begin as what is typed: policies, whose they are, and what follows a policy's name.

    >>> _line_up("search:"), _line_up("dealer=sea"), _line_up("dealer=search, oth")
    (['search:4', 'search:16', 'search:64', 'search:256'], ['dealer=search'], ['dealer=search, others='])
    """
    before, last = re.fullmatch(r"(.*[=,]\s*)?(.*)", typed, re.DOTALL).groups("")  # type: ignore[union-attr]
    name, plus, _ = last.rpartition("+")
    if plus:
        endings = [f"{name}+{suffix}" for suffix in SUFFIXES]
    elif match := re.fullmatch(r"(search:\d+:).*", last):
        endings = [match[1] + opponent for opponent in OPPONENTS]
    else:
        endings = [*policies(), *(f"search:{size}" for size in SIZES if last.startswith("search"))]
        if "=" not in typed or before.rstrip().endswith(","):
            endings += [f"{who}=" for who in (*ABSOLUTE, "others", "us", "them")] if last or before else []
    if before.rstrip().endswith(","):
        endings = [ending for ending in endings if ending.endswith("=")]
    return [before + ending for ending in endings if ending.startswith(last)]


NAMES: dict[str, Callable[[], Iterable[str]]] = {
    "rules": presets,
    "against": presets,
    "house": house_rules,
    "rule": _changed_fields,
    "policy": policies,
    "only": lambda: QUANTITIES,
    "precision_of": lambda: QUANTITIES,
    "figure": lambda: FIGURES,
    "given": functions,
    "by": functions,
}
"""The names that an option takes, by its own name, where its metavar does not have them."""


def option_for(command: Command, name: str) -> str:
    """The option of a command that takes a name, with it; empty where none does.

    >>> from . import app
    >>> compare = app.get_command(None, "compare")
    >>> option_for(compare, "no-matta"), option_for(compare, "target"), option_for(compare, "else")
    ('--house no-matta', '--rule target=VALUE', '')
    """
    options = {option.name: option.opts[0] for option in command.params if isinstance(option, ClickOption)}
    if name in catalogue()["field"] and "rule" in options:
        return f"{options['rule']} {name}=VALUE"
    return next((f"{options[key]} {name}" for key, names in NAMES.items() if key in options and name in names()), "")


JOINS = {"house": "+", "only": ","}
"""What joins several names in one value."""


def values(option: Option, typed: str) -> list[CompletionItem]:
    """The values of an option that begin as what is typed; files and folders where it takes these, too.

    >>> from ..verbs.options import LANG, ONLY, RULES
    >>> [item.value for item in values(RULES[0], "scopo")], [item.value for item in values(ONLY, "margin,captu")]
    (['scopone', 'scopone-scientifico'], ['margin,captures'])
    >>> [item.value for item in values(LANG, "")], [item.type for item in values(RULES[0], "./mine")]
    (['en', 'it'], ['file'])
    """
    shown = option.metavar or ""
    names = getattr(option.read, "names", None) or NAMES.get(option.name, lambda: _named_in(shown))()
    if option.name == "policy" and option.part == "line_ups":
        names = _line_up(typed)
    before, join, last = typed.rpartition(JOINS[option.name]) if option.name in JOINS else ("", "", typed)
    found = [CompletionItem(f"{before}{join}{name}") for name in names if name.startswith(last)]
    if found or ("FILE" not in shown and shown != "DIR"):
        return found
    return [CompletionItem(typed, type="dir" if shown == "DIR" else "file")]


def _named_in(metavar: str) -> list[str]:
    """The words of a metavar that are names themselves.

    >>> _named_in("light|dark|grey"), _named_in("FIELD=VALUE")
    (['light', 'dark', 'grey'], [])
    """
    return [word for word in metavar.split("|") if word.islower()]


def files(context: Context, parameter: Parameter, typed: str) -> list[CompletionItem]:
    """An argument that is a file."""
    return [CompletionItem(typed, type="file")]


def rule_sets(context: Context, parameter: Parameter, typed: str) -> list[CompletionItem]:
    """An argument that is a preset, a house rule or a file of rules."""
    found = [CompletionItem(name) for name in (*presets(), *house_rules()) if name.startswith(typed)]
    return found or files(context, parameter, typed)


def questions(context: Context, parameter: Parameter, typed: str) -> list[CompletionItem]:
    """An argument that is a question: its functions, in both languages."""
    words = (word for one in functions().values() for word in (one.name, one.italian) if word.isidentifier())
    return [CompletionItem(word) for word in dict.fromkeys(words) if word.startswith(typed)]
