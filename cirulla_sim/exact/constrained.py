"""Deals under constraints, counted: how likely they are, which sets lie in a place, which tables stay.

A deal under constraints is the last one of the dealing process, which ends with a table that stays or with the misdeal
that loses. Everything is counted of any shuffled pack first. Where everything is dealt again the packs that stay are
equally likely to be the last, and so are the misdeals; where tables are buried they are not, and nothing is counted.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations as subsets
from math import factorial, prod
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.messages import Message
from ..core.numerals import one_in
from ..engine.known_cards import check_process
from ..ruleset.rules_model import Rules
from ..situation.constraints import Condition, DealConstraints
from ..situation.deal_sampler import sampler_of
from . import first_deal as cards
from .sums import (
    PACK_SIZE,
    WAYS,
    Groups,
    Placed,
    Sum,
    TooManyCasesError,
    all_sets,
    combinations,
    count_groups,
    count_of,
    group_name,
    index_of,
    merge_cases,
)

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
            check_process(constraints, rules, possible=played != 0)


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
    return Message("Dealt so: {often}.", often)


# ------------------------------------------------------------------------------------------------ chances


@lru_cache(64)
def chance_of(constraints: DealConstraints) -> Fraction | None:
    """The chance that a shuffled pack is dealt so; None where it is too much to count."""
    try:
        fits = fitting(constraints)
    except TooManyCasesError:
        return None
    return Fraction(sum(fits.ways), fits.every)


@lru_cache(64)
def _share(constraints: DealConstraints, rules: Rules, wins: bool) -> Fraction | None:
    """The same with the tables that win, or without: these are not played. There are table cards."""
    out = cards.misdeals(rules) if wins else cards.misdeals(rules) | cards.wins(rules)
    try:
        fits = fitting(constraints, groups=[all_sets(0, cards.TABLE_SIZE)._replace(group=out.astype(np.int64))])
    except TooManyCasesError:
        return None
    stays = (ways for out, ways in zip(fits.frame[group_name(0)], fits.ways, strict=True) if not out)
    return Fraction(sum(stays), sum(fits.ways))


def chance_of_dealt(constraints: DealConstraints, rules: Rules, played: bool = True) -> Fraction | None:
    """The chance that a hand is dealt so; None where it is too much to count, or where misdealt tables are buried.

    Of a hand that is not ``played`` it is that of a shuffled pack. Else a pack that stays may come after any number of
    misdeals below ``misdeals_lose``, and the misdeal that loses after one less.
    """
    misdealt = cards.misdeals(rules)
    chance = chance_of(constraints)
    if not played or not misdealt.any() or not chance:
        return chance
    share = None if cards.buries(rules) else _share(constraints, rules, wins=True)  # of packs, those without a misdeal
    if share is None:
        return None
    again, most = Fraction(int(misdealt.sum()), len(misdealt)), rules.misdeals_lose
    stays, loses = ((1 - again**most) / (1 - again), again ** (most - 1)) if most else (1 / (1 - again), Fraction(0))
    return chance * (share * stays + (1 - share) * loses)


# ------------------------------------------------------------------------------------------------ counting


class Fitting(NamedTuple):
    """The deals that fit, by some sums and groups: a column each, and in how many ways; of ``every`` way at all."""

    frame: pl.DataFrame
    ways: list[int]
    every: int


def fitting(constraints: DealConstraints, sums: Mapping[str, Placed] = {}, groups: Sequence[Groups] = ()) -> Fitting:
    """The deals that fit, by sums over places and groups of sets of cards; see ``sums.count_groups``.

    Raises ``TooManyCasesError``, also where more than two places have groups or conditions on the holding.
    """
    by_place = {one.place: one for one in groups}
    for place in dict.fromkeys(holding.place for holding in constraints.holdings):
        one = by_place.get(place) or all_sets(place, constraints.sizes[place])
        by_place[place] = one._replace(group=np.where(allowed(constraints, place), one.group, -1))
    conditions, met = list(constraints.conditions), [pl.lit(True)]
    for some in constraints.some_of:
        own = [pl.lit(True)]
        for place in dict.fromkeys(holding.place for holding in some.holdings):
            if place in by_place:
                raise TooManyCasesError
            by_place[place] = all_sets(place, constraints.sizes[place])._replace(
                group=allowed(some, place).astype(np.int64)
            )
            own.append(pl.col(group_name(len(by_place) - 1)) == 1)
        own += [_holds(len(conditions) + number, condition) for number, condition in enumerate(some.conditions)]
        conditions += some.conditions
        met.append(pl.all_horizontal(own))
    together = [sum(1 << place for place in placed.places) for placed in sums.values()]
    region_of, sizes = _regions(constraints, by_place, [*together, *(condition.places for condition in conditions)])
    counted = {name: placed._replace(places=_those(region_of, placed.places)) for name, placed in sums.items()}
    for number, condition in enumerate(conditions):
        most = condition.low if condition.high >= PACK_SIZE else condition.high + 1
        places = [place for place in range(len(constraints.sizes)) if condition.places >> place & 1]
        counted[f"condition {number}"] = Placed(Sum(count_of(condition.cards), most=most), _those(region_of, places))
    placed_groups = [one._replace(place=region_of[one.place]) for one in by_place.values()]
    least = {f"condition {number}": one.low for number, one in enumerate(constraints.conditions)}
    frame, ways = count_groups(sizes, counted, placed_groups, least)
    fits = pl.all_horizontal(pl.lit(True), *(_holds(n, one) for n, one in enumerate(constraints.conditions)))
    if constraints.some_of:
        fits &= pl.any_horizontal(met[1:])
    kept = frame.with_columns(pl.Series(WAYS, ways, pl.Int128)).filter(fits)
    names = [*sums, *(group_name(number) for number in range(len(groups)))]
    every = factorial(PACK_SIZE) // prod(map(factorial, (*sizes, PACK_SIZE - sum(sizes))))
    return Fitting(*merge_cases(kept.select(names).to_dict(), kept[WAYS].to_list()), every)


def _holds(number: int, condition: Condition) -> pl.Expr:
    return pl.col(f"condition {number}").is_between(condition.low, condition.high)


def _those(region_of: Mapping[int, int], places: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(region_of[place] for place in places))


def _regions(
    constraints: DealConstraints, apart: Container[int], together: Sequence[int]
) -> tuple[dict[int, int], list[int]]:
    """The places that are ``apart``, or distinguished by masks of places counted together.

    Returns the number of each one's region, and the sizes of the regions.
    """
    region_of, sizes, known = {}, list[int](), dict[Any, int]()
    for place, size in enumerate(constraints.sizes):
        key: Any = place if place in apart else tuple(mask >> place & 1 for mask in together)
        if place in apart or any(key):
            region_of[place] = known.setdefault(key, len(known))
            sizes += [0] * (len(known) - len(sizes))
            sizes[region_of[place]] += size
    return region_of, sizes


def allowed(constraints: DealConstraints, place: int) -> NDArray[np.bool_]:
    """Which sets of cards the conditions on the holding of a place allow: bool[C(40, size)]."""
    sets = combinations(constraints.sizes[place])
    good = np.ones(len(sets), np.bool_)
    for holding in constraints.holdings:
        if holding.place == place:
            if holding.beside:
                raise TooManyCasesError
            wanted, has = np.frombuffer(holding.sets, np.bool_), np.zeros(len(sets), np.bool_)
            for three in subsets(range(sets.shape[1]), cards.HOLDING_SIZE):
                has |= wanted[index_of(sets[:, three])]
            good &= has == holding.some
    return good
