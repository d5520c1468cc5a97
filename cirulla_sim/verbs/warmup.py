"""Compile everything ahead of time, in parallel processes."""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple


class Warm(NamedTuple):
    """The seconds that compiling took, and the folder of compiled code; None if it cannot be kept."""

    seconds: float
    folder: Path | None


def warm_up() -> Warm:
    """Compile what is not compiled yet, in as many processes as there are cores.

    Raises ``RuntimeError`` with the last line of a process that fails. Ctrl-C ends these processes too.
    """
    from ..kernel import entries  # those of a module share most of their functions, so one process compiles them
    from ..kernel.jit import cache_folder

    start = time.perf_counter()
    running: list[subprocess.Popen[str]] = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        try:
            list(
                pool.map(partial(_compile, running), (module.name for module in pkgutil.iter_modules(entries.__path__)))
            )
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in running:
                process.kill()  # what it has compiled is kept
            raise
    folder = cache_folder()
    return Warm(time.perf_counter() - start, folder if folder is not None and _can_hold(folder) else None)


_SIZE = 1 << 20
"""More than the largest file of compiled code has."""


def _can_hold(folder: Path) -> bool:
    """Whether a file of compiled code can be kept in a folder; on a full disk only an empty one can."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_SIZE))
    except OSError:
        return False
    return True


_PROGRAM = """
import importlib, sys
from cirulla_sim.kernel.jit import Entry
module = importlib.import_module(f"cirulla_sim.kernel.entries.{sys.argv[1]}")
for value in vars(module).values():
    if isinstance(value, Entry):
        value.load()
"""


def _compile(running: list[subprocess.Popen[str]], name: str) -> None:
    """Compile or load a module's entry points in a new process, which is noted among those ``running``."""
    here = str(Path(__file__).parents[2])
    path = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
    process = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, name], env=os.environ | {"PYTHONPATH": path}, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
    )  # fmt: skip
    running.append(process)
    errors = process.communicate()[1]
    if process.returncode:
        output = errors.strip().splitlines() or ["no reason given"]
        raise RuntimeError(f"compiling {name} failed: {output[-1]}")
