"""Plays, and what a seat does at its turn: words of the kernel, parts of a record, and sentences.

A play as records have it is a mapping with ``card``, ``captured`` and ``knock``, the set shown before it; of a choice
there is a ``knock`` only where a set could be shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..core import cards
from ..core.messages import Message

_CARDS = (1 << 40) - 1


def card_of(play: int) -> int:
    """The index of the card of a play, a word as ``kernel.game.plays.word_of`` makes them."""
    return play >> 40 & 63


def value_in(play: int) -> int:
    """The value with which the card of a play counts."""
    return play >> 46 & 15


def captured(play: int) -> int:
    """The mask of the table cards a play captures, 0 where the card is left."""
    return play & _CARDS


def is_scopa_play(play: int) -> bool:
    """Whether a play scores a scopa."""
    return bool(play >> 50 & 1)


class TurnChoice(NamedTuple):
    """What a seat does at its turn: the sets that it shows, if any, and its play after that.

    Sets are words as ``kernel.game.bonuses.knock_word`` makes them, with what the matta is declared as.
    """

    show: tuple[int, ...]
    play: int


def cards_shown(show: tuple[int, ...]) -> int:
    """The mask of the cards of some sets."""
    return sum(word >> 8 & _CARDS for word in show)


def points_shown(show: tuple[int, ...]) -> int:
    """The points of some sets."""
    return sum(word >> 48 for word in show)


def matta_shown(show: tuple[int, ...]) -> int:
    """What some sets declare the matta as, 0 if it is in none of them."""
    return max((word & 15 for word in show), default=0)


# ------------------------------------------------------------------------------------------------ as in records


def knock_of(show: tuple[int, ...]) -> dict[str, Any] | None:
    """The sets that a seat shows at once as a record has them, None for none."""
    if not show:
        return None
    texts = [card for word in show for card in cards.texts(word >> 8 & _CARDS)]
    return {"points": points_shown(show), "cards": texts, "matta_as": matta_shown(show) or None}


def choice_record(choice: TurnChoice, may_show: bool = False) -> dict[str, Any]:
    """A choice as a play of a record names it."""
    play = {"card": cards.text(card_of(choice.play)), "captured": cards.texts(captured(choice.play))}
    return play | {"knock": knock_of(choice.show)} if may_show else play


_CHOICE = re.compile(
    r"(?P<show>show nothing: |knock with (?P<shown>[^:,]*)(?:, the matta as (?P<matta>\d+))?: )?"
    r"(?:leave )?(?P<card>\S+)(?: takes (?P<taken>.*))?"
)


def read_choice(text: str) -> dict[str, Any]:
    """The choice that the English words of ``words_of`` describe, as tables have it.

    >>> read_choice("knock with Ah 2d 3c: 3c takes 5c")
    {'card': '3c', 'captured': ['5c'], 'knock': {'cards': ['Ah', '2d', '3c'], 'matta_as': None}}
    """
    match = _CHOICE.fullmatch(text)
    if match is None:
        return {"card": text, "captured": []}
    play = {"card": match["card"], "captured": (match["taken"] or "").split()}
    knock = match["shown"] and {"cards": match["shown"].split(), "matta_as": match["matta"]}
    return play | {"knock": knock} if match["show"] else play


# ------------------------------------------------------------------------------------------------ in words


def show_words(knock: Mapping[str, Any] | None, name: Callable[[str], str] = str) -> Message:
    """The showing of some sets: ``knock with 7h 3c 4d, the matta as 2``, or ``show nothing``."""
    if not knock or not knock["cards"]:
        return Message("show nothing")
    declared = Message(", the matta as {value}", knock["matta_as"]) if knock["matta_as"] else ""
    return Message("knock with {cards}{declared}", " ".join(map(name, knock["cards"])), declared)


def words_of(
    play: Mapping[str, Any], who: Message | None = None, sweep: str = "", name: Callable[[str], str] = str
) -> Message:
    """A play in words, as ``second leaves 7d``, or where nobody in particular makes it a choice: ``leave 7d``.

    ``sweep`` is said behind a sweep, and ``name`` says what a card is called. English words are read back by
    ``read_choice``.

    >>> knock = {"cards": ["7h", "3c", "4d"], "matta_as": 2, "points": 3}
    >>> words_of({"card": "3c", "captured": ["5c"], "knock": knock})
    'knock with 7h 3c 4d, the matta as 2: 3c takes 5c'
    """
    card, taken = name(play["card"]), " ".join(map(name, play["captured"]))
    if who is None:
        text = Message("{card} takes {taken}", card, taken) if taken else Message("leave {card}", card)
        return Message("{shows}: {play}", show_words(play["knock"], name), text) if "knock" in play else text
    if play["as"] != cards.VALUES[cards.PACK.index(play["card"])]:
        card = Message("{card} as {value}", card, play["as"])
    taken, you = taken + (sweep if play["scopa"] else ""), who == "you"
    if (knock := play["knock"]) is None:
        if taken:
            told = Message("you {card} takes {taken}", card, taken)
            return told if you else Message("{who} {card} takes {taken}", who, card, taken)
        return Message("you leave {card}", card) if you else Message("{who} leaves {card}", who, card)
    matta = Message(", the matta as {value}", knock["matta_as"]) if knock["matta_as"] else ""
    shown = Message("{cards}{matta}: +{points}", " ".join(map(name, knock["cards"])), matta, knock["points"])
    if taken:
        told = Message("you knock with {shown}; {card} takes {taken}", shown, card, taken)
        return told if you else Message("{who} knocks with {shown}; {card} takes {taken}", who, shown, card, taken)
    told = Message("you knock with {shown}; leave {card}", shown, card)
    return told if you else Message("{who} knocks with {shown}; leaves {card}", who, shown, card)
