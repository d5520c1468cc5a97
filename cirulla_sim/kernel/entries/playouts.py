"""The entry points for advice: the legal plays of a view, and each of them played out on the same deals.

A deal is what may lie behind a view: the cards not seen are dealt out as they may be held, and the stock is shuffled.
It agrees with all that the seat knows: cards gone, cards shown, and that a seat that could have knocked and did not
holds no set worth a bonus. It is a pure function of seed and number, so every play meets the same deals and dice.
"""

from __future__ import annotations

import numpy as np
from numba import types

from ..game.bits import ONE, ZERO, lowest, popcount
from ..game.bonuses import bonus_of, choose_sets, knock_word, matta_of, points_of, shown_in
from ..game.captures import fill_rows, is_large, land, lay, remove, rows_type, with_matta_as
from ..game.flat import flat_type
from ..game.hand import HAND, KNOCKS, LAST_CAPTURE, NOBODY, PLAYS, call_dealer, call_play, work_type
from ..game.plays import captured, card_of, is_sweep, list_plays, value_in
from ..game.scoring import COLUMN
from ..game.streams import below, start
from ..jit import entry, small
from ..players.ask import has_shown, side_of
from ..players.knock import may_show_later
from ..players.view import table_of, unseen, view_type

TRIES = 2000
"""How often cards are dealt again if somebody would have shown, or not shown, what was not, or was.

If none of them agrees, somebody has not shown the best set at once: then what was shown is all that is known.
"""

ENDS = ("cards", "diamonds", "settebello", "primiera", "grande")
"""What is made with the pile: each by one side at most."""

POINTS = 5 + len(ENDS)
"""Numbers kept of a playout: the points of each of up to four sides; who won the game outright, 1 + side, or 0; and who
made each of ``ENDS``, likewise."""

_THREE = np.uint64(3)
_SCOPE, _HAND_BONUS, _TOTAL, _CAPPOTTO = (
    COLUMN["scope"], COLUMN["hand_bonus"], COLUMN["total"], COLUMN["cappotto"],
)  # fmt: skip
_ENDS = tuple(COLUMN[name] for name in ENDS)
_SHOWN = ONE  # stands for a knock of which no more is known than the cards shown


@small
def slot_of(r, stage):
    """The first slot of a stage's knocks."""
    slot = ZERO
    for i in range(stage):
        slot += r.plan[i] // _THREE
    return slot


@small
def deal_cards(r, w, view, cards, forgotten):
    """Deal the unseen cards, a mask, into ``w``: to the holdings, ``forgotten`` of them to the cards gone, the stock.

    Where some of them are known (see ``positions.where``) they lie so. Returns the mask of the forgotten ones.
    """
    size = popcount(cards)
    first = np.uint64(PLAYS) - size
    if w.dealer:
        call_dealer(w.dealer, r, w, False)
    else:
        for i in range(size):
            w.deck[first + np.uint64(i)] = lowest(cards)
            cards &= cards - ONE
        for k in range(size - ONE):
            i = first + np.uint64(k)
            j = i + below(w.states, ZERO, size - np.uint64(k))
            w.deck[i], w.deck[j] = w.deck[j], w.deck[i]
    for i in range(r.players):
        seat = np.uint64(i)
        held = view.holding if seat == view.seat else view.shown[seat]
        while popcount(held) < view.held[seat]:
            held |= ONE << np.uint64(w.deck[first])
            first += ONE
        w.held[seat] = held
        w.dealt[seat] = held | view.played[seat]
    gone = ZERO
    for _ in range(forgotten):
        gone |= ONE << np.uint64(w.deck[first])
        first += ONE
    return gone


@small
def find_knocks(r, w, slot, seat, size):
    """Write a seat's knocks of a stage as its dealt cards, all known, have them."""
    cards = w.dealt[seat]
    if size > _THREE:
        choose_sets(r, cards, slot, seat, w.knocks, w.candidates)
        return
    bonus = bonus_of(r, cards)
    if bonus:
        w.knocks[slot, seat] = knock_word(cards, bonus)


@small
def is_consistent(r, w, view, slot, seat, size, known):
    """Whether the knocks of a seat agree with what it has shown; ``known`` tells that its cards are known anyway."""
    shown, declined = ZERO, False
    for k in range(size // _THREE):
        if has_shown(r, r.shown_at_deal, np.uint64(k), view.turn, seat, view.seat):
            knock = w.knocks[slot + np.uint64(k), seat]
            shown |= shown_in(knock) & w.held[seat]
            declined = declined or (k == 0 and knock == ZERO)
    return known or (shown == view.shown[seat] and declined == (view.declined[seat] != ZERO))


@small
def settle_knocks(r, w, view, slot, size, by_rule):
    """Find the knocks of all seats; returns whether they agree with the view, and the matta's value from now on.

    Points of sets not shown yet are added to the score, but for seats that decide themselves what they show. Where it
    is not known what a seat has played in this stage, where it may wait with its sets, or unless ``by_rule``, the cards
    it has shown are all that is told of its knocks.
    """
    matta_value, agrees = view.matta_value, True
    open_stage = r.open_last_stage and view.stage + ONE == r.stages
    for i in range(r.players):
        seat = np.uint64(i)
        side = side_of(r, seat)
        decides = w.told[side, KNOCKS] != ZERO
        waits = decides and may_show_later(r, size)
        if popcount(w.dealt[seat]) < size or waits or not by_rule:
            at = slot if decides or not r.shown_first else slot + view.turn // _THREE
            shown = view.first[seat] if seat == view.seat else view.shown[seat]  # one sees one's own cards alone
            w.knocks[at, seat] = knock_word(shown, _SHOWN) if shown else ZERO
            continue
        find_knocks(r, w, slot, seat, size)
        known = seat == view.seat or open_stage or (r.open_partners and side == view.side)
        agrees = agrees and is_consistent(r, w, view, slot, seat, size, known)
        for k in range(size // _THREE):
            knock = w.knocks[slot + np.uint64(k), seat]
            if knock and not has_shown(r, r.shown_at_deal, np.uint64(k), view.turn, seat, view.seat):
                if decides:
                    w.knocks[slot + np.uint64(k), seat] = ZERO
                    continue
                w.score[side, _HAND_BONUS] += points_of(knock)
                if matta_of(knock):
                    matta_value = matta_of(knock)
    return agrees, matta_value


@small
def give_away(r, w, cards):
    """Put each card of a mask into a pile by chance: nobody remembers who captured it."""
    while cards:
        w.pile[below(w.states, ZERO, r.sides)] |= cards & (ZERO - cards)
        cards &= cards - ONE


@small
def set_up(r, w, view, seed, index, unowned, forgotten):
    """Deal what may lie behind a view; returns the matta's value from now on."""
    start(w.states, seed, index)
    w.deal[:] = ZERO
    w.deal[HAND] = index
    slot, size = slot_of(r, view.stage), r.plan[view.stage]
    matta_value, lost = view.matta_value, ZERO
    for attempt in range(TRIES + 1):
        w.knocks[:] = ZERO
        w.score[:] = 0
        lost = deal_cards(r, w, view, unseen(view) & ~unowned, forgotten)
        if not r.knocks or size < _THREE:
            break
        agrees, matta_value = settle_knocks(r, w, view, slot, size, attempt < TRIES)
        if agrees:
            break
    for i in range(4):
        w.pile[i] = view.pile[i]
        w.score[i, _SCOPE] = view.points[i]
    give_away(r, w, unowned | lost)
    w.deal[LAST_CAPTURE] = view.last_capture
    if view.last_capture == NOBODY and (w.pile[0] | w.pile[1] | w.pile[2] | w.pile[3]):
        w.deal[LAST_CAPTURE] = below(w.states, ZERO, r.players)
    return matta_value


@small
def play_out(r, policies, w, view, matta_value, play):
    """Make a play in the hand set up and play it out."""
    t = lay(view.table, view.table_product, view.matta_value, w.rows)
    if matta_value != t.matta_value:
        t = with_matta_as(r, t, matta_value)
    card, got = card_of(play), captured(play)
    side = side_of(r, view.seat)
    w.held[view.seat] ^= ONE << card
    if got:
        w.score[side, _SCOPE] += is_sweep(play)
        w.pile[side] |= got | ONE << card
        w.deal[LAST_CAPTURE] = view.seat
        t = remove(r, t, got)
    else:
        t = land(t, card, value_in(play))
    played = np.uint64(PLAYS) - r.table_cards - view.plays_left + ONE
    turn, seat = view.turn, view.seat + ONE
    if seat == r.players:
        turn, seat = turn + ONE, ZERO
    call_play(
        w.play, r, policies, w, t.cards, t.product, t.matta_value, view.stage, slot_of(r, view.stage), played, turn,
        seat, ONE,
    )  # fmt: skip


@entry(
    types.void(
        flat_type,
        types.uint64[::1],
        types.uint64,
        types.uint64,
        types.Array(view_type, 1, "C"),
        types.uint64,
        types.uint64,
        types.uint64[::1],
        work_type,
        types.int16[:, :, ::1],
    )
)
def run_playouts(r, policies, seed, first, views, unowned, forgotten, plays, w, points):
    """Play out each of some plays of a view on the deals from number ``first`` of a seed on.

    ``policies`` is uint64[4], by side. ``unowned`` is the mask of the cards gone that nobody remembers the pile of, and
    ``forgotten`` how many of the unseen cards are gone. ``points`` is int16[deals, plays, POINTS].
    """
    view = views[0]
    for i in range(points.shape[0]):
        for k in range(plays.size):
            matta_value = set_up(r, w, view, seed, first + np.uint64(i), unowned, forgotten)
            play_out(r, policies, w, view, matta_value, plays[k])
            points[i, k, 4:] = 0
            for side in range(4):
                points[i, k, side] = w.score[side, _TOTAL]
                for end in range(len(_ENDS)):
                    if w.score[side, _ENDS[end]]:
                        points[i, k, 5 + end] = side + 1
                if r.all_diamonds_wins and w.score[side, _CAPPOTTO]:
                    points[i, k, 4] = side + 1


@entry(types.uint64(flat_type, types.Array(view_type, 1, "C"), rows_type, types.uint64[::1]))
def list_legal(r, views, rows, plays):
    """Write the legal plays of a view to ``plays``, uint64[n]; returns how many. ``rows`` is a table's scratch."""
    view = views[0]
    t = table_of(view, rows)
    if is_large(t):
        fill_rows(r, t)
    return list_plays(r, t, view.allowed, view.plays_left == ONE, plays)
