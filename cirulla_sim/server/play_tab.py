"""The tab in which a game is played against the policies; all of it follows from ``cs.Game``."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ..core.arguments import choice
from ..core.cards import RANKS, SUITS, SYMBOLS
from ..core.errors import InputError, unknown
from ..core.locale import Language
from ..ruleset.catalogue import catalogue
from ..situation.people import ABSOLUTE
from . import allowed
from .advise_tab import RANK_NAMES, SUIT_NAMES
from .forms import Form, body_form, query_form
from .games_in_play import State
from .rendering import language_of, page
from .tab import Tab

if TYPE_CHECKING:
    from ..advice.game_setup import Table
    from ..engine.choices import Choice
    from ..engine.hand_record import Record

STRENGTHS = {
    "random": "random: plays any card", "greedy": "greedy: takes what is worth most now",
    "careful": "careful: a good player", "search:16": "search:16: the strongest",
}  # fmt: skip
"""The policies that play against a person, from the weakest to the strongest."""

SAMPLES = 300
"""Samples of a play with which the coach judges a hand."""

HINT_WAIT = 8.0
"""Seconds that a page waits for a hint, fewer than those after which a run ends unheard."""

COACHES = BoundedSemaphore(2)
"""Hands that are judged at a time."""

_CARD = re.compile(rf"\b([{RANKS}])([{SUITS}]\b|[{SYMBOLS}])")


def drawn_seed() -> int:
    """The seed of a new game, which nobody knows."""
    return secrets.randbelow(2**53)


# ---------------------------------------------------------------------------------------------------- begun


def _form(request: Request, form: Form) -> Response:
    locale = language_of(request)
    seats = [("", locale.say("as usual: the first to play")), *((seat, locale.say(seat)) for seat in ABSOLUTE)]
    return page(
        request, "play.html", 400 if form.errors else 200, active=TAB, form=form, strengths=STRENGTHS, seats=seats
    )


def _empty(request: Request) -> Response:
    return _form(request, query_form(request))


def _begin(request: Request) -> Response:
    from ..advice.game import Game  # here for the sake of a quick start

    form = body_form(request)
    try:
        rules, policy = form.get("rules", "cirulla"), form.get("policy", "careful")
        if policy not in STRENGTHS:
            raise unknown("policy", policy, STRENGTHS, where="--policy: ")
        seat = form.get("me")
        game = Game(
            allowed.preset(rules), players=allowed.players(form.get("players"), rules) or _fewest(rules),
            house=allowed.houses(form.all("house")), policy=policy,
            me=choice("--me", "seat", seat, ABSOLUTE) if seat else None, seed=drawn_seed(),
        )  # fmt: skip
    except InputError as error:
        form.refuse(error, "rules", {"--at": "me"})
        return _form(request, form)
    return RedirectResponse(f"{TAB.path}/{request.app.state.games.add(game)}", 303)


def _fewest(rules: str) -> int:
    """Two players, as at the terminal, or as few as the rules have."""
    return min(int(number) for number in catalogue()["preset"][rules]["seats"])


# ---------------------------------------------------------------------------------------------------- shown


def _state(request: Request) -> State:
    state: State | None = request.app.state.games.get(request.path_params["id"])
    if state is None:
        raise HTTPException(404, "This game is no longer kept: begin another.")
    return state


def _shown_cards(locale: Language, text: str) -> Markup:
    """A text with its cards as symbols, coloured and with their names."""

    def shown(found: re.Match[str]) -> str:
        suit = SUITS[(SUITS + SYMBOLS).index(found[2]) % len(SUITS)]
        rank, suit_name = RANK_NAMES[RANKS.index(found[1])], SUIT_NAMES[suit]
        name = locale.say("{rank} of {suit}", rank=locale.say(rank), suit=locale.say(suit_name))
        red = " red" if suit in "hd" else ""
        symbol = found[1] + SYMBOLS[SUITS.index(suit)]
        return f'<span class="pip{red}" role="img" aria-label="{escape(name)}">{symbol}</span>'

    return Markup(_CARD.sub(shown, str(escape(text))))


def _speaker(locale: Language) -> Callable[[str], Markup]:
    """What turns a line of the terminal into one of the page."""
    return lambda line: _shown_cards(locale, locale.message(line.strip(), "hands"))


def _shown(request: Request) -> Response:
    from ..advice import screen

    state, locale = _state(request), language_of(request)
    game, setup, line = state.game, state.game.setup, _speaker(locale)
    ended = state.ended < len(game.table.records)
    table = game.after(state.ended) if ended else game.table
    record = table.decision.record if table.decision is not None else table.records[-1]
    since, stage = screen.last_own(setup, table.passed, record)
    before, *opening = screen.opening(setup, table, record)
    happened = screen.happened(screen.names(setup, table.passed), record, since, stage)
    values: dict[str, Any] = {
        "news": [line(text) for text in [*(opening if (since, stage) == (0, 0) else ()), *happened]],
        "changed": [line(text) for text in screen.plain_rules(setup)],
        "can_undo": any(game.history), "number": record["hand"], "ended": ended, "table": table, "state": state,
        "id": request.path_params["id"], "line": line,
    }  # fmt: skip
    if ended:
        values |= {"rows": _sheet(setup, table, line), "leavings": [line(x) for x in screen.leavings(setup, table)]}
        values |= {"ending": line(screen.ending(setup, table)) if table.over is not None else ""}
    else:
        assert table.decision is not None
        seen = screen.sight(setup, table.passed, table.decision)
        values |= {"seen": seen, "heading": line(before), "stage": line(screen.stage(seen))}
        values |= {"piles": [line(text) for text in screen.pile_lines(seen)], "hint": _hint(request, state, line)}
        values |= {"groups": _groups(game.choices(), line), "to_show": table.decision.to_show}
    return page(request, "play_game.html", active=TAB, **values)


def _groups(choices: Sequence[Choice], line: Callable[[str], Markup]) -> list[list[tuple[int, Markup]]]:
    """The choices as buttons, those of a card together."""
    from ..advice.screen import gain

    return [
        [(choice.number, line(f"{choice}{gain(choice)}")) for choice in group]
        for _, group in groupby(choices, lambda choice: choice.card)
    ]


def _sheet(setup: Any, table: Table, line: Callable[[str], Markup]) -> list[list[Markup]]:
    """The score sheet of a hand, with its head."""
    from ..advice import screen

    rows, called = screen.sheet(setup, table), screen.sides(setup)
    head = [Markup(""), *(line(called[side]) for side in rows[-1][1])]
    return [head, *([line(name), *(Markup(n) for n in points.values())] for name, points in rows)]


def _hint(request: Request, state: State, line: Callable[[str], Markup]) -> dict[str, Any]:
    """What a hint says if one is asked for: its sentences and its table; empty if none is."""
    if request.query_params.get("hint") != str(state.turn):
        return {}
    from ..advice.hints import hint
    from .run_routes import table_of_result

    key, locale = (request.path_params["id"], state.turn), language_of(request)
    run = request.app.state.runs.start(TAB.name, key, lambda watch: hint(state.game, watch))
    run.ended.wait(HINT_WAIT)
    if run.result is None or not run.ended.is_set():
        return {"sentences": [locale.message(run.error) or locale.say("The hint takes long: load the page again.")]}
    table = table_of_result(run.result, locale)
    return {
        "sentences": [_shown_cards(locale, text) for text in run.result.describe(locale.name).splitlines()],
        "head": table.head, "rows": [[_shown_cards(locale, cell) for cell in row] for g in table.groups for row in g],
    }  # fmt: skip


# ---------------------------------------------------------------------------------------------------- played


def _change(how: Callable[[State, Form], State]) -> Callable[[Request], Response]:
    """A handler that changes a game, if the page that asks for it shows where it stands."""

    def changed(request: Request) -> Response:
        form, id = body_form(request), request.path_params["id"]
        _state(request)
        turn = form.get("turn")
        if re.fullmatch(r"[0-9]{1,9}", turn):
            request.app.state.games.change(id, int(turn), lambda state: how(state, form))
        return RedirectResponse(f"{TAB.path}/{id}", 303)

    return changed


def _choose(state: State, form: Form) -> State:
    if state.ended < len(state.game.table.records):
        return state
    game = state.game.copy()
    game.play(form.get("number"))
    return replace(state, game=game)


def _undo(state: State, form: Form) -> State:
    if not any(state.game.history):
        return state
    game = state.game.copy()
    game.undo()
    return replace(state, game=game, ended=len(game.table.records))


def _next(state: State, form: Form) -> State:
    goes_on = state.ended < len(state.game.table.records) and state.game.after(state.ended).over is None
    return replace(state, ended=state.ended + goes_on)


# ---------------------------------------------------------------------------------------------------- kept


def _coach(request: Request) -> Response:
    from ..engine.hand_record import Hand

    state, locale = _state(request), language_of(request)
    given = request.query_params.get("hand", "")
    records = state.game.table.records
    if not re.fullmatch(r"[0-9]{1,6}", given) or not 1 <= int(given) <= len(records):
        raise HTTPException(404, "This hand has not been played.")
    number = int(given) - 1
    record = _judged(Hand(records[number]).json())
    _, _, text = Hand(record).text(locale.name).partition("\n")  # its first line has the seed
    return page(
        request, "play_coach.html", active=TAB, id=request.path_params["id"], number=number,
        text=_shown_cards(locale, text.strip("\n")),
    )  # fmt: skip


@lru_cache(100)
def _judged(record: str) -> Record:
    """A hand, by its record as JSON, with the coach's verdict."""
    from ..advice.coach import coached

    played = json.loads(record)
    with COACHES:
        return coached(played, SAMPLES, played["seed"])


def _file(request: Request) -> Response:
    from ..advice.saved_games import as_lines

    game = _state(request).game
    disposition = {"Content-Disposition": 'attachment; filename="cirulla-game.jsonl"'}
    text = as_lines(game.setup, game.table, game.history)
    return Response(text, media_type="application/x-ndjson", headers=disposition)


TAB = Tab(
    "play", "Play a game",
    (
        Route("/play", _empty, methods=["GET"]), Route("/play", _begin, methods=["POST"]),
        Route("/play/{id}", _shown, methods=["GET"]), Route("/play/{id}/choose", _change(_choose), methods=["POST"]),
        Route("/play/{id}/undo", _change(_undo), methods=["POST"]),
        Route("/play/{id}/next", _change(_next), methods=["POST"]),
        Route("/play/{id}/coach", _coach, methods=["GET"]), Route("/play/{id}/file", _file, methods=["GET"]),
    ),
)  # fmt: skip
