"""The policy ``search``, to be called by address.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..jit import entry
from ..players.room import policy_signature
from ..players.search import search_knock, search_play


@entry(policy_signature)
def knock(r, view, plays, m):
    """What ``search`` shows."""
    return search_knock(r, m, view, plays)


@entry(policy_signature)
def play(r, view, plays, m):
    """What ``search`` plays."""
    return search_play(r, m, view, plays)
