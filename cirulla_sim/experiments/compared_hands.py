"""Hands compared: of several rule sets, of several line-ups, and how much more a rule changes for a line-up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.messages import Message
from ..engine.chunks import check_playable, play_rare, play_rows, row_names, same_hands, score_names
from ..engine.engines import Run
from ..engine.first_tables import Stratum, stratum
from ..engine.trials import Experiment, Trials
from ..ruleset.catalogue import house_fields, house_names
from ..ruleset.rules_model import Rules
from ..ruleset.scoring import most
from ..situation.line_up import LineUp
from ..stats.estimates import (
    Difference,
    Estimate,
    Powers,
    common_unit,
    mean_change,
    no_difference,
    paired_difference,
    proportion,
    scale_estimate,
    spread_difference,
)
from ..stats.variance_reduction import shift, stratum_difference, stratum_spread
from .comparison import Chunk, ComparedArm, Comparison, Scale, TrialMeasures, comparison_of
from .hand_quantities import points_of
from .tally import (
    Product,
    Quantity,
    Row,
    Tally,
    TrialNumbers,
    difference_row,
    level_row,
    paired_sums,
    table_schema,
    winners_changed,
)

if TYPE_CHECKING:
    from ..situation.constraints import DealConstraints

CAREFUL = LineUp.parse("careful")

CHUNK = 1 << 13
"""Hands in a chunk, played by every experiment: few enough for their numbers to stay in the processor's cache."""

LABEL = "rules"
"""The column that names rule sets."""

MARGIN = Quantity("margin", "hand", "dealer", "mean")
POINTS = Quantity("points", "hand", "all", "mean")

# ------------------------------------------------------------------------------------------------ what is compared


@dataclass(frozen=True)
class HandMeasures(TrialMeasures):
    """What is compared of hands: the quantities, of which hands have ``points`` by name.

    By rules, these are added up too: third and fourth powers of the margin and their products with the first
    experiment's; how much larger its square is, where it is; the hands that differ, those with another winner, and
    those that one of the other sides wins and does not win in the first experiment.
    """

    points: tuple[str, ...] = ()

    @cached_property
    def names(self) -> tuple[Product, ...]:
        margin, square = MARGIN.key, "square"
        more: tuple[Product, ...] = (
            (square, margin), (square, square),
            ("first square", margin), (f"first {margin}", square), ("first square", square),
            ("larger square",), ("larger square", "larger square"),
            ("changed",), ("winner changed",), ("gained",),
        )  # fmt: skip
        return (*super().names, *(more if self.by_rules else ()))

    def scale(self, quantity: Quantity, rules: Rules) -> Scale:
        """The scale of a quantity; the margin counts each of the other sides."""
        bounds, others = dict.fromkeys(points_of(rules).values(), 40) | dict(most(rules)), rules.sides - 1
        if quantity == MARGIN:
            return Scale(others, bounds["total"] * others)
        adds_up = quantity.side == "others" and quantity.name != "misdeals_in_a_row"
        column = points_of(rules).get(quantity.name, quantity.name)
        return Scale(others if adds_up else 1, bounds.get(column, 0) if quantity.kind == "mean" else 1)

    def numbers(self, rules: Rules, rows: NDArray[np.int16]) -> TrialNumbers:
        """Of several other sides the numbers are added up; the margin is the dealer's side's points times their number,
        less theirs. The rows are those of ``play_rows``."""
        paid = points_of(rules)
        columns = {**{name: paid.get(name, "") for name in self.points}, "knock": "knock", "cappotto": "cappotto"}
        by_side = _columns(rules, rows, *columns.values(), "wins").astype(np.float64, order="C")
        dealer, others = by_side[:, -1], by_side[:, :-1].sum(axis=1)
        sums = {"dealer": dealer, "others": others, "all": dealer + others}
        places = {name: place for place, name in enumerate([*columns, "wins_hand"])}
        won = rows[:, 2]
        return np.vstack([
            *(sums[quantity.side][places[quantity.name]] for quantity in self.quantities if quantity.name in places),
            rows[:, 0], won == 1, won == 2, rules.pays * ((rules.sides - 1) * dealer[0] - others[0]),
        ])  # fmt: skip

    def play(self, arm: Trials, first: int, number: int, rare: Stratum | None = None) -> Chunk:
        if not self.by_rules:
            return super().play(arm, first, number)
        rows, hashes = play_rows(arm, first, number) if rare is None else play_rare(arm, rare.tables, first, number)
        return Chunk(np.zeros(0, np.int64), rows, self.numbers(arm.rules, rows), hashes)

    def sums(self, x: Chunk, y: Chunk, base: Rules, rules: Rules) -> tuple[NDArray[np.int64], TrialNumbers]:
        a, b = _weights(self, base, rules)
        more = y.numbers - x.numbers if (a == b).all() else b[:, None] * y.numbers - a[:, None] * x.numbers
        pairs = paired_sums(x.numbers, y.numbers, more)
        if not self.by_rules:
            return pairs, more
        mx, my = x.numbers[-1], y.numbers[-1]
        xx, yy = mx * mx, my * my
        larger = np.maximum(b[-1] ** 2 * yy - a[-1] ** 2 * xx, 0)
        powers = [yy @ my, yy @ yy, xx @ my, mx @ yy, xx @ yy, larger.sum(), larger @ larger]
        changes = [0, 0, 0]
        if x is not y and x.hashes is not None and y.hashes is not None:
            changes = [int((x.hashes != y.hashes).sum()), *_winners(x, y, base, rules)]
        return np.concatenate([pairs, np.array(powers).astype(np.int64), changes]), more


def hand_measures(*sets: Rules, by_rules: bool = False) -> HandMeasures:
    """What is compared of the hands of some rule sets: whatever any of them pays; the margin is the last."""
    points = tuple(dict.fromkeys(name for rules in sets for name in points_of(rules)))
    sides = ("dealer", "others", "all")
    return HandMeasures((
        *(Quantity(name, "hand", side, "mean") for side in sides for name in points),
        *(
            Quantity(name, "hand" if side == "all" else "side", side, kind)
            for name, kind in (("knock", "mean"), ("cappotto", "probability"))
            for side in sides
        ),
        *(Quantity("wins_hand", "side", side, "share") for side in ("dealer", "others")),
        Quantity("misdeals", "hand", "all", "mean"),
        Quantity("table_wins", "hand", "dealer", "probability"),
        Quantity("misdeals_in_a_row", "hand", "others", "probability"),
        MARGIN,
    ), CHUNK, by_rules, points)  # fmt: skip


def _columns(rules: Rules, rows: NDArray[np.int16], *names: str) -> NDArray[np.int16]:
    """int16[names, sides, hands]: the columns of each side; zeros for no name."""
    scored = score_names(rules)
    heads = len(row_names(rules)) - rules.sides * len(scored)
    by_side = rows[:, heads:].reshape(len(rows), rules.sides, len(scored))
    found = [by_side[:, :, scored.index(name)] if name else np.zeros(by_side.shape[:2], np.int16) for name in names]
    return np.stack(found).transpose(0, 2, 1)


def _winners(x: Chunk, y: Chunk, base: Rules, rules: Rules) -> tuple[int, int]:
    """How many hands have another winner in y than in x, and how many of these one of the other sides wins there."""
    (before,), (after,) = (_columns(of, played.rows, "wins") for of, played in ((base, x), (rules, y)))
    changed, gained, _ = winners_changed(before == 1, after == 1)
    return changed, int(gained.sum())


@cache
def _weights(measures: HandMeasures, base: Rules, rules: Rules) -> tuple[TrialNumbers, TrialNumbers]:
    """What the numbers of the first and of another are multiplied by to be compared, float64[quantities] each."""
    units = ([measures.scale(quantity, of).unit for of in (base, rules)] for quantity in measures.quantities)
    a, b, _ = zip(*(common_unit(*both) for both in units), strict=True)
    return np.array(a, np.float64), np.array(b, np.float64)


def compare_rule_sets(
    sets: Mapping[str, Rules], line_up: LineUp = CAREFUL, hands: int = 1_000_000, seed: int = 1,
    unpaired: bool = False, first: int = 0, constraints: DealConstraints | None = None,
) -> Comparison:  # fmt: skip
    """Rule sets, by name, compared with the first of them.

    Raises ``InputError`` if there is nothing to compare, if the line-up cannot play some rules, and if the number of
    seats differs in a paired comparison.
    """
    if len(sets) < 2:
        raise InputError("nothing to compare with (valid: two rule sets or more)")
    (base, rules), *others = sets.items()
    for name, other in others:
        if other.players != rules.players and not unpaired:
            raise InputError(
                "{name!r} has {seats} seats and {base!r} {other_seats}, so their deals cannot be shared (valid: "
                "the same --players, or --unpaired)",
                name, other.players, base, rules.players,
            )  # fmt: skip
    arms = {}
    for name, of in sets.items():
        arms[name] = Experiment(of, line_up.by_side(of), hands, seed, first, constraints)
        try:
            check_playable(arms[name])
        except InputError as error:
            raise error if name == base else InputError("{name}: {error}", name, error) from None
    strata, same = {}, frozenset[str]()
    if not unpaired:
        found = {name: stratum(rules, of) for name, of in sets.items() if constraints is None}
        strata = {name: deals for name, deals in found.items() if deals is not None}
        same = frozenset(
            name for name, other in list(arms.items())[1:]
            if arms[base].side_policies == other.side_policies and same_hands(arms[base], other.rules)
        )  # fmt: skip
    return Comparison(arms, hand_measures(*sets.values(), by_rules=True), unpaired, strata, same)


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
            check_playable(Experiment(rules, line_up.by_side(rules)))

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


# ------------------------------------------------------------------------------------------------ rule sets


Effects = tuple[list[Estimate], list[Difference], list[Estimate]]
"""The levels of the quantities and of ``SPREAD`` under some rules, differences from the first, and ``CHANGES``."""


def hands_table(run: Run) -> pl.DataFrame:
    """The table of a comparison: for each rule set every quantity, then its difference from the first's.

    Its p-values are not corrected yet.

    Paired, ``CHANGES`` come between the two. Where a stratum of the deals was played, differences and changes are those
    of the stratum times its chance, and what the experiment shows is what the first does and the difference.
    """
    comparison = comparison_of(run)
    base, *others = comparison.parts(run)
    shown = (*comparison.measures.quantities, SPREAD)
    usual = [*map(base.level, comparison.measures.quantities), _spread(base)[0]]
    rows = [level_row({LABEL: base.name}, *row) for row in zip(shown, usual, strict=True)]
    for part in others:
        named, rare = {LABEL: part.name}, comparison.strata.get(part.name)
        if rare is None:
            level, spread = _spread(part)
            levels = [*map(part.level, comparison.measures.quantities), level]
            differences = [*map(part.difference, comparison.measures.quantities), spread]
            changes = [] if comparison.unpaired else _changes(part)
        else:
            levels, differences, changes = _of_stratum(rare, base.sums, usual, part)
        same, nothing = part.name in comparison.same, no_difference(run.done)
        if same:
            differences, changes = [nothing] * len(shown), [nothing.estimate] * len(CHANGES)
        rows += [level_row(named, *row) for row in zip(shown, levels, strict=True)]
        from_first = [level_row(named, *row) for row in zip(CHANGES, changes, strict=not comparison.unpaired)]
        from_first += [difference_row(named, *row, comparison.unpaired) for row in zip(shown, differences, strict=True)]
        rows += [row | {"exact": "0" if same else None} for row in from_first]
    return pl.DataFrame(rows, schema=table_schema(LABEL), orient="row")


def _of_stratum(rare: Stratum, base: Tally, usual: list[Estimate], part: ComparedArm) -> Effects:
    """The effects of rules that played a stratum; ``usual`` are the levels of the first, from its sums ``base``."""
    quantities, weight, differences = part.measures.quantities, rare.chance, []
    for quantity in quantities:
        sums, x = part.pair(quantity.key), {quantity.key: 1}
        (_, unit), largest = part.units(quantity), part.largest(quantity, sums)
        differences.append(stratum_difference((base.sum(x), base.product(x, x)), sums, weight, unit, largest))
    # The scale and the largest number of the margin, which is the last.
    differences.append(stratum_spread(_powers(base), _powers_of_both(part), weight, unit, largest))
    levels = []
    for quantity, level, difference in zip((*quantities, SPREAD), usual, differences, strict=True):
        bounds = (None, None) if quantity.name == "margin" else (0.0, None if quantity.kind == "mean" else 1.0)
        levels.append(shift(level, difference.estimate, *bounds))
    return levels, differences, [scale_estimate(change, float(weight)) for change in _changes(part)]


def _powers(of: Tally) -> list[int]:
    """The sums of the first to fourth powers of the margin."""
    margin, products = MARGIN.key, of.products
    return [of.sums[margin], products[margin, margin], products["square", margin], products["square", "square"]]


def _powers_of_both(part: ComparedArm) -> Powers:
    """The sums of powers of the margins of both."""
    margin, sums = MARGIN.key, part.sums.products
    crossed = {
        (1, 1): sums[f"first {margin}", margin], (2, 1): sums["first square", margin],
        (1, 2): sums[f"first {margin}", "square"], (2, 2): sums["first square", "square"],
    }  # fmt: skip
    larger = part.sums.sums["larger square"], sums["larger square", "larger square"]
    return Powers(_powers(part.first), _powers(part.sums), crossed, part.sums.trials, larger)


def _spread(part: ComparedArm) -> tuple[Estimate, Difference]:
    """The standard deviation of the margin, and how much larger it is than the first experiment's."""
    largest = part.largest(MARGIN, part.pair(MARGIN.key))
    return spread_difference(_powers_of_both(part), *part.units(MARGIN), largest, part.unpaired)


def _changes(part: ComparedArm) -> list[Estimate]:
    """The estimates of ``CHANGES``, from the sums of the same hands in the first experiment and in another."""
    (base, rules), sums = part.sets, part.sums.sums
    dealer, others = (part.pair(f"wins_hand {side}") for side in ("dealer", "others"))
    sides = rules.sides - 1 if rules.sides == base.sides else 1  # else all others count as one side
    # A hand that passes from one of several others to another is gained by one of them, and lost by one.
    gained = (dealer.excess, 1), (sums["gained"], sides)
    lost = (dealer.excess - (dealer.y - dealer.x), 1), (sums["gained"] - (others.y - others.x), sides)
    means = []
    for quantity, directions in ((POINTS, 1), (MARGIN, 2)):  # a margin may turn round
        both = part.pair(quantity.key)
        means.append(mean_change(both, directions * part.largest(quantity, both), *part.units(quantity)))
    hands = part.sums.trials
    return [
        proportion(sums["changed"], hands),
        proportion(sums["winner changed"], hands),
        *(scale_estimate(proportion(count, hands), 1 / share) for count, share in (*gained, *lost)),
        *means,
    ]


# ------------------------------------------------------------------------------------------------ several line-ups


INTERACTION = "interaction"
"""The kind of rows that show how much more a rule changes for a line-up than for the first."""


def join_comparisons(comparisons: Mapping[str, Comparison]) -> Comparison:
    """Comparisons of the same rule sets that differ in their line-ups alone, as one experiment on their effects."""
    first = next(iter(comparisons.values()))
    effects = tuple(
        quantity._replace(side=f"{quantity.side} {name}")
        for name in list(first.arms)[1:]
        for quantity in first.measures.quantities
    )
    return Comparison(comparisons, TrialMeasures(effects, CHUNK >> 2))


def interactions(line_ups: Mapping[str, Comparison], part: ComparedArm) -> Iterator[Row]:
    """The rows of how much more each quantity changes under each rule set for a line-up than for the first."""
    first = next(iter(line_ups.values()))
    same = [name for name in first.same if all(name in arm.same for arm in line_ups.values())]
    for name, arm in list(first.arms.items())[1:]:
        effect = part._replace(measures=first.measures, sets=(first.rules, arm.rules))
        for quantity in first.measures.quantities:
            both = part.pair(f"{quantity.key} {name}")
            *_, unit = common_unit(*effect.units(quantity))
            difference = paired_difference(both, unit, unit, 2 * effect.largest(quantity, both))
            if name in first.strata:
                chance = float(first.strata[name].chance)
                difference = replace(difference, estimate=scale_estimate(difference.estimate, chance))
            if name in same:
                difference = no_difference(both.hands)
            row = difference_row({"policy": part.name}, quantity, difference)
            exact = {"exact": "0"} if row["ci_low"] == row["ci_high"] else {}
            yield row | {LABEL: name, "kind": INTERACTION} | exact
