"""``open``: a cheat who sees all holdings and plays the stage out in his mind; an upper mark, no fair opponent."""

from __future__ import annotations

import numpy as np

from .bits import ZERO
from .jit import entry
from .solver import plays_in_stage, solve_view
from .view import mind_at, policy_signature, rules_at

DEPTH = np.uint64(12)
"""Plays looked ahead: a whole stage of three cards with four players, less of larger ones."""


@entry(policy_signature)
def policy(rules, view, plays, mind):
    """The policy ``open``."""
    if plays.size == 1:
        return ZERO
    depth = min(plays_in_stage(view), DEPTH)
    return solve_view(rules_at(rules), mind_at(mind), view, plays, view.hidden, depth)
