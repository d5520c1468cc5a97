"""The policy ``open``, to be called by address.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..jit import entry
from ..players.open import open_knock, open_play
from ..players.room import policy_signature


@entry(policy_signature)
def knock(r, view, plays, m):
    """What ``open`` shows."""
    return open_knock(r, m, view, plays)


@entry(policy_signature)
def play(r, view, plays, m):
    """What ``open`` plays."""
    return open_play(r, m, view, plays)
