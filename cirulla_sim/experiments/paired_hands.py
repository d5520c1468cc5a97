"""Quantities of hands that are paired with those of another experiment: their numbers, sums and differences."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..engine.chunks import row_names, score_names
from ..ruleset.rules_model import Rules
from ..ruleset.scoring import most
from ..stats.estimates import Difference, PairedSums, Powers, apart, paired, weights
from .hand_quantities import points_of
from .tally import SUMS, Quantity, TrialNumbers, paired_sums, sums_of_both, winners_changed

CHUNK = 1 << 13
"""Hands in a chunk, played by every experiment: few enough for their numbers to stay in the processor's cache."""

_MARGIN = Quantity("margin", "hand", "dealer", "mean")


@dataclass(frozen=True)
class HandMeasures:
    """What is compared of hands: the quantities of which hands have ``points``, by name, and the others.

    A part of the tally has the ``paired_sums`` of all. Then come, where y is a number of its hand and x of the same
    hand of the first, from ``powers`` on of the margins the sums of y^3, y^4, x^2 y, x y^2 and x^2 y^2, and, of the
    hands with the larger square, how much larger it is, and the squares of that; from ``changed`` on the number of
    hands that differ, of those with another winner, and of those that one of the other sides wins in y and not in x.
    """

    points: tuple[str, ...]

    @cached_property
    def of_sides(self) -> tuple[Quantity, ...]:
        """The quantities that every side has."""
        return (
            *(Quantity(name, "hand", side, "mean") for side in ("dealer", "others", "all") for name in self.points),
            *(
                Quantity(name, "hand" if side == "all" else "side", side, kind)
                for name, kind in (("knock", "mean"), ("cappotto", "probability"))
                for side in ("dealer", "others", "all")
            ),
            *(Quantity("wins_hand", "side", side, "share") for side in ("dealer", "others")),
        )

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """All of them, in the order of ``numbers``; the margin is the last."""
        return (
            *self.of_sides,
            Quantity("misdeals", "hand", "all", "mean"),
            Quantity("table_wins", "hand", "dealer", "probability"),
            Quantity("misdeals_in_a_row", "hand", "others", "probability"),
            _MARGIN,
        )

    def place(self, name: str, side: str) -> int:
        """The place of a quantity of a side."""
        return next(i for i, quantity in enumerate(self.quantities) if (quantity.name, quantity.side) == (name, side))

    @property
    def margin(self) -> int:
        return len(self.quantities) - 1

    @property
    def powers(self) -> int:
        return SUMS * len(self.quantities)

    @property
    def changed(self) -> int:
        return self.powers + 7

    @property
    def width(self) -> int:
        """The length of a part of the tally."""
        return self.changed + 3

    def numbers(self, rules: Rules, rows: NDArray[np.int16]) -> TrialNumbers:
        """float64[quantities, hands]: the quantities of each hand as whole numbers, from the rows of ``play_rows``.

        Of several other sides they are added up; the margin is the dealer's side's points times their number, less
        theirs.
        """
        paid = points_of(rules)
        columns = [*(paid.get(name, "") for name in self.points), "knock", "cappotto", "wins"]
        names = [*self.points, "knock", "cappotto", "wins_hand"]
        by_side = _columns(rules, rows, *columns).astype(np.float64, order="C")
        dealer, others = by_side[:, -1], by_side[:, :-1].sum(axis=1)
        sums = {"dealer": dealer, "others": others, "all": dealer + others}
        places = {name: place for place, name in enumerate(names)}
        won = rows[:, 2]
        return np.vstack([
            *(sums[quantity.side][places[quantity.name]] for quantity in self.of_sides),
            rows[:, 0], won == 1, won == 2, (rules.sides - 1) * dealer[0] - others[0],
        ])  # fmt: skip

    def sums(
        self, x: TrialNumbers, y: TrialNumbers, base: Rules, rules: Rules
    ) -> tuple[NDArray[np.int64], TrialNumbers]:
        """The sums of hands, int64[width], without those from ``changed`` on, and how much more of each quantity each
        has in y."""
        a, b = _weights(self.quantities, base, rules)
        more = y - x if (a == b).all() else b[:, None] * y - a[:, None] * x
        mx, my = x[-1], y[-1]
        xx, yy = mx * mx, my * my
        larger = np.maximum(b[-1] ** 2 * yy - a[-1] ** 2 * xx, 0)
        sums = np.zeros(self.width, np.int64)
        sums[: self.powers] = paired_sums(x, y, more).ravel()
        sums[self.powers : self.changed] = [
            yy @ my, yy @ yy, xx @ my, mx @ yy, xx @ yy, larger.sum(), larger @ larger,
        ]  # fmt: skip
        return sums, more

    def difference(self, i: int, rules: Rules, sums: PairedSums) -> Difference:
        """How much more of quantity number ``i`` the hands of another line-up have under the same rules."""
        return difference_of_rules(self.quantities[i], rules, rules, sums)


def measured(*sets: Rules) -> HandMeasures:
    """What is compared of the hands of some rule sets: whatever any of them pays."""
    return HandMeasures(tuple(dict.fromkeys(name for rules in sets for name in points_of(rules))))


@dataclass(frozen=True)
class HandSums:
    """The sums over some hands of an experiment, paired with those of the first: a part of a tally."""

    rules: Rules
    measures: HandMeasures
    numbers: NDArray[np.int64]
    hands: int

    @property
    def paired(self) -> NDArray[np.int64]:
        """The ``paired_sums``."""
        return self.numbers[: self.measures.powers].reshape(SUMS, -1)

    def of(self, i: int) -> tuple[int, int]:
        """The sum of a quantity's numbers and that of their squares."""
        total, squares = self.paired[:2, i].tolist()
        return total, squares

    def beside(self, first: HandSums, i: int) -> PairedSums:
        """The sums of a quantity of both."""
        return sums_of_both(first.paired, self.paired, i, self.hands)

    @property
    def powers(self) -> list[int]:
        """The sums of the first to fourth powers of the margin."""
        first = self.measures.powers
        return [*self.of(self.measures.margin), *self.numbers[first : first + 2].tolist()]

    def powers_beside(self, first: HandSums) -> Powers:
        """The sums of powers of the margins of both."""
        places = slice(self.measures.powers + 2, self.measures.changed)
        x2y, xy2, x2y2, larger, larger_squared = self.numbers[places].tolist()
        crossed = {(1, 1): self.beside(first, self.measures.margin).xy, (2, 1): x2y, (1, 2): xy2, (2, 2): x2y2}
        return Powers(first.powers, self.powers, crossed, self.hands, (larger, larger_squared))


# ------------------------------------------------------------------------------------------------ from hands


def _columns(rules: Rules, rows: NDArray[np.int16], *names: str) -> NDArray[np.int16]:
    """int16[names, sides, hands]: the columns of each side; zeros for no name."""
    scored = score_names(rules)
    heads = len(row_names(rules)) - rules.sides * len(scored)
    by_side = rows[:, heads:].reshape(len(rows), rules.sides, len(scored))
    found = [by_side[:, :, scored.index(name)] if name else np.zeros(by_side.shape[:2], np.int16) for name in names]
    return np.stack(found).transpose(0, 2, 1)


def changes(base: Rules, rules: Rules, x: NDArray[np.int16], y: NDArray[np.int16]) -> tuple[int, int]:
    """How many hands have another winner in the rows y, and how many of these one of the other sides wins there."""
    (before,), (after,) = (_columns(of, rows, "wins") for of, rows in ((base, x), (rules, y)))
    changed, gained, _ = winners_changed(before == 1, after == 1)
    return changed, int(gained.sum())


# ------------------------------------------------------------------------------------------------ what they mean


class Scale(NamedTuple):
    """Of a quantity: how many numbers of a hand are added up in it, and the most that a hand can have, added up."""

    several: int
    most: int

    @property
    def unit(self) -> Fraction:
        """What the sums are multiplied by."""
        return Fraction(1, self.several)


def scale(quantity: Quantity, rules: Rules) -> Scale:
    """The scale of a quantity; the margin counts each of the other sides."""
    bounds, others = most(rules), rules.sides - 1
    if quantity == _MARGIN:
        return Scale(others, bounds["total"] * others)
    adds_up = quantity.side == "others" and quantity.name != "misdeals_in_a_row"
    column = points_of(rules).get(quantity.name, quantity.name)
    return Scale(others if adds_up else 1, bounds.get(column, 0) if quantity.kind == "mean" else 1)  # of a share one


def units(quantity: Quantity, base: Rules, rules: Rules) -> tuple[Fraction, Fraction]:
    """What the sums of a quantity are multiplied by under each of two rule sets."""
    return scale(quantity, base).unit, scale(quantity, rules).unit


def most_apart(quantity: Quantity, base: Rules, rules: Rules) -> float:
    """The most by which a hand can differ under two rule sets."""
    (a, x), (b, y) = scale(quantity, base), scale(quantity, rules)
    return max(x / a, y / b)


@cache
def _weights(quantities: tuple[Quantity, ...], base: Rules, rules: Rules) -> tuple[TrialNumbers, TrialNumbers]:
    """What the numbers of the first and of another are multiplied by to be compared, float64[quantities] each."""
    a, b, _ = zip(*(weights(*units(quantity, base, rules)) for quantity in quantities), strict=True)
    return np.array(a, np.float64), np.array(b, np.float64)


def difference_of_rules(
    quantity: Quantity, base: Rules, rules: Rules, sums: PairedSums, unpaired: bool = False
) -> Difference:
    """How much more of a quantity hands have under other rules."""
    both, largest = units(quantity, base, rules), most_apart(quantity, base, rules)
    if unpaired:
        return apart(sums, *both, None if quantity == _MARGIN else largest)
    return paired(sums, *both, largest)
