"""Clauses about places as conditions that can be counted and dealt: how many cards of a set lie in some places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations
from operator import or_

from ..core.cards import texts
from ..core.errors import InputError
from .card_terms import ALL, Clause
from .constraints import Condition
from .notation import AT

MOST_SHARING = 10
"""Different sets that share cards, in one place, at most."""

Named = tuple[str, int, Clause]
"""What the user calls some places, these as a mask, and what is said of them together."""


def conditions_of(clauses: Iterable[Named], sizes: Sequence[int], once: bool = True) -> tuple[Condition, ...]:
    """The conditions that clauses put on places with so many cards.

    Raises ``InputError`` for more cards than lie in a place, and if each is named ``once`` for a card in two places.
    """
    together: dict[int, tuple[str, Clause]] = {}
    for name, places, clause in clauses:
        earlier = together.get(places, (name, Clause()))
        together[places] = earlier[0], earlier[1] + clause
    if once:
        _check_once(clause for _, clause in together.values())
    conditions: list[Condition] = []
    for places, (name, clause) in together.items():
        room = sum(size for at, size in enumerate(sizes) if places >> at & 1)
        if len(clause.cards) > room:
            raise InputError(f"{AT}{name}: {len(clause.cards)} cards where {room} lie (valid: {room} or fewer)")
        conditions += [Condition(places, *limit) for limit in clause.limits]
        conditions += _containing(places, clause.cards)
    return tuple(dict.fromkeys(conditions))


def _check_once(clauses: Iterable[Clause]) -> None:
    """Raise ``InputError`` for a card that is named in two places, or twice in one."""
    single = [cards for clause in clauses for cards in clause.cards if cards.bit_count() == 1]
    for cards in single:
        if single.count(cards) > 1:
            raise InputError(f"{AT}{texts(cards)[0]} is named twice: every card is in the pack once")


def _containing(places: int, cards: Sequence[int]) -> Iterator[Condition]:
    """The conditions that different cards lie there, one of each set: by Hall's theorem, enough of any sets together.

    Sets that share no card with others need not be looked at together with them.
    """
    distinct = list(dict.fromkeys(cards))
    sharing = [a for a in distinct if any(a & b for b in distinct if b != a)]
    yield from (Condition(places, a, cards.count(a), 40) for a in distinct if a not in sharing and a != ALL)
    if len(sharing) > MOST_SHARING:
        raise InputError(f"{AT}{len(sharing)} sets of cards that overlap are too many (valid: {MOST_SHARING})")
    for number in range(1, len(sharing) + 1):
        for several in combinations(sharing, number):
            union = reduce(or_, several)
            if union != ALL and _are_connected(several):
                yield Condition(places, union, sum(map(cards.count, several)), 40)


def _are_connected(sets: Sequence[int]) -> bool:
    """Whether every set is reached from the first through sets that share cards."""
    reached, left = sets[0], list(sets[1:])
    while near := [cards for cards in left if cards & reached]:
        reached = reduce(or_, near, reached)
        left = [cards for cards in left if cards not in near]
    return not left
