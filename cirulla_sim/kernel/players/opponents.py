"""The style of play of the other seats, inferred by Bayes' rule from the plays that they have made.

When a stage is over, everybody has seen what each seat held at each of its plays. So each play can be compared with the
plays of the opponent model and of ``greedy`` (see ``observer.py``). The posterior is kept by side, since the seats of a
side play by one policy, through the hand and from hand to hand of a game. Its weights are integers, so that they are
the same on every machine.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, ZERO
from ..game.hand import STYLES
from ..game.moment import side_of
from ..jit import inline
from .view import roll

MODEL, GREEDY, OTHER = (np.uint64(style) for style in range(STYLES))
"""Plays as the opponent model does; plays ``greedy``; is a good player whose plays are not predicted: its cards are
inferred by ``reading.py``, and it plays on as the model does."""

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

SAME, UNLIKE_SAME, AS_MODEL, AS_GREEDY, UNLIKE_BOTH = (np.uint64(outcome) for outcome in range(5))
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
    left, style = roll(view, WHOLE), MODEL
    while left >= styles[style]:
        left -= styles[style]
        style += ONE
    return style
