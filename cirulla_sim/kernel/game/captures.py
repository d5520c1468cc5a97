"""The table, and what taking cards from it and leaving cards on it makes of it.

What a card can capture is looked up in the table's state, see ``states``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import types
from ..jit import inline, noinline
from .bits import ONE, ZERO, pdep
from .flat import VALUE
from .states import (
    LARGE,
    by_rank,
    captures,
    first_of,
    is_scored,
    next_capture,
    place_of,
    scores,
    state_after,
    state_of,
    states_at,
    subset_of,
)


class Table(NamedTuple):
    """The cards on the table; a value, changed by making another."""

    cards: int  # 40-bit mask
    ranked: int  # the same by rank, see states.by_rank
    state: int  # see states; LARGE for more than six cards
    matta_value: int  # what the matta counts at present, on the table or in a hand


class Choice(NamedTuple):
    """A card played, and what it does to the table; a value."""

    card: int
    value: int  # of the card
    ranked: int  # the cards captured, by rank; 0 if the card is left
    captures: int  # all bits if any card is captured, else 0: for masks in place of unpredictable branches
    state: int  # of the table after it
    scored: int  # 1 if it is a scopa unless it is the last play of the hand


table_type = types.NamedUniTuple(types.uint64, len(Table._fields), Table)


@inline
def empty_table(matta_value):
    """The empty table."""
    return Table(ZERO, ZERO, ZERO, matta_value)


@inline
def table_of(r, cards, matta_value):
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
def landed(r, t, value):
    """The state of a table with one more card of a value."""
    return np.uint64(states_at(r.states).landed[t.state + value])


@inline
def state_without(r, t, got):
    """The state of a table without a set of its cards, by rank."""
    return state_of(states_at(r.states).landed, t.ranked ^ got)


@inline
def land(r, t, card, value):
    """The table with one more card."""
    return Table(t.cards | ONE << card, t.ranked | ONE << place_of(r, card, value), landed(r, t, value), t.matta_value)


@inline
def remove(r, t, got):
    """The table without a set of its cards, a mask."""
    return table_of(r, t.cards ^ got, t.matta_value)


@inline
def with_matta_as(r, t, value):
    """The table with another value of the matta, wherever it is."""
    if (t.cards >> r.matta) & ONE:
        return table_of(r, t.cards, value)
    return Table(t.cards, t.ranked, t.state, value)


@inline
def cell_of(r, t, value):
    """The choices of a card of a value on a table that is not large, see ``states``."""
    return states_at(r.states).cells[t.state + value]


@inline
def has_capture(r, cell):
    """Whether one of the choices of a cell is a capture: leaving the card is the last of them."""
    return captures(states_at(r.states).choices[first_of(cell)]) == ONE


@inline
def choice_at(r, t, card, value, place):
    """The choice of a card at a place of the tables, see ``states``."""
    choice = states_at(r.states).choices[place]
    ranked = pdep(subset_of(choice), t.ranked)
    return Choice(card, value, ranked, ZERO - captures(choice), state_after(choice), scores(choice))


@inline
def choice_of(r, t, card, value, got, scored):
    """The choice of a card to capture a set of cards by rank, or none, on any table."""
    if got == ZERO:
        return Choice(card, value, ZERO, ZERO, landed(r, t, value), ZERO)
    return Choice(card, value, got, ~ZERO, state_without(r, t, got), np.uint64(scored))


@inline
def large_choice(r, t, card, value, got):
    """The same on a table that is large, scored by the rules."""
    return choice_of(r, t, card, value, got, got != ZERO and is_scored(r, t.ranked, value, got))


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
def after(r, t, choice, got):
    """The table after a choice, that captures a mask of cards."""
    own, place, left = ONE << choice.card, ONE << place_of(r, choice.card, choice.value), ~choice.captures
    cards, ranked = t.cards ^ (got | (own & left)), t.ranked ^ (choice.ranked | (place & left))
    return Table(cards, ranked, choice.state, t.matta_value)
