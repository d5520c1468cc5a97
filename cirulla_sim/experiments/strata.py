"""Rare rules by dealing rare deals: of rules that act through the first table alone, only such tables are dealt.

Two rule sets that differ in nothing but what they do with tables (the dealer's bonus, misdeals, hands won at the deal)
play every hand alike whose table they treat alike. Those hands are one stratum, in which the difference is exactly 0;
the others are the second, dealt by themselves, with a weight that is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..exact.first_deal import tables
from ..ruleset.rules_model import Rules

SELDOM = Fraction(1, 4)
"""The largest chance of a stratum that is dealt by itself: its hands are played under both rule sets."""

_DEALT = (
    "misdeal_mask", "misdeal_count", "misdeal_three_equal", "table_four_equal_wins", "tables", "bury_table",
)  # fmt: skip
"""What of the flat rules is read when the table is dealt and never again."""


@dataclass(frozen=True, eq=False)
class Stratum:
    """The deals of two rule sets that may differ: masks of their first tables, uint64[n], and their exact chance.

    The first table is the first that is no misdeal under both.
    """

    tables: NDArray[np.uint64]
    chance: Fraction


@cache
def stratum(base: Rules, rules: Rules) -> Stratum | None:
    """The deals in which alone hands under two rule sets may differ; None where that is not certain or not rare.

    That is certain where the rules differ only in what they do with tables, and tables dealt before that one leave no
    trace in what is dealt after them. Buried ones do; and where misdeals in a row lose, those of one rule set count.
    """
    from ..kernel.entries.hands import MISDEAL, treat_tables
    from ..kernel.entries.rules import flat_rules
    from ..kernel.game.flat import NEVER, alike

    flat, other = flat_rules(base), flat_rules(rules)
    if base.table_cards != 4 or alike(flat, other) or not alike(flat, other, _DEALT):
        return None
    masks = _masks()
    mine, theirs = np.zeros((2, len(masks)), np.uint64)
    treat_tables(flat, masks, mine)
    treat_tables(other, masks, theirs)
    misdeals = (mine == MISDEAL, theirs == MISDEAL)
    again = misdeals[0] & misdeals[1]
    if flat.bury_table != other.bury_table:
        again[:] = False
        differ = (mine != theirs) | misdeals[0] | misdeals[1]
    else:
        differ = mine != theirs
    lost = int(flat.misdeals_lose)
    if again.any() and (flat.bury_table or (lost != NEVER and ((misdeals[0] | misdeals[1]) & differ).any())):
        return None
    p, q = (Fraction(int(part.sum()), len(masks)) for part in (differ, again))
    chance = p / (1 - q) * (1 if lost == NEVER else 1 - q**lost)
    return Stratum(masks[differ], chance) if 0 < chance <= SELDOM else None


@cache
def _masks() -> NDArray[np.uint64]:
    """The masks of all tables of four cards, uint64[91390]."""
    return np.asarray((np.uint64(1) << tables().astype(np.uint64)).sum(axis=1), np.uint64)
