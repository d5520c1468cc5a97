"""Questions put together from lists: what, of whom, when, with what, how it is measured, and given what."""

from __future__ import annotations

from dataclasses import dataclass

from ..situation.people import ITALIAN
from .terms import KINDS
from .vocabulary import GROUPS, Function, functions

MEASURES = {
    "happens": ("{x}", "{x}"), "at_least": ("{x} >= {n}", "{x} >= {n}"), "exactly": ("{x} = {n}", "{x} = {n}"),
    "at_most": ("{x} <= {n}", "{x} <= {n}"), "mean": ("mean({x})", "media({x})"),
    "histogram": ("histogram({x})", "istogramma({x})"),
}  # fmt: skip
"""How something is measured, in English and in Italian."""

PEOPLE = {**ITALIAN, "nobody": "nessuno", "table": "tavola"}
"""The people that a question can be about, with their Italian names."""

STAGES = tuple(range(1, 7))

DETAILS = {
    "kind": {name: name for name in KINDS},
    "category": {
        "cards": "carte", "diamonds": "denari", "settebello": "settebello", "primiera": "primiera", "grande": "grande",
        "piccola": "piccola", "sweeps": "scope", "knocks": "accusi", "table": "tavola",
    },
    "cards": {
        "settebello": "settebello", "aces": "assi", "twos": "due", "threes": "tre", "fours": "quattro",
        "fives": "cinque", "sixes": "sei", "sevens": "sette", "jacks": "fanti", "queens": "donne", "kings": "re",
        "hearts": "cuori", "diamonds": "denari", "clubs": "fiori", "spades": "picche",
    },
    "with": {"with ace": "con asso", "with settebello": "con settebello", "with seven": "con sette"},
    "by": {"by scopa": "con scopa"},
    "suit": {"hearts": "cuori", "diamonds": "denari", "clubs": "fiori", "spades": "picche"},
}  # fmt: skip
"""With what, by the kind of argument that functions take; with the Italian names."""


@dataclass(frozen=True)
class Call:
    """A function of the language, of whom, in which stage, and with what; the last three may be empty."""

    what: str
    who: str = ""
    stage: str = ""
    detail: str = ""

    def text(self, italian: bool = False) -> str:
        """The call as it is written.

        >>> Call("sweeps", "us", "2").text(), Call("points", "us", "", "primiera").text(italian=True)
        ('sweeps(us, stage 2)', 'punti(noi, primiera)')
        """
        function = functions().get(self.what)
        name = self.what if function is None else function.italian if italian else function.name
        details = {english: other for kind in DETAILS.values() for english, other in kind.items()}
        arguments = [
            PEOPLE.get(self.who, self.who) if italian else self.who,
            details.get(self.detail, self.detail) if italian else self.detail,
            f"{'giro' if italian else 'stage'} {self.stage}" if self.stage else "",
        ]  # fmt: skip
        inside = ", ".join(filter(None, arguments))
        return f"{name}({inside})" if inside else name


def composed(call: Call, measure: str, number: str = "", given: Call | None = None, italian: bool = False) -> str:
    """The text of a question; whether it makes sense is for its reader to say.

    >>> composed(Call("sweeps", "us"), "at_least", "2", Call("barsega", "me"), italian=True)
    'scope(noi) >= 2 se barsega(io)'
    """
    text = MEASURES.get(measure, MEASURES["happens"])[italian].format(x=call.text(italian), n=number or "1")
    return text if given is None else f"{text} {'se' if italian else 'given'} {given.text(italian)}"


def listed_by_group(italian: bool = False) -> dict[str, list[Function]]:
    """The functions that a question about fresh deals may use, by the titles of their groups."""
    groups: dict[str, list[Function]] = {}
    for function in functions().values():
        if function.space not in ("turn", "night"):
            groups.setdefault(GROUPS[function.group][italian], []).append(function)
    return groups


def people(italian: bool = False) -> list[tuple[str, str]]:
    """Names of people, and what they are called."""
    return [(name, other if italian else name) for name, other in PEOPLE.items()]
