"""The tab of an evening of matches: forecast, draw, score sheets, results, standings; all of it is in the address."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ..core.arguments import count
from ..core.errors import InputError
from ..core.locale import Language
from ..experiments.progress import Watch
from ..situation.night import FORMATS, KNOCK_OUT
from . import allowed
from .forms import Form, body_form, query_form
from .rendering import language_of, page
from .run_routes import shown
from .runs import THREADS, Run
from .tab import Tab

if TYPE_CHECKING:
    from ..experiments.club_night import ClubNight
    from ..reporting.result import Result

MOST_NIGHTS, USUAL_NIGHTS = 100_000, 2_000

SETUP = {"format": FORMATS[0], "rounds": "4", "hands": "4", "minutes": "5"}
"""What the form says of a new evening."""

WAYS = {"cappotto": "cappotto by {name}", "tie-break": "tie-break won by {name}", "left": "{name} left"}
"""What the page calls the ways in which a match may be decided besides the points."""

OTHERS = ("rules", "players", "nights")
"""Fields that a forecast has besides those of the evening."""


def _night(form: Form) -> ClubNight:
    """The evening of a form; raises ``InputError`` if it is not valid."""
    from ..experiments.club_night import ClubNight  # here for the sake of a quick start

    given = {name: form.get(name) for name in SETUP}
    return ClubNight.of("\n".join(form.all("pairs")), seed=form.get("seed", "1"), played=form.all("played"), **given)


def _address(night: ClubNight, form: Form, path: str = "") -> str:
    """The address of an evening, with what the form says of its forecast."""
    fields = {name: value for name, value in night.arguments().items() if name not in ("pairs", "played")}
    fields |= {name: form.get(name) for name in OTHERS if form.get(name)}
    pairs = ("pairs", "\n".join(night.arguments()["pairs"]))
    played = [("played", text) for text in night.arguments()["played"]]
    return f"{TAB.path}{path}?{urlencode([pairs, *fields.items(), *played])}"


def _page(request: Request, form: Form | None = None) -> Response:
    form = query_form(request) if form is None else form
    night, run = None, None
    try:
        night = _night(form) if form.get("pairs") or form.get("format") else None
        if night is not None and form.get("forecast"):
            run = _forecast(request, form, night)
    except InputError as error:
        form.refuse(error, "pairs", {"--file": "text", "--at": "pairs"})
    found = shown(request, run) if run is not None else ""
    if run is not None and run.error:
        form.refuse(run.error, "pairs", {"--at": "rules"})
        found = ""
    return page(
        request, "evening.html", 400 if form.errors else 200, active=TAB, form=form, run=found, night=night,
        link="" if night is None else partial(_address, night, form), setup=SETUP, formats=FORMATS,
        knock_out=KNOCK_OUT, ways=WAYS, nights=USUAL_NIGHTS, new_seed=secrets.randbelow(1_000_000),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------ the forecast


def _forecast(request: Request, form: Form, night: ClubNight) -> Run:
    """The run of a forecast; raises ``InputError`` if it is not valid."""
    from ..experiments.club_night import at_text, forecast_questions

    rules, locale = allowed.preset(form.get("rules", "cirulla")), language_of(request)
    for name in filter(None, night.night.pairs):
        allowed.policy(name, "--pairs")
    arguments = {
        "question": tuple(f"{_label(text, night, locale)}: {text}" for text in forecast_questions(night.night)),
        "at": at_text(night.night),
        "rules": rules,
        "players": allowed.players(form.get("players"), rules),
        "hands": count("--nights", form.get("nights", str(USUAL_NIGHTS)), 100, MOST_NIGHTS),
    }
    run: Run = request.app.state.runs.start(TAB.name, tuple(arguments.values()), partial(_odds, arguments))
    return run


def _odds(arguments: dict[str, Any], watch: Watch) -> Result:
    from ..verbs.odds import odds  # here for the sake of a quick start

    return odds(progress=watch, threads=THREADS, **arguments)


def _label(question: str, night: ClubNight, locale: Language) -> str:
    """What a question of a forecast is called, with the names of pairs as far as names of questions may have them."""
    number = re.search(r"pair (\d+)", question)
    if number is None:
        labels = {
            "ties_night": locale.say("the first place is shared"),
            "mean(lead_night)": locale.say("victory points between first and second"),
            "mean(hands_played)": locale.say("hands played at all tables"),
            "mean(minutes)": locale.say("minutes until the end"),
            "max(minutes)": locale.say("minutes of the longest evening"),
        }
        return labels[question]
    policies = night.night.pairs
    alike = [pair for pair, policy in enumerate(policies) if policy == policies[int(number[1]) - 1]]
    name, *others = (re.sub(r"[^\w .&-]+", " ", night.names[pair])[:24].strip() or str(pair + 1) for pair in alike)
    if len(alike) == len(policies):
        return locale.say("any one of the pairs wins alone")
    if len(others) > 1:
        return locale.say("{name} wins alone, the same for {n} others as strong", name=name, n=len(others))
    if others:
        return locale.say("{name} wins alone, the same for {other}", name=name, other=others[0])
    return locale.say("{name} wins alone", name=name)


# ------------------------------------------------------------------------------------------------ what buttons do


def _changing(change: Callable[[ClubNight, Form], ClubNight]) -> Callable[[Request], Response]:
    """A route that changes the evening of an address and leads to that of the new one, or says what is wrong."""

    def route(request: Request) -> Response:
        form = query_form(request)
        try:
            night = change(_night(form), form)
        except InputError as error:
            form.refuse(error, "played")
        if form.errors:
            return _page(request, form)
        return RedirectResponse(_address(night, form) + f"#round-{len(night.rounds)}", 303)

    return route


def _with_results(night: ClubNight, form: Form) -> ClubNight:
    """The night with the results of a round as they are typed in; those that are not valid get errors in the form."""
    number = count("--round", form.get("round"), 1, len(night.rounds))
    for table in range(1, len(night.rounds[number - 1]) + 1):
        first, second, decided = (form.get(f"{name}{table}") for name in ("first", "second", "decided"))
        points = f"{first}-{second}" if first or second else ""
        try:
            night = night.with_result(number, table, f"{points} {decided}")
        except InputError as error:
            form.errors[f"table-{number}-{table}"] = str(error)
    return night


def _sheets(request: Request) -> Response:
    """Tables, score sheets and standings of a round, to print."""
    from ..experiments.night_standings import victory_lines

    form = query_form(request)
    try:
        night = _night(form)
        number = count("--round", form.get("round", str(len(night.rounds))), 1, len(night.rounds))
    except InputError as error:
        form.refuse(error, "played")
        return _page(request, form)
    return page(
        request, "score_sheets.html", active=TAB, night=night, number=number, knock_out=KNOCK_OUT,
        victory=victory_lines(night.night.hands),
    )  # fmt: skip


def _file(request: Request) -> Response:
    try:
        text = _night(query_form(request)).to_text()
    except InputError:
        raise HTTPException(404, "There is no answer yet.") from None
    return Response(
        text, media_type="application/json", headers={"Content-Disposition": 'attachment; filename="evening.json"'}
    )


def _open(request: Request) -> Response:
    """The evening of a file, whose text is sent."""
    from ..experiments.club_night import ClubNight

    form = body_form(request)
    try:
        night = ClubNight.from_text(form.get("text"))
    except InputError as error:
        form.errors = {"text": str(error)}
        return _page(request, form)
    return RedirectResponse(_address(night, Form()), 303)


TAB = Tab(
    "evening", "An evening",
    (
        Route("/evening", _page),
        Route("/evening/draw", _changing(lambda night, form: night.drawn())),
        Route("/evening/undo", _changing(lambda night, form: night.undrawn())),
        Route("/evening/results", _changing(_with_results)),
        Route("/evening/sheets", _sheets),
        Route("/evening/evening.json", _file),
        Route("/evening/open", _open, methods=["POST"]),
    ),
)  # fmt: skip
