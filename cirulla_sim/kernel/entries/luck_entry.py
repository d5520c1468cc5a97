"""The entry point that tells play from luck: what each side gains by its plays, whatever the cards bring.

A hand played is gone through again. A play gains what the hand is expected to bring after it, less what it is expected
to bring where the same seat plays as ``others`` do, everybody playing on like them from there. Both are means over the
same deals of what the seat does not know: cards not dealt yet, holdings of seats that have not had their turn, and
those of seats whose policy is quick, if such a seat would have played from them as it did. All of these deals are as
likely, given all else, as the one that was dealt. So what is left out has mean zero, whoever plays and however few the
deals are: it is luck.
"""

from __future__ import annotations

import numpy as np
from numba import types

from ..game.bits import ONE, ZERO
from ..game.bonuses import best_sets, bonus_of, knock_word
from ..game.captures import fill_rows, is_large
from ..game.flat import flat_type
from ..game.hand import MISDEALT, PLAYS, WON_AT_DEAL, call_ask, play_hand, work_type
from ..game.inlined import GREEDY, greedy_play
from ..game.plays import captured, card_of
from ..game.result_rows import write_row
from ..game.scoring import COLUMN
from ..jit import entry, inline, noinline
from ..players.ask import side_of
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
"""How often cards are dealt again if somebody would not have played from them as it did; then those dealt are taken,
which are as likely as any that fit."""

MOST_AGAIN = 16
"""How often the last stage can be played: so many numbers of streams a hand are set apart for it."""

_THREE = np.uint64(3)
_TOTAL = COLUMN["total"]


@inline
def is_together(r, w, s, at_once):
    """Whether the holdings of a stage stay as they are: others than their seats know something of them.

    Or too much has been played from large ones: few others would have been played so.
    """
    opened = r.shown_at_deal or r.open_partners or (r.open_last_stage and s.stage + ONE == r.stages)
    buried = s.stage == ZERO and r.bury_table and w.deal[MISDEALT] != ZERO  # what was buried comes in later stages
    return at_once or opened or buried or s.turn > _THREE


@inline
def hidden_from(r, w, s, quick, at_once):
    """The mask of the seats whose holdings are dealt anew: not that to play; without a turn yet, or of a quick side."""
    seats = ZERO
    if is_together(r, w, s, at_once):
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
    one, two, three = best_sets(r, dealt, u.candidates)
    if w.knocks[s.slot, seat] != one or (size // _THREE > ONE and w.knocks[s.slot + ONE, seat] != two):
        return False
    return size // _THREE <= ONE + ONE or w.knocks[s.slot + ONE + ONE, seat] == three


@noinline
def plays_so(r, policy, w, s, after, u, played):
    """Whether a policy makes the play that was made where the hand in ``w`` stood so; ``u`` stands there, too."""
    t, play = table_at(s, u), w.made[played]
    if is_large(t):
        fill_rows(r, t)
    if policy == GREEDY:
        if not same_best(r, w, s, u):
            return False
        last = played + ONE == np.uint64(PLAYS) - r.table_cards
        card, got = greedy_play(r, t, u.held[s.seat], u.pile[side_of(r, s.seat)], last)
        return card == card_of(play) and got == captured(play)
    word = call_ask(
        u.asker, r, u, policy, t.cards, t.product, t.matta_value, s.seat, s.stage, s.turn, s.slot, played
    )  # fmt: skip
    return card_of(word) == card_of(play) and captured(word) == captured(play) and same_shown(r, w, s, after, u)


@noinline
def agrees(r, policies, w, standings, played, u, v, redealt):
    """Whether the seats dealt anew in ``v`` would have played in this stage as they did; ``u`` is for asking them."""
    s = standings[played]
    before = s.turn * r.players + s.seat
    for back in range(before):
        at = played - before + back
        then = standings[at]
        if not redealt >> then.seat & ONE:
            continue
        set_up(r, then, w, u)
        for i in range(r.players):
            seat = np.uint64(i)
            if redealt >> seat & ONE:
                u.held[seat] = v.held[seat] | (then.held[seat] & ~s.held[seat])
                u.dealt[seat] = v.dealt[seat]
        if not plays_so(r, policies[side_of(r, then.seat)], w, then, standings[at + ONE], u, at):
            return False
    return True


@inline
def add_points(r, v, times, less):
    """Add the points of each side in ``v`` so many times to ``less``, int64[sides]."""
    for side in range(r.sides):
        less[side] += times * np.int64(v.score[side, _TOTAL])


@inline
def add_start(r, policies, w, standings, v, seed, first, playouts, times, less):
    """Add to ``less`` each side's points in playouts from the first play on, so many times."""
    s = standings[0]
    redealt = hidden_from(r, w, s, ZERO, False)
    for k in range(playouts):
        set_up(r, s, w, v)
        deal_others(r, s, w, v, redealt, seed, first + k)
        play_from(r, policies, s, v, ZERO, ONE)
        add_points(r, v, times, less)


@inline
def add_gain(r, policies, others, w, standings, played, u, v, redealt, seed, first, playouts, times, less):
    """Add to ``less`` how a play changed each side's points in some playouts, so many times."""
    s, after = standings[played], standings[played + ONE]
    ended = after.stage != s.stage
    for k in range(playouts):
        number, found = (first + k) * np.uint64(TRIES), False
        for _ in range(TRIES if redealt else 1):
            set_up(r, s, w, v)
            deal_others(r, s, w, v, redealt, seed, number)
            found = agrees(r, policies, w, standings, played, u, v, redealt)
            if found:
                break
            number += ONE
        seats = redealt if found else ZERO
        set_up(r, s, w, v)
        deal_others(r, s, w, v, seats, seed, number)
        play_from(r, others, s, v, played, ONE)
        add_points(r, v, -times, less)
        set_up(r, after, w, v)
        deal_others(r, s, w, v, seats, seed, number)
        if not ended:
            v.held[s.seat] = after.held[s.seat]
        play_from(r, others, after, v, played + ONE, ZERO if ended else ONE)
        add_points(r, v, times, less)


@inline
def play_stage_again(r, policies, w, standings, first, seed, number):
    """Deal the stage that begins with play ``first`` anew in ``w`` and play on, from stream ``number`` of a seed."""
    s = standings[first]
    set_up(r, s, w, w)
    deal_others(r, s, w, w, EVERYBODY, seed, number)
    play_from(r, policies, s, w, first, ZERO)
    follow(r, w, standings, s.stage)


@inline
def add_gains(r, policies, others, quick, at_once, seed, number, playouts, times, w, u, v, standings, first, end, less):
    """Add to ``less`` what the plays ``first`` to ``end - 1`` of the hand in ``w`` gained, so many times."""
    for p in range(first, end):
        s = standings[p]
        set_up(r, s, w, v)
        asked = r.shown_at_deal and not has_begun(s)  # for all that is shown
        if not asked and plays_so(r, others[side_of(r, s.seat)], w, s, standings[p + ONE], v, p):
            continue
        redealt = hidden_from(r, w, s, quick, at_once)
        add_gain(
            r, policies, others, w, standings, p, u, v, redealt, seed, (number + p) * playouts, playouts, times, less
        )  # fmt: skip


@noinline
def note_less(r, policies, others, quick, at_once, seed, number, playouts, again, w, u, v, standings, less):
    """Go through the hand in ``w`` and write its points without luck to ``less``, see ``run_less_luck``."""
    plays = np.uint64(PLAYS) - r.table_cards
    last = plays - r.plan[r.stages - ONE] * r.players
    times = np.int64(again)
    follow(r, w, standings, ZERO)
    number *= np.uint64(MOST_AGAIN * PLAYS)
    add_start(r, others, w, standings, v, seed, (number + plays) * playouts, playouts, times, less)
    add_gains(
        r, policies, others, quick, at_once, seed, number, playouts, times, w, u, v, standings, ZERO, last, less
    )  # fmt: skip
    for k in range(again):
        if k:
            number += np.uint64(PLAYS)
            play_stage_again(r, policies, w, standings, last, seed, (number + plays) * playouts)
        add_gains(
            r, policies, others, quick, at_once, seed, number, playouts, 1, w, u, v, standings, last, plays, less
        )  # fmt: skip


@entry(
    types.void(
        flat_type,
        types.uint64[::1],
        types.uint64,
        types.uint64,
        types.uint64,
        types.uint64[::1],
        types.uint64,
        types.boolean,
        types.uint64,
        types.uint64,
        types.uint64,
        work_type,
        work_type,
        work_type,
        standings_type,
        types.int16[:, ::1],
        types.int64[:, ::1],
    )
)
def run_less_luck(
    r, policies, seed, first, hands, others, quick, at_once, stream, playouts, again, w, u, v, standings, rows, less
):
    """Play hands ``first`` to ``first + hands - 1`` of a seed; keep a row of each, and its points less their luck.

    ``policies`` is uint64[4], by side, and ``quick`` has a bit for each side that is quick to be asked and has no dice;
    ``at_once`` tells that a policy sees hidden cards. ``others``, uint64[4], are those that play on, all without dice
    and such that decide what they show, from the deals of the seed ``stream``; the last stage is dealt and played
    ``again`` times. ``u`` and ``v`` are works that know the policies and the others. ``less``, int64[hands, sides], is
    in points times ``playouts`` times ``again``.
    """
    for i in range(hands):
        play_hand(r, policies, seed, first + i, w)
        write_row(r, w, rows[i])
        less[i] = 0
        if w.deal[WON_AT_DEAL]:
            continue
        note_less(
            r, policies, others, quick, at_once, stream, first + i, playouts, again, w, u, v, standings, less[i]
        )  # fmt: skip
