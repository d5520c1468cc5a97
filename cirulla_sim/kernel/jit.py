"""Compiled functions: entry points once, all other functions into their callers; loaded without numba when possible.

Calls of compiled functions by address: the function is chosen at run time, not when its callers are compiled.
"""

from __future__ import annotations

import _thread
import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, partial, update_wrapper
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from typing import Any

import llvmlite
from platformdirs import user_cache_dir

from ..core.console import announce_compiling
from . import types
from .types import Signature, flattened


class _Module:
    """A module that is imported when something in it is used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._name), name)


ir = _Module("llvmlite.ir")
"""LLVM's language, for intrinsics."""


class _Part:
    """A function for the compiler, which numba gets to know when a function that calls it is compiled.

    Python cannot call it: it has no machine code of its own.
    """

    def __init__(self, kind: str, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self._kind = kind

    @cached_property
    def _numba_type_(self) -> Any:
        """Where numba looks for the type of a value that it does not know."""
        from . import compiler

        self._compiled = compiler.PARTS[self._kind](self.__wrapped__)  # type: ignore[attr-defined]
        return compiler.type_of(self._compiled)  # which does not hold it


inline = partial(_Part, "inline")
"""For functions called from compiled code: LLVM inlines every call, so that arguments cost nothing.

The numpy error model drops the check for division by zero, which would be a branch and an exception path. Without
numba's runtime (``_nrt``) arrays have no reference counts, which would cost more than the play itself, and code that
allocates memory does not compile.
"""

noinline = partial(_Part, "noinline")
"""For large functions with several callers: an entry point contains them once, and calls them."""

intrinsic = partial(_Part, "intrinsic")
"""For functions whose code is generated: of types, they return the signature and what generates the code."""


class if_processor_has:
    """One of two functions for the compiler: the first where the processor has some instructions."""

    def __init__(self, feature: str, one: _Part, other: _Part) -> None:
        self._choice = (feature, one, other)

    @cached_property
    def _numba_type_(self) -> Any:
        from . import machine_code

        feature, one, other = self._choice
        return (one if machine_code.has(feature) else other)._numba_type_


def _numba_version() -> str:
    """The version of numba, by the folder that installers write beside it; ``importlib.metadata`` takes 20 ms."""
    spec = find_spec("numba")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("No module named 'numba'", name="numba")
    found = [path.stem for path in Path(spec.origin).parents[1].glob("numba-*.dist-info")]
    if len(found) == 1:
        return found[0].removeprefix("numba-")
    from importlib.metadata import version

    return version("numba")


def digest_of_sources(compiler: bool = True) -> str:
    """Sixteen digits of all that is compiled, as it is on the disk now, and of the compiler.

    What the flat rules have, and the constants of cards, are compiled too.
    """
    package = Path(__file__).parents[1]
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    sources += [package / "core/cards.py", *package.glob("ruleset/categories.*"), package / "ruleset/rules_model.py"]
    versions = f"{_numba_version()} {llvmlite.__version__}" if compiler else ""
    return sha256(b"".join(source.read_bytes() for source in sources) + versions.encode()).hexdigest()[:16]


DIGEST = digest_of_sources()
"""That of all that is compiled in this process."""


@cache
def cache_folder() -> Path | None:
    """The folder of compiled code for exactly these sources, or None if none can be written or trusted.

    The digest of all kernel sources in the folder's name makes it impossible to use old code. The code in it is
    executed, so a folder that others can write to is not used.
    """
    root = Path(os.environ.get("NUMBA_CACHE_DIR") or user_cache_dir("cirulla-sim", appauthor=False))
    folder = root / f"kernel-{DIGEST}"
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


class Entry:
    """A compiled function that Python can call, and compiled code by its ``address``, as long as this object exists.

    Its machine code is loaded from the cache folder, or compiled, when it is first used. Calls release the
    interpreter's lock, so threads run them side by side.
    """

    def __init__(self, function: Callable[..., Any], signature: Signature) -> None:
        update_wrapper(self, function)
        self._signature = signature
        self._loaded: Any = None
        self._lock = threading.Lock()

    @property
    def address(self) -> int:
        """Where the machine code lies; raises as ``load`` does."""
        self.load()
        return int(self._loaded.address)

    def load(self) -> None:
        """Load the machine code, or compile it; raises ``OSError`` if the sources have changed since this began."""
        with self._lock:
            if self._loaded is None:
                self._load()

    def _load(self) -> None:
        if digest_of_sources() != DIGEST:
            # Records are passed by address: code compiled before and after a change would not fit together, here and
            # in every process that loads it.
            raise OSError("the package has changed on the disk since this began (start it again)")
        from . import machine_code

        folder = cache_folder()
        file = None if folder is None else folder / _name(self.__wrapped__, f"-{machine_code.processor()}")
        object_file = None if file is None else machine_code.read_code(file)
        if object_file is None and machine_code.fits_baseline():
            object_file = machine_code.read_code(shipped_folder() / _name(self.__wrapped__))
        if object_file is None:
            object_file = _compiled(self.__wrapped__, self._signature)
            if file is not None:
                machine_code.save_code(object_file, file)
        loaded = machine_code.Loaded(object_file)
        # Numba's functions return whether they failed, and take where to write the result and the exception.
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *self._signature.machine)
        self._call, self._loaded = prototype(loaded.address), loaded

    def __call__(self, *arguments: Any) -> Any:
        """Raises ``TypeError`` for arguments of other types than those of the signature."""
        self.load()
        flat = flattened(self._signature.arguments, arguments)
        result, exception = self._signature.returned.new(), ctypes.c_void_p()
        if self._call(ctypes.addressof(result), ctypes.addressof(exception), *flat):
            raise RuntimeError(f"{self.__name__} failed")
        return self._signature.returned.read(result)


def entry(signature: Signature) -> Callable[[Callable[..., Any]], Entry]:
    """Makes a function an entry point: the only kind of compiled function that Python and addresses can call."""
    return lambda function: Entry(function, signature)


def _name(function: Callable[..., Any], processor: str = "") -> str:
    return f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}{processor}.o"


def shipped_folder() -> Path:
    """The folder of the code that a wheel brings, for exactly these sources and many processors: see ``BASELINE``.

    Its name says nothing of the compiler, since that code calls nothing of it.
    """
    from . import machine_code

    return Path(__file__).parents[1] / "compiled" / f"{digest_of_sources(compiler=False)}-{machine_code.BASELINE}"


def _compiled(function: Callable[..., Any], signature: Signature) -> bytes:
    with announce_compiling(), interrupts_heard():
        from .compiler import compiled_entry

        return compiled_entry(function, signature)


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


def by_address(signature: Signature) -> Any:
    """A function of an address and the arguments of ``signature`` that calls what is compiled at the address.

    The function called must be compiled for exactly this signature and must still be loaded. What it returns is lost if
    it raises; all bits are set then, which no caller here takes for a result.
    """

    @intrinsic
    def call(typingctx: Any, address: Any, *arguments: Any) -> Any:
        from numba.types import StarArgTuple

        taken = signature.numba

        def codegen(context: Any, builder: Any, typed: Any, args: Any) -> Any:
            kind = context.call_conv.get_function_type(taken.return_type, taken.args)
            function = builder.inttoptr(args[0], kind.as_pointer())
            given = [builder.extract_value(args[1], i) for i in range(len(taken.args))]
            status, result = context.call_conv.call_function(builder, function, taken.return_type, taken.args, given)
            return builder.select(status.is_error, result.type(-1), result)

        return signature.returned(types.uint64, StarArgTuple(taken.args)), codegen

    return call


_code_of: Any = attrgetter("library")
"""What numba has compiled, as its code generator holds it."""


def address_of(function: Any, signature: Signature) -> int:
    """The address of an entry point, or of a function that numba compiled for a signature; valid while it exists."""
    if isinstance(function, Entry):
        return function.address
    compiled = function.overloads[tuple(signature.numba.args)]
    return int(_code_of(compiled).get_pointer_to_function(compiled.fndesc.llvm_func_name))


def record_at(kind: types.Record) -> Any:
    """A function that takes an address for the record of a type that lies there."""

    @intrinsic
    def record(typingctx: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

        return kind(types.uint64), codegen

    return record
