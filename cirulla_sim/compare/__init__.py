"""Rule sets compared on the same deals: what a house rule changes in hands and in games."""

from __future__ import annotations

from .games import compared_games
from .hands import compared, play_pairs
from .pairs import Comparison, Quantity, all_house_rules, house_rule
from .readers import for_readers
from .run import Plan, asking_words, carry_out_plan, check_quantities

__all__ = [
    "Comparison",
    "Plan",
    "Quantity",
    "all_house_rules",
    "asking_words",
    "carry_out_plan",
    "check_quantities",
    "compared",
    "compared_games",
    "for_readers",
    "house_rule",
    "play_pairs",
]
