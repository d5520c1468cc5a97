"""Deals under constraints, counted: how likely they are, which sets lie in a place, which tables stay.

A deal under constraints is the last one of the dealing process, which ends with a table that stays or with the misdeal
that loses. Everything is counted of any shuffled pack first. Where everything is dealt again the packs that stay are
equally likely to be the last, and so are the misdeals; where tables are buried they are not, and nothing is counted.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.messages import Message
from ..core.numerals import one_in
from ..engine.known_cards import check_process
from ..ruleset.rules_model import Rules
from ..situation.constraints import DealConstraints
from ..situation.deal_sampler import TooMuchToCountError, Ways, sampler_of
from . import first_deal as cards
from .families import count_pairs, index_of

MOST_COMPOSITIONS = 4_000
"""The most compositions of sets of cards, by the classes of cards that the constraints distinguish."""

RARE = Fraction(1, 1000)
"""Where a smaller share of tables is played it is tried out whether hands can be dealt."""

# ------------------------------------------------------------------------------------------------ describing


def check_dealt(constraints: DealConstraints, *every: Rules) -> None:
    """Raise ``InputError`` if hands of any of these rules cannot be dealt so, or hardly ever."""
    for rules in every:
        constraints.check(rules)
        if not (chance := chance_of(constraints)) and chance is not None:
            raise InputError("--at {text!r} fits no deal (valid: cards that can lie so together)", constraints.text)
        played = _share(constraints, rules, wins=False) if rules.table_cards else chance
        if played is None or played < RARE:
            check_process(constraints, rules)


def deal_metadata(constraints: DealConstraints, rules: Rules, played: bool = True) -> dict[str, Any]:
    """The constraints, and the chance of such a deal where it can be counted."""
    chance = chance_of_dealt(constraints, rules, played)
    return {"deal": constraints.text, **({} if chance is None else {"deal_chance": str(chance)})}


def deal_remark(constraints: DealConstraints, rules: Rules, played: bool = True) -> Message:
    """The same for readers; a chance that cannot be counted is that of a shuffled pack."""
    chance = chance_of_dealt(constraints, rules, played)
    if chance is not None:
        often = Message("every deal") if chance == 1 else Message("{odds} deals", one_in(chance))
    elif (chance := chance_of(constraints)) is not None:
        often = Message("{odds} shuffled packs, misdeals aside", one_in(chance))
    else:
        often = Message("about {odds} shuffled packs", one_in(sampler_of(constraints).chance))
    return Message("Dealt so: {deal} ({often}).", constraints.text, often)


# ------------------------------------------------------------------------------------------------ chances


@lru_cache(64)
def chance_of(constraints: DealConstraints) -> Fraction | None:
    """The chance that a shuffled pack is dealt so; None where it is too much to count."""
    fitting = fitting_by_group(constraints)
    return None if fitting is None else Fraction(fitting[0], Ways(constraints, _conditioned(constraints)).all)


def _conditioned(constraints: DealConstraints) -> list[int]:
    """The places with conditions on the holding."""
    return list(dict.fromkeys(holding.place for holding in constraints.holdings))


def share_not_redealt(constraints: DealConstraints, rules: Rules) -> Fraction | None:
    """Of the shuffled packs that fit, those whose table is no misdeal; None where it is too much to count."""
    return Fraction(1) if not rules.misdeals else _share(constraints, rules, wins=True)


@lru_cache(64)
def _share(constraints: DealConstraints, rules: Rules, wins: bool) -> Fraction | None:
    """The same with the tables that win, or without: these are not played. There are table cards."""
    out = cards.misdeals(rules) if wins else cards.misdeals(rules) | cards.wins(rules)
    fitting = fitting_by_group(constraints, [CardGroups(0, cards.TABLE_SIZE, out.astype(np.int64), 2)])
    return None if fitting is None else Fraction(fitting[0], sum(fitting))


def chance_of_dealt(constraints: DealConstraints, rules: Rules, played: bool = True) -> Fraction | None:
    """The chance that a hand is dealt so; None where it is too much to count, or where misdealt tables are buried.

    Of a hand that is not ``played`` it is that of a shuffled pack. Else a pack that stays may come after any number of
    misdeals below ``misdeals_lose``, and the misdeal that loses after one less.
    """
    misdealt = cards.misdeals(rules)
    chance = chance_of(constraints)
    if not played or not misdealt.any() or not chance:
        return chance
    share = None if cards.buries(rules) else share_not_redealt(constraints, rules)
    if share is None:
        return None
    again, most = Fraction(int(misdealt.sum()), len(misdealt)), rules.misdeals_lose
    stays, loses = ((1 - again**most) / (1 - again), again ** (most - 1)) if most else (1 / (1 - again), Fraction(0))
    return chance * (share * stays + (1 - share) * loses)


# ------------------------------------------------------------------------------------------------ counting


class CardGroups(NamedTuple):
    """A place, the number of cards there, and the group of each set that it may hold, below ``groups``: int64[sets]."""

    place: int
    size: int
    group: NDArray[np.int64]
    groups: int


def fitting_by_group(constraints: DealConstraints, places: Sequence[CardGroups] = ()) -> list[int] | None:
    """In how many ways the pack fits for each choice of a group in each of some places, the last place varying fastest.

    Ways are those of ``deal_sampler.Ways`` with these places and those of conditions on holdings apart. None where it
    is too much to count: more than two such places together, one of more than four cards, cards beside a holding, or
    too many compositions.
    """
    if constraints.some_of:
        return None
    counted = [each.place for each in places]
    others = [place for place in _conditioned(constraints) if place not in counted]
    sizes = constraints.sizes
    if len(counted) + len(others) > 2 or any(sizes[place] > cards.TABLE_SIZE for place in (*counted, *others)):
        return None
    if any(holding.beside for holding in constraints.holdings):
        return None
    every = [*places, *(CardGroups(at, sizes[at], np.zeros(_sets(sizes[at]), np.int64), 1) for at in others)]
    try:
        return _by_composition(Ways(constraints, [each.place for each in every]), every)
    except TooMuchToCountError:
        return None


def _by_composition(ways: Ways, every: Sequence[CardGroups]) -> list[int] | None:
    """The same for at most two places, which are ``apart`` in ``ways``."""
    if not every:
        return [ways.fitting()]
    compositions = [ways.compositions(cards.combinations(each.size)) for each in every]
    if prod(len(rows) for rows, _ in compositions) > MOST_COMPOSITIONS:
        return None
    times = [ways.completed(*rows) for rows in itertools.product(*(rows for rows, _ in compositions))]
    numbers = [(each.groups, len(rows)) for each, (rows, _) in zip(every, compositions, strict=True)]
    alike = [  # one number more for the sets that a condition on the holding excludes
        np.where(allowed(ways.constraints, each.place, each.size), each.group * own + which, each.groups * own)
        for each, (_, own), (_, which) in zip(every, numbers, compositions, strict=True)
    ]
    if len(every) == 1:
        by_group = np.bincount(alike[0], minlength=prod(numbers[0]))[: prod(numbers[0])].reshape(numbers[0])
    else:
        (a, m), (b, n) = numbers
        table = np.zeros((a * m + 1, b * n + 1), np.int64)
        pairs = count_pairs(alike[0], every[0].size, alike[1], every[1].size)
        table[: pairs.shape[0], : pairs.shape[1]] = pairs
        by_group = table[:-1, :-1].reshape(a, m, b, n).transpose(0, 2, 1, 3).reshape(a * b, m * n)
    return [sum(map(mul, row, times)) for row in by_group.tolist()]


def _sets(size: int) -> int:
    return len(cards.combinations(size))


def allowed(constraints: DealConstraints, place: int, size: int) -> NDArray[np.bool_]:
    """Which sets of cards the conditions on the holding of a place allow: bool[C(40, size)]."""
    sets = cards.combinations(size)
    good = np.ones(len(sets), np.bool_)
    for holding in constraints.holdings:
        if holding.place == place:
            wanted, has = np.frombuffer(holding.sets, np.bool_), np.zeros(len(sets), np.bool_)
            for three in itertools.combinations(range(size), cards.HOLDING_SIZE):
                has |= wanted[index_of(sets[:, three])]
            good &= has == holding.some
    return good
