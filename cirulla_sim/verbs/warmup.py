"""Compiling everything ahead of time, side by side in processes."""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

GROUPS = tuple(
    tuple(f"{name}_entry" for name in names.split())
    for names in (
        "careful search open plain solve",
        "play run notes games playouts rest replays rare course luck balance",
        "ask deals sample known person",
    )
)
"""Entry points by what they are made of, longest first: a process that has compiled one has most of the next."""


class Warm(NamedTuple):
    """How compiling went: the seconds it took, and the folder where compiled code is kept, or None."""

    seconds: float
    folder: Path | None


def warm_up(processes: int | None = None) -> Warm:
    """Compile what is not compiled yet, in so many processes at a time, as many as there are cores unless told.

    Raises ``RuntimeError`` with what a process said last if it fails.
    """
    from ..kernel.jit import cache_folder

    start = time.perf_counter()
    with ThreadPoolExecutor(processes or os.cpu_count() or 1) as pool:
        list(pool.map(_compile, _groups()))
    return Warm(time.perf_counter() - start, cache_folder())


def _groups() -> list[tuple[str, ...]]:
    """All entry points: ``GROUPS``, and last those that are in none."""
    from ..kernel import entries

    grouped = {name for group in GROUPS for name in group}
    rest = tuple(module.name for module in pkgutil.iter_modules(entries.__path__) if module.name not in grouped)
    return [*GROUPS, rest]


_PROGRAM = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(f"cirulla_sim.kernel.entries.{name}")
"""


def _compile(names: tuple[str, ...]) -> None:
    """Import modules in a process of their own: that compiles them, or finds them compiled."""
    here = str(Path(__file__).parents[2])
    path = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *names], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
    )
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["no reason given"]
        raise RuntimeError(f"compiling {', '.join(names)} failed: {said[-1]}")
