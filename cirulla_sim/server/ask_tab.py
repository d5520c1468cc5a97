"""The tab that answers questions about cards, hands and games."""

from __future__ import annotations

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..core.errors import InputError
from ..experiments.progress import Watch
from ..reporting.result import Result
from ..ruleset.catalogue import house_names, preset_names
from ..verbs.odds import odds
from . import allowed
from .forms import Form, asked
from .rendering import page
from .run_routes import shown
from .runs import Run
from .tab import Tab

MOST_HANDS = 1_000_000

EXAMPLES = (
    "barsega and matta", "sevens >= 2", "barsega(partner)", "mean(points(us, primiera))", "sweeps(dealer) > 2",
    "wins(us) given barsega(me)",
)  # fmt: skip


def _run(request: Request, form: Form) -> Run | None:
    """The run that answers the question of a form; None if there is none, or the form has errors then."""
    if not (question := form.get("question")):
        return None
    try:
        rules = allowed.preset(form.get("rules", "cirulla"))
        arguments: dict[str, Any] = {
            "rules": rules,
            "players": allowed.players(form.get("players"), rules),
            "house": allowed.houses(form.all("house")),
            "at": allowed.situation(form.get("at")),
            "policy": allowed.policy(form.get("policy")) if form.get("policy") else None,
        }
        key = (question, *arguments.values())
        run: Run = request.app.state.runs.start(TAB.name, key, partial(_odds, question, arguments))
    except InputError as error:
        form.refuse(error, "question")
        return None
    return run


def _odds(question: str, arguments: dict[str, Any], watch: Watch) -> Result:
    return odds(question, progress=watch, **arguments)


def _page(request: Request) -> Response:
    form = asked(request)
    run = _run(request, form)
    found = shown(request, run) if run is not None else ""
    if run is not None and run.error:
        form.refuse(run.error, "question")
    return page(
        request, "ask.html", 400 if form.errors else 200, active=TAB, form=form, run=found, examples=EXAMPLES,
        presets=preset_names(), houses=house_names(), policies=allowed.POLICIES,
    )  # fmt: skip


TAB = Tab("ask", "Ask", (Route("/ask", _page),))
