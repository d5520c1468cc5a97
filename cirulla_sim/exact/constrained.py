"""Deals in which cards are known, counted: how likely they are, which sets lie in a place, which tables stay."""

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
from ..situation.constraints import Known
from ..situation.deal_counts import Ways
from ..situation.deal_text import each_of, read
from . import first_deal as cards


def known_deal(text: str | None, *every: Rules) -> Known | None:
    """The constraints that a text puts on deals, under several rules at once; None for no text.

    Raises ``InputError`` that begins with ``--deal``, also where no deal fits, or none whose table stays.
    """
    if text is None:
        return None
    known = read(text, every[0])
    if not known.text:
        raise InputError(f"--deal {text!r} tells nothing (valid: PLACE: CARDS, as 'me: 7h K*; table: Ad')")
    for rules in every:
        known.check(rules)
        if not Ways(known).fitting():
            raise InputError(f"--deal {known.text!r} fits no deal (valid: cards that can lie so together)")
        if not share_kept(known, rules):
            raise InputError(f"--deal {known.text!r}: every such table is a misdeal (valid: a table that stays)")
    return known


def deal_words(known: Known | None) -> list[str]:
    """The words of a command for deals with known cards."""
    return [] if known is None else ["--deal", known.text]


def deal_metadata(known: Known | None, rules: Rules) -> dict[str, Any]:
    """The metadata about known cards: their text, the chance of such a deal, and the share of such deals whose first
    table is no misdeal."""
    if known is None:
        return {}
    chance, share = chance_of(known), share_kept(known, rules)
    return {"deal": known.text, "deal_chance": str(chance), "deal_kept": str(share)}


def deal_remarks(known: Known | None, rules: Rules, played: bool = True) -> list[str]:
    """The same for readers; where no hand is played misdeals are deals too."""
    if known is None:
        return []
    share = share_kept(known, rules) if played else 1
    left_out = "" if share == 1 else f"; {percent(float(share))} of them kept, the others are misdeals"
    chance = chance_of(known)
    often = "every deal" if chance == 1 else f"{one_in(chance)} deals"
    return [f"Dealt so: {known.text} ({often}{left_out})."]


def chance_of(known: Known) -> Fraction:
    """The chance that a shuffled pack is dealt so."""
    ways = Ways(known)
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
            known = read("; ".join(some), rules, once=len(texts) == 1)
            part = chance_of(known)
            if part and played:
                part *= share_kept(known, rules)
            chance += part if number % 2 else -part
    return chance / share_kept(read("", rules), rules) if played else chance


@lru_cache(64)
def sets_in(known: Known, place: int, size: int) -> tuple[NDArray[np.int64], tuple[int, ...]]:
    """In how many deals that fit a place holds each set of ``size`` cards, in the order of ``combinations``.

    int64[sets], places in the numbers that follow.
    """
    ways = Ways(known, (place,))
    rows, which = ways.compositions(cards.combinations(size))
    return which, tuple(map(ways.completed, rows))


@lru_cache(64)
def share_kept(known: Known, rules: Rules) -> Fraction:
    """Of the deals that fit, those whose first table is no misdeal: the others are dealt again."""
    if not rules.misdeals:
        return Fraction(1)
    ways = Ways(known, (0,))
    rows, which = ways.compositions(cards.tables()[cards.misdeals(rules) & ~cards.wins(rules)])
    again = sum(n * ways.completed(row) for row, n in zip(rows, np.bincount(which).tolist(), strict=True))
    return 1 - Fraction(again, ways.fitting())
