"""Several line-ups in one comparison: the differences of each, and how much more a rule changes for some of them.

The effect of a rule on a hand is a number for each line-up; those of two line-ups on the same deal are paired.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import cycle

import polars as pl

from ..engine.engines import Run
from ..engine.first_tables import Stratum
from ..ruleset.rules_model import Rules
from ..stats.estimates import Difference, PairedSums, no_difference, paired, scaled, weights
from .hand_quantities import CHUNK, QUANTITIES, most_apart, scales_of
from .rule_sets import Comparison, compared
from .side_by_side import Measures, Row, SideBySide, differences_of, first_of, side_by_side
from .tally import TrialNumbers

INTERACTION = "interaction"
"""The kind of rows that show how much more a rule changes for a line-up than for the first."""


def together(comparisons: Sequence[Comparison]) -> SideBySide:
    """Comparisons that differ in their line-ups alone, as one experiment."""
    first = comparisons[0]
    _, *names = first.sets
    same = frozenset(name for name in names if all(comparison.same_as_first(name) for comparison in comparisons))
    difference = partial(_difference, dict(first.sets), first.strata, same)
    measures = Measures(QUANTITIES * len(names), _effects, difference, CHUNK >> 2)
    return SideBySide({str(comparison.line_up): comparison for comparison in comparisons}, measures)


def _effects(rules: Rules, effects: TrialNumbers) -> TrialNumbers:
    """The effects that a comparison gives, which are numbers already."""
    return effects


def _difference(
    sets: Mapping[str, Rules],
    strata: Mapping[str, Stratum],
    same: frozenset[str],
    i: int,
    base: Rules,
    sums: PairedSums,
) -> Difference:
    """How much more quantity number ``i``, of all quantities under each rule set, changes for another line-up."""
    quantity, name = QUANTITIES[i % len(QUANTITIES)], list(sets)[1 + i // len(QUANTITIES)]
    if name in same:
        return no_difference(sums.hands)
    *_, unit = weights(*scales_of(quantity, base, sets[name]))
    difference = paired(sums, unit, unit, 2 * most_apart(quantity, base, sets[name]))
    if name not in strata:
        return difference
    return replace(difference, estimate=scaled(difference.estimate, float(strata[name].chance)))


def compared_side_by_side(run: Run) -> pl.DataFrame:
    """The table of several line-ups: ``policy`` in front, the table of each, then the interactions."""
    return side_by_side(run, compared, _interactions, Comparison.label)


def _interactions(run: Run) -> Iterator[Row]:
    first = first_of(run).experiment
    assert isinstance(first, Comparison)
    _, *names = first.sets
    for row, name in zip(differences_of(run), cycle(name for name in names for _ in QUANTITIES), strict=False):
        same = {"exact": "0"} if row["ci_low"] == row["ci_high"] else {}
        yield row | {Comparison.label: name, "kind": INTERACTION} | same
