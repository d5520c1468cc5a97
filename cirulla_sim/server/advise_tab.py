"""The tab that advises what to play: cards tapped into place, or a position as text, and the hand played on."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from ..core.arguments import choice
from ..core.cards import PACK, mask, parse, parse_many
from ..core.errors import InputError
from ..core.locale import language
from ..engine.policies import USUAL
from ..ruleset.catalogue import catalogue
from ..ruleset.presets import build
from ..ruleset.rule_set import choose
from ..situation.notation import Situation
from ..situation.positions import choices_with, likely_seat, read_position
from . import forms
from .choice_cards import SUIT_NAMES, card_name, in_cards
from .forms import Form, query_form
from .rendering import fill_template, language_of, page, refusal
from .run_pages import answer_form

PATH = "/advise"

SAMPLES = ("1000", "4000", "16000")

ZONES = {
    "table": ("On the table", "Tap the cards on the table; leave it empty if there are none", "234"),
    "me": ("In my hand", "Tap the cards in your hand", "234"),
    "captured us": ("We took", "Tap the cards that your side took", "24"),
    "captured them": ("They took", "Tap the cards that the others took", "24"),
    "captured me": ("I took", "Tap the cards that you took", "3"),
    "captured next": ("The next player took", "Tap the cards that the next player took", "3"),
    "captured previous": ("The previous player took", "Tap the cards that the previous player took", "3"),
    "gone": ("Taken by somebody", "Tap the cards that were taken, you do not know by whom", "234"),
    "shown me": ("I showed", "Tap the three cards that you showed in this round", "234"),
    "shown next": ("The next player showed", "Tap the three cards that the next player showed", "234"),
    "shown partner": ("My partner showed", "Tap the three cards that your partner showed", "4"),
    "shown previous": ("The previous player showed", "Tap the three cards that the previous player showed", "34"),
}
"""Where cards can be put, as the notation calls it: its title, what to do there, with how many players it exists."""

CLAUSES = {
    "i am": ("My seat", {"first": "234", "second": "34", "third": "4", "dealer": "234"}),
    "to play": ("Whose turn", {"me": "234", "next": "234", "partner": "4", "previous": "34"}),
    "last capture": (
        "Took last",
        {"us": "24", "them": "24", "me": "234", "next": "234", "partner": "4", "previous": "34"},
    ),
    "matta": ("The matta counts", dict.fromkeys(map(str, range(1, 11)), "234")),
    "points": ("Sweeps and sets so far", {}),
    "score": ("Score of the game", {}),
}
"""Clauses of a position that are no cards: the title of each and what can be chosen, with how many players each exists;
nothing where it is typed."""


def _arguments(form: Form, lang: str) -> dict[str, Any] | None:
    """The arguments of ``advise``, None if no advice is wanted; raises ``InputError`` for one that is not valid."""
    if not form.get("do"):
        return None
    ours, theirs = form.get("us", USUAL), form.get("them", USUAL)
    for name, flag in ((ours, "--us"), (theirs, "--them")):
        forms.policy(name, flag)
    return {
        "at": forms.situation(form.get("at"), lang),
        **_rules(form),
        "policy": None if ours == theirs == USUAL else f"us={ours}, them={theirs}",
        "samples": choice("--samples", "number of samples", form.get("samples", SAMPLES[1]), SAMPLES),
    }


def _rules(form: Form) -> dict[str, Any]:
    """The arguments that say which game is played; raises ``InputError``."""
    rules = forms.preset(form.get("rules", "cirulla"))
    return {
        "rules": rules,
        "players": forms.players(form.get("players"), rules),
        "house": forms.houses(form.all("house")),
    }


def _refuse(form: Form, error: InputError) -> None:
    form.refuse(error, "at", {"--policy": "them"})


def _page(request: Request) -> Response:
    form, locale = query_form(request), language_of(request)
    written_in = "en" if "lang" in request.query_params else locale.name  # it comes from the page in another language
    found = answer_form(request, "advise", partial(_arguments, form, written_in), partial(_refuse, form))
    try:
        form.values = {**form.values, "at": (_written(form, locale.name, written_in),)}
    except InputError as error:
        _refuse(form, error)
    games = _games()
    usual = games.get(form.get("rules"), games["cirulla"])["players"]
    return page(
        request, "advise.html", 400 if form.errors else 200, form=form, run=found, games=games,
        players=form.get("players", str(usual)), **_board(locale.name), labels={"--at": "The position as text"},
        policies=[(name, f"{name}: {locale.say(of[0])}") for name, of in forms.OFFERED.items()],
        samples=[(number, locale.numerals(f"{int(number):,}")) for number in SAMPLES],
    )  # fmt: skip


@cache
def _games() -> dict[str, dict[str, Any]]:
    """By preset the usual number of players, those there may be, how many cards each is dealt at a time, the matta."""
    presets = {name: (spec["seats"], build(name)) for name, spec in catalogue()["preset"].items()}
    return {
        name: {"players": rules.players, "seats": seats, "dealt": rules.deal_plan[0], "matta": rules.matta}
        for name, (seats, rules) in presets.items()
    }


@cache
def _board(lang: str) -> dict[str, Any]:
    """Cards, zones and clauses as they are written in a language, and what they are called in it."""
    locale = language(lang)

    def written(clause: str) -> tuple[str, str]:
        key, _, value = Situation.parse(clause).text(lang).partition(":")
        return key, value.strip()

    def card(number: int) -> dict[str, str]:
        names = {"called": card_name(number, locale), "suit": locale.say(SUIT_NAMES[number // 10])}
        return {"name": PACK[number], "text": written(f"me: {PACK[number]}")[1], **names}

    return {
        "pack": [[card(10 * suit + rank) for rank in range(10)] for suit in range(4)],
        "zones": {name: (written(f"{name}: 7h")[0], *words) for name, words in ZONES.items()},
        "clauses": [
            (name, title, written(f"{name}: {(*values, '1-1')[0]}")[0],
             {written(f"{name}: {value}")[1]: seats for value, seats in values.items()})
            for name, (title, values) in CLAUSES.items()
        ],
    }  # fmt: skip


def _written(form: Form, lang: str, written_in: str = "") -> str:
    """The position of a form in a language, in one order however it was typed; raises ``InputError``."""
    text = forms.situation(form.get("at"), written_in or lang)
    return "" if text is None else Situation.parse(text).text(lang)


def _text(request: Request) -> Response:
    """A position that was typed, as the page writes it, or what is wrong with it."""
    form, locale = query_form(request), language_of(request)
    try:
        return PlainTextResponse(_written(form, locale.name))
    except InputError as error:
        return PlainTextResponse(refusal(error.message, locale), 400)


def _plays(request: Request) -> Response:
    """What the player to play may do with a ``card``, after showing a set or nothing, as part of the page."""
    form, locale = query_form(request), language_of(request)
    try:
        s = Situation.parse(_written(form, locale.name))
        now = likely_seat(read_position(choose(**_rules(form), rule=()).fields, s))
        found = choices_with(now, parse(form.get("card")), mask(parse_many(form.get("show"))))
        choices = [in_cards(s, now, choice, locale) for choice in found]
        return HTMLResponse(fill_template(request, "choices.html", choices=choices))
    except InputError as error:
        return HTMLResponse(fill_template(request, "choices.html", error=error.message), 400)


ROUTES = (Route(PATH, _page), Route(f"{PATH}/text", _text), Route(f"{PATH}/plays", _plays))
