"""``careful``: what a play captures, less the expected gain of the next player from the table it leaves (``reply.py``).

When all holdings are known the hand is solved.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, ZERO, popcount
from ..game.bonuses import knock_points, shown_in
from ..game.plays import captured_cards, list_plays, played_card, side_of, sweep_bit
from ..game.scoring import SUIT
from ..jit import inline, noinline
from .boards import ACES, NEVER, clear_rows, weights_of
from .knock import has_sets_left, promised_after, promised_behind, show_set, take_back
from .reply import AFTER, BOARDS, NEXT, count_unseen, expect_answers, expect_replies, fill_worths, spent, worth_of
from .solver import best_play, find_holdings, find_play, plays_in_stage, solve_to_depth
from .view import cards_of_new_stage, unseen_cards, view_table
from .worth import aims_at_game

F = np.float32

SOLVED = np.uint64(6)  # with so few plays left the hand is solved, if all holdings are known

MOST_WEIGHED = 2000
"""Plays weighed, the first of those listed: a large table may give a card ten thousand captures."""

LOWEST = F(0.25)
"""What the matta is worth more as the lowest value it may take: an ace sweeps, at this turn or a later one."""
AT_STAKE = F(2)
"""Points that the choice of what to show can change a play by, at most: what earns less is not looked at."""

_TWO, _THREE, _TEN = np.uint64(2), np.uint64(3), np.uint64(10)


@noinline
def prepare_replies(r, m, view):
    """Prepare the workspace for the position of a view: the worth of cards, and what the next players may hold.

    Returns the shown cards of the next player, and whether the seat itself plays after the next one.
    """
    m.replies.side = view.side
    fill_worths(r, m, view)
    clear_rows(m)
    count_unseen(m, unseen_cards(view))
    following = view.seat + ONE if view.seat + ONE < r.players else ZERO
    after = following + ONE if following + ONE < r.players else ZERO
    shown = view.first[following] if view.first[following] else view.shown[following]
    held = ZERO if view.first[following] else view.held[following] - popcount(view.shown[following])
    if view.held[following] == ZERO:
        held = cards_of_new_stage(r, view)
    m.replies.held[NEXT] = held
    own = after == view.seat and view.held[after] > ONE
    hidden = ZERO if own else view.held[after]
    if after == view.seat or hidden == ZERO or (after < view.seat and hidden == ONE and following < view.seat):
        hidden = ZERO if own else cards_of_new_stage(r, view)
    m.replies.held[AFTER] = hidden
    return shown, own


@inline
def worth_by_rank(r, m, view, card, got):
    """What a play is worth by what is known of ranks: doubles in the own holding, and how many cards of each are out.

    The dealer plays last, so ranks that go in pairs are good for that side, and a rank of which an odd number is out
    (*spariglio*) for the other.
    """
    w, own, rank = weights_of(m), ONE << card, card % _TEN
    with_dealer = side_of(r, r.players - ONE) == view.side
    out = view.pile[0] | view.pile[1] | view.pile[2] | view.pile[3]
    worth = F(0)
    if got:
        out |= got | own
    elif (view.holding ^ own) & (ACES << rank):
        worth = w.double
    else:
        hidden = popcount(m.replies.unseen & (ACES << rank))
        worth = w.fresh if hidden == _THREE else w.last if hidden == ZERO and with_dealer else F(0)
    odd = popcount((out ^ out >> _TEN ^ out >> _TEN * _TWO ^ out >> _TEN * _THREE) & SUIT)
    return worth + (-w.odd if with_dealer else w.odd) * F(odd)


@inline
def value_plays(r, m, view, t, plays, shown, own):
    """Write into ``m.replies.plays`` what up to ``BOARDS`` plays are worth: what they gain, less the expected reply."""
    q, w = m.replies, weights_of(m)
    size = ZERO
    for i in range(plays.size):
        k = np.uint64(i)
        card, got = played_card(plays[k]), captured_cards(plays[k])
        board = q.left[size]
        board.of, board.mine = k, view.holding ^ (ONE << card) if own else ZERO
        if got:
            q.plays[k] = worth_of(m, got | ONE << card) + F(sweep_bit(plays[k])) * q.scopa[AFTER]
            board.cards = t.cards & ~got
        else:
            q.plays[k] = F(0)
            board.cards = t.cards | ONE << card
        q.plays[k] -= q.earned * spent(m, view.holding, card)
        if w.remembers:
            q.plays[k] += q.earned * worth_by_rank(r, m, view, card, got)
        if board.cards == ZERO and view.plays_left > ONE:
            q.plays[k] += q.scopa[AFTER] * w.empty
        size += np.uint64(board.cards != ZERO)
    if view.plays_left == ONE or size == ZERO:
        return
    sweeps = view.plays_left > _TWO or r.last_card_scopa
    expect_replies(r, m, t, size, shown, sweeps)
    share, best = w.reply / F(r.sides - ONE), NEVER  # another's gain counts as his part of the others' mean
    for i in range(size):
        board = q.left[np.uint64(i)]
        q.plays[board.of] -= share * board.expected
        if w.remembers and not board.sweeps & q.values:
            q.plays[board.of] += q.scopa[AFTER] * w.safe
    for i in range(plays.size):
        best = max(best, q.plays[np.uint64(i)])
    least, contenders = best - w.contends * m.replies.point, ZERO
    for i in range(plays.size):
        contenders += np.uint64(q.plays[np.uint64(i)] >= least)
    if contenders == ONE and not m.to_show:  # best in any case
        return
    for i in range(size):
        board = q.left[np.uint64(i)]
        if q.plays[board.of] >= least:
            q.plays[board.of] += share * board.expected
            expect_answers(r, m, t, np.uint64(i), own, sweeps)
            q.plays[board.of] -= share * board.expected


@inline
def careful_play(r, m, view, plays):
    """The place of the play that is worth most, with the points that sets not shown yet can still earn after it."""
    if plays.size == 1:
        return ZERO
    plays = plays[:MOST_WEIGHED]
    if view.plays_left <= SOLVED and not has_sets_left(r, view) and find_holdings(r, view, m.holdings):
        solve_to_depth(r, m, view, m.holdings, plays_in_stage(view))
        return find_play(plays, best_play(m))
    shown, own = prepare_replies(r, m, view)
    return best_of_plays(r, m, view, plays, shown, own)[1]


@noinline
def best_of_plays(r, m, view, plays, shown, own):
    """The most that a play is worth after ``prepare_replies``, and its place."""
    t = view_table(r, view)
    best, chosen = F(-1e9), ZERO
    for first in range(0, plays.size, BOARDS):
        some = plays[first : first + BOARDS]
        value_plays(r, m, view, t, some, shown, own)
        for i in range(some.size):
            value = m.replies.plays[np.uint64(i)]
            if view.may_show:
                value += m.replies.earned * F(promised_after(r, view, played_card(some[i]), m.sets))
            if value > best:
                best, chosen = value, np.uint64(first + i)
    return best, chosen


@noinline
def value_knocks(r, m, view, knocks):
    """Write into ``m.shows`` what each choice to show is worth: its points, those behind it, the best play after it.

    Left out, at ``NEVER``, is what earns so much less than another that no play can make up for it.
    """
    shows = m.shows
    most, pays = NEVER, F(r.pays)
    for i in range(knocks.size):
        total = pays * F(knock_points(knocks[i]) + promised_behind(r, view, knocks[i], m.sets))
        shows[np.uint64(i)] = total
        most = max(most, total)
    shown, own = prepare_replies(r, m, view)
    matta_value = view.matta_value
    solved = view.plays_left <= SOLVED and find_holdings(r, view, m.holdings)
    for i in range(knocks.size):
        k = np.uint64(i)
        waits = knocks[i] == ZERO and view.may_show
        if shows[k] < most - AT_STAKE and not waits:
            shows[k] = NEVER
            continue
        if i and shown_in(knocks[i]) == shown_in(knocks[i - 1]):
            shows[k] -= pays * LOWEST
        shows[k] *= m.replies.point
        show_set(r, view, knocks[i])
        if solved:
            earned = F(0) if aims_at_game(r, m, view) else pays * F(knock_points(knocks[i]))
            shows[k] = solve_to_depth(r, m, view, m.holdings, plays_in_stage(view)) + earned
            take_back(view, knocks[i], matta_value)
            continue
        plays = list_plays(r, view_table(r, view), view.allowed, view.plays_left == ONE, m.plays)
        shows[k] += best_of_plays(r, m, view, m.plays[:plays], shown, own)[0]
        take_back(view, knocks[i], matta_value)


@inline
def best_knock(m, size):
    """The place of the choice worth most after ``value_knocks``; of equal ones the first."""
    chosen = ZERO
    for i in range(size):
        if m.shows[np.uint64(i)] > m.shows[chosen]:
            chosen = np.uint64(i)
    return chosen
