"""What to play here, and where a hand was thrown away."""

from __future__ import annotations

from .advise import Advice, Option
from .coach import SAMPLES, coached
from .moments import Moment, Turn, read_record, rules_of, turns
from .situation import Situation

__all__ = ["SAMPLES", "Advice", "Moment", "Option", "Situation", "Turn", "coached", "read_record", "rules_of", "turns"]
