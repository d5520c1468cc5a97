"""``careful``: what a play takes, less what the next player is expected to make of the table it leaves.

Cards are worth what they change in the expected points of the hand (see ``worth.py``). The replies are expected over
the cards not seen: the next player's best reply for each value of card, weighed by the chance that no better card is
held, which follows from counting the cards that have gone. Behind each likely reply stands the best that the player
after that can take: with two players oneself, whose cards are known. When all holdings are known the hand is solved.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, ZERO, highest, lowest, popcount
from ..game.bonuses import points_of, shown_in
from ..game.captures import land, remove, total, value_of
from ..game.flat import VALUE
from ..jit import entry, small
from .knock import has_sets_left, promised_after, promised_behind, show_set, take_back
from .solver import aims_at_game, known_holdings, outright, plays_in_stage, solve_lead, solve_view, stakes
from .view import (
    captured,
    card_of,
    is_sweep,
    list_plays,
    mind_at,
    policy_signature,
    rules_at,
    table_of,
    unseen,
    value_in,
)
from .worth import TERNARY, prime_lead, suit_of

F = np.float32
NEVER = F(-1e6)

# The weights of the policy, chosen by trial in play against greedy; nothing says that they are the best.
LEAVE = F(0.5)  # of a card's worth, lost by leaving it on the table
OWN_NEXT, PARTNER_NEXT = F(1.0), F(0.4)  # of the gain after the next player's, when it is one's own or another's
OWN_LIKELY, PARTNER_LIKELY = F(0.05), F(0.2)  # replies less likely are not followed up
SOLVED = np.uint64(6)  # plays left from which on the hand is solved, if all is known

# Places in Mind.reals: the worth of each card, the mean worth of the unseen cards of each value, and what a sweep is
# worth to the next player and to the one after.
WORTH, MEAN, SCOPA = np.uint64(0), np.uint64(40), np.uint64(56)
# Then two regions, for the next player and for the one after: the chances that a holding has none of so many cards,
# gains by rank, and rows of the best totals. In front of a row stand 16 places that are never reached.
REGION, REGIONS = np.uint64(64), np.uint64(1536)
NONE_OF, GAIN, ROWS = np.uint64(0), np.uint64(48), np.uint64(64)
ROW, PAD = np.uint64(32), np.uint64(16)
# Places in Mind.words: the piles that the worths are for; the unseen cards; how many of them have each value; holdings;
# then for each region the values of the gains by rank.
PILES, UNSEEN, COUNT, HOLDINGS, ORDER = np.uint64(0), np.uint64(4), np.uint64(8), np.uint64(24), np.uint64(32)
NEXT, AFTER = np.uint64(0), np.uint64(1)
# Scratch of ``knock``, in words; what choices to show are worth, in reals.
SCRATCH, VALUES = np.uint64(200), np.uint64(3200)
LOWEST = F(0.25)
"""What the matta is worth more as the lowest value it may take: an ace sweeps, at this turn or a later one."""
AT_STAKE = F(2)
"""Points that the choice of what to show can change a play by, at most: what earns less is not looked at."""

FIFTEEN = np.uint64(15)
_TWO, _THREE, _FORTY, _LAST = np.uint64(2), np.uint64(3), np.uint64(40), np.uint64(3**10 - 1)
_HALF = F(0.5)
_ACES = np.uint64(0x40100401)
_PI_HALF = F(np.pi / 2)


@small
def fill_worths(r, m, view):
    """Write into the room what a sweep is worth, and each card in my side's pile rather than in no pile."""
    mine = view.pile[view.side]
    others = ZERO
    for i in range(r.sides):
        others |= view.pile[i]
    others ^= mine
    kept = ONE if not aims_at_game(r, m, view) else ZERO  # where the game is aimed at the score changes all worths
    if m.words[PILES] == mine and m.words[PILES + ONE] == others and m.words[PILES + _TWO] == ONE and kept:
        return
    m.words[PILES], m.words[PILES + ONE], m.words[PILES + _TWO] = mine, others, kept
    my_point, their_point, win, loss = stakes(r, m, view)
    m.reals[SCOPA + NEXT], m.reals[SCOPA + AFTER] = their_point, my_point
    both = _HALF * (my_point + their_point)
    a, b = popcount(mine), popcount(others)
    c = m.cards
    a_more, b_more = min(a + ONE, _FORTY), min(b + ONE, _FORTY)
    one = _HALF * (my_point * (c[a_more, b] - c[a, b_more]) + their_point * (c[b_more, a] - c[b, a_more]))
    slope = F(0)
    if r.primiera_point:
        mean, variance = prime_lead(m, mine, others)
        spread = mean * mean + _PI_HALF * variance
        if variance > F(0):
            slope = both * F(r.primiera_point) * _PI_HALF * variance / (spread * F(np.sqrt(spread))) * _HALF
    all_diamonds = win * outright(r, mine, others) + loss * outright(r, others, mine)
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
                worth += _HALF * (my_point * (m.diamonds[up] - m.diamonds[down]) - their_point * theirs) + all_diamonds
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
def region_of(which):
    """Where a region starts in ``Mind.reals``."""
    return REGION + which * REGIONS


@small
def clear_rows(m):
    """Set what is in front of the rows, once for a room."""
    if m.reals[REGION + ROWS] == NEVER:
        return
    for which in range(2):
        rows = region_of(np.uint64(which)) + ROWS
        for s in range(41 * 32):
            m.reals[rows + np.uint64(s)] = NEVER
        m.reals[rows + PAD] = F(0)


@small
def fill_unseen(m, cards):
    """Count the cards of a mask by value, and their mean worth."""
    for v in range(1, 11):
        m.words[COUNT + np.uint64(v)] = ZERO
        m.reals[MEAN + np.uint64(v)] = F(0)
    while cards:
        card = lowest(cards)
        cards &= cards - ONE
        m.words[COUNT + VALUE[card]] += ONE
        m.reals[MEAN + VALUE[card]] += m.reals[WORTH + card]
    for v in range(1, 11):
        if m.words[COUNT + np.uint64(v)]:
            m.reals[MEAN + np.uint64(v)] /= F(m.words[COUNT + np.uint64(v)])


@small
def fill_none_of(m, which, cards, held):
    """The chances that ``held`` of so many cards have none of 0, 1, 2, ... given ones."""
    at = region_of(which) + NONE_OF
    chance, left = F(1), F(cards)
    for i in range(cards + ONE):
        m.reals[at + np.uint64(i)] = chance
        chance = chance * (left - F(held)) / left if left > F(held) else F(0)
        left -= F(1)


@small
def fill_rows_of_best(r, m, t, which):
    """For each total 0 to 15 the most that table cards of that total are worth; returns where the last row starts."""
    row = region_of(which) + ROWS
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
def taken(r, m, t, which, s):
    """The mask of the cards of total ``s`` that are worth most."""
    row, rest, got = region_of(which) + ROWS + ROW * popcount(t.cards) + PAD, t.cards, ZERO
    while s and rest:
        card = highest(rest)
        rest ^= ONE << card
        if m.reals[row + s] != m.reals[row - ROW + s]:
            got |= ONE << card
            s -= value_of(r, t, card)
        row -= ROW
    return got


@small
def take_gain(r, m, best, worth, points, value, scopa):
    """What a card of a value takes at best from a table of so much worth and so many points, ``NEVER`` if nothing.

    ``best`` is the row of its best totals; ``scopa`` what a sweep is worth, 0 where none counts. The card's own worth
    is left out. Single cards and sums are not told apart: a rule that does makes the reply a little worse than this.
    """
    gain = NEVER
    if r.capture_sum or r.capture_equal:
        gain = m.reals[best + value]
    if r.capture_fifteen:
        gain = max(gain, m.reals[best + FIFTEEN - value])
    whole = points == value or (points == FIFTEEN - value and r.capture_fifteen)
    if value == ONE and r.ace_sweep and m.reals[best + ONE] <= NEVER * _HALF:
        if r.ace_must_sweep or worth > gain:
            gain = worth
        whole = whole or r.ace_sweep_scopa
    if whole and scopa > F(0):
        gain = max(gain, worth + scopa)
    return gain


@small
def reply_gain(r, m, best, worth, points, value, own, scopa):
    """What a card of a value, itself worth ``own``, gains at best from a table, see ``take_gain``."""
    gain = take_gain(r, m, best, worth, points, value, scopa)
    return gain + own if gain > NEVER * _HALF else -LEAVE * own


@small
def rank_replies(r, m, t, which, known, sweep_counts):
    """Rank the values of unseen cards by what they take from a table, most first.

    Returns how many there are, what the best of the cards ``known`` takes (``NEVER`` without any), and the row of best
    totals.
    """
    best = fill_rows_of_best(r, m, t, which)
    worth, points = worth_of(m, t.cards), total(r, t)
    gains, values = region_of(which) + GAIN, ORDER + which * np.uint64(16)
    scopa = m.reals[SCOPA + which] if sweep_counts else F(0)
    size = ZERO
    for v in range(1, 11):
        value = np.uint64(v)
        if m.words[COUNT + value] == ZERO:
            continue
        gain = reply_gain(r, m, best, worth, points, value, m.reals[MEAN + value], scopa)
        j = size
        while j > ZERO and m.reals[gains + j - ONE] < gain:
            m.reals[gains + j] = m.reals[gains + j - ONE]
            m.words[values + j] = m.words[values + j - ONE]
            j -= ONE
        m.reals[gains + j] = gain
        m.words[values + j] = value
        size += ONE
    return size, best_known(r, m, t, best, known, scopa), best


@small
def best_known(r, m, t, best, known, scopa):
    """What the best of some cards takes from a table; ``NEVER`` without any. A sweep is worth ``scopa``."""
    worth, points = worth_of(m, t.cards), total(r, t)
    sure = NEVER
    while known:
        card = lowest(known)
        known &= known - ONE
        own = m.reals[WORTH + card]
        sure = max(sure, reply_gain(r, m, best, worth, points, value_of(r, t, card), own, scopa))
    return sure


@small
def gain_after(r, m, t, known, hidden, sweep_counts):
    """What the player after the next is expected to take from a table, with ``known`` and so many ``hidden`` cards."""
    if t.cards == ZERO:
        return F(0)
    if hidden == ZERO:
        scopa = m.reals[SCOPA + AFTER] if sweep_counts else F(0)
        sure = best_known(r, m, t, fill_rows_of_best(r, m, t, AFTER), known, scopa)
        return sure if sure > NEVER else F(0)
    size, sure, _ = rank_replies(r, m, t, AFTER, known, sweep_counts)
    at = region_of(AFTER)
    expected, before, cards = F(0), F(1), ZERO
    for i in range(size):
        gain = m.reals[at + GAIN + np.uint64(i)]
        if gain <= sure:
            break
        cards += m.words[COUNT + m.words[ORDER + np.uint64(16) + np.uint64(i)]]
        none = m.reals[at + NONE_OF + cards]
        expected += (before - none) * gain
        before = none
    return expected + before * sure if sure > NEVER else expected


@small
def after_reply(r, m, t, best, value):
    """The table after the best reply with an unseen card of a value."""
    by_value, by_fifteen = m.reals[best + value], m.reals[best + FIFTEEN - value]
    if max(by_value, by_fifteen) <= NEVER * _HALF:
        if value == ONE and r.ace_sweep and m.reals[best + ONE] <= NEVER * _HALF:
            return remove(r, t, t.cards)
        return land(t, lowest(m.words[UNSEEN] & (_ACES << (value - ONE))), value)
    return remove(r, t, taken(r, m, t, NEXT, value if by_value >= by_fifteen else FIFTEEN - value))


@small
def expected_reply(r, m, t, known, sweep_counts, mine, hidden, weight, likely):
    """What the next player is expected to gain from a table, less what the player after gains from what is left.

    ``known`` are cards the next player is known to hold; ``mine`` and ``hidden`` are those of the player after.
    """
    if t.cards == ZERO:
        return F(0)
    size, sure, best = rank_replies(r, m, t, NEXT, known, sweep_counts)
    at = region_of(NEXT)
    expected, before, cards = F(0), F(1), ZERO
    for i in range(size):
        gain = m.reals[at + GAIN + np.uint64(i)]
        if gain <= sure:
            break
        value = m.words[ORDER + np.uint64(i)]
        cards += m.words[COUNT + value]
        none = m.reals[at + NONE_OF + cards]
        chance = before - none
        if chance > likely:
            gain -= weight * gain_after(r, m, after_reply(r, m, t, best, value), mine, hidden, sweep_counts)
        expected += chance * gain
        before = none
    return expected + before * sure if sure > NEVER else expected


@small
def cards_of_new_stage(r, view):
    """How many cards a seat holds at the start of the next stage."""
    return ZERO if view.stock == ZERO else r.plan[view.stage + ONE]


@small
def prepare(r, m, view):
    """Fill the room for the position of a view: what cards are worth, and what the players behind may hold.

    Returns the next player's known cards, and for the player after: whether it is oneself, and its hidden cards.
    """
    fill_worths(r, m, view)
    clear_rows(m)
    cards = unseen(view)
    fill_unseen(m, cards)
    m.words[UNSEEN] = cards
    following = view.seat + ONE if view.seat + ONE < r.players else ZERO
    after = following + ONE if following + ONE < r.players else ZERO
    known = view.first[following] if view.first[following] else view.shown[following]
    held = ZERO if view.first[following] else view.held[following] - popcount(view.shown[following])
    if view.held[following] == ZERO:
        held = cards_of_new_stage(r, view)
    fill_none_of(m, NEXT, popcount(cards), held)
    own = after == view.seat and view.held[after] > ONE
    hidden = ZERO if own else view.held[after]
    if after == view.seat or hidden == ZERO or (after < view.seat and hidden == ONE and following < view.seat):
        hidden = ZERO if own else cards_of_new_stage(r, view)
    fill_none_of(m, AFTER, popcount(cards), hidden)
    return known, own, hidden


@small
def play_value(r, m, view, t, play, known, own, hidden):
    """What a play gains, less the expected reply."""
    card, got = card_of(play), captured(play)
    if got:
        gain = worth_of(m, got | ONE << card) + F(is_sweep(play)) * m.reals[SCOPA + AFTER]
        left = remove(r, t, got)
    else:
        gain = F(0)
        left = land(t, card, value_in(play))
    if view.plays_left == ONE:
        return gain
    sweeps = view.plays_left > _TWO or r.last_card_scopa
    mine = view.holding ^ (ONE << card) if own else ZERO
    weight, likely = (OWN_NEXT, OWN_LIKELY) if own else (PARTNER_NEXT, PARTNER_LIKELY)
    if r.sides > _TWO:  # what another gains counts as his part of the others' mean; the player after is no partner
        weight = weight if own else -weight
        return gain - expected_reply(r, m, left, known, sweeps, mine, hidden, weight, likely) / F(r.sides - ONE)
    return gain - expected_reply(r, m, left, known, sweeps, mine, hidden, weight, likely)


@small
def careful_play(r, m, view, plays):
    """The place of the play that is worth most, with the points that sets not shown yet can still earn after it."""
    if plays.size == 1:
        return ZERO
    if view.plays_left <= SOLVED and not has_sets_left(view):
        holdings = m.words[HOLDINGS : HOLDINGS + np.uint64(4)]
        if known_holdings(r, view, holdings):
            return solve_view(r, m, view, plays, holdings, plays_in_stage(view))
    known, own, hidden = prepare(r, m, view)
    return best_of_plays(r, m, view, plays, known, own, hidden)[1]


@small
def point(m):
    """What a point of one's own is worth after ``prepare``: 1, or what it adds to the chance to win the game."""
    return m.reals[SCOPA + AFTER]


@small
def best_of_plays(r, m, view, plays, known, own, hidden):
    """The most that a play is worth after ``prepare``, and its place."""
    t = table_of(view, m.rows)
    best, chosen = F(-1e9), ZERO
    for i in range(plays.size):
        value = play_value(r, m, view, t, plays[i], known, own, hidden)
        if view.may_show:
            value += point(m) * F(promised_after(r, view, card_of(plays[i]), m.words[SCRATCH:]))
        if value > best:
            best, chosen = value, np.uint64(i)
    return best, chosen


@small
def value_knocks(r, m, view, knocks):
    """Write into the room what each choice to show is worth: its points, those behind it, and the best play after it.

    Left out, at ``NEVER``, is what earns so much less than another that no play can make up for it.
    """
    most = ZERO
    for i in range(knocks.size):
        total = points_of(knocks[i]) + promised_behind(r, view, knocks[i], m.words[SCRATCH:])
        m.reals[VALUES + np.uint64(i)] = F(total)
        most = max(most, total)
    known, own, hidden = prepare(r, m, view)
    matta_value = view.matta_value
    holdings = m.words[HOLDINGS : HOLDINGS + np.uint64(4)]
    solved = view.plays_left <= SOLVED and known_holdings(r, view, holdings)
    for i in range(knocks.size):
        at = VALUES + np.uint64(i)
        waits = knocks[i] == ZERO and view.may_show
        if m.reals[at] < F(most) - AT_STAKE and not waits:
            m.reals[at] = NEVER
            continue
        if i and shown_in(knocks[i]) == shown_in(knocks[i - 1]):
            m.reals[at] -= LOWEST
        m.reals[at] *= point(m)
        show_set(r, view, knocks[i])
        if solved:
            earned = F(0) if aims_at_game(r, m, view) else F(points_of(knocks[i]))
            m.reals[at] = solve_lead(r, m, view, holdings, plays_in_stage(view)) + earned
            take_back(view, knocks[i], matta_value)
            continue
        plays = list_plays(r, table_of(view, m.rows), view.allowed, view.plays_left == ONE, m.plays)
        m.reals[at] += best_of_plays(r, m, view, m.plays[:plays], known, own, hidden)[0]
        take_back(view, knocks[i], matta_value)


@small
def best_knock(m, size):
    """The place of the choice worth most after ``value_knocks``; of equal ones the first."""
    chosen = ZERO
    for i in range(size):
        if m.reals[VALUES + np.uint64(i)] > m.reals[VALUES + chosen]:
            chosen = np.uint64(i)
    return chosen


@entry(policy_signature)
def knock(rules, view, plays, mind):
    """What ``careful`` shows."""
    r, m = rules_at(rules), mind_at(mind)
    value_knocks(r, m, view, plays)
    return best_knock(m, np.uint64(plays.size))


@entry(policy_signature)
def policy(rules, view, plays, mind):
    """The policy ``careful``."""
    return careful_play(rules_at(rules), mind_at(mind), view, plays)
