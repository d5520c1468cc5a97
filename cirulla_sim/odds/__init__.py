"""Questions about dealt cards, in words: answered exactly where they can be counted, else from simulated deals."""

from __future__ import annotations

from .cases import Cases, Subject
from .position import PLACES, Position
from .questions import Question
from .subjects import SUBJECTS

__all__ = ["PLACES", "SUBJECTS", "Cases", "Position", "Question", "Subject"]
