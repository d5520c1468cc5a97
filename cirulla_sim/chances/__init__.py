"""Questions about dealt cards, in words: answered exactly where they can be counted, else from simulated deals."""

from __future__ import annotations

from .cases import Cases, Subject
from .first_deal import FIRST_DEAL
from .question import Question
from .readers import answers_for_readers, caption, for_readers
from .run import OF, odds, vocabulary
from .subjects import SUBJECTS

__all__ = [
    "FIRST_DEAL",
    "OF",
    "SUBJECTS",
    "Cases",
    "Question",
    "Subject",
    "answers_for_readers",
    "caption",
    "for_readers",
    "odds",
    "vocabulary",
]
