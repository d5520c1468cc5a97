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
from collections.abc import Callable
from itertools import pairwise

from ..core.errors import InputError
from .parser import read
from .vocabulary import PEOPLE, Function, meaning_of, number_word

_ONE = r"((?:[^(),]|\([^()]*\))+)"
"""An argument, perhaps a call."""

_SEATS = "dealer|first|second|third|mazziere|cartaio|primo|secondo|terzo"


def _count(word: str) -> str:
    """A word that counts cards, not the number that it may be."""
    return f"{word}(me)" if number_word(word) is not None else word


_REWRITTEN: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), form)
    for pattern, form in (
        (r"^(?:what(?: is|['’]s)|qual è) (?:the |la )?|\?$", ""),
        (r"\b(?:all|tutt[ie] e) (?:four|quattro|4)(?: of)?(?: the| i| le| gli)? (\w+)", r"\1 = 4"),
        (r"^(?:P|Pr|prob|probability)\((.+?) ?\| ?(.+)\)$", r"\1 given \2"),
        (r"^(?:P|Pr|prob|probability)\((.+)\)$", r"\1"),
        (r"\b(?:avg|average|expected|expectation) ?\(", "mean("),
        (r"\b(?:std|stdev|stddev|scarto) ?\(", "sd("),
        (r"\b(?:hist|distribution) ?\(", "histogram("),
        (r"\b(?:mean|average|media)\(((?:until|run|attesa|serie)\(.+\))\)$", r"\1"),
        (rf"\b(?:sum|somma|total)\({_ONE}, ?{_ONE}\)", r"\1 + \2"),
        (r"^(?:count|conta)\(([^()]+|[^()]+\([^()]*\))\) ?(?=[<>=])", r"\1 "),
        (r"^(?:count|conta)\((.+)\)$", r"histogram(\1)"),
        (r"\b(?:captured|mazzetto)\((.+), ?((?:stages?|giro) ?[\d-]+)\)", r"takes(\1, \2)"),
        (r" ?&&? ?", " and "),
        (r" ?\|\|? ?", " or "),
        (r"!(?!=) ?", "not "),
        (rf"\b(?:I am|I['’]m|I sit|me =|me is|io =|io sono|sono) ?(?:the |il )?({_SEATS})\b", r"\1"),
        (r"\b(?:the |la )?(?:table|tavola) ?(?:=|is|fa|makes) ?(?:15|fifteen|quindici)\b", "fifteen"),
        (r"\b(?:the |la )?(?:table|tavola) ?(?:=|is|fa|makes) ?(?:30|thirty|trenta)\b", "thirty"),
        (r"\bI deal\b|\b(?:io )?do (?:io )?le carte\b", "dealer"),
        (r"\bI (?:play|go|am) first\b|\bgioco (?:per )?primo\b", "first"),
        (r"^(\w+)\((.+?) (given|if|dato|se) (.+)\)$", r"\1(\2) \3 \4"),
        (r"^(?:more|più) (\w+) (?:than|che|di) (\w+)$", lambda match: f"{match[1]} > {_count(match[2])}"),
        (r"^(?:fewer|less|meno) (\w+) (?:than|che|di) (\w+)$", lambda match: f"{match[1]} < {_count(match[2])}"),
        (r" (?:is |sono )?(?:more|greater|higher|più|maggiore|maggiori) (?:than|di|che) ", " > "),
        (r" (?:is |sono )?(?:less|fewer|lower|meno|minore|minori) (?:than|di|che) ", " < "),
        (r"(?<=[\w)]) (?:at least|almeno) (?=\d)", " >= "),
        (r"(?<=[\w)]) (?:at most|al massimo) (?=\d)", " <= "),
        (r"(?<=[\w)]) (\d+)(?:\+| or more| o più)$", r" >= \1"),
        (r"(?<=[\w)]) (\d+) (?:or (?:less|fewer)|o meno)$", r" <= \1"),
        (r"(?<=[\w)]) (?:is|are|equals?|è|sono|fa|fanno) (?=\w+$)", " = "),
        (rf"^{_ONE} ([<>]=?) (\d+) (?:and|e) ([<>]=?) (\d+)$", r"\1 \2 \3 and \1 \4 \5"),
        (r"\b(?:winning|to win)\b", "my wins"),
        (r"\b(?:vincere|vinco|vinciamo)\b", "mia vince"),
        (r"\b(?:opponents?|enemy|enemies)\b", "them"),
        (r"\bavversari[oae]?\b", "loro"),
        (r"\b(?:my|our) (?:team|side)\b", "us"),
        (r"\b(?:la )?(?:mia|nostra) (?:squadra|parte)\b", "noi"),
    )
)
"""What people write, and the form of the language that means it."""

_SPOKEN = re.compile(r"(?:the |la )?(?:probability|chances?|odds|percentage|probabilità) (?:of|that|di|che) (.+)", re.I)
_GIVEN = "given|if|when|assuming|provided|knowing|dato|se|quando|sapendo"
_TIMES = {"two": 2, "twice": 2, "due": 2, "three": 3, "tre": 3, "four": 4, "quattro": 4}

_WHOLE = tuple(
    (re.compile(pattern, re.IGNORECASE), form)
    for pattern, form in (
        (r"(?:if|se) (.+?),? (?:then|allora) (.+)", "{1} given {0}"),
        (rf"(.+?),? (?:{_GIVEN})(?: that| che)? (.+)", "{0} given {1}"),
        (r"(?:either )?(.+) or (.+?),? but not both", "({0} or {1}) and not ({0} and {1})"),
        (r"(.+) o (.+?),? ma non (?:entrambi|entrambe|tutt[ie] e due)", "({0} or {1}) and not ({0} and {1})"),
        (r"(.+) xor (.+)", "({0} or {1}) and not ({0} and {1})"),
        (r"(?:how many |how long |(?:the )?number of )?(?:\w+ )?until (.+)", "until({0})"),
        (r"(?:quante |quanto )?(?:\w+ )?(?:finché(?: non)?|fino a) (.+)", "attesa({0})"),
        (r"(.+?) (\w+) (?:times in a row|volte di fila)", "{0} --in-a-row {1}"),
        (r"(.+?) (?:at least once in|almeno una volta (?:su|in)) (\d+)(?: \w+)?", "{0} --in {1}"),
        (r"(?:the )?longest run of (.+) in (\d+)(?: \w+)?", "run({0}) --in {1}"),
        (
            r"(?:average|expected|mean|media|numero medio|valore medio)(?: value| number| numero)?(?: of| di)? (.+)",
            "mean({0})",
        ),
        (r"(?:the |la )?(?:median|mediana) (?:of|di) (.+)", "median({0})"),
        (r"(?:the |la )?(?:standard deviation|deviazione standard|scarto) (?:of|di) (.+)", "sd({0})"),
        (r"(?:the |la )?(?:distribution|histogram|distribuzione|istogramma) (?:of|di) (.+)", "histogram({0})"),
        (r"(?:how many|(?:the )?number of|quant[ie]|numero di) (.+[<>=].+)", "{0}"),
        (r"(?:how many|(?:the )?number of|quant[ie]|numero di) (.+)", "histogram({0})"),
    )
)
"""The same of a whole text, whose parts are read by themselves."""

LONGEST = 30
"""The most words of a sentence."""


def suggested(text: str) -> str:
    """A form that means what a text says; empty where there is none, or where it may mean several things."""
    plain = " ".join(text.split())
    form = _form(plain)
    return "" if form == plain else form


def _form(text: str, within: int = 0) -> str:
    """The form of a text, or of a part of one; empty for none."""
    for pattern, replacement in _REWRITTEN:
        text = pattern.sub(replacement, text).strip()
    if spoken := _SPOKEN.fullmatch(text):
        return _of_sentence(spoken[1]) or _form(spoken[1], within + 1)
    if not _is_expression(text):
        for pattern, form in _WHOLE if within < LONGEST else ():
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
    if not 1 <= len(words) <= LONGEST or words[-1] in _CONNECTED:
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
        elif not (_FILLERS.fullmatch(word) or _FIRST_PERSON.fullmatch(word)):
            return ""
    form = f" {'or' if 'or' in connectives else 'and'} ".join(parts)
    return "" if number is not None or len(connectives) > 1 or form == text else form


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
