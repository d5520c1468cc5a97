"""Many hands of one rule set: how often, how many points, by which categories."""

from __future__ import annotations

from .quantities import simulated
from .run import HANDS, simulate

__all__ = ["HANDS", "simulate", "simulated"]
