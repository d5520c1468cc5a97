"""Compilation: entry points once, all other functions into their callers."""

from __future__ import annotations

import _thread
import gc
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numba
from numba import njit
from platformdirs import user_cache_dir

_LOG = logging.getLogger("cirulla_sim")

_OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}

_PIPELINES: dict[str, Any] = {}
"""Numba's option for the pipelines of ``whole.py``, by decorator; empty if they do not work with this numba."""


def _log_fallback(error: Exception) -> None:
    """Log that compiling will be slow, and why."""
    _LOG.info(
        "kernel/whole.py does not work with numba %s, so compiling takes two to five times as long (%s: %s)",
        numba.__version__, type(error).__name__, next(iter(str(error).strip().splitlines()), "no message"),
    )  # fmt: skip


try:
    from .whole import Part, Whole

    _PIPELINES |= {"part": {"pipeline_class": Part}, "entry": {"pipeline_class": Whole}}
except Exception as missing:  # private parts of numba, which another version may not have
    _log_fallback(missing)


_PARTS: list[Any] = []
"""All functions that are compiled into others, in the order of their definitions."""


def _part(forceinline: bool) -> Callable[[Callable[..., Any]], Any]:
    def decorate(function: Callable[..., Any]) -> Any:
        options = _PIPELINES.get("part", {}) | _OPTIONS
        part = njit(inline="never", forceinline=forceinline, no_cpython_wrapper=True, **options)(function)
        _PARTS.append(part)
        return part

    return decorate


inline = _part(forceinline=True)
"""For functions called from compiled code: LLVM inlines every call, so that arguments cost nothing.

The numpy error model drops the check for division by zero, which would be a branch and an exception path. Without
numba's runtime (``_nrt``) arrays have no reference counts, which would cost more than the play itself, and code that
allocates memory does not compile. Python cannot call these functions: they have no machine code of their own, see
``whole.py``.
"""


noinline = _part(forceinline=False)
"""For large functions with several callers: an entry point contains them once, and calls them."""


def digest_of_sources() -> str:
    """Sixteen digits of all that is compiled, as it is on the disk now, and of the compiler."""
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    return sha256(b"".join(source.read_bytes() for source in sources) + numba.__version__.encode()).hexdigest()[:16]


_AT_FIRST = digest_of_sources()


def digest() -> str:
    """Sixteen digits of all that is compiled in this process, and of the compiler."""
    return _AT_FIRST


@cache
def cache_folder() -> Path | None:
    """The folder of compiled code for exactly these sources, or None if none can be written or trusted.

    Numba's own cache looks only at the file of the function compiled, not at the files of the functions it calls, and
    so would go on using old code; the digest of all kernel sources in the folder's name makes that impossible. The
    code in it is executed, so a folder that others can write to is not used.
    """
    root = Path(os.environ.get("NUMBA_CACHE_DIR") or user_cache_dir("cirulla-sim", appauthor=False))
    folder = root / f"kernel-{digest()}"
    try:
        root.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if not _is_private(folder):
            return None
        probe = folder / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    return folder


def _is_private(folder: Path) -> bool:
    """Whether a folder belongs to the user and no other can write to it; true on systems without owners."""
    if not hasattr(os, "getuid"):
        return True
    status = folder.stat()
    why = (
        "is not yours" if status.st_uid != os.getuid() else "can be written by others" if status.st_mode & 0o022 else ""
    )
    if why:
        print(
            f"{folder} {why}: what is compiled there is not used (remove it, or set NUMBA_CACHE_DIR)", file=sys.stderr
        )
    return not why


def entry(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile an entry point for one signature when it is imported, from the cache folder if there is one.

    Entry points release the interpreter's lock, so threads run them side by side. Raises ``OSError`` if the sources
    have changed since this process started.
    """

    def compile_entry(function: Callable[..., Any]) -> Any:
        if digest_of_sources() != digest():
            # Records are passed by address: code compiled before and after a change would not fit together, here and
            # in every process that loads it.
            raise OSError("the package has changed on the disk since this began (start it again)")
        folder = cache_folder()
        if folder is None or not _is_cached(folder, function):
            _announce_once()
        with _without_collecting(), interrupts_heard():
            try:
                return _compiled(function, signature, folder)
            except Exception as error:
                if not _PIPELINES:
                    raise
                _fall_back(error)
                return _compiled(function, signature, folder)

    return compile_entry


def _compiled(function: Callable[..., Any], signature: Any, folder: Path | None) -> Any:
    """An entry point compiled, or loaded from a cache folder."""
    options = _PIPELINES.get("entry", {}) | _OPTIONS
    for cache_in in (folder, folder) if folder is not None else ():
        try:
            with _caching_in(cache_in):
                return njit(signature, cache=True, **options)(function)
        except Exception:  # a file is torn, or the folder went away or filled up
            _forget(cache_in, function)
    return njit(signature, **options)(function)


def _fall_back(error: Exception) -> None:
    """Compile everything in numba's own way from now on, also what is compiled already."""
    _log_fallback(error)
    _PIPELINES.clear()
    Part.enabled = False
    for part in _PARTS:
        part.recompile()


def _is_cached(folder: Path, function: Callable[..., Any]) -> bool:
    """Whether the cache folder has an entry point compiled."""
    return next(_files(folder, function, "nbi"), None) is not None


def _files(folder: Path, function: Callable[..., Any], ending: str) -> Iterator[Path]:
    """The files that hold an entry point."""
    return folder.rglob(f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}-*.{ending}")


def _forget(folder: Path, function: Callable[..., Any]) -> None:
    """Remove the cached files of an entry point."""
    with suppress(OSError):
        for file in list(_files(folder, function, "nb*")):
            file.unlink(missing_ok=True)


@cache
def _announce_once() -> None:
    """Print at a terminal why nothing happens yet."""
    if sys.stderr.isatty():
        print(
            "Compiling what this takes, once: 5 to 15 seconds (cirulla-sim warmup compiles everything ahead of time).",
            file=sys.stderr,
        )


@contextmanager
def _caching_in(folder: Path) -> Iterator[None]:
    """Make numba cache compiled code in a folder."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Switch off garbage collection, which takes a tenth of the time of compiling."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


AGAIN = 0.05
"""Seconds until a swallowed interruption is sent again."""


@contextmanager
def interrupts_heard() -> Iterator[None]:
    """Send Ctrl-C again if it arrives while the compiler calls back into Python, where exceptions are swallowed."""
    before = sys.unraisablehook

    def on_swallowed(swallowed: Any) -> None:
        if swallowed.exc_type is KeyboardInterrupt:
            threading.Timer(AGAIN, _thread.interrupt_main).start()
        else:
            before(swallowed)

    sys.unraisablehook = on_swallowed
    try:
        yield
    finally:
        sys.unraisablehook = before
