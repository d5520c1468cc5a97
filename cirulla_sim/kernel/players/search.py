"""``search``: rollouts of every play on sampled deals of the unseen cards.

A play is worth its mean over the deals (see ``unseen_deal.py``), with all seats playing on by their own information.
Solving each deal with perfect information instead was weaker at the same cost, as such opponents see too much. The
opponent model is one policy, ``careful`` unless another is named: it says what a seat would have played and what it
will play. Against that policy the search finds nearly a best response. Unless an opponent is named, each other side can
be ``greedy`` or another player instead, as its plays suggest (see ``opponents.py``).

Looking ahead in a deal, piles are worth their expected points, and the table the expected gain of the next player. This
gain depends on the table, on the unseen cards and on how many of them are held, so it is computed once for a table and
cached for all deals of a position.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, TWO, ZERO, popcount
from ..game.bonuses import knock_points
from ..game.captures import make_table, with_matta_as
from ..game.flat import WORD
from ..game.hand import LAST_CAPTURE, SIDES, as_turn_begins, make_play
from ..game.plays import Moment, declared_in, list_plays, next_moment, played_card, rules_now, side_of
from ..game.scoring import COLUMN
from ..game.streams import STEP
from ..jit import inline, noinline
from .boards import NEVER, chances_of, expect_best, fill_takes, gains_of, hidden, load, splat, store
from .careful import SOLVED, best_knock, prepare_replies, value_knocks, value_plays
from .knock import has_sets_left, promised_after, show_set, take_back
from .opponent_query import greedy_turn, play_of, prepare_queries, stand, work_at
from .opponents import GREEDY, read_plays
from .reply import BOARDS
from .solver import (
    best_play,
    find_holdings,
    find_play,
    plays_in_stage,
    set_position,
    side_lead,
    solve_within,
    value_leaf,
)
from .unseen_deal import deal_believed, prepare_deals
from .view import cards_of_new_stage, unseen_cards, view_table
from .worth import aims_at_game

F = np.float32

RANKED = np.dtype(
    [
        ("gained", np.float32, 16),  # by value, what an unseen card gains
        ("expected", np.float32, 16),  # by number of cards held, of the best of them; NEVER if not computed yet
    ],
    align=True,
)
"""What is cached of a table."""

PLACES, PLACES_BITS = 1 << 10, np.uint64(10)

AHEAD = np.dtype(
    [
        ("keys", WORD, PLACES),  # the table of each entry, a mask; 0 for none
        ("tables", RANKED, PLACES),
    ],
    align=True,
)
"""A cache of tables."""

_SCOPE, _TABLE_BONUS, _HAND_BONUS = COLUMN["scope"], COLUMN["table_bonus"], COLUMN["hand_bonus"]


# ------------------------------------------------------------------------------------------------ the table left


@noinline
def table_entry(r, m, t):
    """The cache entry of a table that is not empty: what unseen cards of each value gain from it."""
    place = (t.cards * STEP) >> (np.uint64(64) - PLACES_BITS)
    ranking = m.ahead.tables[place]
    if m.ahead.keys[place] != t.cards:
        store(ranking.gained, ZERO, gains_of(m, fill_takes(r, m, t, m.replies.left[0], F(r.pays))))
        store(ranking.expected, ZERO, splat(NEVER))
        m.ahead.keys[place] = t.cards
    return ranking


@inline
def reply_value(r, m, t, held):
    """What a player with ``held`` unseen cards is expected to gain from a table."""
    if t.cards == ZERO:
        return F(0)
    ranking = table_entry(r, m, t)
    if ranking.expected[held] == NEVER:
        gains = load(ranking.gained, ZERO)
        ranking.expected[held] = expect_best(m, gains, chances_of(m, gains, hidden(held, m.replies.size)), NEVER)
    return ranking.expected[held]


# ------------------------------------------------------------------------------------------------ the plays


@noinline
def play_ahead(r, m, view, u, play, depth):
    """Make ``depth`` plays of the stage in ``u``: first ``play``, then those of the opponent model.

    Returns the table then, the seat to play, and the plays left.
    """
    stand(r, m, view, u, view.history_size)
    t = make_table(r, view.table, view.matta_value)
    at = Moment(view.stage, r.plays - view.plays_left, view.turn, view.seat)
    for ply in range(depth):
        now = rules_now(r, at.played)
        if ply:
            if at.seat == ZERO:
                t = as_turn_begins(r, t)
            play = greedy_turn(now, u, t, at) if u.sampled_styles[at.seat] == GREEDY else play_of(now, view, u, t, at)
            if declared_in(play):
                t = with_matta_as(r, t, declared_in(play))
        t = make_play(now, u, t, at.seat, play)
        u.history[at.played] = play
        at = next_moment(r, at)
    return t, at.seat, r.plays - at.played


@inline
def lead_after(r, m, view, u, play, depth):
    """The lead of the view's side after ``depth`` plays, by its own values of piles and table."""
    t, seat, left = play_ahead(r, m, view, u, play, depth)
    set_position(r, m, view, m.holdings)
    f = m.solver.frames[ZERO]
    for i in range(SIDES):
        earned = u.score[i, _SCOPE] + u.score[i, _TABLE_BONUS] + u.score[i, _HAND_BONUS]
        f.pile[i], f.points[i], f.held[i] = u.pile[i], F(r.pays) * (F(earned) - F(view.points[i])), u.held[i]
    if left:
        held = popcount(u.held[seat])
        f.points[side_of(r, seat)] += reply_value(r, m, t, held if held else cards_of_new_stage(r, view))
    f.table, f.matta_value, f.seat, f.left = t.cards, t.matta_value, seat, left
    f.last_capture = u.deal[LAST_CAPTURE]
    value_leaf(r, m, f)
    return side_lead(r, f.best, view.side)


F = np.float32
_THREE = np.uint64(3)

LONGEST, PLIES = np.uint64(12), np.uint64(6)
"""Stages up to the first number of plays are played out; of longer ones the second number. Then piles are valued."""

TRUST = F(6)
"""The value of a play by ``careful``, without noise, counts as much as this number of deals. One or two are weak
evidence: without it ``search:1`` loses 1.7 to ``careful`` with four players; with it, it wins 0.3. With more, less is
won against ``careful``, above all with many deals."""
BATCH = np.uint64(4)
"""Each time that this number of deals is done, plays are dropped that are unlikely to be the best after all deals."""
CLEAR = F(0.75)
"""Unlikely: the sum of a difference in the deals to come would have to make up for more than the square root of this
number of its standard deviations. Between 0.5 and 1, what is won at the same cost does not differ measurably. As
variances are those of differences in the same deals, fewer playouts are needed than where each play is taken by itself.
"""
MOST = 3000
"""Plays looked at; no position but in freaks has more."""
BEHIND = 256
"""Plays looked at behind a choice to show; a holding of three has no more but in freaks."""

SEARCH = np.dtype(
    [
        ("plays", WORD, MOST),  # the plays looked at; 0 for those that were dropped
        ("values", np.float32, MOST),  # what each play was worth in a deal
        ("sums", np.float32, 2 * MOST),  # of what each was worth less the mean of all, and of the squares, in turn
        ("means", np.float32),  # the sum of these means
        ("prior", np.float32, MOST),  # the prior value of each play, times the number of deals that it counts for
        ("sure", np.float32, MOST),  # what sets not shown yet can still earn after it
        ("behind", WORD, BEHIND),  # the plays behind a choice to show
        ("playouts", WORD),  # how often a play was played on, for who wants to know
    ],
    align=True,
)
"""The scratch of the search."""


@noinline
def play_samples(r, m, view, plays, samples):
    """Add up what each play is worth in some deals; plays given as 0 are left out. ``look_first`` goes before.

    In each deal the mean of all plays is subtracted from each: it is common to all of them.
    """
    u, here = work_at(view.opponent_work), plays_in_stage(view)
    depth = here if here <= LONGEST else PLIES
    values, sums = m.search.values, m.search.sums
    for _ in range(samples):
        deal_believed(r, m, view, u)
        mean, left = F(0), ZERO
        for i in range(plays.size):
            if plays[i]:
                values[i] = lead_after(r, m, view, u, plays[i], depth)
                mean += values[i]
                left += ONE
        mean /= F(left)
        m.search.means += mean
        m.search.playouts += left
        for i in range(plays.size):
            if plays[i]:
                value, at = values[i] - mean, TWO * np.uint64(i)
                sums[at] += value
                sums[at + ONE] += value * value


@inline
def worth_so_far(m, k, done):
    """The posterior value of play number ``k`` after ``done`` deals, relative to the others."""
    return (m.search.sums[TWO * k] + m.search.prior[k]) / F(done) + m.search.sure[k]


@inline
def best_so_far(m, plays, done):
    """The place of the best play that is not dropped."""
    best = ZERO
    for i in range(plays.size):
        k = np.uint64(i)
        if plays[k] and (plays[best] == ZERO or worth_so_far(m, k, done) > worth_so_far(m, best, done)):
            best = k
    return best


@inline
def variance_of(m, k, done):
    """The variance of what play number ``k`` was worth more than the others."""
    sums = m.search.sums
    mean = sums[TWO * k] / F(done)
    return sums[TWO * k + ONE] / F(done) - mean * mean


@inline
def drop_worse(m, plays, done, rest):
    """Set the plays that the ``rest`` of the deals will hardly make the best to 0; returns how many others are left.

    The variance of a difference is that of both, and a little more: what two of n plays differ from the mean of all
    makes up 1 - 1 / n of it, if they are alike.
    """
    best, size = best_so_far(m, plays, done), ZERO
    for i in range(plays.size):
        size += np.uint64(plays[i] != ZERO)
    share = F(1) - F(1) / F(size)
    left = ZERO
    for i in range(plays.size):
        k = np.uint64(i)
        if plays[k] == ZERO or k == best:
            continue
        behind = (worth_so_far(m, best, done) - worth_so_far(m, k, done)) * F(done)
        variance = variance_of(m, k, done) + variance_of(m, best, done)
        if behind * behind * share > CLEAR * variance * F(rest):
            plays[k] = ZERO
        else:
            left += ONE
    return left


@inline
def look_first(r, m, view, plays):
    """The prior value of each play, and all that the rollouts need.

    Returns how many plays are looked at.
    """
    shown, own = prepare_replies(r, m, view)
    t = view_table(r, view)
    size = min(np.uint64(plays.size), np.uint64(MOST))
    sums, prior, sure, left = m.search.sums, m.search.prior, m.search.sure, m.search.plays[:size]
    m.search.means = F(0)
    for i in range(size):
        k = np.uint64(i)
        sums[TWO * k], sums[TWO * k + ONE], sure[k] = F(0), F(0), F(0)
        left[k] = plays[k]
    for first in range(0, size, BOARDS):
        some = plays[first : min(first + BOARDS, size)]
        value_plays(r, m, view, t, some, shown, own)
        for i in range(some.size):
            k = np.uint64(first + i)
            prior[k] = TRUST * m.replies.plays[np.uint64(i)]
            if view.may_show:
                sure[k] = m.replies.earned * F(promised_after(r, view, played_card(some[i]), m.sets))
    if view.aims_at_game:  # opponents play for points; the position reached is valued by its chance
        view.aims_at_game = ZERO
        prepare_replies(r, m, view)
        view.aims_at_game = ONE
    m.ahead.keys[:] = ZERO
    read_plays(r, view, t, unseen_cards(view), m.reading)
    u = work_at(view.opponent_work)
    prepare_queries(r, m, view, u)
    prepare_deals(r, m, view, u)
    return size


@noinline
def weigh(r, m, view, plays):
    """The most that a play is worth, and its place."""
    size = look_first(r, m, view, plays)
    left, done, others = m.search.plays[:size], ZERO, ONE
    while done < view.samples and others:
        extra = min(BATCH, view.samples - done)
        play_samples(r, m, view, left, extra)
        done += extra
        others = drop_worse(m, left, done, view.samples - done)
    chosen = best_so_far(m, left, done)
    return m.search.means / F(done) + worth_so_far(m, chosen, done), chosen


@inline
def search_play(r, m, view, plays):
    """The place of the play that is worth most."""
    if plays.size == 1:
        return ZERO
    if find_holdings(r, view, m.holdings) and not has_sets_left(r, view):
        solve_within(r, m, view, m.holdings)
        return find_play(plays, best_play(m))
    return weigh(r, m, view, plays)[1]


@inline
def search_knock(r, m, view, knocks):
    """The place of the choice worth most: holdings of three as plays are weighed, larger ones as ``careful`` does.

    Every choice meets the same deals. In larger holdings the time is better spent on the plays; and at the deal no seat
    plays yet.
    """
    value_knocks(r, m, view, knocks)
    solved = view.plays_left <= SOLVED and view.stock == ZERO
    if r.plan[view.stage] > _THREE or r.shown_at_deal or solved:
        return best_knock(m, np.uint64(knocks.size))
    dice, matta_value = view.dice, view.matta_value
    best, chosen = NEVER, ZERO
    for i in range(knocks.size):
        if m.shows[np.uint64(i)] == NEVER:
            continue
        view.dice = dice
        show_set(r, view, knocks[i])
        plays = list_plays(r, view_table(r, view), view.allowed, False, m.search.behind)
        earned = F(0) if aims_at_game(r, m, view) else F(r.pays) * F(knock_points(knocks[i]))
        value = weigh(r, m, view, m.search.behind[:plays])[0] + earned
        take_back(view, knocks[i], matta_value)
        if value > best:
            best, chosen = value, np.uint64(i)
    return chosen
