"""Where the cards of a situation lie, one by one, and a situation with a card put somewhere else."""

from __future__ import annotations

from dataclasses import replace

from ..core.cards import members
from .card_terms import Clause
from .notation import Named, Place, Situation, in_order

HELD, TABLE, GONE, CAPTURED, SHOWN = "me", "table", "gone", "captured", "shown"

PLACES = (
    HELD, TABLE, GONE, f"{CAPTURED} us", f"{CAPTURED} them",
    *(f"{SHOWN} {who}" for who in ("next", "partner", "previous")),
)  # fmt: skip
"""Places that cards can be put, as the keys of the notation; who has shown cards holds them."""


def card_places(situation: Situation) -> dict[int, str]:
    """The place of each card that is named, by its index.

    >>> card_places(Situation.parse("me: 7h K*; table: Ad; gone: 2s; shown next: 2d 3d"))
    {6: 'me', 10: 'table', 31: 'gone', 11: 'shown next', 12: 'shown next'}
    """
    found: dict[int, str] = {}
    for (name, stage), clause in situation.places:
        if name in (HELD, TABLE) and stage == 1:
            for cards in clause.cards:
                found |= dict.fromkeys(members(cards) if cards.bit_count() == 1 else (), name)
    found |= dict.fromkeys(members(situation.gone), GONE)
    for kind, named in ((CAPTURED, situation.captured), (SHOWN, situation.shown)):
        for who, cards in named:
            found |= dict.fromkeys(members(cards), f"{kind} {who}")
    return found


def with_card_moved(situation: Situation, card: int, place: str) -> Situation:
    """The situation with a card put in one of ``PLACES`` and nowhere else, or taken away if it lies there already.

    The table is complete then, perhaps empty.

    >>> str(with_card_moved(Situation.parse("me: 7h; gone: 2s"), 31, "me"))
    'me: 7h 2s; table:'
    >>> str(with_card_moved(Situation.parse("me: 7h; table: Ad"), 10, "table"))
    'me: 7h; table:'
    """
    bit = 1 << card
    put = {} if card_places(situation).get(card) == place else {place: bit}
    places = dict(situation.places)
    for name in (HELD, TABLE):
        _place(places, name, bit, put.get(name))
    return replace(
        situation, places=tuple(sorted(places.items(), key=lambda item: in_order(item[0]))),
        gone=situation.gone & ~bit | put.get(GONE, 0),
        captured=_moved(situation.captured, bit, CAPTURED, place if put else ""),
        shown=_moved(situation.shown, bit, SHOWN, place if put else ""),
    )  # fmt: skip


def _place(places: dict[Place, Clause], name: str, bit: int, put: int | None) -> None:
    """Take a card from a place, and put one there; the table stays where it is empty."""
    clause = places.pop((name, 1), Clause())
    clause = replace(clause, cards=tuple(cards for cards in clause.cards if cards != bit))
    clause += Clause(cards=() if put is None else (put,))
    if clause != Clause() or name == TABLE:
        places[name, 1] = clause


def _moved(named: Named, bit: int, kind: str, place: str) -> Named:
    """Piles, or cards shown, without a card, or with it at a place of their kind."""
    by_name = {who: cards & ~bit for who, cards in named}
    of, _, who = place.partition(" ")
    if of == kind:
        by_name[who] = by_name.get(who, 0) | bit
    return tuple(sorted(((who, x) for who, x in by_name.items() if x), key=lambda item: in_order((item[0], 1))))
