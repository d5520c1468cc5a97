"""The tab that advises what to play: cards put on a table by clicking or typing."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ..core.arguments import choice
from ..core.cards import PACK, RANKS, SUITS, members, parse
from ..core.errors import InputError
from ..engine.policies import USUAL
from ..situation.notation import NOTHING, CardPlace, Clause, Clauses, Situation, in_order
from ..situation.people import ABSOLUTE
from . import forms
from .forms import Form, query_form
from .rendering import language_of, page
from .run_pages import answered

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
"""Places that cards can be put, as the keys of the notation; what the page calls each, at length and on a card."""


def _arguments(form: Form, lang: str) -> dict[str, Any] | None:
    """The arguments of ``advise``, None if no advice is wanted; raises ``InputError`` for one that is not valid."""
    if not form.get("do"):
        return None
    rules, ours, theirs = form.get("rules", "cirulla"), form.get("us", USUAL), form.get("them", USUAL)
    for name, flag in ((ours, "--us"), (theirs, "--them")):
        forms.policy(name, flag)
    score = form.get("score")
    at = forms.situation("; ".join(filter(None, (form.get("at"), f"score: {score}" if score else ""))), lang)
    return {
        "at": at,
        "me": choice("--me", "seat", form.get("me"), ABSOLUTE) if form.get("me") else None,
        "rules": forms.preset(rules),
        "players": forms.players(form.get("players"), rules),
        "house": forms.houses(form.all("house")),
        "policy": None if ours == theirs == USUAL else f"us={ours}, them={theirs}",
        "samples": choice("--samples", "number of samples", form.get("samples", SAMPLES[1]), SAMPLES),
    }


def _refuse(form: Form, error: InputError) -> None:
    """Put an error beside its field: the score has one of its own, and is a clause of the situation."""
    own = form.get("score") and re.search(r"\bscore\b", str(error))
    form.refuse(error, "score" if own else "at", {"--at": "score"} if own else {"--policy": "them"})


def _page(request: Request) -> Response:
    form = query_form(request)
    locale = language_of(request)
    found = answered(request, "advise", partial(_arguments, form, locale.name), partial(_refuse, form))
    say, numerals = locale.say, locale.numerals
    return page(
        request, "advise.html", 400 if form.errors else 200, form=form, run=found, cards=_cards(form, locale.name),
        places=PLACE_NAMES, suits=[(SUIT_NAMES[suit], _of_suit(suit)) for suit in SUITS],
        seats=[("", say("any, equally likely")), *((seat, say(seat)) for seat in ABSOLUTE)],
        policies=[(name, say(called)) for name, called in forms.POLICIES.items()],
        samples=[(number, numerals(f"{int(number):,}")) for number in SAMPLES],
    )  # fmt: skip


def _of_suit(suit: str) -> list[dict[str, str]]:
    return [{"card": rank + suit, "rank": name} for rank, name in zip(RANKS, RANK_NAMES, strict=True)]


def _cards(form: Form, lang: str) -> dict[str, str]:
    """The place of each card that the situation of a form names; an error in it is put beside its field."""
    try:
        text = forms.situation(form.get("at"), lang)
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
        lang = language_of(request).name
        text = forms.situation(form.get("at"), lang)
        situation = NOTHING if text is None else Situation.parse(text)
        if card := form.get("card"):
            place = choice("--place", "place", form.get("place", "me"), tuple(PLACE_NAMES))
            text = with_card_moved(situation, parse(card), place).text(lang)
    except InputError:
        text = form.get("at")  # which the page says what is wrong with
    return RedirectResponse(f"{PATH}?{urlencode([('at', text or ''), *values])}", 303)


# ------------------------------------------------------------------------------------------------ places of cards


def card_places(situation: Situation) -> dict[int, str]:
    """The place of each card that is named, by its index.

    >>> card_places(Situation.parse("me: 7h K*; table: Ad; gone: 2s; shown next: 2d 3d"))
    {6: 'me', 10: 'table', 31: 'gone', 11: 'shown next', 12: 'shown next'}
    """
    found: dict[int, str] = {}
    for (name, stage), clause in situation.places:
        if name in ("me", "table") and stage == 1:
            for cards in clause.cards:
                found |= dict.fromkeys(members(cards) if cards.bit_count() == 1 else (), name)
    found |= dict.fromkeys(members(situation.gone), "gone")
    for kind, named in (("captured", situation.captured), ("shown", situation.shown)):
        for who, cards in named:
            found |= dict.fromkeys(members(cards), f"{kind} {who}")
    return found


def with_card_moved(situation: Situation, card: int, place: str) -> Situation:
    """The situation with a card put in one of ``PLACE_NAMES`` and nowhere else, or taken away if it lies there already.

    The table is complete then, perhaps empty.

    >>> str(with_card_moved(Situation.parse("me: 7h; gone: 2s"), 31, "me"))
    'me: 7h 2s; table:'
    >>> str(with_card_moved(Situation.parse("me: 7h; table: Ad"), 10, "table"))
    'me: 7h; table:'
    """
    bit = 1 << card
    put = {} if card_places(situation).get(card) == place else {place: bit}
    places = dict(situation.places)
    for name in ("me", "table"):
        _place(places, name, bit, put.get(name))
    return replace(
        situation, places=tuple(sorted(places.items(), key=lambda item: in_order(item[0]))),
        gone=situation.gone & ~bit | put.get("gone", 0),
        captured=_moved(situation.captured, bit, "captured", place if put else ""),
        shown=_moved(situation.shown, bit, "shown", place if put else ""),
    )  # fmt: skip


def _place(places: dict[CardPlace, Clause], name: str, bit: int, put: int | None) -> None:
    """Take a card from a place, and put one there; the table stays where it is empty."""
    clause = places.pop((name, 1), Clause())
    clause = replace(clause, cards=tuple(cards for cards in clause.cards if cards != bit))
    clause += Clause(cards=() if put is None else (put,))
    if clause != Clause() or name == "table":
        places[name, 1] = clause


def _moved(named: Clauses, bit: int, kind: str, place: str) -> Clauses:
    """Piles, or cards shown, without a card, or with it at a place of their kind."""
    by_name = {who: cards & ~bit for who, cards in named}
    of, _, who = place.partition(" ")
    if of == kind:
        by_name[who] = by_name.get(who, 0) | bit
    return tuple(sorted(((who, x) for who, x in by_name.items() if x), key=lambda item: in_order((item[0], 1))))


ROUTES = (Route(PATH, _page), Route(f"{PATH}/put", _put))
