"""A person at the table, to be called by address.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..jit import entry
from ..players.scripted import ask_person
from ..players.workspace import policy_signature


@entry(policy_signature)
def policy(r, view, choices, m):
    """The place of the choice of a person: of a set to show or of a play."""
    return ask_person(r, view, choices, m)
