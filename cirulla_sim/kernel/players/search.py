"""``search``: the unseen cards are dealt out again and again as they may lie, and each time every play is played on.

A play is worth the mean of what it leads to in those deals. The deals agree with all that the seat knows: cards gone,
cards shown, and that a seat that could have knocked and did not holds no set of three worth a bonus. The other seats
play by what they see themselves (see ``ahead.py``): where each deal was solved instead, as if all cards lay open, play
was weaker at the same cost, for such opponents know too much.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, TWO, ZERO, lowest, popcount
from ..game.bonuses import bonus_of, points_of
from ..game.captures import fill_rows, is_large
from ..game.flat import WORD
from ..game.hand import SEATS
from ..game.plays import card_of, list_plays
from ..jit import large, small
from .ahead import play_on, prepare_ahead
from .boards import NEVER
from .careful import SOLVED, best_knock, point, prepare, value_knocks, value_plays
from .knock import has_sets_left, promised_after, show_set, take_back
from .reading import GRAINS, likelihood, read_plays
from .reply import BOARDS
from .solver import aims_at_game, known_holdings, plays_in_stage, solve_within
from .view import roll, table_of, unseen

F = np.float32
_THREE = np.uint64(3)

AHEAD = np.uint64(6)
"""Plays looked ahead; then the tables tell what piles are worth. Never beyond the stage: it gained nothing."""

ENDING = np.uint64(12)
"""So many plays of the last stage are looked through to the end of the hand."""
TRUST = F(0.5)
"""The weight of what ``careful`` thinks of a play, without noise. Between 0.25 and 1 no difference was measured."""
ROUNDS, FEWEST = np.uint64(8), np.uint64(4)
"""After every eighth of the deals, or so many, plays that are clearly behind are dropped."""
CLEAR = F(4)
"""Clearly: by two standard errors or more; this is their square. It halves the playouts."""
TRIES = 20
"""How often a holding that would have been shown is dealt again."""

MOST = 3000
"""Plays looked at; no position but in freaks has more."""
BEHIND = 256
"""Plays looked at behind a choice to show; a holding of three has no more but in freaks."""

SEARCH = np.dtype(
    [
        ("cards", WORD, 40),  # the unseen cards one by one
        ("dealt", WORD, SEATS),  # mask of what each seat gets of the next stage
        ("plays", WORD, MOST),  # the plays looked at; 0 for those that were dropped
        ("sums", np.float32, 2 * MOST),  # of what each play was worth, and of the squares, in turn
        ("prior", np.float32, MOST),  # what was thought of each play before
        ("behind", WORD, BEHIND),  # the plays behind a choice to show
        ("playouts", WORD),  # how often a play was played on, for who wants to know
    ],
    align=True,
)
"""The scratch of this file."""


@small
def keeps_silent(r, view, seat, held):
    """Whether a holding agrees with a seat's not having knocked; told for holdings of three cards only."""
    cards = held | view.played[seat]
    if not view.declined[seat] or popcount(cards) != _THREE:
        return True
    return bonus_of(r, cards) == ZERO


@small
def is_ending(view):
    """Whether the hand is looked through to its end."""
    return view.plays_left == plays_in_stage(view) and view.plays_left <= ENDING


@small
def look_ahead(view):
    """How many plays to look ahead: to the end of the hand, or not beyond the stage's."""
    here = plays_in_stage(view)
    return here if is_ending(view) else min(here, AHEAD)


@small
def lay_out(m, cards):
    """Lay out the unseen cards, a mask, one by one, to be taken; returns how many they are."""
    left = ZERO
    while cards:
        m.search.cards[left] = lowest(cards)
        cards &= cards - ONE
        left += ONE
    return left


@small
def take(m, view, left, count):
    """Take so many of the first ``left`` unseen cards at random, a mask. They lie behind the others then."""
    cards = m.search.cards
    held = ZERO
    for k in range(count):
        last = left - ONE - np.uint64(k)
        j = roll(view, last + ONE)
        card = cards[j]
        cards[j] = cards[last]
        cards[last] = card
        held |= ONE << card
    return held


@small
def is_drawn(m, view, seat, hidden):
    """Whether hidden cards dealt to a seat are kept: by chance, as they agree with what it played in this stage."""
    reading = m.reading
    if not reading.told or hidden == ZERO:
        return True
    bound = F(GRAINS)
    for _ in range(popcount(hidden)):
        bound /= reading.most[seat]
    return F(roll(view, GRAINS)) < likelihood(reading, seat, hidden) * bound


@small
def deal_unseen(r, m, view, cards, holdings, coming):
    """Deal the unseen cards, a mask, as they may lie, from the seat's own dice.

    ``holdings`` is uint64[4], by seat. Of the next stage each seat gets ``coming`` cards.
    """
    left = lay_out(m, cards)
    for i in range(r.players):
        seat = np.uint64(i)
        if seat == view.seat:
            holdings[seat] = view.holding
            continue
        known = view.shown[seat]
        lacking = view.held[seat] - popcount(known)
        for _ in range(TRIES):
            hidden = take(m, view, left, lacking)
            holdings[seat] = known | hidden
            if keeps_silent(r, view, seat, holdings[seat]) and is_drawn(m, view, seat, hidden):
                break
        left -= lacking
    for i in range(r.players):
        m.search.dealt[np.uint64(i)] = take(m, view, left, coming)
        left -= coming


@small
def play_samples(r, m, view, plays, samples, sums):
    """Add to ``sums`` (two reals a play: sum and sum of squares) what each play is worth in some deals.

    Plays given as 0 are left out. ``prepare`` and ``prepare_ahead`` go before.
    """
    cards = unseen(view)
    depth = look_ahead(view)
    for _ in range(samples):
        deal_unseen(r, m, view, cards, m.holdings, ZERO)
        for i in range(plays.size):
            if plays[i]:
                value = play_on(r, m, view, m.holdings, plays[i], depth)
                at = TWO * np.uint64(i)
                sums[at] += value
                sums[at + ONE] += value * value
                m.search.playouts += ONE


@small
def worth_so_far(sums, prior, k, done):
    """The mean of play number ``k`` over the deals done, and what was thought of it before."""
    return sums[TWO * k] / F(done) + prior[k]


@small
def best_so_far(plays, sums, prior, done):
    """The place of the best play that is not dropped."""
    best = ZERO
    for i in range(plays.size):
        k = np.uint64(i)
        ahead = worth_so_far(sums, prior, k, done) > worth_so_far(sums, prior, best, done)
        if plays[k] and (plays[best] == ZERO or ahead):
            best = k
    return best


@small
def variance_of(sums, k, done):
    """The variance of what play number ``k`` was worth."""
    mean = sums[TWO * k] / F(done)
    return sums[TWO * k + ONE] / F(done) - mean * mean


@small
def drop_worse(plays, sums, prior, done):
    """Set the plays that are clearly behind the best to 0; returns how many others are left.

    The plays have met the same deals, so the error of a difference is smaller than it is taken for here.
    """
    best = best_so_far(plays, sums, prior, done)
    left = ZERO
    for i in range(plays.size):
        k = np.uint64(i)
        if plays[k] == ZERO or k == best:
            continue
        behind = worth_so_far(sums, prior, best, done) - worth_so_far(sums, prior, k, done)
        variance = variance_of(sums, k, done) + variance_of(sums, best, done)
        if behind * behind * F(done) > CLEAR * variance:
            plays[k] = ZERO
        else:
            left += ONE
    return left


@small
def look_first(r, m, view, plays):
    """What is thought of each play before anything is dealt, and all that playing on will need.

    Returns how many plays are looked at.
    """
    known, own = prepare(r, m, view)
    t = table_of(view, m.rows)
    if is_large(t):
        fill_rows(r, t)
    size = min(np.uint64(plays.size), np.uint64(MOST))
    sums, prior, left = m.search.sums, m.search.prior, m.search.plays[:size]
    for i in range(size):
        k = np.uint64(i)
        sums[TWO * k], sums[TWO * k + ONE] = F(0), F(0)
        left[k] = plays[k]
    for first in range(0, size, BOARDS):
        some = plays[first : min(first + BOARDS, size)]
        value_plays(r, m, view, t, some, known, own)
        for i in range(some.size):
            k = np.uint64(first + i)
            prior[k] = TRUST * m.replies.plays[np.uint64(i)]
            if view.may_show:
                prior[k] += point(m) * F(promised_after(r, view, card_of(some[i]), m.sets))
    if view.aims_at_game:  # others are taken to play for points; the chance is that of where it leads to
        view.aims_at_game = ZERO
        prepare(r, m, view)
        view.aims_at_game = ONE
    prepare_ahead(m)
    read_plays(r, view, t, unseen(view), m.reading)
    return size


def searching(play_samples):
    """Two functions, of a play and of a set to show: the place of what is worth most in sampled deals.

    ``play_samples`` adds up what plays are worth in some of them.
    """

    @large
    def weigh(r, m, view, plays):
        """The most that a play is worth, and its place."""
        size = look_first(r, m, view, plays)
        sums, prior, left = m.search.sums, m.search.prior, m.search.plays[:size]
        done, others = ZERO, ONE
        batch = max(FEWEST, view.samples // ROUNDS)
        while done < view.samples and others:
            more = min(batch, view.samples - done)
            play_samples(r, m, view, left, more, sums)
            done += more
            others = drop_worse(left, sums, prior, done)
        chosen = best_so_far(left, sums, prior, done)
        return worth_so_far(sums, prior, chosen, done), chosen

    @small
    def best_play(r, m, view, plays):
        """The place of the play that is worth most."""
        if plays.size == 1:
            return ZERO
        if known_holdings(r, view, m.holdings) and not has_sets_left(view):
            return solve_within(r, m, view, plays, m.holdings)
        return weigh(r, m, view, plays)[1]

    @small
    def best_show(r, m, view, knocks):
        """The place of the choice worth most: holdings of three as plays are weighed, larger ones as ``careful`` does.

        Every choice meets the same deals. In larger holdings the time is better spent on the plays.
        """
        value_knocks(r, m, view, knocks)
        if r.plan[view.stage] > _THREE or (view.plays_left <= SOLVED and view.stock == ZERO):
            return best_knock(m, np.uint64(knocks.size))
        dice, matta_value = view.dice, view.matta_value
        best, chosen = NEVER, ZERO
        for i in range(knocks.size):
            if m.shows[np.uint64(i)] == NEVER:
                continue
            view.dice = dice
            show_set(r, view, knocks[i])
            plays = list_plays(r, table_of(view, m.rows), view.allowed, False, m.search.behind)
            earned = F(0) if aims_at_game(r, m, view) else F(points_of(knocks[i]))
            value = weigh(r, m, view, m.search.behind[:plays])[0] + earned
            take_back(view, knocks[i], matta_value)
            if value > best:
                best, chosen = value, np.uint64(i)
        return chosen

    return best_play, best_show


search_play, search_knock = searching(play_samples)
