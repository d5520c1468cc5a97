"""The tab that compares house rules, those of the catalogue and a file of the reader's own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..core.arguments import count
from ..core.errors import InputError
from ..core.locale import Language
from ..reporting.result import Result
from ..ruleset.catalogue import catalogue, preset_names, says
from ..ruleset.presets import assignment, build
from ..ruleset.rule_files import is_house
from ..verbs import functions
from . import forms
from .forms import Form, query_form, renamed
from .rendering import language_of, page
from .results_tab import files
from .run_pages import answered

MOST_HANDS, USUAL_HANDS, MOST_RULES, MOST_GAMES = 1_000_000, "20k", 10, 100_000

OWN = "own.toml"
"""What the file of own rules is called."""

POINTS = {name: spec["range"] for name, spec in catalogue()["field"].items()
          if "points: {value}" in spec["says"].get("number", "")}  # fmt: skip
"""The fields that say how many points something pays, each with the fewest and the most that are possible."""


def _arguments(form: Form) -> dict[str, Any] | None:
    """The arguments of ``_compare``, None for an empty form; raises ``InputError`` for one that is not valid."""
    if not form:
        return None
    rules, chosen = forms.preset(form.get("rules", "cirulla")), forms.houses(form.all("house"))
    own, points = form.get("own"), _points(form)
    if own and points:
        raise InputError("--own: cannot be combined with points of your own (valid: one of them)")
    if not (chosen or own or points):
        raise InputError("no house rule is chosen (valid: one or more)")
    if len(chosen) > MOST_RULES:
        raise InputError("{number} house rules are chosen (valid: 1 to {most})", len(chosen), MOST_RULES)
    return {
        "rules": rules,
        "house": chosen,
        "together": bool(form.get("together")),
        "players": forms.players(form.get("players"), rules),
        "policy": forms.policy(form.get("policy", "careful")),
        "hands": count("--hands", form.get("hands", USUAL_HANDS), 100, MOST_HANDS),
        "games": count("--games", form.get("games"), 1, MOST_GAMES) if form.get("games") else None,
        "own": own or points,
    }


def _points(form: Form) -> str:
    """A file of rules with the points that the form changes; empty for none."""
    lines = [assignment(name, count(f"--{name.replace('_', '-')}", form.get(name), *bounds))
             for name, bounds in POINTS.items() if form.get(name)]  # fmt: skip
    return "\n".join(('title = "Points of our own"', "[fields]", *lines)) if lines else ""


def _offered(form: Form, locale: Language) -> Iterator[tuple[str, str, object]]:
    """What pays points: its field, the words before the number in its sentence, and what is usual."""
    preset = form.get("rules")
    rules = build(preset if preset in preset_names() else "cirulla")
    for name, (_, most) in POINTS.items():
        words = str(locale.translate(says(name, most + 1, rules)))
        yield name, words.partition(f": {most + 1}")[0], getattr(rules, name)


def _compare(own: str, house: tuple[str, ...], together: bool, **given: Any) -> Result:
    """The comparison, also with the text of a file, which is there meanwhile: a house rule, or a whole rule set.

    ``together`` adds all house rules at once. Raises ``InputError`` that names the file as its owner knows it.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder, OWN)
        path.write_text(own, "utf-8")
        every = (*house, str(path)) if own and is_house(own) else house
        joint = ("+".join(every),) if together and len(every) > 1 else ()
        against = (str(path),) if own and not is_house(own) else ()
        try:
            return functions.compare(house=(*every, *joint), against=against, **given)
        except InputError as error:
            raise InputError("--own: {error}", renamed(error, path, OWN)) if own else error from None


def _page(request: Request) -> Response:
    form = query_form(request)
    found = answered(request, _compare, partial(_arguments, form), partial(form.refuse, main="house"))
    points = list(_offered(form, language_of(request)))
    return page(
        request, "house_rules.html", 400 if form.errors else 200, form=form, run=found, policies=forms.POLICIES,
        chooser="/results/pages/rules.html" if "rules.html" in files() else "", points=points,
        labels={f"--{name.replace('_', '-')}": words for name, words, _ in points},
        own=found and (form.get("own") or _points(form)),
    )  # fmt: skip


ROUTES = (Route("/house-rules", _page),)
