"""The expected gain of the next player from a table, by counting the cards that are gone.

Cards are worth what they change in the expected points of the hand (see ``worth.py``). The expectation is over the
unseen cards: the next player's best reply for each value of card, weighted by the chance that it holds no better card.
After each likely reply comes the best capture of the player after that: with two players the seat itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..game.bits import ONE, ZERO, lowest, popcount, square_root
from ..game.flat import WORD
from ..game.scoring import SUIT
from ..jit import inline, noinline
from .boards import (
    BOARD,
    NEVER,
    ROWS,
    after_reply,
    best_shown,
    chances_of,
    chosen,
    expect_best,
    fill_takes,
    gains_of,
    greater,
    hidden,
    load,
    most,
    over,
    plus,
    splat,
    store,
    times,
    weights_of,
    with_cards,
)
from .game_aim import aims_at_game, outright, stakes
from .worth import TERNARY, place, suit_of

F = np.float32

NEXT, AFTER = np.uint64(0), np.uint64(1)
"""The next player, and the one after."""

BOARDS = 16
"""Tables looked at together."""

REPLIES = np.dtype(
    [
        ("side", WORD),  # the side whose weights are used
        ("mine", WORD),  # the piles that the worths are for: my side's,
        ("others", WORD),  # and the others'
        ("reusable", WORD),  # 1 if the worths can be used again for these piles
        ("unseen", WORD),  # mask of the unseen cards
        ("size", WORD),  # how many they are
        ("values", WORD),  # the values that they have, a bit each
        ("places", WORD, 4),  # by suit: the place in the tables that ``changes`` is of
        ("means", np.float32, 4),  # by suit: its part of the lead of the primiera, and the variance of it
        ("variances", np.float32, 4),
        ("changes", np.float32, (4, 16)),  # by suit and rank: what a card changes in the lead of the primiera
        ("diamonds", np.float32, 16),  # by rank: what a diamond is worth as such
        ("rows", ROWS),
        ("counts", np.float32, 32),  # how many of them have each value
        ("mean", np.float32, 32),  # and their mean worth
        ("worth", np.float32, 48),  # of each card
        ("plays", np.float32, BOARDS),  # what plays are worth
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


class Points(NamedTuple):
    """What a point is worth to a side, and to the others, and to each diamond the chance to take all ten."""

    mine: float
    theirs: float
    all_diamonds: float


@noinline
def fill_worths(r, m, view):
    """Write the worth of a sweep, and of each card in no pile yet for the own pile, to the workspace."""
    mine = view.pile[view.side]
    others = ZERO
    for i in range(r.sides):
        others |= view.pile[i]
    others ^= mine
    reusable = ONE if not aims_at_game(r, m, view) else ZERO  # a policy that aims at the game values all by the score
    q = m.replies
    same = q.mine == mine and q.others == others
    swapped = q.mine == others and q.others == mine and r.sides == _TWO  # what one side wins the other loses
    if (same or swapped) and q.reusable == ONE and reusable:
        return
    known = q.reusable == ONE and reusable == ONE
    q.mine, q.others, q.reusable = mine, others, reusable
    my_point, their_point, win, loss = stakes(r, m, view)
    q.scopa[NEXT], q.scopa[AFTER] = their_point, my_point
    both = _HALF * (my_point + their_point)
    a, b = popcount(mine), popcount(others)
    c = m.tables.cards
    a_next, b_next = min(a + ONE, _FORTY), min(b + ONE, _FORTY)
    per_card = _HALF * (my_point * (c[a_next, b] - c[a, b_next]) + their_point * (c[b_next, a] - c[b, a_next]))
    mean, variance, slope = F(0), F(0), F(0)
    for i in range(4):
        suit = np.uint64(i)
        x, y = suit_of(mine, i), suit_of(others, i)
        here, there = place(x, y), place(y, x)
        is_swapped = q.places[suit] == there and here != there and r.sides == _TWO
        if not (known and (is_swapped or q.places[suit] == here)):
            is_swapped = False
            fill_changes(m, suit, here, SUIT & ~(x | y))
            if i == 1:
                all_diamonds = win * outright(r, mine, others) + loss * outright(r, others, mine)
                fill_diamonds(m, here, there, SUIT & ~(x | y), Points(my_point, their_point, all_diamonds))
        mean += -q.means[suit] if is_swapped else q.means[suit]  # what one side wins the other loses
        variance += q.variances[suit]
    if r.primiera_point and variance > F(0):
        spread = mean * mean + _PI_HALF * variance
        slope = both * F(r.primiera_point) * _PI_HALF * variance / (spread * square_root(spread)) * _HALF
    for i in range(4):
        suit = np.uint64(i)
        worths = plus(times(load(q.changes, suit << _FOUR), splat(slope)), splat(per_card))
        if i == 1:
            worths = plus(worths, load(q.diamonds, ZERO))
        store(q.worth, np.uint64(10) * suit, worths)  # lanes behind the tenth are overwritten by the next suit


@inline
def fill_changes(m, suit, here, rest):
    """Compute the primiera of a suit: its part of the lead, and what cards in no pile, ten bits, change in it.

    ``here`` is the place of the suit in the tables.
    """
    q, mean = m.replies, m.tables.prime[0]
    q.places[suit], q.means[suit], q.variances[suit] = here, mean[here], m.tables.prime[1, here]
    while rest:
        rank = lowest(rest)
        rest &= rest - ONE
        digit = TERNARY[ONE << rank]
        q.changes[suit, rank] = mean[here + digit] - mean[here + _TWO * digit]


@inline
def fill_diamonds(m, here, there, rest, points):
    """Compute what each diamond in no pile, ten bits, is worth as such.

    ``here`` is the place of the diamonds in the tables, ``there`` that of the others; ``points`` are ``Points``.
    """
    d = m.tables.diamonds
    while rest:
        rank = lowest(rest)
        rest &= rest - ONE
        digit = TERNARY[ONE << rank]
        mine, theirs = d[here + digit] - d[here + _TWO * digit], d[there + _TWO * digit] - d[there + digit]
        m.replies.diamonds[rank] = _HALF * (points.mine * mine - points.theirs * theirs) + points.all_diamonds


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
def fill_unseen(m, cards):
    """Count the cards of a mask by value, and their mean worth."""
    q = m.replies
    q.unseen, q.size = cards, popcount(cards)
    total, number, values = splat(F(0)), splat(F(0)), ZERO
    for i in range(4):
        held = suit_of(cards, i)
        total = chosen(held, plus(total, load(q.worth, np.uint64(10 * i))), total)
        number = chosen(held, plus(number, splat(F(1))), number)
        values |= held
    store(q.counts, ONE, number)
    store(q.mean, ONE, over(total, most(number, splat(F(1)))))  # the lanes are ranks from 0, the places values
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
        board.expected -= weight * after[i].chance * expect_answer(r, m, t, after[i], h, board.mine)


@inline
def expect_answer(r, m, t, board, h, mine):
    """The expected gain from a table of the player after the next, who holds ``mine`` as far as that can be seen."""
    if h.held:
        return expect_board(r, m, t, board, h, mine)
    sure = best_shown(r, m, t, board, mine)
    return sure if sure > NEVER else F(0)
