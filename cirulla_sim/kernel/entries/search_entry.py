"""The policy ``search``, to be called by address.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..jit import entry
from ..players.search import search_knock, search_play
from ..players.workspace import policy_signature


@entry(policy_signature)
def policy(r, view, choices, m):
    """The place of the choice that ``search`` makes: of a set to show, or of a play."""
    return search_knock(r, m, view, choices) if m.to_show else search_play(r, m, view, choices)
