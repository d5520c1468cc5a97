"""Policies that users write in Python: imported, compiled, and checked.

They are compiled with bounds checks, and cannot write to the plays that they are given. The kernel loses the exceptions
that they raise, and notes an answer that is no play; the hand is then played again with a wrapper that records them.
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
from ..core.messages import Message

_RANDOM = ("numba_get_np_random_state", "numba_get_py_random_state")
"""What compiled code calls for random numbers of numpy or Python."""


def find(name: str, module: str, function: str) -> Any:
    """The Python function of a policy of the user's own; the module may be the path of a file.

    Raises ``InputError`` if it does not exist or cannot be imported.
    """
    try:
        namespace = _from_file(Path(module)) if module.endswith(".py") else _from_path(module)
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(
            "policy {name!r}: module {module!r} cannot be imported: {reason}", name, module, reason
        ) from None
    if not hasattr(namespace, function):
        defined = [key for key, value in vars(namespace).items() if inspect.isfunction(value)]
        raise unknown(
            "function", function, defined or ["none"], where=Message("policy {name!r}: {module}: ", name, module)
        )
    return getattr(namespace, function)


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
    """The source file of a policy; of one written in a notebook or at a prompt its own source, if there is one."""
    try:
        file = inspect.getsourcefile(plain(function))
        if file is not None and Path(file).is_file():
            return Path(file).read_bytes()
        return inspect.getsource(plain(function)).encode()
    except (OSError, TypeError):
        return b""


def is_uncompiled(function: Any) -> bool:
    """Whether a policy is in plain Python: a function of one argument, the turn."""
    return inspect.isfunction(function) and len(inspect.signature(function).parameters) == 1


def name_of(function: Any) -> str:
    """The name ``MODULE:FUNCTION`` of a function of the user's own; raises ``InputError`` for one that has none."""
    python = plain(function)
    module, name = getattr(python, "__module__", None), getattr(python, "__qualname__", "")
    if getattr(sys.modules.get(module or ""), name, None) is not function:
        raise InputError(
            "--policy {name!r} has no name by which it can be found again (valid: a function defined at the "
            "top of a module or notebook)",
            name or function,
        )
    return f"{module}:{name}"


def compiled(name: str, function: Any) -> tuple[Any, Any]:
    """A function of view and plays, compiled as it is, and with the signature of all policies.

    Raises ``InputError`` if it does not compile, writes to its plays, or draws other random numbers than the seat's
    own, which would not be the same in every run.
    """
    from numba import njit, types

    from ..kernel.jit import interrupts_heard
    from ..kernel.players.view import VIEW, as_own, own_view_type
    from ..kernel.players.workspace import policy_signature

    python = plain(function)
    if not inspect.isfunction(python):
        raise InputError("policy {name!r}: is not a function (valid: a function of view and plays)", name)
    wanted = list(inspect.signature(python).parameters)
    if len(wanted) != 2:
        raise InputError(
            "policy {name!r}: takes {number} arguments, ({wanted}) (valid: two, view and plays, or one, "
            "turn, in plain Python)",
            name, len(wanted), wanted,
        )  # fmt: skip
    argument_types = (own_view_type.numba, types.Array(types.int64, 1, "C", readonly=True))
    signed = np.int64
    as_signed: Any = as_own

    def play(r, view, plays, mind):  # type: ignore[no-untyped-def]
        return own(as_signed(view), plays.view(signed))

    try:
        with interrupts_heard():
            own: Any = njit([argument_types], nogil=True, error_model="numpy", boundscheck=True)(python)
        returned = own.overloads[argument_types].signature.return_type
        if not isinstance(returned, types.Integer):
            raise InputError(
                "policy {name!r}: returns {returned} (valid: an integer, the index of a play)", name, returned
            )
        code = own.inspect_llvm(argument_types)
        if any(drawn in code for drawn in _RANDOM):
            raise InputError(
                "policy {name!r}: draws random numbers that differ in every run (valid: roll(view, n) of "
                "cirulla_sim.engine.policy_api, the seat's dice)",
                name,
            )
        with interrupts_heard():
            return own, njit(policy_signature.numba, nogil=True, error_model="numpy")(play)
    except KeyError as error:
        raise unknown(
            "field", str(error.args[0]), VIEW.names or (), where=Message("policy {name!r} does not compile: ", name)
        ) from None
    except InputError:
        raise
    except Exception as error:  # whatever a compiler makes of what it does not know
        raise InputError("policy {name!r} does not compile: {reason}", name, _reason(error)) from None


def _reason(error: Exception) -> str:
    """The reason in a compiler's long message, in a line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = [line for line in lines if not line.startswith(("Failed in", "During", "File", "<source", "^", "There are"))]
    where = [line for line in lines if line.startswith("File")]
    if any(">>> setitem(readonly array" in line for line in lines):
        text = ["writes to the plays, which can only be read"]
    return " ".join([*text[:1], *(f"({line.rstrip(':')})" for line in where[:1])])


def witness(own: Any, python: Any) -> tuple[Any, list[str]]:
    """The policy compiled to be called through Python, and a list that will hold a message for each exception."""
    import warnings

    from numba import njit, objmode

    from ..kernel.players.view import as_own
    from ..kernel.players.workspace import policy_signature

    messages: list[str] = []
    signed = np.int64
    as_signed: Any = as_own

    def look(view: Any, plays: Any) -> tuple[int, int]:
        try:
            answer = int(own(view, plays))
        except Exception as error:
            messages.append(_message(error, lambda: python(view, plays)))
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
        return njit(policy_signature.numba, error_model="numpy")(play), messages


def _message(error: Exception, again: Callable[[], Any]) -> Message:
    """An exception's name, message and line; where compiled code does not know the line the Python function does."""
    frames = traceback.extract_tb(error.__traceback__)
    if frames[-1].filename == __file__:
        try:
            again()
        except Exception as fault:
            frames = traceback.extract_tb(fault.__traceback__)
    at = frames[-1]
    kind = type(error).__name__
    if at.filename == __file__:
        return Message("raised {type}: {error}", kind, error)
    return Message("raised {type}: {error} ({file}, line {line})", kind, error, Path(at.filename).name, at.lineno)
