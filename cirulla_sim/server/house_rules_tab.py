"""The tab that compares house rules."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..core.arguments import count
from ..core.errors import InputError
from ..experiments.progress import Watch
from . import allowed
from .forms import Form, query_form
from .rendering import page
from .run_routes import answered
from .runs import THREADS, Run
from .tab import Tab

if TYPE_CHECKING:
    from ..reporting.result import Result

MOST_HANDS, USUAL_HANDS, MOST_RULES = 1_000_000, "20k", 10


def _run(request: Request, form: Form) -> Run | None:
    """The run of the comparison of a form, None for an empty one; raises ``InputError`` if a field is invalid."""
    if not form:
        return None
    rules, chosen = allowed.preset(form.get("rules", "cirulla")), allowed.houses(form.all("house"))
    if not chosen:
        raise InputError("no house rule is chosen (valid: one or more)")
    if len(chosen) > MOST_RULES:
        raise InputError(f"{len(chosen)} house rules are chosen (valid: 1 to {MOST_RULES})")
    together = ("+".join(chosen),) if form.get("together") and len(chosen) > 1 else ()
    arguments: dict[str, Any] = {
        "rules": rules,
        "house": (*chosen, *together),
        "players": allowed.players(form.get("players"), rules),
        "policy": allowed.policy(form.get("policy", "careful")),
        "hands": count("--hands", form.get("hands", USUAL_HANDS), 100, MOST_HANDS),
    }
    run: Run = request.app.state.runs.start(TAB.name, tuple(arguments.values()), partial(_compare, arguments))
    return run


def _compare(arguments: dict[str, Any], watch: Watch) -> Result:
    from ..verbs.compare import compare  # here for the sake of a quick start

    return compare(progress=watch, threads=THREADS, **arguments)


def _page(request: Request) -> Response:
    form = query_form(request)
    found = answered(request, partial(_run, request, form), partial(form.refuse, main="house"))
    return page(
        request, "house_rules.html", 400 if form.errors else 200, active=TAB, form=form, run=found,
        policies=allowed.POLICIES,
    )  # fmt: skip


TAB = Tab("house-rules", "House rules", (Route("/house-rules", _page),))
