"""A run carried out: what is planned, how it stops and goes on, and the one kind of value that comes out."""

from __future__ import annotations

from .plan import Kind, Plan, carry_out_plan, check_quantities, gone_on, headlines, metadata, players_line
from .result import Result
from .saving import EVERY, NOWHERE, Saving, run_of, saving

__all__ = [
    "EVERY",
    "NOWHERE",
    "Kind",
    "Plan",
    "Result",
    "Saving",
    "carry_out_plan",
    "check_quantities",
    "gone_on",
    "headlines",
    "metadata",
    "players_line",
    "run_of",
    "saving",
]
