"""What a hand pays under some rules, category by category, and the most that it can bring."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache

from .categories import (
    COLUMNS,
    FURTHER,
    SPELLINGS,
    USUAL,
    Category,
    categories_of,
    replaced_by,
    usual_category,
)
from .rules_model import Rules


def most_sweeps(rules: Rules) -> int:
    """The most sweeps of a hand: one leaves an empty table, so at most every other play is one."""
    return (41 - rules.table_cards) // 2


def sweeps_column(rules: Rules) -> str:
    """Where the score of a hand counts sweeps: with their points, if each pays one, else behind ``Rules.scoring``."""
    return "scope" if rules.sweep_point == 1 else FURTHER[len(categories_of(rules.scoring))]


@cache
def scoring_of(rules: Rules) -> tuple[Category, ...]:
    """All that a hand pays, in the order of its score: the usual categories, then those of ``Rules.scoring``.

    Fields such as ``piccola_max`` say what the usual ones pay, and ``Rules.scoring`` what a sweep does. Another of
    ``Rules.scoring`` that has a name of a usual one, in either language, stands in its place.
    """
    sets = rules.players * sum(size // 3 for size in rules.deal_plan)
    primiera = rules.primiera_point if rules.primiera != "none" else 0
    table = max(rules.table_15, rules.table_30, rules.table_low) if rules.table_cards else 0
    shown = max(rules.hand_low, rules.hand_triple, rules.both_points)
    worked_out = {  # what several fields say: what each pays, and the most that all sides get
        "primiera": (primiera, primiera),
        "grande": (rules.grande, max(rules.grande + 2 * rules.grande_extended, rules.all_diamonds_points or 0)),
        "piccola": (int(rules.piccola_max > 0), rules.piccola_max),
        "sweeps": (rules.sweep_point, rules.sweep_point * most_sweeps(rules)),
        "table": (table, table),
        "knocks": (shown, sets * shown),
    }
    usual = {name: usual_category(name, *(worked_out.get(name) or (getattr(rules, entry["points"]),)))
             for name, entry in USUAL.items()}  # fmt: skip
    if rules.primiera in ("full", "sevens_then_sixes"):
        usual["primiera"] = usual["primiera"]._replace(cards=0)
    replaced = replaced_by(rules.scoring)
    return (*(category for name, category in usual.items() if name not in replaced), *categories_of(rules.scoring))


def paid(rules: Rules, name: str) -> int:
    """The points of a usual category, by its column, 0 where another stands in its place."""
    return next((each.points for each in scoring_of(rules) if each.column == name), 0)


def category_named(rules: Rules, word: str) -> Category | None:
    """The category that a word names, in one of the languages: of the rules' own ones first."""
    wanted = word.lower()
    for each in reversed(scoring_of(rules)):
        if wanted in (each.name.lower(), each.italian.lower()) or SPELLINGS.get(wanted) == each.usual:
            return each
    return None


MISDEALS = 3
"""Misdeals of a hand where the rules set no limit: there are more in one of some thousands."""


@cache
def most(rules: Rules) -> Mapping[str, int]:
    """The most that all sides of a hand together can have, by name as in the hand record; none is reached for certain.

    Sets of three cards earn a bonus each.

    >>> bounds = most(Rules())
    >>> bounds["scope"], bounds["hand_bonus"], bounds["total"]
    (18, 120, 155)
    """
    sets = rules.players * sum(size // 3 for size in rules.deal_plan)
    points = dict.fromkeys(COLUMNS, 0) | {category.column: category.most for category in scoring_of(rules)}
    facts = {
        "sweeps": most_sweeps(rules),
        sweeps_column(rules): most_sweeps(rules),
        "captures": 40 - rules.table_cards,
        "misdeals": rules.misdeals_lose or MISDEALS,
        "total": sum(points.values()),
    }
    return points | facts | dict.fromkeys(("low", "low_no_ace", "triple", "knock"), sets)


_OF_HANDS = ("hand", "side", "holding", "stage")
"""What a quantity of hands is counted by."""

_NAMES = {
    "points": "total", "hand_low": "low", "hand_low_no_ace": "low_no_ace", "hand_triple": "triple",
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
