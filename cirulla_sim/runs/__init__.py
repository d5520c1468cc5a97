"""A run carried out: what is planned, how it stops and goes on, and the one kind of value that comes out."""

from __future__ import annotations

from .parts import Span, folded_in, gaps_between, run_of, spans, told, within
from .plan import Kind, Plan, carry_out_plan, check_quantities, gone_on, interruption, metadata, players_line, which
from .result import Result, beside
from .saving import EVERY, NOWHERE, Saving, saving

__all__ = [
    "EVERY",
    "NOWHERE",
    "Kind",
    "Plan",
    "Result",
    "Saving",
    "Span",
    "beside",
    "carry_out_plan",
    "check_quantities",
    "folded_in",
    "gaps_between",
    "gone_on",
    "interruption",
    "metadata",
    "players_line",
    "run_of",
    "saving",
    "spans",
    "told",
    "which",
    "within",
]
