"""Deals under constraints, counted: how likely they are, which sets lie in a place, which tables are not redealt."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.numerals import one_in, percent
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..situation.deal_counts import Ways
from ..situation.deal_text import each_of, read
from . import first_deal as cards


def deal_constraints(text: str | None, *every: Rules) -> DealConstraints | None:
    """The constraints that a text puts on deals, under several rules at once; None for no text.

    Raises ``InputError`` that begins with ``--deal``, also where no deal fits, or none whose table stays.
    """
    if text is None:
        return None
    constraints = read(text, every[0])
    if not constraints.text:
        raise InputError(f"--deal {text!r} tells nothing (valid: PLACE: CARDS, as 'me: 7h K*; table: Ad')")
    for rules in every:
        constraints.check(rules)
        if not Ways(constraints).fitting():
            raise InputError(f"--deal {constraints.text!r} fits no deal (valid: cards that can lie so together)")
        if not share_not_redealt(constraints, rules):
            raise InputError(f"--deal {constraints.text!r}: every such table is a misdeal (valid: a table that stays)")
    return constraints


def deal_metadata(constraints: DealConstraints | None, rules: Rules) -> dict[str, Any]:
    """The constraints, the chance of such a deal, and the share of such deals whose first table is no misdeal."""
    if constraints is None:
        return {}
    chance, share = chance_of(constraints), share_not_redealt(constraints, rules)
    return {"deal": constraints.text, "deal_chance": str(chance), "deal_kept": str(share)}


def deal_remarks(constraints: DealConstraints | None, rules: Rules, played: bool = True) -> list[str]:
    """The same for readers; where no hand is played misdeals are deals too."""
    if constraints is None:
        return []
    share = share_not_redealt(constraints, rules) if played else 1
    left_out = "" if share == 1 else f"; {percent(float(share))} of them kept, the others are misdeals"
    chance = chance_of(constraints)
    often = "every deal" if chance == 1 else f"{one_in(chance)} deals"
    return [f"Dealt so: {constraints.text} ({often}{left_out})."]


def chance_of(constraints: DealConstraints) -> Fraction:
    """The chance that a shuffled pack is dealt so."""
    ways = Ways(constraints)
    return Fraction(ways.fitting(), ways.all)


def chance_of_deal(text: str, rules: Rules, played: bool) -> Fraction:
    """The chance of a deal with the cards of a text; where deals are ``played``, misdeals are dealt again.

    What is true of ``somebody`` is counted by inclusion and exclusion over the seats.

    Raises ``InputError`` for what cannot be read, and for played deals where misdealt tables are buried: those leave a
    trace in what is dealt next.
    """
    if played and rules.misdeals and cards.buries(rules):
        raise InputError("--of 'deal': misdealt tables are buried under these rules (valid: --of first-deal)")
    texts, chance = each_of(text, rules), Fraction(0)
    for number in range(1, len(texts) + 1):
        for some in combinations(texts, number):
            constraints = read("; ".join(some), rules, once=len(texts) == 1)
            part = chance_of(constraints)
            if part and played:
                part *= share_not_redealt(constraints, rules)
            chance += part if number % 2 else -part
    return chance / share_not_redealt(read("", rules), rules) if played else chance


@lru_cache(64)
def sets_in(constraints: DealConstraints, place: int, size: int) -> tuple[NDArray[np.int64], tuple[int, ...]]:
    """In how many deals that fit a place holds each set of ``size`` cards, in the order of ``combinations``.

    int64[sets], places in the numbers that follow.
    """
    ways = Ways(constraints, (place,))
    rows, which = ways.compositions(cards.combinations(size))
    return which, tuple(map(ways.completed, rows))


@lru_cache(64)
def share_not_redealt(constraints: DealConstraints, rules: Rules) -> Fraction:
    """Of the deals that fit, those whose first table is no misdeal: the others are dealt again."""
    if not rules.misdeals:
        return Fraction(1)
    ways = Ways(constraints, (0,))
    rows, which = ways.compositions(cards.tables()[cards.misdeals(rules) & ~cards.wins(rules)])
    again = sum(n * ways.completed(row) for row, n in zip(rows, np.bincount(which).tolist(), strict=True))
    return 1 - Fraction(again, ways.fitting())
