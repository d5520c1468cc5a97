"""A table, what a card of each value gains from it, and what the best of some unseen cards is expected to gain.

Many tables are evaluated together, step by step for all of them, so that no step waits for the one before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..game.bits import ONE, ZERO, highest, lowest, popcount
from ..game.captures import Table, value_of
from ..game.flat import WORD
from ..jit import inline
from .lanes import (
    chosen,
    flipped,
    greater,
    load,
    minus,
    most,
    plus,
    shifted,
    splat,
    store,
    times,
    total,
    weight_ahead,
)

F = np.float32
NEVER = F(-1e6)
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
    return m.tables.weights[m.replies.side]


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
    not distinguished: if the rules do, the reply is a little worse than this. Row number ``n`` of the scratch has
    then for each total 0 to 15 the most that cards of that total among the lowest ``n`` of the table are worth.
    """
    rows, row, best = m.replies.rows, ZERO, chosen(ONE, splat(F(0)), splat(NEVER))
    rest, worth, points = t.cards, F(0), ZERO
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        own, value = m.replies.worth[card], value_of(r, t, card)
        best = most(plus(shifted(best, value, NEVER), splat(own)), best)
        row += np.uint64(WIDTH)
        store(rows, row + PAD, best)
        worth += own
        points += value
    takes = best if r.capture_sum or r.capture_equal else splat(NEVER)
    if r.capture_fifteen:
        takes = most(takes, flipped(best))
    whole = ZERO
    if points <= FIFTEEN:
        whole = ONE << points
        if r.capture_fifteen:
            whole |= ONE << (FIFTEEN - points)
    if r.ace_sweep and not greater(best, splat(NOTHING)) & _ACE:
        swept = splat(worth)
        takes = chosen(_ACE if r.ace_must_sweep else _ACE & greater(swept, takes), swept, takes)
        if r.ace_sweep_scopa:
            whole |= _ACE
    if scopa > F(0):
        takes = chosen(whole, most(takes, splat(worth + scopa)), takes)
    store(board.takes, ZERO, takes)
    return takes


@inline
def with_own(m, take, own):
    """What a card gains, from what it takes and its own worth."""
    return take + own if take > NOTHING else -weights_of(m).leave * own


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
        if value == ONE and r.ace_sweep and best[PAD + ONE] <= NOTHING:
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
        sure = max(sure, with_own(m, board.takes[value_of(r, t, card)], m.replies.worth[card]))
    return sure


@inline
def gains_of(m, takes):
    """What an unseen card of each value gains, from what such cards take."""
    mean = load(m.replies.mean, ZERO)
    return chosen(greater(takes, splat(NOTHING)), plus(takes, mean), times(splat(-weights_of(m).leave), mean))


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
        chance = times(chance, most(minus(left, splat(F(i))), splat(F(0))))
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
    expected = total(chosen(better, times(chances, gains), splat(F(0))))
    if sure > NEVER:
        expected += (F(1) - total(chosen(better, chances, splat(F(0))))) * sure
    return expected
