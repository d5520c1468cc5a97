"""What to play here, and where a hand was thrown away."""

from __future__ import annotations

from .coach import SAMPLES, coached
from .grades import grade, rate
from .judge import Advice, Option, judge_plays
from .moments import Moment, Turn, read_record, rules_of, turns
from .readers import for_readers
from .run import advise, hand

__all__ = [
    "SAMPLES",
    "Advice",
    "Moment",
    "Option",
    "Turn",
    "advise",
    "coached",
    "for_readers",
    "grade",
    "hand",
    "judge_plays",
    "rate",
    "read_record",
    "rules_of",
    "turns",
]
