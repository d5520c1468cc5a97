"""The expected gain of the next player from a table, by counting the cards that are gone.

Cards are worth what they change in the expected points of the hand (see ``worth.py``). The expectation is over the
unseen cards: the next player's best reply for each value of card, weighted by the chance that it holds no better card.
After each likely reply comes the best capture of the player after that: with two players the seat itself.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, ZERO, lowest, popcount
from ..game.flat import WORD
from ..game.scoring import SUIT
from ..jit import inline, noinline
from .boards import (
    ACES,
    BOARD,
    NEVER,
    after_reply,
    best_shown,
    expected_gain,
    fill_chances,
    fill_takes,
    rank_values,
    weights_of,
    with_cards,
)
from .lanes import chosen, load, most, over, plus, splat, store
from .solver import aims_at_game, outright, stakes
from .worth import TERNARY, prime_lead, suit_of

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
        ("count", WORD, 16),  # how many of them have each value
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

_TWO, _FORTY = np.uint64(2), np.uint64(40)
_HALF = F(0.5)
_PI_HALF = F(np.pi / 2)


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
    q.mine, q.others, q.reusable = mine, others, reusable
    my_point, their_point, win, loss = stakes(r, m, view)
    q.scopa[NEXT], q.scopa[AFTER] = their_point, my_point
    both = _HALF * (my_point + their_point)
    a, b = popcount(mine), popcount(others)
    c = m.tables.cards
    a_next, b_next = min(a + ONE, _FORTY), min(b + ONE, _FORTY)
    per_card = _HALF * (my_point * (c[a_next, b] - c[a, b_next]) + their_point * (c[b_next, a] - c[b, a_next]))
    slope = F(0)
    if r.primiera_point:
        mean, variance = prime_lead(m, mine, others)
        spread = mean * mean + _PI_HALF * variance
        if variance > F(0):
            slope = both * F(r.primiera_point) * _PI_HALF * variance / (spread * F(np.sqrt(spread))) * _HALF
    all_diamonds = win * outright(r, mine, others) + loss * outright(r, others, mine)
    for i in range(4):
        suit = np.uint64(i)
        x, y = TERNARY[suit_of(mine, i)], TERNARY[suit_of(others, i)]
        here, there = x + _TWO * y, y + _TWO * x
        rest = SUIT & ~(suit_of(mine, i) | suit_of(others, i))
        while rest:
            rank = lowest(rest)
            rest &= rest - ONE
            digit = TERNARY[ONE << rank]
            up, down = here + digit, here + _TWO * digit
            worth = per_card + slope * (m.tables.prime[0, up] - m.tables.prime[0, down])
            if i == 1:
                theirs = m.tables.diamonds[there + _TWO * digit] - m.tables.diamonds[there + digit]
                worth += (
                    _HALF * (my_point * (m.tables.diamonds[up] - m.tables.diamonds[down]) - their_point * theirs)
                    + all_diamonds
                )
            q.worth[np.uint64(10) * suit + rank] = worth


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
    store(q.mean, ONE, over(total, most(number, splat(F(1)))))  # the lanes are ranks from 0, the places values
    q.values = values << ONE
    for v in range(1, 11):
        q.count[np.uint64(v)] = popcount(cards & (ACES << np.uint64(v - 1)))


@inline
def follow_up(r, m, t, size, shown_only, scopa, weight):
    """Subtract from the gains of replies, with a weight, the expected gains from the first ``size`` tables they leave.

    ``shown_only`` if the player after the next holds only cards that are visible.
    """
    q = m.replies
    for i in range(size):
        board = q.after[np.uint64(i)]
        fill_takes(r, m, with_cards(t, board.cards), board, scopa)
    if shown_only:
        for i in range(size):
            board = q.after[np.uint64(i)]
            sure = best_shown(r, m, t, board, board.mine)
            board.expected = sure if sure > NEVER else F(0)
    else:
        for i in range(size):
            rank_values(m, q.after[np.uint64(i)], q.after[np.uint64(i)].gains)
        for i in range(size):
            board = q.after[np.uint64(i)]
            fill_chances(m, board, q.held[AFTER], F(1), best_shown(r, m, t, board, board.mine))
        for i in range(size):
            board = q.after[np.uint64(i)]
            board.expected = expected_gain(m, board)
    for i in range(size):
        board = q.after[np.uint64(i)]
        q.left[board.of].gains[board.rank] -= weight * board.expected


@noinline
def expect_replies(r, m, t, size, shown, own, sweep_counts):
    """Write the expected gain of the next player from each of the first ``size`` tables that plays leave.

    Less, with a weight, what the player after that gains after likely replies. ``shown`` are the shown cards of the
    next player; ``own`` if the seat itself plays after it.
    """
    q, w = m.replies, weights_of(m)
    weight, likely = (w.own_next, w.own_likely) if own else (w.other_next, w.other_likely)
    mine, theirs = (q.scopa[AFTER], q.scopa[NEXT]) if sweep_counts else (F(0), F(0))
    for i in range(size):
        board = q.left[np.uint64(i)]
        fill_takes(r, m, with_cards(t, board.cards), board, theirs)
    for i in range(size):
        rank_values(m, q.left[np.uint64(i)], q.left[np.uint64(i)].gains)
    for i in range(size):
        board = q.left[np.uint64(i)]
        fill_chances(m, board, q.held[NEXT], likely, best_shown(r, m, t, board, shown))
    waiting = ZERO
    for i in range(size):
        board = q.left[np.uint64(i)]
        rest = board.likely
        while rest:
            rank = lowest(rest)
            rest &= rest - ONE
            after = q.after[waiting]
            after.cards = after_reply(r, m, with_cards(t, board.cards), board.rows, board.values[rank])
            after.of, after.rank, after.mine = np.uint64(i), rank, board.mine
            waiting += np.uint64(after.cards != ZERO)
            if waiting == np.uint64(BOARDS):
                follow_up(r, m, t, waiting, q.held[AFTER] == ZERO, mine, weight)
                waiting = ZERO
    follow_up(r, m, t, waiting, q.held[AFTER] == ZERO, mine, weight)
    for i in range(size):
        board = q.left[np.uint64(i)]
        board.expected = expected_gain(m, board)
