"""``careful``: what a play takes, less what the next players are expected to make of the table it leaves.

Cards are worth what they change in the expected points of the hand (see ``worth.py``). The replies are expected over
the cards not seen: the next player's best reply for each value of card, weighed by the chance that no better card is
held, which follows from counting the cards that have gone.
"""

from __future__ import annotations

import numpy as np

from .bits import ONE, ZERO, lowest, popcount
from .captures import land, remove, total, value_of
from .flat import VALUE
from .jit import entry, small
from .view import captured, card_of, is_sweep, mind_at, policy_signature, rules_at, table_of, unseen, value_in
from .worth import TERNARY, prime_lead, suit_of

F = np.float32
NEVER = F(-1e6)

# Places in Mind.reals: the worth of each card, the mean worth of the unseen cards of each value, the chances that a
# holding has none of so many cards, the gain of a reply by value, and rows of best totals.
WORTH, MEAN, NONE_OF, GAIN, ROWS = np.uint64(0), np.uint64(40), np.uint64(56), np.uint64(104), np.uint64(128)
ROW = np.uint64(32)
PAD = np.uint64(16)
# Places in Mind.words: the piles that the worths are for; the number of unseen cards of each value.
PILES, COUNT, ORDER = np.uint64(0), np.uint64(8), np.uint64(24)

FIFTEEN = np.uint64(15)
_TWO, _FORTY, _LAST = np.uint64(2), np.uint64(40), np.uint64(3**10 - 1)
_HALF = F(0.5)
_PI_HALF = F(np.pi / 2)


@small
def fill_worths(r, m, view):
    """Write into the room what each card is worth in my side's pile rather than in no pile."""
    mine = view.pile[view.side]
    others = ZERO
    for i in range(r.sides):
        others |= view.pile[i]
    others ^= mine
    if m.words[PILES] == mine and m.words[PILES + ONE] == others and m.words[PILES + _TWO] == ONE:
        return
    m.words[PILES], m.words[PILES + ONE], m.words[PILES + _TWO] = mine, others, ONE
    a, b = popcount(mine), popcount(others)
    c = m.cards
    a_more, b_more = min(a + ONE, _FORTY), min(b + ONE, _FORTY)
    one = _HALF * (c[a_more, b] - c[a, b_more] + c[b_more, a] - c[b, a_more])
    slope = F(0)
    if r.primiera_point:
        mean, variance = prime_lead(m, mine, others)
        spread = mean * mean + _PI_HALF * variance
        if variance > F(0):
            slope = F(r.primiera_point) * _PI_HALF * variance / (spread * F(np.sqrt(spread))) * _HALF
    for suit in range(4):
        x, y = TERNARY[suit_of(mine, suit)], TERNARY[suit_of(others, suit)]
        here, there = x + _TWO * y, y + _TWO * x
        digit = ONE
        for rank in range(10):
            # Places of cards that are in a pile already mean nothing, and nobody asks for them.
            up, down = min(here + digit, _LAST), min(here + _TWO * digit, _LAST)
            worth = one + slope * (m.prime[up, 0] - m.prime[down, 0])
            if suit == 1:
                theirs = m.diamonds[min(there + _TWO * digit, _LAST)] - m.diamonds[min(there + digit, _LAST)]
                worth += _HALF * (m.diamonds[up] - m.diamonds[down] - theirs)
            m.reals[WORTH + np.uint64(10 * suit + rank)] = worth
            digit *= np.uint64(3)


@small
def worth_of(m, cards):
    """The worth of a set of cards, a mask."""
    worth = F(0)
    while cards:
        worth += m.reals[WORTH + lowest(cards)]
        cards &= cards - ONE
    return worth


@small
def fill_unseen(m, cards, held):
    """Count the unseen cards by value, and the chances that ``held`` of them have none of so many."""
    for v in range(1, 11):
        m.words[COUNT + np.uint64(v)] = ZERO
        m.reals[MEAN + np.uint64(v)] = F(0)
    number = F(popcount(cards))
    rest = cards
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        m.words[COUNT + VALUE[card]] += ONE
        m.reals[MEAN + VALUE[card]] += m.reals[WORTH + card]
    for v in range(1, 11):
        if m.words[COUNT + np.uint64(v)]:
            m.reals[MEAN + np.uint64(v)] /= F(m.words[COUNT + np.uint64(v)])
    chance = F(1)
    left = number
    for i in range(popcount(cards) + ONE):
        m.reals[NONE_OF + np.uint64(i)] = chance
        chance = chance * (left - F(held)) / left if left > F(held) else F(0)
        left -= F(1)


@small
def fill_best(r, m, t):
    """For each total 0 to 15 the most that table cards of that total are worth; returns where the row starts."""
    row = ROWS
    rest = t.cards
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        worth, below = m.reals[WORTH + card], row + PAD - value_of(r, t, card)
        new = row + ROW
        for s in range(16):
            without, within = m.reals[row + PAD + np.uint64(s)], m.reals[below + np.uint64(s)] + worth
            m.reals[new + PAD + np.uint64(s)] = within if within > without else without
        row = new
    return row + PAD


@small
def reply_gain(r, m, t, best, all_worth, points, value, sweep_counts):
    """What the best capture of a card of a value takes from a table whose ``best`` row is filled; NEVER if none."""
    gain = NEVER
    if r.capture_sum or r.capture_equal:
        gain = m.reals[best + value]
    if r.capture_fifteen:
        gain = max(gain, m.reals[best + FIFTEEN - value])
    whole = points == value or (points == FIFTEEN - value and r.capture_fifteen)
    if value == ONE and r.ace_sweep and m.reals[best + ONE] <= NEVER * _HALF:
        if r.ace_must_sweep or all_worth > gain:
            gain = all_worth
        whole = r.ace_sweep_scopa or whole
        whole = whole or r.ace_sweep_scopa
    if whole and sweep_counts:
        gain = max(gain, all_worth + F(1))
    return gain


LEAVE = F(0.5)


@small
def expected_reply(r, m, t, known, sweep_counts):
    """What the next player is expected to gain from a table, holding ``known`` cards and others unseen."""
    if t.cards == ZERO:
        return F(0)
    best = fill_best(r, m, t)
    all_worth, points = worth_of(m, t.cards), total(r, t)
    # gains by value, sorted by insertion: highest first
    size = ZERO
    for v in range(1, 11):
        value = np.uint64(v)
        if m.words[COUNT + value] == ZERO:
            continue
        gain = reply_gain(r, m, t, best, all_worth, points, value, sweep_counts)
        if gain <= NEVER * _HALF:
            gain = -LEAVE * m.reals[MEAN + value]
        else:
            gain += m.reals[MEAN + value]
        j = size
        while j > ZERO and m.reals[GAIN + j - ONE] < gain:
            m.reals[GAIN + j] = m.reals[GAIN + j - ONE]
            m.words[ORDER + j] = m.words[ORDER + j - ONE]
            j -= ONE
        m.reals[GAIN + j] = gain
        m.words[ORDER + j] = value
        size += ONE
    sure = NEVER
    while known:
        card = lowest(known)
        known &= known - ONE
        gain = reply_gain(r, m, t, best, all_worth, points, value_of(r, t, card), sweep_counts)
        own = m.reals[WORTH + card]
        gain = -LEAVE * own if gain <= NEVER * _HALF else gain + own
        sure = max(sure, gain)
    expected, before, cards = F(0), F(1), ZERO
    for i in range(size):
        gain = m.reals[GAIN + np.uint64(i)]
        if gain <= sure:
            break
        cards += m.words[COUNT + m.words[ORDER + np.uint64(i)]]
        after = m.reals[NONE_OF + cards]
        expected += (before - after) * gain
        before = after
    if sure > NEVER:
        expected += before * sure
    return expected


@small
def careful_play(r, view, plays, m):
    """The place of the play that is worth most."""
    if plays.size == 1:
        return ZERO
    fill_worths(r, m, view)
    for s in range(32):
        m.reals[ROWS + np.uint64(s)] = NEVER
    m.reals[ROWS + PAD] = F(0)
    following = (view.seat + ONE) % r.players
    known = view.first[following] if view.first[following] else view.shown[following]
    hidden = ZERO if view.first[following] else view.held[following] - popcount(view.shown[following])
    if view.held[following] == ZERO:  # a new stage
        hidden = min(view.stock // r.players, np.uint64(3))
    fill_unseen(m, unseen(view), hidden)
    best, chosen = F(-1e9), ZERO
    t = table_of(view, m.rows)
    for i in range(plays.size):
        play = plays[i]
        card, got = card_of(play), captured(play)
        if got:
            gain = worth_of(m, got | ONE << card) + F(is_sweep(play))
            after = remove(r, t, got)
        else:
            gain = F(0)
            after = land(t, card, value_in(play))
        if view.plays_left > ONE:
            sweeps = view.plays_left > _TWO or r.last_card_scopa
            gain -= expected_reply(r, m, after, known, sweeps)
        if gain > best:
            best, chosen = gain, np.uint64(i)
    return chosen


@entry(policy_signature)
def policy(rules, view, plays, mind):
    """The policy ``careful``."""
    return careful_play(rules_at(rules), view, plays, mind_at(mind))
