"""Many hands, and what they show: the main job."""

from __future__ import annotations

from ..kept import Kind
from .quantities import simulated

HANDS = Kind("simulate", "simulate/1", simulated)
