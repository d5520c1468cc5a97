"""Rule sets compared on the same deals: what a house rule changes in hands and in games."""

from __future__ import annotations

from .hands import compared, play_pairs
from .pairs import Comparison, Quantity, all_house_rules, house_rule
from .readers import for_readers
from .run import compare

__all__ = [
    "Comparison",
    "Quantity",
    "all_house_rules",
    "compare",
    "compared",
    "for_readers",
    "house_rule",
    "play_pairs",
]
