"""The tab that compares house rules, those of the catalogue and a file of the reader's own."""

from __future__ import annotations

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
from ..ruleset.catalogue import catalogue, says
from ..ruleset.presets import assignment, build, is_house
from ..verbs import functions
from . import forms
from .forms import Form, query_form, rename_file
from .rendering import language_of, page
from .results_tab import files
from .run_pages import answer_form

MOST_HANDS, USUAL_HANDS, MOST_RULES, MOST_GAMES = 1_000_000, "20k", 10, 100_000

OWN = "own.toml"
"""What the file of own rules is called."""

POINT_FIELDS = {name: spec["range"] for name, spec in catalogue()["field"].items()
          if "points: {value}" in spec["says"].get("number", [""])[0]}  # fmt: skip
"""The fields that say how many points something pays, each with the fewest and the most that are possible."""


def _arguments(form: Form) -> dict[str, Any] | None:
    """The arguments of ``_compare``, None for an empty form; raises ``InputError`` for one that is not valid."""
    if not form:
        return None
    rules, chosen, own = forms.preset(form.get("rules", "cirulla")), forms.houses(form.all("house")), _own_rules(form)
    if not (chosen or own):
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
        "own": own,
    }


def _own_rules(form: Form) -> str:
    """The text of a file of rules: the one that was written, or one of the points filled in; empty for neither."""
    lines = [assignment(name, count(f"--{name.replace('_', '-')}", form.get(name), *bounds))
             for name, bounds in POINT_FIELDS.items() if form.get(name)]  # fmt: skip
    if lines and form.get("own"):
        raise InputError("--own: cannot be combined with points of your own (valid: one of them)")
    return "\n".join(('title = "Points of our own"', "[fields]", *lines)) if lines else form.get("own")


def _compare(own: str, house: tuple[str, ...], together: bool, **given: Any) -> Result:
    """The comparison, also with the text of a file, which is there meanwhile: a house rule, or a whole rule set.

    ``together`` adds all house rules at once. Raises ``InputError`` that names the file as its owner knows it.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder, OWN)
        path.write_text(own, "utf-8")
        every = (*house, str(path)) if is_house(own) else house
        joint = ("+".join(every),) if together and len(every) > 1 else ()
        against = (str(path),) if own and not is_house(own) else ()
        try:
            return functions.compare(house=(*every, *joint), against=against, **given)
        except InputError as error:
            if not own:
                raise
            raise InputError("--own: {error}", rename_file(error, path, OWN)) from None


def _page(request: Request) -> Response:
    form = query_form(request)
    found = answer_form(request, _compare, partial(_arguments, form), partial(form.refuse, main="house"))
    rules = build("cirulla" if "rules" in form.errors else form.get("rules", "cirulla"))
    points = []  # fields that say what something pays, the sentence of each up to the number, and the usual number
    for name, (_, most) in POINT_FIELDS.items():  # a number that no field can have marks where the number stands
        words = str(language_of(request).translate(says(name, most + 1, rules)))
        points.append((name, words.partition(f": {most + 1}")[0], getattr(rules, name)))
    return page(
        request, "house_rules.html", 400 if form.errors else 200, form=form, run=found, policies=forms.OFFERED,
        chooser="/results/pages/rules.html" if "rules.html" in files() else "", points=points,
        labels={f"--{name.replace('_', '-')}": words for name, words, _ in points},
        own=found and _own_rules(form),
    )  # fmt: skip


ROUTES = (Route("/house-rules", _page),)
