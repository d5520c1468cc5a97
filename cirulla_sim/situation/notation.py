"""Situations as text: what is known before the next card is played, from nothing to a position in a game at a score.

``"me: 7h K*; partner: no aces"`` constrains a fresh deal; ``"table: Jd 4c; me: Kd Kh Kc; to play: me"`` is a position.
Everything that is not said is unknown. Reading and writing are inverse: ``Situation.parse(str(s)) == s``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from ..core.cards import (
    ALL,
    CARD_WORDS,
    COURT,
    PACK,
    PLURALS,
    SUIT_OF,
    cards_of_ranks,
    in_language,
    mask_of_word,
    members,
    pattern,
    texts,
)
from ..core.errors import InputError, meant, unknown
from ..core.locale import add_names
from ..core.messages import Message
from .night import Night
from .people import ABSOLUTE, GROUPS, ITALIAN, NAME_OF, PLAYERS, read_name

VALID = Message("7h, K*, *d, 2-5h, 'two diamonds', 'no aces', 'exactly 1 king', barsega, .. for any")

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
_SUITS = sorted((word for word in SUIT_OF if len(word) > 1), key=len, reverse=True)
_ITALIAN_SUITS = ("cuori", "coppe", "denari", "quadri", "ori", "fiori", "bastoni", "picche")


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
            tuple(sorted((*self.cards, *other.cards), key=lambda cards: (cards.bit_count(), cards))),
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
        none, exactly, at_most, empty = _LIMITED[lang]
        parts = [_names(self.cards, lang)] if self.cards else []
        for cards, low, high in self.limits:
            limit = none if high == 0 else f"{exactly} {low}" if low == high else f"{at_most} {high}"
            parts.append(f"{limit} {_PLURAL_OF[lang].get(cards) or _name(cards, lang)}")
        return ", ".join([*parts, *self.words]) or empty


def _plurals(lang: str) -> dict[int, str]:
    ranks = _ITALIAN_PLURALS if lang == "it" else [words.split()[0] for words in PLURALS]
    names = {cards_of_ranks(1 << rank): name for rank, name in enumerate(ranks)}
    names |= {cards_of_ranks(suits=[suit]): name for suit, name in enumerate(_SUIT_NAMES[lang])}
    figures, every = ("figure", "carte") if lang == "it" else ("figures", "cards")
    return names | {cards_of_ranks(0b111 << 7): figures, ALL: every}


_PLURAL_OF = {lang: _plurals(lang) for lang in ("en", "it")}


def _name(cards: int, lang: str) -> str:
    """A set of cards as it is read."""
    return in_language(pattern(cards), lang)


def _names(cards: Iterable[int], lang: str) -> str:
    return " ".join(_name(one, lang) for one in cards)


def _listed(cards: int, lang: str) -> str:
    return _names((1 << card for card in members(cards)), lang)


# ------------------------------------------------------------------------------------------------ clauses

_TOKEN = re.compile(
    rf"[^\s,]+\s+(?:of|di)\s+[^\s,]+|(?:{'|'.join(COURT)})\s+(?:{'|'.join(_SUITS)})\b"
    r"|at least|at most|al massimo|[^\s,]+"
)
_LIMITED = {"en": ("no", "exactly", "at most", "empty"), "it": ("senza", "esattamente", "al massimo", "vuota")}
_NOTHING = ("none", "empty", "nothing", "vuota", "vuoto", "nessuna", "nessuno", "niente")
_CONDITION = re.compile(r"[<>=≤≥≠()]|\b(?:and|or|not|e|o|non|in|tra|between)\b")


def read_clause(where: str, text: str) -> Clause:
    """What a text says of a place; ``where`` begins an error.

    Raises ``InputError`` for a word that is neither a card nor a condition.

    >>> read_clause("", "two kings, no diamonds, barsega").text()
    'K* K*, no diamonds, barsega'
    """
    plain = text.replace("\ufe0f", "").lower().replace("sette bello", "settebello")
    clause = Clause()
    if plain.strip() in _NOTHING:
        return clause
    for item in filter(str.strip, re.split(r",|\n", plain)):
        if _CONDITION.search(item):
            clause += Clause(words=(" ".join(item.split()),))
        else:
            clause += _read_cards(where, item)
    return _once(where, clause)


def _once(where: str, clause: Clause) -> Clause:
    """The clause; raises ``InputError`` for a card that it names twice."""
    for cards in clause.cards:
        if cards.bit_count() == 1 and clause.cards.count(cards) > 1:
            raise InputError("{where}{card} is named twice: every card is in the pack once", where, texts(cards)[0])
    return clause


def _read_mask(where: str, text: str) -> int:
    """The mask of cards that a text names one by one; raises ``InputError`` for anything else, and for none."""
    cards = read_clause(where, text).exact
    if not cards:
        raise InputError("{where}{text!r} leaves cards open (valid: every card, as 7d 2s)", where, text)
    return cards


def _read_cards(where: str, item: str) -> Clause:
    words = [re.sub(r"\s+", " ", word) for word in _TOKEN.findall(re.sub(r"\s*-\s*", "-", item))]
    cards: list[int] = []
    limits: list[tuple[int, int, int]] = []
    conditions: list[str] = []
    while words:
        limit, number = ("high", 0) if words[0] in _NONE and len(words) > 1 else (_LIMITS.get(words[0], ""), None)
        words = words[1:] if limit else words
        if number is None and (number := _number_before(where, words, bool(limit))) is not None:
            words = words[1:]
        meant = mask_of_word(words[0]) if words else None
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


def _number_before(where: str, words: Sequence[str], limited: bool) -> int | None:
    """The number that comes first, before a word for cards that are alike; raises ``InputError`` for an unclear one."""
    if len(words) < 2:
        return None
    if (cards := mask_of_word(words[1])) is None:
        if words[0] in NUMBER_OF and words[0] not in ("a", "an", "un"):  # "two low cards": so many of what?
            raise _unknown(where, words[1])
        return None
    if not re.fullmatch(r"\d{1,2}", words[0]):
        return NUMBER_OF.get(words[0]) if limited or words[1] in CARD_WORDS else None
    number = int(words[0])
    if not limited and words[1] in _SUITS and 1 <= number <= 10:
        of, word = ("di", -1) if words[1] in _ITALIAN_SUITS else ("of", 0)
        card, several = f"{number} {of} {words[1]}", f"{_NUMBERS[number - 1].split()[word]} {words[1]}"
        raise InputError(
            "{where}{item!r} may be one card or {number} (valid: {card!r} for the card, {several!r} for so many)",
            where, " ".join(words[:2]), number, card, several,
        )  # fmt: skip
    return number if limited or cards.bit_count() > 1 else None


def _unknown(where: str, word: str) -> InputError:
    near = get_close_matches(word, [*CARD_WORDS, *(card.lower() for card in PACK)], 1, 0.5)
    hint = meant(near[0]) if near else ""
    return InputError("{where}unknown card {word!r}{hint} (valid: {valid})", where, word, hint, VALID)


AT = "--at: "
LONGEST = 1_000
"""Characters of a text at most."""

RECORDED = re.compile(r"\s*([^;]+)#(\d{1,9})\.(\d{1,2})\s*(?:;|$)")
"""In place of a situation, a play of a record: the file, the hand's place in it from 0, and the play from 1."""

SIDES = ("us", "them")
CardPlace = tuple[str, int]
"""A player, a group, ``table`` or ``stock``, and the stage from 1 that its cards are of."""
Clauses = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Situation:
    """What is known; see ``contracts`` of the documentation for the notation.

    ``places`` says what lies where; ``captured`` and ``shown`` are masks of cards by the name of a player or side,
    ``gone`` is the mask of captured cards whose pile is unknown. ``counts`` are how many cards each player holds,
    ``points`` the sweeps and bonuses of this hand so far and ``score`` that of the game, ours first. ``hand`` is which
    hand of how many. ``last_capture`` is the player or side that captured last, and ``plays`` are those of the stage so
    far, each a card and the mask of those that it took. A ``night`` of matches is a situation by itself.
    """

    places: tuple[tuple[CardPlace, Clause], ...] = ()
    captured: Clauses = ()
    gone: int = 0
    shown: Clauses = ()
    matta: int | None = None
    stage: int | None = None
    to_play: str | None = None
    counts: Clauses = ()
    points: tuple[int, ...] = ()
    score: tuple[int, ...] = ()
    hand: tuple[int, int] | None = None
    i_am: str | None = None
    night: Night | None = None
    last_capture: str | None = None
    plays: tuple[tuple[int, int], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Situation:
        """The situation that a text describes; raises ``InputError`` that begins with ``--at``.

        >>> str(Situation.parse("tavola: fante denari, 4c; io: Kd Kh re di bastoni; tocca a: io"))
        'me: Kh Kd Kc; table: Jd 4c; to play: me'
        """
        if len(text) > LONGEST:
            raise InputError("--at of {length:_} characters is too long (valid: {longest:_})", len(text), LONGEST)
        situation = cls()
        for part in filter(str.strip, re.split(r"[;\n]", text)):
            key, colon, value = part.partition(":")
            if not colon:
                raise InputError("--at: {part!r} has no colon (valid: PLACE: CARDS, as 'me: 7h K*')", part.strip())
            situation = _with_clause(situation, " ".join(key.lower().split()), value.strip())
        if situation == cls():
            raise InputError("--at {text!r} says nothing (valid: PLACE: CARDS, as 'me: 7h K*; table: Jd 4c')", text)
        if situation.night is not None and situation != cls(night=situation.night):
            others = str(replace(situation, night=None))
            raise InputError("--at: night: cannot be combined with {others!r} (valid: a night by itself)", others)
        return situation

    def of(self, name: str, stage: int = 1) -> Clause | None:
        """What is said of a place, None for nothing."""
        return dict(self.places).get((name, stage))

    @property
    def is_position(self) -> bool:
        """Whether this is a position in mid-hand: it is not fresh, or names every card on the table beside mine."""
        table = self.of("table")
        return not self.is_fresh or (table is not None and table.exact is not None and self.of("me") is not None)

    @property
    def is_fresh(self) -> bool:
        """Whether nothing is said that only a position in mid-hand has, such as whose turn it is."""
        later = (self.captured, self.gone, self.shown, self.matta, self.stage, self.to_play, self.counts, self.points)
        return not any((*later, self.last_capture, self.plays))

    def __str__(self) -> str:
        return self.text()

    def text(self, lang: str = "en") -> str:
        """The situation as ``parse`` reads it, in one order whatever the order in which it was said."""
        who: Callable[[str], str] = (lambda name: ITALIAN.get(name, name)) if lang == "it" else str
        key: Callable[[str], str] = (lambda name: _ITALIAN_KEYS.get(name, name)) if lang == "it" else str
        parts: list[tuple[str, str]] = [("i am", who(self.i_am))] if self.i_am else []
        for (name, stage), clause in self.places:
            later = f" {key('stage')} {stage}" if stage > 1 else ""
            parts.append((f"{key(name) if name in ('table', 'stock') else who(name)}{later}", clause.text(lang)))
        parts += [(f"{key('captured')} {who(name)}", _listed(cards, lang)) for name, cards in self.captured]
        parts += [("gone", _listed(self.gone, lang))] if self.gone else []
        parts += [("last capture", who(self.last_capture))] if self.last_capture else []
        parts += [(f"{key('shown')} {who(name)}", _listed(cards, lang)) for name, cards in self.shown]
        parts += [("matta", str(self.matta))] if self.matta is not None else []
        parts += [("stage", str(self.stage))] if self.stage is not None else []
        takes = "prende" if lang == "it" else "takes"
        cards = [(_name(1 << card, lang), _listed(taken, lang)) for card, taken in self.plays]
        plays = [f"{card} {takes} {taken}" if taken else card for card, taken in cards]
        parts += [("plays", ", ".join(plays))] if plays else []
        parts += [("to play", "me" if self.to_play == "me" else who(self.to_play))] if self.to_play else []
        parts += [("cards", ", ".join(f"{who(name)} {n}" for name, n in self.counts))] if self.counts else []
        parts += [("points", "-".join(map(str, self.points)))] if self.points else []
        parts += [("score", "-".join(map(str, self.score)))] if self.score else []
        parts += [("hand", f"{self.hand[0]} {'di' if lang == 'it' else 'of'} {self.hand[1]}")] if self.hand else []
        parts += [("night", self.night.text(lang))] if self.night else []
        return "; ".join(f"{key(name)}: {value}".strip() for name, value in parts)


# ------------------------------------------------------------------------------------------------ keys

_ITALIAN_KEYS = {
    "table": "tavola", "stock": "mazzo", "captured": "prese", "gone": "uscite", "shown": "mostrate", "stage": "giro",
    "to play": "tocca a", "cards": "carte", "points": "punti", "score": "punteggio", "hand": "smazzata",
    "i am": "io sono", "night": "serata", "last capture": "ultima presa", "plays": "giocate",
}  # fmt: skip
add_names("parole", _ITALIAN_KEYS.items())
_KEYS = {word: name for name, italian in _ITALIAN_KEYS.items() for word in (name, italian)}
_KEYS |= dict.fromkeys(("tavolo", "terra"), "table") | dict.fromkeys(("tallone",), "stock")
_KEYS |= dict.fromkeys(("gioca", "turno", "tocca"), "to play")
_KEYS |= {"sono": "i am", "matta": "matta", "evening": "night"}
_PLACED = (
    ("captured", re.compile(r"(?:captured|prese|preso)(?: by| da| di)? (\S+)"), (*PLAYERS, *SIDES)),
    ("shown", re.compile(r"(?:shown|mostrate|mostrato)(?: by| da| di)? (\S+)"), PLAYERS),
)
_STAGE = re.compile(r"[\s_,]*(?:stage|giro)[\s_]*(\d{1,2})$")
_NOT = re.compile(r"(?:not|non)\s+")
_SEAT = re.compile(r"seat\s*(\d)")

VALID_KEYS = (*PLAYERS, *GROUPS, "table", "stock", "captured us", "gone", "last capture", "shown next", "matta",
              "stage", "plays", "to play", "cards", "points", "score", "hand", "i am", "night")  # fmt: skip


def _with_clause(s: Situation, key: str, value: str) -> Situation:
    """The situation with one more clause; raises ``InputError``."""
    for field, written, valid in _PLACED:
        if match := written.fullmatch(key):
            who, named = read_name(match[1], f"{AT}{key}: ", valid), dict(getattr(s, field))
            named[who] = named.get(who, 0) | _read_mask(f"{AT}{key}: ", value)
            cards: dict[str, Any] = {field: by_name(named.items())}
            return replace(s, **cards)
    name = _KEYS.get(key, key)
    if name in _READERS:
        field, read = _READERS[name]
        if field != "gone" and getattr(s, field) != getattr(NOTHING, field):
            raise InputError("--at: {key!r} is said twice (valid: once)", key)
        known = read(f"{AT}{key}: ", value)
        return replace(s, **{field: known | s.gone if field == "gone" else known})
    return replace(s, places=_with_place(s.places, key, value))


def _with_place(
    places: tuple[tuple[CardPlace, Clause], ...], key: str, value: str
) -> tuple[tuple[CardPlace, Clause], ...]:  # fmt: skip
    negated = _NOT.match(key)
    plain = key[negated.end() :] if negated else key
    stage = _STAGE.search(plain)
    name = plain[: stage.start()] if stage else plain
    name = _KEYS.get(name) or NAME_OF.get(name) or name
    if name not in (*PLAYERS, *GROUPS, "table", "stock"):
        if seat := _SEAT.fullmatch(plain):
            raise InputError(
                "--at: players have names, not numbers: {plain!r} is first, second, third or dealer (valid: "
                "{seat}: ...)",
                plain, ("first", "second", "third", "dealer")[min(int(seat[1]), 3)],
            )  # fmt: skip
        raise unknown("place", plain[:60], map(Message, VALID_KEYS), AT)
    clause = read_clause(f"{AT}{key}: ", value)
    if negated:
        clause = clause.negated(AT)
    if clause == Clause() and name not in ("me", "table"):
        raise InputError("--at: {key!r} says nothing (valid: cards, as '{key}: 7h K*')", key)
    if clause.words and name in ("table", "stock", *SIDES):
        raise InputError(
            "--at: {key}: unknown card {word!r} (valid there: cards, as 7h, K*, 'no aces')", key, clause.words[0]
        )
    by_place = dict(places)
    at = (name, int(stage[1]) if stage else 1)
    by_place[at] = by_place[at] + clause if at in by_place else clause
    _once(f"{AT}{key}: ", by_place[at])
    return tuple(sorted(by_place.items(), key=lambda item: written_order(item[0])))


_ORDER = {name: number for number, name in enumerate((*PLAYERS, *GROUPS, "table", "stock"))}


def written_order(place: CardPlace) -> tuple[int, int]:
    """Where a place stands in the order in which situations are written."""
    return place[1], _ORDER[place[0]]


def by_name(named: Iterable[tuple[str, Any]]) -> Clauses:
    """What is said of players or sides, in the order in which situations are written."""
    return tuple(sorted(named, key=lambda item: _ORDER[item[0]]))


# ------------------------------------------------------------------------------------------------ values


def _number(low: int, high: int) -> Callable[[str, str], int]:
    def read(where: str, value: str) -> int:
        if not re.fullmatch(r"\d{1,2}", value) or not low <= int(value) <= high:
            raise InputError("{where}{value!r} is not valid (valid: {low} to {high})", where, value, low, high)
        return int(value)

    return read


def _scores(where: str, value: str) -> tuple[int, ...]:
    parts = [part.strip() for part in value.split("-")]
    if not 2 <= len(parts) <= 4 or not all(re.fullmatch(r"\d{1,6}", part) for part in parts):
        raise InputError(
            "{where}{value!r} is not valid (valid: a number for each side, ours first, as 38-41)", where, value
        )
    return tuple(map(int, parts))


def _of(where: str, value: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,3})\s+(?:of|di)\s+(\d{1,3})", value)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise InputError("{where}{value!r} is not valid (valid: which hand of how many, as 3 of 8)", where, value)
    return int(match[1]), int(match[2])


def _counts(where: str, value: str) -> Clauses:
    counts: dict[str, int] = {}
    for part in re.split(r",", value):
        match = re.fullmatch(r"\s*(.+?)\s+(\d{1,2})\s*", part)
        if match is None:
            raise InputError(
                "{where}{value!r} is not valid (valid: how many each holds, as 'me 3, next 2')", where, value
            )
        counts[read_name(match[1], where)] = int(match[2])
    return by_name(counts.items())


def _plays(where: str, value: str) -> tuple[tuple[int, int], ...]:
    """The cards played, each with the mask of those that it took."""
    plays = []
    for part in value.lower().split(","):
        card, *taken = re.split(r"\b(?:takes?|prende)\b", part, maxsplit=1)
        own = _read_mask(where, card)
        if own.bit_count() > 1:
            raise InputError("{where}{part!r} is not one play (valid: as '7d, Ks takes Kd')", where, part.strip())
        plays.append((own.bit_length() - 1, _read_mask(where, taken[0]) if taken else 0))
    return tuple(plays)


_READERS: dict[str, tuple[str, Callable[[str, str], Any]]] = {
    "gone": ("gone", _read_mask),
    "last capture": (
        "last_capture",
        lambda where, value: read_name(value.lower(), f"{AT}last capture: ", (*PLAYERS, *SIDES)),
    ),
    "plays": ("plays", _plays),
    "matta": ("matta", _number(1, 10)),
    "stage": ("stage", _number(1, 6)),
    "to play": ("to_play", lambda where, value: read_name(value, where)),
    "cards": ("counts", _counts),
    "points": ("points", _scores),
    "score": ("score", _scores),
    "hand": ("hand", _of),
    "i am": ("i_am", lambda where, value: read_name(value[:60], where, ABSOLUTE, "seat")),
    "night": ("night", lambda where, value: Night.parse(value)),
}
"""The clauses that are no place: the field of each and how its value is read, given what begins an error."""
NOTHING = Situation()
"""Nothing is known."""


SituationValue = str | Situation | Mapping[str, Any]
"""A situation as public functions take it."""

_MATTA = re.compile(r"\b(?:matta|poncin)\b(?!\s*:)", re.IGNORECASE)


def with_matta(at: str, matta: str | None) -> str:
    """The text of a situation with the card that is the matta in the place of this word; raises ``InputError``.

    >>> with_matta("me: matta 3c; matta: 5", "Qh")
    'me: Qh 3c; matta: 5'
    """
    if RECORDED.match(at):
        return at
    if matta is None and _MATTA.search(at):
        raise InputError("--at {at!r}: no card is the matta under these rules (valid: a card, as 7h)", at)
    return _MATTA.sub(matta or "", at)


_BETWEEN = {"score": "-", "punteggio": "-", "points": "-", "punti": "-", "hand": " of ", "smazzata": " of "}
"""What stands between the numbers of a clause."""


def situation_text(flag: str, value: object) -> str:
    """The text of a situation, as ``Situation.parse`` or a record's ``FILE#HAND.PLAY`` has it.

    A mapping has a clause a key, ``_`` for a blank, and as values texts, lists of cards, numbers, or for ``cards`` a
    mapping. Raises ``InputError`` that names the flag for a value of any other type.

    >>> situation_text("--at", {"table": ["Jd", "4c"], "me": ["7h", "K*"], "score": (38, 41), "to_play": "me"})
    'table: Jd, 4c; me: 7h, K*; score: 38-41; to play: me'
    >>> situation_text("--at", Situation.parse("tavola: Jd 4c"))
    'table: Jd 4c'
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Situation):
        return str(value)
    if not isinstance(value, Mapping):
        raise InputError(
            "{flag} {value!r} is no situation (valid: text as 'me: 7h K*; table: Jd 4c', a Situation, or a "
            "mapping of clauses)",
            flag, value,
        )  # fmt: skip
    return "; ".join(_clause(flag, key, given) for key, given in value.items())


def _clause(flag: str, key: object, given: object) -> str:
    if not isinstance(key, str) or any(sign in key for sign in ":;\n"):
        raise InputError(
            "{flag}: {key!r} is no clause (valid: 'me', 'table', 'captured us', 'to_play', ...)", flag, key
        )
    name = " ".join(key.replace("_", " ").lower().split())
    where = f"{flag}: {name}"
    if isinstance(given, Mapping):
        parts = [f"{_single(where, player)} {_single(where, number)}" for player, number in given.items()]
        return f"{name}: {', '.join(parts)}"
    several = given if isinstance(given, Sequence) and not isinstance(given, (str, bytes)) else [given]
    return f"{name}: {_BETWEEN.get(name, ', ').join(_single(where, item) for item in several)}"


def _single(where: str, item: object) -> str:
    """A text or a whole number."""
    if isinstance(item, bool) or not isinstance(item, (str, int)) or any(sign in str(item) for sign in ";\n"):
        raise InputError(
            "{where}: {item!r} is not valid (valid: cards as text, whole numbers, or lists of them)", where, item
        )
    return str(item).strip()
