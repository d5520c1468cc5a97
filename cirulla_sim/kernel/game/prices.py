"""What three cards held and a table earn, worked out once from the rules as lists of words that compiled code looks up.

A bonus is one word: the matta's value in bits 0-3 (0 without the matta), its kind in bits 4-7, its points from bit 48.
The bits between are for the cards of a knock, see ``bonuses.knock_word``. The word 0 is no bonus.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations

from ...core.cards import VALUES, parse
from ...ruleset.catalogue import meets
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
_MATTA_VALUES = range(1, 11)


def card_digits(rules: Rules) -> list[int]:
    """The digit of each card of the pack."""
    matta = None if rules.matta is None else parse(rules.matta)
    return [MATTA_DIGIT if card == matta else value for card, value in enumerate(VALUES)]


def bonuses_of_sets(rules: Rules) -> tuple[list[int], list[int]]:
    """The best bonus of every set of three cards, by its number, and every bonus that it may be shown for.

    Of these there are ten words a set, the matta being 1, 2, .. 10; without the matta the first is the bonus. Only
    bonuses that earn the most may be claimed. All are 0 if the digits are no set of cards.

    Of claims that earn the same, three equal cards are the best, or the low set if they earn nothing as such; and the
    matta takes the lowest value that makes the claim: a low set with the matta has an ace in it. A matta declared as
    something else than an ace is none: a low set with it may be one without an ace.
    """
    best, claims = [0] * SETS, [0] * (SETS * len(_MATTA_VALUES))
    for held in combinations_with_replacement(range(11 if rules.hand_bonuses else 0), 3):
        if held.count(MATTA_DIGIT) > 1:
            continue
        wild = held[0] == MATTA_DIGIT
        bonuses = []
        for value in _MATTA_VALUES if wild else (0,):
            read = {value, *held[1:]} if wild else set(held)
            equal, total = len(read) == 1, sum(held) + value
            low = total <= rules.hand_low_most and not (wild and rules.matta_low == "ace" and value != 1)
            if equal or low:
                points = rules.hand_low if not equal else rules.both_points if low else rules.hand_triple
                as_low = low and (not equal or (rules.hand_triple == 0 and points == rules.hand_low))
                kind = TRIPLE if not as_low else LOW if 1 in read else LOW_NO_ACE
                word = value | kind << KIND_AT | points << POINTS_AT if points else 0
                bonuses.append((points, equal == (rules.hand_triple > 0), -value, word))
        if not bonuses:
            continue
        most, _, _, word = max(bonuses)
        for a, b, c in permutations(held):
            number = (a * 11 + b) * 11 + c
            best[number] = word
            for points, _, value, claim in bonuses:
                if points == most:
                    claims[number * len(_MATTA_VALUES) + max(-value - 1, 0)] = claim
    return best, claims


def table_words(rules: Rules) -> list[int]:
    """The dealer's best bonus for every table of four cards, by its number.

    Of bonuses that earn the same the first of fifteen, thirty, low counts. The matta has the lowest value that makes
    the bonus.
    """
    words = [0] * TABLES
    own = 0 if rules.matta is None else VALUES[parse(rules.matta)]
    for number in range(TABLES if rules.table_cards else 0):
        total, most = number % WITH_MATTA, 0
        readings = {total: 0} if number < WITH_MATTA else {total - own + value: value for value in _MATTA_VALUES}
        for points, kind, wanted in (
            (rules.table_15, FIFTEEN, rules.table_15_total),
            (rules.table_30, THIRTY, rules.table_30_total),
            (rules.table_low, LOW_TABLE, rules.table_low_total),
        ):
            made = min((reading for reading in readings if meets(wanted, reading)), default=None)
            if made is not None and points > most:
                most, words[number] = points, readings[made] | kind << KIND_AT | points << POINTS_AT
    return words
