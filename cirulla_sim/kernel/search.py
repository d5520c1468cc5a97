"""``search``: the unseen cards are dealt out again and again as they may lie, and each time the stage is solved.

A play is worth the mean of what it is worth in those deals. The deals agree with all that the seat knows: cards gone,
cards shown, and that a seat that could have knocked and did not holds no set of three worth a bonus.
"""

from __future__ import annotations

import numpy as np

from .bits import ONE, TWO, ZERO, lowest, popcount
from .bonuses import bonus_of
from .captures import fill_rows, is_large
from .careful import play_value, prepare
from .jit import entry, small
from .solver import (
    BEST,
    COMING,
    FIRST_REAL,
    INFINITE,
    known_holdings,
    lead,
    plays_in_stage,
    search_frames,
    set_position,
    solve_view,
)
from .view import mind_at, policy_signature, roll, rules_at, table_of, unseen

F = np.float32
_THREE = np.uint64(3)

AHEAD_OF_TWO, AHEAD = np.uint64(6), np.uint64(5)
"""Plays looked ahead with two players and with more; then the tables tell what piles are worth."""
ENDING = np.uint64(12)
"""So many plays of the last stage are looked through to the end of the hand."""
TRUST = F(1)
"""The weight of what ``careful`` thinks: it does not take the cards of a deal for known, as every solved deal does."""
TRUST_AT_END = F(0.3)
"""The same where deals are solved to the end of the hand, and tables guess nothing."""
TRIES = 20
"""How often a holding that would have been shown is dealt again."""

# Places in Mind.words: the unseen cards one by one, and the holdings; in Mind.reals: sums by play.
CARDS_AT, HOLDINGS, DEALT = np.uint64(64), np.uint64(108), np.uint64(112)
SUMS = np.uint64(8192)
MOST = np.uint64(4000)


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
def look_ahead(r, view):
    """How many plays to look ahead, and how many cards a seat needs for it from the next stage."""
    here = plays_in_stage(view)
    if is_ending(view):
        return here, ZERO
    depth = min(view.plays_left, AHEAD_OF_TWO if r.players == TWO else AHEAD)
    if depth <= here:
        return depth, ZERO
    size = r.plan[view.stage + ONE]
    return min(depth, here + size * r.players), size


@small
def take(m, view, left, count):
    """Take so many of the first ``left`` unseen cards at random, a mask. They lie behind the others then."""
    held = ZERO
    for k in range(count):
        last = left - ONE - np.uint64(k)
        j = roll(view, last + ONE)
        card = m.words[CARDS_AT + j]
        m.words[CARDS_AT + j] = m.words[CARDS_AT + last]
        m.words[CARDS_AT + last] = card
        held |= ONE << card
    return held


@small
def deal_unseen(r, m, view, cards, holdings, coming):
    """Deal the unseen cards, a mask, as they may lie, from the seat's own dice.

    ``holdings`` is uint64[4], by seat. Of the next stage each seat gets ``coming`` cards.
    """
    left = ZERO
    while cards:
        m.words[CARDS_AT + left] = lowest(cards)
        cards &= cards - ONE
        left += ONE
    for i in range(r.players):
        seat = np.uint64(i)
        if seat == view.seat:
            holdings[seat] = view.holding
            continue
        known = view.shown[seat]
        lacking = view.held[seat] - popcount(known)
        for _ in range(TRIES):
            holdings[seat] = known | take(m, view, left, lacking)
            if keeps_silent(r, view, seat, holdings[seat]):
                break
        left -= lacking
    for i in range(r.players):
        m.words[DEALT + np.uint64(i)] = take(m, view, left, coming)
        left -= coming


@small
def add_samples(r, m, view, plays, samples, sums):
    """Add to ``sums`` (two reals a play: sum and sum of squares) what each play is worth in some deals."""
    cards = unseen(view)
    holdings = m.words[HOLDINGS : HOLDINGS + np.uint64(4)]
    depth, coming = look_ahead(r, view)
    for _ in range(samples):
        deal_unseen(r, m, view, cards, holdings, coming)
        for i in range(plays.size):
            set_position(r, m, view, holdings)
            for seat in range(r.players):
                m.words[COMING + np.uint64(seat)] = m.words[DEALT + np.uint64(seat)]
            search_frames(r, m, depth, -INFINITE, INFINITE, plays[i])
            value = lead(r, m.reals, FIRST_REAL + BEST, view.side)
            at = TWO * np.uint64(i)
            sums[at] += value
            sums[at + ONE] += value * value


@small
def search_play(r, m, view, plays):
    """The place of the play that is worth most."""
    if plays.size == 1:
        return ZERO
    holdings = m.words[HOLDINGS : HOLDINGS + np.uint64(4)]
    if known_holdings(r, view, holdings):
        return solve_view(r, m, view, plays, holdings, min(plays_in_stage(view), np.uint64(12)))
    size = min(np.uint64(plays.size), MOST)
    for i in range(TWO * size):
        m.reals[SUMS + np.uint64(i)] = F(0)
    add_samples(r, m, view, plays[:size], view.samples, m.reals[SUMS:])
    known, own, hidden = prepare(r, m, view)
    t = table_of(view, m.rows)
    if is_large(t):
        fill_rows(r, t)
    trust = TRUST_AT_END if is_ending(view) else TRUST
    weight = trust * F(view.samples)
    for i in range(size):
        careful = play_value(r, m, view, t, plays[i], known, own, hidden)
        m.reals[SUMS + TWO * np.uint64(i)] += weight * careful
    chosen = ZERO
    for i in range(size):
        if m.reals[SUMS + TWO * np.uint64(i)] > m.reals[SUMS + TWO * chosen]:
            chosen = np.uint64(i)
    return chosen


@entry(policy_signature)
def policy(rules, view, plays, mind):
    """The policy ``search``."""
    return search_play(rules_at(rules), mind_at(mind), view, plays)
