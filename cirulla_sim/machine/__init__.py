"""This machine: how fast it plays, and compiling ahead of time."""

from __future__ import annotations

from .bench import for_readers, measure

__all__ = ["for_readers", "measure"]
