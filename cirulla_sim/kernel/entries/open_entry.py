"""The policy ``open``, to be called by address.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..jit import entry
from ..players.open import open_knock, open_play
from ..players.workspace import policy_signature


@entry(policy_signature)
def policy(r, view, choices, m):
    """The place of the choice that ``open`` makes: of a set to show, or of a play."""
    return open_knock(r, m, view, choices) if m.to_show else open_play(r, m, view, choices)
