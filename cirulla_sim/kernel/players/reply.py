"""What the next player is expected to make of a table, reckoned from the cards that have gone.

Cards are worth what they change in the expected points of the hand (see ``worth.py``). The replies are expected over
the cards not seen: the next player's best reply for each value of card, weighed by the chance that no better card is
held, which follows from counting the cards that have gone. Behind each likely reply stands the best that the player
after that can take: with two players oneself, whose cards are known.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, ZERO, highest, lowest, popcount
from ..game.captures import Table, value_of
from ..game.flat import VALUE, WORD
from ..game.scoring import SUIT
from ..jit import large, small
from .lanes import chosen, equal, flipped, load, more, most, plus, splat, store, times
from .solver import aims_at_game, outright, stakes
from .worth import TERNARY, prime_lead, suit_of

F = np.float32
NEVER = F(-1e6)
NOTHING = NEVER * F(0.5)
"""More than what takes nothing is worth."""

LEAVE = F(0.5)
"""Of a card's worth, lost by leaving it on the table; chosen by trial, as the weights of ``careful``."""

PAD = np.uint64(16)
"""Places in front of a row of best totals that are never reached: no total needs asking whether it is negative."""

WIDTH = 32
"""Places of a row, ``PAD`` and the totals 0 to 15."""

NEXT, AFTER = np.uint64(0), np.uint64(1)
"""Who is reckoned for: the next player, and the one after."""

REPLIER = np.dtype(
    [
        ("held", WORD),  # of how many unseen cards the holding is
        ("rows", np.float32, (41, WIDTH)),  # [n, PAD + s]: the most that cards of total s of the n lowest are worth
        ("takes", np.float32, 16),  # by value, what a card takes from the table, itself not counted
        ("gained", np.float32, 16),  # by value, what an unseen card gains
        ("gains", np.float32, 16),  # the same of the unseen values, most first
        ("values", WORD, 16),  # the values in that order
    ],
    align=True,
)
"""What is reckoned for one who replies."""

REPLIES = np.dtype(
    [
        ("mine", WORD),  # the piles that the worths are for: my side's,
        ("others", WORD),  # and the others'
        ("kept", WORD),  # 1 where the worths may be used again for these piles
        ("unseen", WORD),  # mask of the unseen cards
        ("size", WORD),  # how many they are
        ("values", WORD),  # the values that they have, a bit each
        ("count", WORD, 16),  # how many of them have each value
        ("mean", np.float32, 16),  # and their mean worth
        ("worth", np.float32, 40),  # of each card
        ("scopa", np.float32, 2),  # what a sweep is worth to the next player, and to the one after
        ("repliers", REPLIER, 2),
    ],
    align=True,
)
"""The scratch of this file."""

FIFTEEN = np.uint64(15)
_TWO, _FORTY = np.uint64(2), np.uint64(40)
_HALF = F(0.5)
_ACE = np.uint64(1 << 1)
_ACES = np.uint64(0x40100401)
_PI_HALF = F(np.pi / 2)


@large
def fill_worths(r, m, view):
    """Write into the room what a sweep is worth, and each card in no pile yet: in my side's rather than in none."""
    mine = view.pile[view.side]
    others = ZERO
    for i in range(r.sides):
        others |= view.pile[i]
    others ^= mine
    kept = ONE if not aims_at_game(r, m, view) else ZERO  # where the game is aimed at the score changes all worths
    q = m.replies
    same = q.mine == mine and q.others == others
    swapped = q.mine == others and q.others == mine and r.sides == _TWO  # what one side wins the other loses
    if (same or swapped) and q.kept == ONE and kept:
        return
    q.mine, q.others, q.kept = mine, others, kept
    my_point, their_point, win, loss = stakes(r, m, view)
    q.scopa[NEXT], q.scopa[AFTER] = their_point, my_point
    both = _HALF * (my_point + their_point)
    a, b = popcount(mine), popcount(others)
    c = m.tables.cards
    a_more, b_more = min(a + ONE, _FORTY), min(b + ONE, _FORTY)
    one = _HALF * (my_point * (c[a_more, b] - c[a, b_more]) + their_point * (c[b_more, a] - c[b, a_more]))
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
            worth = one + slope * (m.tables.prime[up, 0] - m.tables.prime[down, 0])
            if i == 1:
                theirs = m.tables.diamonds[there + _TWO * digit] - m.tables.diamonds[there + digit]
                worth += (
                    _HALF * (my_point * (m.tables.diamonds[up] - m.tables.diamonds[down]) - their_point * theirs)
                    + all_diamonds
                )
            q.worth[np.uint64(10) * suit + rank] = worth


@small
def worth_of(m, cards):
    """The worth of a set of cards, a mask."""
    worth = F(0)
    while cards:
        worth += m.replies.worth[lowest(cards)]
        cards &= cards - ONE
    return worth


@small
def clear_rows(m):
    """Set what is in front of the rows, once for a room."""
    if m.replies.repliers[NEXT].rows[0, 0] == NEVER:
        return
    for which in range(2):
        rows = m.replies.repliers[np.uint64(which)].rows
        rows[:] = NEVER
        rows[0, PAD] = F(0)


@small
def fill_unseen(m, cards):
    """Count the cards of a mask by value, and their mean worth."""
    q = m.replies
    q.unseen, q.size, q.values = cards, popcount(cards), ZERO
    q.count[:] = ZERO
    q.mean[:] = F(0)
    while cards:
        card = lowest(cards)
        cards &= cards - ONE
        q.count[VALUE[card]] += ONE
        q.mean[VALUE[card]] += q.worth[card]
    for v in range(1, 11):
        value = np.uint64(v)
        if q.count[value]:
            q.mean[value] /= F(q.count[value])
            q.values |= ONE << value


@small
def with_cards(t, cards):
    """Other cards on the table, a mask: enough for what is asked here, where no captures are listed."""
    return Table(cards, ZERO, t.matta_value, t.rows)


@small
def fill_takes(r, m, t, who, scopa):
    """What cards of each value take at best from a table, ``NEVER`` if nothing; also written into ``who.takes``.

    ``scopa`` is what a sweep is worth, 0 where none counts. The card's own worth is left out. Single cards and sums are
    not told apart: a rule that does makes the reply a little worse than this. Row number ``n`` of ``who.rows`` has
    then for each total 0 to 15 the most that cards of that total among the lowest ``n`` of the table are worth.
    """
    rows, row = who.rows, ZERO
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
    if r.ace_sweep and not more(best, splat(NOTHING)) & _ACE:
        swept = splat(worth)
        takes = chosen(_ACE if r.ace_must_sweep else _ACE & more(swept, takes), swept, takes)
        if r.ace_sweep_scopa:
            whole |= _ACE
    if scopa > F(0):
        takes = chosen(whole, most(takes, splat(worth + scopa)), takes)
    store(who.takes, ZERO, takes)
    return takes


@small
def with_own(take, own):
    """What a card gains, from what it takes and its own worth."""
    return take + own if take > NOTHING else -LEAVE * own


@small
def taken(r, t, rows, s):
    """The mask of the cards of total ``s`` that are worth most, after ``fill_takes``."""
    at, rest, got = popcount(t.cards), t.cards, ZERO
    while rest:
        card = highest(rest)
        own = ONE << card
        rest ^= own
        within = ZERO - np.uint64(rows[at, PAD + s] != rows[at - ONE, PAD + s])  # a mask: nobody foresees it
        got |= own & within
        s -= value_of(r, t, card) & within
        at -= ONE
    return got


@small
def rank_values(m, takes, gained, gains, values):
    """Rank the values of unseen cards by what they gain, most first, into ``gains`` and ``values``.

    Returns how many there are. ``takes`` is what cards of each value take; what they gain is written into ``gained``.
    """
    q = m.replies
    mean = load(q.mean, ZERO)
    of_value = chosen(more(takes, splat(NOTHING)), plus(takes, mean), times(splat(-LEAVE), mean))
    store(gained, ZERO, of_value)
    rest = q.values
    while rest:  # no sorting: where a value stands among the others is counted, and nothing need be foreseen
        value = lowest(rest)
        rest &= rest - ONE
        own = splat(gained[value])
        place = popcount((more(of_value, own) | (equal(of_value, own) & ((ONE << value) - ONE))) & q.values)
        gains[place], values[place] = gained[value], value
    return popcount(q.values)


@small
def rank_replies(r, m, t, which, known, sweep_counts):
    """Rank the values of unseen cards by what they gain from a table, see ``rank_values``.

    Returns how many there are, and what the best of the cards ``known`` gains (``NEVER`` without any).
    """
    who = m.replies.repliers[which]
    takes = fill_takes(r, m, t, who, m.replies.scopa[which] if sweep_counts else F(0))
    return rank_values(m, takes, who.gained, who.gains, who.values), best_known(r, m, t, who.takes, known)


@small
def best_known(r, m, t, takes, known):
    """What the best of some cards gains, from what cards of each value take; ``NEVER`` without any."""
    sure = NEVER
    while known:
        card = lowest(known)
        known &= known - ONE
        sure = max(sure, with_own(takes[value_of(r, t, card)], m.replies.worth[card]))
    return sure


@large
def gain_after(r, m, t, known, hidden, sweep_counts):
    """What the player after the next is expected to take from a table, with ``known`` and so many ``hidden`` cards."""
    if t.cards == ZERO:
        return F(0)
    if hidden == ZERO:
        takes = m.replies.repliers[AFTER].takes
        fill_takes(r, m, t, m.replies.repliers[AFTER], m.replies.scopa[AFTER] if sweep_counts else F(0))
        sure = best_known(r, m, t, takes, known)
        return sure if sure > NEVER else F(0)
    size, sure = rank_replies(r, m, t, AFTER, known, sweep_counts)
    who = m.replies.repliers[AFTER]
    none_of = m.tables.none_of[who.held, m.replies.size]
    expected, before, cards = F(0), F(1), ZERO
    for i in range(size):
        gain = who.gains[np.uint64(i)]
        if gain <= sure:
            break
        cards += m.replies.count[who.values[np.uint64(i)]]
        none = none_of[cards]
        expected += (before - none) * gain
        before = none
    return expected + before * sure if sure > NEVER else expected


@small
def after_reply(r, m, t, rows, value):
    """The cards on the table after the best reply with an unseen card of a value, a mask, after ``fill_takes``."""
    best = rows[popcount(t.cards)]
    by_value, by_fifteen = best[PAD + value], best[PAD + FIFTEEN - value]
    if max(by_value, by_fifteen) <= NOTHING:
        if value == ONE and r.ace_sweep and best[PAD + ONE] <= NOTHING:
            return ZERO
        return t.cards | (ONE << lowest(m.replies.unseen & (_ACES << (value - ONE))))
    return t.cards ^ taken(r, t, rows, value if by_value >= by_fifteen else FIFTEEN - value)


@large
def expected_reply(r, m, t, known, sweep_counts, mine, hidden, weight, likely):
    """What the next player is expected to gain from a table, less what the player after gains from what is left.

    ``known`` are cards the next player is known to hold; ``mine`` and ``hidden`` are those of the player after.
    """
    if t.cards == ZERO:
        return F(0)
    size, sure = rank_replies(r, m, t, NEXT, known, sweep_counts)
    who = m.replies.repliers[NEXT]
    none_of = m.tables.none_of[who.held, m.replies.size]
    expected, before, cards = F(0), F(1), ZERO
    for i in range(size):
        gain = who.gains[np.uint64(i)]
        if gain <= sure:
            break
        value = who.values[np.uint64(i)]
        cards += m.replies.count[value]
        none = none_of[cards]
        chance = before - none
        if chance > likely:
            after = with_cards(t, after_reply(r, m, t, who.rows, value))
            gain -= weight * gain_after(r, m, after, mine, hidden, sweep_counts)
        expected += chance * gain
        before = none
    return expected + before * sure if sure > NEVER else expected
