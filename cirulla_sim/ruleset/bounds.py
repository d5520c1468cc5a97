"""The most that a hand can bring under some rules."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

from .rules_model import Rules

MISDEALS = 3
"""Misdeals of a hand where the rules set no limit: there are more in one of some thousands."""


@lru_cache(2**8)
def most(rules: Rules) -> Mapping[str, int]:
    """The most that all sides of a hand together can have, by name as in the hand record; none is reached for certain.

    A sweep leaves an empty table, from which nothing is captured, so that at most every other play is one. Sets of
    three cards earn a bonus each.

    >>> bounds = most(Rules())
    >>> bounds["scope"], bounds["hand_bonus"], bounds["total"]
    (18, 120, 155)
    """
    plays = 40 - rules.table_cards
    sets = rules.players * sum(size // 3 for size in rules.deal_plan)
    both = rules.hand_low + rules.hand_triple if rules.hand_both == "sum" else rules.hand_both
    bonus = max(rules.hand_low, rules.hand_triple, both if isinstance(both, int) else 0)
    all_diamonds = rules.all_diamonds if isinstance(rules.all_diamonds, int) else 0
    points = {
        "cards": rules.cards_point,
        "diamonds": rules.diamonds_point,
        "settebello": rules.settebello_point,
        "primiera": rules.primiera_point,
        "grande": max(rules.grande + 2 * rules.grande_extended, all_diamonds),
        "piccola": rules.piccola_max,
        "scope": (plays + 1) // 2,
        "table_bonus": max(rules.table_15, rules.table_30, rules.table_low) if rules.table_cards else 0,
        "hand_bonus": sets * bonus,
    }
    facts = {"captures": plays, "misdeals": rules.misdeals_lose or MISDEALS, "total": sum(points.values())}
    return points | facts | dict.fromkeys(("low", "low_no_ace", "triple", "knock"), sets)


_OF_HANDS = ("hand", "side", "holding", "stage")
"""What a quantity of hands is counted by."""

_NAMES = {
    "points": "total", "sweeps": "scope", "hand_low": "low", "hand_low_no_ace": "low_no_ace", "hand_triple": "triple",
}  # fmt: skip
"""Quantities of result tables that the hand record names otherwise."""

_SIGNED = ("margin", "match_points")


def bounds_of(rules: Rules, quantity: str, per: str, side: str, kind: str) -> tuple[float, float]:
    """The least and the largest value that a row of a result table can have; infinite where there is no bound.

    >>> bounds_of(Rules(), "points_settebello", "hand", "all", "mean")
    (0.0, 1)
    """
    if kind in ("probability", "share"):
        return 0.0, 1.0
    if kind != "mean":
        return -math.inf, math.inf
    name = _NAMES.get(quantity, quantity.removeprefix("points_"))
    if quantity in _SIGNED:
        largest = most(rules)["total"] if per in _OF_HANDS else math.inf
        return -largest, largest
    largest = most(rules).get(name, math.inf) if per in _OF_HANDS else math.inf
    return 0.0, largest / (rules.sides - 1) if side == "others" else largest
