"""Who plays better, and how much of it is luck: duplicate deals, tournaments, rankings, parts of the variance."""

from __future__ import annotations

from .budget import seconds_a_hand, within_budget
from .luck import games_until_ahead, replayed, shares, total_variance
from .plan import Plan, Played, ladder
from .ranking import Ranking, rank, resampled
from .readers import as_text
from .run import tournament
from .sequential import Sequential, looks

__all__ = [
    "Plan",
    "Played",
    "Ranking",
    "Sequential",
    "as_text",
    "games_until_ahead",
    "ladder",
    "looks",
    "rank",
    "replayed",
    "resampled",
    "seconds_a_hand",
    "shares",
    "total_variance",
    "tournament",
    "within_budget",
]
