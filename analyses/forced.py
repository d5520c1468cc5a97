"""Players with one choice forced on them, and players who are shown more: variants of ``careful`` and ``search``.

    cirulla-sim tournament --policy careful --policy analyses/forced.py:careful_never_showing_a_set

What it costs to play so is the worth of the choice, or of what is seen.
"""

import numpy as np

from cirulla_sim.engine.policy_api import Variant, helper
from cirulla_sim.kernel.game.bonuses import matta_of, shown_in
from cirulla_sim.kernel.game.plays import captured_cards, played_card, side_of


@helper
def silent(rules, view, choices, mind):
    """Never shows a set, unless it must."""
    view.may_show = np.uint64(0)
    return 1 if mind.to_show and not rules.must_show else choices.size


@helper
def prompt(rules, view, choices, mind):
    """Shows a set as soon as it may: the first choice, to show none, is left out."""
    if not mind.to_show or rules.must_show:
        return choices.size
    for i in range(1, choices.size):
        choices[i - 1] = choices[i]
    return choices.size - 1


@helper
def with_matta_at(choices, step):
    """Keep of sets that differ in the value of the matta the last in a direction; how many choices are left."""
    left = 0
    for i in range(choices.size):
        j = i + step
        has_next = 0 <= j < choices.size and shown_in(choices[j]) == shown_in(choices[i])
        if not (has_next and matta_of(choices[i])):
            choices[left] = choices[i]
            left += 1
    return left


@helper
def matta_low(rules, view, choices, mind):
    """Declares the matta as low as it may."""
    return with_matta_at(choices, -1) if mind.to_show else choices.size


@helper
def matta_high(rules, view, choices, mind):
    """Declares the matta as high as it may."""
    return with_matta_at(choices, 1) if mind.to_show else choices.size


@helper
def capture(rules, view, choices, mind):
    """Never leaves a card that captures: leaving it comes behind its captures."""
    if mind.to_show:
        return choices.size
    left, capturing = 0, np.uint64(40)
    for i in range(choices.size):
        card = played_card(choices[i])
        if captured_cards(choices[i]):
            capturing = card
        elif card == capturing:
            continue
        choices[left] = choices[i]
        left += 1
    return left


@helper
def look_at(view, seat):
    """See the cards of a seat, as if they were shown."""
    view.shown[seat], view.declined[seat] = view.hidden[seat], np.uint64(0)


@helper
def sees_next(rules, view, choices, mind):
    """Sees the cards of the next player."""
    look_at(view, (view.seat + np.uint64(1)) % view.players)
    return choices.size


@helper
def sees_partner(rules, view, choices, mind):
    """Sees the cards of its partner."""
    for i in range(view.players):
        if side_of(rules, np.uint64(i)) == view.side:
            look_at(view, i)
    return choices.size


@helper
def sees_all(rules, view, choices, mind):
    """Sees the cards of everybody."""
    for i in range(view.players):
        look_at(view, i)
    return choices.size


careful_never_showing_a_set, thinking_ahead_never_showing_a_set = Variant("careful", silent), Variant("search", silent)
careful_showing_every_set, thinking_ahead_showing_every_set = Variant("careful", prompt), Variant("search", prompt)
careful_with_the_matta_low = Variant("careful", matta_low)
careful_with_the_matta_high, thinking_ahead_with_the_matta_high = (
    Variant("careful", matta_high),
    Variant("search", matta_high),
)
careful_always_taking, thinking_ahead_always_taking = Variant("careful", capture), Variant("search", capture)
thinking_ahead_seeing_the_next_player, thinking_ahead_seeing_the_partner = (
    Variant("search", sees_next),
    Variant("search", sees_partner),
)
thinking_ahead_seeing_all_cards = Variant("search", sees_all)
