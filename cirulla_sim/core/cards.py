"""Cards as text, as an index 0..39 and as a 40-bit mask.

The index of a card is ``10 * suit + rank`` with the suits in the order hearts, diamonds, clubs, spades (``hdcs``) and
the ranks in the order ``A 2 3 4 5 6 7 J Q K``; written as numbers jack, queen and king are 8, 9 and 10. Bit ``i`` of a
mask is the card of index ``i``, so the ten cards of a suit are ten neighbouring bits, the ace lowest.

>>> parse("7 di cuori"), parse("7♥"), parse("matta"), text(6)
(6, 6, 6, '7h')
>>> texts(mask(parse_many("Kd 7h, 3c")))
['7h', 'Kd', '3c']
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from .errors import InputError
from .messages import Message

RANKS = "A234567JQK"
SUITS = "hdcs"
SYMBOLS = "♥♦♣♠"
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)

VALUES = tuple(range(1, 11)) * 4
"""Capture value of each card: ace 1, 2 to 7 as marked, jack 8, queen 9, king 10 (source 000)."""

PRIME_VALUES = {"usual": (16, 12, 13, 14, 15, 18, 21, 10, 10, 10), "figures": (16, 12, 13, 14, 15, 18, 21, 8, 9, 10)}
"""Value of each rank in the primiera (source 000), by ``Rules.primiera_values``."""

SETTEBELLO = 16

_RANK_WORDS = {
    "a": "A 1 ace asso one uno",
    "2": "2 two due",
    "3": "3 three tre",
    "4": "4 four quattro",
    "5": "5 five cinque",
    "6": "6 six sei",
    "7": "7 seven sette",
    "j": "J F 8 jack fante sbiro otto",
    "q": "Q C 9 queen cavallo donna regina nove",
    "k": "K R 10 king re òmmo ommo dieci",
}
_SUIT_WORDS = {
    "h": "h ♥ ♡ hearts heart cups cuori coppe",
    "d": "d ♦ ♢ diamonds diamond coins denari quadri ori",
    "c": "c ♣ ♧ clubs club batons fiori bastoni",
    "s": "s ♠ ♤ spades spade swords picche",
}
RANK_OF = {word.lower(): i for i, words in enumerate(_RANK_WORDS.values()) for word in words.split()}
SUIT_OF = {word: i for i, words in enumerate(_SUIT_WORDS.values()) for word in words.split()}
"""Word of a rank or a suit -> its place in ``RANKS`` or ``SUITS``."""
NICKNAMES = {"matta": 6, "poncin": 6, "settebello": SETTEBELLO, "sette bello": SETTEBELLO}
_SHORT = re.compile(r"([a1-9jqkrfc]|10)\s*([hdcs♥♡♦♢♣♧♠♤])")
COURT = ["ace", "asso", "jack", "fante", "sbiro", "queen", "cavallo", "donna", "regina", "king", "re", "òmmo", "ommo"]
"""Words for ranks that are no numbers: ``re bastoni`` is a card, ``due denari`` are two of them."""
_LONG = re.compile(rf"(?:(\w+)\s+(?:of|di)|({'|'.join(COURT)}))\s+(\w+)")


def parse(written: str) -> int:
    """The index 0..39 of a card written as ``7h``, ``7♥``, ``7 of hearts``, ``sette di cuori``, ``matta``, ...

    Raises ``InputError`` for anything else; it suggests the nearest card.
    """
    word = " ".join(written.replace("\ufe0f", "").split()).lower()  # phones write ♥ with a selector behind it
    if word in NICKNAMES:
        return NICKNAMES[word]
    match = _SHORT.fullmatch(word) or _LONG.fullmatch(word)
    if match:
        rank, suit = (part for part in match.groups() if part)
        if rank in RANK_OF and suit in SUIT_OF:
            return 10 * SUIT_OF[suit] + RANK_OF[rank]
    near = get_close_matches(word.upper()[:-1] + word[-1:], PACK, n=1, cutoff=0.4)
    hint = Message("did you mean {card!r}? ", near[0]) if near else ""
    raise InputError(
        "unknown card {written!r}: {hint}(valid: a rank of A 2 3 4 5 6 7 J Q K and a suit of h d c s, as 7h)",
        written, hint,
    )  # fmt: skip


def parse_many(written: str) -> list[int]:
    """The indices of cards separated by commas or blanks, in the order given.

    Raises ``InputError`` for an unknown card and for one given twice.

    >>> parse_many("7h Kd") == parse_many("sette di cuori, re di denari")
    True
    """
    words = [word for part in written.split(",") if (word := part.strip())]
    cards = []
    for word in words:
        try:
            cards.append(parse(word))
        except InputError:
            if len(word.split()) == 1:
                raise
            cards.extend(parse(part) for part in word.split())
    for card in cards:
        if cards.count(card) > 1:
            raise InputError("card {text!r} is given twice: every card is in the pack once", text(card))
    return cards


def text(card: int) -> str:
    """The canonical text of a card, rank then suit: ``text(6) == "7h"``."""
    return PACK[card]


def symbol(card: int) -> str:
    """The text of a card with its suit as a symbol: ``symbol(6) == "7♥"``."""
    return RANKS[card % 10] + SYMBOLS[card // 10]


_WITH_SYMBOL = re.compile(f"([{RANKS}])([{SYMBOLS}])")


def with_letters(text: str) -> str:
    """A text whose cards have the letters of their suits instead of symbols, as they are typed.

    >>> with_letters("you 7♦ takes A♥ 6♠")
    'you 7d takes Ah 6s'
    """
    return _WITH_SYMBOL.sub(lambda card: card[1] + SUITS[SYMBOLS.index(card[2])], text)


def mask(cards: Iterable[int]) -> int:
    """The 40-bit mask of a set of cards."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def members(bits: int) -> list[int]:
    """The indices of the cards in a 40-bit mask, ascending."""
    bits = int(bits)
    return [card for card in range(40) if bits >> card & 1]


def texts(bits: int) -> list[str]:
    """The canonical texts of the cards in a 40-bit mask, in the order of their indices."""
    return [PACK[card] for card in members(bits)]
