"""First tables: what rules do with each, the bonuses dealt after them, and the deals that two rule sets treat alike.

Two rule sets that differ in nothing but what they do with tables (the dealer's bonus, misdeals, hands won at the deal)
play every hand alike whose table they treat alike. Those hands are one stratum, in which the difference is exactly 0;
the others are the second, dealt by themselves, with a weight that is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain, combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..ruleset.rules_model import Rules

PACK, TABLE, HOLDING = 40, 4, 3


@cache
def first_tables() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """All tables of four cards, uint64[91390, 4], rows ascending; and the mask of each."""
    cards = chain.from_iterable(combinations(range(PACK), TABLE))
    sets = np.fromiter(cards, np.uint64, TABLE * comb(PACK, TABLE)).reshape(-1, TABLE)
    return sets, (np.uint64(1) << sets).sum(axis=1, dtype=np.uint64)


@lru_cache(64)
def table_treatments(rules: Rules) -> NDArray[np.uint64]:
    """What rules do with each first table, uint64[91390]: words of ``kernel.entries.hands.treat_tables``."""
    from ..kernel.entries.hands import treat_tables
    from ..kernel.entries.rules import flat_rules

    masks = first_tables()[1]
    words = np.zeros(len(masks), np.uint64)
    treat_tables(flat_rules(rules), masks, words)
    words.setflags(write=False)
    return words


@cache
def mean_bonus_points(rules: Rules) -> dict[str, Fraction] | None:
    """Mean points a hand of the best bonuses dealt to the dealer's side and to the others, and of the table's.

    Whether they are shown is the play's business; a hand decided at the deal has none. Every holding of every stage is
    any three of the cards that the table played leaves, so all have the same mean. None where cards are not dealt by
    threes after a table of four, and where misdealt tables are buried, since then they are not.

    >>> from cirulla_sim.ruleset.presets import build
    >>> {name: round(float(mean), 3) for name, mean in mean_bonus_points(build("cirulla", players=2)).items()}
    {'hand_bonus_dealer': 2.309, 'hand_bonus_others': 2.309, 'table_bonus': 0.171}
    """
    from ..kernel.entries.hands import MISDEAL, WON
    from ..kernel.entries.rules import flat_rules
    from ..kernel.game.bonuses import POINTS_AT

    if {*rules.deal_plan} != {HOLDING} or rules.table_cards != TABLE:
        return None
    flat, words = flat_rules(rules), table_treatments(rules)
    again, won = words == MISDEAL, words == WON
    if flat.bury_table and again.any():
        return None
    tables, bonuses = first_tables()[0][~again & ~won], words[~again & ~won] >> POINTS_AT
    played, repeated = Fraction(len(tables), len(words)), Fraction(int(again.sum()), len(words))
    if rules.misdeals_lose:
        played *= sum(repeated**before for before in range(rules.misdeals_lose))
    else:
        played /= 1 - repeated
    stages, partners = len(rules.deal_plan), rules.players // rules.sides
    of_dealer = played * stages * partners * mean_holding(flat, tables)
    return {
        "hand_bonus_dealer": of_dealer,
        "hand_bonus_others": of_dealer * (rules.sides - 1),
        "table_bonus": played * Fraction(int(bonuses.sum()), len(tables)),
    }


def mean_holding(flat: Any, tables: NDArray[np.uint64]) -> Fraction:
    """The mean bonus of three cards that are not on the table, one of some tables.

    From all holdings those with a card of the table are taken away, those with two of them come back, and so on.
    """
    from ..kernel.game.bonuses import POINTS_AT

    digits, cards = flat.digits.astype(np.intp), np.arange(PACK)
    words = flat.sets[(digits[:, None, None] * 11 + digits[:, None]) * 11 + digits]
    points = (words >> POINTS_AT).astype(np.int64)  # int64[40, 40, 40]
    points[cards, cards] = points[cards, :, cards] = points[:, cards, cards] = 0
    with_cards = points.sum() // 6, points.sum(axis=(1, 2)) // 2, points.sum(axis=2), points
    total = len(tables) * int(with_cards[0])
    for size in (1, 2, 3):
        for places in combinations(range(TABLE), size):
            total += (-1) ** size * int(with_cards[size][tuple(tables[:, places].T)].sum())
    return Fraction(total, len(tables) * comb(PACK - TABLE, HOLDING))


# ------------------------------------------------------------------------------------------------ rare differences


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
    from ..kernel.entries.hands import MISDEAL
    from ..kernel.entries.rules import flat_rules
    from ..kernel.game.flat import NEVER, have_equal_fields

    flat, other = flat_rules(base), flat_rules(rules)
    if base.table_cards != 4 or have_equal_fields(flat, other) or not have_equal_fields(flat, other, _DEALT):
        return None
    masks, mine, theirs = first_tables()[1], table_treatments(base), table_treatments(rules)
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
