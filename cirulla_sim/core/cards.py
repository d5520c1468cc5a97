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
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache

from .errors import InputError
from .messages import Message

RANKS = "A234567JQK"
SUITS = "hdcs"
SYMBOLS = "♥♦♣♠"
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)

VALUES = tuple(range(1, 11)) * 4
"""Capture value of each card: ace 1, 2 to 7 as marked, jack 8, queen 9, king 10 (source 000)."""

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
COURT = ["ace", "asso", "jack", "fante", "sbiro", "queen", "cavallo", "donna", "regina", "king", "re", "òmmo", "ommo"]
"""Words for ranks that are no numbers: ``re bastoni`` is a card, ``due denari`` are two of them."""
PLURALS = (
    "aces assi", "twos", "threes", "fours", "fives", "sixes", "sevens", "jacks fanti",
    "queens cavalli donne regine", "kings",
)  # fmt: skip
"""Words for the cards of each rank that do not name one of them too."""

ALL = (1 << 40) - 1
"""The mask of the pack."""
WILD = "*?."
_EVERY_RANK, _EVERY_SUIT = (1 << 10) - 1, range(4)


def cards_of_ranks(ranks: int = _EVERY_RANK, suits: Iterable[int] = _EVERY_SUIT) -> int:
    """The mask of the cards of some ranks, a mask of 10 bits, in some suits."""
    return sum(ranks << 10 * suit for suit in suits)


CARD_WORDS = (
    {word: cards_of_ranks(1 << rank) for word, rank in RANK_OF.items() if len(word) > 1 and not word.isdecimal()}
    | {word: cards_of_ranks(1 << rank) for rank, words in enumerate(PLURALS) for word in words.split()}
    | {word: cards_of_ranks(suits=[suit]) for word, suit in SUIT_OF.items() if len(word) > 1}
    | dict.fromkeys(("figure", "figures", "figura"), cards_of_ranks(0b111 << 7))
    | dict.fromkeys(("card", "cards", "carta", "carte"), ALL)
    | dict.fromkeys(("matta", "poncin"), 1 << 6)
    | dict.fromkeys(("settebello", "sette bello"), 1 << SETTEBELLO)
)
"""Words for cards that are alike, or for one -> their mask."""

_NAMED = re.compile(
    rf"(?P<a>\S+) (?:of|di) (?P<b>\S+)|(?P<c>{'|'.join(COURT)}) (?P<d>\S+)|(?P<e>.+?) ?(?P<f>[hdcs♥♡♦♢♣♧♠♤*?.])"
)


@lru_cache(4096)
def mask_of_word(word: str) -> int | None:
    """The mask of the cards of which a word in small letters means one, None for a word that means none.

    >>> texts(mask_of_word("re di *")), texts(mask_of_word("2-3h")), mask_of_word("barsega")
    (['Kh', 'Kd', 'Kc', 'Ks'], ['2h', '3h'], None)
    """
    if word in CARD_WORDS:
        return CARD_WORDS[word]
    if word in ("*", "**", "??", "..", "?", ".", "*?", "?*"):
        return ALL
    named = _NAMED.fullmatch(word)
    if named is None:
        return None
    rank, suit = filter(None, named.groups())
    ranks = _ranks(rank)
    suits = _EVERY_SUIT if suit in WILD else [SUIT_OF[suit]] if suit in SUIT_OF else None
    return None if ranks is None or suits is None else cards_of_ranks(ranks, suits)


def _ranks(word: str) -> int | None:
    """The mask of ranks, of 10 bits, that a word for one, a range or a wildcard means."""
    if word in WILD:
        return _EVERY_RANK
    first, dash, last = word.partition("-")
    if first not in RANK_OF or (dash and last not in RANK_OF):
        return None
    low, high = RANK_OF[first], RANK_OF[last] if dash else RANK_OF[first]
    return sum(1 << rank for rank in range(low, high + 1)) if low <= high else None


def pattern(cards: int) -> str:
    """A set of cards as ``mask_of_word`` reads it: ``K*``, ``2-5h``, ``..``."""
    if cards == ALL:
        return ".."
    suits = [suit for suit in _EVERY_SUIT if cards >> 10 * suit & _EVERY_RANK]
    ranks = [rank for rank in range(10) if cards >> 10 * suits[0] >> rank & 1]
    low, high = RANKS[ranks[0]], RANKS[ranks[-1]]
    rank = "*" if len(ranks) == 10 else low if low == high else f"{low}-{high}"
    return rank + ("*" if len(suits) > 1 else SUITS[suits[0]])


_UNCLEAR = re.compile(r"(?<![^\s,;:(])((?:10|[a1-9jqkrfc*?])(?:-(?:10|[a1-9jqkrfc]))?)c(?![^\s,;)])", re.IGNORECASE)
_ITALIAN = re.compile(r"(?<![^\s,;:(])([rfc])c(?![^\s,;)])", re.IGNORECASE)
_ENGLISH = re.compile(
    r"(?<!\w)(?:(?:10|[a1-9jqkrfc*?])h|[jqk][dcs])\b|\b(?:me|us|them|next|previous|dealer|first|second|third|others"
    r"|somebody|everybody|table|stock|captured|gone|shown|to play|i am|holds|takes|given)\b",
    re.IGNORECASE,
)
"""What no Italian writes whose letters are those of coppe, denari, bastoni and spade."""
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_CLUBS = re.compile(rf"({_QUOTED.pattern})|(?<=[A2-7JQK*])c\b(?!\.\w)")


def check_suits(written: Mapping[str, str], lang: str) -> None:
    """Raise ``InputError`` for a card of ``c`` in Italian where nothing tells coppe (hearts) from clubs, as here.

    ``written`` is all that was typed, by where: the other cards and words tell.

    >>> check_suits({"--at: ": "io: 4c 7h"}, "it"), check_suits({"": "holds(me, 4c)"}, "it")
    (None, None)
    """
    texts = {where: _QUOTED.sub("", text) for where, text in written.items()}
    is_english = any(map(_ENGLISH.search, texts.values()))
    for where, text in texts.items() if lang == "it" else ():
        if found := (_ITALIAN if is_english else _UNCLEAR).search(text):
            hearts, clubs = (f"{found[1]} di {suit}" for suit in ("coppe", "fiori"))
            raise InputError(
                "{where}{card!r} is not clear in Italian: hearts (cups) or clubs? (valid: {hearts!r} or {clubs!r})",
                where, found[0], hearts, clubs,
            )  # fmt: skip


def in_language(text: str, lang: str) -> str:
    """A text whose cards are clear in a language by themselves; what is quoted stays as it was typed.

    >>> in_language("5c takes 5h", "it"), in_language("5c", "en")
    ('5♣ takes 5h', '5c')
    """
    return _CLUBS.sub(lambda found: found[1] or SYMBOLS[2], text) if lang == "it" else text


def parse(written: str) -> int:
    """The index 0..39 of a card written as ``7h``, ``7♥``, ``7 of hearts``, ``sette di cuori``, ``matta``, ...

    Raises ``InputError`` for anything else; it suggests the nearest card.
    """
    word = " ".join(written.replace("\ufe0f", "").split()).lower()  # phones write ♥ with a selector behind it
    meant = mask_of_word(word)
    if meant is not None and meant.bit_count() == 1:
        return meant.bit_length() - 1
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


def card_symbol(card: int) -> str:
    """The text of a card with its suit as a symbol: ``card_symbol(6) == "7♥"``."""
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
    bits, found = int(bits), []
    while bits:
        found.append((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return found


def texts(bits: int) -> list[str]:
    """The canonical texts of the cards in a 40-bit mask, in the order of their indices."""
    return [PACK[card] for card in members(bits)]
