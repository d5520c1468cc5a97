"""The call of a policy: its workspace, the view of its seat, the legal plays, the check of its answer.

Beside the view a policy may use tables, and the scratch of each module of the players, declared there.
"""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ONE, ZERO, lowest, popcount
from ..game.bonuses import bonus_of, knock_points, matta_of, shown_in
from ..game.captures import cell_of, choice_at, count_choices, first_choice, is_large, value_of, with_matta_as
from ..game.flat import WORD, flat_type
from ..game.hand import (
    AIMS,
    CANDIDATES,
    HAND,
    KNOCKS,
    LAST_CAPTURE,
    NO_PLAY,
    OPPONENT_WORK,
    SAMPLES,
    SEATS,
    SEES_ALL,
    STYLES,
    may_show_later,
    note_knock,
)
from ..game.plays import MOST_PLAYS, declaring, list_plays, may_be_played, side_of, word_of
from ..game.scoring import COLUMN
from ..jit import by_address, inline, record_at
from .knock import MOST_KNOCKS, list_knocks, may_knock
from .opponent_query import QUERY
from .opponents import READING
from .reply import REPLIES
from .search import AHEAD, SEARCH
from .solver import SOLVER
from .unseen_deal import DEALS
from .view import VIEW, sees_holding, view_type
from .weights import WEIGHTS

MIND = np.dtype(
    [
        ("tables", WORD),  # address of those of the rules, see worth.py
        ("weights", WEIGHTS, SEATS),  # by side
        ("win", WORD),  # address of float32[plays + 1, S, S]: side 0's chance to win the game by plays left and points
        ("win_size", WORD),  # its S, or 0 without one
        ("to_show", np.bool_),  # whether the choices are of sets to show, and not of plays
        # From here on scratch: its content before a call must not change the play.
        ("plays", WORD, 2 * MOST_PLAYS),  # of the positions ahead
        ("holdings", WORD, SEATS),  # all holdings, as they are seen or sampled
        ("sets", WORD, CANDIDATES),  # scratch of bonuses.find_candidates
        ("shows", np.float32, MOST_KNOCKS),  # what each choice to show is worth
        ("replies", REPLIES),
        ("solver", SOLVER),
        ("reading", READING),
        ("ahead", AHEAD),
        ("query", QUERY),
        ("deals", DEALS),
        ("search", SEARCH),
    ],
    align=True,
)
"""What a policy may use beside the view."""

mind_type = types.Record(MIND)

policy_signature = types.uint64(flat_type, view_type, types.uint64[::1], mind_type)
"""Of every policy that is called: rules, view, legal plays, mind; it returns the place of a play among the plays."""


FAULT = np.dtype([(name, WORD) for name in (
    "is_set",  # 1 if there is one
    "answer", "plays", "hand",
    "dice",  # of the seat before its answer
)])  # fmt: skip
"""The first illegal answer of a policy, and how many plays there were; the view that it had, and the plays, stay."""

WORKSPACE = np.dtype(
    [
        ("information", VIEW),  # of the seat to play
        ("plays", WORD, MOST_PLAYS),  # what it may play, or show
        ("fault", FAULT),
        ("mind", MIND),
    ],
    align=True,
)
"""What policies are asked with. The game passes on its address (``Work.workspace``)."""

workspace_type = types.Record(WORKSPACE)
workspace_at = record_at(workspace_type)

call_policy = by_address(policy_signature)

_THREE = np.uint64(3)
_SCOPE, _TABLE_BONUS, _HAND_BONUS = COLUMN["scope"], COLUMN["table_bonus"], COLUMN["hand_bonus"]


@inline
def decides(w, side):
    """Whether the seats of a side decide what they show; their knocks are noted only when they happen."""
    return w.options[side, KNOCKS] != ZERO


@inline
def fill_knocks(r, w, view, at, at_deal):
    """Write to a view the shown cards of this stage, the seats that did not knock, and the value of the matta.

    The points of sets not shown yet are taken out, and the matta counts as declared only once its set is shown.
    ``at_deal`` if the seats, one after another, choose what they show at the deal.
    """
    size, seat = r.plan[at.stage], at.seat
    matta = ONE << r.matta
    for place in range(r.players):
        other = np.uint64(place)
        held, side = w.held[other], side_of(r, other)
        shown, first, declined = ZERO, ZERO, ZERO
        unknown = False  # a set that is not shown yet
        if r.knocks and size >= _THREE:
            for k in range(size // _THREE):
                knock = w.knocks[r.slots[at.stage] + np.uint64(k), other]
                at_once = r.shown_at_deal and not (at_deal and decides(w, side))
                when = np.uint64(k) * _THREE if r.shown_first else ZERO
                had_its_time = at.turn > when or (at.turn == when and (other <= seat or at_once))
                if had_its_time or (knock and decides(w, side)):
                    if not knock:
                        declined = ONE if k == 0 else declined
                        continue
                    shown |= shown_in(knock) & held
                    if r.shown_first and first == ZERO and size > _THREE:
                        first = shown_in(knock) & held
                elif knock:
                    view.points[side] -= knock_points(knock)
                    unknown = unknown or (shown_in(knock) & matta) != ZERO
        if sees_holding(r, view, other):
            shown = held
            declined = ZERO
        elif unknown:
            view.matta_value = r.matta_value
        view.shown[other] = shown
        view.first[other] = first
        view.declined[other] = declined


@inline
def fill_view(r, w, view, t, at, at_deal):
    """Write the information of a seat to a view, see ``fill_knocks``."""
    seat = at.seat
    side = side_of(r, seat)
    view.players = r.players
    view.sides = r.sides
    view.seat = seat
    view.side = side
    view.stage = at.stage
    view.turn = at.turn
    view.plays_left = r.plays - at.played
    view.holding = w.held[seat]
    view.table = t.cards
    view.matta_value = t.matta_value
    view.last_capture = w.deal[LAST_CAPTURE]
    for i in range(4):
        view.pile[i] = w.pile[i]
        view.points[i] = np.uint64(w.score[i, _SCOPE] + w.score[i, _TABLE_BONUS] + w.score[i, _HAND_BONUS])
        view.score[i] = w.game[i]
        for style in range(STYLES):
            view.styles[i, style] = w.styles[i, style]
        view.held[i], view.played[i], view.hidden[i] = ZERO, ZERO, ZERO
        view.shown[i], view.first[i], view.declined[i] = ZERO, ZERO, ZERO
    view.history_size = ZERO if at_deal else at.turn * r.players + seat
    for i in range(view.history_size):
        view.history[i] = w.history[at.played - view.history_size + np.uint64(i)]
    in_hands = ZERO
    for place in range(r.players):
        other = np.uint64(place)
        held = w.held[other]
        in_hands += popcount(held)
        view.held[other] = popcount(held)
        view.played[other] = w.dealt[other] & ~held
        if w.options[side, SEES_ALL]:
            view.hidden[other] = held
    view.stock = view.plays_left - in_hands
    view.samples = w.options[side, SAMPLES]
    view.aims_at_game = w.options[side, AIMS]
    view.opponent_work = w.options[side, OPPONENT_WORK]
    view.dice = w.states[seat + ONE]
    view.may_show = ONE if decides(w, side) and r.knocks and may_show_later(r, r.plan[at.stage]) else ZERO
    fill_knocks(r, w, view, at, at_deal)
    view.allowed = may_be_played(w.held[seat], view.first[seat])


@inline
def decide_knocks(r, w, t, workspace):
    """Let a seat show the sets that its policy chooses; returns the table and the declared value of the matta, or 0."""
    view = workspace.information
    seat, side = view.seat, view.side
    declared = ZERO
    size, slot = r.plan[view.stage], r.slots[view.stage]
    place, shown = ZERO, ZERO  # of the next set; cards shown, in this call or before and not played yet
    for k in range(size // _THREE):
        knock = w.knocks[slot + np.uint64(k), seat]
        if knock:
            place += ONE
        shown |= shown_in(knock) & view.holding
    rounds = ONE if r.shown_first else size // _THREE  # all at once if the order of play is free
    for _ in range(rounds):
        if not may_knock(r, view, size, shown) or (size == _THREE and bonus_of(r, view.holding) == ZERO):
            break
        size_listed = list_knocks(r, view.holding & ~shown, workspace.plays[:MOST_KNOCKS], w.candidates)
        # The first is to show none, which the rules may not allow.
        listed = workspace.plays[ONE if r.must_show and size_listed > ONE else ZERO : size_listed]
        chosen = ZERO
        if listed.size > 1:
            workspace.mind.to_show = True
            chosen = call_policy(w.options[side, KNOCKS], r, view, listed, workspace.mind)
            workspace.mind.to_show = False
        knock = listed[chosen]
        if not knock:
            break
        w.knocks[slot + place, seat] = knock
        place += ONE
        shown |= shown_in(knock)
        note_knock(r, w, knock, seat)
        view.points[side] += knock_points(knock)
        if matta_of(knock):
            declared = matta_of(knock)
            view.matta_value = declared
        if r.shown_first and size > _THREE:
            view.first[seat] = shown
            view.allowed = shown
    return with_matta_as(r, t, declared) if declared else t, declared


@inline
def only_play(r, w, t, at):
    """The play, as a word, of a seat with one card that has one choice, else 0: a third of all plays are such."""
    held = w.held[at.seat]
    if held & (held - ONE) or is_large(t):
        return ZERO
    card = lowest(held)
    value = value_of(r, t, card)
    cell = cell_of(r, t, value)
    if count_choices(cell) > ONE:
        return ZERO
    return word_of(r, choice_at(r, t, card, value, first_choice(cell)), at.played + ONE == r.plays)


@inline
def ask_policy(r, w, workspace, policy, t, at):
    """The play, as a word, that the policy at an address chooses for the seat to play, and what it declares before it.

    The first answer that is no place among the plays is noted; after it nobody is asked any more.
    """
    only = only_play(r, w, t, at) if policy != NO_PLAY else ZERO
    if only:
        return only
    if workspace.fault.is_set:  # what is played after it has no meaning
        list_plays(r, t, w.held[at.seat], False, workspace.mind.plays)
        return ZERO if policy == NO_PLAY else workspace.mind.plays[0]
    view = workspace.information
    fill_view(r, w, view, t, at, policy == NO_PLAY)
    declared = ZERO
    if decides(w, view.side) and (policy == NO_PLAY or not r.shown_at_deal or at.turn):
        t, declared = decide_knocks(r, w, t, workspace)
        w.states[at.seat + ONE] = view.dice
    if policy == NO_PLAY:
        return declaring(ZERO, declared)
    plays = list_plays(r, t, view.allowed, view.plays_left == ONE, workspace.plays)
    answer = call_policy(policy, r, view, workspace.plays[:plays], workspace.mind)
    if answer >= plays:
        fault = workspace.fault
        fault.is_set, fault.answer, fault.plays, fault.hand = ONE, answer, plays, w.deal[HAND]
        fault.dice = w.states[at.seat + ONE]
        answer = ZERO
    w.states[at.seat + ONE] = view.dice
    return declaring(workspace.plays[answer], declared)
