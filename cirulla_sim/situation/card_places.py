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
"""Places that cards can be put, as the keys of the notation."""


def card_places(situation: Situation) -> dict[int, tuple[str, ...]]:
    """The places of each card that is named, by its index; a set that was shown may lie on the table too.

    >>> card_places(Situation.parse("me: 7h K*; table: Ad; gone: 2s; shown next: Ad 2d 3d"))
    {6: ('me',), 10: ('table', 'shown next'), 31: ('gone',), 11: ('shown next',), 12: ('shown next',)}
    """
    found: dict[int, tuple[str, ...]] = {}
    for (name, stage), clause in situation.places:
        if name in (HELD, TABLE) and stage == 1:
            for cards in clause.cards:
                _add(found, cards if cards.bit_count() == 1 else 0, name)
    _add(found, situation.gone, GONE)
    for kind, named in ((CAPTURED, situation.captured), (SHOWN, situation.shown)):
        for who, cards in named:
            _add(found, cards, f"{kind} {who}")
    return found


def _add(found: dict[int, tuple[str, ...]], cards: int, place: str) -> None:
    for card in members(cards):
        found[card] = (*found.get(card, ()), place)


def with_card_moved(situation: Situation, card: int, place: str) -> Situation:
    """The situation with a card put somewhere, one of ``PLACES``, or taken away if it lies there already.

    It is taken from wherever else it lies; only a set that was shown may lie elsewhere too. The table is complete then,
    perhaps empty.

    >>> str(with_card_moved(Situation.parse("me: 7h; gone: 2s"), 31, "me"))
    'me: 7h 2s; table:'
    >>> str(with_card_moved(Situation.parse("me: 7h; table: Ad"), 10, "table"))
    'me: 7h; table:'
    """
    bit = 1 << card
    here = card_places(situation).get(card, ())
    remaining = {name for name in here if place.startswith(SHOWN) is not name.startswith(SHOWN)}
    places = dict(situation.places)
    for name in (HELD, TABLE):
        cards = [mask for mask in places.get((name, 1), Clause()).cards if mask != bit or name in remaining]
        _place(places, name, cards)
    named: dict[str, Named] = {}
    for kind, piles in ((CAPTURED, situation.captured), (SHOWN, situation.shown)):
        named[kind] = tuple((who, cards if f"{kind} {who}" in remaining else cards & ~bit) for who, cards in piles)
    gone = situation.gone if GONE in remaining else situation.gone & ~bit
    if place not in here:
        kind, _, who = place.partition(" ")
        if who:
            named[kind] = _with(named[kind], who, bit)
        elif place == GONE:
            gone |= bit
        else:
            _place(places, place, [*places.get((place, 1), Clause()).cards, bit])
    return replace(
        situation, places=tuple(sorted(places.items(), key=lambda item: in_order(item[0]))), gone=gone,
        captured=_some(named[CAPTURED]), shown=_some(named[SHOWN]),
    )  # fmt: skip


def _place(places: dict[Place, Clause], name: str, cards: list[int]) -> None:
    """Replace the cards of a place; the table stays where it is empty."""
    clause = replace(places.get((name, 1), Clause()), cards=tuple(cards))
    places.pop((name, 1), None)
    if clause != Clause() or name == TABLE:
        places[name, 1] = Clause() + clause


def _with(named: Named, who: str, bit: int) -> Named:
    by_name = dict(named)
    by_name[who] = by_name.get(who, 0) | bit
    return tuple(sorted(by_name.items(), key=lambda item: in_order((item[0], 1))))


def _some(named: Named) -> Named:
    return tuple((who, cards) for who, cards in named if cards)
