"""What may be meant by a text that is no expression: a form to type that means the same, or nothing.

>>> suggested("if matta then barsega"), suggested("P(barsega & !matta)"), suggested("more aces than sevens")
('barsega given matta', 'barsega and not matta', 'aces > sevens')
>>> suggested("How often am I dealt a barsega?"), suggested("at least two kings and no ace"), suggested("the best day")
('barsega', 'kings >= 2 and ace = 0', '')
"""

from __future__ import annotations

import re
from itertools import pairwise

from .vocabulary import Function, meaning_of, number_word

_REWRITTEN = tuple(
    (re.compile(pattern, re.IGNORECASE), form)
    for pattern, form in (
        (r"^(?:what(?: is|['’]s)|qual è) (?:the |la )?|\?$", ""),
        (r"^(?:the |la )?(?:probability|chance|odds|probabilità) (?:of|that|di|che) ", ""),
        (r"^(?:P|Pr|prob|probability)\((.+?) ?\| ?(.+)\)$", r"\1 given \2"),
        (r"^(?:P|Pr|prob|probability)\((.+)\)$", r"\1"),
        (r"\b(?:avg|average|expected|expectation) ?\(", "mean("),
        (r"^(?:average|expected|mean|media) (?:number |numero )?(?:of |di )?(\w.*)$", r"mean(\1)"),
        (r" ?&&? ?", " and "),
        (r" ?\|\|? ?", " or "),
        (r"!(?!=) ?", "not "),
        (r"^(?:if|se) (.+?),? (?:then|allora) (.+)$", r"\2 given \1"),
        (r"^(\w+)\((.+?) (given|if|dato|se) (.+)\)$", r"\1(\2) \3 \4"),
        (r"^(.+?) (given|if|dato|se) (\w+) (?:given|if|dato|se) (\w+)$", r"\1 \2 \3 and \4"),
        (r"^(?:more|più) (\w+) (?:than|che|di) (\w+)$", r"\1 > \2"),
        (r"^(?:fewer|less|meno) (\w+) (?:than|che|di) (\w+)$", r"\1 < \2"),
        (r" (?:is |sono )?(?:more|greater|higher|più|maggiore|maggiori) (?:than|di|che) ", " > "),
        (r" (?:is |sono )?(?:less|fewer|lower|meno|minore|minori) (?:than|di|che) ", " < "),
        (r"(?<=[\w)]) (?:at least|almeno) (?=\d)", " >= "),
        (r"(?<=[\w)]) (?:at most|al massimo) (?=\d)", " <= "),
        (r"^(.+?) (?:at least once|almeno una volta) (?:in|su) (\d+)(?: \w+)?$", r"\1 --in \2"),
        (r"\b(?:opponents?|enemy|enemies)\b", "them"),
        (r"\bavversari[oae]?\b", "loro"),
        (r"\b(?:my|our) (?:team|side)\b", "us"),
        (r"\b(?:la )?(?:mia|nostra) (?:squadra|parte)\b", "noi"),
    )
)
"""What people write, and the form of the language that means it."""


LONGEST = 30
"""The most words of a sentence."""


def suggested(text: str) -> str:
    """A form that means what a text says; empty where there is none, or where it may mean several things."""
    plain = " ".join(text.split())
    if sentence := _of_sentence(plain):
        return sentence
    form = plain
    for pattern, replacement in _REWRITTEN:
        form = pattern.sub(replacement, form).strip()
    return "" if form == plain else form


_SIGNS = {
    ">=": ("at least", "almeno"), "<=": ("at most", "al massimo"), ">": ("more than", "più di"),
    "<": ("fewer than", "less than", "meno di"), "=": ("exactly", "esattamente"),
}  # fmt: skip
_CONNECTED = {"and": "and", "e": "and", "or": "or", "o": "or", "oppure": "or"}
_NONE = ("no", "nessun", "nessuna", "without", "senza")
_FIRST_PERSON = re.compile(r"i|i['’]m|my|me|we|our|io|ho|mi|mi[oa]|noi|faccio")
_FILLERS = re.compile(
    r"how|often|likely|what|is|the|chances?|probability|odds|that|of|to|am|are|do|be|being|get|getting|got|make|making|"
    r"dealt|hold|holding|have|having|an?|in|hand|cards|with|there|quanto|spesso|quante|volte|qual|è|la|il|di|che|"
    r"probabilità|ricevo|danno|avere|fare|un|una|uno|mano|con|le"
)


def _of_sentence(text: str) -> str:
    """The expression that a plain sentence means; empty if it has a word that says anything else."""
    lower = text.lower().rstrip("?.! ")
    if re.search(r"[^\w\s,’']", lower):
        return ""
    for sign, phrases in _SIGNS.items():
        lower = re.sub(rf"\b(?:{'|'.join(phrases)})\b", sign, lower)
    words = re.findall(r"[^\s,]+", lower)
    cards = any(meaning_of(" ".join(three)) for three in zip(words, words[1:], words[2:], strict=False))
    if not 2 <= len(words) <= LONGEST or words[-1] in _CONNECTED or cards:
        return ""
    mine = any(map(_FIRST_PERSON.fullmatch, words))
    parts: list[str] = []
    connectives: set[str] = set()
    sign, number = "=", None
    for word, after in pairwise([*words, ""]):
        value = int(word) if word.isdecimal() else number_word(word)
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
