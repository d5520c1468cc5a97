"""Policies that users write in Python, and what those in plain Python are given: a ``Turn`` with its ``Choice`` values.

Others are compiled with bounds checks, and cannot write to the plays that they are given. The kernel loses the
exceptions that they raise, and notes an answer that is no play; the policy is then asked again what it raises.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core import cards
from ..core.errors import InputError, unknown
from ..core.messages import Message
from ..situation.plays import captured, card_of, cards_shown, is_scopa_play, show_words, words_of

_FILLERS = re.compile(
    r"\b(?:takes?|prend[ei]|prendere|leaves?|lascia(?:re)?|scart[ai]|scartare|knocks?|shows?|with|accus[ai]|accusare|"
    r"mostr[ai]|mostrare|con)\b|[;:]"
)
"""Words that may stand between the cards of a choice."""

_LEAVE = re.compile(r"\b(?:leaves?|lascia(?:re)?|scart[ai]|scartare)\b")
_NOTHING = ("nothing", "none", "no", "show nothing", "nulla", "niente", "non accusare")
_MATTA = re.compile(r",?\s*(?:(?:the\s+|la\s+)?matta\s+)?\b(?:as|vale|come)\s+(\d{1,2})\b")


@dataclass(frozen=True)
class Choice:
    """One of the choices of a player: a card to play, or a set of cards to show before it.

    ``number`` is its number in the list, from 1. Of a play, ``card`` is the card, ``takes`` are the cards that it
    captures, none if it is left on the table, and ``is_scopa`` says whether it scores a scopa. Of a set, ``shows`` are
    its cards, none to show nothing, ``matta_as`` is what the matta is declared as, None where it is not in the set, and
    ``points`` is what the set scores.

    >>> choice = Choice(1, card="7d", takes=("Ah", "6s"))
    >>> print(choice)
    7d takes Ah 6s
    """

    number: int
    card: str | None = None
    takes: tuple[str, ...] = ()
    is_scopa: bool = False
    shows: tuple[str, ...] = ()
    matta_as: int | None = None
    points: int = 0

    @property
    def is_play(self) -> bool:
        """Whether it is a card to play, and not a set to show."""
        return self.card is not None

    @property
    def text(self) -> str:
        """The choice as ``Game.play`` takes it: ``7d takes Ah 6s``, ``leave 7d``, ``knock with 7h 3c 4d, ...``."""
        if self.card is None:
            return show_words({"cards": self.shows, "matta_as": self.matta_as})
        return words_of({"card": self.card, "captured": self.takes})

    def __str__(self) -> str:
        return self.text


def choices_of(offered: Sequence[int], to_show: bool) -> tuple[Choice, ...]:
    """What is offered, as words of the kernel, plays or sets to show."""
    numbered = enumerate(offered, 1)
    if not to_show:
        return tuple(
            Choice(number, cards.text(card_of(word)), tuple(cards.texts(captured(word))), is_scopa_play(word))
            for number, word in numbered
        )
    return tuple(
        Choice(number, shows=tuple(cards.texts(cards_shown((word,)))), matta_as=word & 15 or None, points=word >> 48)
        for number, word in numbered
    )


def find_choice(given: object, choices: Sequence[Choice]) -> int:
    """The place from 0 of the choice that is meant: the choice itself, its number from 1, or its text.

    The text of a play may leave out ``takes``, and what the card takes where only one choice has that card.

    Raises ``InputError`` that says what would be one.
    """
    if isinstance(given, Choice) and given in choices:
        return choices.index(given)
    if isinstance(given, bool) or not isinstance(given, Choice | int | str):
        raise _wrong(given, choices)
    text = " ".join(str(given).lower().split())
    if re.fullmatch(r"[0-9]{1,9}", text) and 1 <= int(text) <= len(choices):
        return int(text) - 1
    fits = _named(text, choices)
    if len(fits) == 1:
        return fits[0]
    if not fits:
        raise _wrong(given, choices)
    numbers = [place + 1 for place in fits]
    if choices[0].is_play:
        raise InputError(
            "{given!r} can be played in {number} ways (valid: {numbers}, or what it takes behind it)",
            given, len(fits), numbers,
        )  # fmt: skip
    raise InputError(
        "{given!r} can be shown in {number} ways (valid: {numbers}, or 'as 2' for the matta)", given, len(fits), numbers
    )


def _wrong(given: object, choices: Sequence[Choice]) -> InputError:
    """The error for what is no choice; it suggests the nearest, and names one as an example."""
    near = get_close_matches(str(given).lower(), [choice.text.lower() for choice in choices], n=1, cutoff=0.5)
    if near:
        text = next(choice.text for choice in choices if choice.text.lower() == near[0])
        return InputError(
            "{given!r} is no choice: did you mean {text!r}? (valid: 1 to {number})", given, text, len(choices)
        )
    example = next((choice for choice in choices if choice.is_play or choice.shows), choices[0])
    return InputError(
        "{given!r} is no choice (valid: 1 to {number}, or cards as {example!r})", given, len(choices), example
    )


def _named(text: str, choices: Sequence[Choice]) -> list[int]:
    """The places of the choices that a text fits."""
    if text in _NOTHING and not choices[0].is_play:
        return [place for place, choice in enumerate(choices) if not choice.shows]
    declared = _MATTA.search(text)
    try:
        named = [cards.text(card) for card in cards.parse_many(_FILLERS.sub(",", _MATTA.sub(",", text)))]
    except InputError:
        return []
    if not named:
        return []
    if choices[0].is_play:
        fits = [place for place, choice in enumerate(choices) if choice.card == named[0]]
        if len(named) > 1 or _LEAVE.search(text):
            fits = [place for place in fits if set(choices[place].takes) == set(named[1:])]
        return fits
    fits = [place for place, choice in enumerate(choices) if set(choice.shows) == set(named)]
    if declared is not None:
        fits = [place for place in fits if choices[place].matta_as == int(declared[1])]
    return fits


NO_ANSWER = 2**64 - 1
"""No place among the choices: the kernel notes it as a fault and makes the first play."""


@dataclass(frozen=True)
class Variant:
    """A policy of the package with a change: of what the seat sees, or of what it may choose.

    ``change`` is a ``helper`` of the kernel's rules, view, choices and mind, ``kernel.players.ask.policy_signature``;
    ``view.hidden`` has all holdings. It may change the view, and choices in their places; it returns how many of these
    are left, from the first. ``base`` chooses among them.
    """

    base: str
    change: Any


class PolicyCall:
    """A call of the kernel: what the seat knows, what it may choose, and whether these are sets to show.

    Only valid while the kernel waits for the answer; ``view`` and ``words`` are copies that stay.
    """

    def __init__(self, flat: int, view: int, choices: tuple[Any, ...], mind: int) -> None:
        self._arguments = (flat, view, *choices, mind)
        self._view, self._choices, self._mind = view, choices[4], mind
        self.size = int(choices[2])
        """How many choices there are."""

    @cached_property
    def view(self) -> NDArray[Any]:
        """What the seat knows, an array of one ``kernel.players.view.VIEW``."""
        from ..kernel.players.view import VIEW

        return np.frombuffer(ctypes.string_at(self._view, VIEW.itemsize), VIEW).copy()

    @property
    def seat(self) -> int:
        """The seat that is to choose."""
        return int(self.view[0]["seat"])

    @property
    def to_show(self) -> bool:
        """Whether the choices are sets to show, and not plays."""
        from ..kernel.players.ask import MIND

        fields: Any = MIND.fields
        return bool(ctypes.c_uint8.from_address(self._mind + fields["to_show"][1]).value)

    @property
    def words(self) -> tuple[int, ...]:
        """What the seat may choose: plays, or sets."""
        return tuple(np.frombuffer(ctypes.string_at(self._choices, 8 * self.size), np.uint64).tolist())

    def answer_of(self, address: int) -> int:
        """What the compiled policy at an address answers to the same call."""
        answer, exception = ctypes.c_uint64(), ctypes.c_void_p()
        failed = _prototype()(address)(ctypes.addressof(answer), ctypes.addressof(exception), *self._arguments)
        return NO_ANSWER if failed else answer.value


class CalledBack:
    """A function of a ``PolicyCall`` that answers with the place of a choice, at an ``address`` for the kernel.

    The address is valid as long as this exists. What the function raises stays in ``raised``; from then on it is asked
    no more and the answer is 0 for a set and ``NO_ANSWER`` for a play.
    """

    def __init__(self, function: Callable[[PolicyCall], int]) -> None:
        self._function = function
        self.raised: BaseException | None = None
        self._called = _prototype()(self._call)
        self.address = int(ctypes.cast(self._called, ctypes.c_void_p).value or 0)

    def _call(self, result: int, exception: int, flat: int, view: int, *rest: Any) -> int:
        call, answer = PolicyCall(flat, view, rest[:-1], rest[-1]), -1
        if self.raised is None:
            try:
                answer = self._function(call)
            except BaseException as error:  # the kernel cannot pass it on
                self.raised = error
        if not 0 <= answer < call.size:
            answer = 0 if call.to_show else NO_ANSWER
        ctypes.c_uint64.from_address(result).value = answer
        return 0


@cache
def _prototype() -> Any:
    """The type of a policy's machine code: results by address, and whether it failed as what it returns."""
    from ..kernel.players.ask import policy_signature

    return ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *policy_signature.machine)


@dataclass(frozen=True, eq=False)
class Turn:
    """What a player in plain Python is given at its turn: what it may play, and what it knows.

    Seats are numbered in the order of play, the dealer last; ``view`` is all that the seat knows, as compiled policies
    get it.
    """

    view: NDArray[Any]
    choices: tuple[Choice, ...]

    @property
    def seat(self) -> int:
        """Who is to play."""
        return int(self.view[0]["seat"])

    @cached_property
    def holding(self) -> tuple[str, ...]:
        """The player's cards."""
        return tuple(cards.texts(int(self.view[0]["holding"])))

    @cached_property
    def table(self) -> tuple[str, ...]:
        """The cards on the table."""
        return tuple(cards.texts(int(self.view[0]["table"])))

    @cached_property
    def piles(self) -> tuple[tuple[str, ...], ...]:
        """The cards captured, by side."""
        sides = int(self.view[0]["sides"])
        return tuple(tuple(cards.texts(int(pile))) for pile in self.view[0]["pile"][:sides])


_RANDOM = ("numba_get_np_random_state", "numba_get_py_random_state")
"""What compiled code calls for random numbers of numpy or Python."""


def find(name: str, module: str, function: str) -> Any:
    """The Python function of a policy of the user's own; the module may be the path of a file.

    Raises ``InputError`` if it does not exist or cannot be imported.
    """
    try:
        if module.endswith(".py"):
            namespace = _from_file(Path(module))
        else:
            here = str(Path.cwd())  # a module of the current folder, or else of Python's path
            if here not in sys.path and "" not in sys.path:
                sys.path.append(here)
            namespace = importlib.import_module(module)
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


def _from_file(path: Path) -> Any:
    """The module in a file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise FileNotFoundError("there is no such file")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    spec.loader.exec_module(module)
    return module


def python_function(function: Any) -> Any:
    """The Python function behind one that may be compiled already, or that changes a policy."""
    return getattr(getattr(function, "change", function), "py_func", function)


def source(function: Any) -> bytes:
    """The source file of a policy; of one written in a notebook or at a prompt its own source, if there is one."""
    try:
        file = inspect.getsourcefile(python_function(function))
        if file is not None and Path(file).is_file():
            return Path(file).read_bytes()
        return inspect.getsource(python_function(function)).encode()
    except (OSError, TypeError):
        return b""


def function_name(function: Any) -> str:
    """The name ``MODULE:FUNCTION`` of a function of the user's own; raises ``InputError`` for one that has none."""
    python = python_function(function)
    module, name = getattr(python, "__module__", None), getattr(python, "__qualname__", "")
    if getattr(sys.modules.get(module or ""), name, None) is not function:
        raise InputError(
            "--policy {name!r} has no name by which it can be found again (valid: a function defined at the "
            "top of a module or notebook)",
            name or function,
        )
    return f"{module}:{name}"


_called: dict[str, CalledBack] = {}
"""Policies in plain Python by their names."""

_given: dict[str, Any] = {}
"""Functions that were given themselves, and not by their names."""

_alive: list[Any] = []
"""Compiled functions whose addresses the kernel has."""


def address(name: str, function: Any) -> int:
    """The address at which the kernel calls a policy; raises ``InputError`` as ``_compiled`` does."""
    if not inspect.isfunction(function) or len(inspect.signature(function).parameters) != 1:
        return _address_of(_compiled(name, function)[1])

    def choose(call: PolicyCall) -> int:  # in plain Python, of a turn
        choices = choices_of(call.words, call.to_show)
        answer = function(Turn(call.view, choices))
        if not isinstance(answer, Choice | str | int):
            raise InputError("policy {name!r}: returned {answer!r} (valid: one of the choices)", name, answer)
        return find_choice(answer, choices)

    _called[name] = CalledBack(choose)
    return _called[name].address


def _address_of(function: Any) -> int:
    from ..kernel.jit import address_of
    from ..kernel.players.ask import policy_signature

    _alive.append(function)
    return address_of(function, policy_signature)


def register_function(function: Any) -> tuple[str, bool]:
    """The name of a function that is given as a policy, and whether it was another function before."""
    name = function_name(function)
    is_new = _given.setdefault(name, function) is not function
    if is_new:
        _given[name] = function
        _alive.append(_called.pop(name, None))
    return name, is_new


def raised_by(name: str) -> str | None:
    """What a policy in plain Python raised, in a few words with its line; it may be asked again then."""
    called = _called.get(name)
    if called is None or called.raised is None:
        return None
    error, called.raised = called.raised, None
    if not isinstance(error, Exception):
        raise error
    at = traceback.extract_tb(error.__traceback__)[-1]
    where = Path(at.filename).name, at.lineno
    return Message("raised {type}: {error} ({file}, line {line})", type(error).__name__, error, *where)


def is_plain(name: str) -> bool:
    """Whether a policy that was made ready is in plain Python."""
    return name in _called


def _compiled(name: str, function: Any) -> tuple[Any, Any]:
    """A function of view and plays, compiled as it is, and with the signature of all policies.

    Raises ``InputError`` if it does not compile, writes to its plays, or draws other random numbers than the seat's
    own, which would not be the same in every run.
    """
    from numba import njit, types

    from ..kernel.jit import interrupts_heard
    from ..kernel.players.ask import policy_signature
    from ..kernel.players.view import VIEW, as_own, own_view_type

    python = python_function(function)
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
        refusal = unknown("field", str(error.args[0]), VIEW.names or ())
        raise InputError("policy {name!r} does not compile: {reason}", name, refusal) from None
    except InputError:
        raise
    except Exception as error:  # whatever a compiler makes of what it does not know
        raise InputError("policy {name!r} does not compile: {reason}", name, _reason(error)) from None


def address_of_variant(base: int, change: Any) -> int:
    """The address at which the kernel calls a policy of its own, at an address, with a change, see ``Variant``."""
    from numba import njit

    from ..kernel.players.ask import call_policy, policy_signature

    at, call, none = np.uint64(base), call_policy, np.uint64(0)

    def play(r, view, choices, mind):  # type: ignore[no-untyped-def]
        left = change(r, view, choices, mind)
        return call(at, r, view, choices[:left], mind) if left > 1 else none

    return _address_of(njit(policy_signature.numba, nogil=True, error_model="numpy")(play))


def _reason(error: Exception) -> str:
    """The reason in a compiler's long message, in a line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = [line for line in lines if not line.startswith(("Failed in", "During", "File", "<source", "^", "There are"))]
    where = [line for line in lines if line.startswith("File")]
    if any(">>> setitem(readonly array" in line for line in lines):
        text = ["writes to the plays, which can only be read"]
    return " ".join([*text[:1], *(f"({line.rstrip(':')})" for line in where[:1])])


def error_of(name: str, function: Any, view: Any, plays: NDArray[np.int64]) -> Message | None:
    """The exception that a compiled policy raises for a view, with its line; None if it raises none."""
    try:
        _compiled(name, function)[0](view, plays)
    except Exception as error:
        frames, kind = traceback.extract_tb(error.__traceback__), type(error).__name__
        if frames[-1].filename == __file__:  # compiled code does not always know the line
            try:
                python_function(function)(view, plays)
            except Exception as fault:
                frames = traceback.extract_tb(fault.__traceback__)
        at = frames[-1]
        if at.filename == __file__:
            return Message("raised {type}: {error}", kind, error)
        return Message("raised {type}: {error} ({file}, line {line})", kind, error, Path(at.filename).name, at.lineno)
    return None
