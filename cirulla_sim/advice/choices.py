"""What a player may choose, as values that show themselves: a set to show, or a card with what it takes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core import cards
from ..core.errors import InputError, quoted
from ..engine.hand_in_play import Decision
from ..engine.hand_record import knock_of
from ..situation.information_set import captured, card_of, is_sweep, knock_text

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
        return f"{self.card} takes {' '.join(self.takes)}" if self.takes else f"leave {self.card}"

    def __str__(self) -> str:
        return self.text


def choices_of(decision: Decision) -> tuple[Choice, ...]:
    """What is offered at a decision."""
    return tuple(_choice(number, word, decision.to_show) for number, word in enumerate(decision.offered, 1))


def _choice(number: int, word: int, to_show: bool) -> Choice:
    if not to_show:
        taken = tuple(cards.texts(captured(word)))
        return Choice(number, cards.text(card_of(word)), taken, is_sweep(word))
    knock = knock_of([word] if word else [])
    return Choice(number, shows=tuple(knock["cards"]), matta_as=knock["matta_as"], points=knock["points"])


def recorded_place(decision: Decision, record: Mapping[str, Any]) -> int:
    """The place of the choice that a recorded hand made at a decision; raises ``InputError`` if it was not offered."""
    plays = record["stages"][int(decision.view[0]["stage"])]["plays"]
    made = len(decision.record["stages"][-1]["plays"])
    if not decision.to_show:
        card, taken = cards.parse(plays[made]["card"]), cards.mask(map(cards.parse, plays[made]["captured"]))
        fits = [n for n, word in enumerate(decision.offered) if card_of(word) == card and captured(word) == taken]
    else:
        players = record["players"]
        knock = plays[made // players * players + decision.seat]["knock"] or {"cards": [], "matta_as": None}
        shown = cards.mask(map(cards.parse, knock["cards"])) & ~decision.shown
        masks = [(n, word >> 8 & (1 << 40) - 1, word & 15) for n, word in enumerate(decision.offered)]
        later = [n for n, mask, matta in masks if mask and mask & shown == mask and matta in (0, knock["matta_as"])]
        fits = later[:1] or [n for n, mask, _ in masks if not mask and not shown]
    if not fits:
        raise InputError(f"play {made + 1} of stage {int(decision.view[0]['stage']) + 1} is none of the choices")
    return fits[0]


def place_of(given: object, choices: Sequence[Choice]) -> int:
    """The place from 0 of the choice that is meant: the choice itself, its number from 1, or its text.

    The text of a play may leave out ``takes``, and what the card takes where only one choice has that card.

    Raises ``InputError`` that says what would be one.
    """
    if isinstance(given, Choice):
        if given in choices:
            return choices.index(given)
        raise InputError(f"{quoted(given)} is not open now ({_valid(choices)})")
    text = " ".join(str(given).lower().split())
    if isinstance(given, bool) or not isinstance(given, int | str):
        raise InputError(f"{quoted(given)} is no choice ({_valid(choices)})")
    if re.fullmatch(r"[0-9]{1,9}", text):
        if 1 <= int(text) <= len(choices):
            return int(text) - 1
        raise InputError(f"{quoted(given)} is no choice ({_valid(choices)})")
    fits = _named(text, choices)
    if fits is None:
        raise InputError(f"{quoted(given)} is no choice ({_valid(choices)})")
    if len(fits) == 1:
        return fits[0]
    if not fits:
        kind = "plays" if choices[0].is_play else "sets"
        raise InputError(f"{quoted(given)} is none of the {kind} ({_valid(choices)})")
    numbers = ", ".join(str(place + 1) for place in fits)
    more = "what it takes behind it" if choices[0].is_play else "what the matta is behind it, as 2"
    raise InputError(f"{quoted(given)} can be meant in {len(fits)} ways (valid: {numbers}, or {more})")


def _named(text: str, choices: Sequence[Choice]) -> list[int] | None:
    """The places of the choices that a text fits; None where it names no cards."""
    if text in _NOTHING and not choices[0].is_play:
        return [place for place, choice in enumerate(choices) if not choice.shows]
    declared = _MATTA.search(text)
    try:
        named = [cards.text(card) for card in cards.parse_many(_FILLERS.sub(",", _MATTA.sub(",", text)))]
    except InputError:
        return None
    if not named:
        return None
    if choices[0].is_play:
        fits = [place for place, choice in enumerate(choices) if choice.card == named[0]]
        if len(named) > 1 or _LEAVE.search(text):
            fits = [place for place in fits if set(choices[place].takes) == set(named[1:])]
        return fits
    fits = [place for place, choice in enumerate(choices) if set(choice.shows) == set(named)]
    if declared is not None:
        fits = [place for place in fits if choices[place].matta_as == int(declared[1])]
    return fits


def _valid(choices: Sequence[Choice]) -> str:
    """What would be a choice."""
    example = next((choice for choice in choices if choice.is_play or choice.shows), choices[0])
    return f"valid: 1 to {len(choices)}, or text as {str(example)!r}"
