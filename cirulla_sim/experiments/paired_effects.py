"""The table of hands compared: what each experiment shows, and its paired differences from the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import polars as pl

from ..engine.engines import Folded
from ..ruleset.bounds import most
from ..ruleset.rules_model import Rules
from ..stats.estimates import (
    Difference,
    Estimate,
    Sums,
    apart,
    bounded_mean,
    clustered,
    no_difference,
    paired,
    proportion,
)
from ..stats.spreads import spread_difference
from ..stats.stratified import moved, scaled, stratum_difference, stratum_spread
from .paired_hands import MARGIN, POINTS, QUANTITIES, WIDTH, HandSums, effect_unit, same_play, several_of
from .paired_runs import Pairing, Quantity, difference_row, holm_corrected, level_row, table_schema
from .strata import Stratum

_MANY = len(QUANTITIES)
_SPREAD = Quantity("margin_spread", "hand", "dealer", "mean")


def compared(pairing: Pairing, folded: Folded[Any]) -> pl.DataFrame:
    """The table of a pairing: for each experiment every quantity, then its difference from the first's.

    ``changed`` is the share of hands that went another way in anything at all. Where a stratum of the deals was played
    the difference is that of the stratum times its chance, and what the experiment shows is what the first does and
    the difference.
    """
    numbers = iter(folded.tally.reshape(-1, WIDTH).tolist())

    def part(rules: Rules) -> HandSums:
        return HandSums(rules, next(numbers), folded.done)

    (name, first), *others = pairing.experiments.items()
    base = part(first.rules)
    rows = list(_levels({pairing.label: name}, _values(base), _spread(base, base)[0]))
    for name, other in others:
        named, of = {pairing.label: name}, part(other.rules)
        stratum = pairing.strata.get(name)
        if stratum is not None:
            rows += _seldom(named, stratum, base, of, part(first.rules))
            continue
        exact = not pairing.unpaired and same_play(first, other)
        rows += _usual(named, pairing, base, of, exact)
    return pl.DataFrame(holm_corrected(rows), schema=table_schema(pairing.label), orient="row")


def _values(of: HandSums) -> list[Estimate]:
    """What an experiment shows of each quantity."""
    values = []
    for i, quantity in enumerate(QUANTITIES):
        (y, yy), trials = of.of(i), several_of(quantity, of.rules)
        if quantity.kind == "mean":
            largest = _largest(quantity, of.rules)
            values.append(bounded_mean(y, yy, of.hands, -largest if i == MARGIN else 0, largest, 1 / trials))
        else:
            values.append(clustered(y, trials * of.hands, yy, trials * y, trials**2 * of.hands, of.hands))
    return values


def _levels(named: dict[str, str], levels: Sequence[Estimate], spread: Estimate) -> Iterator[dict[str, Any]]:
    for quantity, level in zip((*QUANTITIES, _SPREAD), (*levels, spread), strict=True):
        yield level_row(named, quantity, level)


def _differences(
    named: dict[str, str], differences: Sequence[Difference], changed: Estimate | None, exact: bool = False
) -> Iterator[dict[str, Any]]:
    if changed is not None:
        yield level_row(named, Quantity("changed", "hand", "all", "share"), changed)
    for quantity, difference in zip((*QUANTITIES, _SPREAD), differences, strict=True):
        yield difference_row(named, quantity, difference, changed is None) | {"exact": "0" if exact else None}


def _usual(
    named: dict[str, str], pairing: Pairing, base: HandSums, of: HandSums, exact: bool
) -> Iterator[dict[str, Any]]:
    """The rows of an experiment that played the same hands as the first, or unpaired as many."""
    level, spread = _spread(base, of, pairing.unpaired)
    yield from _levels(named, _values(of), level)
    differences = []
    for i, quantity in enumerate(QUANTITIES):
        scales = Fraction(1, several_of(quantity, base.rules)), Fraction(1, several_of(quantity, of.rules))
        largest = most_apart(quantity, base.rules, of.rules)
        if pairing.unpaired:
            differences.append(apart(of.beside(base, i), *scales, None if i == MARGIN else largest))
        else:
            differences.append(paired(of.beside(base, i), *scales, largest))
    shown = [no_difference(of.hands)] * (_MANY + 1) if exact else [*differences, spread]
    yield from _differences(named, shown, None if pairing.unpaired else proportion(of.changed, of.hands), exact)


def _seldom(
    named: dict[str, str], stratum: Stratum, base: HandSums, of: HandSums, first: HandSums
) -> Iterator[dict[str, Any]]:
    """The rows of an experiment that played a stratum, where the first's hands add up to the part ``first``."""
    weight, differences = stratum.chance, []
    for i, quantity in enumerate(QUANTITIES):
        scale, largest = Fraction(1, several_of(quantity, of.rules)), most_apart(quantity, base.rules, of.rules)
        differences.append(stratum_difference(base.of(i), of.beside(first, i), weight, scale, largest))
    scale, largest = Fraction(1, of.rules.sides - 1), _widest(base.rules, of.rules)
    spread = stratum_spread(base.powers, of.powers_beside(first), weight, scale, largest)
    levels = []
    for quantity, value, difference in zip(QUANTITIES, _values(base), differences, strict=True):
        bounds = (None, None) if quantity.name == "margin" else (0.0, None if quantity.kind == "mean" else 1.0)
        levels.append(moved(value, difference.estimate, *bounds))
    level = _spread(base, base)[0]
    yield from _levels(named, levels, moved(level, spread.estimate, 0.0))
    changed = scaled(proportion(of.changed, of.hands), float(weight))
    yield from _differences(named, [*differences, spread], changed)


def _spread(base: HandSums, of: HandSums, unpaired: bool = False) -> tuple[Estimate, Difference]:
    """The standard deviation of the margin, and how much larger it is than the first experiment's."""
    scales = Fraction(1, base.rules.sides - 1), Fraction(1, of.rules.sides - 1)
    return spread_difference(of.powers_beside(base), *scales, _widest(base.rules, of.rules), unpaired)


def difference_of_hands(i: int, rules: Rules, sums: Sums) -> Difference:
    """How much more of quantity number ``i`` the hands of another line-up have under the same rules."""
    scale = Fraction(1, several_of(QUANTITIES[i], rules))
    return paired(sums, scale, scale, most_apart(QUANTITIES[i], rules, rules))


def difference_of_effects(i: int, base: Rules, rules: Rules, sums: Sums, stratum: Stratum | None = None) -> Difference:
    """How much more quantity number ``i`` changes for another line-up, from sums of the effects of hands."""
    unit = effect_unit(QUANTITIES[i], base, rules)
    difference = paired(sums, unit, unit, 2 * most_apart(QUANTITIES[i], base, rules))
    if stratum is None:
        return difference
    return Difference(scaled(difference.estimate, float(stratum.chance)), difference.p, difference.gain)


def most_apart(quantity: Quantity, base: Rules, rules: Rules) -> float:
    """The most by which a hand can differ under two rule sets."""
    return max(_largest(quantity, of) / several_of(quantity, of) for of in (base, rules))


def _largest(quantity: Quantity, rules: Rules) -> int:
    """The most that a hand can have of a quantity, added up as in a tally: a difference is not larger."""
    if quantity.kind != "mean":
        return 1  # of several sides one at most
    if quantity.name == "margin":
        return most(rules)["total"] * several_of(quantity, rules)
    return most(rules)[POINTS.get(quantity.name, quantity.name)]


def _widest(base: Rules, rules: Rules) -> float:
    """The furthest that the margin of a hand can be from the mean."""
    return max(most(base)["total"], most(rules)["total"])
