"""The expected gain of the next player from a table, by counting the cards that are gone.

Cards are worth what they change in the expected points of the hand (see ``worth.py``). The expectation is over the
unseen cards: the next player's best reply for each value of card, weighted by the chance that it holds no better card.
After each likely reply comes the best capture of the player after that: with two players the seat itself.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, ZERO, lowest, popcount, square_root
from ..game.flat import WORD
from ..game.scoring import diamonds_of
from ..jit import inline, noinline
from .boards import (
    BOARD,
    NEVER,
    ROWS,
    after_reply,
    best_shown,
    chances_of,
    expect_best,
    fill_takes,
    gains_of,
    greater,
    hidden,
    larger_lanes,
    load,
    over,
    plus,
    select_lanes,
    splat,
    store,
    times,
    weights_of,
    with_cards,
)
from .worth import MEAN, VARIANCE, all_diamonds_chance, counted_cards, further_worth, row_of, stakes, suit_of, tables_at

F = np.float32

NEXT, AFTER = np.uint64(0), np.uint64(1)
"""The next player, and the one after."""

BOARDS = 16
"""Tables looked at together."""

REPLIES = np.dtype(
    [
        ("side", WORD),  # the side whose weights are used
        ("unseen", WORD),  # mask of the unseen cards
        ("size", WORD),  # how many they are
        ("values", WORD),  # the values that they have, a bit each
        ("suits", WORD, 4),  # by suit: the row of the table for the primiera
        ("rows", ROWS),
        ("counts", np.float32, 32),  # how many of them have each value
        ("mean", np.float32, 32),  # and their mean worth
        ("worth", np.float32, 48),  # of each card
        ("plays", np.float32, BOARDS),  # what plays are worth
        ("point", np.float32),  # what a point less or more is worth to the own side
        ("earned", np.float32),  # what a point that it makes is worth to it
        ("scopa", np.float32, 2),  # what a sweep is worth to the next player, and to the one after
        ("held", WORD, 2),  # of how many unseen cards their holdings are
        ("left", BOARD, BOARDS),  # tables that plays leave
        ("after", BOARD, BOARDS),  # tables that replies leave
    ],
    align=True,
)
"""The scratch of this file."""

_TWO, _FOUR, _FORTY = (np.uint64(n) for n in (2, 4, 40))
_HALF = F(0.5)
_PI_HALF = F(np.pi / 2)


@noinline
def fill_worths(r, m, view):
    """Write the worth of a sweep, and of each card in no pile yet for the own pile, to the workspace."""
    mine, others = view.pile[view.side], ZERO
    for i in range(r.sides):
        others |= view.pile[i]
    others ^= mine
    q, t = m.replies, tables_at(m.tables)
    my_point, their_point, win, loss = stakes(r, m, view)
    pays, sweep = F(r.pays), F(r.sweep_point)
    q.point, q.earned = my_point, pays * my_point
    q.scopa[NEXT], q.scopa[AFTER] = sweep * (pays * their_point), sweep * q.earned
    both = _HALF * (my_point + their_point)
    a, b = popcount(mine), popcount(others)
    a_next, b_next = min(a + ONE, _FORTY), min(b + ONE, _FORTY)
    c = t.cards
    per_card = _HALF * (my_point * (c[a_next, b] - c[a, b_next]) + their_point * (c[b_next, a] - c[b, a_next]))
    # What one of two sides wins the other loses: the same rows serve both, which keeps them in the processor's cache.
    swap = r.sides == _TWO and view.side == ONE
    mean, variance, slope = F(0), F(0), F(0)
    for i in range(4):
        x, y = suit_of(mine, i), suit_of(others, i)
        row = row_of(t.prime, y, x) if swap else row_of(t.prime, x, y)
        q.suits[i] = row
        mean += t.prime.rows[row, MEAN]
        variance += t.prime.rows[row, VARIANCE]
    if r.primiera_point and variance > F(0):
        spread = mean * mean + _PI_HALF * variance
        slope = pays * both * F(r.primiera_point) * _PI_HALF * variance / (spread * square_root(spread)) * _HALF
    for i in range(4):
        worths = plus(times(load(t.prime.rows, q.suits[i] << _FOUR), splat(slope)), splat(per_card))
        if i == 1:
            x, y = diamonds_of(mine), diamonds_of(others)
            here = load(t.diamonds.rows, row_of(t.diamonds, x, y) << _FOUR)
            there = load(t.diamonds.rows, row_of(t.diamonds, y, x) << _FOUR)
            won = times(splat(_HALF), plus(times(splat(my_point), here), times(splat(their_point), there)))
            all_diamonds = win * all_diamonds_chance(r, mine, others) + loss * all_diamonds_chance(r, others, mine)
            worths = plus(worths, plus(won, splat(all_diamonds)))
        store(q.worth, np.uint64(10 * i), worths)  # lanes behind the tenth are overwritten by the next suit
    for i in range(r.further):
        cards = counted_cards(r, i) & ~(mine | others)
        while cards:
            card = lowest(cards)
            cards &= cards - ONE
            q.worth[card] += both * further_worth(r, i, mine, others, card)


@inline
def worth_of(m, cards):
    """The worth of a set of cards, a mask."""
    worth = F(0)
    while cards:
        worth += m.replies.worth[lowest(cards)]
        cards &= cards - ONE
    return worth


@inline
def spent(m, held, card):
    """What is lost by playing a card from a holding, a mask: the worth of holding it, if others stay."""
    stay = held ^ (ONE << card)
    if stay == ZERO:
        return F(0)
    return weights_of(m).keep[np.uint64(stay & (stay - ONE) > ZERO), card]


@inline
def count_unseen(m, cards):
    """Count the cards of a mask by value, and their mean worth."""
    q = m.replies
    q.unseen, q.size = cards, popcount(cards)
    total, number, values = splat(F(0)), splat(F(0)), ZERO
    for i in range(4):
        held = suit_of(cards, i)
        total = select_lanes(held, plus(total, load(q.worth, np.uint64(10 * i))), total)
        number = select_lanes(held, plus(number, splat(F(1))), number)
        values |= held
    store(q.counts, ONE, number)
    store(q.mean, ONE, over(total, larger_lanes(number, splat(F(1)))))  # the lanes are ranks from 0, the places values
    q.values = values << ONE


@noinline
def expect_replies(r, m, t, size, shown, sweep_counts):
    """Write the expected gain of the next player from each of the first ``size`` tables that plays leave.

    ``shown`` are the shown cards of the next player.
    """
    q = m.replies
    theirs, h = q.scopa[NEXT] if sweep_counts else F(0), hidden(q.held[NEXT], q.size)
    for i in range(size):
        board = q.left[np.uint64(i)]
        fill_takes(r, m, with_cards(t, board.cards), board, theirs)
    for i in range(size):
        board = q.left[np.uint64(i)]
        board.expected = expect_board(r, m, t, board, h, shown)


@inline
def expect_board(r, m, t, board, h, shown):
    """The expected gain from a table of a player who holds some unseen cards, and the cards of a mask."""
    gains = gains_of(m, load(board.takes, ZERO))
    chances = chances_of(m, gains, h)
    store(board.chances, ZERO, chances)
    return expect_best(m, gains, chances, best_shown(r, m, t, board, shown))


@noinline
def expect_answers(r, m, t, number, own, sweep_counts):
    """Lessen the expected gain of the next player from table ``number`` by what the player after that gains then.

    With a weight, and only after likely replies. ``own`` if the seat itself plays after the next. ``expect_replies``
    goes before.
    """
    q, w, board, after = m.replies, weights_of(m), m.replies.left[number], m.replies.after
    weight, likely = (w.own_next, w.own_likely) if own else (w.other_next, w.other_likely)
    mine = q.scopa[AFTER] if sweep_counts else F(0)
    fill_takes(r, m, with_cards(t, board.cards), board, F(0))  # fills the rows
    size, rest = ZERO, q.values & greater(load(board.chances, ZERO), splat(likely))
    while rest:
        value = lowest(rest)
        rest &= rest - ONE
        cards = after_reply(r, m, with_cards(t, board.cards), value)
        after[size].cards, after[size].chance = cards, board.chances[value]
        size += np.uint64(cards != ZERO)
    for i in range(size):
        fill_takes(r, m, with_cards(t, after[i].cards), after[i], mine)
    h = hidden(q.held[AFTER], q.size)
    for i in range(size):
        if h.held:
            gain = expect_board(r, m, t, after[i], h, board.mine)
        else:
            sure = best_shown(r, m, t, after[i], board.mine)
            gain = sure if sure > NEVER else F(0)
        board.expected -= weight * after[i].chance * gain
