"""What a tab is to the rest of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.routing import BaseRoute


@dataclass(frozen=True)
class Tab:
    """A tab: its ``name``, which its address begins with, its title in English, and its routes."""

    name: str
    title: str
    routes: Sequence[BaseRoute]

    @property
    def path(self) -> str:
        """Where it begins."""
        return f"/{self.name}"
