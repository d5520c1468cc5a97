"""``open``: a cheat who sees all holdings and plays the stage out in his mind; an upper mark, no fair opponent."""

from __future__ import annotations

from .bits import ZERO
from .jit import entry
from .solver import solve_within
from .view import mind_at, policy_signature, rules_at


@entry(policy_signature)
def policy(rules, view, plays, mind):
    """The policy ``open``."""
    if plays.size == 1:
        return ZERO
    return solve_within(rules_at(rules), mind_at(mind), view, plays, view.hidden)
