"""Asking a policy, called by address from the play of hands.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..game.captures import lay
from ..game.hand import ask_signature
from ..jit import entry
from ..players.ask import ask_policy
from ..players.workspace import room_at


@entry(ask_signature)
def ask(r, w, policy, cards, product, matta_value, seat, stage, turn, slot, played):
    """The play, as a word, that the policy at an address chooses, see ``ask_policy``."""
    t = lay(cards, product, matta_value, w.rows)
    return ask_policy(r, w, room_at(w.room), policy, t, seat, stage, turn, slot, played)
