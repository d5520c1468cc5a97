"""The tab that compares house rules, those of the catalogue and a file of the reader's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..core.arguments import count
from ..core.errors import InputError
from ..reporting.result import Result
from ..ruleset.presets import build
from ..ruleset.rule_files import is_house
from ..verbs import functions
from . import forms
from .forms import Form, query_form, renamed
from .rendering import page
from .results_tab import files
from .run_pages import answered

MOST_HANDS, USUAL_HANDS, MOST_RULES, MOST_GAMES = 1_000_000, "20k", 10, 100_000

OWN = "own.toml"
"""What the file of own rules is called."""


def _arguments(form: Form) -> dict[str, Any] | None:
    """The arguments of ``_compare``, None for an empty form; raises ``InputError`` for one that is not valid."""
    if not form:
        return None
    rules, chosen, own = forms.preset(form.get("rules", "cirulla")), forms.houses(form.all("house")), form.get("own")
    if not (chosen or own):
        raise InputError("no house rule is chosen (valid: one or more)")
    if len(chosen) > MOST_RULES:
        raise InputError("{number} house rules are chosen (valid: 1 to {most})", len(chosen), MOST_RULES)
    together = ("+".join(chosen),) if form.get("together") and len(chosen) > 1 else ()
    players = forms.players(form.get("players"), rules)
    _with_own(own, partial(_check, rules, players))
    return {
        "rules": rules,
        "house": (*chosen, *together),
        "players": players,
        "policy": forms.policy(form.get("policy", "careful")),
        "hands": count("--hands", form.get("hands", USUAL_HANDS), 100, MOST_HANDS),
        "games": count("--games", form.get("games"), 1, MOST_GAMES) if form.get("games") else None,
        "own": own,
    }


def _compare(own: str, house: tuple[str, ...], **given: Any) -> Result:
    """The comparison, also with rules of one's own, the text of a file."""

    def compared(own_house: tuple[str, ...] = (), against: tuple[str, ...] = ()) -> Result:
        return functions.compare(house=(*house, *own_house), against=against, **given)

    result: Result = _with_own(own, compared)
    return result


def _check(rules: str, players: int | None, own_house: tuple[str, ...] = (), against: tuple[str, ...] = ()) -> None:
    """Raise ``InputError`` for own rules that are not valid."""
    for base in (rules, *against):
        build(base, players, own_house)


def _with_own(own: str, use: Callable[..., Any]) -> Any:
    """What comes of the rules in a text, in a file that is there meanwhile: a house rule, or a whole rule set.

    Raises ``InputError`` that names the file as its owner knows it.
    """
    if not own:
        return use()
    with TemporaryDirectory() as folder:
        path = Path(folder, OWN)
        path.write_text(own, "utf-8")
        try:
            return use(**{"own_house" if is_house(own) else "against": (str(path),)})
        except InputError as error:
            raise InputError("--own: {error}", renamed(error, path, OWN)) from None


def _page(request: Request) -> Response:
    form = query_form(request)
    found = answered(request, _compare, partial(_arguments, form), partial(form.refuse, main="house"))
    status = 400 if form.errors else 200
    chooser = "/results/pages/rules.html" if "rules.html" in files() else ""
    return page(request, "house_rules.html", status, form=form, run=found, policies=forms.POLICIES, chooser=chooser)


ROUTES = (Route("/house-rules", _page),)
