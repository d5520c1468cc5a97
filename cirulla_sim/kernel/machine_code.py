"""Machine code of compiled functions: generated from LLVM's language, kept in files, loaded. Needs no numba."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from llvmlite import binding as llvm

SYMBOL = "entry"
"""The function that an object file is for; all others in it are its own."""


def _name() -> str:
    """The processor that code is generated for: this one, or that of numba's setting."""
    return os.environ.get("NUMBA_CPU_NAME") or str(llvm.get_host_cpu_name())


def _features() -> str:
    """What this processor can do, as LLVM names it; of one that is set by name, only what is set too."""
    if "NUMBA_CPU_NAME" in os.environ or "NUMBA_CPU_FEATURES" in os.environ:
        return os.environ.get("NUMBA_CPU_FEATURES", "")
    try:
        return str(llvm.get_host_cpu_features().flatten())
    except RuntimeError:  # unknown on this platform: nothing beyond what the processor's name implies
        return ""


def has(feature: str) -> bool:
    """Whether the processor that code is generated for has a feature."""
    return f"+{feature}" in _features().split(",")


BASELINE = "x86-64-v3"
BASELINE_FEATURES = "avx avx2 bmi bmi2 cx16 f16c fma lzcnt movbe popcnt sahf sse3 sse4.1 sse4.2 ssse3 xsave"
"""The processors that a wheel brings code for, and what they can do, by LLVM's names (the x86-64 psABI's levels)."""


def fits_baseline() -> bool:
    """Whether this processor, unless another is set by name, runs the code that a wheel brings."""
    triple = llvm.get_process_triple()
    fits = triple.startswith("x86_64") and "linux" in triple
    return fits and "NUMBA_CPU_NAME" not in os.environ and all(map(has, BASELINE_FEATURES.split()))


@cache
def processor() -> str:
    """Sixteen digits of the processor and the platform that code is generated for."""
    return sha256("\n".join((llvm.get_process_triple(), _name(), _features())).encode()).hexdigest()[:16]


def _target_machine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    relocation = "static" if target.name.startswith("x86") else "default"  # as LLVM's loader wants it
    return target.create_target_machine(
        cpu=_name(), features=_features(), opt=3, reloc=relocation, codemodel="jitdefault", jit=True
    )


def generate(text: str, arguments: tuple[str, ...]) -> bytes:
    """The object file of the one function that an optimised module in LLVM's language exports.

    Raises ``TypeError`` if its arguments are of other types than those given, as by a new calling convention of numba,
    and if it calls a function of another library, which the process that loads it need not have.
    """
    module = llvm.parse_assembly(text)
    defined = [function for function in module.functions if not function.is_declaration]
    [function] = [function for function in defined if function.linkage == llvm.Linkage.external]
    kinds = [part.type for part in function.arguments]
    found = tuple("ptr" if kind.is_pointer else str(kind) for kind in kinds)
    if found != arguments:
        raise TypeError(f"{function.name} takes {', '.join(found)}, not {', '.join(arguments)}")
    called = [other.name for other in module.functions if other.is_declaration and not other.name.startswith("llvm.")]
    if called:
        raise TypeError(f"{function.name} calls {', '.join(called)}, which is not compiled here")
    for other in defined:
        other.linkage = llvm.Linkage.internal
    function.name, function.linkage = SYMBOL, llvm.Linkage.external
    return bytes(_target_machine().emit_object(module))


class Loaded:
    """An object file in memory, and the address of its function; valid as long as this exists."""

    def __init__(self, object_file: bytes) -> None:
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target_machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(object_file))
        self._engine.finalize_object()
        self.address = int(self._engine.get_function_address(SYMBOL))


def _seal(object_file: bytes, path: Path) -> bytes:
    """The digest of an object file and its place: one that was moved to another's name is not loaded."""
    return sha256(f"{path.parent.name}/{path.name}\n".encode() + object_file).digest()


def save_code(object_file: bytes, path: Path) -> None:
    """Write an object file with its seal, whole or not at all; if the folder cannot be written nothing happens."""
    with suppress(OSError):
        handle, part = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_seal(object_file, path) + object_file)
            os.replace(part, path)
        except BaseException:
            os.unlink(part)
            raise


def read_code(path: Path) -> bytes | None:
    """The object file that was saved; None for none and for a damaged or moved one: LLVM would end the process."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    seal, object_file = content[:32], content[32:]
    return object_file if _seal(object_file, path) == seal else None
