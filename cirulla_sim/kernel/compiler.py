"""Compilation by numba: entry points as a whole, all other functions into their callers.

Only what has to be compiled imports this module, since importing numba takes a while.
"""

from __future__ import annotations

import ctypes
import gc
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import numba
from numba import njit
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from . import machine_code
from .types import Signature, numba_type

_LOG = logging.getLogger("cirulla_sim")

_OPTIONS = {
    "nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True, "no_cpython_wrapper": True,
}  # fmt: skip

_PIPELINES: dict[str, Any] = {}
"""Numba's option for the pipelines of ``whole.py``, by decorator; empty if they do not work with this numba."""

_PARTS: list[Any] = []
"""All functions that are compiled into others, in the order in which they were first called."""


def _log_fallback(error: Exception) -> None:
    """Log that compiling will be slow, and why."""
    _LOG.info(
        "kernel/whole.py does not work with numba %s, so compiling takes two to five times as long (%s: %s)",
        numba.__version__, type(error).__name__, next(iter(str(error).strip().splitlines()), "no message"),
    )  # fmt: skip


try:
    from .whole import EntryCompiler, InnerCompiler

    _PIPELINES |= {"part": {"pipeline_class": InnerCompiler}, "entry": {"pipeline_class": EntryCompiler}}
except Exception as missing:  # private parts of numba, which another version may not have
    _log_fallback(missing)


def compiled_part(function: Callable[..., Any], forceinline: bool) -> Any:
    """A function that is compiled into its callers."""
    options = _PIPELINES.get("part", {}) | _OPTIONS
    part = njit(inline="never", forceinline=forceinline, **options)(function)
    _PARTS.append(part)
    return part


def compiled_intrinsic(function: Callable[..., Any]) -> Any:
    """An intrinsic: a function of the types of its arguments, which returns a signature and what generates the code."""

    @wraps(function)
    def typed(*arguments: Any) -> Any:
        result = function(*arguments)
        return result and (numba_type(result[0]), result[1])

    return intrinsic(typed)


def type_of(function: Any) -> Any:
    """The type of a part or an intrinsic, for its callers."""
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(function)


def compiled_entry(function: Callable[..., Any], signature: Signature) -> bytes:
    """The object file of an entry point."""
    with _without_collecting():
        try:
            return _compiled(function, signature)
        except Exception as error:
            if not _PIPELINES:
                raise
            _fall_back(error)
            return _compiled(function, signature)


def _compiled(function: Callable[..., Any], signature: Signature) -> bytes:
    whole = njit(signature.numba, **_PIPELINES.get("entry", {}) | _OPTIONS)(function)
    places = ("ptr", "ptr", *(_in_llvm(kind) for kind in signature.machine))  # the first two: result and exception
    return machine_code.generate(whole.inspect_llvm(whole.signatures[0]), places)


def _in_llvm(kind: Any) -> str:
    """A type of ctypes as LLVM names it."""
    names = {ctypes.c_void_p: "ptr", ctypes.c_float: "float", ctypes.c_double: "double"}
    return names.get(kind, f"i{8 * ctypes.sizeof(kind)}")


def _fall_back(error: Exception) -> None:
    """Compile everything in numba's own way from now on, also what is compiled already."""
    _log_fallback(error)
    _PIPELINES.clear()
    InnerCompiler.enabled = False
    for part in _PARTS:
        part.recompile()


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
