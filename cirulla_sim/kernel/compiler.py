"""Compilation by numba: entry points as a whole, all other functions into their callers.

Only what has to be compiled imports this module, since importing numba takes a while.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from functools import wraps
from typing import Any

from numba import njit
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from . import machine_code
from .types import Signature, numba_type
from .whole import EntryCompiler, PartCompiler

_OPTIONS = {
    "nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True, "no_cpython_wrapper": True,
}  # fmt: skip


def _typed(function: Callable[..., Any]) -> Any:
    """An intrinsic: a function of the types of its arguments, which returns a signature and what generates the code."""

    @wraps(function)
    def typed(*arguments: Any) -> Any:
        result = function(*arguments)
        return result and (numba_type(result[0]), result[1])

    return intrinsic(typed)


PARTS: dict[str, Callable[[Callable[..., Any]], Any]] = {
    "inline": njit(inline="never", forceinline=True, pipeline_class=PartCompiler, **_OPTIONS),
    "noinline": njit(inline="never", forceinline=False, pipeline_class=PartCompiler, **_OPTIONS),
    "intrinsic": _typed,
}
"""What numba makes of functions that are compiled into their callers, by the decorators of ``jit.py``."""


def type_of(function: Any) -> Any:
    """The type of a part or an intrinsic, for its callers."""
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(function)


def compiled_entry(function: Callable[..., Any], signature: Signature) -> bytes:
    """The object file of an entry point."""
    collecting = gc.isenabled()
    gc.disable()  # it takes a tenth of the time of compiling
    try:
        whole = njit(signature.numba, pipeline_class=EntryCompiler, **_OPTIONS)(function)
    finally:
        if collecting:
            gc.enable()
    names = {ctypes.c_void_p: "ptr", ctypes.c_float: "float", ctypes.c_double: "double"}
    kinds = (names.get(kind, f"i{8 * ctypes.sizeof(kind)}") for kind in signature.machine)
    return machine_code.generate(whole.inspect_llvm(whole.signatures[0]), ("ptr", "ptr", *kinds))  # result, exception
