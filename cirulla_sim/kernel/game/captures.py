"""The table, and what taking cards from it and leaving cards on it makes of it.

What a card can capture is looked up: every table of up to six cards is one of some 8,000 states, the multisets of their
values.

A state and the value of a card played give a *cell*: where the possible choices begin and how many there are. A choice
is a subset of the table, six bits for its cards by rising value, and the state that is left; leaving the card on the
table is the choice of the empty subset. So listing, choosing and making a capture need no search and no branch.

The tables are computed from the rules by ``fill_states``, with ``next_capture``, the general method that larger tables
use directly: one or two hands in ten thousand have one. Rule sets with the same rules of capture share their tables.

To take a subset of a sorted table, the table is also kept as a mask *by rank*: five places a rank, one for each suit
and the fifth for the matta, which lies where its declared value belongs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import types
from ..jit import inline, noinline, record_at
from .bits import ONE, ZERO, highest, lowest, pdep, pext, popcount
from .flat import VALUE

SMALL = np.uint64(6)
"""Tables of up to this many cards have a state."""

STATES = 7998
"""The multisets of up to six values from 1 to 10, none more than five times."""

WIDTH = np.uint64(11)
"""Places of a row of a table, one a value from 0. A state is named by the place where its rows begin."""

LARGE = np.uint64(STATES) * WIDTH
"""In place of the state of a larger table."""

MOST_CHOICES = 350_837
"""The most choices that any rules give, over all states and values; a test counts them."""

FIFTEEN = np.uint64(15)

TABLES = np.dtype(
    [
        ("landed", np.uint32, (STATES + 1) * 11),  # by state and value: the state with one more card
        ("cells", np.uint32, (STATES + 1) * 11),  # by state and value: see first_choice, count_choices, sweeps
        ("choices", np.uint32, MOST_CHOICES),  # see state_after, subset_of, captures, scores_scopa
        ("ranked", np.uint64, STATES),  # scratch of fill_states: a table of each state, by rank
    ],
    align=True,
)
"""The choices of every card on every table of up to six cards."""

tables_type = types.Record(TABLES)
states_at = record_at(tables_type)

RULES = (
    "capture_equal", "capture_sum", "capture_fifteen", "equal_first", "fewest_first", "capture_most",
    "capture_optional", "ace_sweep", "ace_must_sweep", "ace_takes_ace_only", "ace_over_aces", "ace_takes_itself",
    "ace_sweep_scopa",
)  # fmt: skip
"""The fields of the flat rules that the tables depend on."""

_FIVE = np.uint64(5)
_RANK = np.uint64(0b11111)
_SUIT = np.uint64(int("00001" * 10, 2))
_SPARE = np.uint64(int(_SUIT) << 4)  # the places of the matta
_PLACE = (5 * np.arange(10) + np.arange(4)[:, None]).astype(np.uint64).ravel()
_TEN_BITS, _SEVENS, _SEVENS_BY_RANK = np.uint64(0x3FF), np.uint64(0x40100401 << 6), np.uint64(0b1111 << 30)
_TEN, _TWENTY, _THIRTY = np.uint64(10), np.uint64(20), np.uint64(30)
_TWO, _THREE, _FOUR, _FOUR_BITS = np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(15)

_SUBSET_AT, _CAPTURES_AT, _SCORES_AT = np.uint64(17), np.uint64(23), np.uint64(24)  # of a choice; below is the state
_STATE, _SIX_BITS = np.uint64((1 << 17) - 1), np.uint64(63)
_FIRST_AT, _SWEEPS_AT = np.uint64(8), np.uint64(7)  # of a cell; below is the number of choices
_COUNT = np.uint64(127)


# ------------------------------------------------------------------------------------------------ cards by rank


@inline
def place_by_rank(r, card, value):
    """The place by rank of a card that counts as a value."""
    return _FIVE * value - ONE if card == r.matta else _PLACE[card]


@inline
def by_rank(r, cards, matta_value):
    """A mask of cards by rank, the matta at a value."""
    matta = (cards >> r.matta) & ONE
    plain = cards ^ (matta << r.matta)
    ranked = pdep(plain, _SUIT) | pdep(plain >> _TEN, _SUIT << ONE)
    ranked |= pdep(plain >> _TWENTY, _SUIT << _TWO) | pdep(plain >> _THIRTY, _SUIT << _THREE)
    return ranked | matta << ((_FIVE * matta_value + _SIX_BITS) & _SIX_BITS)


@inline
def by_suit(r, ranked):
    """The usual mask of cards that are given by rank."""
    cards = pext(ranked, _SUIT) | pext(ranked, _SUIT << ONE) << _TEN
    cards |= pext(ranked, _SUIT << _TWO) << _TWENTY | pext(ranked, _SUIT << _THREE) << _THIRTY
    return cards | np.uint64(ranked & _SPARE != ZERO) << r.matta


@inline
def diamonds_in(r, ranked):
    """The diamonds of some cards by rank, as ten bits."""
    matta = ZERO - np.uint64(ranked & _SPARE != ZERO)
    return pext(ranked, _SUIT << ONE) | ((ONE << r.matta) >> _TEN & _TEN_BITS & matta)


@inline
def sevens_in(r, ranked):
    """The number of sevens of some cards by rank."""
    matta = np.uint64(ranked & _SPARE != ZERO) & (_SEVENS >> r.matta)
    return popcount(ranked & _SEVENS_BY_RANK) + matta


@inline
def value_at(place):
    """The value of a place by rank."""
    return place // _FIVE + ONE


@inline
def total_value(ranked):
    """The total of some cards, by rank."""
    points = ZERO
    while ranked:
        points += value_at(lowest(ranked))
        ranked &= ranked - ONE
    return points


@inline
def state_of(landed, ranked):
    """The state of a table, by rank."""
    if popcount(ranked) > SMALL:
        return LARGE
    state = ZERO
    while ranked:
        state = np.uint64(landed[state + value_at(lowest(ranked))])
        ranked &= ranked - ONE
    return state


# ------------------------------------------------------------------------------------------------ the general method


@inline
def are_equal_to(value):
    """The places by rank of the cards of a value."""
    return _RANK << (_FIVE * value - _FIVE)


@noinline
def fewest_of(r, ranked, value):
    """The fewest cards of a table that a card of a value takes by an equal card or a sum; 15 if it takes none.

    The fewest for each total from 0 stand in four bits each.
    """
    fewest, rest = ~_FOUR_BITS, ranked
    while rest:
        own = value_at(lowest(rest))
        rest &= rest - ONE
        if own > value or (own == value and not r.capture_equal) or (own < value and not r.capture_sum):
            continue
        for below in range(value - own + ONE):
            total_with = value - np.uint64(below)
            more = (fewest >> _FOUR * (total_with - own) & _FOUR_BITS) + ONE
            before = fewest >> _FOUR * total_with & _FOUR_BITS
            if more < before:
                fewest ^= (more ^ before) << _FOUR * total_with
    return fewest >> _FOUR * value & _FOUR_BITS


@inline
def is_ordinary(r, ranked, value, got):
    """Whether a card of a value can take some cards by an equal card, a sum or a fifteen.

    A sum is not taken beside an equal card if that comes first. Where an ace blocks the sweep, it may be all that an
    ace takes.
    """
    points, beside = total_value(got), ranked & are_equal_to(value)
    if popcount(got) > r.capture_most:
        return False
    sums = r.capture_sum and not (r.equal_first and r.capture_equal and beside)
    ordinary = points == value and (r.capture_equal if popcount(got) == ONE else sums)
    if ordinary and (not r.fewest_first or popcount(got) == fewest_of(r, ranked, value)):
        return True
    blocked = value == ONE and r.ace_sweep and r.ace_takes_ace_only and beside
    return points + value == FIFTEEN and r.capture_fifteen and not blocked


@noinline
def next_capture(r, ranked, value, got):
    """The capture of a card of a value that comes after the capture ``got`` (0: the first), by rank; 0 for no more.

    Depth first: a set, the set with the next higher card, then the set with its highest card replaced by a higher one.
    The ace's sweep comes last.
    """
    blocked = ranked & are_equal_to(ONE) and not r.ace_over_aces
    swept = value == ONE and r.ace_sweep and ranked != ZERO and not blocked  # the whole table is taken as an ace does
    if not (swept and r.ace_must_sweep) and not (swept and got == ranked and not is_ordinary(r, ranked, value, got)):
        most, points = max(value, FIFTEEN - value), total_value(got)
        above = ranked & ~((_TWO << highest(got)) - ONE) if got else ranked
        while True:
            card = above & (ZERO - above)
            if card and points + value_at(lowest(card)) <= most:
                got |= card
                points += value_at(lowest(card))
                above ^= card
                if (points == value or points + value == FIFTEEN) and is_ordinary(r, ranked, value, got):
                    return got
            elif got:
                card = ONE << highest(got)
                got ^= card
                points -= value_at(lowest(card))
                above = ranked & ~((card << ONE) - ONE)
            else:
                break
        return ranked if swept and not is_ordinary(r, ranked, value, ranked) else ZERO
    return ranked if swept and got == ZERO else ZERO


@inline
def is_scopa(r, ranked, value, got):
    """Whether a capture that is not the last play of the hand is a scopa; the sweep of an ace alone may be none."""
    return got == ranked and (r.ace_sweep_scopa or is_ordinary(r, ranked, value, got))


# ------------------------------------------------------------------------------------------------ the tables


@inline
def first_choice(cell):
    """Where the choices of a cell begin."""
    return cell >> _FIRST_AT


@inline
def count_choices(cell):
    """The number of choices of a cell."""
    return cell & _COUNT


@inline
def sweeps(cell):
    """1 if one of the choices of a cell takes the whole table, else 0."""
    return cell >> _SWEEPS_AT & ONE


@inline
def state_after(choice):
    """The state that a choice leaves."""
    return choice & _STATE


@inline
def subset_of(choice):
    """The cards taken, six bits for those of the table by rising value; 0 if the card is left."""
    return choice >> _SUBSET_AT & _SIX_BITS


@inline
def captures(choice):
    """1 if a choice captures, else 0."""
    return choice >> _CAPTURES_AT & ONE


@inline
def scores_scopa(choice):
    """1 if a choice is a scopa unless it is the last play of the hand, else 0."""
    return choice >> _SCORES_AT


@inline
def number_states(tables):
    """Number all states by size, the empty table first, and write the state after each card that lands.

    A state is another with one more card that is not lower. Landing a lower card is landing it before the highest.
    """
    landed, ranked, size, begin = tables.landed, tables.ranked, ONE, ZERO
    landed[:] = LARGE
    ranked[0] = ZERO
    for _ in range(SMALL):
        end = size
        for s in range(begin, end):
            for value in range(ONE, WIDTH):
                equal = popcount(ranked[s] & are_equal_to(value))
                if (ranked[s] == ZERO or value >= value_at(highest(ranked[s]))) and equal < _FIVE:
                    ranked[size] = ranked[s] | ONE << (_FIVE * (value - ONE) + equal)
                    landed[s * WIDTH + value] = size * WIDTH
                    size += ONE
        for s in range(begin, end):
            if ranked[s]:
                last = highest(ranked[s])
                before = state_of(landed, ranked[s] ^ (ONE << last))
                for value in range(ONE, value_at(last)):
                    landed[s * WIDTH + value] = landed[landed[before + value] + value_at(last)]
        begin = end


@inline
def fill_states(r, tables):
    """Compute the tables from the rules of capture; returns the number of choices."""
    number_states(tables)
    landed, cells, choices, size = tables.landed, tables.cells, tables.choices, ZERO
    cells[:] = 0
    for s in range(ZERO, LARGE, WIDTH):
        ranked = tables.ranked[s // WIDTH]
        for value in range(ONE, WIDTH):
            first, sweeping = size, ZERO
            got = next_capture(r, ranked, value, ZERO)
            while got:
                scored = np.uint64(is_scopa(r, ranked, value, got))
                choices[size] = (
                    state_of(landed, ranked ^ got)
                    | pext(got, ranked) << _SUBSET_AT
                    | ONE << _CAPTURES_AT
                    | scored << _SCORES_AT
                )
                sweeping |= np.uint64(got == ranked)
                size += ONE
                got = next_capture(r, ranked, value, got)
            if ranked == ZERO and value == ONE and r.ace_takes_itself:
                choices[size] = ONE << _CAPTURES_AT
                size += ONE
            if first == size or r.capture_optional:
                choices[size] = landed[s + value]
                size += ONE
            cells[s + value] = first << _FIRST_AT | sweeping << _SWEEPS_AT | (size - first)
    return size


class Table(NamedTuple):
    """The cards on the table; a value, changed by making another."""

    cards: int  # 40-bit mask
    ranked: int  # the same by rank, see states.by_rank
    state: int  # see states; LARGE for more than six cards
    matta_value: int  # what the matta counts at present, on the table or in a hand


class CardPlay(NamedTuple):
    """A card played, and what it does to the table; a value."""

    card: int
    value: int  # of the card
    ranked: int  # the cards captured, by rank; 0 if the card is left
    captures: int  # all bits if any card is captured, itself too, else 0: for masks in place of unpredictable branches
    state: int  # of the table after it
    scored: int  # 1 if it is a scopa unless it is the last play of the hand


table_type = types.Tuple((types.uint64,) * len(Table._fields), Table)


@inline
def make_table(r, cards, matta_value):
    """The table of a mask of cards."""
    ranked = by_rank(r, cards, matta_value)
    return Table(cards, ranked, state_of(states_at(r.states).landed, ranked), matta_value)


@inline
def is_large(t):
    """Whether a table has no state."""
    return t.state == LARGE


@inline
def value_of(r, t, card):
    """The capture value of a card at present; the matta counts as declared."""
    value = VALUE[card]
    return t.matta_value if card == r.matta else value


@inline
def with_matta_as(r, t, value):
    """The table with another value of the matta, wherever it is."""
    if (t.cards >> r.matta) & ONE:
        return make_table(r, t.cards, value)
    return Table(t.cards, t.ranked, t.state, value)


@inline
def cell_of(r, t, value):
    """The choices of a card of a value on a table that is not large, see ``states``."""
    return states_at(r.states).cells[t.state + value]


@inline
def choice_at(r, t, card, value, place):
    """The choice of a card at a place of the tables, see ``states``."""
    choice = states_at(r.states).choices[place]
    ranked = pdep(subset_of(choice), t.ranked)
    return CardPlay(card, value, ranked, ZERO - captures(choice), state_after(choice), scores_scopa(choice))


@inline
def choice_of(r, t, card, value, got, scored):
    """The choice of a card to capture a set of cards by rank, or none, on any table."""
    landed = states_at(r.states).landed
    if got == ZERO:
        return CardPlay(card, value, ZERO, ZERO, np.uint64(landed[t.state + value]), ZERO)
    return CardPlay(card, value, got, ~ZERO, state_of(landed, t.ranked ^ got), np.uint64(scored))


@inline
def large_choice(r, t, card, value, got):
    """The same on a table that is large, scored by the rules."""
    return choice_of(r, t, card, value, got, got != ZERO and is_scopa(r, t.ranked, value, got))


@noinline
def large_number(r, t, value):
    """How many choices a card of a value has on a table that is large: its captures, and leaving it if it may."""
    count, got = ZERO, next_capture(r, t.ranked, value, ZERO)
    while got:
        count += ONE
        got = next_capture(r, t.ranked, value, got)
    return count + np.uint64(count == ZERO or r.capture_optional)


@noinline
def large_choice_at(r, t, card, value, k):
    """Choice number ``k`` of a card of a value on a table that is large."""
    got = ZERO
    for _ in range(k + ONE):
        got = next_capture(r, t.ranked, value, got)
    return large_choice(r, t, card, value, got)


@inline
def left_on_table(cards, got, own, captures):
    """The cards of a table, a mask, after some were captured by a card, or that card was left if none were."""
    return cards ^ (got | (own & ~captures))


@inline
def after(r, t, choice, got):
    """The table after a choice, that captures a mask of cards."""
    own, place = ONE << choice.card, ONE << place_by_rank(r, choice.card, choice.value)
    cards = left_on_table(t.cards, got, own, choice.captures)
    ranked = left_on_table(t.ranked, choice.ranked, place, choice.captures)
    return Table(cards, ranked, choice.state, t.matta_value)
