"""Constraints on a deal as a frozen value: how many cards of a set lie in some places, what a holding may be."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.errors import InputError
from ..ruleset.rules_model import Rules


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
    a truth value for each of the 9,880 sets of three cards, in the order of ``exact.families.index_of``:
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
            raise InputError(f"--at {self.text!r} is of other rules: these deal {_dealing(layout(rules))}, "
                             f"those {_dealing(self.sizes)}")  # fmt: skip

    def __str__(self) -> str:
        return self.text


def layout(rules: Rules) -> tuple[int, ...]:
    """How many cards lie in each place of a deal: on the table, then stage by stage and seat by seat."""
    table = (rules.table_cards,) if rules.table_cards else ()
    return table + tuple(size for size in rules.deal_plan for _ in range(rules.players))


def holding_place(rules: Rules, stage: int, seat: int) -> int:
    """The place of a holding, stages and seats from 0."""
    return int(rules.table_cards > 0) + stage * rules.players + seat


def _dealing(sizes: tuple[int, ...]) -> str:
    return "-".join(map(str, sizes))
