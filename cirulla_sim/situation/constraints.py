"""Constraints on a deal as a frozen value: how many cards of a set lie in some of its places."""

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
class DealConstraints:
    """Constraints on a deal, all conditions at once, and the ``text`` that they were read from.

    ``sizes`` are the cards of each place: the table where there is one, then stage by stage the holding of each seat.
    """

    text: str
    conditions: tuple[Condition, ...]
    sizes: tuple[int, ...]

    def check(self, rules: Rules) -> None:
        """Raise ``InputError`` for rules that deal otherwise than those that it was read for."""
        if layout(rules) != self.sizes:
            raise InputError(f"--deal {self.text!r} is of other rules: these deal {_dealing(layout(rules))}, "
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
