"""What piles are worth before the hand is over, from exact tables.

The model: each card in no pile yet goes to any side with the same chance, independently. Under it the expected
points of a side for its diamonds (majority, settebello, grande, piccola) depend on which diamonds it has and which the
others have, 3**10 cases; those for most cards on two numbers. The primiera is decided by the sum over suits of the
difference of the best cards; its mean and variance are exact for each suit, their sum is approximately normal.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from ...ruleset.rules_model import Rules
from ..game.bits import TWO, ZERO, popcount, square_root
from ..game.flat import BEST_PRIME, flatten
from ..game.hand import SEATS
from ..game.scoring import SUIT, diamonds_of, primiera_value
from ..jit import inline
from .weights import WEIGHTS, weights

TERNARY = np.array([sum(3**i for i in range(10) if x >> i & 1) for x in range(1024)], np.uint64)
"""Ten bits as digits of base three: the place of (mine, others') is ``TERNARY[mine] + 2 * TERNARY[others]``."""

_PI_HALF = np.float32(np.pi / 2)
_SEVEN = np.uint64(1 << 6)


def _subsets() -> tuple[np.ndarray, np.ndarray]:
    """For every set of a side's ten cards of a suit, the others having the rest: (set, place in a table)."""
    mine = np.arange(1024)
    return mine, (TERNARY[mine] + 2 * TERNARY[1023 - mine]).astype(int)


def _expected(settled: np.ndarray, sides: int) -> np.ndarray:
    """A table over 3**10 cases from its 1,024 settled ones: a card in no pile is mine with chance 1 / ``sides``."""
    table = np.zeros(3**10)
    table[_subsets()[1]] = settled
    cube = table.reshape((3,) * 10)
    for axis in range(10):
        cube = np.moveaxis(cube, axis, 0)
        cube[0] = cube[1] / sides + cube[2] * (sides - 1) / sides
        cube = np.moveaxis(cube, 0, axis)
    return table


def _beaten(size: int, sides: int, total: int) -> float:
    """The chance that each other side has fewer than ``size`` of ``total`` cards that lie in the others' piles."""
    if sides == 2 or size > total:
        return float(size > total)
    ways = np.zeros(total + 1)
    ways[0] = 1
    for _ in range(sides - 1):
        ways = np.array(
            [sum(ways[rest] * comb(n, rest) for rest in range(n + 1) if n - rest < size) for n in range(total + 1)]
        )
    return float(ways[total] / (sides - 1) ** total)


def diamonds_table(rules: Rules) -> np.ndarray:
    """float32[59049]: a side's expected points for diamonds; what several other sides have is split evenly."""
    flat, (mine, _) = flatten(rules)[0], _subsets()
    sizes = np.array([int(x).bit_count() for x in mine])
    most = np.array([_beaten(size, rules.sides, 10 - size) for size in range(11)])
    settled = rules.diamonds_point * most[sizes] + np.where(mine >> 6 & 1, rules.settebello_point, 0)
    settled = settled + flat.piccola.astype(float) + flat.grandes.astype(float)
    if flat.all_diamonds_points:
        settled[1023] = rules.diamonds_point + int(flat.all_diamonds)
    return _expected(settled, rules.sides).astype(np.float32)


def cards_table(rules: Rules) -> np.ndarray:
    """float32[41, 41]: the expected points for most cards, by the cards of a side and of the others."""
    table = np.zeros((42, 42))
    for mine in range(41):
        table[mine, 40 - mine] = rules.cards_point * _beaten(mine, rules.sides, 40 - mine)
    for taken in range(39, -1, -1):
        for mine in range(taken + 1):
            others = taken - mine
            table[mine, others] = (table[mine + 1, others] + (rules.sides - 1) * table[mine, others + 1]) / rules.sides
    return table[:41, :41].astype(np.float32)


def prime_table(rules: Rules) -> np.ndarray:
    """float32[2, 59049]: mean and variance of the difference of two sides' best cards of a suit, or sevens."""
    mine, _ = _subsets()
    best = BEST_PRIME[mine].astype(float) if rules.primiera == "full" else (mine >> 6 & 1).astype(float)
    difference = best - best[1023 - mine]
    mean = _expected(difference, 2)
    return np.stack([mean, np.maximum(_expected(difference**2, 2) - mean**2, 0)]).astype(np.float32)


TABLES = np.dtype(
    [
        ("diamonds", np.float32, 3**10),  # see diamonds_table
        ("cards", np.float32, (41, 41)),  # see cards_table
        ("prime", np.float32, (2, 3**10)),  # see prime_table
        ("weights", WEIGHTS, SEATS),  # by side
    ],
    align=True,
)
"""The tables of a rule set."""


def tables(rules: Rules) -> Any:
    """The tables of some rules, a record of ``TABLES``."""
    record = np.zeros(1, TABLES)
    record["diamonds"], record["cards"], record["prime"] = diamonds_table(rules), cards_table(rules), prime_table(rules)
    record["weights"] = weights(rules)
    return record[0]


@inline
def suit_of(cards, suit):
    """The cards of a suit as ten bits."""
    return (cards >> np.uint64(10 * suit)) & SUIT


@inline
def place(mine, others):
    """The place in a table of ten cards of a side and ten of the others."""
    return TERNARY[mine] + TWO * TERNARY[others]


@inline
def prime_lead(m, mine, others):
    """Mean and variance of the difference of the primiera between two piles."""
    mean, variance = np.float32(0), np.float32(0)
    for suit in range(4):
        at = place(suit_of(mine, suit), suit_of(others, suit))
        mean += m.tables.prime[0, at]
        variance += m.tables.prime[1, at]
    return mean, variance


@inline
def sign_of(mean, variance):
    """The expected sign of a number of this mean and variance, near enough to the normal law's."""
    if mean == np.float32(0):
        return np.float32(0)
    return mean / square_root(mean * mean + _PI_HALF * variance)


@inline
def prime_sign(r, m, mine, others):
    """The expected sign of the lead in the primiera, from the piles now; the other of two sides has the opposite."""
    if not r.primiera_point:
        return np.float32(0)
    mean, variance = prime_lead(m, mine, others)
    return sign_of(mean, variance)


@inline
def worth_with(r, m, mine, others, sign):
    """The expected points of a side, see ``side_worth``, whose ``prime_sign`` is given."""
    worth = (
        m.tables.diamonds[place(diamonds_of(mine), diamonds_of(others))]
        + m.tables.cards[popcount(mine), popcount(others)]
    )
    if r.primiera_point:
        worth += np.float32(r.primiera_point) * np.float32(0.5) * (np.float32(1) + sign)
    return worth


@inline
def side_worth(r, m, mine, others):
    """The expected points of a side for cards, diamonds and primiera at the end of the hand, from the piles now."""
    return worth_with(r, m, mine, others, prime_sign(r, m, mine, others))


@inline
def settled_worth(r, piles, side):
    """The points of a side for cards, diamonds and primiera when all cards are in piles; ``piles`` is uint64[4]."""
    cards, diamonds = popcount(piles[side]), diamonds_of(piles[side])
    prime = primiera_value(r, piles[side])
    most_cards, most_diamonds, best_prime = cards > ZERO, diamonds > ZERO, prime > ZERO
    for i in range(r.sides):
        if i != side:
            most_cards = most_cards and popcount(piles[i]) < cards
            most_diamonds = most_diamonds and popcount(diamonds_of(piles[i])) < popcount(diamonds)
            best_prime = best_prime and primiera_value(r, piles[i]) < prime
    points = r.piccola[diamonds] + r.grandes[diamonds]
    if diamonds & _SEVEN:
        points += r.settebello_point
    if diamonds == SUIT and r.all_diamonds_points:
        points = r.all_diamonds
    points += most_cards * r.cards_point + most_diamonds * r.diamonds_point + best_prime * r.primiera_point
    return np.float32(points)
