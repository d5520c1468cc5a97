"""A table, what a card of each value gains from it, and what the best of some unseen cards is expected to gain.

Many tables are evaluated together, step by step for all of them, so that no step waits for the one before.

Sixteen reals at once, as the machine's vectors: one for each total of table cards, 0 to 15, or value of a card.

A set of lanes is a word, bit ``i`` for lane ``i``. Results do not depend on the width of the machine's vectors.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from .. import types
from ..game.bits import ONE, ZERO, highest, lowest, popcount
from ..game.captures import Table, value_of
from ..game.flat import WORD
from ..jit import inline, ir
from ..vectors import Vector, access, everywhere, operation, repeated

LANES = 16


lanes = Vector("lanes", LANES, lambda: ir.FloatType())
"""The type of sixteen reals."""


def _int() -> Any:
    return ir.IntType(32)


def _places(places: Iterable[int]) -> Any:
    """A constant of a whole number a lane."""
    return ir.Constant(ir.VectorType(_int(), LANES), list(places))


load, store = access(lanes, align=4)
"""The sixteen reals of an array from a place on, read and written."""

splat = operation(lanes, types.float32)(lambda builder, real: repeated(builder, real, LANES))
plus = operation(lanes, lanes, lanes)(lambda builder, left, right: builder.fadd(left, right))
minus = operation(lanes, lanes, lanes)(lambda builder, left, right: builder.fsub(left, right))
times = operation(lanes, lanes, lanes)(lambda builder, left, right: builder.fmul(left, right))
over = operation(lanes, lanes, lanes)(lambda builder, left, right: builder.fdiv(left, right))
flipped = operation(lanes, lanes)(
    lambda builder, vector: builder.shuffle_vector(vector, vector, _places(range(LANES)[::-1]))
)


@operation(lanes, lanes, lanes)
def larger_lanes(builder: Any, left: Any, right: Any) -> Any:
    """The larger ones."""
    return builder.select(builder.fcmp_ordered(">", left, right), left, right)


@operation(types.float32, lanes)
def sum_lanes(builder: Any, vector: Any) -> Any:
    """The sum of the lanes, always added up in the same order."""
    for half in (8, 4, 2, 1):
        order = _places((lane + half) % LANES for lane in range(LANES))
        vector = builder.fadd(vector, builder.shuffle_vector(vector, vector, order))
    return builder.extract_element(vector, _int()(0))


@operation(lanes, lanes, lanes)
def weight_ahead(builder: Any, vector: Any, weights: Any) -> Any:
    """The sum of the weights of the lanes that are greater than each, or equal and lower; of lanes 1 to 10."""
    ahead = zero = ir.Constant(lanes.llvm, [0.0] * LANES)
    # As integers of the same order, of which equal ones differ by one where the other is later.
    bits = builder.bitcast(builder.fadd(vector, zero), ir.VectorType(_int(), LANES))  # the sum has no negative zero
    order = builder.xor(bits, builder.lshr(builder.ashr(bits, _places([31] * LANES)), _places([1] * LANES)))
    for lane in range(1, 11):
        one, weight = (everywhere(builder, each, lane) for each in (order, weights))
        later = _places(int(other > lane) for other in range(LANES))
        first = builder.icmp_signed(">", one, builder.sub(order, later))
        ahead = builder.fadd(ahead, builder.select(first, weight, zero))
    return ahead


def _shifted_in_register(builder: Any, vector: Any, count: Any, fill: Any) -> Any:
    lane, in_half = _places(range(LANES)), _places(place % 8 for place in range(LANES))
    half, halves = ir.VectorType(_int(), 8), ir.VectorType(ir.FloatType(), 8)
    low, high = (ir.Constant(half, list(range(first, first + 8))) for first in (0, 8))
    turn = builder.module.declare_intrinsic("llvm.x86.avx2.permps", (), ir.FunctionType(halves, [halves, half]))
    counts = repeated(builder, builder.trunc(count, _int()), LANES)
    order = builder.sub(lane, counts)
    order = builder.shuffle_vector(order, order, low)  # only the lowest three bits count
    low, high = (builder.call(turn, [builder.shuffle_vector(vector, vector, places), order]) for places in (low, high))
    within, reached = (builder.icmp_unsigned(">=", place, counts) for place in (in_half, lane))
    crossed = builder.select(reached, builder.shuffle_vector(low, low, lane), repeated(builder, fill, LANES))
    return builder.select(within, builder.shuffle_vector(low, high, lane), crossed)


def _shifted_in_memory(builder: Any, vector: Any, count: Any, fill: Any) -> Any:
    from numba.core.cgutils import alloca_once

    memory = alloca_once(builder, ir.ArrayType(ir.FloatType(), 2 * LANES))
    low, high = (builder.gep(memory, [_int()(0), _int()(place)]) for place in (0, LANES))
    builder.store(repeated(builder, fill, LANES), builder.bitcast(low, lanes.llvm.as_pointer()), align=4)
    builder.store(vector, builder.bitcast(high, lanes.llvm.as_pointer()), align=4)
    first = builder.gep(low, [builder.sub(ir.IntType(64)(LANES), count)])
    return builder.load(builder.bitcast(first, lanes.llvm.as_pointer()), align=4)


@operation(lanes, lanes, types.uint64, types.float32)
def shifted(builder: Any, vector: Any, count: Any, fill: Any) -> Any:
    """The lanes moved up by ``count``, 0 to 15; the lowest are ``fill``."""
    from ..machine_code import has

    return (_shifted_in_register if has("avx2") else _shifted_in_memory)(builder, vector, count, fill)


def _where(sign: str) -> Any:
    """The set of lanes where a comparison is true."""

    def compare(builder: Any, left: Any, right: Any) -> Any:
        bits = builder.bitcast(builder.fcmp_ordered(sign, left, right), ir.IntType(LANES))
        return builder.zext(bits, ir.IntType(64))

    return operation(types.uint64, lanes, lanes)(compare)


greater, equal = _where(">"), _where("==")


@operation(lanes, types.uint64, lanes, lanes)
def select_lanes(builder: Any, where: Any, left: Any, right: Any) -> Any:
    """The lanes of ``left`` in a set of lanes, those of ``right`` elsewhere."""
    bits = builder.trunc(where, ir.IntType(LANES))
    return builder.select(builder.bitcast(bits, ir.VectorType(ir.IntType(1), LANES)), left, right)


F = np.float32
NEVER = F(-1e6)
_ROUNDED = F(1e-3)
NOTHING = NEVER * F(0.5)
"""More than what takes nothing is worth."""

PAD = np.uint64(16)
"""Places in front of a row of best totals that are never reached: so no check for negative totals is needed."""

WIDTH = 32
"""Places of a row, ``PAD`` and the totals 0 to 15."""

BOARD = np.dtype(
    [
        ("cards", WORD),  # on the table, a mask
        ("of", WORD),  # the number of the play that leaves it
        ("sweeps", WORD),  # the values that take the whole table, a bit each
        ("mine", WORD),  # the own cards if the seat plays after the next, a mask
        ("chance", np.float32),  # of the reply that leaves it
        ("expected", np.float32),  # what the next player is expected to gain
        ("takes", np.float32, 16),  # by value, what a card takes from the table, itself not counted
        ("chances", np.float32, 16),  # by value, that an unseen card is the best held
    ],
    align=True,
)

ROWS = np.dtype((np.float32, (41, WIDTH)))
"""[n, PAD + s]: the most that cards of total s of the n lowest are worth; scratch of ``fill_takes``."""

FIFTEEN = np.uint64(15)
_ACE = np.uint64(1 << 1)
ACES = np.uint64(0x40100401)


@inline
def weights_of(m):
    """The weights of the side whose play is evaluated."""
    return m.weights[m.replies.side]


@inline
def clear_rows(m):
    """Set the places in front of the rows, once for a workspace."""
    rows = m.replies.rows
    if rows[0, 0] != NEVER:
        rows[:] = NEVER
        rows[0, PAD] = F(0)


@inline
def with_cards(t, cards):
    """The table with other cards, a mask; without its state, which only lists of captures need."""
    return Table(cards, ZERO, ZERO, t.matta_value)


@inline
def fill_takes(r, m, t, board, scopa):
    """What cards of each value take at best from a table, ``NEVER`` if nothing; also written into ``board.takes``.

    ``scopa`` is what a sweep is worth, 0 where none counts. The card's own worth is left out. Single cards and sums are
    not distinguished: if the rules do, the reply is a little worse than this. ``board.sweeps`` has the values that take
    all. Row number ``n`` of the scratch has then for each total 0 to 15 the most that cards of that total among the
    lowest ``n`` of the table are worth.
    """
    rows, row, best = m.replies.rows, ZERO, select_lanes(ONE, splat(F(0)), splat(NEVER))
    rest, worth, points = t.cards, F(0), ZERO
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        own, value = m.replies.worth[card], value_of(r, t, card)
        best = larger_lanes(plus(shifted(best, value, NEVER), splat(own)), best)
        row += np.uint64(WIDTH)
        store(rows, row + PAD, best)
        worth += own
        points += value
    takes = best if r.capture_sum or r.capture_equal else splat(NEVER)
    if r.capture_fifteen:
        takes = larger_lanes(takes, flipped(best))
    whole = ZERO
    if points <= FIFTEEN:
        whole = ONE << points
        if r.capture_fifteen:
            whole |= ONE << (FIFTEEN - points)
    if r.ace_sweep and (r.ace_over_aces or not greater(best, splat(NOTHING)) & _ACE):
        swept = splat(worth)
        takes = select_lanes(_ACE if r.ace_must_sweep else _ACE & greater(swept, takes), swept, takes)
        if r.ace_sweep_scopa:
            whole |= _ACE
    board.sweeps = whole
    if scopa > F(0):
        takes = select_lanes(whole, larger_lanes(takes, splat(worth + scopa)), takes)
    elif scopa < F(0):  # a sweep costs: it is made where nothing else can be taken
        takes = select_lanes(whole & ~greater(takes, splat(worth + _ROUNDED)), splat(worth + scopa), takes)
    store(board.takes, ZERO, takes)
    return takes


@inline
def taken(r, m, t, s):
    """The mask of the cards of total ``s`` that are worth most, after ``fill_takes``."""
    rows = m.replies.rows
    at, rest, got = popcount(t.cards), t.cards, ZERO
    while rest:
        card = highest(rest)
        own = ONE << card
        rest ^= own
        within = ZERO - np.uint64(rows[at, PAD + s] != rows[at - ONE, PAD + s])  # a mask: it is unpredictable
        got |= own & within
        s -= value_of(r, t, card) & within
        at -= ONE
    return got


@inline
def after_reply(r, m, t, value):
    """The cards on the table after the best reply with an unseen card of a value, a mask, after ``fill_takes``."""
    best = m.replies.rows[popcount(t.cards)]
    by_value, by_fifteen = best[PAD + value], best[PAD + FIFTEEN - value]
    if max(by_value, by_fifteen) <= NOTHING:
        if value == ONE and r.ace_sweep and (r.ace_over_aces or best[PAD + ONE] <= NOTHING):
            return ZERO
        return t.cards | (ONE << lowest(m.replies.unseen & (ACES << (value - ONE))))
    return t.cards ^ taken(r, m, t, value if by_value >= by_fifteen else FIFTEEN - value)


@inline
def best_shown(r, m, t, board, shown):
    """What the best of some cards, a mask, gains after ``fill_takes``; ``NEVER`` without any."""
    sure = NEVER
    while shown:
        card = lowest(shown)
        shown &= shown - ONE
        take, own = board.takes[value_of(r, t, card)], m.replies.worth[card]
        sure = max(sure, take + own if take > NOTHING else -weights_of(m).leave * own)
    return sure


@inline
def gains_of(m, takes):
    """What an unseen card of each value gains, from what such cards take."""
    mean = load(m.replies.mean, ZERO)
    return select_lanes(greater(takes, splat(NOTHING)), plus(takes, mean), times(splat(-weights_of(m).leave), mean))


class Hidden(NamedTuple):
    """How many unseen cards a player holds of how many; a value."""

    held: int
    size: float
    chance: float  # of each order of cards held: 1 / (size * (size - 1) * ...)


@inline
def hidden(held, size):
    """So many unseen cards held of so many."""
    orders = F(1)
    for i in range(held):
        orders *= F(size) - F(i)
    return Hidden(held, F(size), F(1) / max(orders, F(1)))


@inline
def none_of(h, cards):
    """The chance that none of some unseen cards is held; their numbers and the chances are lanes."""
    left, chance = minus(splat(h.size), cards), splat(h.chance)
    for i in range(h.held):
        chance = times(chance, larger_lanes(minus(left, splat(F(i))), splat(F(0))))
    return chance


@inline
def chances_of(m, gains, h):
    """The chance that a card of each value is the best of some unseen cards held; of equal ones the lowest is."""
    counts = load(m.replies.counts, ZERO)
    before = weight_ahead(gains, counts)
    return minus(none_of(h, before), none_of(h, plus(before, counts)))


@inline
def expect_best(m, gains, chances, sure):
    """What is expected of the best of some unseen cards held, or what is ``sure``, if it is not ``NEVER``.

    ``gains`` and ``chances`` are by value, see ``gains_of`` and ``chances_of``.
    """
    better = m.replies.values & greater(gains, splat(sure))
    expected = sum_lanes(select_lanes(better, times(chances, gains), splat(F(0))))
    if sure > NEVER:
        expected += (F(1) - sum_lanes(select_lanes(better, chances, splat(F(0))))) * sure
    return expected
