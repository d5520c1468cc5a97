"""The style of play of the other seats, inferred by Bayes' rule from the plays that they have made.

When a stage is over, everybody has seen what each seat held at each of its plays. So each play can be compared with the
plays of the opponent model and of ``greedy`` (see ``entries.choices.observe``). The posterior is kept by side, since
the seats of a side play by one policy, through the hand and from hand to hand of a game. Its weights are integers, so
that they are the same on every machine.

Inference from the plays of a stage about the cards still held.

A seat that did not capture seldom could, and a seat that leaves a table can often capture from it later. Aces are
special: a player may keep one for a sweep and leave another card.

For each other seat and card a factor is the likelihood ratio that the seat holds the card, given its plays in this
stage; the likelihood of a holding is the product over its cards. The factors maximise the likelihood of what good
players held (``scripts/fit_reading.py``).
"""

from __future__ import annotations

import numpy as np

from .. import types
from ..game.bits import ONE, TWO, ZERO, lowest
from ..game.captures import (
    captures,
    cell_of,
    first_choice,
    is_large,
    make_table,
    next_capture,
    states_at,
    sweeps,
    value_of,
)
from ..game.hand import SEATS, STYLES
from ..game.plays import captured_cards, played_card, side_of, sweep_bit
from ..jit import inline, noinline
from .boards import ACES
from .view import roll_dice

MODEL, GREEDY, OTHER = map(np.uint64, range(STYLES))
"""Plays as the opponent model does; plays ``greedy``; is a good player whose plays are not predicted: its cards are
inferred by ``opponents.py``, and it plays on as the model does."""

WHOLE_BITS = np.uint64(20)
WHOLE = ONE << WHOLE_BITS
"""The sum of the weights of all styles."""

LEAST = WHOLE >> np.uint64(9)
"""The least weight of a style: a few plays can always change the verdict of many."""


def _weights(*shares: float) -> np.ndarray:
    """uint64[STYLES]: the weights of the styles, with these shares of those behind the model's."""
    others = [round(share * int(WHOLE)) for share in shares]
    return np.array([int(WHOLE) - sum(others), *others], np.uint64)


PRIOR = _weights(0.05, 0.05)
"""Of a side that has not played yet."""

PARTNER = _weights(0, 0.05)
"""Of the seat's own side, always."""

SAME, UNLIKE_SAME, AS_MODEL, AS_GREEDY, UNLIKE_BOTH = map(np.uint64, range(5))
"""How a play compares with those of the model and of greedy: where the two are the same, it is that play or another;
where they differ, it is the model's, greedy's or another."""

LIKELIHOOD = np.array(
    [
        [round(chance * 2**16) for chance in chances]
        for chances in ((0.99, 0.01, 0.98, 0.01, 0.01), (0.99, 0.01, 0.01, 0.98, 0.01), (0.82, 0.18, 0.7, 0.2, 0.1))
    ],
    np.uint64,
)
"""uint64[STYLES, 5]: the probability of each comparison by style, times 2^16. The last row are the frequencies of
``search:16`` in Cirulla with 2, 3 and 4 players; the predictions of the others are exact."""


@inline
def comparison(play, model, greedy):
    """How a play compares with those of the model and of greedy, see ``SAME``."""
    if model == greedy:
        return SAME if play == model else UNLIKE_SAME
    if play == model:
        return AS_MODEL
    return AS_GREEDY if play == greedy else UNLIKE_BOTH


@inline
def prior_of(styles, style):
    """The weight of a style before the next play; weights that are all 0 stand for ``PRIOR``."""
    return styles[style] if styles[MODEL] else PRIOR[style]


@inline
def update_styles(styles, outcome):
    """Update the weights of the styles of a side, uint64[STYLES], by the comparison of one play."""
    total = ZERO
    for i in range(STYLES):
        total += prior_of(styles, np.uint64(i)) * LIKELIHOOD[i, outcome]
    rest, first = WHOLE, styles[MODEL] == ZERO
    for back in range(STYLES):  # MODEL last: its weight says whether there are any
        style = np.uint64(STYLES - 1 - back)
        before = PRIOR[style] if first else styles[style]
        styles[style] = max((before * LIKELIHOOD[style, outcome] << WHOLE_BITS) // total, LEAST)
        rest -= styles[style]
    likeliest = MODEL
    for i in range(STYLES):
        if styles[i] > styles[likeliest]:
            likeliest = np.uint64(i)
    styles[likeliest] += rest  # of rounding, or below 0, modulo 2^64: the sum is WHOLE


@inline
def fill_styles(r, view, certain, styles):
    """Write the weights of the styles of each seat, uint64[SEATS, STYLES], as the seat of a view infers them.

    ``certain`` is 1 + the style that the other sides have for certain, or 0.
    """
    for i in range(r.players):
        seat = np.uint64(i)
        side = side_of(r, seat)
        own = side == view.side
        for k in range(STYLES):
            style = np.uint64(k)
            if certain:
                styles[seat, style] = WHOLE if style == (MODEL if own else certain - ONE) else ZERO
            else:
                styles[seat, style] = PARTNER[style] if own else prior_of(view.styles[side], style)


@inline
def draw_style(view, styles):
    """A style at random by its weight, uint64[STYLES]."""
    left, style = roll_dice(view, WHOLE), MODEL
    while left >= styles[style]:
        left -= styles[style]
        style += ONE
    return style


F = np.float32

LEFT, TOOK, SWEPT = range(3)
IDLE, CAPTURES, SWEEPS = range(3)
FACTORS = np.array(
    [
        [
            [[1.000, 0.842], [0.305, 0.940], [0.010, 0.361]],
            [[1.000, 0.704], [0.603, 0.634], [0.097, 0.421]],
            [[0.658, 0.587], [0.486, 1.000], [0.259, 0.566]],
        ],
        [
            [[1.000, 0.852], [0.232, 0.912], [0.011, 0.077]],
            [[1.000, 0.710], [0.600, 0.874], [0.034, 0.195]],
            [[0.491, 0.455], [0.467, 1.000], [0.173, 0.463]],
        ],
        [
            [[0.835, 0.717], [0.317, 1.000], [0.015, 0.113]],
            [[1.000, 0.709], [0.594, 0.651], [0.102, 0.272]],
            [[0.943, 0.874], [0.914, 1.000], [0.333, 0.730]],
        ],
    ],
    np.float32,
)
"""float32[3, 3, 3, 2]: by players from 2 on, by what the seat did (left a card, captured, swept), by what another card
of its could have done (nothing, capture, sweep), and whether that is an ace."""

BEHIND = np.array(
    [
        [[0.600, 0.660], [0.720, 1.000], [0.758, 0.999]],
        [[0.633, 0.671], [0.725, 0.308], [0.750, 1.000]],
        [[0.747, 0.792], [0.851, 0.690], [0.976, 1.000]],
    ],
    np.float32,
)
"""float32[3, 3, 2]: by players from 2 on, by what the other card can do to the table that the play leaves, and whether
it is an ace: a player leaves what it can take itself later. An empty table has no factors."""

READING = np.dtype(
    [
        ("informative", np.bool_),  # whether any play is known; only then are the others filled
        ("factors", np.float32, (SEATS, 40)),  # by seat and unseen card
        ("most", np.float32, SEATS),  # the largest of each seat
        ("bound", np.float32),  # where deals are drawn whole, the likelihood of the likeliest
    ],
    align=True,
)
"""The scratch of this file."""

reading_type = types.Record(READING)

GRAINS = np.uint64(1 << 16)
"""Random numbers have this many steps."""


@inline
def power_of(r, t, value):
    """What a card of a value can do to a table: a column of ``FACTORS``."""
    if is_large(t):
        got = next_capture(r, t.ranked, value, ZERO)
        power = CAPTURES if got else IDLE
        while got:
            power = SWEEPS if got == t.ranked else power
            got = next_capture(r, t.ranked, value, got)
        return power
    cell = cell_of(r, t, value)
    if sweeps(cell):
        return SWEEPS
    first = states_at(r.states).choices[first_choice(cell)]  # leaving the card is the last of them
    return CAPTURES if captures(first) else IDLE


@inline
def table_before_play(r, t, play):
    """The table before a play, given the one after it; the matta has its present value."""
    own = ONE << played_card(play)
    cards = t.cards | captured_cards(play) & ~own if captured_cards(play) else t.cards & ~own
    return make_table(r, cards, t.matta_value)


@inline
def weigh_cards(r, t, cards, by_power, factors):
    """Multiply the factors of the cards of a mask by those for what each can do to a table, and aces."""
    if t.cards == ZERO:
        return
    while cards:
        card = lowest(cards)
        cards &= cards - ONE
        factors[card] *= by_power[power_of(r, t, value_of(r, t, card)), ACES >> card & ONE]


@noinline
def read_plays(r, view, t, cards, reading):
    """Compute the factors of the unseen cards, a mask, from the plays of the stage, as far back as they are known.

    ``t`` is the table now.
    """
    reading.informative = view.history_size > ZERO and view.history[view.history_size - ONE] > ZERO
    if not reading.informative:
        return
    reading.factors[:] = F(1)
    for i in range(view.history_size):
        number = view.history_size - ONE - np.uint64(i)
        play = view.history[number]
        if play == ZERO:
            break
        seat = number % view.players
        if seat != view.seat:
            weigh_cards(r, t, cards, BEHIND[r.players - TWO], reading.factors[seat])
        t = table_before_play(r, t, play)
        if seat != view.seat:
            deed = LEFT if captured_cards(play) == ZERO else SWEPT if sweep_bit(play) else TOOK
            weigh_cards(r, t, cards, FACTORS[r.players - TWO, deed], reading.factors[seat])
    for i in range(view.players):
        seat, most, rest = np.uint64(i), F(0), cards
        while rest:
            most = max(most, reading.factors[seat, lowest(rest)])
            rest &= rest - ONE
        reading.most[seat] = most


@inline
def likelihood(reading, seat, hidden):
    """How likely it is that a seat would have played so with some hidden cards, a mask, up to a factor."""
    chance = F(1)
    while hidden:
        chance *= reading.factors[seat, lowest(hidden)]
        hidden &= hidden - ONE
    return chance
