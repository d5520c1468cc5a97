"""Constraints on a deal, as frozen values and as a situation puts them.

They say how many cards of a set lie in some places, and what a holding may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from operator import or_

from ..core.cards import ALL, texts
from ..core.errors import InputError
from ..ruleset.rules_model import Rules
from .notation import AT, Clause, Situation
from .people import GROUPS, PLAYERS, is_relative, order_of_play, seats_of


@dataclass(frozen=True)
class Condition:
    """At least ``low`` and at most ``high`` of the ``cards`` lie in the ``places``: masks of cards and of places."""

    places: int
    cards: int
    low: int
    high: int


@dataclass(frozen=True)
class HoldingCondition:
    """Some three of the cards in a place are one of the ``sets``; without ``some``, no three of them are.

    Of a holding of three cards that can say anything; of a larger one, that it holds a set worth a bonus. ``sets`` is
    a truth value for each of the 9,880 sets of three cards, in the order of ``exact.sums.index_of``:
    ``wanted.tobytes()`` of bool[9880]. The mask ``beside`` is of cards that count as if they lay there, such as those
    that a seat has shown.
    """

    place: int  # a number, not a mask
    sets: bytes
    some: bool = True
    beside: int = 0


@dataclass(frozen=True)
class DealConstraints:
    """Constraints on a deal, all conditions at once, and the ``text`` that they were read from.

    ``sizes`` are the cards of each place: the table where there is one, then stage by stage the holding of each seat.
    Besides, one at least of ``some_of`` is met, if there are any: what is said of somebody, for each seat.
    Where it is not known where the person asking sits, deals are under one of ``any_of``, each equally likely: the same
    constraints as seen from each seat.
    """

    text: str
    conditions: tuple[Condition, ...]
    sizes: tuple[int, ...]
    holdings: tuple[HoldingCondition, ...] = ()
    some_of: tuple[DealConstraints, ...] = ()
    any_of: tuple[DealConstraints, ...] = ()

    def check(self, rules: Rules) -> None:
        """Raise ``InputError`` for rules that deal otherwise than those that it was read for."""
        if layout(rules) != self.sizes:
            dealt = ("-".join(map(str, sizes)) for sizes in (layout(rules), self.sizes))
            raise InputError("--at {text!r} is of other rules: these deal {dealt}, those {others}", self.text, *dealt)

    def __str__(self) -> str:
        return self.text


def layout(rules: Rules) -> tuple[int, ...]:
    """How many cards lie in each place of a deal: on the table, then stage by stage and seat by seat."""
    table = (rules.table_cards,) if rules.table_cards else ()
    return table + tuple(size for size in rules.deal_plan for _ in range(rules.players))


def holding_place(rules: Rules, stage: int, seat: int) -> int:
    """The place of a holding, stages and seats from 0."""
    return int(rules.table_cards > 0) + stage * rules.players + seat


MOST_SHARING = 10
"""Different sets that share cards, in one place, at most."""

NamedPlaces = tuple[str, int, Clause]
"""What the user calls some places, these as a mask, and what is said of them together."""


def conditions_of(clauses: Iterable[NamedPlaces], sizes: Sequence[int]) -> tuple[Condition, ...]:
    """The conditions that clauses put on places with so many cards.

    Raises ``InputError`` for more cards than lie in a place, and for a card in two places.
    """
    together: dict[int, tuple[str, Clause]] = {}
    for name, places, clause in clauses:
        earlier = together.get(places, (name, Clause()))
        together[places] = earlier[0], earlier[1] + clause
    _check_once(clause for _, clause in together.values())
    conditions: list[Condition] = []
    for places, (name, clause) in together.items():
        room = sum(size for at, size in enumerate(sizes) if places >> at & 1)
        if len(clause.cards) > room:
            raise InputError(
                "--at: {name}: {number} cards where {room} lie (valid: {room} or fewer)", name, len(clause.cards), room
            )
        conditions += [Condition(places, *limit) for limit in clause.limits]
        conditions += _containing(places, clause.cards)
    return tuple(dict.fromkeys(conditions))


def _check_once(clauses: Iterable[Clause]) -> None:
    """Raise ``InputError`` for a card that is named in two places, or twice in one."""
    single = [cards for clause in clauses for cards in clause.cards if cards.bit_count() == 1]
    for cards in single:
        if single.count(cards) > 1:
            raise InputError("--at: {card} is named twice: every card is in the pack once", texts(cards)[0])


def _containing(places: int, cards: Sequence[int]) -> Iterator[Condition]:
    """The conditions that different cards lie there, one of each set: by Hall's theorem, enough of any sets together.

    Sets that share no card with others need not be looked at together with them.
    """
    distinct = list(dict.fromkeys(cards))
    sharing = [a for a in distinct if any(a & b for b in distinct if b != a)]
    yield from (Condition(places, a, cards.count(a), 40) for a in distinct if a not in sharing and a != ALL)
    if len(sharing) > MOST_SHARING:
        raise InputError(
            "--at: {number} sets of cards that overlap are too many (valid: {most})", len(sharing), MOST_SHARING
        )
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


def constraints_of(s: Situation, rules: Rules, me: int) -> DealConstraints:
    """The constraints that a situation puts on deals, where the person asking sits at seat ``me``.

    Raises ``InputError`` that begins with ``--at`` for a position, for places that a deal does not have and for a card
    in two places.
    """
    if s.is_position:
        raise InputError(
            "--at: {s!r} is a position in mid-hand (valid here: cards of a deal, as 'me: 7h K*; table: Ad ..')", s
        )
    table = s.of("table")
    if table is not None and table.exact is not None and table.exact.bit_count() != rules.table_cards:
        raise InputError(
            "--at: table: {table!r} is no table as it is dealt, of {table_cards} cards (valid: some of them, as "
            "{part!r}; or a position, which says what you hold: 'me: ...')",
            table.text(), rules.table_cards, table.text() + " ..",
        )  # fmt: skip
    sizes, named = layout(rules), list(clauses_by_places(s, rules, me))
    text = str(replace(s, score=(), hand=None))
    return DealConstraints(text, conditions_of(named, sizes), sizes)


def clauses_by_places(s: Situation, rules: Rules, me: int) -> Iterator[NamedPlaces]:
    """What a situation says of places, each with what the user calls it and a mask of places."""
    for (name, stage), clause in s.places:
        called = name if stage == 1 else f"{name} stage {stage}"
        yield from ((called, places, clause) for places in _places(rules, name, stage, me))


def _places(rules: Rules, name: str, stage: int, me: int) -> list[int]:
    """The places meant by a name, as masks: several where it is true of each of them."""
    stages = len(rules.deal_plan)
    if name == "table":
        if not rules.table_cards or stage > 1:
            raise InputError("--at: table: no cards are laid on the table then under these rules (leave it out)")
        return [1]
    if name == "stock":
        if stages == 1:
            raise InputError("--at: stock: all cards are dealt at once under these rules (leave it out)")
        return [
            sum(1 << holding_place(rules, later, seat) for later in range(1, stages) for seat in range(rules.players))
        ]
    if not 1 <= stage <= stages:
        raise InputError(
            "--at: {name} stage {stage}: there are {stages} stages (valid: 1 to {stages})", name, stage, stages
        )
    if name == "somebody":
        raise InputError(
            "--at: somebody: nobody in particular: its chance can be asked for (valid: odds --at without a "
            "question, or me, first, everybody)"
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
