"""Playing on quickly in a deal of the unseen cards, each seat by what it sees itself.

A seat plays as ``careful`` does: what a play takes, less what the next player is expected to make of the table it
leaves. That depends on the table, on the cards unseen and on how many of them are held, and hardly on who asks, so it
is reckoned once for a table and remembered for all deals of a position.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, TWO, ZERO, lowest, popcount
from ..game.captures import Table, fill_rows, is_large, land, remove, total, value_of
from ..jit import small
from .careful import (
    COUNT,
    LEAVE,
    MEAN,
    NEVER,
    NEXT,
    OWN_LIKELY,
    OWN_NEXT,
    WORTH,
    after_reply,
    fill_rows_of_best,
    take_gain,
    worth_of,
)
from .solver import (
    BEST,
    FIRST_REAL,
    FIRST_WORD,
    HELD,
    LAST,
    LEFT,
    MATTA,
    MUST,
    PILE,
    POINTS,
    PRODUCT,
    SEAT,
    TABLE,
    lead,
    set_position,
    side_of,
    value_leaf,
)
from .view import captured, card_of, is_sweep, list_plays, value_in

F = np.float32
NOTHING = NEVER * F(0.5)

# Places in Mind.reals: the chances that a holding of 0 to 10 cards has none of so many.
NONE, NONE_SIZE, HOLDINGS_OF = np.uint64(5632), np.uint64(48), 11
# What is remembered of tables, in Mind.words: which table; the values unseen by what they take, most first, four bits
# each; the table after the best reply of each value. In Mind.reals: what a card of each value takes, itself not
# counted; the gains of the unseen values in their order.
TABLES, TABLES_BITS = 1 << 10, np.uint64(10)
KEYS, ORDERS, AFTERS = np.uint64(4096), np.uint64(5120), np.uint64(6144)
TAKES, RANKED = np.uint64(1 << 14), np.uint64((1 << 14) + 16)
_FOUR, _FIVE = np.uint64(4), np.uint64(5)
_HASH = np.uint64(0x9E3779B97F4A7C15)


@small
def prepare_ahead(r, m, cards):
    """Forget the tables of other positions, ``cards`` being unseen. ``careful.prepare`` goes before."""
    for held in range(HOLDINGS_OF):
        at = NONE + np.uint64(held) * NONE_SIZE
        chance, left = F(1), F(cards)
        for i in range(cards + ONE):
            m.reals[at + np.uint64(i)] = chance
            chance = chance * (left - F(held)) / left if left > F(held) else F(0)
            left -= F(1)
    for i in range(TABLES):
        m.words[KEYS + np.uint64(i)] = ZERO


@small
def remembered(r, m, t):
    """The place at which a table that is not empty is remembered; it stays there until the next is asked for."""
    place = (t.cards * _HASH) >> (np.uint64(64) - TABLES_BITS)
    if m.words[KEYS + place] != t.cards:
        remember(r, m, t, place)
    return place


@small
def remember(r, m, t, place):
    """Reckon what cards of all values make of a table."""
    takes, ranked, afters = TAKES + (place << _FIVE), RANKED + (place << _FIVE), AFTERS + (place << _FOUR)
    best = fill_rows_of_best(r, m, t, NEXT)
    worth, points = worth_of(m, t.cards), total(r, t)
    order, size = ZERO, ZERO
    for v in range(1, 11):
        value = np.uint64(v)
        take = take_gain(r, m, best, worth, points, value, F(1))
        m.reals[takes + value] = take
        if m.words[COUNT + value] == ZERO:
            continue
        gain = with_own(take, m.reals[MEAN + value])
        j = size
        while j > ZERO and m.reals[ranked + j - ONE] < gain:
            m.reals[ranked + j] = m.reals[ranked + j - ONE]
            j -= ONE
        m.reals[ranked + j] = gain
        below = (ONE << (j << TWO)) - ONE
        order = (order & below) | value << (j << TWO) | (order & ~below) << _FOUR
        size += ONE
        if r.players == TWO:
            m.words[afters + value] = after_reply(r, m, t, best, value).cards
    m.words[KEYS + place], m.words[ORDERS + place] = t.cards, order


@small
def with_own(take, own):
    """What a card gains, from what it takes and its own worth."""
    return take + own if take > NOTHING else -LEAVE * own


@small
def best_own(r, m, t, after, own):
    """What the best of some cards takes from the table of a mask that ``t`` becomes by a reply."""
    if after == ZERO:
        return F(0)
    if after & t.cards == after:
        t = remove(r, t, t.cards ^ after)
    else:
        card = lowest(after ^ t.cards)
        t = land(t, card, value_of(r, t, card))
    takes = TAKES + (remembered(r, m, t) << _FIVE)
    most = NEVER
    while own:
        card = lowest(own)
        own &= own - ONE
        most = max(most, with_own(m.reals[takes + value_of(r, t, card)], m.reals[WORTH + card]))
    return most


@small
def reply_value(r, m, t, held, own):
    """What a player with ``held`` unseen cards is expected to gain from a table, less what ``own`` cards gain then."""
    if t.cards == ZERO:
        return F(0)
    order = m.words[ORDERS + remembered(r, m, t)]
    expected, before, cards, none_of = F(0), F(1), ZERO, NONE + held * NONE_SIZE
    i = ZERO
    while order and before > F(0):
        value = order & np.uint64(15)
        place = remembered(r, m, t)  # again: the tables after replies may have taken its place
        gain = m.reals[RANKED + (place << _FIVE) + i]
        cards += m.words[COUNT + value]
        none = m.reals[none_of + cards]
        chance = before - none
        if own and chance > OWN_LIKELY:
            gain -= OWN_NEXT * best_own(r, m, t, m.words[AFTERS + (place << _FOUR) + value], own)
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
    for i in range(count):
        play = m.plays[np.uint64(i)]
        card, got = card_of(play), captured(play)
        value = worth_of(m, got | ONE << card) + F(is_sweep(play)) if got else F(0)
        if left > ONE:
            after = remove(r, t, got) if got else land(t, card, value_in(play))
            own = held ^ (ONE << card) if r.players == TWO else ZERO
            value -= reply_value(r, m, after, next_held, own)
        if value > most:
            most, chosen = value, play
    return chosen


@small
def play_on(r, m, view, holdings, play, depth):
    """The lead of the view's side where ``depth`` plays, ``play`` the first, have been made; no more than the stage's.

    Piles are worth what is expected of them then, and the table what the next player is expected to make of it.
    """
    set_position(r, m, view, holdings)
    w, f, x = m.words, FIRST_WORD, FIRST_REAL
    t = Table(view.table, view.table_product, view.matta_value, m.rows)
    coming = r.plan[view.stage + ONE] if view.stock else ZERO
    seat, left, next_held = view.seat, view.plays_left, ZERO
    for ply in range(depth):
        if ply:
            held = w[f + HELD + seat]
            allowed = held & w[MUST + seat]
            play = quick_play(r, m, t, held, allowed if allowed else held, left, next_held)
        card, got = card_of(play), captured(play)
        side = side_of(r, seat)
        w[f + HELD + seat] ^= ONE << card
        if got:
            m.reals[x + POINTS + side] += F(is_sweep(play))
            w[f + PILE + side] |= got | ONE << card
            w[f + LAST] = seat
            t = remove(r, t, got)
        else:
            t = land(t, card, value_in(play))
        left -= ONE
        seat = seat + ONE if seat + ONE < r.players else ZERO
        after = seat + ONE if seat + ONE < r.players else ZERO
        next_held = popcount(w[f + HELD + after])
        next_held = next_held if next_held else coming
    if left:
        held = popcount(w[f + HELD + seat])
        m.reals[x + POINTS + side_of(r, seat)] += reply_value(r, m, t, held if held else coming, ZERO)
    w[f + TABLE], w[f + PRODUCT], w[f + MATTA], w[f + SEAT], w[f + LEFT] = t.cards, t.product, t.matta_value, seat, left
    value_leaf(r, m, f, x, x + BEST)
    return lead(r, m.reals, x + BEST, view.side)
