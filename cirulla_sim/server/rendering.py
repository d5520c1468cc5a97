"""Templates filled in the reader's language."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from functools import cache, partial
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse

from ..core import cards
from ..core.arguments import LANGUAGES
from ..core.locale import NAMES, Language, language, unbroken
from ..core.numerals import format_percent
from ..core.version import VERSION
from ..reporting import page as report
from ..reporting.page.site import templates_of
from ..ruleset.catalogue import catalogue
from .forms import LABELS

COOKIE = "lang"

STYLES, SCRIPTS = ("/static/style.css", "/static/page.css"), ("/static/site.js", "/static/page.js")
"""Those of reports first."""

TABS = {"/ask": "Ask", "/house-rules": "House rules", "/advise": "Advise", "/results": "Results"}
"""The tabs in the order in which they are shown: where each begins, and its title."""


def language_of(request: Request) -> Language:
    """The language that a reader chose, otherwise the one that the browser prefers of those that there are."""
    chosen = request.query_params.get("lang") or request.cookies.get(COOKIE, "")
    return language(chosen if chosen in LANGUAGES else accepted_language(request.headers.get("accept-language", "")))


def accepted_language(accepted: str) -> str:
    """The language that is preferred by a header ``Accept-Language``.

    >>> [accepted_language(header) for header in ("it-IT,it;q=0.9,en;q=0.8", "de, it;q=0.5", "it;q=0.2, en;q=0.7", "")]
    ['it', 'it', 'en', 'en']
    """
    found = re.findall(r"([a-z]{2,3})(?:-[\w-]+)?\s*(?:;\s*q=([0-9.]+))?(?:,|$)", accepted.lower())
    weighed = [(float(weight or 1) if re.fullmatch(r"\d?\.?\d*", weight) else 0.0, name) for name, weight in found]
    return max(
        ((weight, name) for weight, name in weighed if name in LANGUAGES), key=lambda w: w[0], default=(0, "en")
    )[1]


def fill_template(request: Request, template: str, **values: Any) -> str:
    """A template filled in; it has ``say`` for its sentences, ``translate`` for errors, and what every page needs.

    ``labels`` are what its fields are called, where they are not called as usual.
    """
    locale, path = language_of(request), request.url.path
    query = [(name, value) for name, value in request.query_params.multi_items() if name != "lang"]
    elsewhere = [(f"{path}?{urlencode([*query, ('lang', other)])}", other) for other in NAMES if other != locale.name]
    links = [(tab, locale.say(title), path.startswith(tab)) for tab, title in TABS.items()]
    common = {
        "say": locale.say, "translate": partial(refusal, locale=locale, labels=values.pop("labels", {})),
        "locale": locale, "lang": locale.name, "languages": NAMES, "version": VERSION, "page": path[1:], "home": "/ask",
        "site_title": "Cirulla", "links": links, "elsewhere": elsewhere, "glossary": "/glossary", "styles": STYLES,
        "scripts": SCRIPTS, "icon": "/static/icon.svg",
        "footer": [f"cirulla_sim {VERSION}", locale.say("This page runs on your computer; nothing you ask leaves it.")],
    }  # fmt: skip
    return page_templates().get_template(template).render(common | values)


def refusal(error: str, locale: Language, labels: Mapping[str, str] = LABELS) -> str:
    """An error in the reader's language, with what fields are called in place of flags."""
    called = {flag: locale.say("“{name}”", name=locale.say(name)) for flag, name in (LABELS | dict(labels)).items()}
    return locale.translate(error, called)


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page in the reader's language, which is remembered if this request chose it."""
    response = HTMLResponse(fill_template(request, template, **values), status)
    if (chosen := request.query_params.get("lang")) in LANGUAGES:
        response.set_cookie(COOKIE, str(chosen), max_age=365 * 86400, httponly=True, samesite="strict")
    return response


def asked_at(remark: str, address: str) -> str:
    """Where the command is asked that a remark names as one that a plain question means; empty for other remarks.

    What else was asked at ``address``, as rules and players, stays.

    >>> from cirulla_sim.core.messages import Message
    >>> asked_at(Message("It may also mean: {command}", 'odds "mean(knocks(me))" --players 2'), "/ask?hands=9")
    '/ask?hands=9&players=2&question=mean%28knocks%28me%29%29'
    """
    _, *words = shlex.split(str(getattr(remark, "values", {}).get("command", ""))) or [""]
    pairs = [*pairwise(["", *words])]
    named = {flag[2:].replace("-", "_"): value for flag, value in pairs if flag.startswith("--")}
    questions = [word for flag, word in pairs if "--" not in (flag[:2], word[:2])]
    if len(questions) != 1 or "rule" in named:
        return ""
    before = {name: value for name, value in parse_qsl(urlsplit(address).query) if name not in ("question", "games")}
    return f"/ask?{urlencode(before | named | {'question': questions[0]})}"


_CARD = re.compile(r"(?<![\w'])(?:[2-7JQK][hdcs]|A[hc]|A[ds](?! (?!takes|prende)[a-z]))(?![\w'])")
"""A card with the letter of its suit; ``As`` and ``Ad`` in front of other words are words themselves."""

_PERCENT = re.compile(r"(?<![\d.,–])(\d+[.,]\d{3,})%")


def readable(text: str) -> str:
    """A sentence or a cell as a page shows it: cards with the symbols of their suits, and exact shares with three
    figures, as in headlines; what belongs together is not broken.

    >>> readable("Best of two: As takes Ad. As dealers, 9.53441% take 2s.").replace("\\u00a0", " ")
    'Best of two: A♠ takes A♦. As dealers, 9.53% take 2♠.'
    """

    def rounded(share: re.Match[str]) -> str:
        number = float(share[1].replace(",", "."))
        text = f"{number:#.3g}%" if 1e-4 <= number < 90 else format_percent(number / 100)
        return text.replace(".", "," if "," in share[1] else ".")

    return unbroken(_PERCENT.sub(rounded, _CARD.sub(lambda card: cards.card_symbol(cards.parse(card[0])), text)))


@cache
def page_templates() -> Environment:
    """The templates of the page, and those of reports."""
    own = templates_of(__package__, report.__name__)
    own.filters["unbroken"] = readable
    own.filters["symbol"] = lambda card: cards.card_symbol(cards.parse(card))
    own.filters["asked_at"] = asked_at
    own.globals |= {"presets": catalogue()["preset"], "house_rules": catalogue()["house"]}
    return own
