"""What to play here, and where a hand was thrown away."""

from __future__ import annotations

from .coach import SAMPLES, coached
from .judge import Advice, Option
from .moments import Moment, Turn, read_record, rules_of, turns
from .run import advise, hand
from .situation import Situation

__all__ = [
    "SAMPLES",
    "Advice",
    "Moment",
    "Option",
    "Situation",
    "Turn",
    "advise",
    "coached",
    "hand",
    "read_record",
    "rules_of",
    "turns",
]
