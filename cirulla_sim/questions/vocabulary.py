"""The game's own words, English and Italian: what they mean in a vocabulary, and sets of cards however written."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cache

from ..core.cards import PACK, RANKS, SUITS, parse, text
from ..core.errors import InputError
from ..situation.people import NAME_OF
from .grammar import Node, quoted, read

_THINGS = {
    "barsega barseghe": ("low and not triple", "lows"),
    "barsegon barsegoni barsegone tris": ("triple", "triples"),
    "misci": ("low_no_ace and not triple", "lows_no_ace"),
    "accuso accusi bussata bussate bussa knock": ("bonus_points > 0", "knocks"),
    "cuori coppe cups heart": ("hearts",),
    "denari denaro ori quadri coins diamond": ("diamonds",),
    "bastoni bastone fiori batons club": ("clubs",),
    "spade spada picche swords spade": ("spades",),
    "ace asso assi": ("aces",),
    "two due": ("twos",),
    "three tre": ("threes",),
    "four quattro": ("fours",),
    "five cinque": ("fives",),
    "six sei": ("sixes",),
    "seven sette": ("sevens",),
    "jack fante fanti": ("jacks",),
    "queen cavallo cavalli donna donne": ("queens",),
    "king re": ("kings",),
    "scopa scope sweep": ("sweeps",),
    "presa prese capture": ("captures",),
}
"""What there may be one of, or more: the word alone means so."""

_NAMES = {
    "matta poncin": ("has_matta",),
    "settebello sette_bello": ("has_settebello", "settebello", "has_7d"),
    "sweeps": ("scope",),
    "quindici": ("fifteen",),
    "trenta": ("thirty",),
    "monte": ("misdeal",),
    "totale somma": ("total",),
    "carte": ("cards",),
    "semi": ("suits",),
    "punti": ("points",),
    "differenza distacco": ("margin",),
    "vince vinto vinta wins win": ("won",),
    "patta pari": ("tied", "drawn"),
    "mani smazzate": ("hands",),
    "cappotto": ("by_cappotto",),
    "rimonta": ("comeback",),
    "tavolo tavola": ("table",),
    "altri": ("others", "them"),
    "avversari": ("them",),
} | {italian: (name,) for italian, name in NAME_OF.items() if italian not in (name, "altri")}
_TEMPLATES = {word: meant for words, meant in (_THINGS | _NAMES).items() for word in words.split()}
"""Word -> what it may mean, in the vocabulary's words: the first that a vocabulary has is taken.

A word with parts before or behind it, as ``me_barsega``, has the same parts around all words of its meaning."""
_ONE_OR_MORE = {word for words in _THINGS for word in words.split()}


def meant(text: str, node: Node, words: Collection[str], subject: str) -> Node:
    """A tree with every word turned into words of a vocabulary.

    A word for something that is counted means one or more where it stands alone (``Node.some``).

    Raises ``InputError`` for a word that is none, with the three nearest.
    """
    if node.name == "word":
        meaning = _meaning_of(node, words)
        if meaning is None:
            near = [
                name
                for source in (words, _TEMPLATES)
                for name in get_close_matches(node.value.lower(), source, 3, 0.5)
                if name != node.value.lower()
            ][:3]
            hint = f": did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise InputError(
                f"{quoted(text)}, character {node.at + 1}: unknown feature of {subject} {quoted(node.value)}{hint} "
                f"(valid: the words of odds --list)"
            )
        return meaning
    parts = tuple(meant(text, part, words, subject) for part in node.parts)
    return Node(node.name, node.value, parts, node.at)


def is_expression(text: str, words: Collection[str]) -> bool:
    """Whether a text is an expression in the words of a vocabulary."""
    try:
        meant(text, read(text), words, "")
    except InputError:
        return False
    return True


def _meaning_of(node: Node, words: Collection[str], deep: int = 0) -> Node | None:
    """What a word means, None for nothing; meanings may stand for others, a few deep."""
    word = node.value
    if word in words:
        return node
    lowered = {name.lower(): name for name in words}
    if word.lower() in lowered:
        return Node("word", lowered[word.lower()], (), node.at)
    if (card := _card(word)) is not None:
        return _meaning_of(Node("word", f"has_{text(card[0])}{card[1]}", (), node.at), words, deep)
    parts = word.lower().split("_") if deep < 3 else []
    for first in range(len(parts)):
        for last in range(len(parts), first, -1):
            before, after = ("_".join(part) for part in (parts[:first], parts[last:]))
            part = "_".join(parts[first:last])
            for template in _TEMPLATES.get(part, ()):
                meaning = _around(before and f"{before}_", _tree(template), after and f"_{after}", words, node.at, deep)
                if meaning is not None:
                    return replace(meaning, some=meaning.some or part in _ONE_OR_MORE)
    return None


@cache
def _tree(template: str) -> Node:
    return read(template)


def _around(before: str, node: Node, after: str, words: Collection[str], at: int, deep: int) -> Node | None:
    """A meaning with parts around its words, None where one of them has none."""
    if node.name == "word":
        return _meaning_of(Node("word", f"{before}{node.value}{after}", (), at), words, deep + 1)
    parts = [part if part.name == "number" else _around(before, part, after, words, at, deep) for part in node.parts]
    meaning = tuple(part for part in parts if part is not None)
    return Node(node.name, node.value, meaning, at) if len(meaning) == len(parts) else None


def _card(word: str) -> tuple[int, str] | None:
    """The card that a word names, as ``7d``, ``10♦`` or ``re di coppe``, and what follows it: ``_us``."""
    match = re.fullmatch(r"([^_]+)(_\w+)?", word)
    if not match or not re.match(r"\d|\w[hdcs♥♡♦♢♣♧♠♤]$|.+\s(of|di)\s", match[1], re.IGNORECASE):
        return None
    try:
        return parse(match[1]), match[2] or ""
    except InputError:
        return None


# ------------------------------------------------------------------------------------------------ sets of cards


def in_order(kind: str, written: str, size: int) -> str:
    """A set of ``size`` cards, ranks or suits as the vocabulary writes it, whatever the order and the letters.

    ``kind`` is ``cards``, ``ranks`` or ``suits``. Raises ``InputError`` for a set that cannot be.

    >>> in_order("cards", "10d 7♥ 2h", 3), in_order("ranks", "K7A", 3), in_order("suits", "♦h♦", 3)
    ('2h 7h Kd', 'A7K', 'hdd')
    """
    if kind == "cards":
        items = [parse(part) for part in re.split(r"[\s,]+(?!(?:of|di)\s)(?<!\sof\s)(?<!\sdi\s)", written.strip())]
        if len(set(items)) < len(items):
            raise InputError("names a card twice")
    elif kind == "ranks":
        items = [_of_letter(letter, _RANK_LETTERS) for letter in re.findall(r"10|[^\s,]", written)]
    else:
        items = [_of_letter(letter, _SUIT_LETTERS) for letter in re.findall(r"[^\s,\ufe0f]", written)]
    if len(items) != size:
        raise InputError(f"is a set of {len(items)}")
    if kind == "ranks" and max(map(items.count, items)) > 4:
        raise InputError("has five of a rank")
    items.sort()
    return " ".join(PACK[card] for card in items) if kind == "cards" else "".join(_LETTERS[kind][i] for i in items)


_LETTERS = {"ranks": RANKS, "suits": SUITS}
_RANK_LETTERS = {letter: i for i, letter in enumerate(RANKS.lower())} | {"1": 0, "8": 7, "9": 8, "10": 9}
_SUIT_LETTERS = {letter: i for i, letters in enumerate(("h♥♡", "d♦♢", "c♣♧", "s♠♤")) for letter in letters}


def _of_letter(letter: str, letters: Mapping[str, int]) -> int:
    if letter.lower() not in letters:
        raise InputError(f"names {letter!r}, which is none of {' '.join(letters)}")
    return letters[letter.lower()]
