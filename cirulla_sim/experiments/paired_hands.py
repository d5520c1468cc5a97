"""Quantities of hands that are paired with those of another experiment: their numbers, sums and differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..engine.chunks import row_names
from ..ruleset.rules_model import Rules, most
from ..stats.estimates import Difference, PairedSums, Powers, apart, paired, weights
from .hand_quantities import POINTS
from .tally import SUMS, Quantity, TrialNumbers, paired_sums, sums_of_both, winners_changed

CHUNK = 1 << 13
"""Hands in a chunk, played by every experiment: few enough for their numbers to stay in the processor's cache."""

_OF_SIDES = (
    *(Quantity(name, "hand", side, "mean") for side in ("dealer", "others", "all") for name in POINTS),
    *(
        Quantity(name, "hand" if side == "all" else "side", side, kind)
        for name, kind in (("knock", "mean"), ("cappotto", "probability"))
        for side in ("dealer", "others", "all")
    ),
    *(Quantity("wins_hand", "side", side, "share") for side in ("dealer", "others")),
)
QUANTITIES = (
    *_OF_SIDES,
    Quantity("misdeals", "hand", "all", "mean"),
    Quantity("table_wins", "hand", "dealer", "probability"),
    Quantity("misdeals_in_a_row", "hand", "others", "probability"),
    Quantity("margin", "hand", "dealer", "mean"),
)
"""All of them, in the order of ``numbers_of``."""

MARGIN = len(QUANTITIES) - 1
POINTS_OF_ALL, WINS_OF_DEALER, WINS_OF_OTHERS = (
    next(i for i, quantity in enumerate(QUANTITIES) if (quantity.name, quantity.side) == wanted)
    for wanted in (("points", "all"), ("wins_hand", "dealer"), ("wins_hand", "others"))
)

# Places in a part of the tally after the ``paired_sums``, where y is a number of its hand and x of the same hand of the
# first: of the margins the sums of y^3, y^4, x^2 y, x y^2 and x^2 y^2, and, of the hands with the larger square, how
# much larger it is, and the squares of that; then the number of hands that differ, of those with another winner, and of
# those that one of the other sides wins in y and not in x.
POWERS = SUMS * len(QUANTITIES)
CHANGED = POWERS + 7
WIDTH = CHANGED + 3


@dataclass(frozen=True)
class HandSums:
    """The sums over some hands of an experiment, paired with those of the first: a part of a tally."""

    rules: Rules
    numbers: NDArray[np.int64]
    hands: int

    @property
    def paired(self) -> NDArray[np.int64]:
        """The ``paired_sums``."""
        return self.numbers[:POWERS].reshape(SUMS, -1)

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
        return [*self.of(MARGIN), *self.numbers[POWERS : POWERS + 2].tolist()]

    def powers_beside(self, first: HandSums) -> Powers:
        """The sums of powers of the margins of both."""
        x2y, xy2, x2y2, larger, larger_squared = self.numbers[POWERS + 2 : CHANGED].tolist()
        crossed = {(1, 1): self.beside(first, MARGIN).xy, (2, 1): x2y, (1, 2): xy2, (2, 2): x2y2}
        return Powers(first.powers, self.powers, crossed, self.hands, (larger, larger_squared))


# ------------------------------------------------------------------------------------------------ from hands


def numbers_of(rules: Rules, rows: NDArray[np.int16]) -> TrialNumbers:
    """float64[QUANTITIES, hands]: the quantities of each hand as whole numbers, from the rows of ``play_rows``.

    Of several other sides they are added up; the margin is the dealer's side's points times their number, less theirs.
    """
    columns = {**POINTS, "knock": "knock", "cappotto": "cappotto", "wins_hand": "wins"}
    by_side = _columns(rules, rows, *columns.values()).astype(np.float64, order="C")
    dealer, others = by_side[:, -1], by_side[:, :-1].sum(axis=1)
    sums = {"dealer": dealer, "others": others, "all": dealer + others}
    places = {name: place for place, name in enumerate(columns)}
    won = rows[:, 2]
    return np.vstack([
        *(sums[quantity.side][places[quantity.name]] for quantity in _OF_SIDES),
        rows[:, 0], won == 1, won == 2, (rules.sides - 1) * dealer[0] - others[0],
    ])  # fmt: skip


def _columns(rules: Rules, rows: NDArray[np.int16], *names: str) -> NDArray[np.int16]:
    """int16[names, sides, hands]: the columns of each side."""
    from ..kernel.game.scoring import COLUMNS as SCORED

    heads = len(row_names(rules)) - rules.sides * len(SCORED)
    by_side = rows[:, heads:].reshape(len(rows), rules.sides, len(SCORED))
    return by_side[:, :, [SCORED.index(name) for name in names]].transpose(2, 1, 0)


def changes(base: Rules, rules: Rules, x: NDArray[np.int16], y: NDArray[np.int16]) -> tuple[int, int]:
    """How many hands have another winner in the rows y, and how many of these one of the other sides wins there."""
    (before,), (after,) = (_columns(of, rows, "wins") for of, rows in ((base, x), (rules, y)))
    changed, gained, _ = winners_changed(before == 1, after == 1)
    return changed, int(gained.sum())


def sums_of(x: TrialNumbers, y: TrialNumbers, base: Rules, rules: Rules) -> tuple[NDArray[np.int64], TrialNumbers]:
    """The sums of hands, int64[WIDTH], without those from ``CHANGED`` on, and how much more of each quantity each has
    in y."""
    a, b = _weights(base, rules)
    more = y - x if (a == b).all() else b[:, None] * y - a[:, None] * x
    mx, my = x[MARGIN], y[MARGIN]
    xx, yy = mx * mx, my * my
    larger = np.maximum(b[MARGIN] ** 2 * yy - a[MARGIN] ** 2 * xx, 0)
    sums = np.zeros(WIDTH, np.int64)
    sums[:POWERS] = paired_sums(x, y, more).ravel()
    sums[POWERS:CHANGED] = [yy @ my, yy @ yy, xx @ my, mx @ yy, xx @ yy, larger.sum(), larger @ larger]
    return sums, more


# ------------------------------------------------------------------------------------------------ what they mean


class Scale(NamedTuple):
    """Of a quantity: how many numbers of a hand are added up in it, and the most that a hand can have, added up."""

    several: int
    most: int

    @property
    def unit(self) -> Fraction:
        """What the sums are multiplied by."""
        return Fraction(1, self.several)


@cache
def scales(rules: Rules) -> Mapping[Quantity, Scale]:
    """The scale of each of ``QUANTITIES``; the margin counts each of the other sides."""
    bounds, found, others = most(rules), {}, rules.sides - 1
    for quantity in QUANTITIES[:MARGIN]:
        adds_up = quantity.side == "others" and quantity.name != "misdeals_in_a_row"
        largest = bounds[POINTS.get(quantity.name, quantity.name)] if quantity.kind == "mean" else 1  # of a share one
        found[quantity] = Scale(others if adds_up else 1, largest)
    found[QUANTITIES[MARGIN]] = Scale(others, bounds["total"] * others)
    return found


def units(quantity: Quantity, base: Rules, rules: Rules) -> tuple[Fraction, Fraction]:
    """What the sums of a quantity are multiplied by under each of two rule sets."""
    return scales(base)[quantity].unit, scales(rules)[quantity].unit


def most_apart(quantity: Quantity, base: Rules, rules: Rules) -> float:
    """The most by which a hand can differ under two rule sets."""
    (a, x), (b, y) = scales(base)[quantity], scales(rules)[quantity]
    return max(x / a, y / b)


@cache
def _weights(base: Rules, rules: Rules) -> tuple[TrialNumbers, TrialNumbers]:
    """What the numbers of the first and of another are multiplied by to be compared, float64[QUANTITIES] each."""
    a, b, _ = zip(*(weights(*units(quantity, base, rules)) for quantity in QUANTITIES), strict=True)
    return np.array(a, np.float64), np.array(b, np.float64)


def difference_of_rules(i: int, base: Rules, rules: Rules, sums: PairedSums, unpaired: bool = False) -> Difference:
    """How much more of quantity number ``i`` hands have under other rules."""
    both, largest = units(QUANTITIES[i], base, rules), most_apart(QUANTITIES[i], base, rules)
    if unpaired:
        return apart(sums, *both, None if i == MARGIN else largest)
    return paired(sums, *both, largest)


def difference_of_hands(i: int, rules: Rules, sums: PairedSums) -> Difference:
    """How much more of quantity number ``i`` the hands of another line-up have under the same rules."""
    return difference_of_rules(i, rules, rules, sums)
