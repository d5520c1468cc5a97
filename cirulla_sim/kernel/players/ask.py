"""Asking a policy for its play: what its seat knows is written down, the plays are listed, the answer is checked."""

from __future__ import annotations

import numpy as np

from ..calls import by_address
from ..game.bits import ONE, TWO, ZERO, popcount
from ..game.bonuses import matta_of, points_of, shown_in
from ..game.captures import Table, lay
from ..game.hand import (
    AIMS,
    ASKS,
    CHEATS,
    FORCED,
    HAND,
    KNOCKS,
    LAST_CAPTURE,
    NO_PLAY,
    PLAYS,
    SAMPLES,
    SEES,
    SEES_ALL,
    SEES_NEXT,
    SEES_PARTNER,
    note_knock,
)
from ..game.plays import captured, card_of, declaring, list_plays
from ..game.scoring import COLUMN
from ..jit import inline
from .knock import CAPTURE, MOST_KNOCKS, SILENT, TRAIL, force_knocks, list_knocks, may_knock, may_show_later
from .workspace import policy_signature

call_policy = by_address(policy_signature)

_THREE = np.uint64(3)
_SCOPE, _TABLE_BONUS, _HAND_BONUS = COLUMN["scope"], COLUMN["table_bonus"], COLUMN["hand_bonus"]


@inline
def side_of(r, seat):
    """The side of a seat."""
    return seat & ONE if r.sides == TWO else seat


@inline
def has_shown(r, at_once, k, turn, other, seat):
    """Whether a seat has had its time to show its set number ``k`` of a stage, when ``seat`` is to play."""
    when = k * _THREE if r.shown_first else ZERO
    return turn > when or (turn == when and (other <= seat or at_once))


@inline
def decides(w, side):
    """Whether the seats of a side decide what they show; their knocks are written down only when they are made."""
    return w.told[side, KNOCKS] != ZERO


@inline
def fill_knocks(r, w, view, at, at_deal):
    """Write down what the knocks of this stage tell: shown cards, seats that did not knock, the matta's value.

    The points of sets not shown yet are taken out, and the matta counts as declared only once its set is shown.
    ``at_deal`` tells that the seats, one after another, are being asked what they show at the deal.
    """
    size, seat = r.plan[at.stage], at.seat
    matta = ONE << r.matta
    open_stage = r.open_last_stage and at.stage + ONE == r.stages
    sees, following = w.told[view.side, SEES], seat + ONE if seat + ONE < r.players else ZERO
    for place in range(r.players):
        other = np.uint64(place)
        held, side = w.held[other], side_of(r, other)
        shown, first, declined = ZERO, ZERO, ZERO
        unknown = False  # a set that is not shown yet
        if r.knocks and size >= _THREE:
            for k in range(size // _THREE):
                knock = w.knocks[at.slot + np.uint64(k), other]
                at_once = r.shown_at_deal and not (at_deal and decides(w, side))
                if has_shown(r, at_once, np.uint64(k), at.turn, other, seat) or (knock and decides(w, side)):
                    if not knock:
                        declined = ONE if k == 0 else declined
                        continue
                    shown |= shown_in(knock) & held
                    if r.shown_first and first == ZERO and size > _THREE:
                        first = shown_in(knock) & held
                elif knock:
                    view.points[side] -= points_of(knock)
                    unknown = unknown or (shown_in(knock) & matta) != ZERO
        open_partner = side == view.side and (r.open_partners or sees & SEES_PARTNER)
        if other == seat or open_stage or open_partner or sees & SEES_ALL or (sees & SEES_NEXT and other == following):
            shown = held
            declined = ZERO
        elif unknown:
            view.matta_value = r.matta_value
        view.shown[other] = shown
        view.first[other] = first
        view.declined[other] = declined


@inline
def fill_view(r, w, view, t, at, at_deal):
    """Write what a seat knows into a view, see ``fill_knocks``."""
    seat = at.seat
    side = side_of(r, seat)
    view.players = r.players
    view.sides = r.sides
    view.seat = seat
    view.side = side
    view.stage = at.stage
    view.turn = at.turn
    view.plays_left = np.uint64(PLAYS) - r.table_cards - at.played
    view.holding = w.held[seat]
    view.table = t.cards
    view.table_product = t.product
    view.matta_value = t.matta_value
    view.last_capture = w.deal[LAST_CAPTURE]
    for i in range(4):
        view.pile[i] = w.pile[i]
        view.points[i] = np.uint64(w.score[i, _SCOPE] + w.score[i, _TABLE_BONUS] + w.score[i, _HAND_BONUS])
        view.score[i] = w.game[i]
        view.held[i], view.played[i], view.hidden[i] = ZERO, ZERO, ZERO
        view.shown[i], view.first[i], view.declined[i] = ZERO, ZERO, ZERO
    view.told = ZERO if at_deal else at.turn * r.players + seat
    for i in range(view.told):
        view.made[i] = w.made[at.played - view.told + np.uint64(i)]
    in_hands = ZERO
    for place in range(r.players):
        other = np.uint64(place)
        held = w.held[other]
        in_hands += popcount(held)
        view.held[other] = popcount(held)
        view.played[other] = w.dealt[other] & ~held
        if w.told[side, SEES] & CHEATS:
            view.hidden[other] = held
    view.stock = view.plays_left - in_hands
    view.samples = w.told[side, SAMPLES]
    view.aims_at_game = w.told[side, AIMS]
    view.asks = w.told[side, ASKS]
    view.dice = w.states[seat + ONE]
    waits = decides(w, side) and r.knocks and may_show_later(r, r.plan[at.stage]) and not w.told[side, FORCED] & SILENT
    view.may_show = ONE if waits else ZERO
    fill_knocks(r, w, view, at, at_deal)
    view.allowed = view.first[seat] if view.first[seat] else w.held[seat]


@inline
def decide_knocks(r, w, t, room, slot):
    """Let a seat that decides show what it likes; returns the table, the matta as declared, and that value or 0."""
    view = room.seen
    seat, side = view.seat, view.side
    declared = ZERO
    size = r.plan[view.stage]
    place, shown = ZERO, ZERO  # of the next set; cards shown, in this call or before and not played yet
    for k in range(size // _THREE):
        knock = w.knocks[slot + np.uint64(k), seat]
        if knock:
            place += ONE
        shown |= shown_in(knock) & view.holding
    rounds = ONE if r.shown_first else size // _THREE  # all at once where the order of play is free
    for _ in range(rounds):
        if not may_knock(r, view, size, shown):
            break
        listed = room.plays[:MOST_KNOCKS]
        size_listed = list_knocks(r, view.holding & ~shown, listed, w.candidates)
        choices = force_knocks(listed, size_listed, w.told[side, FORCED])
        chosen = ZERO
        if choices > ONE:
            room.mind.to_show = True
            chosen = call_policy(w.told[side, KNOCKS], r, view, listed[:choices], room.mind)
            room.mind.to_show = False
        knock = listed[chosen]
        if not knock:
            break
        w.knocks[slot + place, seat] = knock
        place += ONE
        shown |= shown_in(knock)
        note_knock(r, w, knock, seat)
        view.points[side] += points_of(knock)
        if matta_of(knock):
            declared = matta_of(knock)
            view.matta_value = declared
        if r.shown_first and size > _THREE:
            view.first[seat] = shown
            view.allowed = shown
    return Table(t.cards, t.product, declared if declared else t.matta_value, t.rows), declared


@inline
def force_plays(plays, size, forced):
    """Leave of the plays those that a study's force leaves, if it leaves any; returns how many."""
    kept, capturing = ZERO, np.uint64(40)  # the card of the last capture: leaving a card comes behind its captures
    for i in range(size):
        play = plays[i]
        if captured(play):
            capturing = card_of(play)
            if forced & TRAIL:
                continue
        elif forced & CAPTURE and card_of(play) == capturing:
            continue
        plays[kept] = play
        kept += ONE
    return kept


@inline
def note_fault(w, fault, table, at, answer, plays):
    """Write down an answer that is no place among the plays, if it is the first."""
    if not fault.found:
        fault.found, fault.seat, fault.holding, fault.table = ONE, at.seat, w.held[at.seat], table
        fault.played, fault.answer, fault.plays, fault.hand = at.played, answer, plays, w.deal[HAND]


@inline
def ask_policy(r, w, room, policy, t, at):
    """The play, as a word, that the policy at an address chooses for the seat to play, and what it declares before it.

    An answer that is no place among the plays is noted, if it is the first, and the first play made in its stead.
    """
    view, cards = room.seen, t.cards
    fill_view(r, w, view, t, at, policy == NO_PLAY)
    t = lay(t.cards, t.product, t.matta_value, room.mind.rows)  # the rows that policies look into
    declared = ZERO
    if decides(w, view.side) and (policy == NO_PLAY or not r.shown_at_deal or at.turn):
        t, declared = decide_knocks(r, w, t, room, at.slot)
        w.states[at.seat + ONE] = view.dice
    if policy == NO_PLAY:
        return declaring(ZERO, declared)
    plays = list_plays(r, t, view.allowed, view.plays_left == ONE, room.plays)
    if w.told[view.side, FORCED] and r.capture_optional:
        plays = force_plays(room.plays, plays, w.told[view.side, FORCED])
    answer = call_policy(policy, r, view, room.plays[:plays], room.mind)
    w.states[at.seat + ONE] = view.dice
    if answer >= plays:
        note_fault(w, room.fault, cards, at, answer, plays)
        answer = ZERO
    return declaring(room.plays[answer], declared)
