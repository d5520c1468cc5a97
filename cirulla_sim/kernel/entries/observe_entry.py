"""Inferring styles of play after a stage, itself called by address from the play of hands.

Importing this module compiles it, or loads it from the cache folder.
"""

from __future__ import annotations

from ..game.bits import ZERO
from ..game.hand import ask_signature
from ..jit import entry
from ..players.observer import observe as observe_stage
from ..players.workspace import workspace_at


@entry(ask_signature)
def observe(r, w, unused, table, end):
    """Update the styles of all sides by the plays of a stage, see ``observer.observe``; returns 0."""
    observe_stage(r, w, workspace_at(w.workspace), table, end)
    return ZERO
