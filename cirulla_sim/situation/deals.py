"""Fresh deals of which some cards are known: a situation as constraints on the places of a deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..core.errors import InputError
from ..ruleset.rules_model import Rules
from .card_terms import Clause
from .conditions import Named, conditions_of
from .constraints import DealConstraints, holding_place, layout
from .notation import AT, Situation
from .people import GROUPS, PLAYERS, is_relative, order_of_play, seats_of


def constraints_of(s: Situation, rules: Rules, me: int, once: bool = True) -> DealConstraints:
    """The constraints that a situation puts on deals, where the person asking sits at seat ``me``.

    Raises ``InputError`` that begins with ``--at`` for a position, for places that a deal does not have and, if cards
    are to be named ``once``, for one in two places.
    """
    if s.to_play is not None or not s.is_fresh:
        raise InputError(
            f"{AT}{str(s)[:60]!r} is a position in mid-hand (valid here: cards of a deal, as 'me: 7h K*; table: Ad ..')"
        )
    table = s.of("table")
    if table is not None and table.exact is not None and table.exact.bit_count() != rules.table_cards:
        raise InputError(
            f"{AT}table: {table.text()!r} is a position in mid-hand (valid here: {rules.table_cards} cards as they are "
            f"dealt, or some of them, as {table.text() + ' ..'!r})"
        )
    sizes, named = layout(rules), list(clauses_by_places(s, rules, me))
    text = str(replace(s, score=(), hand=None))
    return DealConstraints(text, conditions_of(named, sizes, once), sizes)


def clauses_by_places(s: Situation, rules: Rules, me: int) -> Iterator[Named]:
    """What a situation says of places, each with what the user calls it and a mask of places."""
    for (name, stage), clause in s.places:
        called = name if stage == 1 else f"{name} stage {stage}"
        yield from ((called, places, clause) for places in _places(rules, name, stage, me))


def _places(rules: Rules, name: str, stage: int, me: int) -> list[int]:
    """The places meant by a name, as masks: several where it is true of each of them."""
    stages = len(rules.deal_plan)
    if name == "table":
        if not rules.table_cards or stage > 1:
            raise InputError(f"{AT}table: no cards are laid on the table then under these rules (leave it out)")
        return [1]
    if name == "stock":
        if stages == 1:
            raise InputError(f"{AT}stock: all cards are dealt at once under these rules (leave it out)")
        return [
            sum(1 << holding_place(rules, later, seat) for later in range(1, stages) for seat in range(rules.players))
        ]
    if not 1 <= stage <= stages:
        raise InputError(f"{AT}{name} stage {stage}: there are {stages} stages (valid: 1 to {stages})")
    if name == "somebody":
        raise InputError(
            f"{AT}somebody: nobody in particular: its chance can be asked for (valid: odds --at without a question, or "
            "me, first, everybody)"
        )
    places = [1 << holding_place(rules, stage - 1, seat) for seat in seats_of(name, rules, me, AT)]
    return [sum(places)] if name in ("us", "them") else places


def with_somebody_at(s: Situation, seats: Sequence[int], rules: Rules) -> Situation:
    """The situation in which what is said of ``somebody`` is true of the players at some seats."""
    places = {place: clause for place, clause in s.places if place[0] != "somebody"}
    for (name, stage), clause in s.places:
        if name == "somebody":
            for seat in seats:
                at = (order_of_play(rules)[seat], stage)
                places[at] = places.get(at, Clause()) + clause
    return replace(s, places=tuple(places.items()))


def names_players(s: Situation) -> tuple[bool, bool]:
    """Whether a situation names players as the person asking sees them, and by where they sit."""
    names = [name for (name, _), _ in s.places if name in (*PLAYERS, *GROUPS)]
    anyone = ("everybody", "somebody")
    return any(map(is_relative, names)), any(not is_relative(name) and name not in anyone for name in names)
