"""Python functions that the kernel calls as it calls a policy: by an address, with the arguments of one.

Nothing is compiled for it. Each call takes some microseconds and Python's lock, so hands of such players are played one
at a time, a thousand times slower than those of a compiled policy.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

NO_ANSWER = 2**64 - 1
"""No place among the choices: the kernel notes it as a fault and makes the first play."""


class Call:
    """A call of the kernel: what the seat knows, what it may choose, and whether these are sets to show.

    Only valid while the kernel waits for the answer; ``view`` and ``words`` are copies that stay.
    """

    def __init__(self, flat: int, view: int, choices: tuple[Any, ...], mind: int) -> None:
        self._arguments = (flat, view, *choices, mind)
        self._view, self._choices, self._mind = view, choices[4], mind
        self.size = int(choices[2])
        """How many choices there are."""

    @property
    def seat(self) -> int:
        """The seat that is to choose."""
        return _word(self._view + _places()[0])

    @property
    def to_show(self) -> bool:
        """Whether the choices are sets to show, and not plays."""
        return bool(ctypes.c_uint8.from_address(self._mind + _places()[1]).value)

    @property
    def view(self) -> NDArray[Any]:
        """What the seat knows, an array of one ``kernel.players.view.VIEW``."""
        from ..kernel.players.view import VIEW

        return np.frombuffer(ctypes.string_at(self._view, VIEW.itemsize), VIEW).copy()

    @property
    def words(self) -> tuple[int, ...]:
        """What the seat may choose: plays, or sets."""
        return tuple(np.frombuffer(ctypes.string_at(self._choices, 8 * self.size), np.uint64).tolist())

    @property
    def dice(self) -> int:
        """The state of the seat's own random stream, which may be set."""
        return _word(self._view + _places()[2])

    @dice.setter
    def dice(self, state: int) -> None:
        ctypes.c_uint64.from_address(self._view + _places()[2]).value = state

    def answer_of(self, address: int) -> int:
        """What the compiled policy at an address answers to the same call."""
        answer, exception = ctypes.c_uint64(), ctypes.c_void_p()
        failed = _prototype()(address)(ctypes.addressof(answer), ctypes.addressof(exception), *self._arguments)
        return NO_ANSWER if failed else answer.value


class CalledBack:
    """A function of a ``Call`` that answers with the place of a choice, at an ``address`` that the kernel can call.

    The address is valid as long as this exists. What the function raises stays in ``raised``; from then on it is asked
    no more and the answer is 0 for a set and ``NO_ANSWER`` for a play.
    """

    def __init__(self, function: Callable[[Call], int]) -> None:
        self._function = function
        self.raised: BaseException | None = None
        self._called = _prototype()(self._call)
        self.address = int(ctypes.cast(self._called, ctypes.c_void_p).value or 0)

    def _call(self, result: int, exception: int, flat: int, view: int, *rest: Any) -> int:
        call, answer = Call(flat, view, rest[:-1], rest[-1]), -1
        if self.raised is None:
            try:
                answer = self._function(call)
            except BaseException as error:  # the kernel cannot pass it on
                self.raised = error
        if not 0 <= answer < call.size:
            answer = 0 if call.to_show else NO_ANSWER
        ctypes.c_uint64.from_address(result).value = answer
        return 0

    def raise_again(self) -> None:
        """Raise what the function raised, if it did."""
        if self.raised is not None:
            raise self.raised


def _word(address: int) -> int:
    return int(ctypes.c_uint64.from_address(address).value)


@cache
def _places() -> tuple[int, int, int]:
    """Where in the kernel's records the seat, whether sets are to be shown, and the dice are."""
    from ..kernel.players.view import VIEW
    from ..kernel.players.workspace import MIND

    view: Any = VIEW.fields
    mind: Any = MIND.fields
    return view["seat"][1], mind["to_show"][1], view["dice"][1]


@cache
def _prototype() -> Any:
    """The type of a policy's machine code: results by address, and whether it failed as what it returns."""
    from ..kernel.players.workspace import policy_signature

    return ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *policy_signature.machine)
