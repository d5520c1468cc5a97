"""The policy ``careful``, to be called by address.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..jit import entry
from ..players.careful import careful_knock, careful_play
from ..players.room import policy_signature


@entry(policy_signature)
def knock(r, view, plays, m):
    """What ``careful`` shows."""
    return careful_knock(r, m, view, plays)


@entry(policy_signature)
def play(r, view, plays, m):
    """What ``careful`` plays."""
    return careful_play(r, m, view, plays)
