"""What a policy of one's own may use: the parts of a play, counts of cards, draws. See ``docs/policies.md``.

``card_of(play)``, ``value_in(play)``, ``captured(play)`` and ``is_sweep(play)`` take a play apart; ``unseen(view)`` is
the mask of the cards whose place the seat does not know; ``popcount(mask)`` counts cards and ``lowest(mask)`` is the
index of the first; ``roll(view, n)`` draws a number from 0 to n - 1. All are compiled, and can be called from a policy.
"""

from .kernel.bits import lowest, popcount
from .kernel.view import captured, card_of, is_sweep, roll, unseen, value_in

__all__ = ["captured", "card_of", "is_sweep", "lowest", "popcount", "roll", "unseen", "value_in"]
