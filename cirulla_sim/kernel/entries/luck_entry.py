"""The entry point for luck-adjusted points: what each side gains by its plays, whatever the cards bring.

A hand is played and then gone through. A play gains the points expected after it, less those expected if the policies
of playouts had played instead, with these policies playing on. Both are means over the same deals of what the seat does
not know: cards not dealt yet, holdings of seats that have not had their turn, and those of seats whose policy is quick
if such a seat would have played from them as it did. Given all else, each of these deals is as likely as the one that
was dealt. So the rest of the points has mean zero, whoever plays and however few the deals are: it is luck.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import types
from ..game.bits import ONE, ZERO
from ..game.bonuses import best_sets, bonus_of, knock_word
from ..game.flat import flat_type
from ..game.hand import MISDEALT, PLAYS, WON_AT_DEAL, call_ask, play_hand, work_type
from ..game.inlined import GREEDY, greedy_play
from ..game.moment import Moment, side_of
from ..game.plays import captured, card_of, word_of
from ..game.result_rows import write_row
from ..game.scoring import COLUMN
from ..game.streams import batch_type
from ..jit import entry, inline, noinline
from ..players.hand_state import (
    EVERYBODY,
    deal_others,
    follow,
    has_begun,
    is_shown,
    play_from,
    set_up,
    standings_type,
    table_at,
)

TRIES = 32
"""How often cards are dealt again if a seat would not have played from them as it did; then the true ones are used,
which are as likely as any that fit."""

MOST_REPEATS = 16
"""How often the last stage can be played: each hand has so many blocks of stream numbers for it."""


class Hands(NamedTuple):
    """The hands that are played and gone through."""

    policies: np.ndarray  # uint64[4], by side
    w: np.ndarray  # ``hand.WORK`` of the hand played
    u: np.ndarray  # for the same policies: to find out what they would have played
    v: np.ndarray  # for the policies of playouts
    standings: np.ndarray  # scratch


class Effort(NamedTuple):
    """How hands are valued."""

    policies: np.ndarray  # uint64[4], by side: those of playouts, without dice, deciding what they show
    quick: np.uint64  # a bit for each side whose policy is quick and has no dice
    all_open: bool  # whether a policy sees hidden cards
    seed: np.uint64  # of the deals of playouts
    playouts: np.uint64
    repeats: np.uint64  # of the last stage


hands_type = types.NamedTuple((types.uint64[::1], work_type, work_type, work_type, standings_type), Hands)
effort_type = types.NamedTuple((types.uint64[::1], types.uint64, types.boolean, *(types.uint64,) * 3), Effort)

_THREE = np.uint64(3)
_TOTAL = COLUMN["total"]


@inline
def is_together(r, w, s, all_open):
    """Whether the holdings of a stage are not dealt anew, because other seats know some of their cards.

    Or because too much has been played from large ones: few others would have been played so.
    """
    opened = r.shown_at_deal or r.open_partners or (r.open_last_stage and s.stage + ONE == r.stages)
    buried = s.stage == ZERO and r.bury_table and w.deal[MISDEALT] != ZERO  # what was buried comes in later stages
    return all_open or opened or buried or s.turn > _THREE


@inline
def hidden_from(r, w, s, quick, all_open):
    """The mask of the seats whose holdings are dealt anew: not to play; without a turn yet, or of a quick side."""
    seats = ZERO
    if is_together(r, w, s, all_open):
        return seats
    for i in range(r.players):
        seat = np.uint64(i)
        if seat != s.seat and s.held[seat] and (quick >> side_of(r, seat) & ONE or s.dealt[seat] == s.held[seat]):
            seats |= ONE << seat
    return seats


@inline
def same_shown(r, w, s, after, u):
    """Whether the seat to play has shown the same sets in ``u`` as in the hand, its play made."""
    shown = s.slot
    for k in range(r.plan[s.stage] // _THREE):
        knock = w.knocks[s.slot + k, s.seat]
        if is_shown(r, w, after, knock, k, s.seat):
            if u.knocks[shown, s.seat] != knock:
                return False
            shown += ONE
    return shown == s.slot + r.plan[s.stage] // _THREE or u.knocks[shown, s.seat] == ZERO


@inline
def same_best(r, w, s, u):
    """Whether the best sets of what the seat to play was dealt in ``u`` are those of the hand."""
    size, dealt, seat = r.plan[s.stage], u.dealt[s.seat], s.seat
    if not r.knocks or size < _THREE:
        return True
    if size == _THREE:
        bonus = bonus_of(r, dealt)
        return w.knocks[s.slot, seat] == (knock_word(dealt, bonus) if bonus else ZERO)
    if s.turn:
        return True
    first, second, third = best_sets(r, dealt, u.candidates)
    if w.knocks[s.slot, seat] != first or (size // _THREE > ONE and w.knocks[s.slot + ONE, seat] != second):
        return False
    return size // _THREE <= ONE + ONE or w.knocks[s.slot + ONE + ONE, seat] == third


@noinline
def plays_so(r, policy, w, s, after, u, played):
    """Whether a policy makes the play of the hand in ``w`` at a standing; ``u`` has been set up there."""
    t, play = table_at(r, s), w.history[played]
    if policy == GREEDY:
        if not same_best(r, w, s, u):
            return False
        last = played + ONE == np.uint64(PLAYS) - r.table_cards
        word = word_of(r, greedy_play(r, t, u.held[s.seat], u.pile[side_of(r, s.seat)], last), last)
        return card_of(word) == card_of(play) and captured(word) == captured(play)
    word = call_ask(u.asker, r, u, policy, t, Moment(s.stage, s.slot, played, s.turn, s.seat))
    return card_of(word) == card_of(play) and captured(word) == captured(play) and same_shown(r, w, s, after, u)


@noinline
def agrees(r, h, played, redealt):
    """Whether the seats dealt anew in ``h.v`` would have played in this stage as they did."""
    w, u, v, s = h.w, h.u, h.v, h.standings[played]
    before = s.turn * r.players + s.seat
    for back in range(before):
        at = played - before + back
        then = h.standings[at]
        if not redealt >> then.seat & ONE:
            continue
        set_up(r, then, w, u)
        for i in range(r.players):
            seat = np.uint64(i)
            if redealt >> seat & ONE:
                u.held[seat] = v.held[seat] | (then.held[seat] & ~s.held[seat])
                u.dealt[seat] = v.dealt[seat]
        if not plays_so(r, h.policies[side_of(r, then.seat)], w, then, h.standings[at + ONE], u, at):
            return False
    return True


@inline
def add_points(r, v, times, adjusted):
    """Add the points of each side in ``v`` to ``adjusted``, int64[sides], times a number."""
    for side in range(r.sides):
        adjusted[side] += times * np.int64(v.score[side, _TOTAL])


@inline
def add_start(r, h, e, first, times, adjusted):
    """Add to ``adjusted`` each side's points in playouts from the first play on, times a number."""
    w, v, s = h.w, h.v, h.standings[0]
    redealt = hidden_from(r, w, s, ZERO, False)
    for k in range(e.playouts):
        set_up(r, s, w, v)
        deal_others(r, s, w, v, redealt, e.seed, first + k)
        play_from(r, e.policies, s, v, ZERO, ONE)
        add_points(r, v, times, adjusted)


@noinline
def add_gain(r, h, e, played, number, times, adjusted):
    """Add to ``adjusted`` how a play changed the points in playouts, times a number; 0 if ``e`` plays the same."""
    w, v, s, after = h.w, h.v, h.standings[played], h.standings[played + ONE]
    set_up(r, s, w, v)
    shows_at_deal = r.shown_at_deal and not has_begun(s)  # then the first play includes all that is shown
    if not shows_at_deal and plays_so(r, e.policies[side_of(r, s.seat)], w, s, after, v, played):
        return
    redealt = hidden_from(r, w, s, e.quick, e.all_open)
    first, ended = (number + played) * e.playouts, after.stage != s.stage
    for k in range(e.playouts):
        stream, agreed = (first + k) * np.uint64(TRIES), False
        for _ in range(TRIES if redealt else 1):
            set_up(r, s, w, v)
            deal_others(r, s, w, v, redealt, e.seed, stream)
            agreed = agrees(r, h, played, redealt)
            if agreed:
                break
            stream += ONE
        seats = redealt if agreed else ZERO
        set_up(r, s, w, v)
        deal_others(r, s, w, v, seats, e.seed, stream)
        play_from(r, e.policies, s, v, played, ONE)
        add_points(r, v, -times, adjusted)
        set_up(r, after, w, v)
        deal_others(r, s, w, v, seats, e.seed, stream)
        if not ended:
            v.held[s.seat] = after.held[s.seat]
        play_from(r, e.policies, after, v, played + ONE, ZERO if ended else ONE)
        add_points(r, v, times, adjusted)


@inline
def play_stage_again(r, h, first, seed, number):
    """Deal the stage that begins with play ``first`` anew in ``h.w`` and play on, from stream ``number`` of a seed."""
    w, s = h.w, h.standings[first]
    set_up(r, s, w, w)
    deal_others(r, s, w, w, EVERYBODY, seed, number)
    play_from(r, h.policies, s, w, first, ZERO)
    follow(r, w, h.standings, s.stage)


@noinline
def adjust(r, h, e, number, adjusted):
    """Go through the hand in ``h.w`` and write its luck-adjusted points to ``adjusted``, see ``run_luck``."""
    plays = np.uint64(PLAYS) - r.table_cards
    last = plays - r.plan[r.stages - ONE] * r.players
    times = np.int64(e.repeats)
    follow(r, h.w, h.standings, ZERO)
    number *= np.uint64(MOST_REPEATS * PLAYS)
    add_start(r, h, e, (number + plays) * e.playouts, times, adjusted)
    for played in range(last):
        add_gain(r, h, e, played, number, times, adjusted)
    for k in range(e.repeats):
        if k:
            number += np.uint64(PLAYS)
            play_stage_again(r, h, last, e.seed, (number + plays) * e.playouts)
        for played in range(last, plays):
            add_gain(r, h, e, played, number, np.int64(1), adjusted)


@entry(types.void(flat_type, batch_type, hands_type, effort_type, types.int16[:, ::1], types.int64[:, ::1]))
def run_luck(r, batch, h, e, rows, adjusted):
    """Play hands; write a row of each, and its luck-adjusted points, times ``e.playouts`` times ``e.repeats``.

    ``rows`` are as in ``run_hands``; ``adjusted`` is int64[hands, sides].
    """
    for i in range(batch.hands):
        play_hand(r, h.policies, batch.seed, batch.first + i, h.w)
        write_row(r, h.w, rows[i])
        adjusted[i] = 0
        if not h.w.deal[WON_AT_DEAL]:
            adjust(r, h, e, batch.first + i, adjusted[i])
