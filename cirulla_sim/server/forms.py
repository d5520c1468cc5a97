"""What a form sent, and what is wrong with it, field by field.

What the page may name: rules and policies of the package, never a file, an engine, a scheduler or an output.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request

from ..core.arguments import count
from ..core.cards import check_suits
from ..core.errors import InputError, cut, unknown
from ..core.locale import add_names
from ..core.messages import Message
from ..engine.policies import POLICIES
from ..ruleset.catalogue import catalogue, house_names, preset_names
from ..situation.notation import RECORDED, Situation

MOST_FIELDS = 200

LABELS = {
    "--rules": "Rules", "--players": "Players", "--house": "House rules", "--policy": "Who plays", "--hands": "Hands",
    "--games": "Whole games too", "--at": "What you know", "--me": "My seat", "--given": "Only if", "--by": "Split by",
    "--top": "Only the highest", "--in": "In how many", "--times": "How many times", "--in-a-row": "In a row",
    "--samples": "Deals of the unseen cards", "--us": "We play like", "--them": "The others play like",
    "--own": "Rules of your own",
}  # fmt: skip
"""What the fields of options are called."""


@dataclass
class Form:
    """The values of a form by field, and one line for each field that is wrong; ``""`` is the form as a whole."""

    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.values)

    def get(self, name: str, default: str = "") -> str:
        """The value of a field without blanks around it; the default if it is empty."""
        return next((value.strip() for value in self.values.get(name, ()) if value.strip()), default)

    def all(self, name: str) -> tuple[str, ...]:
        """The values of a field that may have several."""
        return tuple(value.strip() for value in self.values.get(name, ()) if value.strip())

    def refuse(self, error: InputError, main: str = "", flags: Mapping[str, str] | None = None) -> None:
        """Put an error beside its field: that of its option, otherwise ``main``.

        ``flags`` maps flags to fields where these are not called alike.

        >>> form = Form()
        >>> form.refuse(InputError("--hands '0' is out of range (valid: 1 to 10)"), "question")
        >>> form.refuse(InputError("'foo' is not an expression"), "question")
        >>> sorted(form.errors)
        ['hands', 'question']
        """
        usual = error.option[2:].replace("-", "_") or main
        self.errors.setdefault((flags or {}).get(error.option, usual), error.message)

    @property
    def query(self) -> str:
        """The form as the query of an address."""
        return urlencode([(name, value) for name, values in self.values.items() for value in values])


def query_form(request: Request) -> Form:
    """The form in the address of a request; the language is no part of it."""
    values: dict[str, tuple[str, ...]] = {}
    try:
        pairs = parse_qsl(request.url.query, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise InputError("the form has too many fields (valid: {most} at most)", MOST_FIELDS) from None
    for name, value in pairs:
        if name != "lang":
            values[name] = (*values.get(name, ()), value)
    return Form(values)


def rename_file(error: InputError, path: Path, name: str) -> InputError:
    """An error about a file, under the name that its owner knows."""
    values = error.message.values.values()
    return InputError(Message(error.message.template, *(name if x == cut(str(path)) else x for x in values)))


OFFERED = {name: texts for entry in POLICIES.values() for name, texts in entry.get("page", {}).items()}
"""The policies of the page and what they are, in English and in Italian; larger searches take too long for it."""
add_names("it", OFFERED.values())


def policy(name: str, flag: str = "--policy") -> str:
    """The name of a policy that the page offers; raises ``InputError`` that names the flag for any other."""
    if name not in OFFERED:
        raise unknown("policy", name, OFFERED, where=f"{flag}: ")
    return name


def preset(name: str) -> str:
    """The name of a preset; raises ``InputError`` for any other, and so for a file."""
    if name not in preset_names():
        raise unknown("preset", name, preset_names(), where="--rules: ")
    return name


def houses(names: Iterable[str]) -> tuple[str, ...]:
    """Names of house rules, also of several together as ``NAME+NAME``; raises ``InputError`` for any other."""
    chosen = tuple(names)
    for name in (part for several in chosen for part in several.split("+")):
        if name not in house_names():
            raise unknown("house rule", name, house_names(), where="--house: ")
    return chosen


def players(text: str, rules: str) -> int | None:
    """A number of players that a preset has; None for the usual one. Raises ``InputError`` for another."""
    if not text:
        return None
    number, seats = count("--players", text, 2, 4), catalogue()["preset"][rules]["seats"]
    if number not in seats:
        raise InputError("--players {text!r}: {rules} has not that number (valid: {other_seats})", text, rules, seats)
    return number


def situation(text: str, lang: str) -> str | None:
    """A situation as it is written in a language; None for none.

    Raises ``InputError`` for a card that is not clear in it, for a play of a record, which would be a file, for
    policies of pairs that the page does not offer, and for text that is no situation.
    """
    if not text:
        return None
    if RECORDED.match(text):
        raise InputError("--at {text!r}: a file cannot be named here (valid: cards, as 'me: 7h K*')", text)
    check_suits({"--at: ": text}, lang)
    night = Situation.parse(text).night
    for name in () if night is None else filter(None, night.pairs):
        policy(name, "--at")
    return text
