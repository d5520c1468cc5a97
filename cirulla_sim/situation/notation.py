"""Situations as text: what is known before the next card is played, from nothing to a position in a game at a score.

``"me: 7h K*; partner: no aces"`` constrains a fresh deal; ``"table: Jd 4c; me: Kd Kh Kc; to play: me"`` is a position.
Everything that is not said is unknown. Reading and writing are inverse: ``Situation.parse(str(s)) == s``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..core.cards import mask, parse_many, texts
from ..core.errors import InputError, unknown
from .card_terms import Clause, read_clause
from .night import Night
from .people import GROUPS, ITALIAN, NAME_OF, PLAYERS, read_player

AT = "--at: "
LONGEST = 1_000
"""Characters of a text at most."""

RECORDED = re.compile(r"\s*([^;]+)#(\d{1,9})\.(\d{1,2})\s*(?:;|$)")
"""In place of a situation, a play of a record: the file, the hand's place in it from 0, and the play from 1."""

SIDES = ("us", "them")
Place = tuple[str, int]
"""A player, a group, ``table`` or ``stock``, and the stage from 1 that its cards are of."""
Named = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Situation:
    """What is known; see ``contracts`` of the documentation for the notation.

    ``places`` says what lies where; ``captured`` and ``shown`` are masks of cards by the name of a player or side,
    ``gone`` is the mask of captured cards whose pile is unknown. ``counts`` are how many cards each player holds,
    ``points`` the sweeps and bonuses of this hand so far and ``score`` that of the game, ours first. ``hand`` is which
    hand of how many. A ``night`` of matches is a situation by itself.
    """

    places: tuple[tuple[Place, Clause], ...] = ()
    captured: Named = ()
    gone: int = 0
    shown: Named = ()
    matta: int | None = None
    stage: int | None = None
    to_play: str | None = None
    counts: Named = ()
    points: tuple[int, ...] = ()
    score: tuple[int, ...] = ()
    hand: tuple[int, int] | None = None
    i_am: str | None = None
    night: Night | None = None

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
        """Whether this is a position in mid-hand: it says whose turn it is, or every card that lies on the table."""
        table = self.of("table")
        return self.to_play is not None or (table is not None and table.exact is not None)

    @property
    def is_fresh(self) -> bool:
        """Whether nothing is said that only a position in mid-hand has."""
        later = (self.captured, self.gone, self.shown, self.matta, self.stage, self.to_play, self.counts, self.points)
        return not any(later)

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
        parts += [(f"{key('captured')} {who(name)}", " ".join(texts(cards))) for name, cards in self.captured]
        parts += [("gone", " ".join(texts(self.gone)))] if self.gone else []
        parts += [(f"{key('shown')} {who(name)}", " ".join(texts(cards))) for name, cards in self.shown]
        parts += [("matta", str(self.matta))] if self.matta is not None else []
        parts += [("stage", str(self.stage))] if self.stage is not None else []
        parts += [("to play", who(self.to_play))] if self.to_play else []
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
    "i am": "io sono", "night": "serata",
}  # fmt: skip
_KEYS = {word: name for name, italian in _ITALIAN_KEYS.items() for word in (name, italian)}
_KEYS |= dict.fromkeys(("tavolo", "terra"), "table") | dict.fromkeys(("tallone",), "stock")
_KEYS |= {
    "sono": "i am",
    "matta": "matta",
    "gioca": "to play",
    "turno": "to play",
    "tocca": "to play",
    "evening": "night",
}
_CAPTURED = re.compile(r"(?:captured|prese|preso)(?: by| da| di)? (\S+)")
_SHOWN = re.compile(r"(?:shown|mostrate|mostrato)(?: by| da| di)? (\S+)")
_STAGE = re.compile(r"[\s_,]*(?:stage|giro)[\s_]*(\d{1,2})$")
_NOT = re.compile(r"(?:not|non)\s+")
_SEAT = re.compile(r"seat\s*(\d)")

VALID_KEYS = (*PLAYERS, *GROUPS, "table", "stock", "captured us", "gone", "shown next", "matta", "stage", "to play",
              "cards", "points", "score", "hand", "i am", "night")  # fmt: skip


def _with_clause(s: Situation, key: str, value: str) -> Situation:
    """The situation with one more clause; raises ``InputError``."""
    if match := _CAPTURED.fullmatch(key):
        return replace(s, captured=_added(s.captured, _who(match[1], key, (*PLAYERS, *SIDES)), _plain(key, value), key))
    if match := _SHOWN.fullmatch(key):
        return replace(s, shown=_added(s.shown, _who(match[1], key, PLAYERS), _plain(key, value), key))
    name = _KEYS.get(key, key)
    if name in _READERS:
        field, read = _READERS[name]
        if field != "gone" and getattr(s, field) != getattr(NOTHING, field):
            raise InputError("--at: {key!r} is said twice (valid: once)", key)
        return replace(
            s, **{field: read(f"{AT}{key}: ", value) | s.gone if field == "gone" else read(f"{AT}{key}: ", value)}
        )
    return replace(s, places=_with_place(s.places, key, value))


def _with_place(
    places: tuple[tuple[Place, Clause], ...], key: str, value: str
) -> tuple[tuple[Place, Clause], ...]:  # fmt: skip
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
        raise unknown("place", plain[:60], VALID_KEYS, AT)
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
    single = [cards for cards in by_place[at].cards if cards.bit_count() == 1]
    if len(set(single)) < len(single):
        twice = next(cards for cards in single if single.count(cards) > 1)
        raise InputError("--at: {key}: {card} is named twice: every card is in the pack once", key, texts(twice)[0])
    return tuple(sorted(by_place.items(), key=lambda item: in_order(item[0])))


_ORDER = {name: number for number, name in enumerate((*PLAYERS, *GROUPS, "table", "stock"))}


def in_order(place: Place) -> tuple[int, int]:
    """Where a place stands in the order in which situations are written."""
    return place[1], _ORDER[place[0]]


def _who(word: str, key: str, valid: tuple[str, ...]) -> str:
    name = NAME_OF.get(word, word)
    if name not in valid:
        raise unknown("player", word, valid, f"{AT}{key}: ")
    return name


def _plain(key: str, value: str) -> int:
    try:
        return mask(parse_many(value))
    except InputError as error:
        raise InputError("--at: {key}: {error}", key, error) from None


def _added(named: Named, name: str, cards: int, key: str) -> Named:
    known = dict(named)
    if not cards:
        raise InputError("--at: {key!r} says nothing (valid: cards, as '{key}: 7d 2s')", key)
    known[name] = known.get(name, 0) | cards
    return tuple(sorted(known.items(), key=lambda item: _ORDER[item[0]]))


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


def _counts(where: str, value: str) -> Named:
    counts: dict[str, int] = {}
    for part in re.split(r",", value):
        match = re.fullmatch(r"\s*(.+?)\s+(\d{1,2})\s*", part)
        if match is None:
            raise InputError(
                "{where}{value!r} is not valid (valid: how many each holds, as 'me 3, next 2')", where, value
            )
        counts[read_player(match[1], where)] = int(match[2])
    return tuple(sorted(counts.items(), key=lambda item: _ORDER[item[0]]))


def _absolute(where: str, value: str) -> str:
    name = NAME_OF.get(value.lower(), value)
    if name not in ("first", "second", "third", "dealer"):
        raise unknown("seat", value[:60], ("first", "second", "third", "dealer"), where)
    return name


_READERS: dict[str, tuple[str, Callable[[str, str], Any]]] = {
    "gone": ("gone", lambda where, value: _plain("gone", value)),
    "matta": ("matta", _number(1, 10)),
    "stage": ("stage", _number(1, 6)),
    "to play": ("to_play", lambda where, value: read_player(value, where)),
    "cards": ("counts", _counts),
    "points": ("points", _scores),
    "score": ("score", _scores),
    "hand": ("hand", _of),
    "i am": ("i_am", _absolute),
    "night": ("night", lambda where, value: Night.parse(value)),
}
"""The clauses that are no place: the field of each and how its value is read, given what begins an error."""
NOTHING = Situation()
"""Nothing is known."""


SituationValue = str | Situation | Mapping[str, Any]
"""A situation as public functions take it."""

_NUMBERS = {"score": "-", "punteggio": "-", "points": "-", "punti": "-", "hand": " of ", "smazzata": " of "}
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
    return f"{name}: {_value(f'{flag}: {name}', name, given)}"


def _value(where: str, name: str, given: object) -> str:
    """What a clause says, as text."""
    if isinstance(given, Mapping):
        parts = [f"{_single(where, player)} {_single(where, number)}" for player, number in given.items()]
        return ", ".join(parts)
    if isinstance(given, Sequence) and not isinstance(given, (str, bytes)):
        return _NUMBERS.get(name, ", ").join(_single(where, item) for item in given)
    return _single(where, given)


def _single(where: str, item: object) -> str:
    """A text or a whole number."""
    if isinstance(item, bool) or not isinstance(item, (str, int)) or any(sign in str(item) for sign in ";\n"):
        raise InputError(
            "{where}: {item!r} is not valid (valid: cards as text, whole numbers, or lists of them)", where, item
        )
    return str(item).strip()
