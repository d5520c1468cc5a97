"""Policies in plain Python: a function of a ``Turn``, which returns one of its choices. Nothing is compiled."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ..core import cards
from ..core.errors import InputError, quoted
from .choices import Choice, choices_of, place_of
from .python_calls import Call, CalledBack


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


def called_back(name: str, function: Callable[[Turn], object]) -> CalledBack:
    """A policy in plain Python as the kernel calls it."""

    def choose(call: Call) -> int:
        choices = choices_of(call.words, call.to_show)
        answer = function(Turn(call.view, choices))
        if not isinstance(answer, Choice | str | int):
            raise InputError(f"policy {name!r}: returned {quoted(answer)} (valid: one of the choices)")
        return place_of(answer, choices)

    return CalledBack(choose)


def reason(error: BaseException) -> str:
    """What a policy raised, in a few words, with its line."""
    at = traceback.extract_tb(error.__traceback__)[-1]
    return f"raised {type(error).__name__}: {error} ({Path(at.filename).name}, line {at.lineno})"
