"""The tab that answers questions about cards, hands and games."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from ..core.arguments import count
from ..core.cards import check_suits
from ..core.errors import InputError
from ..questions.common_questions import common_questions, sections
from ..questions.vocabulary import functions_by_group, in_italian
from ..ruleset.presets import build
from ..situation.people import ABSOLUTE, ITALIAN
from ..verbs.odds import understand_plain
from . import forms
from .forms import Form, query_form
from .rendering import language_of, page
from .run_pages import answer_form

PATH = "/ask"

MOST_HANDS = 1_000_000
"""Hands, games or deals that a question may simulate here."""

WHO = (*ITALIAN, "dealer_side", "nobody", "together", "most", "fewest", "table")
"""The people that a question can be about."""

SPLIT = ("given", "by", "top", "in", "times", "in_a_row")
"""Options that split a question, or ask it of several trials."""

_SETTINGS = ("question", "rules", "players", "house", "policy", "at", "me", "hands", *SPLIT)


def _arguments(form: Form, lang: str) -> dict[str, Any] | None:
    """The arguments of ``odds``, None for an empty form; raises ``InputError`` for one that is not valid."""
    question = form.get("question")
    if not (question or form.get("by") or form.get("at")):
        if form.all("question") or any(form.get(name) for name in _SETTINGS):
            raise InputError("no question (valid: barsega, or another of the examples)")
        return None
    check_suits({"": "; ".join(form.get(name) for name in ("question", "given", "by"))}, lang)
    rules = forms.preset(form.get("rules", "cirulla"))
    given = {
        "question": question or None,
        "rules": None if rules == "cirulla" else rules,  # the usual ones give way to those that a question names
        "players": forms.players(form.get("players"), rules),
        "house": forms.houses(form.all("house")), "at": forms.situation(form.get("at"), lang),
        "policy": forms.policy(form.get("policy")) if form.get("policy") else None,
        "hands": count("--hands", form.get("hands"), 1, MOST_HANDS) if form.get("hands") else None,
    }  # fmt: skip
    return given | {f"{name}_" if name == "in" else name: form.get(name) or None for name in ("me", *SPLIT)}


class Link(NamedTuple):
    """A question to follow: its words, what it means, and where it is answered."""

    text: str
    reading: str
    address: str


def _address(values: Mapping[str, tuple[str, ...]], path: str = PATH) -> str:
    return f"{path}?{Form({name: x for name, x in values.items() if any(x)}).query}"


@cache
def _words_of_questions(lang: str) -> dict[str, list[Link]]:
    """The functions by the titles of their groups, each as an example to follow."""
    return {
        group: [
            Link(example, each.it if lang == "it" else each.about, _address({"question": (example,)}))
            for each in several
            for example in [in_italian(each.example) if lang == "it" else each.example]
        ]
        for group, several in functions_by_group(italian=lang == "it", here="fresh").items()
    }


@cache
def _common(lang: str) -> dict[str, list[Link]]:
    """The common questions by the titles of their sections."""
    found: dict[str, list[Link]] = {}
    for one in common_questions():
        given = one.in_language(lang)
        path = PATH if given.pop("verb") == "odds" else "/house-rules"
        link = Link(one.text(lang), "", _address({name: (value,) for name, value in given.items()}, path))
        found.setdefault(sections()[one.section][lang == "it"], []).append(link)
    return found


def _page(request: Request) -> Response:
    form = query_form(request)
    locale = language_of(request)
    with suppress(InputError):  # what a house rule changes is answered by the next tab
        meant = understand_plain(question, build("cirulla")) if (question := form.get("question")) else None
        if meant and "house" in meant.options and meant.verb == "compare":
            return RedirectResponse(_address({name: (x,) for name, x in meant.options.items()}, "/house-rules"))
    found = answer_form(request, "odds", partial(_arguments, form, locale.name), partial(form.refuse, main="question"))
    return page(
        request, "ask.html", 400 if form.errors else 200, form=form, run=found,
        policies=forms.OFFERED, lists={
            locale.say("Questions that people ask"): _common(locale.name),
            locale.say("Words for your own questions"): _words_of_questions(locale.name),
        },
        seats=[("", locale.say("any, equally likely")), *((seat, locale.say(seat)) for seat in ABSOLUTE)],
        opened=set(form.errors) - {"question"},
    )  # fmt: skip


def _words(request: Request) -> Response:
    """The words of the language, to complete what is typed: each with what it means."""
    italian = language_of(request).name == "it"
    words = [
        {"word": function.italian if italian else function.name, "about": function.it if italian else function.about}
        for functions in functions_by_group(italian=italian, here="fresh").values()
        for function in functions
    ]  # fmt: skip
    words += [{"word": in_italian(name) if italian else name, "about": ""} for name in WHO]
    return JSONResponse(words, headers={"Cache-Control": "max-age=3600", "Vary": "Cookie, Accept-Language"})


ROUTES = (Route(PATH, _page), Route(f"{PATH}/words", _words))
