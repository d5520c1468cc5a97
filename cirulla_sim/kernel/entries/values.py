"""What hands are worth: luck-adjusted points, the points expected in their course, and playouts.

For luck-adjusted points, what each side gains by its plays whatever the cards bring, a hand is played and then gone
through. A play gains the points expected after it, less those expected if the policies of playouts had played instead,
with these policies playing on. Both are means over the same deals of what the seat does not know: cards not dealt yet,
holdings of seats that have not had their turn, and those of seats whose policy is quick if such a seat would have
played from them as it did. Given all else, each of these deals is as likely as the one that was dealt. So the rest of
the points has mean zero, whoever plays and however few the deals are: it is luck.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import types
from ..game.bits import ONE, TWO, ZERO, lowest
from ..game.bonuses import best_sets, bonus_of, claim, knock_word, points_of, shown_in
from ..game.captures import value_of, with_matta_as
from ..game.flat import flat_type
from ..game.hand import (
    MISDEALT,
    PLAYS,
    TABLE_KIND,
    TABLE_POINTS,
    WON_AT_DEAL,
    call_ask,
    call_play,
    cards_in,
    make_play,
    note_knock,
    play_hand,
    work_type,
)
from ..game.hand_notes import notes_type, write_notes, write_row
from ..game.inlined import GREEDY, greedy_play
from ..game.plays import Moment, captured, card_of, is_sweep, rules_now, side_of, word_of
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
from ..players.knock import may_show_later
from ..players.known_deal import find_deal, memory_type, read, slot_of
from ..players.known_deal import set_up as set_up_known
from ..players.opponents import SWEEPS, power_of
from ..players.view import view_table
from ..players.workspace import mind_type
from ..players.worth import side_worth

numbers_type = types.uint64[::1]

_THREE = np.uint64(3)
_TOTAL = COLUMN["total"]

TRIES = 32
"""How often cards are dealt again if a seat would not have played from them as it did; then the true ones are used,
which are as likely as any that fit."""

MOST_REPEATS = 16
"""How often the last stage can be played: each hand has so many blocks of stream numbers for it."""


class HandRange(NamedTuple):
    """The hands that are played and gone through."""

    policies: np.ndarray  # uint64[4], by side
    w: np.ndarray  # ``hand.WORK`` of the hand played
    u: np.ndarray  # for the same policies: to find out what they would have played
    v: np.ndarray  # for the policies of playouts
    standings: np.ndarray  # scratch


class ValueEffort(NamedTuple):
    """How hands are valued."""

    policies: np.ndarray  # uint64[4], by side: those of playouts, without dice, deciding what they show
    quick: np.uint64  # a bit for each side whose policy is quick and has no dice
    all_open: bool  # whether a policy sees hidden cards
    seed: np.uint64  # of the deals of playouts
    playouts: np.uint64
    repeats: np.uint64  # of the last stage


hands_type = types.NamedTuple((types.uint64[::1], work_type, work_type, work_type, standings_type), HandRange)
effort_type = types.NamedTuple((types.uint64[::1], types.uint64, types.boolean, *(types.uint64,) * 3), ValueEffort)


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
    t, play, now = table_at(r, s), w.history[played], rules_now(r, played)
    if policy == GREEDY:
        if not same_best(r, w, s, u):
            return False
        last = played + ONE == np.uint64(PLAYS) - r.table_cards
        word = word_of(now, greedy_play(now, t, u.held[s.seat], u.pile[side_of(r, s.seat)], last), last)
        return card_of(word) == card_of(play) and captured(word) == captured(play)
    word = call_ask(u.asker, now, u, policy, t, Moment(s.stage, s.slot, played, s.turn, s.seat))
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


@inline
def shown_now(r, w, at, card, gone):
    """The points of the sets that a seat shows at its turn, before it plays a card.

    All at its first turn, or each with the first of its cards if these are played first; ``gone`` were played.
    """
    points = ZERO
    for k in range(r.plan[at.stage] // _THREE):
        knock = w.knocks[at.slot + np.uint64(k), at.seat]
        cards = shown_in(knock)
        if (cards >> card & ONE and not cards & gone) if r.shown_first else at.turn == ZERO:
            points += points_of(knock)
    return points


@inline
def note_course(r, m, w, course):
    """Write what the two sides of the hand in ``w`` can expect, by the number of plays left. Overwrites piles."""
    plays = np.uint64(PLAYS) - r.table_cards
    pile, points = w.pile, w.value
    pile[:], points[:] = ZERO, ZERO
    if w.deal[TABLE_KIND]:
        pile[ONE], points[ONE] = cards_in(w.deck, ZERO, r.table_cards), w.deal[TABLE_POINTS]
    played, slot, gone = ZERO, ZERO, ZERO
    for stage in range(r.stages):
        size = r.plan[stage]
        for turn in range(size):
            for place in range(r.players):
                seat = np.uint64(place)
                side = side_of(r, seat)
                play = w.history[played]
                at = Moment(np.uint64(stage), slot, played, np.uint64(turn), seat)
                points[side] += shown_now(r, w, at, card_of(play), gone)
                gone |= ONE << card_of(play)
                for k in range(TWO):
                    mine = np.uint64(k)
                    worth = side_worth(r, m, pile[mine], pile[ONE - mine])
                    course[plays - played, mine] = np.float32(r.pays) * worth + np.float32(points[mine])
                if captured(play):
                    pile[side] |= captured(play) | ONE << card_of(play)
                points[side] += is_sweep(play) * r.sweep_point
                played += ONE
        slot += size // _THREE
    for side in range(2):
        course[ZERO, np.uint64(side)] = np.float32(w.score[side, _TOTAL])


@entry(types.uint64(flat_type, numbers_type, batch_type, mind_type, work_type, types.float32[:, :, ::1]))
def run_courses(r, policies, batch, m, w, courses):
    """Play hands of two sides; returns how many were played, not won at the deal.

    ``policies`` is uint64[4], by side, ``m`` a mind with tables. Of each hand played a row of ``courses``,
    float32[hands, plays + 1, 2], has by the number of plays left what each side can expect: sweeps, bonuses
    shown, and what its pile is worth then (see ``worth.py``); with none left its points.
    """
    count = ZERO
    for i in range(batch.hands):
        play_hand(r, policies, batch.seed, batch.first + i, w)
        if not w.deal[WON_AT_DEAL]:
            note_course(r, m, w, courses[count])
            count += ONE
    return count


ENDS = ("cards", "diamonds", "settebello", "primiera", "grande")
"""Points for piles that at most one side scores."""

SWEPT, FIRST_END = 5, 6
POINTS = FIRST_END + len(ENDS)
"""Numbers of a playout: the points of each of up to four sides; who won the game outright, 1 + side, or 0; whether
the next player of the stage holds a card that sweeps; and who scored each of ``ENDS``, 1 + side, or 0."""

_TOTAL, _CAPPOTTO = COLUMN["total"], COLUMN["cappotto"]
_ENDS = tuple(COLUMN[name] for name in ENDS)


@inline
def may_declare(r, held, value):
    """Whether a set of some cards, a mask, lets the matta, one of them, be declared as a value."""
    matta = ONE << r.matta
    first = held & ~matta
    while first:
        second = first & (first - ONE)
        while second:
            if claim(r, matta | (first & (ZERO - first)) | (second & (ZERO - second)), value):
                return True
            second &= second - ONE
        first &= first - ONE
    return False


@inline
def can_sweep(r, w, t, seat, shown, may_show):
    """Whether a seat can take the whole table; ``shown`` are cards it must play first, or 0."""
    if t.cards == ZERO:
        return False
    held = shown if shown else w.held[seat]
    rest = held
    while rest:
        if power_of(r, t, value_of(r, t, lowest(rest))) == SWEEPS:
            return True
        rest &= rest - ONE
    if may_show and (held >> r.matta) & ONE:
        for i in range(1, 11):
            value = np.uint64(i)
            if power_of(r, t, value) == SWEEPS and may_declare(r, held, value):
                return True
    return False


@inline
def next_can_sweep(r, w, t, view, slot, turn, seat):
    """Whether the next player of the stage can sweep, if it need be with the matta as a set that it shows makes it."""
    if view.plays_left <= TWO and not r.last_card_scopa:
        return False
    size = r.plan[view.stage]
    shown, later = shown_in(w.knocks[slot, seat]) & w.held[seat], may_show_later(r, size)
    may_show = r.knocks and shown == ZERO and (later or turn == ZERO) and not (r.shown_at_deal and turn == ZERO)
    now = rules_now(r, np.uint64(PLAYS) - r.table_cards - view.plays_left + ONE)
    return can_sweep(now, w, t, seat, shown if later else ZERO, may_show)


@inline
def play_out(r, policies, w, view, shows, play):
    """Show sets and make a play in the hand set up, and play it out; returns whether the next player could sweep."""
    t, slot = view_table(r, view), slot_of(r, view.stage)
    for k in range(shows.size):
        if shows[k]:
            w.knocks[slot + np.uint64(k), view.seat] = shows[k]
            declared = note_knock(r, w, shows[k], view.seat)
            if declared:
                t = with_matta_as(r, t, declared)
    played = np.uint64(PLAYS) - r.table_cards - view.plays_left
    t = make_play(rules_now(r, played), w, t, view.seat, play)
    w.history[played] = play
    turn, seat = view.turn, view.seat + ONE
    if seat == r.players:
        turn, seat = turn + ONE, ZERO
    swept = next_can_sweep(r, w, t, view, slot, turn, seat)
    call_play(w.play, r, policies, w, t, Moment(view.stage, slot, played + ONE, turn, seat), ONE)
    return swept


@entry(
    types.void(
        flat_type,
        numbers_type,
        batch_type,
        memory_type,
        types.uint64[:, ::1],
        numbers_type,
        work_type,
        types.int16[:, :, ::1],
    )
)
def run_playouts(r, policies, batch, memory, shows, plays, w, points):
    """Play out each of some choices of a seat on each deal of a batch.

    ``policies`` is uint64[4], by side; ``shows``, uint64[choices, 3], has the sets of a choice, 0 for none, and
    ``plays`` its play; ``points`` is int16[deals, choices, POINTS].
    """
    read(r, w, memory, batch.seed)
    for i in range(batch.hands):
        find_deal(r, w, memory, batch.seed, batch.first + i)
        for k in range(plays.size):
            set_up_known(r, w, memory, batch.first + i)
            swept = play_out(r, policies, w, memory.views[0], shows[k], plays[k])
            points[i, k, 4:] = 0
            points[i, k, SWEPT] = swept
            for side in range(4):
                points[i, k, side] = w.score[side, _TOTAL]
                for end in range(len(_ENDS)):
                    if w.score[side, _ENDS[end]]:
                        points[i, k, FIRST_END + end] = side + 1
                if r.all_diamonds_wins and w.score[side, _CAPPOTTO]:
                    points[i, k, 4] = side + 1


@entry(types.void(flat_type, types.uint64, types.uint64, memory_type, work_type, types.uint64[:, ::1]))
def deal_behind(r, seed, first, memory, w, holdings):
    """Deal the unseen cards, deals from number ``first`` of a seed on, and write the holdings as masks.

    ``holdings`` is uint64[deals, 4]. If the view has no plays of the stage, all deals are equally likely.
    """
    read(r, w, memory, seed)
    for i in range(holdings.shape[0]):
        find_deal(r, w, memory, seed, first + np.uint64(i))
        for seat in range(r.players):
            holdings[i, seat] = w.held[seat]


@entry(types.void(flat_type, numbers_type, batch_type, memory_type, types.uint64, work_type, notes_type))
def run_rest(r, policies, batch, memory, played, w, notes):
    """Play out a hand from the information of a seat, on each deal of a batch, and write the hands to notes.

    ``played`` is the number of plays so far; the seat to play need not be the one whose information it is, and has
    shown nothing at this turn yet. ``policies``, uint64[4], by side, decide what they show. In the notes earlier plays
    are 0, and sweeps and bonuses so far count as points for sweeps. If the view has no plays of the stage, all deals
    that agree with the information are equally likely.
    """
    view = memory.views[0]
    read(r, w, memory, batch.seed)
    slot, turn = slot_of(r, view.stage), played // r.players
    for stage in range(view.stage):
        turn -= r.plan[stage]
    for i in range(batch.hands):
        find_deal(r, w, memory, batch.seed, batch.first + i)
        set_up_known(r, w, memory, batch.first + i)
        now = Moment(view.stage, slot, played, turn, played % r.players)
        call_play(w.play, r, policies, w, view_table(r, view), now, np.uint64(1))
        for earlier in range(played):
            w.history[earlier] = ZERO
        write_notes(r, w, i, notes)
