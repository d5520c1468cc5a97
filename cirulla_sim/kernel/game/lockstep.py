"""Batches of hands: their decks are shuffled together, and those of ``random`` are played together, phase by phase.

Which card ``random`` plays does not depend on the table. So the deals and the order of all cards come first; then, play
by play, the next state of each hand's table, which is all that a play has to wait for from the one before, so that
waiting for memory overlaps; then the scores. Hands that this cannot hold are played alone, see ``fits_lockstep`` and
``again`` in ``LOCKSTEP``. All are the hands of ``hand.play_hand``, in half of its time: so a play has a form of its own
here, of many hands at once, beside ``hand.step``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import types
from ..jit import inline, ir, noinline
from ..vectors import Vector, access, operation, repeated
from .bits import ONE, ZERO, pdep
from .captures import (
    Table,
    by_rank,
    by_suit,
    captures,
    cell_of,
    count_choices,
    first_choice,
    is_large,
    left_on_table,
    scores_scopa,
    state_after,
    states_at,
    subset_of,
)
from .hand import (
    LAST_CAPTURE,
    MISDEALT,
    PLAYS,
    SEATS,
    WON_AT_DEAL,
    call_dealer,
    clear_hand,
    deal_stage,
    deal_table,
    end_hand,
    lay_first_table,
    may_show_later,
    play_dealt,
)
from .inlined import RANDOM
from .plays import rules_now, side_of
from .scoring import COLUMN, COLUMNS, SIDES, count_sweeps
from .streams import LOW_32, PACK, STEP, draw_swaps, may_bias, mix, start

AT_ONCE = 32
"""Hands in a batch."""

LOCKSTEP = np.dtype(
    [
        ("decks", np.uint8, (PLAYS, AT_ONCE)),
        ("swaps", np.uint8, (PLAYS, AT_ONCE)),  # see streams.draw_swaps
        ("streams", np.uint64, (1 + SEATS, AT_ONCE)),  # as Work.states, after the deal
        ("matta_values", np.uint8, AT_ONCE),  # that the matta has when it is played
        ("held", np.uint8, (PLAYS, AT_ONCE)),  # cards of one seat
        ("drawn", np.uint8, AT_ONCE),  # place of the card of a play among them
        ("dice", np.uint32, (PLAYS, AT_ONCE)),  # half a word a play
        ("places", np.uint8, (PLAYS, AT_ONCE)),  # of the card played, by rank
        ("values", np.uint8, (PLAYS, AT_ONCE)),
        ("choices", np.uint32, AT_ONCE),  # of a play, as in captures.TABLES
        ("states", np.uint32, AT_ONCE),  # of the tables now
        ("tables", np.uint64, AT_ONCE),  # by rank
        ("piles", np.uint64, (SIDES, AT_ONCE)),  # by rank
        ("captures", np.uint32, (SIDES, AT_ONCE)),
        ("sweeps", np.uint32, (SIDES, AT_ONCE)),
        ("last", np.uint32, AT_ONCE),  # seat that captured last
        ("again", np.uint64, AT_ONCE),  # decided at the deal, a large table, a draw repeated, a matta that changes
        ("scores", np.int32, (AT_ONCE, SIDES, len(COLUMNS))),  # as Work.score
        ("bonuses", np.int64, (AT_ONCE, 2)),  # see tallies.dealt_bonuses
        ("others", np.int32, len(COLUMNS)),  # scratch of the tally
        ("sums", np.int32, (5, len(COLUMNS))),  # of the tally, over a batch
    ],
    align=True,
)
"""What the phases of a batch hand on, by hand in the last axis; and scores, by hand in the first."""

lockstep_type = types.Record(LOCKSTEP)

_CAPTURES = COLUMN["captures"]
_32, _FOUR, _FIVE, _TEN = map(np.uint64, (32, 4, 5, 10))


row = Vector("row", AT_ONCE, lambda: ir.IntType(8))
"""The type of bytes, one for each hand."""


row_of, put_row = access(row, align=1, step=AT_ONCE)
"""The row at a place of an array, read and written."""

every = operation(row, types.uint64)(
    lambda builder, number: repeated(builder, builder.trunc(number, ir.IntType(8)), AT_ONCE)
)
"""A row of equal bytes."""

both = operation(row, row, row)(lambda builder, one, other: builder.and_(one, other))
xor = operation(row, row, row)(lambda builder, one, other: builder.xor(one, other))
plus = operation(row, row, row)(lambda builder, one, other: builder.add(one, other))
minus = operation(row, row, row)(lambda builder, one, other: builder.sub(one, other))
times = operation(row, row, row)(lambda builder, one, other: builder.mul(one, other))


def _where(sign: str) -> Any:
    """A row with all bits of a byte where a comparison is true, and none elsewhere."""
    return operation(row, row, row)(
        lambda builder, one, other: builder.sext(builder.icmp_unsigned(sign, one, other), row.llvm)
    )


equal, less = _where("=="), _where("<")


@inline
def pick(which, one, other):
    """Of two rows the bytes of one where the row ``which`` has all bits, else of the other."""
    return xor(other, both(which, xor(one, other)))


@inline
def shuffle_decks(batch, b):
    """Shuffle the decks of a batch, each as ``streams.shuffle`` does.

    To swap a card with that in another place, all places are compared with that place, for all decks at once: of every
    deck the one that matches gives its card and takes the other.
    """
    for i in range(AT_ONCE):
        start(b.streams[:, i], batch.seed, batch.first + np.uint64(i))
        draw_swaps(b.streams[:, i], b.swaps[:, i])
    for card in range(ZERO, PACK):
        put_row(b.decks, card, every(card))
    for place in range(PACK - ONE, ZERO, -1):
        last = np.uint64(place)
        where, mine, changed = row_of(b.swaps, last), row_of(b.decks, last), every(ZERO)
        for at in range(ZERO, last):
            theirs = row_of(b.decks, at)
            changes = both(equal(where, every(at)), xor(theirs, mine))
            put_row(b.decks, at, xor(theirs, changes))
            changed = xor(changed, changes)
        put_row(b.decks, last, xor(mine, changed))


@noinline
def deal_in_batch(r, batch, i, b, w):
    """Deal hand ``i`` of a batch, which is shuffled, as far as the table; returns its mask."""
    clear_hand(batch.first + i, w)
    if w.dealer:
        start(w.states, batch.seed, batch.first + i)
        return call_dealer(w.dealer, r, w, True)
    for lane in range(1 + SEATS):
        w.states[lane] = b.streams[lane, i]
    for place in range(PLAYS):
        w.deck[place] = b.decks[place, i]
    return deal_table(r, w, True)


@inline
def keep_score(r, w, i, b):
    """Keep the score of the hand in ``w`` as that of hand ``i`` of the batch."""
    for side in range(r.sides):
        for column in range(len(COLUMNS)):
            b.scores[i, side, column] = w.score[side, column]


@noinline
def play_alone(r, policies, batch, i, b, w):
    """Deal and play hand ``i`` of a batch by itself."""
    play_dealt(r, policies, deal_in_batch(r, batch, i, b, w), w)
    keep_score(r, w, i, b)


@inline
def fits_lockstep(r, policies, w):
    """Whether hands can be played many at once: what a seat plays may not depend on the table or on sets shown."""
    fits = w.dealer == ZERO
    for side in range(r.sides):
        fits = fits and policies[side] == RANDOM
    for stage in range(r.stages):
        fits = fits and not (r.knocks and may_show_later(r, r.plan[stage]))
    return fits


@inline
def deal_to_the_end(r, batch, i, b, w):
    """Deal hand ``i`` of a batch, all stages."""
    cards = deal_in_batch(r, batch, i, b, w)
    b.again[i] = w.deal[WON_AT_DEAL] != ZERO
    if b.again[i]:
        return
    table = lay_first_table(r, w, cards)
    b.states[i], b.tables[i], b.last[i] = table.state, table.ranked, w.deal[LAST_CAPTURE]
    for side in range(r.sides):
        b.piles[side, i] = by_rank(r, w.pile[side], r.matta_value)
    if w.deal[MISDEALT]:
        for place in range(PLAYS):
            b.decks[place, i] = w.deck[place]
    declared = ZERO
    for stage in range(r.stages):
        declared |= deal_stage(r, w, np.uint64(stage))
    b.matta_values[i] = declared if declared else r.matta_value
    b.again[i] = declared and declared != r.matta_value and r.matta_reverts
    keep_score(r, w, i, b)


@inline
def draw_card(r, seat, turn, left, play, b):
    """Draw the card of a play from those that its seat has left, and what is needed to draw its choice."""
    n = np.uint64(np.uint32(left))  # so that the product is one of 32 bits, for which there are vectors
    for i in range(AT_ONCE):
        word = mix(b.streams[seat + ONE, i] + (turn + ONE) * STEP)  # as ``draw`` gives it at this turn
        product = (word >> _32) * n
        b.again[i] |= may_bias(product, n)
        b.drawn[i], b.dice[play, i] = product >> _32, word & LOW_32
    drawn, card, suit = row_of(b.drawn, ZERO), every(ZERO), every(ZERO)
    for k in range(left):
        at = np.uint64(k)
        held = row_of(b.held, at)
        card = pick(equal(drawn, every(at)), held, card)
        put_row(b.held, at, pick(less(every(at), drawn), held, row_of(b.held, at + ONE)))
    for last in range(9, 39, 10):
        suit = minus(suit, less(every(np.uint64(last)), card))
    matta, ranks = equal(card, every(r.matta)), minus(card, times(suit, every(_TEN)))
    ranks = pick(matta, minus(row_of(b.matta_values, ZERO), every(ONE)), ranks)
    put_row(b.values, play, plus(ranks, every(ONE)))
    put_row(b.places, play, plus(times(ranks, every(_FIVE)), pick(matta, every(_FOUR), suit)))


@inline
def draw_cards(r, b):
    """Draw the cards of all plays."""
    first, turns = r.table_cards, ZERO
    for stage in range(r.stages):
        size = r.plan[stage]
        for place in range(r.players):
            seat = np.uint64(place)
            for last in range(ZERO, size):
                high = row_of(b.decks, first + last)
                for k in range(ZERO, last):  # sorted, the lowest first
                    card = row_of(b.held, k)
                    lower = less(card, high)
                    put_row(b.held, k, pick(lower, card, high))
                    high = pick(lower, high, card)
                put_row(b.held, last, high)
            for turn in range(ZERO, size):
                draw_card(r, seat, turns + turn, size - turn, r.begins[stage] + turn * r.players + seat, b)
            first += size
        turns += size


@inline
def make_plays(r, b):
    """Make all plays: the choice of each depends on the state of the table alone; and add up what they bring."""
    seat, last = ZERO, r.plays - ONE
    b.captures[:] = 0
    b.sweeps[:] = 0
    for play in range(last + ONE):
        side, scoring = side_of(r, seat), np.uint64(play < last or r.last_card_scopa)
        now = rules_now(r, play)
        choices = states_at(now.states).choices
        for i in range(AT_ONCE):
            table = Table(ZERO, ZERO, np.uint64(b.states[i]), ZERO)
            cell = np.uint64(cell_of(now, table, np.uint64(b.values[play, i])))
            product = np.uint64(b.dice[play, i]) * count_choices(cell)
            choice = np.uint64(choices[first_choice(cell) + (product >> _32)])
            b.again[i] |= np.uint64(is_large(table)) | may_bias(product, count_choices(cell))
            b.choices[i], b.states[i] = choice, state_after(choice)
        for i in range(AT_ONCE):
            choice, own = np.uint64(b.choices[i]), ONE << np.uint64(b.places[play, i])
            got, captured = pdep(subset_of(choice), b.tables[i]), ZERO - captures(choice)
            b.piles[side, i] |= got | own & captured
            b.tables[i] = left_on_table(b.tables[i], got, own, captured)
        for i in range(AT_ONCE):
            choice = np.uint64(b.choices[i])
            b.captures[side, i] += captures(choice)
            b.sweeps[side, i] += scores_scopa(choice) & scoring
            b.last[i] ^= (b.last[i] ^ seat) & (ZERO - captures(choice))
        seat = seat + ONE if seat + ONE < r.players else ZERO


@inline
def play_in_lockstep(r, policies, batch, b, w):
    """Play the hands of a batch that are dealt to the end, and score them."""
    draw_cards(r, b)
    make_plays(r, b)
    for i in range(batch.hands):
        if b.again[i]:
            play_alone(r, policies, batch, i, b, w)
            continue
        for side in range(r.sides):
            w.pile[side] = by_suit(r, b.piles[side, i])
            b.scores[i, side, _CAPTURES] = b.captures[side, i]
            count_sweeps(r, b.scores[i, side], np.uint64(b.sweeps[side, i]))
        end_hand(r, w.pile, np.uint64(b.last[i]), by_suit(r, b.tables[i]), b.scores[i], w.value)
