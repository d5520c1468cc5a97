"""Rule sets to be compared with the first of them, as one experiment; and by several line-ups.

The effect of a rule on a hand is a number for each line-up; those of two line-ups on the same deal are paired.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import cycle
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.messages import Message
from ..engine.chunks import play_rare, play_rows, playable, same_hands
from ..engine.engines import Run
from ..engine.first_tables import Stratum, stratum
from ..engine.trials import Experiment
from ..ruleset.catalogue import house_fields, house_names
from ..ruleset.rules_model import Rules
from ..situation.line_up import LineUp
from ..stats.estimates import (
    Difference,
    Estimate,
    PairedSums,
    mean_change,
    no_difference,
    paired,
    proportion,
    scaled,
    spread_difference,
    weights,
)
from ..stats.variance_reduction import moved, stratum_difference, stratum_spread
from .paired_hands import (
    CHUNK,
    HandMeasures,
    HandSums,
    changes,
    difference_of_rules,
    measured,
    most_apart,
    scale,
    units,
)
from .side_by_side import Measures, Row, SideBySide, differences_of, first_of, side_by_side
from .tally import ONE, Quantity, Tally, TrialNumbers, difference_row, level_row, table_schema

if TYPE_CHECKING:
    from ..situation.constraints import DealConstraints

CAREFUL = LineUp.parse("careful")


@dataclass(frozen=True)
class Comparison:
    """Rule sets compared with the first of them, who plays, how many hands, and the seed.

    ``sets`` maps names to rules. All play ``hands`` from number ``first`` on; ``unpaired``, the first plays those and
    the others the next ``hands``, so that nothing is shared. A rule set that differs from the first only in rare deals
    (``strata``) plays as many of those deals, and so does the first beside it; not with ``constraints`` on every deal.

    Raises ``InputError`` if there is nothing to compare, if the line-up cannot play some rules, and if the number of
    seats differs in a paired comparison.
    """

    sets: Mapping[str, Rules]
    line_up: LineUp = CAREFUL
    hands: int = 1_000_000
    seed: int = 1
    unpaired: bool = False
    first: int = 0
    constraints: DealConstraints | None = None

    unit: ClassVar[str] = "hands"
    chunk: ClassVar[int] = CHUNK
    label: ClassVar[str] = "rules"
    """The column that names the rule sets."""

    def __post_init__(self) -> None:
        if len(self.sets) < 2:
            raise InputError("nothing to compare with (valid: two rule sets or more)")
        base, *others = self.sets
        seats = self.rules.players
        for name in others:
            if self.sets[name].players != seats and not self.unpaired:
                raise InputError(
                    "{name!r} has {seats} seats and {base!r} {other_seats}, so their deals cannot be shared (valid: "
                    "the same --players, or --unpaired)",
                    name, self.sets[name].players, base, seats,
                )  # fmt: skip
        for name in self.sets:
            try:
                playable(self.experiment(name))
            except InputError as error:
                raise error if name == base else InputError("{name}: {error}", name, error) from None

    @property
    def rules(self) -> Rules:
        """The rules that the others are compared with."""
        return next(iter(self.sets.values()))

    def experiment(self, name: str) -> Experiment:
        """What is played under a rule set."""
        rules = self.sets[name]
        return Experiment(rules, self.line_up.by_side(rules), self.hands, self.seed, self.first, self.constraints)

    @cached_property
    def experiments(self) -> dict[str, Experiment]:
        """What is played under each rule set."""
        return {name: self.experiment(name) for name in self.sets}

    @cached_property
    def strata(self) -> dict[str, Stratum]:
        """Of the rule sets that seldom change a deal, and only so, the deals that they may change."""
        if self.unpaired or self.constraints is not None:
            return {}
        every = {name: stratum(self.rules, rules) for name, rules in self.sets.items()}
        return {name: deals for name, deals in every.items() if deals is not None}

    @cached_property
    def measures(self) -> HandMeasures:
        """What is compared of the hands."""
        return measured(*self.sets.values())

    @property
    def side_policies(self) -> tuple[str, ...]:
        return self.line_up.by_side(self.rules)

    @property
    def number(self) -> int:
        return self.hands

    def check(self) -> None:
        """Whether it can be played was checked when it was built."""

    def tally_size(self) -> int:
        return (len(self.sets) + len(self.strata)) * self.measures.width

    def same_as_first(self, name: str) -> bool:
        """Whether every hand under a rule set certainly goes the same way as under the first."""
        first, other = next(iter(self.experiments.values())), self.experiments[name]
        same = first.side_policies == other.side_policies
        return same and not self.unpaired and same_hands(first, other.rules)

    def play(self, first: int, number: int, rows: bool = False) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Play hands ``first`` to ``first + number - 1`` of every experiment; returns int64[parts * width], sums.

        There is a part for each experiment, the first paired with itself; those that have a stratum play its hands, and
        a part after theirs is what the first does with these. With ``rows`` the second array is the effects,
        float64[(sets - 1) * quantities, hands]: how much more of each quantity each of the others has in each hand than
        the first, as ``measures.sums`` counts it.
        """
        (_, base), *others = self.experiments.items()
        numbers_of, sums_of, changed = self.measures.numbers, self.measures.sums, self.measures.changed
        usual = play_rows(base, first, number)
        x = numbers_of(base.rules, usual[0])
        parts = [sums_of(x, x, base.rules, base.rules)[0]]
        effects = np.zeros((len(others) if rows else 0, len(self.measures.quantities), number))
        for place, (name, other) in enumerate(others):
            if self.same_as_first(name):
                parts.append(parts[0])
                continue
            stratum = self.strata.get(name)
            if stratum is None:
                mine, theirs = usual, play_rows(other, self.hands * self.unpaired + first, number)
            else:
                mine, theirs = (play_rare(of, stratum.tables, first, number) for of in (base, other))
            numbers = x if stratum is None else numbers_of(base.rules, mine[0])
            sums, effect = sums_of(numbers, numbers_of(other.rules, theirs[0]), base.rules, other.rules)
            if not self.unpaired:
                differ = int((mine[1] != theirs[1]).sum())
                sums[changed:] = differ, *changes(base.rules, other.rules, mine[0], theirs[0])
            parts += [sums] if stratum is None else [sums, sums_of(numbers, numbers, base.rules, base.rules)[0]]
            if rows:
                effects[place] = effect
        return np.concatenate(parts), effects.reshape(-1, number)


def house_rule(base: Rules, name: str) -> Rules:
    """A house rule on top of some rules, or several together, as ``no-matta+piccola-seven``.

    Raises ``InputError`` for an unknown name and for house rules that clash.
    """
    return replace(base, **house_fields(name.split("+")))


def all_house_rules(base: Rules, *line_ups: LineUp) -> tuple[dict[str, Rules], dict[str, Message]]:
    """Every house rule of the catalogue that these line-ups can play, on top of some rules, and why not the others.

    Raises ``InputError`` if the rules themselves cannot be played.
    """

    def check(rules: Rules) -> None:
        for line_up in line_ups or (CAREFUL,):
            playable(Experiment(rules, line_up.by_side(rules)))

    check(base)
    variants, left_out = {}, {}
    for name in house_names():
        variant = house_rule(base, name)
        if variant == base:
            left_out[name] = Message("the rules have it already")
            continue
        try:
            check(variant)
        except InputError as error:
            left_out[name] = error.message.fault
            continue
        variants[name] = variant
    return variants, left_out


SPREAD = Quantity("margin_spread", "hand", "dealer", "mean")
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
"""The levels of the quantities and of ``SPREAD`` under some rules, differences from the first, and ``CHANGES``."""


def compared(run: Run) -> pl.DataFrame:
    """The table of a comparison: for each rule set every quantity, then its difference from the first's.

    Its p-values are not corrected yet.

    Paired, ``CHANGES`` come between the two. Where a stratum of the deals was played, differences and changes are those
    of the stratum times its chance, and what the experiment shows is what the first does and the difference.
    """
    comparison = run.experiment
    assert isinstance(comparison, Comparison)
    measures = comparison.measures
    numbers, shown = iter(run.tally.reshape(-1, measures.width)), (*measures.quantities, SPREAD)

    def part(rules: Rules) -> HandSums:
        return HandSums(rules, measures, next(numbers), run.done)

    base, (first, *others) = part(comparison.rules), comparison.sets
    usual = [*_levels(base), _spread(base, base)[0]]
    rows = [level_row({comparison.label: first}, *row) for row in zip(shown, usual, strict=True)]
    for name in others:
        named, of, stratum = {comparison.label: name}, part(comparison.sets[name]), comparison.strata.get(name)
        if stratum is None:
            levels, differences, changes = _of_all(base, of, comparison.unpaired)
        else:
            levels, differences, changes = _of_stratum(stratum, base, usual, of, part(comparison.rules))
        same, nothing = comparison.same_as_first(name), no_difference(run.done)
        if same:
            differences, changes = [nothing] * len(shown), [nothing.estimate] * len(CHANGES)
        rows += [level_row(named, *row) for row in zip(shown, levels, strict=True)]
        from_first = [level_row(named, *row) for row in zip(CHANGES, changes, strict=not comparison.unpaired)]
        from_first += [difference_row(named, *row, comparison.unpaired) for row in zip(shown, differences, strict=True)]
        rows += [row | {"exact": "0" if same else None} for row in from_first]
    return pl.DataFrame(rows, schema=table_schema(comparison.label), orient="row")


def _of_all(base: HandSums, of: HandSums, unpaired: bool) -> Effects:
    """The effects of rules that played the same hands as the first, or unpaired as many."""
    level, spread = _spread(base, of, unpaired)
    differences = [
        difference_of_rules(quantity, base.rules, of.rules, of.beside(base, i), unpaired)
        for i, quantity in enumerate(base.measures.quantities)
    ]
    return [*_levels(of), level], [*differences, spread], [] if unpaired else _changes(base, of)


def _of_stratum(stratum: Stratum, base: HandSums, usual: list[Estimate], of: HandSums, first: HandSums) -> Effects:
    """The effects of rules that played a stratum, where the first's hands add up to the part ``first``.

    ``usual`` are the levels of the first.
    """
    weight, differences, quantities = stratum.chance, [], base.measures.quantities
    for i, quantity in enumerate(quantities):
        unit, largest = scale(quantity, of.rules).unit, most_apart(quantity, base.rules, of.rules)
        differences.append(stratum_difference(base.of(i), of.beside(first, i), weight, unit, largest))
    # The scale and the largest number of the margin, which is the last.
    differences.append(stratum_spread(base.powers, of.powers_beside(first), weight, unit, largest))
    levels = []
    for quantity, level, difference in zip((*quantities, SPREAD), usual, differences, strict=True):
        bounds = (None, None) if quantity.name == "margin" else (0.0, None if quantity.kind == "mean" else 1.0)
        levels.append(moved(level, difference.estimate, *bounds))
    return levels, differences, [scaled(change, float(weight)) for change in _changes(first, of)]


def _spread(base: HandSums, of: HandSums, unpaired: bool = False) -> tuple[Estimate, Difference]:
    """The standard deviation of the margin, and how much larger it is than the first experiment's."""
    margin, rules = base.measures.quantities[-1], (base.rules, of.rules)
    return spread_difference(of.powers_beside(base), *units(margin, *rules), most_apart(margin, *rules), unpaired)


def _levels(of: HandSums) -> list[Estimate]:
    """What an experiment shows of each quantity."""
    levels = []
    for i, quantity in enumerate(of.measures.quantities):
        (total, squares), (sides, largest) = of.of(i), scale(quantity, of.rules)
        tally = Tally(of.hands, {"y": total}, {("y", "y"): squares})
        if quantity.kind == "mean":
            levels.append(tally.mean({"y": 1}, -largest if i == of.measures.margin else 0, largest, 1 / sides))
        else:
            levels.append(tally.ratio({"y": 1}, {ONE: sides}))
    return levels


def _changes(first: HandSums, of: HandSums) -> list[Estimate]:
    """The estimates of ``CHANGES``, from the sums of the same hands in the first experiment and in another."""
    changed, winner_changed, others_gained = of.numbers[of.measures.changed :].tolist()
    dealer, others = (of.beside(first, of.measures.place("wins_hand", side)) for side in ("dealer", "others"))
    sides = of.rules.sides - 1 if of.rules.sides == first.rules.sides else 1  # else all others count as one side
    # A hand that passes from one of several others to another is gained by one of them, and lost by one.
    gained = (dealer.excess, 1), (others_gained, sides)
    lost = (dealer.excess - (dealer.y - dealer.x), 1), (others_gained - (others.y - others.x), sides)
    means = []
    for i, directions in ((of.measures.place("points", "all"), 1), (of.measures.margin, 2)):  # a margin may turn round
        quantity = of.measures.quantities[i]
        largest = directions * most_apart(quantity, first.rules, of.rules)
        means.append(mean_change(of.beside(first, i), largest, *units(quantity, first.rules, of.rules)))
    return [
        proportion(changed, of.hands),
        proportion(winner_changed, of.hands),
        *(scaled(proportion(count, of.hands), 1 / share) for count, share in (*gained, *lost)),
        *means,
    ]


# ------------------------------------------------------------------------------------------------ several line-ups


INTERACTION = "interaction"
"""The kind of rows that show how much more a rule changes for a line-up than for the first."""


def together(comparisons: Sequence[Comparison]) -> SideBySide:
    """Comparisons that differ in their line-ups alone, as one experiment."""
    first = comparisons[0]
    _, *names = first.sets
    same = frozenset(name for name in names if all(comparison.same_as_first(name) for comparison in comparisons))
    quantities = first.measures.quantities
    difference = partial(_difference, quantities, dict(first.sets), first.strata, same)
    measures = Measures(quantities * len(names), _effects, difference, CHUNK >> 2)
    return SideBySide({str(comparison.line_up): comparison for comparison in comparisons}, measures)


def _effects(rules: Rules, effects: TrialNumbers) -> TrialNumbers:
    """The effects that a comparison gives, which are numbers already."""
    return effects


def _difference(
    quantities: tuple[Quantity, ...],
    sets: Mapping[str, Rules],
    strata: Mapping[str, Stratum],
    same: frozenset[str],
    i: int,
    base: Rules,
    sums: PairedSums,
) -> Difference:
    """How much more quantity number ``i``, of all quantities under each rule set, changes for another line-up."""
    quantity, name = quantities[i % len(quantities)], list(sets)[1 + i // len(quantities)]
    if name in same:
        return no_difference(sums.hands)
    *_, unit = weights(*units(quantity, base, sets[name]))
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
    for row, name in zip(
        differences_of(run), cycle(name for name in names for _ in first.measures.quantities), strict=False
    ):
        same = {"exact": "0"} if row["ci_low"] == row["ci_high"] else {}
        yield row | {Comparison.label: name, "kind": INTERACTION} | same
