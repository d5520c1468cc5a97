"""Cards as a situation describes them: ``7h``, ``K*`` (any king), ``two diamonds``, ``no aces``, ``barsega``.

A described set of cards is a range of ranks in one suit or in all, as a 40-bit mask.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from ..core.cards import COURT, NICKNAMES, PACK, RANK_OF, RANKS, SUIT_OF, SUITS
from ..core.errors import InputError, meant

ALL = (1 << 40) - 1
VALID = "7h, K*, *d, 2-5h, 'two diamonds', 'no aces', 'exactly 1 king', barsega, .. for any"

_PLURALS = (
    "aces assi", "twos", "threes", "fours", "fives", "sixes", "sevens", "jacks fanti",
    "queens cavalli donne regine", "kings",
)  # fmt: skip
_ITALIAN_PLURALS = ("assi", "due", "tre", "quattro", "cinque", "sei", "sette", "fanti", "donne", "re")
_SUIT_NAMES = {"en": ("hearts", "diamonds", "clubs", "spades"), "it": ("cuori", "denari", "fiori", "picche")}
_NUMBERS = (
    "one a an un uno una", "two due", "three tre", "four quattro", "five cinque", "six sei", "seven sette",
    "eight otto", "nine nove", "ten dieci",
)  # fmt: skip
NUMBER_OF = {word: number for number, words in enumerate(_NUMBERS, 1) for word in words.split()}
_LIMITS = {
    "at least": "low", "almeno": "low", "at most": "high", "al massimo": "high", "exactly": "both",
    "esattamente": "both",
}  # fmt: skip
_NONE = ("no", "nessun", "nessuno", "nessuna", "none", "without", "senza", "zero", "0")
_WILD = "*?."
_EVERY_RANK, _EVERY_SUIT = (1 << 10) - 1, range(4)
_COURT_WORD = "|".join(COURT)
_SUIT_WORD = "|".join(sorted((word for word in SUIT_OF if len(word) > 1), key=len)[::-1])


@dataclass(frozen=True)
class Clause:
    """What lies in a place.

    ``cards`` are masks: so many different cards, one of each mask, lie there. ``limits`` are masks of which at least
    and at most so many do. ``words`` are conditions in the words of a holding, as ``sevens >= 2``.
    """

    cards: tuple[int, ...] = ()
    limits: tuple[tuple[int, int, int], ...] = ()
    words: tuple[str, ...] = ()

    @property
    def exact(self) -> int | None:
        """The mask of the cards where every one is named, and nothing else is said; else None."""
        if self.limits or self.words or any(cards.bit_count() != 1 for cards in self.cards):
            return None
        return sum(self.cards)

    def __add__(self, other: Clause) -> Clause:
        return Clause(
            tuple(sorted((*self.cards, *other.cards), key=_in_order)),
            tuple(sorted({*self.limits, *other.limits})),
            tuple(sorted({*self.words, *other.words})),
        )

    def negated(self, where: str) -> Clause:
        """The same denied: of several alike cards there are fewer. Raises ``InputError`` for anything but cards."""
        if self.limits or self.words or not self.cards:
            raise InputError("{where}'not' goes with cards alone (valid: 'not me: aces' or 'me: no aces')", where)
        return Clause(limits=tuple(sorted((cards, 0, self.cards.count(cards) - 1) for cards in set(self.cards))))

    def text(self, lang: str = "en") -> str:
        """The clause as ``read_clause`` reads it."""
        parts = [" ".join(map(_name, self.cards))] if self.cards else []
        parts += [f"{_limit(low, high, lang)} {_plural(cards, lang)}" for cards, low, high in self.limits]
        return ", ".join([*parts, *self.words])


def _in_order(cards: int) -> tuple[int, int]:
    return cards.bit_count(), cards


# ------------------------------------------------------------------------------------------------ sets of cards


def _alike(ranks: int, suits: Sequence[int]) -> int:
    return sum(ranks << 10 * suit for suit in suits)


_GROUPS = {word: _alike(1 << rank, _EVERY_SUIT) for word, rank in RANK_OF.items() if not word.isdecimal()}
_GROUPS |= {word: _alike(1 << rank, _EVERY_SUIT) for rank, words in enumerate(_PLURALS) for word in words.split()}
_GROUPS |= {word: _alike(_EVERY_RANK, [suit]) for word, suit in SUIT_OF.items()}
_GROUPS |= dict.fromkeys(("figure", "figures", "figura"), _alike(0b111 << 7, _EVERY_SUIT))
_GROUPS |= dict.fromkeys(("card", "cards", "carta", "carte"), ALL)
_GROUPS |= {name: 1 << card for name, card in NICKNAMES.items()}


def _plurals(lang: str) -> dict[int, str]:
    ranks = _ITALIAN_PLURALS if lang == "it" else [words.split()[0] for words in _PLURALS]
    names = {_alike(1 << rank, _EVERY_SUIT): name for rank, name in enumerate(ranks)}
    names |= {_alike(_EVERY_RANK, [suit]): name for suit, name in enumerate(_SUIT_NAMES[lang])}
    return names | {_alike(0b111 << 7, _EVERY_SUIT): "figure" if lang == "it" else "figures"}


_PLURAL_OF = {lang: _plurals(lang) for lang in ("en", "it")}


def described(word: str) -> int | None:
    """The mask of the cards of which a word means one, None for a word that means none.

    >>> from cirulla_sim.core.cards import texts
    >>> texts(described("re di *")), described("barsega")
    (['Kh', 'Kd', 'Kc', 'Ks'], None)
    """
    if word in _GROUPS and len(word) > 1:
        return _GROUPS[word]
    if word in ("*", "**", "??", "..", "?", ".", "*?", "?*"):
        return ALL
    named = (
        re.fullmatch(r"(\S+) (?:of|di) (\S+)", word)
        or re.fullmatch(rf"({_COURT_WORD}) (\S+)", word)
        or re.fullmatch(r"(.+?)([hdcs♥♡♦♢♣♧♠♤*?.])", word)
    )
    if named is None:
        return None
    ranks = _ranks(named[1])
    suits = _EVERY_SUIT if named[2] in _WILD else [SUIT_OF[named[2]]] if named[2] in SUIT_OF else None
    return None if ranks is None or suits is None else _alike(ranks, list(suits))


def _ranks(word: str) -> int | None:
    """The mask of ranks, of 10 bits, that a word for one, a range or a wildcard means."""
    if word in _WILD:
        return _EVERY_RANK
    first, dash, last = word.partition("-")
    if first not in RANK_OF or (dash and last not in RANK_OF):
        return None
    low, high = RANK_OF[first], RANK_OF[last] if dash else RANK_OF[first]
    return sum(1 << rank for rank in range(low, high + 1)) if low <= high else None


def _name(cards: int) -> str:
    """A set of cards as ``described`` reads it: ``K*``, ``2-5h``, ``..``."""
    if cards == ALL:
        return ".."
    suits = [suit for suit in _EVERY_SUIT if cards >> 10 * suit & _EVERY_RANK]
    ranks = [rank for rank in range(10) if cards >> 10 * suits[0] >> rank & 1]
    low, high = RANKS[ranks[0]], RANKS[ranks[-1]]
    rank = "*" if len(ranks) == 10 else low if low == high else f"{low}-{high}"
    return rank + ("*" if len(suits) > 1 else SUITS[suits[0]])


def _plural(cards: int, lang: str) -> str:
    if cards == ALL:
        return "carte" if lang == "it" else "cards"
    return _PLURAL_OF[lang].get(cards) or _name(cards)


def _limit(low: int, high: int, lang: str) -> str:
    none, exactly, at_most = ("senza", "esattamente", "al massimo") if lang == "it" else ("no", "exactly", "at most")
    return none if high == 0 else f"{exactly} {low}" if low == high else f"{at_most} {high}"


# ------------------------------------------------------------------------------------------------ clauses

_TOKEN = re.compile(
    rf"[^\s,]+\s+(?:of|di)\s+[^\s,]+|(?:{_COURT_WORD})\s+(?:{_SUIT_WORD})\b|at least|at most|al massimo|[^\s,]+"
)
_CONDITION = re.compile(r"[<>=≤≥≠()]|\b(?:and|or|not|e|o|non|in|tra|between)\b")


def read_clause(where: str, text: str) -> Clause:
    """What a text says of a place; ``where`` begins an error.

    Raises ``InputError`` for a word that is neither a card nor a condition.

    >>> read_clause("", "two kings, no diamonds, barsega").text()
    'K* K*, no diamonds, barsega'
    """
    plain = text.replace("\ufe0f", "").lower().replace("sette bello", "settebello")
    clause = Clause()
    for item in filter(str.strip, re.split(r",|\n", plain)):
        if _CONDITION.search(item):
            clause += Clause(words=(" ".join(item.split()),))
        else:
            clause += _read_cards(where, item)
    return clause


def _read_cards(where: str, item: str) -> Clause:
    words = [re.sub(r"\s+", " ", word) for word in _TOKEN.findall(re.sub(r"\s*-\s*", "-", item))]
    cards: list[int] = []
    limits: list[tuple[int, int, int]] = []
    conditions: list[str] = []
    while words:
        limit, number = ("high", 0) if words[0] in _NONE and len(words) > 1 else (_LIMITS.get(words[0], ""), None)
        words = words[1:] if limit else words
        if number is None and (number := _number_before(words, bool(limit))) is not None:
            words = words[1:]
        meant = described(words[0]) if words else None
        if meant is None:
            if not words or not re.fullmatch(r"[^\W\d_]\w+", words[0]) or limit in ("low", "both") or number:
                raise _unknown(where, words[0] if words else item.strip())
            conditions.append(f"not {words[0]}" if limit else words[0])
        elif limit in ("", "low"):
            cards.extend([meant] * (1 if number is None else number))
        else:
            number = 1 if number is None else number
            limits.append((meant, number if limit == "both" else 0, number))
        words = words[1:]
    return Clause() + Clause(tuple(cards), tuple(limits), tuple(conditions))


def _number_before(words: Sequence[str], limited: bool) -> int | None:
    """The number that comes first, before a word for cards that are alike."""
    if len(words) < 2 or (cards := described(words[1])) is None:
        return None
    if re.fullmatch(r"\d{1,2}", words[0]):
        return int(words[0]) if limited or cards.bit_count() > 1 else None
    return NUMBER_OF.get(words[0]) if limited or words[1] in _GROUPS else None


def _unknown(where: str, word: str) -> InputError:
    near = get_close_matches(word, [*_GROUPS, *(card.lower() for card in PACK)], 1, 0.5)
    hint = meant(near[0]) if near else ""
    return InputError("{where}unknown card {word!r}{hint} (valid: {valid})", where, word, hint, VALID)
