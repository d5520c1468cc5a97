"""A tournament night as text: how many pairs, who plays, how many rounds and hands, in what format.

``"1 pair search:16, 7 pairs careful, 4 rounds of 8 hands, swiss"`` is the value of the clause ``night:`` of a
situation. Matches, victory points and the knock-out are those of source 002.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from itertools import groupby
from typing import Any

from ..core.errors import InputError
from ..core.messages import Message

SWISS, ALL_PLAY_ALL, KNOCK_OUT = FORMATS = ("swiss", "all play all", "knock-out")
MOST_PAIRS, MOST_ROUNDS, MOST_HANDS, MOST_MINUTES = 64, 20, 24, 120

VALID = (
    "8 pairs, 1 pair search:16, 4 rounds of 8 hands, 4 hands a round, 5 minutes a hand, swiss, all play all, knock-out"
)
"""The parts that a text may have, each as an example that reads."""


@dataclass(frozen=True)
class Night:
    """Pairs that play matches of some hands in rounds, by a format.

    ``pairs`` has a policy for each pair in the order in which they are listed, None where it is that of the line-up.
    Two-player games have players in the place of pairs. ``minutes`` are those that a hand takes.

    >>> str(Night.parse("una coppia search:16, 7 coppie, svizzero, 4 turni di 8 smazzate"))
    '1 pair search:16, 7 pairs, 4 rounds of 8 hands, swiss'
    >>> Night.parse("6 pairs, all play all, 2 hands a round").rounds
    5
    """

    pairs: tuple[str | None, ...]
    format: str
    rounds: int
    hands: int
    minutes: Fraction | None = None

    @classmethod
    def parse(cls, text: str, flag: str = "--at") -> Night:
        """The night that a text describes; raises ``InputError`` that names the flag."""
        try:
            return cls._parsed(text)
        except InputError as error:
            raise InputError("{flag}: night: {error}", flag, error) from None

    @classmethod
    def _parsed(cls, text: str) -> Night:
        given: dict[str, Any] = {"pairs": ()}
        for part in (" ".join(part.split()) for part in _COMMA.split(text)):
            for name, value in _read(part):
                if name == "pairs":
                    value = given["pairs"] + value
                elif given.get(name, value) != value:
                    raise _invalid(part, "{name} is given twice (valid: once)", Message(name))
                given[name] = value
        pairs, kind, hands = given["pairs"], given.get("format"), given.get("hands")
        if not pairs:
            raise _invalid(text, "no pairs (add: 8 pairs)")
        if not 2 <= len(pairs) <= MOST_PAIRS:
            raise _invalid(text, "{number} pairs are not valid (valid: 2 to {most})", len(pairs), MOST_PAIRS)
        if kind is None:
            raise _invalid(text, "no format (add one of: {formats})", map(Message, FORMATS))
        if hands is None and kind == SWISS:
            raise _invalid(text, "no number of hands (add: 4 rounds of 8 hands)")
        if hands is None:
            raise _invalid(text, "no number of hands (add: 4 hands a round)")
        rounds = given.get("rounds", rounds_needed(len(pairs), kind))
        if rounds is None:
            raise _invalid(text, "no number of rounds (add: 4 rounds)")
        if kind == SWISS:
            _number(text, str(rounds), "rounds", MOST_ROUNDS)
        elif rounds != (needed := rounds_needed(len(pairs), kind)):
            raise _invalid(
                text,
                "{number} pairs, {kind}, play {needed} rounds (leave the number of rounds out)",
                len(pairs), Message(kind), needed,
            )  # fmt: skip
        return cls(pairs, kind, rounds, hands, given.get("minutes"))

    def policies(self, default: str = "careful") -> tuple[str, ...]:
        """The policy of each pair, the ``default`` where none is named."""
        return tuple(policy or default for policy in self.pairs)

    def __str__(self) -> str:
        return self.text()

    def text(self, lang: str = "en") -> str:
        """The night as ``parse`` reads it, in one order whatever the order in which it was given."""
        return f"{self.pairs_text(lang)}, {self.format_text(lang)}"

    def pairs_text(self, lang: str = "en") -> str:
        """The pairs and their policies, as the text begins."""
        words = _WORDS[lang]
        groups = [(policy, len(list(same))) for policy, same in groupby(self.pairs)]
        return ", ".join(f"{n} {words['pair' if n == 1 else 'pairs']} {policy or ''}".strip() for policy, n in groups)

    def format_text(self, lang: str = "en") -> str:
        """The format, rounds, hands and minutes, as the text ends."""
        words = _WORDS[lang]
        hands = f"{self.hands} {words['hand' if self.hands == 1 else 'hands']}"
        if self.format == SWISS:
            rounds = words["round" if self.rounds == 1 else "rounds"]
            parts = [f"{self.rounds} {rounds} {words['of']} {hands}", words[self.format]]
        else:
            parts = [words[self.format], f"{hands} {words['a round']}"]
        if self.minutes is not None:
            number = f"{float(self.minutes):g}".replace(".", "," if lang == "it" else ".")
            parts.append(f"{number} {words['minute' if self.minutes == 1 else 'minutes']}")
        return ", ".join(parts)


def is_night(text: object) -> bool:
    """Whether a text is of a situation that begins with a night.

    >>> is_night("Serata: 8 coppie, ..."), is_night("me: 7h"), is_night("night.toml")
    (True, False, False)
    """
    return isinstance(text, str) and _NIGHT.match(text) is not None


def rounds_needed(pairs: int, kind: str) -> int | None:
    """The rounds that a format plays with some pairs; None for a Swiss, which plays as many as you like.

    Where everybody plays everybody, an odd number of pairs needs a round more, in which each has a bye once.

    >>> [rounds_needed(pairs, "all play all") for pairs in (2, 7, 8)], rounds_needed(10, "knock-out")
    ([1, 7, 7], 4)
    """
    if kind == SWISS:
        return None
    return pairs - 1 + pairs % 2 if kind == ALL_PLAY_ALL else (pairs - 1).bit_length()


# ------------------------------------------------------------------------------------------------ words

_WORDS = {
    "en": {
        "pair": "pair", "pairs": "pairs", "round": "round", "rounds": "rounds", "hand": "hand", "hands": "hands",
        "of": "of", "a round": "a round", "minute": "minute a hand", "minutes": "minutes a hand",
        **dict(zip(FORMATS, FORMATS, strict=True)),
    },
    "it": {
        "pair": "coppia", "pairs": "coppie", "round": "turno", "rounds": "turni", "hand": "smazzata",
        "hands": "smazzate", "of": "di", "a round": "a turno", "minute": "minuto a smazzata",
        "minutes": "minuti a smazzata", SWISS: "svizzero", ALL_PLAY_ALL: "tutti contro tutti",
        KNOCK_OUT: "a eliminazione",
    },
}  # fmt: skip

_FORMAT_OF = {
    **dict.fromkeys(("swiss", "svizzero", "svizzera"), SWISS),
    **dict.fromkeys(
        ("all play all", "round robin", "round-robin", "tutti contro tutti", "all'italiana", "girone all'italiana"),
        ALL_PLAY_ALL,
    ),
    **dict.fromkeys(
        ("knock-out", "knockout", "knock out", "ko", "a eliminazione", "eliminazione", "eliminazione diretta",
         "a eliminazione diretta"), KNOCK_OUT,
    ),
}  # fmt: skip
"""What a format may be called, in either language."""

_NIGHT = re.compile(r"[\s;]*(?:night|evening|serata)\s*:", re.IGNORECASE)

_COMMA = re.compile(r",(?!\d+ +minut)|(?<!\d),")
"""A comma between parts, and not one within an Italian number of minutes: ``4,5 minuti``."""

_PAIRS = re.compile(r"(\d+|one|an?|una?) (?:pairs?|players?|coppi[ae]|giocator[ei])(?: (\S+))?", re.IGNORECASE)
_ROUNDS = re.compile(r"(\d+) (?:rounds?|turn[oi])(?: (?:of|di) (\d+) (?:hands?|smazzat[ae]|man[oi]))?", re.IGNORECASE)
_HANDS = re.compile(
    r"(\d+) (?:hands?|smazzat[ae]|man[oi])(?: (?:a|per|each|every|ogni) ?(?:rounds?|turno))?", re.IGNORECASE
)
_MINUTES = re.compile(
    r"(\d+(?:[.,]\d+)?) (?:minutes?|minut[oi]) (?:a|per|each|every|ogni) ?(?:hand|smazzata|mano)", re.IGNORECASE
)


def _number(part: str, text: str, what: str, most: int) -> int:
    if not 1 <= int(text) <= most:
        raise _invalid(part, "{what} {text!r} is not valid (valid: 1 to {most})", Message(what), text, most)
    return int(text)


_KNOWN = (
    "pair", "pairs", "player", "players", "coppia", "coppie", "giocatore", "giocatori", "round", "rounds", "turno",
    "turni", "of", "di", "hand", "hands", "smazzata", "smazzate", "mano", "mani", "a", "per", "minute", "minutes",
    "minuto", "minuti",
)  # fmt: skip
"""The words of parts that are no format; what else stands there is a policy."""


def _read(part: str) -> list[tuple[str, Any]]:
    """What a part says, names and values; raises ``InputError`` with the nearest part that reads."""
    if part.lower() in _FORMAT_OF:
        return [("format", _FORMAT_OF[part.lower()])]
    if match := _PAIRS.fullmatch(part):
        number = _number(part, match[1], "pairs", MOST_PAIRS) if match[1].isdigit() else 1
        return [("pairs", (match[2],) * number)]
    if match := _ROUNDS.fullmatch(part):
        rounds = [("rounds", _number(part, match[1], "rounds", MOST_PAIRS))]
        return rounds + ([("hands", _number(part, match[2], "hands", MOST_HANDS))] if match[2] else [])
    if match := _HANDS.fullmatch(part):
        return [("hands", _number(part, match[1], "hands", MOST_HANDS))]
    if match := _MINUTES.fullmatch(part):
        digits = match[1].replace(",", ".")
        if len(digits.partition(".")[2]) > 3 or not 0 < Fraction(digits) <= MOST_MINUTES:
            raise _invalid(
                part, "minutes {minutes!r} are not valid (valid: up to {most}, three decimals)", match[1], MOST_MINUTES
            )
        return [("minutes", Fraction(digits))]
    near = _nearest(part)
    hint = Message("did you mean {near!r}?", near) if near else Message("is no part of a night")
    raise _invalid(part, "{hint} (valid: {valid})", hint, Message(VALID))


def _nearest(part: str) -> str | None:
    """The part with each unknown word replaced by the nearest known one, if it reads so."""
    words = [
        word if word.isdigit() else next(iter(get_close_matches(word.lower(), _KNOWN, 1, 0.6)), word)
        for word in part.split()
    ]
    near = next(iter(get_close_matches(part.lower(), _FORMAT_OF, 1, 0.7)), " ".join(words))
    reads = near in _FORMAT_OF or any(pattern.fullmatch(near) for pattern in (_PAIRS, _ROUNDS, _HANDS, _MINUTES))
    return near if reads else None


def _invalid(part: str, template: str, *values: object) -> InputError:
    return InputError("{part!r}: {reason}", " ".join(part.split()), Message(template, *values))
