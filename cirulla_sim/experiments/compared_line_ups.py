"""Several line-ups in one comparison: the differences of each, and how much more a rule changes for some of them.

The effect of a rule on a hand is a number for each line-up; those of two line-ups on the same deal are paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product

import polars as pl

from ..engine.engines import Folded, Run
from ..ruleset.rules_model import Rules
from ..stats.estimates import Difference, Sums, no_difference
from .paired_effects import compared, difference_of_effects
from .paired_hands import CHUNK, QUANTITIES, effect_numbers, same_play
from .paired_runs import table_schema
from .rule_sets import Comparison
from .side_by_side import Measures, SideBySide, alone_of, differences_of
from .strata import Stratum

INTERACTION = "interaction"
"""The kind of rows that show how much more a rule changes for a line-up than for the first."""


def together(comparisons: Sequence[Comparison]) -> SideBySide:
    """Comparisons that differ in their line-ups alone, as one experiment."""
    first = comparisons[0]
    _, *others = first.sets
    nothing = frozenset(
        number
        for number, name in enumerate(others)
        if all(_plays_the_same(comparison, name) for comparison in comparisons)
    )
    strata = [first.strata.get(name) for name in others]
    difference = partial(_difference, [first.sets[name] for name in others], strata, nothing)
    measures = Measures(QUANTITIES * len(others), effect_numbers, difference, CHUNK >> 2)
    return SideBySide({str(comparison.line_up): comparison for comparison in comparisons}, measures)


def _plays_the_same(comparison: Comparison, name: str) -> bool:
    base, *_ = comparison.experiments.values()
    return not comparison.unpaired and same_play(base, comparison.experiments[name])


def _difference(
    sets: Sequence[Rules], strata: Sequence[Stratum | None], nothing: frozenset[int], i: int, base: Rules, sums: Sums
) -> Difference:
    number, quantity = divmod(i, len(QUANTITIES))
    if number in nothing:
        return no_difference(sums.hands)
    return difference_of_effects(quantity, base, sets[number], sums, strata[number])


def compared_run(run: Run) -> pl.DataFrame:
    """The table of what one line-up played."""
    assert isinstance(run.experiment, Comparison)
    return compared(run.experiment, Folded(run.tally, run.done, run.stopped))


def compared_side_by_side(run: Run) -> pl.DataFrame:
    """The table of several line-ups: ``policy`` in front, the table of each, then the interactions."""
    schema, line_ups = {"policy": pl.String, **table_schema(Comparison.label)}, dict(alone_of(run))
    frames = [compared_run(own).with_columns(policy=pl.lit(name)).select(*schema) for name, own in line_ups.items()]
    first = next(iter(line_ups.values())).experiment
    assert isinstance(first, Comparison)
    names = [name for _, (name, _) in product(list(line_ups)[1:], product(list(first.sets)[1:], QUANTITIES))]
    rows = [
        row | {Comparison.label: name, "kind": INTERACTION, "exact": "0" if row["ci_low"] == row["ci_high"] else None}
        for row, name in zip(differences_of(run), names, strict=True)
    ]
    return pl.concat([*frames, pl.DataFrame(rows, schema=schema, orient="row")])
