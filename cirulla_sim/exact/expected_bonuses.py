"""Exact mean points of a deal: the best bonuses in the cards dealt and the dealer's for the table."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np

from ..ruleset.rules_model import Rules
from .families import count_pairs
from .first_deal import HOLDING_SIZE, TABLE_SIZE, buries, hand_bonus, misdeals, table_bonus, wins


@cache
def dealt_points(rules: Rules) -> dict[str, Fraction] | None:
    """Mean points a hand of the best bonuses dealt to the dealer's side and to the others, and of the table's.

    Whether they are shown is the play's business; a hand decided at the deal has none. Every holding of every stage is
    any three of the cards that the table played leaves, so all have the same mean. None where cards are not dealt by
    threes after a table of four, and where misdealt tables are buried, since then they are not.

    >>> from cirulla_sim.ruleset.presets import build
    >>> {name: round(float(mean), 3) for name, mean in dealt_points(build("cirulla", players=2)).items()}
    {'hand_bonus_dealer': 2.309, 'hand_bonus_others': 2.309, 'table_bonus': 0.171}
    """
    threes = all(size == HOLDING_SIZE for size in rules.deal_plan)
    again, won = misdeals(rules), wins(rules)
    if not (threes and rules.table_cards == TABLE_SIZE) or (buries(rules) and again.any()):
        return None
    left = ~again & ~won
    played, repeated = Fraction(int(left.sum()), len(left)), Fraction(int(again.sum()), len(again))
    if rules.misdeals_lose:
        played *= sum(repeated**before for before in range(rules.misdeals_lose))
    else:
        played /= 1 - repeated
    points = hand_bonus(rules)[1].astype(np.int64)
    by_points = count_pairs(left.astype(np.int64), TABLE_SIZE, points, HOLDING_SIZE)[1].tolist()
    holding = Fraction(sum(number * ways for number, ways in enumerate(by_points)), sum(by_points))
    table = Fraction(int(table_bonus(rules)[1][left].sum()), int(left.sum()))
    of_dealer = sum(rules.side(seat) == rules.dealer_side for seat in range(rules.players))
    stages = len(rules.deal_plan)
    return {
        "hand_bonus_dealer": played * stages * of_dealer * holding,
        "hand_bonus_others": played * stages * (rules.players - of_dealer) * holding,
        "table_bonus": played * table,
    }
