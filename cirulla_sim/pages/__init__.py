"""One page of many results: questions, answers, charts and tables in English and Italian, in a file of its own."""

from __future__ import annotations

from .run import report
from .section import Section

__all__ = ["Section", "report"]
