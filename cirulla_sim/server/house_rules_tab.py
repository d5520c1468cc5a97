"""The tab that compares house rules."""

from __future__ import annotations

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..core.arguments import count
from ..core.errors import InputError
from . import forms
from .forms import Form, query_form
from .rendering import page
from .run_pages import answered

MOST_HANDS, USUAL_HANDS, MOST_RULES = 1_000_000, "20k", 10


def _arguments(form: Form) -> dict[str, Any] | None:
    """The arguments of ``compare``, None for an empty form; raises ``InputError`` for one that is not valid."""
    if not form:
        return None
    rules, chosen = forms.preset(form.get("rules", "cirulla")), forms.houses(form.all("house"))
    if not chosen:
        raise InputError("no house rule is chosen (valid: one or more)")
    if len(chosen) > MOST_RULES:
        raise InputError("{number} house rules are chosen (valid: 1 to {most})", len(chosen), MOST_RULES)
    together = ("+".join(chosen),) if form.get("together") and len(chosen) > 1 else ()
    return {
        "rules": rules,
        "house": (*chosen, *together),
        "players": forms.players(form.get("players"), rules),
        "policy": forms.policy(form.get("policy", "careful")),
        "hands": count("--hands", form.get("hands", USUAL_HANDS), 100, MOST_HANDS),
    }


def _page(request: Request) -> Response:
    form = query_form(request)
    found = answered(request, "compare", partial(_arguments, form), partial(form.refuse, main="house"))
    status = 400 if form.errors else 200
    return page(request, "house_rules.html", status, form=form, run=found, policies=forms.POLICIES)


ROUTES = (Route("/house-rules", _page),)
