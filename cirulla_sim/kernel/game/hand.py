"""One hand, from its number to its score."""

from __future__ import annotations

import numpy as np

from .. import types
from ..jit import by_address, inline
from .bits import ONE, TWO, ZERO
from .bonuses import (
    FOUR,
    LOW_NO_ACE,
    TRIPLE,
    bonus_kind,
    choose_sets,
    four_equal,
    holding_bonus,
    is_misdeal,
    knock_points,
    knock_word,
    matta_of,
    shown_in,
    table_bonus,
)
from .captures import Table, after, make_table, table_type, with_matta_as
from .constrained_deal import REGIONS
from .flat import flat_type
from .inlined import GREEDY, RANDOM, greedy_play, random_play
from .plays import (
    Moment,
    captured_cards,
    choice_in,
    declared_in,
    may_be_played,
    moment_type,
    rules_now,
    side_of,
    sweep_bit,
    word_of,
)
from .scoring import COLUMN, COLUMNS, SIDES, count_sweeps, score_hand
from .streams import PACK, shuffle, shuffle_part, start

SEATS = 4
SLOTS = 6
PLAYS = 40
STYLES = 3  # of play, see players.opponents
MISDEALS = 64
CANDIDATES = 250
WORD = np.uint64

# Places in Work.deal.
MISDEALT, TABLE_KIND, TABLE_POINTS, TABLE_VALUE, WON_AT_DEAL, LAST_CAPTURE, PLAYED, HAND = map(np.uint64, range(8))
NOBODY = np.uint64(255)
# Places in a row of Work.options: the number given with the policy's name; 1 if it sees all cards; the address of the
# function that decides what it shows, 0 if the best sets are shown at once; 1 if this function shows them at once too;
# 1 if it aims at the game; and the address of the ``Work`` of its opponent model, 0 without one.
SAMPLES, SEES_ALL, KNOCKS, AT_ONCE, AIMS, OPPONENT_WORK = map(np.uint64, range(6))
OPTIONS = 6
WON_BY_DEALER, WON_BY_OTHERS = np.uint64(1), np.uint64(2)

_THREE = np.uint64(3)

_TABLE_BONUS, _HAND_BONUS = COLUMN["table_bonus"], COLUMN["hand_bonus"]
_CAPTURES, _LOW, _LOW_NO_ACE, _TRIPLE = COLUMN["captures"], COLUMN["low"], COLUMN["low_no_ace"], COLUMN["triple"]
_ANY = COLUMN["any_low"] - COLUMN["low"]
_KNOCK, _WINS = COLUMN["knock"], COLUMN["wins"]


WORK = np.dtype(
    [
        ("deck", np.uint8, 40),  # deal order: table cards, then stage by stage and seat by seat the cards dealt
        ("swaps", np.uint8, 40),  # scratch of shuffle
        ("states", WORD, 1 + SEATS),  # streams: the deal's, then each seat's dice
        ("held", WORD, SEATS),  # mask of the holding of each seat
        ("dealt", WORD, SEATS),  # mask of what each seat was dealt in this stage
        ("pile", WORD, SIDES),  # mask of the pile of each side
        ("knocks", WORD, (SLOTS, SEATS)),  # by slot and seat, see bonuses.knock_word; 0 is none
        ("candidates", WORD, CANDIDATES),  # scratch of choose_sets
        ("value", WORD, SIDES),  # scratch of score_hand
        ("history", WORD, PLAYS),  # plays in order, see plays.py
        ("misdealt", WORD, MISDEALS),  # masks of the tables that were misdeals
        ("deal", WORD, 8),  # what happened at the deal and at the end, see the places above
        ("score", np.int32, (SIDES, len(COLUMNS))),  # by side
        ("game", WORD, SIDES),  # score of the game before this hand, by side
        ("options", WORD, (SIDES, OPTIONS)),  # of each side's policy, see the places above
        ("play", WORD),  # address of what plays hands, see play_signature
        ("asker", WORD),  # address of the function that calls policies, see ask_signature; 0 if all are inlined
        ("opponent", WORD),  # in the work of an opponent model: the address of its policy
        ("certain", WORD),  # and 1 + the style of play that the others have for certain, 0 if it is inferred
        ("sampled_styles", WORD, SEATS),  # and the style of play of each seat in a sampled deal
        ("styles", WORD, (SIDES, STYLES)),  # by side, weights of the styles of play, see players.opponents; 0: prior
        ("styles_before", WORD, (SIDES, STYLES)),  # the same when a hand begins
        ("observer", WORD),  # address of the function that updates these after a stage, of ``ask_signature``; or 0
        ("goes_on", np.bool_),  # whether more hands of the same players follow, so that the last stage counts too
        ("workspace", WORD),  # address of the workspace of the players, opaque to the game
        ("dealer", WORD),  # address of what deals under constraints, see dealer_signature; 0 without any
        ("constraints", WORD),  # address of an array of constrained_deal.CONSTRAINTS
        ("alternatives", WORD),  # how many there are: each deal is under one of them, as likely as the others
        ("testers", WORD),  # how many more follow each of them: a deal meets one of these at least, if there are any
        ("redeals", WORD),  # address of a record of entries.deals.REDEALS
        ("shares", np.uint8, (41, REGIONS)),  # scratch of deals under constraints
    ],
    align=True,
)
"""Everything about the hand being played: one record, allocated once and used for one hand after another."""

work_type = types.Record(WORK)

ask_signature = types.uint64(flat_type, work_type, types.uint64, table_type, moment_type)
"""Of the function that calls a policy, compiled by itself and called by address: most hands do not need it.

It takes rules, work, the policy's address, the table and the moment; it returns a play as a word.
"""

dealer_signature = types.uint64(flat_type, work_type, types.boolean)
"""Of the function that deals under constraints, compiled by itself and called by address.

It takes rules, work and whether misdeals are dealt again, so that the deal is the last of the whole process; it returns
the table, a mask.
"""

call_dealer = by_address(dealer_signature)

NO_PLAY = ZERO
"""In place of a policy: only what it shows at the deal is wanted."""

call_ask = by_address(ask_signature)

play_signature = types.uint64(flat_type, types.uint64[::1], work_type, table_type, moment_type, types.uint64)
"""Of what plays hands, ``play_stages``: compiled by itself, for all that have hands played, and called by address."""

call_play = by_address(play_signature)


@inline
def cards_in(deck, first, size):
    """The mask of ``size`` cards of the deal order from place ``first`` on."""
    cards = ZERO
    for i in range(size):
        cards |= ONE << np.uint64(deck[first + np.uint64(i)])
    return cards


@inline
def bury_table(r, w):
    """Replace the table cards with others of the stock, which is shuffled with them."""
    stock = r.table_cards + r.players * r.plan[0]
    for i in range(r.table_cards):
        j = stock + np.uint64(i)
        w.deck[i], w.deck[j] = w.deck[j], w.deck[i]
    shuffle_part(w.states, w.deck, stock, PACK - stock)


@inline
def deal_table(r, w, shuffled):
    """Shuffle, unless that is done, and lay the table until it is no misdeal; returns its mask.

    What decides the game is noted.
    """
    w.deal[WON_AT_DEAL] = ZERO
    w.deal[MISDEALT] = ZERO
    while True:  # the shuffle occurs here once: inlined twice it made every deal a third slower
        if w.deal[MISDEALT] and r.bury_table:
            bury_table(r, w)
        elif not shuffled:
            shuffle(w.states, w.deck, w.swaps)
        shuffled = False
        cards = cards_in(w.deck, ZERO, FOUR) if r.table_cards else ZERO
        if judge_table(r, w, cards):
            return cards


@inline
def deal_with_constraints(r, w):
    """The same under constraints, if there are any. (The call by address costs a sixth of the time of a deal.)"""
    return call_dealer(w.dealer, r, w, True) if w.dealer else deal_table(r, w, False)


@inline
def judge_table(r, w, cards):
    """Whether the table cards, a mask, stay or are dealt again; misdeals are noted, and what decides the game."""
    if r.table_four_equal_wins and four_equal(r, cards):
        w.deal[WON_AT_DEAL] = WON_BY_DEALER
        return True
    if not is_misdeal(r, cards):
        return True
    w.misdealt[min(w.deal[MISDEALT], np.uint64(MISDEALS - 1))] = cards
    w.deal[MISDEALT] += ONE
    if w.deal[MISDEALT] == r.misdeals_lose:
        w.deal[WON_AT_DEAL] = WON_BY_OTHERS
        return True
    return False


@inline
def note_knock(r, w, knock, seat):
    """Count a knock for the seat's side and return the value it gives the matta, 0 if the matta is not in it."""
    mine = w.score[side_of(r, seat)]
    mine[_HAND_BONUS] += knock_points(knock)
    kind = bonus_kind(knock)
    no_ace, triple = kind == LOW_NO_ACE, kind == TRIPLE
    for column, counts in ((_LOW, not triple), (_LOW_NO_ACE, no_ace), (_TRIPLE, triple), (_KNOCK, True)):
        mine[column] += counts
        mine[column + _ANY] |= counts
    return matta_of(knock)


@inline
def deal_stage(r, w, stage):
    """Deal a stage, find the knocks; returns the declared value of the matta.

    A knock happens at a seat's turn. If no policy decides about it, nothing before can change it, so all are found at
    once, and views leave out those that are not shown yet. Seats that decide are left out.
    """
    declared, size, slot, first = ZERO, r.plan[stage], r.slots[stage], r.table_cards + r.begins[stage]
    for seat in range(r.players):
        cards = cards_in(w.deck, first, size)
        at = first
        first += size
        w.held[seat] = cards
        w.dealt[seat] = cards
        side = side_of(r, np.uint64(seat))
        if not r.knocks or size < _THREE or w.options[side, KNOCKS]:
            continue
        if size == _THREE:
            bonus = holding_bonus(r, w.deck, at)
            if bonus == ZERO:
                continue
            w.knocks[slot, seat] = knock_word(cards, bonus)
        else:
            choose_sets(r, cards, slot, np.uint64(seat), w.knocks, w.candidates)
        for k in range(size // _THREE):
            knock = w.knocks[slot + np.uint64(k), seat]
            if knock:
                declared |= note_knock(r, w, knock, np.uint64(seat))
    return declared


@inline
def may_show_later(r, size):
    """Whether a set of a holding of ``size`` cards dealt can still be shown after other cards have been played.

    Then cards of a set shown are played before others; where all cards held are shown, there are no others.
    """
    return r.shown_first and size > _THREE


@inline
def as_turn_begins(r, t):
    """The table as it counts when seat 0 is to play: under ``matta_reverts`` a matta on it is itself again."""
    lies = (t.cards >> r.matta) & ONE
    if r.matta_reverts and lies and t.matta_value != r.matta_value:
        return with_matta_as(r, t, r.matta_value)
    return t


@inline
def step(r, s, last, seat, own, got, captures):
    """Make a play in a state, a record with holdings and piles: ``own`` is the card, ``got`` what it captures, masks.

    ``captures`` has all bits set if it captures anything, else none. Returns who has captured last, which was ``last``.
    Hands, playouts, the solver and the courses of hands make their plays so.
    """
    s.held[seat] ^= own
    s.pile[side_of(r, seat)] |= got | (own & captures)
    return last ^ ((last ^ seat) & captures)


@inline
def make_choice(r, w, t, seat, choice, play):
    """Make the choice of a seat, also given as a word, in ``w``; returns the table that it leaves."""
    own, got, score = ONE << choice.card, captured_cards(play), w.score[side_of(r, seat)]
    count_sweeps(r, score, sweep_bit(play))
    score[_CAPTURES] += choice.captures & ONE
    w.deal[LAST_CAPTURE] = step(r, w, w.deal[LAST_CAPTURE], seat, own, got, choice.captures)
    return after(r, t, choice, got & ~own)


@inline
def make_play(r, w, t, seat, play):
    """Make the play of a seat, a word, in ``w``; returns the table that it leaves."""
    return make_choice(r, w, t, seat, choice_in(r, t, play), play)


@inline
def play_stage(r, policies, w, table, at):
    """Play out the cards held from a moment on; returns the table left and the number of plays made in the hand."""
    size = r.plan[at.stage]
    played, first_seat, last, shown_first = at.played, at.seat, r.plays - ONE, may_show_later(r, size)
    if w.asker and r.shown_at_deal and at.turn == ZERO and first_seat == ZERO:
        for place in range(r.players):
            if w.options[side_of(r, np.uint64(place)), KNOCKS]:
                now = Moment(at.stage, played, ZERO, np.uint64(place))
                word = call_ask(w.asker, r, w, NO_PLAY, table, now)
                if declared_in(word):
                    table = with_matta_as(r, table, declared_in(word))
    for turn in range(at.turn, size):
        if first_seat == ZERO:
            table = as_turn_begins(r, table)
        for place in range(first_seat, r.players):
            seat = np.uint64(place)
            side = side_of(r, seat)
            allowed = w.held[seat]
            if shown_first:
                slot = min(r.slots[at.stage] + np.uint64(turn) // _THREE, np.uint64(SLOTS - 1))
                allowed = may_be_played(allowed, shown_in(w.knocks[slot, seat]))
            last_card = played == last
            policy, rules = policies[side], rules_now(r, played)
            if policy == GREEDY:
                choice = greedy_play(rules, table, allowed, w.pile[side], last_card)
            elif policy == RANDOM:
                choice = random_play(rules, table, allowed, w.states, seat + ONE)
            else:
                now = Moment(at.stage, played, np.uint64(turn), seat)
                play = call_ask(w.asker, rules, w, policy, table, now)
                if declared_in(play):
                    table = with_matta_as(r, table, declared_in(play))
                choice = choice_in(r, table, play)
            w.history[played] = word_of(r, choice, last_card)
            table = make_choice(r, w, table, seat, choice, w.history[played])
            played += ONE
        first_seat = ZERO
    return table, played


@inline
def play_stages(r, policies, w, table, at, dealt):
    """Play a hand to its end from a moment on, and score it.

    ``dealt`` is 0 if the stage has not been dealt yet. The cards not dealt yet are the last of the deal order.
    """
    while at.stage < r.stages:
        if not dealt:
            declared = deal_stage(r, w, at.stage)
            if declared:
                table = with_matta_as(r, table, declared)
        table, played = play_stage(r, policies, w, table, at)
        if w.observer and (w.goes_on or at.stage + ONE < r.stages):
            end = Moment(at.stage, played, r.plan[at.stage], ZERO)
            call_ask(w.observer, r, w, NO_PLAY, table, end)
        at = Moment(at.stage + ONE, played, ZERO, ZERO)
        dealt = ZERO
    w.deal[PLAYED] = at.played
    end_hand(r, w.pile, w.deal[LAST_CAPTURE], table.cards, w.score, w.value)


@inline
def end_hand(r, pile, last, cards, score, value):
    """Give the cards left on the table, a mask, to the side of the seat that captured last, and score the hand.

    For the other arguments see ``score_hand``.
    """
    if last != NOBODY:
        pile[side_of(r, last)] |= cards
    score_hand(r, pile, score, value)


@inline
def deal_hand(r, seed, index, w):
    """Deal hand number ``index`` of a seed as far as the table; returns its mask. It does not depend on policies."""
    start(w.states, seed, index)
    clear_hand(index, w)
    return deal_with_constraints(r, w)


@inline
def clear_hand(index, w):
    """Clear the work for hand number ``index``."""
    w.pile[:] = ZERO
    w.knocks[:] = ZERO
    w.score[:] = 0
    w.deal[:] = ZERO
    w.deal[LAST_CAPTURE] = NOBODY
    w.deal[HAND] = index
    for side in range(SIDES):
        for style in range(STYLES):
            w.styles[side, style] = w.styles_before[side, style]


@inline
def lay_first_table(r, w, cards):
    """The table as play begins, with the cards laid, a mask; with a bonus the dealer takes them."""
    bonus, dealer, dealer_side = table_bonus(r, cards), r.players - ONE, r.sides - ONE
    if bonus == ZERO:
        return make_table(r, cards, r.matta_value)
    w.deal[TABLE_KIND] = bonus_kind(bonus)
    w.deal[TABLE_POINTS] = knock_points(bonus)
    w.deal[TABLE_VALUE] = matta_of(bonus)
    w.deal[LAST_CAPTURE] = dealer
    w.score[dealer_side, _TABLE_BONUS] = knock_points(bonus)
    w.pile[dealer_side] = cards
    return Table(ZERO, ZERO, ZERO, r.matta_value)


@inline
def play_dealt(r, policies, cards, w):
    """Play out the hand dealt, with the table cards of the mask ``cards``; one won at the deal is not played.

    Such a hand is won without points by the side that the rule names; if it names several, no side wins.
    """
    dealer_side = r.sides - ONE
    if w.deal[WON_AT_DEAL]:
        if w.deal[WON_AT_DEAL] == WON_BY_DEALER:
            w.score[dealer_side, _WINS] = 1
        elif r.sides == TWO:
            w.score[0, _WINS] = 1
        return
    call_play(w.play, r, policies, w, lay_first_table(r, w, cards), Moment(ZERO, ZERO, ZERO, ZERO), ZERO)


@inline
def play_hand(r, policies, seed, index, w):
    """Play hand number ``index`` of a seed in ``w``; ``policies`` is uint64[4], by side."""
    play_dealt(r, policies, deal_hand(r, seed, index, w), w)
