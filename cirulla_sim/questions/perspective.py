"""Endings of words: which player or side, and when, named by who deals or as one seat sees it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from ..ruleset.rules_model import Rules
from ..situation.position import PLACES

Column = Any  # an array with one entry a hand: bool, integer or text

Places = tuple[int, ...]
"""Seats, sides or stages."""

Endings = dict[str, tuple[str, Places]]
"""Ending -> in words, and the seats, sides or stages meant."""


@dataclass(frozen=True)
class Perspective:
    """``seats`` and ``sides`` by ending; ``own`` is the side that margins are of, the first of ``sides``."""

    seats: Endings
    sides: Endings
    own: int

    @property
    def owner(self) -> str:
        """The side that margins are of, in words."""
        return next(iter(self.sides.values()))[0].removeprefix(" of ")


def by_deal(rules: Rules) -> Perspective:
    """Seats and sides by who deals: ``dealer``, ``others``, ``seat0`` and so on in the order of play."""
    each: Endings = {f"_seat{seat}": (f" of seat {seat}", (seat,)) for seat in range(rules.players)}
    return _perspective(rules, rules.dealer_side, ("_dealer", " of the dealer's side"), "_others", each)


def by_seat(rules: Rules, me: int) -> Perspective:
    """Seats and sides as a seat sees them: ``us``, ``them``, ``me``, ``next`` and so on."""
    each: Endings = {"_me": (" of yourself", (me,))}
    for k, place in enumerate(PLACES[: rules.players - 1], 1):
        each[f"_{place}"] = (f" of the {place} player after you", ((me + k) % rules.players,))
    if rules.partnership:
        each["_partner"] = (" of your partner", each["_second"][1])
    return _perspective(rules, rules.side(me), ("_us", " of your side"), "_them", each)


def _perspective(rules: Rules, own: int, mine: tuple[str, str], theirs: str, each: Endings) -> Perspective:
    every, of_others = range(rules.players), " of the others"
    sides: Endings = {mine[0]: (mine[1], (own,))}
    sides[theirs] = (of_others, tuple(side for side in range(rules.sides) if side != own))
    if rules.sides == rules.players > 2:
        sides |= each
    seats: Endings = {"": ("", tuple(every))}
    seats[mine[0]] = (mine[1], tuple(seat for seat in every if rules.side(seat) == own))
    seats[theirs] = (of_others, tuple(seat for seat in every if rules.side(seat) != own))
    return Perspective(seats | each, sides, own)


def stages(rules: Rules, first: int = 0) -> Endings:
    """Endings for the stages from ``first`` on."""
    every = tuple(range(len(rules.deal_plan)))
    when = {f"_stage{stage + 1}": (f" in stage {stage + 1}", (stage,)) for stage in every[first:]}
    return {"": ("", every)} | (when if len(every) > 1 else {})


def seats_and_stages(perspective: Perspective, when: Endings) -> Iterator[tuple[str, str, Places, Places]]:
    """Every ending for seats and stages together, in words, and the seats and stages meant."""
    for (who, (of, seats)), (time, (during, stages)) in product(perspective.seats.items(), when.items()):
        yield who + time, of + during, seats, stages
