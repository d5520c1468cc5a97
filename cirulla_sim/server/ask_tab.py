"""The tab that answers questions about cards, hands and games."""

from __future__ import annotations

from functools import cache, partial
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from ..core.arguments import count
from ..core.cards import check_suits
from ..core.errors import InputError
from ..questions.vocabulary import CATEGORIES, RANKS, SUITS, functions, listed
from ..questions.vocabulary import KINDS as KINDS_OF_SETS
from ..situation.people import ITALIAN
from . import forms
from .forms import Form, query_form
from .rendering import language_of, page
from .run_pages import answered

PATH = "/ask"

MOST_HANDS = 1_000_000
"""Hands, games or deals that a question may simulate here."""

EXAMPLES = {
    "en": ("barsega and matta", "sevens >= 2", "barsega(partner) given barsega(me)", "fifteen(table) or thirty(table)",
           "mean(points(us, primiera))", "histogram(sweeps(us))", "wins(dealer_side)"),
    "it": ("barsega e matta", "sette >= 2", "barsega(compagno) se barsega(io)", "quindici(tavola) o trenta(tavola)",
           "media(punti(noi, primiera))", "istogramma(scope(noi))", "vince(parte_mazziere)"),
}  # fmt: skip

LABELS = {
    "happens": "how likely that there is one, or that it is so", "at_least": "how likely that there are at least …",
    "exactly": "how likely that there are exactly …", "at_most": "how likely that there are at most …",
    "mean": "how many on average", "histogram": "how likely each number is",
}  # fmt: skip
"""What measures are called."""

KINDS = {
    "kind": "a kind of set", "category": "a part of the score", "cards": "cards", "with": "with what card",
    "by": "how", "suit": "a suit",
}  # fmt: skip
"""What the kinds of ``_details`` are called."""

STAGES = range(1, 7)

MEASURES = {
    "happens": ("{x}", "{x}"), "at_least": ("{x} >= {n}", "{x} >= {n}"), "exactly": ("{x} = {n}", "{x} = {n}"),
    "at_most": ("{x} <= {n}", "{x} <= {n}"), "mean": ("mean({x})", "media({x})"),
    "histogram": ("histogram({x})", "istogramma({x})"),
}  # fmt: skip
"""How something is measured, in English and in Italian."""

WHO = {
    **ITALIAN, "dealer_side": "parte_mazziere", "nobody": "nessuno", "together": "insieme", "most": "massimo",
    "fewest": "minimo", "table": "tavola",
}  # fmt: skip
"""The people that a question can be about, with their Italian names."""

_SETTINGS = ("question", "rules", "players", "house", "policy", "at", "hands")


def _arguments(form: Form, lang: str) -> dict[str, Any] | None:
    """The arguments of ``odds``, None for an empty form; raises ``InputError`` for one that is not valid."""
    if not (question := form.get("question")):
        if form.all("question") or any(form.get(name) for name in _SETTINGS):
            raise InputError("no question (valid: barsega, or another of the examples)")
        return None
    check_suits("", question, lang)
    rules = forms.preset(form.get("rules", "cirulla"))
    return {
        "question": question,
        "rules": rules,
        "players": forms.players(form.get("players"), rules),
        "house": forms.houses(form.all("house")),
        "at": forms.situation(form.get("at"), lang),
        "policy": forms.policy(form.get("policy")) if form.get("policy") else None,
        "hands": count("--hands", form.get("hands"), 1, MOST_HANDS) if form.get("hands") else None,
    }


def _page(request: Request) -> Response:
    form = query_form(request)
    locale = language_of(request)
    found = answered(request, "odds", partial(_arguments, form, locale.name), partial(form.refuse, main="question"))
    italian = locale.name == "it"
    return page(
        request, "ask.html", 400 if form.errors else 200, form=form, run=found,
        examples=EXAMPLES[locale.name], policies=forms.POLICIES, groups=listed(italian=italian, here="fresh"),
        italian=italian, people=_people(italian), stages=STAGES, details=_details(), measures=LABELS, kinds=KINDS,
        settings=_settings(form),
        opened=_settings(form) not in ({}, {"rules": ("cirulla",)}) or set(form.errors) - {"question"},
    )  # fmt: skip


def _people(italian: bool) -> list[tuple[str, str]]:
    """The names of people, and what they are called."""
    return [(name, other if italian else name) for name, other in WHO.items()]


def _from_lists(request: Request) -> Response:
    """The page of the question that lists were chosen for."""
    form = query_form(request)
    italian = language_of(request).name == "it"
    given = Call(form.get("given_what"), form.get("given_who")) if form.get("given_what") else None
    call = Call(form.get("what"), form.get("who"), form.get("when"), form.get("which"))
    question = _composed(call, form.get("measure", next(iter(MEASURES))), form.get("number"), given, italian)
    return RedirectResponse(f"{PATH}?{Form({'question': (question,), **_settings(form)}).query}", 303)


def _settings(form: Form) -> dict[str, tuple[str, ...]]:
    """What a form says besides the question."""
    return {name: values for name in _SETTINGS[1:] if (values := form.all(name))}


@cache
def _details() -> dict[str, dict[str, str]]:
    """With what, by the kind of argument that functions take; with the Italian names."""
    cards = {name: functions()[name].italian for name in ("settebello", *RANKS, *SUITS)}
    return {
        "kind": {name: name for name in KINDS_OF_SETS}, "category": CATEGORIES, "cards": cards,
        "with": {"with ace": "con asso", "with settebello": "con settebello", "with seven": "con sette"},
        "by": {"by scopa": "con scopa"}, "suit": {name: cards[name] for name in SUITS},
    }  # fmt: skip


class Call(NamedTuple):
    """A function of the language, of whom, in which stage, and with what; the last three may be empty."""

    what: str
    who: str = ""
    stage: str = ""
    detail: str = ""

    def text(self, italian: bool = False) -> str:
        """The call as it is written.

        >>> Call("sweeps", "us", "2").text(), Call("points", "us", "", "primiera").text(italian=True)
        ('sweeps(us, stage 2)', 'punti(noi, primiera)')
        """
        name, stage = self.what, "stage"
        who, detail = self.who, self.detail
        if italian:
            name, stage = functions()[name].italian if name in functions() else name, "giro"
            of_details = {english: other for kind in _details().values() for english, other in kind.items()}
            who, detail = WHO.get(who, who), of_details.get(detail, detail)
        inside = ", ".join(filter(None, (who, detail, self.stage and f"{stage} {self.stage}")))
        return f"{name}({inside})" if inside else name


def _composed(call: Call, measure: str, number: str = "", given: Call | None = None, italian: bool = False) -> str:
    """The text of a question from what is chosen in lists; whether it makes sense is for its reader to say.

    >>> _composed(Call("sweeps", "us"), "at_least", "2", Call("barsega", "me"), italian=True)
    'scope(noi) >= 2 se barsega(io)'
    """
    text = MEASURES.get(measure, MEASURES["happens"])[italian].format(x=call.text(italian), n=number or "1")
    return text if given is None else f"{text} {'se' if italian else 'given'} {given.text(italian)}"


def _words(request: Request) -> Response:
    """The words of the language, to complete what is typed: each with what it means."""
    italian = language_of(request).name == "it"
    words = [
        {"word": function.italian if italian else function.name, "about": function.it if italian else function.about}
        for functions in listed(italian=italian, here="fresh").values()
        for function in functions
    ]  # fmt: skip
    names = [{"word": called, "about": ""} for _, called in _people(italian)]
    return JSONResponse([*words, *names], headers={"Cache-Control": "max-age=3600", "Vary": "Cookie, Accept-Language"})


ROUTES = (Route(PATH, _page), Route(f"{PATH}/lists", _from_lists), Route(f"{PATH}/words", _words))
