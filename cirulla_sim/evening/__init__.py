"""A person against the policies: a game at the terminal, hint and coach at hand."""

from __future__ import annotations

from .game import Evening, Over, Setup
from .kept import read_evening
from .run import sit_down

__all__ = ["Evening", "Over", "Setup", "read_evening", "sit_down"]
