"""The playing of hands, called by address by all that have hands played.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..game.bits import ZERO
from ..game.hand import play_signature, play_stages
from ..jit import entry


@entry(play_signature)
def play(r, policies, w, table, at, dealt):
    """Play a hand to its end from a moment on, see ``play_stages``."""
    play_stages(r, policies, w, table, at, dealt)
    return ZERO
