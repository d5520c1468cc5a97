"""Playing on quickly in a deal of the unseen cards, each seat by what it sees itself.

A seat plays as ``careful`` does: what a play takes, less what the next player is expected to make of the table it
leaves. That depends on the table, on the cards unseen and on how many of them are held, and hardly on who asks, so it
is reckoned once for a table and remembered for all deals of a position.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, TWO, ZERO, lowest, popcount
from ..game.captures import fill_rows, is_large, land, lay, remove, value_of
from ..game.flat import WORD
from ..game.plays import captured, card_of, is_sweep, list_plays, value_in
from ..jit import large, small
from .boards import NEVER, after_reply, fill_takes, rank_values, with_cards, with_own
from .lanes import splat, store
from .reply import spent, weights_of, worth_of
from .solver import lead, set_position, side_of, value_leaf

F = np.float32

RANKED = np.dtype(
    [
        ("order", WORD),  # the values unseen by what they gain, most first, four bits each
        ("after", WORD, 16),  # by value, the table after the best reply, a mask
        ("gains", np.float32, 16),  # of the unseen values in their order
        ("expected", np.float32, 16),  # of the best of so many cards held, if nothing is looked at behind it; or NEVER
    ],
    align=True,
)
"""What is remembered of a table that a play leaves."""

PLACES, PLACES_BITS = 1 << 10, np.uint64(10)

AHEAD = np.dtype(
    [
        ("keys", WORD, PLACES),  # which table is ranked in each place, a mask; 0 for none
        ("tables", RANKED, PLACES),
        ("left", WORD, PLACES),  # the same of tables that replies leave
        ("takes", np.float32, (PLACES, 16)),  # by value, what a card takes from them, itself not counted
    ],
    align=True,
)
"""The scratch of this file: tables met, as the same ones come again and again."""

_FOUR = np.uint64(4)
_HASH = np.uint64(0x9E3779B97F4A7C15)


@small
def prepare_ahead(m):
    """Forget the tables of other positions. ``careful.prepare`` goes before."""
    m.ahead.keys[:] = ZERO
    m.ahead.left[:] = ZERO


@small
def place_of_table(cards):
    """Where a table is remembered."""
    return (cards * _HASH) >> (np.uint64(64) - PLACES_BITS)


@small
def ranked(r, m, t):
    """What is remembered of a table that is not empty."""
    place = place_of_table(t.cards)
    known = m.ahead.tables[place]
    if m.ahead.keys[place] != t.cards:
        rank_table(r, m, t, known)
        m.ahead.keys[place] = t.cards
    return known


@large
def rank_table(r, m, t, known):
    """Rank what unseen cards of all values make of a table."""
    board = m.replies.left[0]
    fill_takes(r, m, t, board, F(1))
    rank_values(m, board, known.gains)
    store(known.expected, ZERO, splat(NEVER))
    order = ZERO
    for i in range(popcount(m.replies.values)):
        value = board.values[np.uint64(i)]
        order |= value << (np.uint64(i) << TWO)
        if r.players == TWO:
            known.after[value] = after_reply(r, m, t, board.rows, value)
    known.order = order


@small
def best_own(r, m, t, own):
    """What the best of some cards takes from a table."""
    if t.cards == ZERO:
        return F(0)
    place = place_of_table(t.cards)
    takes = m.ahead.takes[place]
    if m.ahead.left[place] != t.cards:
        store(takes, ZERO, fill_takes(r, m, t, m.replies.left[0], F(1)))
        m.ahead.left[place] = t.cards
    most = NEVER
    while own:
        card = lowest(own)
        own &= own - ONE
        most = max(most, with_own(m, takes[value_of(r, t, card)], m.replies.worth[card]))
    return most


@small
def reply_value(r, m, t, held, own):
    """What a player with ``held`` unseen cards is expected to gain from a table, less what ``own`` cards gain then."""
    if t.cards == ZERO:
        return F(0)
    known = ranked(r, m, t)
    if own:
        return expect_reply(r, m, t, known, held, own)
    if known.expected[held] == NEVER:
        known.expected[held] = expect_reply(r, m, t, known, held, own)
    return known.expected[held]


@large
def expect_reply(r, m, t, known, held, own):
    """The same of a table that is ranked."""
    none_of, w = m.tables.none_of[held, m.replies.size], weights_of(m)
    expected, before, cards = F(0), F(1), ZERO
    order, i = known.order, ZERO
    while order and before > F(0):
        value = order & np.uint64(15)
        gain = known.gains[i]
        cards += m.replies.count[value]
        none = none_of[cards]
        chance = before - none
        if own and chance > w.own_likely:
            gain -= w.own_next * best_own(r, m, with_cards(t, known.after[value]), own)
        expected += chance * gain
        before = none
        order >>= _FOUR
        i += ONE
    return expected


@small
def quick_play(r, m, t, held, allowed, left, next_held):
    """The play of a seat that holds ``held`` and may play those ``allowed``, ``left`` plays before the end.

    The next player holds ``next_held`` cards.
    """
    if is_large(t):
        fill_rows(r, t)
    count = list_plays(r, t, allowed, left == ONE, m.plays)
    chosen, most = m.plays[0], F(-1e9)
    if count == ONE:
        return chosen
    w = weights_of(m)
    for i in range(count):
        play = m.plays[np.uint64(i)]
        card, got = card_of(play), captured(play)
        value = worth_of(m, got | ONE << card) + F(is_sweep(play)) if got else F(0)
        value -= spent(m, held, card)
        if left > ONE:
            after = with_cards(t, t.cards ^ got if got else t.cards | ONE << card)
            own = held ^ (ONE << card) if r.players == TWO else ZERO
            if after.cards == ZERO:
                value += w.empty
            value -= w.reply * reply_value(r, m, after, next_held, own) / F(r.sides - ONE)  # as in ``careful``
        if value > most:
            most, chosen = value, play
    return chosen


@small
def play_on(r, m, view, holdings, play, depth):
    """The lead of the view's side where ``depth`` plays, ``play`` the first, have been made; no more than the stage's.

    Piles are worth what is expected of them then, and the table what the next player is expected to make of it.
    """
    set_position(r, m, view, holdings)
    f, must = m.solver.frames[ZERO], m.solver.must
    t = lay(view.table, view.table_product, view.matta_value, m.rows)
    coming = r.plan[view.stage + ONE] if view.stock else ZERO
    seat, left, next_held = view.seat, view.plays_left, ZERO
    for ply in range(depth):
        if ply:
            held = f.held[seat]
            allowed = held & must[seat]
            play = quick_play(r, m, t, held, allowed if allowed else held, left, next_held)
        card, got = card_of(play), captured(play)
        side = side_of(r, seat)
        f.held[seat] ^= ONE << card
        if got:
            f.points[side] += F(is_sweep(play))
            f.pile[side] |= got | ONE << card
            f.last_capture = seat
            t = remove(r, t, got)
        else:
            t = land(t, card, value_in(play))
        left -= ONE
        seat = seat + ONE if seat + ONE < r.players else ZERO
        after = seat + ONE if seat + ONE < r.players else ZERO
        next_held = popcount(f.held[after])
        next_held = next_held if next_held else coming
    if left:
        held = popcount(f.held[seat])
        f.points[side_of(r, seat)] += reply_value(r, m, t, held if held else coming, ZERO)
    f.table, f.product, f.matta_value, f.seat, f.left = t.cards, t.product, t.matta_value, seat, left
    value_leaf(r, m, f)
    return lead(r, f.best, view.side)
