"""A table, what a card of each value gains from it, and which values of unseen cards gain most.

Many tables are evaluated together, step by step for all of them, so that no step waits for the one before.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, ZERO, highest, lowest, popcount
from ..game.captures import Table, value_of
from ..game.flat import WORD
from ..jit import inline
from .lanes import chosen, equal, flipped, greater, load, most, plus, splat, store, times

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
        ("of", WORD),  # the number of the play that leaves it, or of the board that a reply leaves it of,
        ("rank", WORD),  # and the rank of that reply
        ("mine", WORD),  # the own cards if the seat plays after the next, a mask
        ("likely", WORD),  # the ranks that are likely, a bit each
        ("expected", np.float32),  # what the next player is expected to gain
        ("takes", np.float32, 16),  # by value, what a card takes from the table, itself not counted
        ("gained", np.float32, 16),  # by value, what an unseen card gains
        ("gains", np.float32, 16),  # the same of the unseen values, most first
        ("values", WORD, 16),  # the values in that order
        ("chances", np.float32, 16),  # that such a card is the best held
        ("rows", np.float32, (41, WIDTH)),  # [n, PAD + s]: the most that cards of total s of the n lowest are worth
    ],
    align=True,
)

FIFTEEN = np.uint64(15)
_ACE = np.uint64(1 << 1)
ACES = np.uint64(0x40100401)


@inline
def weights_of(m):
    """The weights of the side whose play is evaluated."""
    return m.tables.weights[m.replies.side]


@inline
def clear_rows(boards):
    """Set the places in front of the rows of some boards, once for a workspace."""
    if boards[0].rows[0, 0] == NEVER:
        return
    for i in range(boards.size):
        rows = boards[np.uint64(i)].rows
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
    not distinguished: if the rules do, the reply is a little worse than this. Row number ``n`` of ``board.rows`` has
    then for each total 0 to 15 the most that cards of that total among the lowest ``n`` of the table are worth.
    """
    rows, row = board.rows, ZERO
    best = load(rows, PAD)
    rest, worth, points = t.cards, F(0), ZERO
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        own, value = m.replies.worth[card], value_of(r, t, card)
        best = most(plus(load(rows, row + PAD - value), splat(own)), best)
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
def taken(r, t, rows, s):
    """The mask of the cards of total ``s`` that are worth most, after ``fill_takes``."""
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
def after_reply(r, m, t, rows, value):
    """The cards on the table after the best reply with an unseen card of a value, a mask, after ``fill_takes``."""
    best = rows[popcount(t.cards)]
    by_value, by_fifteen = best[PAD + value], best[PAD + FIFTEEN - value]
    if max(by_value, by_fifteen) <= NOTHING:
        if value == ONE and r.ace_sweep and best[PAD + ONE] <= NOTHING:
            return ZERO
        return t.cards | (ONE << lowest(m.replies.unseen & (ACES << (value - ONE))))
    return t.cards ^ taken(r, t, rows, value if by_value >= by_fifteen else FIFTEEN - value)


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
def rank_values(m, board, gains):
    """Rank the values of unseen cards by what they gain, most first, after ``fill_takes``."""
    q = m.replies
    takes, mean = load(board.takes, ZERO), load(q.mean, ZERO)
    of_value = chosen(greater(takes, splat(NOTHING)), plus(takes, mean), times(splat(-weights_of(m).leave), mean))
    store(board.gained, ZERO, of_value)
    rest = q.values
    while rest:  # no sorting: counting the place of each value needs no branches
        value = lowest(rest)
        rest &= rest - ONE
        gained = board.gained[value]
        own = splat(gained)
        place = popcount((greater(of_value, own) | (equal(of_value, own) & ((ONE << value) - ONE))) & q.values)
        gains[place], board.values[place] = gained, value


@inline
def fill_chances(m, board, held, likely, sure):
    """The chance that each rank is the best of so many unseen cards held; ranks of more than ``likely`` are marked.

    What is ``sure`` comes last, in place of those that gain no more; nothing if it is ``NEVER``.
    """
    q = m.replies
    none_of = m.tables.none_of[held, q.size]
    size = popcount(q.values)
    before, cards, marked = F(1), ZERO, ZERO
    for i in range(size):
        k = np.uint64(i)
        cards += q.count[board.values[k]]
        none = none_of[cards] if board.gains[k] > sure else before
        chance = before - none
        board.chances[k] = chance
        marked |= np.uint64(chance > likely) << k
        before = none
    board.likely = marked
    board.gains[size], board.chances[size] = sure, before if sure > NEVER else F(0)


@inline
def expected_gain(m, board):
    """What is expected of the best card held."""
    expected = F(0)
    for i in range(popcount(m.replies.values) + ONE):
        k = np.uint64(i)
        expected += board.chances[k] * board.gains[k]
    return expected
