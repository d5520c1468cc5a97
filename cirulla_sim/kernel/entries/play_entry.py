"""The playing of hands, called by address by all that have hands played.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..game.bits import ZERO
from ..game.captures import lay
from ..game.hand import play_signature, play_stages
from ..jit import entry


@entry(play_signature)
def play(r, policies, w, cards, product, matta_value, stage, slot, played, turn, seat, dealt):
    """Play a hand from a table and a stage on, see ``play_stages``."""
    play_stages(r, policies, w, lay(cards, product, matta_value, w.rows), stage, slot, played, turn, seat, dealt)
    return ZERO
