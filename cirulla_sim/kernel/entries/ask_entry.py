"""The call of a policy for its play, itself called by address from the play of hands.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..game.hand import ask_signature
from ..jit import entry
from ..players.ask import ask_policy
from ..players.workspace import workspace_at


@entry(ask_signature)
def ask(r, w, policy, table, at):
    """The play, as a word, that the policy at an address chooses, see ``ask_policy``."""
    return ask_policy(r, w, workspace_at(w.workspace), policy, table, at)
