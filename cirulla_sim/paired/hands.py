"""Hands compared: experiments on the same deals, and the paired differences of all the numbers of their hands."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..kept import (
    Difference,
    Estimate,
    Sums,
    amount,
    apart,
    clustered,
    mean,
    paired,
    proportion,
    spread_difference,
    weights,
)
from ..play import Experiment, Folded, play_rows, row_names, same_hands
from ..rulebook import Rules, most
from .pairing import Pairing, Quantity, difference_row, holm_corrected, level_row, table_schema

CHUNK = 1 << 13
"""Hands in a chunk, played by every experiment: few enough for their numbers to stay in the processor's cache."""

Numbers = NDArray[np.float64]


_POINTS = {
    "points": "total",
    "points_cards": "cards",
    "points_diamonds": "diamonds",
    "points_settebello": "settebello",
    "points_primiera": "primiera",
    "points_grande": "grande",
    "points_piccola": "piccola",
    "points_scope": "scope",
    "points_table_bonus": "table_bonus",
    "points_hand_bonus": "hand_bonus",
    "sweeps": "scope",
    "captures": "captures",
}
"""Names of quantities and the columns of ``play_rows`` they come from."""


def _quantities() -> tuple[Quantity, ...]:
    """All of them, in the order of ``numbers_of``; the margin is the last."""
    sides = ("dealer", "others", "all")
    counted = [Quantity(name, "hand", side, "mean") for side in sides for name in _POINTS]
    counted += [Quantity("knock", "hand" if side == "all" else "side", side, "mean") for side in sides]
    counted += [Quantity("cappotto", "hand" if side == "all" else "side", side, "probability") for side in sides]
    counted += [Quantity("wins_hand", "side", side, "share") for side in sides[:2]]
    return (
        *counted,
        Quantity("misdeals", "hand", "all", "mean"),
        Quantity("table_wins", "hand", "dealer", "probability"),
        Quantity("misdeals_in_a_row", "hand", "others", "probability"),
        Quantity("margin", "hand", "dealer", "mean"),
    )


QUANTITIES = _quantities()
MARGIN = len(QUANTITIES) - 1

# Parts of an experiment's tally after the sums of y, y * y and x * y of each quantity, where y is a number of its hand
# and x of the same hand of the first: of the hands with the larger y how much larger it is, and the squares of that;
# sums of powers of the margins; of the hands with the larger square of the margin how much larger it is, and the
# squares of that; the number of hands that differ.
_MORE, _MORE_SQUARED, _POWERS = (parts * len(QUANTITIES) for parts in (3, 4, 5))
_Y3, _Y4, _X2Y, _XY2, _X2Y2, _LARGER, _LARGER_SQUARED, _CHANGED = range(_POWERS, _POWERS + 8)
WIDTH = _CHANGED + 1


# ------------------------------------------------------------------------------------------------ playing


def numbers_of(rules: Rules, rows: NDArray[np.int16]) -> Numbers:
    """float64[QUANTITIES, hands]: the quantities of each hand as whole numbers, from the rows of ``play_rows``.

    Of several other sides they are added up; the margin is the dealer's side's points times their number, less theirs.
    """
    from ..kernel.game.scoring import COLUMNS as SCORED

    heads = len(row_names(rules)) - rules.sides * len(SCORED)
    wanted = [*_POINTS.values(), "knock", "cappotto", "wins"]
    columns = [SCORED.index(name) for name in wanted]
    by_side = rows[:, heads:].reshape(len(rows), rules.sides, len(SCORED))[:, :, columns].transpose(2, 1, 0)
    by_side = by_side.astype(np.float64, order="C")
    points, (knock, cappotto, wins) = slice(0, len(_POINTS)), range(len(_POINTS), len(wanted))
    dealer, others = by_side[:, -1], by_side[:, :-1].sum(axis=1)
    every = dealer + others
    won = rows[:, 2]
    return np.vstack([
        dealer[points], others[points], every[points],
        dealer[knock], others[knock], every[knock],
        dealer[cappotto], others[cappotto], every[cappotto],
        dealer[wins], others[wins],
        rows[:, 0], won == 1, won == 2, (rules.sides - 1) * dealer[0] - others[0],
    ])  # fmt: skip


def effect_numbers(rules: Rules, effects: Numbers) -> Numbers:
    """The effects that ``play_pairs`` gives, which are numbers already."""
    return effects


def play_pairs(pairing: Pairing, first: int, hands: int, effects: bool = False) -> tuple[NDArray[np.int64], Numbers]:
    """Play hands ``first`` to ``first + hands - 1`` of every experiment; returns int64[experiments * WIDTH], sums.

    The first is paired with itself. Sums of whole numbers below 2**53 are exact as floats, in any order. The second
    array is, if asked for, float64[(experiments - 1) * QUANTITIES, hands]: how much more of each quantity each of the
    others has in each hand than the first, in the unit of ``effect_unit``; else it is empty.
    """
    base, *others = pairing.experiments.values()
    rows, digests = play_rows(base, first, hands)
    x = numbers_of(base.rules, rows)
    tally = np.zeros((1 + len(others), WIDTH), np.int64)
    apart = np.zeros((len(others) if effects else 0, len(QUANTITIES), hands))
    _add(tally[0], x, x, base.rules, base.rules, 0)
    for number, (sums, other) in enumerate(zip(tally[1:], others, strict=True)):
        if not pairing.unpaired and same_play(base, other):
            sums[:] = tally[0]
            continue
        rows, theirs = play_rows(other, pairing.hands + first if pairing.unpaired else first, hands)
        changed = 0 if pairing.unpaired else int((digests != theirs).sum())
        more = _add(sums, x, numbers_of(other.rules, rows), base.rules, other.rules, changed)
        if effects:
            apart[number] = more
    return tally.ravel(), apart.reshape(-1, hands)


def _add(sums: NDArray[np.int64], x: Numbers, y: Numbers, base: Rules, rules: Rules, changed: int) -> Numbers:
    """Fill in the sums; returns how much more of each quantity each hand has in y."""
    many = len(QUANTITIES)
    sums[:many] = y.sum(axis=1)
    sums[many : 2 * many] = np.einsum("qh,qh->q", y, y)
    sums[2 * many : 3 * many] = np.einsum("qh,qh->q", x, y)
    a, b = _weights(base, rules)
    apart = y - x if (a == b).all() else b[:, None] * y - a[:, None] * x
    more = np.maximum(apart, 0)
    sums[_MORE:_MORE_SQUARED] = more.sum(axis=1)
    sums[_MORE_SQUARED:_POWERS] = np.einsum("qh,qh->q", more, more)
    mx, my = x[MARGIN], y[MARGIN]
    xx, yy = mx * mx, my * my
    larger = np.maximum(b[MARGIN] ** 2 * yy - a[MARGIN] ** 2 * xx, 0)
    sums[_Y3:] = [yy @ my, yy @ yy, xx @ my, mx @ yy, xx @ yy, larger.sum(), larger @ larger, changed]
    return apart


@cache
def _weights(base: Rules, rules: Rules) -> tuple[Numbers, Numbers]:
    """What the numbers of the first and of another are multiplied by to be compared, float64[QUANTITIES] each."""
    found = [weights(*(Fraction(1, several_of(quantity, of)) for of in (base, rules))) for quantity in QUANTITIES]
    return np.array([float(a) for a, _, _ in found]), np.array([float(b) for _, b, _ in found])


# ------------------------------------------------------------------------------------------------ the table


def same_play(one: Experiment, other: Experiment) -> bool:
    """Whether every hand of two experiments of one seed goes the same way."""
    return one.side_policies == other.side_policies and same_hands(one, other.rules)


def compared(pairing: Pairing, folded: Folded) -> pl.DataFrame:
    """The table of a pairing: for each experiment every quantity, then its difference from the first's.

    ``changed`` is the share of hands that went another way in anything at all.
    """
    tallies = [[int(x) for x in part] for part in folded.tally.reshape(len(pairing.experiments), WIDTH)]
    rows: list[dict[str, Any]] = []
    for name, tally in zip(pairing.experiments, tallies, strict=True):
        rows += _rows(pairing, name, tallies[0], tally, folded.done)
    return pl.DataFrame(holm_corrected(rows), schema=table_schema(pairing.label), orient="row")


def _rows(pairing: Pairing, name: str, base_tally: list[int], tally: list[int], hands: int) -> Iterator[dict[str, Any]]:
    """The rows of one experiment: its own numbers, and if it is not the first the differences."""
    first = next(iter(pairing.experiments))
    one, other = pairing.experiments[first], pairing.experiments[name]
    base, rules, named = one.rules, other.rules, {pairing.label: name}
    exact = name != first and not pairing.unpaired and same_play(one, other)
    many = len(QUANTITIES)
    differences = []
    for i, quantity in enumerate(QUANTITIES):
        y, yy, xy = tally[i], tally[many + i], tally[2 * many + i]
        x, xx = base_tally[i], base_tally[many + i]
        trials, base_trials = several_of(quantity, rules), several_of(quantity, base)
        if quantity == QUANTITIES[MARGIN]:
            level = mean(y, yy, hands, 1 / trials)
        elif quantity.kind == "mean":
            level = amount(y, yy, hands, 1 / trials, _largest(quantity, rules))
        else:
            level = clustered(y, trials * hands, yy, trials * y, trials**2 * hands, hands)
        yield level_row(named, quantity, level)
        sums = Sums(x, y, xx, yy, xy, hands, tally[_MORE + i], tally[_MORE_SQUARED + i])
        scales = Fraction(1, base_trials), Fraction(1, trials)
        largest = _most_apart(quantity, base, rules)
        if not pairing.unpaired:
            found = paired(sums, *scales, largest)
        else:
            found = apart(sums, *scales, None if quantity == QUANTITIES[MARGIN] else largest)
        differences.append((quantity, found))
    spread, found = _spread_of_margin(pairing, base_tally, tally, hands, base, rules)
    quantity = Quantity("margin_spread", "hand", "dealer", "mean")
    yield level_row(named, quantity, spread)
    differences.append((quantity, found))
    if name == first:
        return
    if not pairing.unpaired:
        yield level_row(named, Quantity("changed", "hand", "all", "share"), proportion(tally[_CHANGED], hands))
    for quantity, difference in differences:
        shown = Difference(Estimate(0.0, 0.0, 0.0, 0.0, hands), None, None) if exact else difference
        yield difference_row(named, quantity, shown, pairing.unpaired) | {"exact": "0" if exact else None}


def several_of(quantity: Quantity, rules: Rules) -> int:
    """How many numbers of a hand are added up in a quantity; the margin counts each of the others."""
    several = quantity.side == "others" and quantity.name != "misdeals_in_a_row"
    return rules.sides - 1 if several or quantity.name == "margin" else 1


def difference_of_hands(i: int, rules: Rules, sums: Sums) -> Difference:
    """How much more of quantity number ``i`` the hands of another line-up have under the same rules."""
    trials = several_of(QUANTITIES[i], rules)
    scale = Fraction(1, trials)
    return paired(sums, scale, scale, _largest(QUANTITIES[i], rules) / trials)


def difference_of_effects(i: int, base: Rules, rules: Rules, sums: Sums) -> Difference:
    """How much more quantity number ``i`` changes for another line-up, from sums of the effects of hands."""
    unit = effect_unit(QUANTITIES[i], base, rules)
    return paired(sums, unit, unit, 2 * _most_apart(QUANTITIES[i], base, rules))


def effect_unit(quantity: Quantity, base: Rules, rules: Rules) -> Fraction:
    """What the effects of hands that ``play_pairs`` gives are counted in."""
    return weights(*(Fraction(1, several_of(quantity, of)) for of in (base, rules)))[2]


def _most_apart(quantity: Quantity, base: Rules, rules: Rules) -> float:
    """The most by which a hand can differ under two rule sets."""
    return max(_largest(quantity, of) / several_of(quantity, of) for of in (base, rules))


def _largest(quantity: Quantity, rules: Rules) -> int:
    """The most that a hand can have of a quantity, added up as in a tally: a difference is not larger."""
    if quantity.kind != "mean":
        return 1  # of several sides one at most
    if quantity.name == "margin":
        return most(rules)["total"] * several_of(quantity, rules)
    return most(rules)[_POINTS.get(quantity.name, quantity.name)]


def _spread_of_margin(
    pairing: Pairing, base_tally: list[int], tally: list[int], hands: int, base: Rules, rules: Rules
) -> tuple[Estimate, Difference]:
    """The standard deviation of the margin, and how much larger it is than the first experiment's."""
    many = len(QUANTITIES)

    def powers(sums: list[int]) -> list[int]:
        return [sums[MARGIN], sums[many + MARGIN], sums[_Y3], sums[_Y4]]

    cross = {
        (1, 1): tally[2 * many + MARGIN],
        (2, 1): tally[_X2Y],
        (1, 2): tally[_XY2],
        (2, 2): tally[_X2Y2],
    }
    return spread_difference(
        powers(base_tally), powers(tally), cross, hands, Fraction(1, base.sides - 1), Fraction(1, rules.sides - 1),
        independent=pairing.unpaired, larger=(tally[_LARGER], tally[_LARGER_SQUARED]),
        largest=max(most(base)["total"], most(rules)["total"]),
    )  # fmt: skip
