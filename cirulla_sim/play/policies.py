"""Policies by name: those of the package, and one's own as ``my_module:my_policy``.

A policy that is not compiled into the playing of hands is a compiled function that the kernel calls by its address, so
a policy of one's own plays as fast as one of the package. See ``docs/policies.md``.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, unknown
from ..rulebook import Rules

INLINED = ("random", "greedy")
"""Compiled into the playing of hands, in the order of the kernel's numbers for them."""

CALLED = {"careful": 0, "search": 64, "open": 0}
"""Those compiled by themselves, each in the kernel's module of its name, and the number of samples of each."""

NAMES = (*INLINED, *CALLED)

USUAL = "careful"
"""Who plays where nobody is named: a player worth quoting, as points are those of the players that played."""

FORCES = {
    "prompt": "shows a set as soon as it may",
    "silent": "never shows a set",
    "matta-low": "declares the matta as low as it may",
    "matta-high": "declares the matta as high as it may",
    "capture": "never leaves a card that captures",
    "trail": "never captures where it need not",
}
"""How a study forces the choices of a policy, as ``careful+silent``; in the order of the kernel's bits for them."""

SUFFIXES = ("game", *FORCES)
"""What may follow a policy's name after a ``+``: ``game``, that it maximises the chance to win the game; a force."""

_OPPOSED = (("prompt", "silent"), ("matta-low", "matta-high"), ("capture", "trail"))

MAX_SAMPLES = 1_000_000


@dataclass(frozen=True)
class Policy:
    """A policy ready to play: the kernel's code for it, its number of samples, and whether it sees all cards.

    ``knocks`` is the code of what decides which sets it shows, 0 where the best are shown at once; ``forced`` has a bit
    for each of ``FORCES``.
    """

    name: str
    code: int
    samples: int = 0
    sees_all: bool = False
    knocks: int = 0
    forced: int = 0
    aims_at_game: bool = False


def split(name: str) -> tuple[str, tuple[str, ...]]:
    """A policy's name without its suffixes, and these; raises ``InputError`` for unknown ones.

    >>> split("search:8+game+silent")
    ('search:8', ('game', 'silent'))
    """
    module, colon, rest = name.rpartition(":")
    last, *suffixes = rest.split("+")
    for number, suffix in enumerate(suffixes):
        if suffix not in SUFFIXES:
            raise unknown("suffix", suffix, SUFFIXES, where=f"policy {name!r}: ")
        if suffix in suffixes[:number]:
            raise InputError(f"policy {name!r}: {suffix!r} is named twice (name each suffix once)")
    for one, other in _OPPOSED:
        if one in suffixes and other in suffixes:
            raise InputError(f"policy {name!r}: {one!r} and {other!r} exclude each other (valid: one of them)")
    return f"{module}{colon}{last}", tuple(suffixes)


def can_aim(name: str) -> bool:
    """Whether the policy of a name can maximise the chance of winning the game."""
    return split(name)[0].partition(":")[0] in CALLED


def aims(name: str) -> bool:
    """Whether a name says that the policy maximises the chance of winning the game."""
    return "game" in split(name)[1]


def aiming(name: str) -> str:
    """The name of the same policy aiming at the game, if it can."""
    return f"{name}+game" if can_aim(name) and not aims(name) else name


def check(name: str) -> None:
    """Raise ``InputError`` if this cannot be the name of a policy; modules of one's own are not looked at yet."""
    bare, _ = split(name)
    if aims(name) and not can_aim(name):
        raise InputError(f"policy {name!r}: {bare!r} cannot aim at the game (valid: {', '.join(CALLED)})")
    base, colon, rest = bare.rpartition(":")
    if not colon:
        if bare not in NAMES:
            raise unknown("policy", bare, [*NAMES, "MODULE:FUNCTION"])
    elif CALLED.get(base):
        if not (rest.isdecimal() and 1 <= int(rest) <= MAX_SAMPLES):
            raise InputError(f"policy {name!r}: {rest!r} is no number of samples (valid: 1 to {MAX_SAMPLES})")
    elif base in NAMES:
        raise InputError(f"policy {name!r}: {base!r} takes no number (valid: {base})")
    elif not rest.isidentifier() or not base:
        raise InputError(f"policy {name!r} is not valid (valid: {', '.join(NAMES)}, MODULE:FUNCTION)")


@cache
def ready(name: str) -> Policy:
    """The policy of a name, compiled.

    Raises ``InputError`` if a module or function is not there, has another signature or does not compile.
    """
    check(name)
    bare, suffixes = split(name)
    forces = [force for force in suffixes if force in FORCES]
    if bare in INLINED and not forces:
        return Policy(name, INLINED.index(bare))
    from ..kernel.calls import address_of
    from ..kernel.players.room import policy_signature

    def address(module: str, function: str) -> int:
        compiled = getattr(importlib.import_module(f"..kernel.entries.{module}", __package__), function)
        return address_of(compiled, policy_signature)

    forced = sum(1 << list(FORCES).index(force) for force in forces)
    by_rule = address("plain", "knock") if forces else 0
    if bare in INLINED:
        return Policy(name, address("plain", bare), knocks=by_rule, forced=forced)
    base, _, rest = bare.rpartition(":")
    called = bare if bare in CALLED else base
    if called in CALLED:
        count = int(rest) if called == base else CALLED[called]
        code = address(called, "policy")  # for what it shows as for what it plays
        return Policy(name, code, count, called == "open", code, forced, aims(name))
    function = _compiled(name, _function(name, base, rest))
    _kept.append(function)
    return Policy(name, address_of(function, policy_signature), knocks=by_rule, forced=forced)


_kept: list[Any] = []


@cache
def player() -> int:
    """The address of the kernel's function that plays hands."""
    from ..kernel.calls import address_of
    from ..kernel.entries.play import play
    from ..kernel.game.hand import play_signature

    return address_of(play, play_signature)


@cache
def dealer() -> int:
    """The address of the kernel's function that deals with known cards."""
    from ..kernel.calls import address_of
    from ..kernel.entries.known import deal
    from ..kernel.game.hand import dealer_signature

    return address_of(deal, dealer_signature)


@cache
def asker() -> int:
    """The address of the kernel's function that asks a policy."""
    from ..kernel.calls import address_of
    from ..kernel.entries.ask import ask
    from ..kernel.game.hand import ask_signature

    return address_of(ask, ask_signature)


@cache
def _tables(rules: Rules) -> Any:
    from ..kernel.players.worth import tables

    return tables(rules)


class Room:
    """Where one thread's players are asked: the kernel's room, and the rules that its tables are made from."""

    def __init__(self) -> None:
        from ..kernel.players.room import new_room

        self._array = new_room()
        self.record: Any = self._array[0]
        self._rules: Rules | None = None
        self._win: NDArray[np.float32] | None = None  # the kernel has its address

    @property
    def address(self) -> int:
        """The address of the record; valid as long as the room."""
        return int(self._array.ctypes.data)

    @property
    def mind(self) -> Any:
        """What policies may use, a record of ``kernel.players.room.MIND``."""
        return self.record.mind

    def furnish(self, rules: Rules, win: NDArray[np.float32] | None = None) -> None:
        """Set what policies may use under some rules.

        With ``win``, float32[plays + 1, S, S] as ``expectancy.aiming_table`` gives it, policies that aim at the game
        maximise the chance of winning it: entry (n, a, b) is that of side 0 with n plays of the hand left and a points
        against b, counting what the piles will be worth. Points from S - 1 on count alike. Without, points are the aim.
        """
        from ..kernel.players.room import forget

        mind = self.mind
        if rules != self._rules:
            mind.tables, self._rules = _tables(rules), rules
        self._win = None if win is None else np.ascontiguousarray(win, np.float32)
        mind.win = 0 if self._win is None else self._win.ctypes.data
        mind.win_size = 0 if self._win is None else self._win.shape[1]
        mind.to_show = False
        forget(mind)


def _function(name: str, module: str, function: str) -> Any:
    """The Python function of a policy of one's own; the module may be given as the path of a file."""
    try:
        found = _from_file(Path(module)) if module.endswith(".py") else _from_path(module)
    except Exception as error:
        said = str(error) or type(error).__name__
        raise InputError(f"policy {name!r}: module {module!r} cannot be imported: {said}") from None
    if not hasattr(found, function):
        defined = [key for key, value in vars(found).items() if inspect.isfunction(value)]
        raise unknown("function", function, defined or ["none"], where=f"policy {name!r}: {module}: ")
    return getattr(found, function)


def source_of(name: str) -> bytes:
    """The text of the file that a policy of one's own is written in; nothing for those of the package."""
    bare, _ = split(name)
    base, colon, rest = bare.rpartition(":")
    if not colon or base in NAMES:
        return b""
    function = _function(name, base, rest)
    file = inspect.getsourcefile(getattr(function, "py_func", function))
    return b"" if file is None else Path(file).read_bytes()


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


def _compiled(name: str, function: Any) -> Any:
    """A function of view and plays, compiled with the signature of all policies."""
    from numba import njit, types
    from numba.core.errors import NumbaError

    from ..kernel.players.room import policy_signature
    from ..kernel.players.view import VIEW, as_own, own_view_type

    if not callable(function):
        raise InputError(f"policy {name!r}: is no function (valid: a function of view and plays)")
    plain = getattr(function, "py_func", function)
    wanted = list(inspect.signature(plain).parameters)
    if len(wanted) != 2:
        raise InputError(
            f"policy {name!r}: takes {len(wanted)} arguments, ({', '.join(wanted)}) (valid: two, view and plays)"
        )
    own = njit(nogil=True, error_model="numpy")(plain)

    signed = np.int64
    as_signed: Any = as_own

    def play(r, view, plays, mind):  # type: ignore[no-untyped-def]
        return own(as_signed(view), plays.view(signed))

    try:
        own.compile((own_view_type, types.int64[::1]))
        returned = own.nopython_signatures[0].return_type
        if not isinstance(returned, types.Integer):
            raise InputError(
                f"policy {name!r}: returns {returned} (valid: an integer, the place of a play among the plays)"
            )
        return njit(policy_signature, nogil=True, error_model="numpy")(play)
    except KeyError as error:
        raise unknown(
            "field", str(error.args[0]), VIEW.names or (), where=f"policy {name!r} does not compile: "
        ) from None
    except NumbaError as error:
        raise InputError(f"policy {name!r} does not compile: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    """What a compiler's long message says, in a line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = [line for line in lines if not line.startswith(("Failed in", "During", "File", "<source", "^", "There are"))]
    where = [line for line in lines if line.startswith("File")]
    return " ".join([*said[:1], *(f"({line.rstrip(':')})" for line in where[:1])])
