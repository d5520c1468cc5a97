"""Knocking as a choice: the sets that a seat may show, the values of the matta, and the value of waiting.

Only some policies choose; for all others ``hand.deal_stage`` shows the best sets at once.
"""

from __future__ import annotations

import numpy as np

from ..game.bits import ONE, ZERO, lowest, popcount
from ..game.bonuses import best_sets, claim, find_candidates, knock_word, matta_of, points_of, shown_in
from ..jit import inline

MOST_KNOCKS = 1000
"""More than the choices of any holding: a ten has 120 sets, 36 of them with the matta, which has up to nine values."""

# Ways in which a study forces the choices of a policy, as bits.
PROMPT, SILENT, MATTA_LOW, MATTA_HIGH, CAPTURE, TRAIL = (np.uint64(1 << i) for i in range(6))

_THREE = np.uint64(3)


@inline
def may_show_later(r, size):
    """Whether a set of a holding of ``size`` cards dealt can still be shown after other cards have been played."""
    return r.shown_first and size > _THREE


@inline
def may_knock(r, view, size, shown):
    """Whether a seat that has a mask of cards ``shown`` left may show a set now; ``size`` cards were dealt to it.

    At its first turn of the stage; in larger holdings at any turn when none of the cards shown is left.
    """
    if not r.knocks or popcount(view.holding) < _THREE:
        return False
    return shown == ZERO if may_show_later(r, size) else view.turn == ZERO


@inline
def promised(r, cards, scratch):
    """The most points that sets of three of some cards earn together."""
    if popcount(cards) < _THREE:
        return ZERO
    first, second, third = best_sets(r, cards, scratch)
    return points_of(first) + points_of(second) + points_of(third)


@inline
def list_knocks(r, cards, knocks, scratch):
    """Fill ``knocks`` with every choice that some cards give: none (0) and each set of three; returns how many.

    Sets by falling points, then rising ranks; with the matta once for each value it may be declared, the lowest first.
    """
    matta = cards & (ONE << r.matta)
    sets = find_candidates(r, cards & ~matta, matta, scratch)
    knocks[0] = ZERO
    size = ONE
    for i in range(sets):
        three = shown_in(scratch[i])
        for value in range(1, 11):
            word = claim(r, three, np.uint64(value))
            if word and size < knocks.shape[0]:
                knocks[size] = knock_word(three, word)
                size += ONE
    return size


@inline
def is_end_of_values(knocks, size, i, forced):
    """Whether a choice has the lowest (or highest) value that the matta may take in its set."""
    if not matta_of(knocks[i]):
        return True
    j = i - ONE if forced & MATTA_LOW else i + ONE
    return j >= size or shown_in(knocks[j]) != shown_in(knocks[i])


@inline
def force_knocks(r, knocks, size, forced):
    """Keep the choices that the rules and the forced options of a study allow; returns how many.

    Where the rules say that a set must be shown, no option lets a seat keep it back.
    """
    if size == ONE or (forced & SILENT and not r.must_show):
        return ONE
    count = ONE
    for k in range(ONE, size):
        if not forced & (MATTA_LOW | MATTA_HIGH) or is_end_of_values(knocks, size, np.uint64(k), forced):
            knocks[count] = knocks[k]  # the choices kept move down; those still to be checked come after
            count += ONE
    if forced & PROMPT or r.must_show:
        for k in range(ONE, count):
            knocks[k - ONE] = knocks[k]
        count -= ONE
    return count


@inline
def show_set(r, view, knock):
    """Update a view for a set that its seat shows."""
    if matta_of(knock):
        view.matta_value = matta_of(knock)
    view.points[view.side] += points_of(knock)
    if knock and may_show_later(r, r.plan[view.stage]):
        view.first[view.seat] = shown_in(knock)
        view.allowed = shown_in(knock)


@inline
def take_back(view, knock, matta_value):
    """Undo ``show_set``; the matta had ``matta_value`` before."""
    view.matta_value = matta_value
    view.points[view.side] -= points_of(knock)
    view.first[view.seat] = ZERO
    view.allowed = view.holding


@inline
def promised_behind(r, view, knock, scratch):
    """The points that sets behind the one shown can still earn; for 0, showing none, that is up to the play."""
    if knock == ZERO or r.plan[view.stage] == _THREE:
        return ZERO
    return promised(r, view.holding & ~shown_in(knock), scratch)


@inline
def has_sets_left(r, view):
    """Whether a seat that may wait may hold sets that it can still show; the solver ignores them."""
    return view.may_show and not r.must_show and view.first[view.seat] == ZERO and popcount(view.holding) > _THREE


@inline
def promised_after(r, view, card, scratch):
    """The points that sets not shown yet can still earn once a card is played; 0 if the seat cannot wait."""
    if not view.may_show or r.must_show or view.first[view.seat]:
        return ZERO
    return promised(r, view.holding & ~(ONE << card), scratch)


@inline
def keeping(r, view, scratch):
    """The mask of the cards after which most points can still be shown, for a seat with sets left."""
    most, best, rest = ZERO, ZERO, view.holding
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        points = promised_after(r, view, card, scratch)
        if points > most:
            most, best = points, ZERO
        if points == most:
            best |= ONE << card
    return best


@inline
def best_by_rule(r, view, knocks, scratch):
    """The place of the choice worth most points with what can be shown behind it; of equal ones the best set first."""
    best, chosen = ZERO, ZERO
    for i in range(knocks.size):
        total = points_of(knocks[i]) + promised_behind(r, view, knocks[i], scratch)
        if total > best:
            best, chosen = total, np.uint64(i)
    return chosen
