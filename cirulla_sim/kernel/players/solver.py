"""The best line of play when all holdings are known: alpha-beta to the end of the stage, or some plays ahead.

With two sides the value is the margin of side 0; with more, each side takes the play that is best for its points less
the mean of the others', and the value is the points of each. In a stage that others follow the end is worth what the
piles are (see ``worth.py``); at the end of the hand it is the score.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, TWO, ZERO, popcount
from ..game.captures import Table, fill_rows, is_large, land, remove, with_matta_as
from ..game.scoring import SEVENS, diamonds_of
from ..jit import small
from .view import captured, card_of, is_sweep, list_plays, unseen, value_in
from .worth import settled_worth, side_worth

F = np.float32
INFINITE = F(1e6)
NOBODY = np.uint64(255)

# A position is a frame of words and a frame of reals, the next play's right behind it. Places in the words:
HELD, PILE, TABLE, PRODUCT, MATTA, LAST, SEAT, LEFT, START, COUNT, NEXT, CHOSEN = (
    np.uint64(i) for i in (0, 4, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)
)
# and in the reals: points made ahead by side, the best value by side, alpha and beta.
POINTS, BEST, ALPHA, BETA = (np.uint64(i) for i in (0, 4, 8, 9))
WORDS_A_FRAME, REALS_A_FRAME = np.uint64(24), np.uint64(12)
FIRST_WORD, FIRST_REAL = np.uint64(1024), np.uint64(5120)
MUST, COMING, SCORE = np.uint64(1000), np.uint64(1004), np.uint64(1008)
"""Four words each: by seat, cards that must be played before others; holdings of the next stage, 0 to stop there; by
side, points of the game and of the hand so far."""
WHOLE, SHORTEST, ENOUGH = np.uint64(12), np.uint64(3), np.uint64(2000)
"""How far ``solve_within`` looks; four players' stage of three cards takes some 2,000 positions."""
WHOLE_OF_MANY = np.uint64(9)
"""In place of ``WHOLE`` where each of more than two sides, for whom no line is cut off, may leave cards that capture: a
stage of twelve plays took up to seconds a play, one of nine takes milliseconds."""
HALF, LEAST = F(0.5), F(0.001)
AIMED = np.uint64(1012)
"""0 where values are points; where they are chances of winning the game ``BY_POINTS`` if those that are alike are told
apart by points, else ``BY_NOTHING``. A player that is beaten by best play still hopes for mistakes, and points are the
hope: without them aiming at the game lost more of it than it won."""
BY_POINTS, BY_NOTHING = ONE, TWO
LEAST = F(0.0001)
"""Of a chance, what a point is worth at least."""
STEP = F(3)
"""Points up and down between which it is looked what a point is worth: as many as a play may change."""
ALL_OF = np.array([0.55**lacking for lacking in range(11)], F)
"""The chance to take all of so many diamonds, no other side having any: what a side takes comes together, so it is more
than one half to the power of so many. It fits hands of ``careful`` play within a third or so."""

_KEY = np.uint64(52)
_EIGHT = np.uint64(8)


@small
def side_of(r, seat):
    """The side of a seat."""
    return seat & ONE if r.sides == TWO else seat


@small
def order(plays, start, count):
    """Sort plays so that what looks best comes first: sweeps, then cards captured, diamonds and sevens twice."""
    for i in range(start, start + count):
        word = plays[i]
        got = captured(word)
        if got:
            got |= ONE << card_of(word)
            key = popcount(got) + popcount(diamonds_of(got)) + popcount(got & SEVENS) + _EIGHT * is_sweep(word) + TWO
        else:
            own = ONE << card_of(word)
            key = ONE - min(ONE, popcount(diamonds_of(own)) + popcount(own & SEVENS))
        word |= key << _KEY
        j = np.uint64(i)
        while j > start and plays[j - ONE] < word:
            plays[j] = plays[j - ONE]
            j -= ONE
        plays[j] = word


@small
def open_frame(r, m, f, at):
    """List the plays of a position and set what its search begins with; ``at`` is the first free place for plays."""
    w = m.words
    t = Table(w[f + TABLE], w[f + PRODUCT], w[f + MATTA], m.rows)
    seat = w[f + SEAT]
    if seat == ZERO and r.matta_reverts and t.matta_value != r.matta_value and (t.cards >> r.matta) & ONE:
        t = with_matta_as(r, t, r.matta_value)
        w[f + PRODUCT], w[f + MATTA] = t.product, t.matta_value
    if is_large(t):
        fill_rows(r, t)
    allowed = w[f + HELD + seat] & w[MUST + seat]
    if allowed == ZERO:
        allowed = w[f + HELD + seat]
    count = list_plays(r, t, allowed, w[f + LEFT] == ONE, m.plays[at:])
    order(m.plays, at, count)
    w[f + START], w[f + COUNT], w[f + NEXT], w[f + CHOSEN] = at, count, ZERO, ZERO


@small
def make(r, m, f, g, x, y, play):
    """Write the position after a play into the frame ``g`` of words and ``y`` of reals."""
    w = m.words
    for i in range(8):
        w[g + np.uint64(i)] = w[f + np.uint64(i)]
    for i in range(4):
        m.reals[y + np.uint64(i)] = m.reals[x + np.uint64(i)]
    seat = w[f + SEAT]
    side = side_of(r, seat)
    card, got = card_of(play), captured(play)
    w[g + HELD + seat] ^= ONE << card
    t = Table(w[f + TABLE], w[f + PRODUCT], w[f + MATTA], m.rows)
    last = w[f + LAST]
    if got:
        t = remove(r, t, got)
        w[g + PILE + side] |= got | ONE << card
        last = seat
        m.reals[y + POINTS + side] += F(is_sweep(play))
    else:
        t = land(t, card, value_in(play))
    w[g + TABLE], w[g + PRODUCT], w[g + MATTA], w[g + LAST] = t.cards, t.product, t.matta_value, last
    seat += ONE
    w[g + SEAT] = ZERO if seat == r.players else seat
    w[g + LEFT] = w[f + LEFT] - ONE
    if w[g + HELD] | w[g + HELD + ONE] | w[g + HELD + TWO] | w[g + HELD + np.uint64(3)] == ZERO:
        for i in range(4):
            w[g + HELD + np.uint64(i)] = w[COMING + np.uint64(i)]


@small
def value_leaf(r, m, g, y, values):
    """Write the points of each side at a position where nobody looks further into ``reals`` from ``values`` on."""
    w = m.words
    piles = w[g + PILE : g + PILE + np.uint64(4)]
    settled = w[g + LEFT] == ZERO
    if settled and w[g + LAST] != NOBODY:
        piles[side_of(r, w[g + LAST])] |= w[g + TABLE]
    everything = piles[0] | piles[1] | piles[2] | piles[3]
    for i in range(r.sides):
        side = np.uint64(i)
        mine = piles[side]
        worth = m.reals[y + POINTS + side]
        if settled:
            worth += settled_worth(r, piles, side)
        else:
            worth += side_worth(r, m, mine, everything ^ mine)
        m.reals[values + side] = worth
    if w[AIMED]:
        aim_at_game(r, m, g, values)


@small
def chance_at(m, left, mine, theirs):
    """Side 0's chance of winning the game with so many points (reals) against so many and so many plays left."""
    last = np.uint64(m.win.shape[1]) - ONE
    mine, theirs = min(max(mine, F(0)), F(last)), min(max(theirs, F(0)), F(last))
    i, j = min(np.uint64(mine), last - ONE), min(np.uint64(theirs), last - ONE)
    x, y = mine - F(i), theirs - F(j)
    low = m.win[left, i, j] * (F(1) - x) + m.win[left, i + ONE, j] * x
    high = m.win[left, i, j + ONE] * (F(1) - x) + m.win[left, i + ONE, j + ONE] * x
    return low * (F(1) - y) + high * y


@small
def aims_at_game(r, m, view):
    """Whether the values of a seat are chances of winning the game, not points."""
    return view.aims_at_game == ONE and m.win.shape[0] > 0 and r.sides == TWO


@small
def outright(r, mine, others):
    """The chance that a side takes all ten diamonds."""
    if diamonds_of(others) or not r.all_diamonds_wins:
        return F(0)
    return ALL_OF[np.uint64(10) - popcount(diamonds_of(mine))]


@small
def aim_at_game(r, m, g, values):
    """Turn the points of two sides into their chances of winning the game, in ``reals`` from ``values`` on."""
    w = m.words
    chance = chance_at(m, w[g + LEFT], F(w[SCORE]) + m.reals[values], F(w[SCORE + ONE]) + m.reals[values + ONE])
    won, lost = outright(r, w[g + PILE], w[g + PILE + ONE]), outright(r, w[g + PILE + ONE], w[g + PILE])
    chance = won + (F(1) - won - lost) * chance
    if w[AIMED] == BY_POINTS:
        chance += LEAST * (m.reals[values] - m.reals[values + ONE])
    m.reals[values], m.reals[values + ONE] = chance, F(1) - chance


@small
def stakes(r, m, view):
    """What is at stake at a view, by what it changes in the lead of one's side (see ``lead``): a point of one's own, a
    point of the others', winning the game at once, losing it.

    Where points are maximised a point is a point. Where the game is, it is worth what it changes in the chance, but
    never less than ``LEAST``: where no chance is left to change, points are still better than none.
    """
    if not aims_at_game(r, m, view):
        return F(1), F(1), F(0), F(0)
    mine, theirs = view.pile[0], view.pile[1]
    here = F(view.score[0] + view.points[0]) + side_worth(r, m, mine, theirs)
    there = F(view.score[1] + view.points[1]) + side_worth(r, m, theirs, mine)
    left = view.plays_left
    first = (chance_at(m, left, here + STEP, there) - chance_at(m, left, here - STEP, there)) / STEP
    second = (chance_at(m, left, here, there - STEP) - chance_at(m, left, here, there + STEP)) / STEP
    first, second = max(first, LEAST), max(second, LEAST)
    chance = F(2) * chance_at(m, left, here, there)
    if view.side:
        return second, first, chance, F(2) - chance
    return first, second, F(2) - chance, chance


@small
def lead(r, reals, values, side):
    """The points of a side less the mean of the others'."""
    mine, others = reals[values + side], F(0)
    for i in range(r.sides):
        others += reals[values + np.uint64(i)]
    return mine - (others - mine) / F(r.sides - ONE)


@small
def search_frames(r, m, depth, alpha, beta, root):
    """Search the position in the first frame ``depth`` plays ahead (at least one); returns the number of positions.

    The best play is left in the first frame (see ``best_play``), the points of each side in its line in ``BEST``.
    With two sides only a margin of side 0 above ``alpha`` and below ``beta`` is exact. ``root`` is the one play to try
    first, 0 for all.
    """
    w, reals = m.words, m.reals
    nodes = ZERO
    ply = ZERO
    f, x = FIRST_WORD, FIRST_REAL
    two = r.sides == TWO
    open_frame(r, m, f, ZERO)
    if root:
        m.plays[0], w[f + COUNT] = root, ONE
    reals[x + ALPHA], reals[x + BETA] = alpha, beta
    while True:
        seat = w[f + SEAT]
        side = side_of(r, seat)
        if w[f + NEXT] < w[f + COUNT]:
            play = m.plays[w[f + START] + w[f + NEXT]]
            w[f + NEXT] += ONE
            g, y = f + WORDS_A_FRAME, x + REALS_A_FRAME
            make(r, m, f, g, x, y, play)
            nodes += ONE
            if ply + ONE < depth:
                open_frame(r, m, g, w[f + START] + w[f + COUNT])
                reals[y + ALPHA], reals[y + BETA] = reals[x + ALPHA], reals[x + BETA]
                f, x, ply = g, y, ply + ONE
                continue
            value_leaf(r, m, g, y, y + BEST)
        else:
            if ply == ZERO:
                return nodes
            g, y = f, x
            f, x, ply = f - WORDS_A_FRAME, x - REALS_A_FRAME, ply - ONE
            side = side_of(r, w[f + SEAT])
        # The value of the position behind ``g`` is in its BEST: is it the best for who plays here?
        if w[f + CHOSEN] == ZERO or lead(r, reals, y + BEST, side) > lead(r, reals, x + BEST, side):
            w[f + CHOSEN] = w[f + NEXT]
            for i in range(4):
                reals[x + BEST + np.uint64(i)] = reals[y + BEST + np.uint64(i)]
        if two:
            margin = reals[x + BEST] - reals[x + BEST + ONE]
            if side == ZERO:
                reals[x + ALPHA] = max(reals[x + ALPHA], margin)
            else:
                reals[x + BETA] = min(reals[x + BETA], margin)
            if reals[x + ALPHA] >= reals[x + BETA]:
                w[f + NEXT] = w[f + COUNT]


@small
def set_position(r, m, view, holdings):
    """Write the position of a view, with all holdings (uint64[4], masks by seat), into the first frame.

    Places of seats that nobody sits at are not read: whoever fills the holdings may leave anything there.
    """
    f, x = FIRST_WORD, FIRST_REAL
    w = m.words
    for i in range(4):
        k = np.uint64(i)
        w[f + HELD + k] = holdings[k] if k < r.players else ZERO
        w[f + PILE + k] = view.pile[k]
        w[MUST + k] = view.first[k]
        w[COMING + k] = ZERO
        w[SCORE + k] = view.score[k] + view.points[k]
        m.reals[x + POINTS + k] = F(0)
    w[f + TABLE], w[f + PRODUCT], w[f + MATTA] = view.table, view.table_product, view.matta_value
    w[f + LAST], w[f + SEAT], w[f + LEFT] = view.last_capture, view.seat, view.plays_left
    w[AIMED] = BY_POINTS if aims_at_game(r, m, view) else ZERO


@small
def best_play(m):
    """The best play of the position in the first frame after ``search_frames``."""
    w = m.words
    return m.plays[w[FIRST_WORD + START] + w[FIRST_WORD + CHOSEN] - ONE] & ((ONE << _KEY) - ONE)


@small
def known_holdings(r, view, holdings):
    """Write all holdings, if the view tells them, to ``holdings`` (uint64[4], by seat); returns whether it does."""
    rest = unseen(view)
    if view.stock or popcount(rest) > np.uint64(10):
        return False
    for i in range(r.players):
        seat = np.uint64(i)
        holdings[seat] = view.holding if seat == view.seat else view.shown[seat]
        lacking = view.held[seat] - popcount(holdings[seat])
        if lacking:
            if lacking != popcount(rest):
                return False
            holdings[seat] |= rest
    return True


@small
def plays_in_stage(view):
    """The number of plays left in this stage, the next one included."""
    return view.held[0] + view.held[1] + view.held[2] + view.held[3]


@small
def place_of(plays, play):
    """The place of a play among the plays."""
    for i in range(plays.size):
        if plays[i] == play:
            return np.uint64(i)
    return ZERO


@small
def solve_lead(r, m, view, holdings, depth):
    """What the best play leads to for the side to play, all holdings known, ``depth`` plays looked ahead."""
    set_position(r, m, view, holdings)
    search_frames(r, m, depth, -INFINITE, INFINITE, ZERO)
    return lead(r, m.reals, FIRST_REAL + BEST, view.side)


@small
def solve_view(r, m, view, plays, holdings, depth):
    """The place of the best play, all holdings known, ``depth`` plays looked ahead."""
    set_position(r, m, view, holdings)
    search_frames(r, m, depth, -INFINITE, INFINITE, ZERO)
    return place_of(plays, best_play(m))


@small
def solve_within(r, m, view, plays, holdings):
    """The place of the best play, all holdings known, looked ahead as far as is cheap.

    That is to the end of a stage of up to ``WHOLE`` plays (or ``WHOLE_OF_MANY``); in a larger one a play farther and
    farther, until more than ``ENOUGH`` positions are searched.
    """
    search_within(r, m, view, holdings)
    return place_of(plays, best_play(m))


@small
def search_within(r, m, view, holdings):
    """Search as far as is cheap, see ``solve_within``; returns what the best play leads to for the side to play."""
    here = plays_in_stage(view)
    whole = WHOLE_OF_MANY if r.sides > TWO and r.capture_optional else WHOLE
    depth = here if here <= whole else SHORTEST
    while True:
        set_position(r, m, view, holdings)
        nodes = search_frames(r, m, depth, -INFINITE, INFINITE, ZERO)
        if depth == here or nodes > ENOUGH:
            return lead(r, m.reals, FIRST_REAL + BEST, view.side)
        depth += ONE
