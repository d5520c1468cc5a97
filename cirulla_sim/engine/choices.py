"""What a player may choose, as values that show themselves: a set to show, or a card with what it takes.

A policy in plain Python is a function of a ``Turn``, which returns one of its choices.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ..core import cards
from ..core.errors import InputError
from ..core.messages import Message
from ..situation.information_set import capture_text, captured, card_of, is_sweep, knock_text
from .python_calls import Call, CalledBack

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
            return knock_text(" ".join(self.shows), self.matta_as)
        return capture_text(self.card, " ".join(self.takes))

    def __str__(self) -> str:
        return self.text


def choices_of(offered: Sequence[int], to_show: bool) -> tuple[Choice, ...]:
    """What is offered, as words of the kernel, plays or sets to show."""
    return tuple(_choice(number, word, to_show) for number, word in enumerate(offered, 1))


def _choice(number: int, word: int, to_show: bool) -> Choice:
    if not to_show:
        taken = tuple(cards.texts(captured(word)))
        return Choice(number, cards.text(card_of(word)), taken, is_sweep(word))
    shows = tuple(cards.texts(word >> 8 & (1 << 40) - 1))
    return Choice(number, shows=shows, matta_as=word & 15 or None, points=word >> 48)


def place_of(given: object, choices: Sequence[Choice]) -> int:
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
            raise InputError("policy {name!r}: returned {answer!r} (valid: one of the choices)", name, answer)
        return place_of(answer, choices)

    return CalledBack(choose)


def reason(error: BaseException) -> Message:
    """What a policy raised, in a few words, with its line."""
    at = traceback.extract_tb(error.__traceback__)[-1]
    return Message(
        "raised {type}: {error} ({file}, line {line})",
        type(error).__name__, error, Path(at.filename).name, at.lineno,
    )  # fmt: skip
