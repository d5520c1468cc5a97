"""Hands compared: experiments on the same deals, and the sums of all the numbers of their hands, in pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..engine.chunks import play_rare, play_rows, row_names, same_hands
from ..engine.trials import Experiment
from ..ruleset.rules_model import Rules
from ..stats.estimates import Sums, weights
from ..stats.spreads import Powers
from .paired_runs import Numbers, Pairing, Quantity

CHUNK = 1 << 13
"""Hands in a chunk, played by every experiment: few enough for their numbers to stay in the processor's cache."""

POINTS = {
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
    counted = [Quantity(name, "hand", side, "mean") for side in sides for name in POINTS]
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
_MANY = len(QUANTITIES)
MARGIN = _MANY - 1
POINTS_OF_ALL, WINS_OF_DEALER, WINS_OF_OTHERS = (
    next(i for i, quantity in enumerate(QUANTITIES) if (quantity.name, quantity.side) == wanted)
    for wanted in (("points", "all"), ("wins_hand", "dealer"), ("wins_hand", "others"))
)

# Places in a part of the tally after the sums of y, y * y and x * y of each quantity, where y is a number of its hand
# and x of the same hand of the first: of the hands with the larger y how much larger it is, and the squares of that;
# sums of powers of the margins; of the hands with the larger square of the margin how much larger it is, and the
# squares of that; the number of hands that differ, of those with another winner, and of those that one of the other
# sides wins in y and not in x.
EXCESS, EXCESS_SQUARED, POWERS = (parts * _MANY for parts in (3, 4, 5))
Y3, Y4, X2Y, XY2, X2Y2, LARGER, LARGER_SQUARED = range(POWERS, POWERS + 7)
CHANGED, WINNER_CHANGED, OTHERS_GAINED = range(POWERS + 7, POWERS + 10)
WIDTH = OTHERS_GAINED + 1


@dataclass(frozen=True)
class HandSums:
    """The sums over some hands of an experiment, paired with those of the first: a part of a tally, as integers."""

    rules: Rules
    numbers: Sequence[int]
    hands: int

    def of(self, i: int) -> tuple[int, int]:
        """The sum of a quantity's numbers and that of their squares."""
        return self.numbers[i], self.numbers[_MANY + i]

    def beside(self, first: HandSums, i: int) -> Sums:
        """The sums of a quantity of both."""
        (x, xx), (y, yy) = first.of(i), self.of(i)
        xy, excess, excess_squared = (self.numbers[place + i] for place in (2 * _MANY, EXCESS, EXCESS_SQUARED))
        return Sums(x, y, xx, yy, xy, self.hands, excess, excess_squared)

    @property
    def powers(self) -> list[int]:
        """The sums of the first to fourth powers of the margin."""
        return [*self.of(MARGIN), self.numbers[Y3], self.numbers[Y4]]

    def powers_beside(self, first: HandSums) -> Powers:
        """The sums of powers of the margins of both."""
        places = {(1, 1): 2 * _MANY + MARGIN, (2, 1): X2Y, (1, 2): XY2, (2, 2): X2Y2}
        crossed = {exponents: self.numbers[place] for exponents, place in places.items()}
        larger = self.numbers[LARGER], self.numbers[LARGER_SQUARED]
        return Powers(first.powers, self.powers, crossed, self.hands, larger)

    @property
    def changed(self) -> int:
        """The number of hands that differ."""
        return self.numbers[CHANGED]

    @property
    def winner_changed(self) -> int:
        """The number of hands that another side wins than in the first experiment, or no side."""
        return self.numbers[WINNER_CHANGED]

    def wins_gained(self, first: HandSums) -> tuple[int, int]:
        """The hands that the dealer's side wins and did not win in the first experiment, and those of the others.

        A hand that passes from one of several others to another is gained by one of them, and lost by one.
        """
        return self.beside(first, WINS_OF_DEALER).excess, self.numbers[OTHERS_GAINED]

    def wins_lost(self, first: HandSums) -> tuple[int, int]:
        """The hands that the dealer's side won in the first experiment and does not win, and those of the others."""
        dealer, others = self.wins_gained(first)
        more = (self.of(i)[0] - first.of(i)[0] for i in (WINS_OF_DEALER, WINS_OF_OTHERS))
        return dealer - next(more), others - next(more)


# ------------------------------------------------------------------------------------------------ playing


def numbers_of(rules: Rules, rows: NDArray[np.int16]) -> Numbers:
    """float64[QUANTITIES, hands]: the quantities of each hand as whole numbers, from the rows of ``play_rows``.

    Of several other sides they are added up; the margin is the dealer's side's points times their number, less theirs.
    """
    wanted = [*POINTS.values(), "knock", "cappotto", "wins"]
    by_side = _columns(rules, rows, wanted).transpose(2, 1, 0).astype(np.float64, order="C")
    points, (knock, cappotto, wins) = slice(0, len(POINTS)), range(len(POINTS), len(wanted))
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


def winners_of(rules: Rules, rows: NDArray[np.int16]) -> NDArray[np.int64]:
    """int64[hands]: who wins each hand: -1 the dealer's side, 1, 2, ... the others in order of play, 0 nobody."""
    return np.asarray(_columns(rules, rows, ["wins"])[:, :, 0] @ np.array([*range(1, rules.sides), -1]))


def _columns(rules: Rules, rows: NDArray[np.int16], names: Sequence[str]) -> NDArray[np.int16]:
    """int16[hands, sides, names]: the columns of each side."""
    from ..kernel.game.scoring import COLUMNS as SCORED

    heads = len(row_names(rules)) - rules.sides * len(SCORED)
    by_side = rows[:, heads:].reshape(len(rows), rules.sides, len(SCORED))
    return by_side[:, :, [SCORED.index(name) for name in names]]


def effect_numbers(rules: Rules, effects: Numbers) -> Numbers:
    """The effects that ``play_pairs`` gives, which are numbers already."""
    return effects


def play_pairs(pairing: Pairing, first: int, hands: int, effects: bool = False) -> tuple[NDArray[np.int64], Numbers]:
    """Play hands ``first`` to ``first + hands - 1`` of every experiment; returns int64[parts * WIDTH], sums.

    There is a part for each experiment, the first paired with itself; those that have a stratum play its hands, and a
    part after theirs is what the first does with these. Sums of whole numbers below 2**53 are exact as floats, in any
    order. The second array is, with ``effects``, float64[(experiments - 1) * QUANTITIES, hands]: how much more of each
    quantity each of the others has in each hand than the first, in the unit of ``effect_unit``; else it is empty.
    """
    (_, base), *others = pairing.experiments.items()
    rows, digests = play_rows(base, first, hands)
    x = numbers_of(base.rules, rows)
    parts = [_sums(x, x, base.rules, base.rules)[0]]
    apart = np.zeros((len(others) if effects else 0, _MANY, hands))
    for number, (name, other) in enumerate(others):
        if not pairing.unpaired and same_play(base, other):
            parts.append(parts[0])
            continue
        stratum, (mine, usual), numbers = pairing.strata.get(name), (rows, digests), x
        if stratum is not None:
            (mine, usual), (theirs, other_digests) = (
                play_rare(of, stratum.tables, first, hands) for of in (base, other)
            )
            numbers = numbers_of(base.rules, mine)
        else:
            theirs, other_digests = play_rows(other, pairing.hands * pairing.unpaired + first, hands)
        sums, effect = _sums(numbers, numbers_of(other.rules, theirs), base.rules, other.rules)
        if not pairing.unpaired:
            winners = winners_of(base.rules, mine), winners_of(other.rules, theirs)
            sums[CHANGED:] = (usual != other_digests).sum(), *_winners_changed(*winners, base.rules, other.rules)
        parts += [sums] if stratum is None else [sums, _sums(numbers, numbers, base.rules, base.rules)[0]]
        if effects:
            apart[number] = effect
    return np.concatenate(parts), apart.reshape(-1, hands)


def _winners_changed(x: NDArray[np.int64], y: NDArray[np.int64], base: Rules, rules: Rules) -> tuple[int, int]:
    """How many hands have another winner in y, and how many of these one of the other sides wins in y.

    Where the numbers of sides differ, all others count as one side.
    """
    if base.sides != rules.sides:
        x, y = np.minimum(x, 1), np.minimum(y, 1)
    changed = x != y
    return int(changed.sum()), int((changed & (y > 0)).sum())


def _sums(x: Numbers, y: Numbers, base: Rules, rules: Rules) -> tuple[NDArray[np.int64], Numbers]:
    """The sums of hands up to ``LARGER_SQUARED``, int64[WIDTH], and how much more of each quantity each has in y."""
    sums = np.zeros(WIDTH, np.int64)
    sums[:_MANY] = y.sum(axis=1)
    sums[_MANY : 2 * _MANY] = np.einsum("qh,qh->q", y, y)
    sums[2 * _MANY : 3 * _MANY] = np.einsum("qh,qh->q", x, y)
    a, b = _weights(base, rules)
    apart = y - x if (a == b).all() else b[:, None] * y - a[:, None] * x
    excess = np.maximum(apart, 0)
    sums[EXCESS:EXCESS_SQUARED] = excess.sum(axis=1)
    sums[EXCESS_SQUARED:POWERS] = np.einsum("qh,qh->q", excess, excess)
    mx, my = x[MARGIN], y[MARGIN]
    xx, yy = mx * mx, my * my
    larger = np.maximum(b[MARGIN] ** 2 * yy - a[MARGIN] ** 2 * xx, 0)
    sums[Y3:CHANGED] = [yy @ my, yy @ yy, xx @ my, mx @ yy, xx @ yy, larger.sum(), larger @ larger]
    return sums, apart


@cache
def _weights(base: Rules, rules: Rules) -> tuple[Numbers, Numbers]:
    """What the numbers of the first and of another are multiplied by to be compared, float64[QUANTITIES] each."""
    scales = [weights(*(Fraction(1, several_of(quantity, of)) for of in (base, rules))) for quantity in QUANTITIES]
    return np.array([float(a) for a, _, _ in scales]), np.array([float(b) for _, b, _ in scales])


def effect_unit(quantity: Quantity, base: Rules, rules: Rules) -> Fraction:
    """What the effects of hands that ``play_pairs`` gives are counted in."""
    return weights(*(Fraction(1, several_of(quantity, of)) for of in (base, rules)))[2]


def several_of(quantity: Quantity, rules: Rules) -> int:
    """How many numbers of a hand are added up in a quantity; the margin counts each of the others."""
    several = quantity.side == "others" and quantity.name != "misdeals_in_a_row"
    return rules.sides - 1 if several or quantity.name == "margin" else 1


def same_play(base: Experiment, other: Experiment) -> bool:
    """Whether every hand of two experiments of one seed goes the same way."""
    return base.side_policies == other.side_policies and same_hands(base, other.rules)
