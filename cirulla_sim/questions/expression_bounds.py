"""The least and the most that an expression can be under some rules: what intervals of means never leave."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

from ..core.cards import PACK
from ..ruleset.rules_model import Rules, most
from .grammar import Node
from .terms import Term

Bounds = tuple[float, float]

ANY = (-math.inf, math.inf)
TRUTH = (0.0, 1.0)

_CATEGORIES = {"": "total", "sweeps": "scope", "knocks": "hand_bonus", "table": "table_bonus"}
"""Categories of points that ``rules_model.most`` has under other names."""


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
    match term.function.most:
        case None:
            return ANY
        case "cards":
            return 0.0, float(term.cards.bit_count() or len(PACK))
        case "points":
            return 0.0, float(most(rules)[_CATEGORIES.get(term.detail, term.detail)])
        case "margin":
            return -float(most(rules)["total"]), float(most(rules)["total"])
        case str(name):
            return 0.0, float(most(rules)[name])
        case tuple(names):
            return 0.0, float(max(most(rules)[name] for name in names))
        case number:
            return 0.0, float(number)


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
