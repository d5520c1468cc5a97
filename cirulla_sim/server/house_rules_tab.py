"""The tab that compares house rules."""

from __future__ import annotations

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..core.arguments import count
from ..core.errors import InputError
from ..experiments.progress import Watch
from ..reporting.result import Result
from ..ruleset.catalogue import house_names, preset_names
from ..verbs.compare import compare
from . import allowed
from .forms import Form, asked
from .rendering import page
from .run_routes import shown
from .runs import Run
from .tab import Tab

MOST_HANDS, USUAL_HANDS = 1_000_000, 100_000


def _run(request: Request, form: Form) -> Run | None:
    """The run of the comparison of a form; None if nothing is chosen, or the form has errors then."""
    if not form:
        return None
    try:
        rules = allowed.preset(form.get("rules", "cirulla"))
        arguments = {
            "rules": rules,
            "house": allowed.houses(form.all("house")),
            "players": allowed.players(form.get("players"), rules),
            "policy": allowed.policy(form.get("policy", "careful")),
            "hands": count("--hands", form.get("hands", str(USUAL_HANDS)), 1, MOST_HANDS),
        }
        run: Run = request.app.state.runs.start(TAB.name, tuple(arguments.values()), partial(_compare, arguments))
    except InputError as error:
        form.refuse(error, "house")
        return None
    return run


def _compare(arguments: dict[str, Any], watch: Watch) -> Result:
    return compare(progress=watch, **arguments)


def _page(request: Request) -> Response:
    form = asked(request)
    run = _run(request, form)
    found = shown(request, run) if run is not None else ""
    if run is not None and run.error:
        form.refuse(run.error, "house")
    return page(
        request, "house_rules.html", 400 if form.errors else 200, active=TAB, form=form, run=found,
        presets=preset_names(), houses=house_names(), policies=allowed.POLICIES,
    )  # fmt: skip


TAB = Tab("house-rules", "House rules", (Route("/house-rules", _page),))
