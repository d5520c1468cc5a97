"""What piles are worth before the hand is over, from exact tables.

The model: each card in no pile yet goes to any side with the same chance, independently. Under it the expected
points of a side for its diamonds (majority, settebello, grande, piccola) depend on which diamonds it has and which the
others have, 3**10 cases; those for most cards on two numbers. The primiera is decided by the sum over suits of the
difference of the best cards; its mean and variance are exact for each suit, their sum is approximately normal.

Where the fewest points win, what a pile is worth is negative: all that players compare is what a point pays.

For players that aim at the game and not at points: the chance of winning it.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from ...ruleset.categories import ALL, EACH, MOST, RUN
from ...ruleset.rules_model import Rules
from .. import types
from ..game.bits import ONE, TWO, ZERO, lowest, popcount, real_at, square_root
from ..game.flat import flatten
from ..game.scoring import SUIT, TEN, diamonds_of
from ..jit import inline, noinline, record_at

TERNARY = np.array([sum(3**i for i in range(10) if x >> i & 1) for x in range(1024)], np.uint16)
"""Ten bits as digits of base three: the place of (mine, others') is ``TERNARY[mine] + 2 * TERNARY[others]``."""

_PI_HALF = np.float32(np.pi / 2)


def _subsets() -> tuple[np.ndarray, np.ndarray]:
    """For every set of a side's ten cards of a suit, the others having the rest: (set, place in a table)."""
    mine = np.arange(1024)
    return mine, TERNARY[mine] + 2 * TERNARY[1023 - mine].astype(int)


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
    settled = int(flat.diamonds_point) * most[sizes] + np.where(mine >> 6 & 1, int(flat.settebello_point), 0)
    settled = settled + flat.piccola.astype(float) + flat.grandes.astype(float)
    if flat.all_diamonds_points:
        settled[1023] = int(flat.diamonds_point) + int(flat.all_diamonds)
    return _expected(rules.pays * settled, rules.sides).astype(np.float32)


def cards_table(rules: Rules) -> np.ndarray:
    """float32[41, 41]: the expected points for most cards, by the cards of a side and of the others."""
    table, points = np.zeros((42, 42)), rules.pays * int(flatten(rules)[0].cards_point)
    for mine in range(41):
        table[mine, 40 - mine] = points * _beaten(mine, rules.sides, 40 - mine)
    for taken in range(39, -1, -1):
        for mine in range(taken + 1):
            others = taken - mine
            table[mine, others] = (table[mine + 1, others] + (rules.sides - 1) * table[mine, others + 1]) / rules.sides
    return table[:41, :41].astype(np.float32)


def prime_table(rules: Rules) -> np.ndarray:
    """float32[2, 59049]: mean and variance of the difference of two sides' best cards of a suit, or sevens."""
    mine, _ = _subsets()
    best = flatten(rules)[0].primes[mine].astype(float)
    difference = best - best[1023 - mine]
    mean = _expected(difference, 2)
    return np.stack([mean, np.maximum(_expected(difference**2, 2) - mean**2, 0)]).astype(np.float32)


MEAN, VARIANCE = np.uint64(10), np.uint64(11)
"""Columns of ``BY_PLACE``, behind those of the ten ranks."""

BY_PLACE = np.dtype(
    [
        ("rows", np.float32, (3**10, 16)),  # what a card of each rank in no pile changes, the mean, and its variance
        ("row", np.uint16, 3**10),  # by place; many rows are alike, and those that differ fit the processor's cache
        ("unused", np.uint16, -(3**10) % 32),
    ]
)
"""A table by place, of sixteen reals a row."""

TABLES = np.dtype(
    [
        ("prime", BY_PLACE),  # see prime_table
        ("diamonds", BY_PLACE),  # see diamonds_table; without a variance
        ("cards", np.float32, (41, 41)),  # see cards_table
    ],
    align=True,
)
"""The tables of a rule set."""

tables_at = record_at(types.Record(TABLES))


def _by_place(record: Any, *columns: np.ndarray) -> None:
    """Fill a record of ``BY_PLACE`` from a table of means, and of variances if there is one."""
    table, places = np.zeros((3**10, 16), np.float32), np.arange(3**10)
    for rank in range(10):
        free = places[places // 3**rank % 3 == 0]
        table[free, rank] = columns[0][free + 3**rank] - columns[0][free + 2 * 3**rank]
    table[:, MEAN : MEAN + len(columns)] = np.stack(columns, axis=1)
    rows, record["row"] = np.unique(table.view("V64")[:, 0], return_inverse=True)
    record["rows"][: len(rows)] = rows.view(np.float32).reshape(-1, 16)


def worth_tables(rules: Rules) -> Any:
    """The tables of some rules, an array of one ``TABLES``, whose rows are lines of the processor's cache."""
    memory = np.zeros(TABLES.itemsize + 64, np.uint8)
    first = -memory.ctypes.data % 64
    record = memory[first : first + TABLES.itemsize].view(TABLES)
    _by_place(record[0]["prime"], *prime_table(rules))
    _by_place(record[0]["diamonds"], diamonds_table(rules))
    record["cards"] = cards_table(rules)
    return record


@inline
def suit_of(cards, suit):
    """The cards of a suit as ten bits."""
    return (cards >> np.uint64(10 * suit)) & SUIT


@inline
def row_of(table, mine, others):
    """The row of a table, of ``BY_PLACE``, for ten cards of a side and ten of the others."""
    return np.uint64(table.row[np.uint64(TERNARY[mine]) + TWO * np.uint64(TERNARY[others])])


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
    t, mean, variance = tables_at(m.tables), np.float32(0), np.float32(0)
    for suit in range(4):
        row = row_of(t.prime, suit_of(mine, suit), suit_of(others, suit))
        mean += t.prime.rows[row, MEAN]
        variance += t.prime.rows[row, VARIANCE]
    return sign_of(mean, variance)


@inline
def expected_count(r, i, mine, others):
    """What a side is expected to have of what category ``i`` of ``Rules.scoring`` counts."""
    wanted, share, all_of = r.further_cards[i], np.float32(1) / np.float32(r.sides), np.float32(1)
    if r.further_kind[i] == RUN:
        return expected_run(mine, others, lowest(wanted), share)
    lead = np.float32(popcount(mine & wanted)) - np.float32(popcount(others & wanted)) / np.float32(r.sides - ONE)
    free = popcount(wanted & ~(mine | others))
    if r.further_kind[i] == EACH:
        return np.float32(popcount(mine & wanted)) + share * np.float32(free)
    if r.further_kind[i] == ALL:
        for _ in range(free):
            all_of *= share
        return np.float32(0) if others & wanted else all_of
    if free == ZERO:
        return np.float32(lead > np.float32(0) or (lead == np.float32(0) and r.further_kind[i] > MOST))
    return np.float32(0.5) * (np.float32(1) + sign_of(lead, np.float32(free)))


@inline
def expected_run(mine, others, first, share):
    """The expected length of a run from a card on, of three or more; each card in no pile is taken with a chance."""
    length, chance = np.float32(0), np.float32(1)
    for place in range(TEN - first % TEN):
        card = ONE << (first + np.uint64(place))
        chance *= np.float32(0) if others & card else np.float32(1) if mine & card else share
        if place >= TWO:
            length += chance * (np.float32(3) if place == TWO else np.float32(1))
    return length


@inline
def counted_cards(r, i):
    """The cards that category ``i`` of ``Rules.scoring`` may count, a mask."""
    wanted = r.further_cards[i]
    return (~(wanted - ONE) & (SUIT << TEN * (lowest(wanted) // TEN))) if r.further_kind[i] == RUN else wanted


@noinline
def further_worth(r, i, mine, others, card):
    """What it changes in the points of category ``i``, of both sides alike, who takes a card."""
    own = ONE << card
    gained = expected_count(r, i, mine | own, others) - expected_count(r, i, mine, others | own)
    lost = expected_count(r, i, others | own, mine) - expected_count(r, i, others, mine | own)
    return np.float32(r.pays) * np.float32(r.further_points[i]) * np.float32(0.5) * (gained + lost)


@inline
def worth_with(r, m, mine, others, sign):
    """The expected points of a side, see ``side_worth``, whose ``prime_sign`` is given."""
    t = tables_at(m.tables)
    row = row_of(t.diamonds, diamonds_of(mine), diamonds_of(others))
    worth = t.diamonds.rows[row, MEAN] + t.cards[popcount(mine), popcount(others)]
    if r.primiera_point:
        worth += np.float32(r.pays * np.int64(r.primiera_point)) * np.float32(0.5) * (np.float32(1) + sign)
    if r.further:
        further = np.float32(0)
        for i in range(r.further):
            further += np.float32(r.further_points[i]) * expected_count(r, i, mine, others)
        worth += np.float32(r.pays) * further
    return worth


@inline
def side_worth(r, m, mine, others):
    """The expected points of a side for cards, diamonds and primiera at the end of the hand, from the piles now."""
    return worth_with(r, m, mine, others, prime_sign(r, m, mine, others))


F = np.float32

BY_POINTS, BY_NOTHING = ONE, TWO
"""What ``aimed`` is: 0 if values are points. If they are chances of winning the game, ``BY_POINTS`` if points break
ties, else ``BY_NOTHING``. A player that is beaten by best play still hopes for mistakes,
and points are the hope: without them aiming at the game lost more of it than it won."""
LEAST = F(0.0001)
"""Of a chance, what a point is worth at least."""
STEP = F(3)
"""Points up and down between which it is looked what a point is worth: as many as a play may change."""
ALL_OF = np.array([0.55**lacking for lacking in range(11)], F)
"""The chance to take all remaining diamonds, by their number, if no other side has any. Captures are correlated, so it
is more than one half to that power. It fits hands of ``careful`` play within a third or so."""


@inline
def win_at(m, left, i, j):
    """Side 0's chance of winning the game with ``left`` plays left and whole points, from the table of the mind."""
    return real_at(m.win, (left * m.win_size + i) * m.win_size + j)


@inline
def chance_at(m, left, mine, theirs):
    """Side 0's chance of winning the game with two scores (reals) and ``left`` plays left."""
    last = m.win_size - ONE
    mine, theirs = min(max(mine, F(0)), F(last)), min(max(theirs, F(0)), F(last))
    i, j = min(np.uint64(mine), last - ONE), min(np.uint64(theirs), last - ONE)
    x, y = mine - F(i), theirs - F(j)
    low = win_at(m, left, i, j) * (F(1) - x) + win_at(m, left, i + ONE, j) * x
    high = win_at(m, left, i, j + ONE) * (F(1) - x) + win_at(m, left, i + ONE, j + ONE) * x
    return low * (F(1) - y) + high * y


@inline
def aims_at_game(r, m, view):
    """Whether the values of a seat are chances of winning the game, not points."""
    return view.aims_at_game == ONE and m.win_size > ZERO and r.sides == TWO


@inline
def all_diamonds_chance(r, mine, others):
    """The chance that a side takes all ten diamonds."""
    if diamonds_of(others) or not r.all_diamonds_wins:
        return F(0)
    return ALL_OF[np.uint64(10) - popcount(diamonds_of(mine))]


@inline
def aim_at_game(r, m, g):
    """Turn the points of two sides in the ``best`` of a position into their chances of winning the game."""
    score, best = m.solver.score, g.best
    pays = F(r.pays)
    chance = chance_at(m, g.left, F(score[0]) + pays * best[0], F(score[1]) + pays * best[1])
    won, lost = all_diamonds_chance(r, g.pile[0], g.pile[1]), all_diamonds_chance(r, g.pile[1], g.pile[0])
    chance = won + (F(1) - won - lost) * chance
    if m.solver.aimed == BY_POINTS:
        chance += LEAST * (best[0] - best[1])
    best[0], best[1] = chance, F(1) - chance


@inline
def stakes(r, m, view):
    """What is at stake at a view, by its change of the lead of the own side (see ``lead``): an own point, a point of
    the others, winning the game at once, losing it.

    Where points are maximised a point is a point. Where the game is, it is worth what it changes in the chance, but
    never less than ``LEAST``: if no chance is left to change, points are still better than none.
    """
    if not aims_at_game(r, m, view):
        return F(1), F(1), F(0), F(0)
    mine, theirs = view.pile[0], view.pile[1]
    pays = F(r.pays)
    here = F(view.score[0] + view.points[0]) + pays * side_worth(r, m, mine, theirs)
    there = F(view.score[1] + view.points[1]) + pays * side_worth(r, m, theirs, mine)
    left = view.plays_left
    first = (chance_at(m, left, here + STEP, there) - chance_at(m, left, here - STEP, there)) / STEP
    second = (chance_at(m, left, here, there - STEP) - chance_at(m, left, here, there + STEP)) / STEP
    first, second = max(pays * first, LEAST), max(pays * second, LEAST)
    chance = F(2) * chance_at(m, left, here, there)
    if view.side:
        return second, first, chance, F(2) - chance
    return first, second, F(2) - chance, chance
