"""What one seat knows in mid-hand: told in words, as a view for the policies, and played on from."""

from __future__ import annotations

from .position import PLACES, Position, declared_values, next_deal, position_arguments, position_words, read
from .rest import play_rest
from .said import read_situation, seen_in
from .situation import (
    NOBODY,
    Situation,
    captured,
    card_of,
    in_words,
    is_sweep,
    make_view,
    matta_mask,
    open_holdings,
)
from .where import with_known

__all__ = [
    "NOBODY",
    "PLACES",
    "Position",
    "Situation",
    "captured",
    "card_of",
    "declared_values",
    "in_words",
    "is_sweep",
    "make_view",
    "matta_mask",
    "next_deal",
    "open_holdings",
    "play_rest",
    "position_arguments",
    "position_words",
    "read",
    "read_situation",
    "seen_in",
    "with_known",
]
