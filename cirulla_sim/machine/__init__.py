"""This machine: how fast it plays, and compiling ahead of time."""

from __future__ import annotations

from .bench import for_readers, measure
from .warmup import Warm, warm_up

__all__ = ["Warm", "for_readers", "measure", "warm_up"]
