"""What may be meant by a text that is no expression: a form to type that means the same, or nothing.

>>> suggested("if matta then barsega"), suggested("P(barsega & !matta)"), suggested("more aces than sevens")
('barsega given matta', 'barsega and not matta', 'aces > sevens')
>>> suggested("How often do I win if I have the matta?"), suggested("how many hands until a barsega")
('win given matta', 'until(barsega)')
>>> suggested("at least two kings and no ace"), suggested("the best day")
('kings >= 2 and ace = 0', '')
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from itertools import pairwise

from ..core.errors import InputError
from .parser import read
from .vocabulary import PEOPLE, Function, meaning_of, number_word

_TIMES = {"two": 2, "twice": 2, "due": 2, "three": 3, "tre": 3, "four": 4, "quattro": 4}
_SPOKEN = re.compile(r"(?:the |la )?(?:probability|chances?|odds|percentage|probabilità) (?:of|that|di|che) (.+)", re.I)

LONGEST = 30
"""The most words of a sentence."""


@cache
def _patterns(kind: str) -> list[tuple[re.Pattern[str], str]]:
    every = tomllib.loads(files(__package__).joinpath("suggestions.toml").read_text("utf-8"))
    return [(re.compile(pattern, re.IGNORECASE), form) for pattern, form in every[kind]]


def suggested(text: str) -> str:
    """A form that means what a text says; empty where there is none, or where it may mean several things."""
    plain = " ".join(text.split())
    form = _form(plain)
    return "" if form == plain else form


def _form(text: str, within: int = 0) -> str:
    """The form of a text, or of a part of one; empty for none."""
    for pattern, replacement in _patterns("rewritten"):
        text = pattern.sub(replacement, text).strip()
    if spoken := _SPOKEN.fullmatch(text):
        return _of_sentence(spoken[1]) or _form(spoken[1], within + 1)
    if not _is_expression(text):
        for pattern, form in _patterns("whole") if within < LONGEST else ():
            if match := pattern.fullmatch(text):
                parts = [str(_TIMES.get(part.lower(), part)) if part.isdecimal() or part.lower() in _TIMES
                         else _form(part, within + 1) for part in match.groups()]  # fmt: skip
                before, given, after = form.format(*parts).partition(" given ")
                return before + given + after.replace(" given ", " and ") if all(parts) else ""
        return _of_sentence(text)
    return text


def _is_expression(text: str) -> bool:
    """Whether a text reads as one, whatever its words mean."""
    try:
        leaves = read(text, conditional=True).leaves()
    except InputError:
        return False
    words = [leaf.value for leaf in leaves if leaf.name == "word"]
    return all(meaning_of(word) or word.lower() in PEOPLE for word in words)


_SIGNS = {
    ">=": ("at least", "almeno"), "<=": ("at most", "al massimo"), ">": ("more than", "più di"),
    "<": ("fewer than", "less than", "meno di"), "=": ("exactly", "esattamente"),
}  # fmt: skip
_CONNECTED = {"and": "and", "e": "and", "or": "or", "o": "or", "oppure": "or"}
_NONE = ("no", "niente", "nessun", "nessuna", "without", "senza")
_FIRST_PERSON = re.compile(r"i|i['’]m|my|me|we|our|io|ho|mi|mi[oa]|noi|faccio|vinco|vinciamo")
_FILLERS = re.compile(
    r"how|often|likely|what|is|the|chances?|probability|odds|that|of|to|am|are|do|be|being|get|getting|got|make|making|"
    r"dealt|hold|holding|have|having|an?|any|some|in|hand|cards|with|there|quanto|spesso|quante|volte|qual|è|la|il|di|che|"
    r"probabilità|ricevo|danno|avere|fare|un|una|uno|mano|con|le"
)


def _of_sentence(text: str) -> str:
    """The expression that a plain sentence means; empty if it has a word that says anything else."""
    lower = text.lower().rstrip("?.! ")
    if re.search(r"[^\w\s,’'+]", lower):
        return ""
    for sign, phrases in _SIGNS.items():
        lower = re.sub(rf"\b(?:{'|'.join(phrases)})\b", sign, lower)
    lower = re.sub(r"(\w+) (?:or more|o più)\b|(\d+)\+", r">= \1\2", lower)
    lower = re.sub(r"(\w+) (?:or fewer|or less|o meno)\b", r"<= \1", lower)
    words = re.findall(r"[^\s,]+", lower)
    cards = any(meaning_of(" ".join(three)) for three in zip(words, words[1:], words[2:], strict=False))
    if not 1 <= len(words) <= LONGEST or words[-1] in _CONNECTED or cards:
        return ""
    mine = any(map(_FIRST_PERSON.fullmatch, words))
    parts: list[str] = []
    connectives: set[str] = set()
    sign, number = "=", None
    for word, after in pairwise([*words, ""]):
        value = int(word) if word.isdecimal() else None if word in ("una", "uno") else number_word(word)
        if word in _SIGNS:
            sign = word
        elif word in _NONE or (value is not None and (meaning_of(word) is None or meaning_of(after))):
            number = value or 0
        elif called := _called(word, mine):
            call, counts = called
            if number and not counts:
                return ""
            parts.append(call if number is None else f"{call} {sign} {number}" if counts else f"not {call}")
            sign, number = "=", None
        elif word in _CONNECTED:
            connectives.add(_CONNECTED[word])
        elif not is_filler(word):
            return ""
    form = f" {'or' if 'or' in connectives else 'and'} ".join(parts)
    return "" if number is not None or len(connectives) > 1 or form == text else form


def is_filler(word: str) -> bool:
    """Whether a word only makes a sentence of the others, in either language."""
    return bool(_FILLERS.fullmatch(word) or _FIRST_PERSON.fullmatch(word))


def _called(word: str, mine: bool) -> tuple[str, bool] | None:
    """The call of a function that a word means, of the person asking or of anybody, and whether it counts."""
    meaning = meaning_of(word)
    if meaning is None or meaning.cards or meaning.function.requires:
        return None
    match meaning.function:
        case Function(gives="truth" | "count" as gives, space="cards" | "table"):
            call = word
        case Function(gives="truth" | "count" as gives, space="hand", who="player", default="together"):
            call = f"{word}(me)" if mine else word
        case Function(gives="truth" | "count" as gives, space="hand", who="side"):
            call = word if mine else f"{word}(somebody)"
        case _:
            return None
    return call, gives == "count"
