"""What three cards held and a table earn, worked out once from the rules as lists of words that compiled code looks up.

A bonus is one word: the matta's value in bits 0-3 (0 without the matta), its kind in bits 4-7, its points from bit 48.
The bits between are for the cards of a knock, see ``bonuses.knock_word``. The word 0 is no bonus.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations

from ...core.cards import VALUES, parse
from ...ruleset.rules_model import Rules

KIND_AT, CARDS_AT, POINTS_AT = 4, 8, 48

NONE, LOW, LOW_NO_ACE, TRIPLE = range(4)
"""Kinds of bonus for three cards held."""

FIFTEEN, THIRTY, LOW_TABLE = range(1, 4)
"""Kinds of bonus for a table."""

MATTA_DIGIT = 0
"""The digit of the matta in the number of a set; every other card's digit is its capture value, 1 to 10."""

SETS = 11**3
"""The number of a set of three cards is its three digits read to the base 11, in any order."""

WITH_MATTA = 64
"""The number of a table is the total of its own values, and this more with the matta."""

TABLES = 2 * WITH_MATTA
_LOW_TOTAL = 9
_MATTA_VALUES = range(1, 11)


def _word(kind: int, points: int, value: int) -> int:
    return value | kind << KIND_AT | points << POINTS_AT if points else 0


def digits(rules: Rules) -> list[int]:
    """The digit of each card of the pack."""
    matta = None if rules.matta is None else parse(rules.matta)
    return [MATTA_DIGIT if card == matta else value for card, value in enumerate(VALUES)]


def sets(rules: Rules) -> list[int]:
    """The best bonus of every set of three cards, by its number; also 0 if the digits are no set of cards."""
    words = [0] * SETS
    for held in combinations_with_replacement(range(11), 3):
        if held.count(MATTA_DIGIT) < 2:
            word = _best_set(rules, [digit for digit in held if digit != MATTA_DIGIT])
            for a, b, c in permutations(held):
                words[(a * 11 + b) * 11 + c] = word
    return words


def claims(rules: Rules) -> list[int]:
    """Every bonus that a set of three cards may be shown for: ten words a set, the matta being 1, 2, .. 10.

    Only bonuses that earn the most may be claimed. Without the matta the first word is the bonus; 0 is none.
    """
    words = [[0] * len(_MATTA_VALUES)] * SETS
    for held in combinations_with_replacement(range(11), 3):
        if held.count(MATTA_DIGIT) < 2:
            bonuses = _claims(rules, [digit for digit in held if digit != MATTA_DIGIT])
            most = max((points for points, *_ in bonuses), default=0)
            row = [0] * len(_MATTA_VALUES)
            for points, _, value, kind in bonuses:
                if points == most:
                    row[max(-value - 1, 0)] = _word(kind, points, -value)
            for a, b, c in permutations(held):
                words[(a * 11 + b) * 11 + c] = row
    return [word for row in words for word in row]


def _best_set(rules: Rules, values: list[int]) -> int:
    """The best bonus of three cards: all of these values, or two of them and the matta.

    Of claims that earn the same, three equal cards count, or the low set if they earn nothing as such; and the matta
    takes the lowest value that makes the claim: a low set with the matta has an ace in it.
    """
    points, _, value, kind = max(_claims(rules, values), default=(0, False, 0, NONE))
    return _word(kind, points, -value)


def _claims(rules: Rules, values: list[int]) -> list[tuple[int, bool, int, int]]:
    """What may be claimed for three cards: points, whether it comes first in a tie, less the matta's value, kind.

    A matta declared as something else than an ace is none: a low set with it may be one without an ace.
    """
    wild = len(values) == 2
    bonuses = []
    for value in _MATTA_VALUES if wild else (0,):
        read = [*values, value] if wild else values
        equal = len(set(read)) == 1
        low = sum(read) <= _LOW_TOTAL and not (wild and rules.matta_low == "ace" and value != 1)
        if equal or low:
            points = rules.hand_low if not equal else _both(rules) if low else rules.hand_triple
            as_low = low and (not equal or (rules.hand_triple == 0 and points == rules.hand_low))
            kind = TRIPLE if not as_low else LOW if 1 in read else LOW_NO_ACE
            bonuses.append((points, equal == (rules.hand_triple > 0), -value, kind))
    return bonuses


def _both(rules: Rules) -> int:
    """The points of three equal cards that are low too."""
    if rules.hand_both == "best":
        return max(rules.hand_low, rules.hand_triple)
    return rules.hand_low + rules.hand_triple if rules.hand_both == "sum" else int(rules.hand_both)


def tables(rules: Rules) -> list[int]:
    """The dealer's best bonus for every table of four cards, by its number.

    Of bonuses that earn the same the first of fifteen, thirty, low counts. A low table has the matta as an ace.
    """
    own = 0 if rules.matta is None else VALUES[parse(rules.matta)]
    words = [0] * TABLES
    if rules.table_cards:
        for total in range(WITH_MATTA):
            words[total] = _best_table(rules, {total: 0})
            words[WITH_MATTA + total] = _best_table(rules, {total - own + value: value for value in _MATTA_VALUES})
    return words


def _best_table(rules: Rules, totals: dict[int, int]) -> int:
    """The best bonus for a table that can have these totals, each with the matta's value that makes it."""
    claims = [(rules.table_15, FIFTEEN, totals[15])] if 15 in totals else []
    claims += [(rules.table_30, THIRTY, totals[30])] if 30 in totals else []
    least = min(totals)
    claims += [(rules.table_low, LOW_TABLE, totals[least])] if least <= _LOW_TOTAL else []
    points, kind, value = max(claims, key=lambda claim: claim[0], default=(0, NONE, 0))
    return _word(kind, points, value)
