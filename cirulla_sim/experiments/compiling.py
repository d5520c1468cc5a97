"""Says that something is compiled, which happens once on a machine: a first call may take a while for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from threading import Event
from types import ModuleType
from typing import Any

from .progress import is_watched

ENTRIES = "cirulla_sim.kernel.entries"
"""The package of entry points: each is loaded or compiled when its module is imported."""

TEXT = (
    "Compiling what this takes (once, 10 to 30 seconds; 'cirulla-sim warmup' compiles everything ahead of time) ..."
)  # fmt: skip

under_way = Event()
"""Set while something is compiled."""


class _Notice(MetaPathFinder):
    """Finds no module; when the first entry point is imported, it has the kernel say when it compiles."""

    def __init__(self, message: Callable[[str], str]) -> None:
        self._message = message
        self._is_new = True

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:  # fmt: skip
        if self._is_new and fullname == ENTRIES:
            self._is_new = False
            from ..kernel import jit

            jit._announce_once = cache(self._announce)
            jit._compiled = _noted(jit._compiled)
        return None

    def _announce(self) -> None:
        if is_watched():
            print(self._message(TEXT), file=sys.stderr, flush=True)


def _noted(compiled: Callable[..., bytes]) -> Callable[..., bytes]:
    """The same function, with ``under_way`` set while it runs."""

    def noted(*arguments: Any) -> bytes:
        under_way.set()
        try:
            return compiled(*arguments)
        finally:
            under_way.clear()

    return noted


def announce_compiling(message: Callable[[str], str] = str) -> None:
    """Say on a terminal or in a notebook when this process begins to compile, in the words that ``message`` gives.

    Only the first call has an effect, and only before anything compiled was loaded.
    """
    if ENTRIES not in sys.modules and not any(isinstance(finder, _Notice) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Notice(message))
