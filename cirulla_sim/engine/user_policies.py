"""Policies that users write, in Python: found, compiled, and watched.

They are compiled with checks of bounds, and the plays they are given cannot be written to. What one of them raises is
lost to the kernel, which notes an answer that is no play; the hand is then played again with a witness, who is told.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import InputError, unknown

_RANDOM = ("numba_get_np_random_state", "numba_get_py_random_state")
"""What compiled code draws from that asks numpy or Python for random numbers."""


def find(name: str, module: str, function: str) -> Any:
    """The Python function of a policy of one's own; the module may be given as the path of a file.

    Raises ``InputError`` where there is none.
    """
    try:
        found = _from_file(Path(module)) if module.endswith(".py") else _from_path(module)
    except Exception as error:
        said = str(error) or type(error).__name__
        raise InputError(f"policy {name!r}: module {module!r} cannot be imported: {said}") from None
    if not hasattr(found, function):
        defined = [key for key, value in vars(found).items() if inspect.isfunction(value)]
        raise unknown("function", function, defined or ["none"], where=f"policy {name!r}: {module}: ")
    return getattr(found, function)


def _from_path(module: str) -> Any:
    """A module of the current folder, or else of Python's path."""
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)
    return importlib.import_module(module)


def _from_file(path: Path) -> Any:
    """The module in a file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise FileNotFoundError("there is no such file")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    spec.loader.exec_module(module)
    return module


def plain(function: Any) -> Any:
    """The Python function behind one that may be compiled already."""
    return getattr(function, "py_func", function)


def source(function: Any) -> bytes:
    """The text of the file that a policy is written in."""
    file = inspect.getsourcefile(plain(function))
    return b"" if file is None else Path(file).read_bytes()


def compiled(name: str, function: Any) -> tuple[Any, Any]:
    """A function of view and plays, compiled as it is, and with the signature of all policies.

    Raises ``InputError`` for one that does not compile, that writes to its plays, or that draws other random numbers
    than the seat's own, which are not the same in every run.
    """
    from numba import njit, types

    from ..kernel.jit import interrupts_heard
    from ..kernel.players.view import VIEW, as_own, own_view_type
    from ..kernel.players.workspace import policy_signature

    python = plain(function)
    if not inspect.isfunction(python):
        raise InputError(f"policy {name!r}: is no function (valid: a function of view and plays)")
    wanted = list(inspect.signature(python).parameters)
    if len(wanted) != 2:
        raise InputError(
            f"policy {name!r}: takes {len(wanted)} arguments, ({', '.join(wanted)}) (valid: two, view and plays)"
        )
    asked = (own_view_type, types.Array(types.int64, 1, "C", readonly=True))
    signed = np.int64
    as_signed: Any = as_own

    def play(r, view, plays, mind):  # type: ignore[no-untyped-def]
        return own(as_signed(view), plays.view(signed))

    try:
        with interrupts_heard():
            own: Any = njit([asked], nogil=True, error_model="numpy", boundscheck=True)(python)
        returned = own.overloads[asked].signature.return_type
        if not isinstance(returned, types.Integer):
            raise InputError(
                f"policy {name!r}: returns {returned} (valid: an integer, the place of a play among the plays)"
            )
        code = own.inspect_llvm(asked)
        if any(drawn in code for drawn in _RANDOM):
            raise InputError(
                f"policy {name!r}: draws random numbers of its own, other ones in every run (valid: roll(view, n) of "
                "cirulla_sim.engine.policy_api, the seat's dice)"
            )
        with interrupts_heard():
            return own, njit(policy_signature, nogil=True, error_model="numpy")(play)
    except KeyError as error:
        raise unknown(
            "field", str(error.args[0]), VIEW.names or (), where=f"policy {name!r} does not compile: "
        ) from None
    except InputError:
        raise
    except Exception as error:  # whatever a compiler makes of what it does not know
        raise InputError(f"policy {name!r} does not compile: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    """What a compiler's long message says, in a line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = [line for line in lines if not line.startswith(("Failed in", "During", "File", "<source", "^", "There are"))]
    where = [line for line in lines if line.startswith("File")]
    if any(">>> setitem(readonly array" in line for line in lines):
        said = ["writes to the plays, which can only be read"]
    return " ".join([*said[:1], *(f"({line.rstrip(':')})" for line in where[:1])])


def witness(own: Any, python: Any) -> tuple[Any, list[str]]:
    """The policy again, compiled to ask it through Python, and what is told of the first exception that it raises."""
    import warnings

    from numba import njit, objmode

    from ..kernel.players.view import as_own
    from ..kernel.players.workspace import policy_signature

    told: list[str] = []
    signed = np.int64
    as_signed: Any = as_own

    def look(view: Any, plays: Any) -> tuple[int, int]:
        try:
            answer = int(own(view, plays))
        except Exception as error:
            told.append(_told(error, lambda: python(view, plays)))
            answer = -1
        return answer, int(view.dice)

    def play(r, view, plays, mind):  # type: ignore[no-untyped-def]
        seen, given = as_signed(view), plays.view(signed)
        with objmode(answer="int64", dice="int64"):
            answer, dice = look(seen, given)
        seen.dice = dice
        return answer

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return njit(policy_signature, error_model="numpy")(play), told


def _told(error: Exception, again: Callable[[], Any]) -> str:
    """An exception's name, what it says, and the line that raised it: Python is asked where compiled code is silent."""
    frames = traceback.extract_tb(error.__traceback__)
    if frames[-1].filename == __file__:
        try:
            again()
        except Exception as fault:
            frames = traceback.extract_tb(fault.__traceback__)
    at = frames[-1]
    where = "" if at.filename == __file__ else f" ({Path(at.filename).name}, line {at.lineno})"
    return f"raised {type(error).__name__}: {error}{where}"
