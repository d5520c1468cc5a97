"""What the plays of a stage tell of the cards still held: who could have captured and did not, seldom could.

For each other seat and card a factor says how much likelier than at first it is that the seat holds the card, given the
plays it made in this stage; a holding is as likely as the product over its cards. The factors are how much more often
good players were found to hold such cards than even dealing has it (``scripts/fit_reading.py``).
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, ZERO, lowest
from ..game.captures import FIFTEEN, Table, choices, fill_rows, is_large, land, total, value_of
from ..game.hand import SEATS
from ..game.plays import captured, card_of, is_sweep
from ..jit import large, small

F = np.float32

LEFT, TOOK, SWEPT = range(3)
IDLE, CAPTURES, SWEEPS = range(3)
FACTORS = np.array([[1.09, 0.60, 0.11], [1.24, 1.01, 0.26], [1.11, 1.05, 0.54]], np.float32)
"""float32[3, 3]: by what the seat did (left a card, captured, swept) and what another card of its could have done."""

READING = np.dtype(
    [
        ("told", np.bool_),  # whether any play tells anything
        ("factors", np.float32, (SEATS, 40)),  # by seat and card
        ("most", np.float32, SEATS),  # the largest of each seat
    ],
    align=True,
)
"""The scratch of this file."""

GRAINS = np.uint64(1 << 16)
"""Chances are drawn in so many steps."""


@small
def deed_of(play):
    """What a play did: a row of ``FACTORS``."""
    if captured(play) == ZERO:
        return LEFT
    return SWEPT if is_sweep(play) else TOOK


@small
def power_of(r, t, value):
    """What a card of a value can do to a table: a column of ``FACTORS``."""
    by_value, by_fifteen, sweep = choices(r, t, value)
    if by_value + by_fifteen + sweep == ZERO:
        return IDLE
    points = total(r, t)
    all_of_it = sweep or (by_value and points == value) or (by_fifteen and points + value == FIFTEEN)
    return SWEEPS if all_of_it else CAPTURES


@small
def table_before(r, t, play):
    """The table that a play found, given the one that it left; the matta counts what it counts now."""
    cards = t.cards | captured(play) if captured(play) else t.cards & ~(ONE << card_of(play))
    before = Table(ZERO, ONE, t.matta_value, t.rows)
    while cards:
        card = lowest(cards)
        cards &= cards - ONE
        before = land(before, card, value_of(r, before, card))
    return before


@large
def read_plays(r, view, t, reading):
    """Find the factors of a view from the plays of its stage, the last first as far as they are known.

    ``t`` is the table now, its rows scratch.
    """
    reading.told = False
    for i in range(view.told):
        if view.made[view.told - ONE - np.uint64(i)] == ZERO:
            break
        reading.told = True
    if not reading.told:
        return
    reading.factors[:] = F(1)
    for i in range(view.told):
        number = view.told - ONE - np.uint64(i)
        play = view.made[number]
        if play == ZERO:
            break
        seat = number % view.players
        t = table_before(r, t, play)
        if seat == view.seat or t.cards == ZERO:
            continue
        if is_large(t):
            fill_rows(r, t)
        deed = deed_of(play)
        for k in range(40):
            card = np.uint64(k)
            reading.factors[seat, card] *= FACTORS[deed, power_of(r, t, value_of(r, t, card))]
    for i in range(view.players):
        seat = np.uint64(i)
        most = F(0)
        for k in range(40):
            most = max(most, reading.factors[seat, np.uint64(k)])
        reading.most[seat] = most


@small
def likelihood(reading, seat, hidden):
    """How likely it is that a seat would have played so with some hidden cards, a mask; 1 for the likeliest."""
    chance, scale = F(1), F(1) / reading.most[seat]
    while hidden:
        card = lowest(hidden)
        hidden &= hidden - ONE
        chance *= reading.factors[seat, card] * scale
    return chance
