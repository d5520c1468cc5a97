"""Rule sets compared on the same deals: what a house rule changes in hands and in games."""

from __future__ import annotations

from .readers import for_readers, line_ups_for_readers
from .rule_sets import Comparison, all_house_rules, house_rule
from .run import compare

__all__ = ["Comparison", "all_house_rules", "compare", "for_readers", "house_rule", "line_ups_for_readers"]
