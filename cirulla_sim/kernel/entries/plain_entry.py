"""``random`` and ``greedy`` called by address, for studies that force what they show or leave.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..jit import entry
from ..players.knock import best_by_rule
from ..players.plain import greedy_of_plays, random_of_plays
from ..players.workspace import policy_signature


@entry(policy_signature)
def random(r, view, plays, m):
    """What ``random`` plays."""
    return random_of_plays(view, plays)


@entry(policy_signature)
def greedy(r, view, plays, m):
    """What ``greedy`` plays."""
    return greedy_of_plays(r, view, plays)


@entry(policy_signature)
def knock(r, view, plays, m):
    """The sets worth most points, at once, and the matta as low as it can be."""
    return best_by_rule(r, view, plays, m.sets)
