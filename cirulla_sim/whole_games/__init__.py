"""Whole games: who wins, how long, and the chance to win from any score."""

from __future__ import annotations

from .expectancy import WE, Expectancy, aimed, aiming_at_the_end, aiming_table, between_hands, check, measure
from .quantities import GAMES, played
from .run import games
from .win_chance import read_score
from .win_table import every_tenth

__all__ = [
    "GAMES",
    "WE",
    "Expectancy",
    "aimed",
    "aiming_at_the_end",
    "aiming_table",
    "between_hands",
    "check",
    "every_tenth",
    "games",
    "measure",
    "played",
    "read_score",
]
