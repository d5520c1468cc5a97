"""The least and the most that an expression can be under some rules: what intervals of means never leave."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

from ..ruleset.bounds import most
from ..ruleset.rules_model import Rules
from .grammar import Node
from .terms import Term
from .vocabulary import RANKS, SUITS

Bounds = tuple[float, float]

ANY = (-math.inf, math.inf)
TRUTH = (0.0, 1.0)

_PLAYS = _PACK = 40
_FIXED: dict[str, float] = {
    **dict.fromkeys(RANKS, 4), **dict.fromkeys(SUITS, 10), "most_equal": 4, "total": 100, "best_total": 100,
    "barsega": 3, "barsegon": 3, "misci": 3, "bonus": 3, "when_taken": _PLAYS, "stage_taken": _PLAYS,
    "first_capture_play": _PLAYS, "leftovers": _PLAYS, "primiera": 84, "prime": 21, "piccola": 10, "napola": 10,
    "captures": _PLAYS,
}  # fmt: skip
"""The most of functions that no rule changes, as far as that is simple to say; the least is 0."""

_FROM_ZERO = (
    "misdeals", "hands_left", "lead_changes", "games_played", "hands_played", "minutes", "misdeal_run", "cappotti",
)  # fmt: skip
"""Functions that have no limit, and are 0 at least."""

_MOST = {"sweeps": "scope", "knocks": "knock", "knock_points": "hand_bonus", "bonus_points": "hand_bonus"}
_CATEGORIES = {"": "total", "sweeps": "scope", "knocks": "hand_bonus", "table": "table_bonus"}


def bounds_of(node: Node, rules: Rules) -> Bounds:
    """The bounds of a tree of terms, by interval arithmetic; infinite where they are not simple.

    >>> from cirulla_sim.ruleset.presets import build
    >>> from .grammar import read
    >>> from .meaning import Speaker, bound
    >>> rules = build("cirulla")
    >>> bounds_of(bound("x", read("sevens(me) - 2 * aces(next)"), Speaker(rules)).tree, rules)
    (-8.0, 4.0)
    """
    if node.name == "term":
        return _of_term(node.value, rules)
    if node.name == "number":
        return float(node.value), float(node.value)
    if node.name in ("truth", "compare", "in", "and", "or", "not"):
        return TRUTH
    parts = [bounds_of(part, rules) for part in node.parts]
    return _OPERATIONS[node.name](*parts) if node.name in _OPERATIONS else ANY


def _of_term(term: Term, rules: Rules) -> Bounds:
    if term.function.gives == "truth":
        return TRUTH
    if term.name in ("takes", "captured"):
        return 0.0, float(term.cards.bit_count() or _PACK)
    if term.name == "points":
        return 0.0, float(most(rules)[_CATEGORIES.get(term.detail, term.detail)])
    if term.name == "margin":
        return -float(most(rules)["total"]), float(most(rules)["total"])
    if term.name in _MOST:
        return 0.0, float(max(most(rules)[_MOST[term.name]], most(rules)["table_bonus"]))
    if term.name in _FIXED:
        return 0.0, float(_FIXED[term.name])
    return (0.0, math.inf) if term.name in _FROM_ZERO else ANY


def _product(a: Bounds, b: Bounds) -> Bounds:
    ends = [0.0 if 0.0 in pair else pair[0] * pair[1] for pair in product(a, b)]
    return min(ends), max(ends)


def _sum(*parts: Bounds) -> Bounds:
    return sum(low for low, _ in parts), sum(high for _, high in parts)


def _abs(part: Bounds) -> Bounds:
    low, high = part
    return (max(low, -high, 0.0), max(-low, high)) if low > 0 or high < 0 else (0.0, max(-low, high))


_OPERATIONS: dict[str, Callable[..., Bounds]] = {
    "+": _sum,
    "any of": _sum,
    "each of": _sum,
    "-": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "minus": lambda a: (-a[1], -a[0]),
    "*": _product,
    "abs": _abs,
    "least": lambda *parts: (min(low for low, _ in parts), min(high for _, high in parts)),
    "greatest": lambda *parts: (max(low for low, _ in parts), max(high for _, high in parts)),
    "most of": lambda *parts: (max(low for low, _ in parts), max(high for _, high in parts)),
}
