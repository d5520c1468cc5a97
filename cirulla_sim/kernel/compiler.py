"""Compilation by numba: entry points as a whole, all other functions into their callers.

The functions that an entry point calls are typed one by one, but optimised together, once. Numba by itself optimises
every function with all its callees and generates machine code for it, and does so again in each caller, up to the entry
point. Only the last result is used; the others took two thirds of the time.

This module uses private parts of numba, whose versions ``pyproject.toml`` names. Only what has to be compiled imports
it, since importing numba takes a while.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from functools import wraps
from typing import Any

from numba import _dynfunc, njit
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.registry import cpu_target
from numba.core.typed_passes import NativeLowering
from numba.extending import intrinsic

from . import machine_code
from .types import Signature, numba_type


def _called_by(library: Any) -> tuple[list[Any], list[Any]]:
    """The parts that a library calls, directly or not, and the other libraries that it or they call."""
    parts: dict[Any, None] = {}
    others: dict[Any, None] = {}
    todo = list(library._linking_libraries)
    while todo:
        callee = todo.pop()
        if not isinstance(callee, _PartCode):
            others[callee] = None
        elif callee not in parts:
            parts[callee] = None
            todo.extend(callee._linking_libraries)
    return list(parts), list(others)


class _PartCode(JITCodeLibrary):
    """A function that is compiled into its callers only: as it was lowered, without its callees."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration:
                function.linkage = "linkonce_odr"
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """The function with its callees, for callers that are compiled in numba's own way, such as user policies."""
        if self._shared_module is None:
            self._shared_module = self._final_module.clone()
            parts, others = _called_by(self)
            for part in parts:
                if part is not self:
                    self._shared_module.link_in(part._final_module, preserve=True)
            for other in others:
                self._shared_module.link_in(other._get_module_for_linking(), preserve=True)
        return self._shared_module


class _Whole(JITCodeLibrary):
    """An entry point with the parts that it calls, and those that they call."""

    def finalize(self) -> None:
        parts, self._linking_libraries = _called_by(self)
        for part in parts:
            self._final_module.link_in(part._final_module, preserve=True)
        super().finalize()

    def _optimize_final_module(self) -> None:
        # Once: numba's first, cheaper round serves counting references, and nothing in here is counted.
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        # ``machine_code.py`` generates and loads the machine code.
        self._verify_declare_only_symbols()
        self._finalized = True


def _lower(library: JITCodeLibrary, state: Any, lower: Any) -> Any:
    """Lower a function into a library; what it returns represents the function for numba and cannot be called."""
    state["library"], state.flags.no_compile = library, True
    lower(state)
    described = state.cr.fndesc
    if isinstance(library, _PartCode) and not state.flags.forceinline:
        library.get_function(described.llvm_func_name).add_function_attribute("noinline")
    library.finalize()
    stands_for = _dynfunc.make_function(
        described.lookup_module(), state.func_id.func_name, "a part", 0, state.cr.env, (library,)
    )
    state.cr = state.cr._replace(cfunc=stands_for)
    return stands_for


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerPart(NativeLowering):
    _name = "lower_part"

    def run_pass(self, state: Any) -> bool:
        part = _PartCode(state.targetctx.codegen(), state.func_id.func_qualname)
        stands_for = _lower(part, state, super().run_pass)
        state.targetctx.insert_user_function(stands_for, state.cr.fndesc, [part])
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerWhole(NativeLowering):
    _name = "lower_whole"

    def run_pass(self, state: Any) -> bool:
        _lower(_Whole(state.targetctx.codegen(), state.func_id.func_qualname), state, super().run_pass)
        return True


class PartCompiler(CompilerBase):
    """Compiles functions that are called from compiled code only."""

    lowering: Any = _LowerPart

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [(self.lowering if step is NativeLowering else step, name) for step, name in passes.passes]
        passes.finalize()
        return [passes]


class EntryCompiler(PartCompiler):
    """Compiles entry points."""

    lowering = _LowerWhole


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
