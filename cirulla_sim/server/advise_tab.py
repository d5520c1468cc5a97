"""The tab that advises what to play: cards put on a table by clicking or typing."""

from __future__ import annotations

import re
from functools import partial
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ..core.arguments import choice
from ..core.cards import PACK, RANKS, SUITS, parse
from ..core.errors import InputError
from ..situation.card_places import PLACES, card_places, with_card_moved
from ..situation.notation import NOTHING, Situation
from ..situation.people import ABSOLUTE
from . import allowed
from .forms import Form, query_form
from .rendering import language_of, page
from .run_routes import answered

PATH = "/advise"

SAMPLES = ("1000", "4000", "16000")

RANK_NAMES = ("ace", "two", "three", "four", "five", "six", "seven", "jack", "queen", "king")
SUIT_NAMES = {"h": "hearts", "d": "diamonds", "c": "clubs", "s": "spades"}
PLACE_NAMES = {
    "me": ("in my hand", "mine"), "table": ("on the table", "table"), "gone": ("captured, not known by whom", "gone"),
    "captured us": ("in our pile", "ours"), "captured them": ("in their pile", "theirs"),
    "shown next": ("in the next player's hand, shown", "by next"),
    "shown partner": ("in my partner's hand, shown", "by partner"),
    "shown previous": ("in the previous player's hand, shown", "by previous"),
}  # fmt: skip
"""What the page calls each place, at length and on a card."""


def _arguments(form: Form) -> dict[str, Any] | None:
    """The arguments of ``advise``, None if no advice is wanted; raises ``InputError`` for one that is not valid."""
    if not form.get("do"):
        return None
    rules, ours, theirs = form.get("rules", "cirulla"), form.get("us", "careful"), form.get("them", "careful")
    for name, flag in ((ours, "--us"), (theirs, "--them")):
        allowed.policy(name, flag)
    score = form.get("score")
    at = allowed.situation("; ".join(filter(None, (form.get("at"), f"score: {score}" if score else ""))))
    return {
        "at": at,
        "me": choice("--me", "seat", form.get("me"), ABSOLUTE) if form.get("me") else None,
        "rules": allowed.preset(rules),
        "players": allowed.players(form.get("players"), rules),
        "house": allowed.houses(form.all("house")),
        "policy": ours if ours == theirs else f"us={ours}, them={theirs}",
        "samples": choice("--samples", "number of samples", form.get("samples", SAMPLES[1]), SAMPLES),
    }


def _refuse(form: Form, error: InputError | str) -> None:
    """Put an error beside its field: the score has one of its own, and is a clause of the situation."""
    own = form.get("score") and re.search(r"\bscore\b", str(error))
    form.refuse(error, "score" if own else "at", {"--at": "score"} if own else {"--policy": "them"})


def _page(request: Request) -> Response:
    form = query_form(request)
    found = answered(request, "advise", partial(_arguments, form), partial(_refuse, form))
    say, numerals = (locale := language_of(request)).say, locale.numerals
    return page(
        request, "advise.html", 400 if form.errors else 200, form=form, run=found, cards=_cards(form),
        places=PLACE_NAMES, suits=[(SUIT_NAMES[suit], _of_suit(suit)) for suit in SUITS],
        seats=[("", say("any, equally likely")), *((seat, say(seat)) for seat in ABSOLUTE)],
        policies=[(name, say(called)) for name, called in allowed.POLICIES.items()],
        samples=[(number, numerals(f"{int(number):,}")) for number in SAMPLES],
    )  # fmt: skip


def _of_suit(suit: str) -> list[dict[str, str]]:
    return [{"card": rank + suit, "rank": name} for rank, name in zip(RANKS, RANK_NAMES, strict=True)]


def _cards(form: Form) -> dict[str, str]:
    """The place of each card that the situation of a form names; an error in it is put beside its field."""
    try:
        text = allowed.situation(form.get("at"))
        situation = NOTHING if text is None else Situation.parse(text)
    except InputError as error:
        _refuse(form, error)
        return {}
    return {PACK[card]: place for card, place in card_places(situation).items()}


def _put(request: Request) -> Response:
    """A card put somewhere, or with no ``card`` the situation as it was typed."""
    form = query_form(request)
    values = [(name, x) for name, xs in form.values.items() if name not in ("card", "at", "do") for x in xs if x]
    try:
        text = allowed.situation(form.get("at"))
        situation = NOTHING if text is None else Situation.parse(text)
        if card := form.get("card"):
            place = choice("--place", "place", form.get("place", PLACES[0]), PLACES)
            text = with_card_moved(situation, parse(card), place).text(language_of(request).name)
    except InputError:
        text = form.get("at")  # which the page says what is wrong with
    return RedirectResponse(f"{PATH}?{urlencode([('at', text or ''), *values])}", 303)


ROUTES = (Route(PATH, _page), Route(f"{PATH}/put", _put))
