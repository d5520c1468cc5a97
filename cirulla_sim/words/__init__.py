"""What readers are told, in English and Italian: names, numbers, and one catalogue of sentences."""

from __future__ import annotations

from .describe import describe
from .language import Language, Speaker, language
from .names import (
    DEALT,
    NAMES,
    Metadata,
    changed_words,
    changes_said,
    flag,
    how_much,
    line_up,
    lower,
    name_of,
    play_words,
    player,
    players_of,
    rules_name,
    rules_title,
    side_names,
    together,
)
from .quantities import DEALING, QUANTITIES
from .tables import caption, for_print, printed

__all__ = [
    "DEALING",
    "DEALT",
    "NAMES",
    "QUANTITIES",
    "Language",
    "Metadata",
    "Speaker",
    "caption",
    "changed_words",
    "changes_said",
    "describe",
    "flag",
    "for_print",
    "how_much",
    "language",
    "line_up",
    "lower",
    "name_of",
    "play_words",
    "player",
    "players_of",
    "printed",
    "rules_name",
    "rules_title",
    "side_names",
    "together",
]
