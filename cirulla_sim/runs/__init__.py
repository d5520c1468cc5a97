"""A run carried out: what is planned, how it stops and goes on, and the one kind of value that comes out."""

from __future__ import annotations

from .plan import Kind, Plan, carry_out_plan, check_quantities, headlines, metadata, players_line
from .result import Result

__all__ = ["Kind", "Plan", "Result", "carry_out_plan", "check_quantities", "headlines", "metadata", "players_line"]
