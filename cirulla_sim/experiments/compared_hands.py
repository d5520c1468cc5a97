"""The table of hands compared: what each experiment shows, and its paired differences from the first."""

from __future__ import annotations

from fractions import Fraction

import polars as pl

from ..engine.engines import Run
from ..ruleset.rules_model import Rules
from ..stats.estimates import Difference, Estimate, mean_change, no_difference, proportion, scaled
from ..stats.spreads import spread_difference
from ..stats.stratified import moved, stratum_difference, stratum_spread
from .paired_hands import (
    CHANGED,
    MARGIN,
    POINTS_OF_ALL,
    QUANTITIES,
    WIDTH,
    WINS_OF_DEALER,
    WINS_OF_OTHERS,
    HandSums,
    difference_of_rules,
    most_apart,
    most_of,
    scales_of,
    several_of,
)
from .paired_runs import Quantity, difference_row, level_row, table_schema
from .rule_sets import Comparison
from .strata import Stratum
from .tally import ONE, Tally

_SHOWN = (*QUANTITIES, Quantity("margin_spread", "hand", "dealer", "mean"))
CHANGES = (
    Quantity("changed", "hand", "all", "share"),
    Quantity("winner_changed", "hand", "all", "share"),
    Quantity("wins_gained", "hand", "dealer", "share"),
    Quantity("wins_gained", "hand", "others", "share"),
    Quantity("wins_lost", "hand", "dealer", "share"),
    Quantity("wins_lost", "hand", "others", "share"),
    Quantity("points_moved", "hand", "all", "mean"),
    Quantity("margin_moved", "hand", "dealer", "mean"),
)
"""What changes hand by hand, in either direction, for experiments on the same hands as the first.

Hands that go another way in anything at all; that another side wins, or none; that a side wins and did not win in the
first experiment, and the other way round, of several others their mean; mean absolute changes of the points of all
sides and of the dealer's margin. Hands won more often are those gained less those lost.
"""


Effects = tuple[list[Estimate], list[Difference], list[Estimate]]
"""The levels of ``_SHOWN`` under some rules, their differences from the first, and ``CHANGES``."""


def compared(run: Run) -> pl.DataFrame:
    """The table of a comparison: for each rule set every quantity, then its difference from the first's.

    Its p-values are not corrected yet.

    Paired, ``CHANGES`` come between the two. Where a stratum of the deals was played, differences and changes are those
    of the stratum times its chance, and what the experiment shows is what the first does and the difference.
    """
    comparison = run.experiment
    assert isinstance(comparison, Comparison)
    numbers = iter(run.tally.reshape(-1, WIDTH))

    def part(rules: Rules) -> HandSums:
        return HandSums(rules, next(numbers), run.done)

    base, (first, *others) = part(comparison.rules), comparison.sets
    usual = [*_levels(base), _spread(base, base)[0]]
    rows = [level_row({comparison.label: first}, *row) for row in zip(_SHOWN, usual, strict=True)]
    for name in others:
        named, of, stratum = {comparison.label: name}, part(comparison.sets[name]), comparison.strata.get(name)
        if stratum is None:
            levels, differences, changes = _of_all(base, of, comparison.unpaired)
        else:
            levels, differences, changes = _of_stratum(stratum, base, usual, of, part(comparison.rules))
        same, nothing = comparison.same_as_first(name), no_difference(run.done)
        if same:
            differences, changes = [nothing] * len(_SHOWN), [nothing.estimate] * len(CHANGES)
        rows += [level_row(named, *row) for row in zip(_SHOWN, levels, strict=True)]
        from_first = [level_row(named, *row) for row in zip(CHANGES, changes, strict=not comparison.unpaired)]
        from_first += [
            difference_row(named, *row, comparison.unpaired) for row in zip(_SHOWN, differences, strict=True)
        ]
        rows += [row | {"exact": "0" if same else None} for row in from_first]
    return pl.DataFrame(rows, schema=table_schema(comparison.label), orient="row")


def _of_all(base: HandSums, of: HandSums, unpaired: bool) -> Effects:
    """The effects of rules that played the same hands as the first, or unpaired as many."""
    level, spread = _spread(base, of, unpaired)
    differences = [
        difference_of_rules(i, base.rules, of.rules, of.beside(base, i), unpaired) for i in range(len(QUANTITIES))
    ]
    return [*_levels(of), level], [*differences, spread], [] if unpaired else _changes(base, of)


def _of_stratum(stratum: Stratum, base: HandSums, usual: list[Estimate], of: HandSums, first: HandSums) -> Effects:
    """The effects of rules that played a stratum, where the first's hands add up to the part ``first``.

    ``usual`` are the levels of the first.
    """
    weight, differences = stratum.chance, []
    for i, quantity in enumerate(QUANTITIES):
        scale, largest = Fraction(1, several_of(quantity, of.rules)), most_apart(quantity, base.rules, of.rules)
        differences.append(stratum_difference(base.of(i), of.beside(first, i), weight, scale, largest))
    # The scale and the largest number of the margin, which is the last.
    differences.append(stratum_spread(base.powers, of.powers_beside(first), weight, scale, largest))
    levels = []
    for quantity, level, difference in zip(_SHOWN, usual, differences, strict=True):
        bounds = (None, None) if quantity.name == "margin" else (0.0, None if quantity.kind == "mean" else 1.0)
        levels.append(moved(level, difference.estimate, *bounds))
    return levels, differences, [scaled(change, float(weight)) for change in _changes(first, of)]


def _spread(base: HandSums, of: HandSums, unpaired: bool = False) -> tuple[Estimate, Difference]:
    """The standard deviation of the margin, and how much larger it is than the first experiment's."""
    margin, rules = QUANTITIES[MARGIN], (base.rules, of.rules)
    return spread_difference(of.powers_beside(base), *scales_of(margin, *rules), most_apart(margin, *rules), unpaired)


def _levels(of: HandSums) -> list[Estimate]:
    """What an experiment shows of each quantity."""
    levels = []
    for i, quantity in enumerate(QUANTITIES):
        (total, squares), sides, largest = of.of(i), several_of(quantity, of.rules), most_of(quantity, of.rules)
        tally = Tally(of.hands, {"y": total}, {("y", "y"): squares})
        if quantity.kind == "mean":
            levels.append(tally.mean({"y": 1}, -largest if i == MARGIN else 0, largest, 1 / sides))
        else:
            levels.append(tally.ratio({"y": 1}, {ONE: sides}))
    return levels


def _changes(first: HandSums, of: HandSums) -> list[Estimate]:
    """The estimates of ``CHANGES``, from the sums of the same hands in the first experiment and in another."""
    changed, winner_changed, others_gained = of.numbers[CHANGED:].tolist()
    dealer, others = (of.beside(first, i) for i in (WINS_OF_DEALER, WINS_OF_OTHERS))
    sides = of.rules.sides - 1 if of.rules.sides == first.rules.sides else 1  # else all others count as one side
    # A hand that passes from one of several others to another is gained by one of them, and lost by one.
    gained = (dealer.excess, 1), (others_gained, sides)
    lost = (dealer.excess - (dealer.y - dealer.x), 1), (others_gained - (others.y - others.x), sides)
    means = []
    for i, directions in ((POINTS_OF_ALL, 1), (MARGIN, 2)):  # a margin may turn round
        quantity = QUANTITIES[i]
        largest = directions * most_apart(quantity, first.rules, of.rules)
        means.append(mean_change(of.beside(first, i), largest, *scales_of(quantity, first.rules, of.rules)))
    return [
        proportion(changed, of.hands),
        proportion(winner_changed, of.hands),
        *(scaled(proportion(count, of.hands), 1 / share) for count, share in (*gained, *lost)),
        *means,
    ]
