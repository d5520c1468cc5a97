"""Templates filled in the reader's language."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse

from ..core import cards
from ..core.arguments import LANGUAGES
from ..core.locale import NAMES, Language, language, unbroken
from ..core.version import VERSION
from ..ruleset.catalogue import catalogue

COOKIE = "lang"


def language_of(request: Request) -> Language:
    """The language that a reader chose, otherwise the one that the browser prefers of those that there are."""
    chosen = request.query_params.get("lang") or request.cookies.get(COOKIE, "")
    return language(chosen if chosen in LANGUAGES else preferred(request.headers.get("accept-language", "")))


def preferred(accepted: str) -> str:
    """The language that is preferred by a header ``Accept-Language``.

    >>> preferred("it-IT,it;q=0.9,en;q=0.8"), preferred("de, it;q=0.5"), preferred("it;q=0.2, en;q=0.7"), preferred("")
    ('it', 'it', 'en', 'en')
    """
    found = re.findall(r"([a-z]{2,3})(?:-[\w-]+)?\s*(?:;\s*q=([0-9.]+))?(?:,|$)", accepted.lower())
    weighed = [(float(weight or 1) if re.fullmatch(r"\d?\.?\d*", weight) else 0.0, name) for name, weight in found]
    return max(
        ((weight, name) for weight, name in weighed if name in LANGUAGES), key=lambda w: w[0], default=(0, "en")
    )[1]


def filled(request: Request, template: str, **values: Any) -> str:
    """A template filled in; it has ``say`` for its sentences, ``message`` for errors, and what every page needs."""
    locale = language_of(request)
    query = [(name, value) for name, value in request.query_params.multi_items() if name != "lang"]
    return environment().get_template(template).render(
        say=locale.say, message=locale.message, locale=locale, lang=locale.name, languages=NAMES,
        tabs=request.app.state.tabs, package_version=VERSION, path=request.url.path, bare_query=urlencode(query),
        **values,
    )  # fmt: skip


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page in the reader's language, which is remembered if this request chose it."""
    response = HTMLResponse(filled(request, template, **values), status)
    if (chosen := request.query_params.get("lang")) in LANGUAGES:
        response.set_cookie(COOKIE, str(chosen), max_age=365 * 86400, httponly=True, samesite="strict")
    return response


@cache
def environment() -> jinja2.Environment:
    """The templates of the page."""
    folder = files(__package__).joinpath("templates")
    loader = jinja2.FunctionLoader(lambda name: folder.joinpath(name).read_text("utf-8"))
    made = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters["unbroken"] = unbroken
    made.filters["symbol"] = lambda card: cards.symbol(cards.parse(card))
    made.globals |= {"presets": catalogue()["preset"], "house_rules": catalogue()["house"]}
    return made
