"""The policy ``attack``, to be called by address.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..jit import entry
from ..players.attack import attack_knock, attack_play
from ..players.room import policy_signature


@entry(policy_signature)
def policy(r, view, choices, m):
    """The place of the choice that ``attack`` makes: of a set to show, or of a play."""
    return attack_knock(r, m, view, choices) if m.to_show else attack_play(r, m, view, choices)
