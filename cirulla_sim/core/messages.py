"""Sentences with values in them, so that each language says the whole sentence and leaves the values as they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial, reduce
from string import Formatter
from typing import Any


class Filler(Formatter):
    """Fills the places of a template: after ``!r`` with its value in quotation marks, whatever its type.

    After ``!c`` and ``!l`` the value begins with a capital, or with a small letter. After a colon with ``|``
    stands what agrees with one or many; a value may say itself whether it is ``many``.

    >>> Filler().format("{who!c}: {hands!r} of {known} {known:hand|hands}", who="first", hands=10, known="12")
    "First: '10' of 12 hands"
    """

    def format_field(self, value: Any, format_spec: str) -> Any:
        """A value as its place asks for it."""
        if "|" in format_spec:
            return format_spec.split("|")[getattr(value, "many", _ONE.match(str(value)) is None)]
        written = super().format_field(value, format_spec)
        return written.replace("-", "−") if format_spec.endswith("f") else written

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        """A value as it is put in, before its format."""
        if conversion in ("c", "l"):
            text = str(value)
            return (text[:1].upper() if conversion == "c" else text[:1].lower()) + text[1:]
        return repr(str(value)) if conversion == "r" else super().convert_field(value, conversion)  # type: ignore[arg-type,unused-ignore]


_ENGLISH = Filler()
_ONE = re.compile(r"[+−]?1(?![\d.,])(?!.*±)")
"""A number that takes the singular: 1, but not 1,5 and not an estimate."""


class Message(str):
    """An English sentence that can also be said in other languages: its template, and the values in it by name.

    The template is the key of the catalogues. The values come in the order in which it names them first. A value is a
    text or a number, which stay as they are, or a message or several of them, which are translated too.

    >>> message = Message("{path}: {fault}", "a.toml", Message("is empty"))
    >>> message, message.template, message.values
    ('a.toml: is empty', '{path}: {fault}', {'path': 'a.toml', 'fault': 'is empty'})
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, *values: object) -> Message:
        if isinstance(template, Message) and not values:
            return template
        fixed = (tuple(one) if isinstance(one, Iterable) and not isinstance(one, str) else one for one in values)
        given = dict(zip(names_of(template), fixed, strict=True)) if values else {}
        message = super().__new__(cls, fill_in(template, given, _ENGLISH, str))
        message.template, message.values = template, given
        return message

    @property
    def fault(self) -> Message:
        """What it says before a suggestion in brackets at its end.

        >>> Message("{path} is a folder (name a file in it)", "x").fault
        'x is a folder'
        """
        template = before_suggestion(self.template)
        return Message(template, *map(self.values.get, names_of(template)))


def before_suggestion(template: str) -> str:
    """A template without the brackets at its end."""
    return template.rpartition(" (")[0] or template


_FLAG = re.compile(r"(?<![\w'])--[a-z][a-z-]*")
_OF_COMMANDS = re.compile(r"cirulla-sim|\b(?:odds|games|compare) |FILE|FIELD|PRESET|CAMPO")
"""What speaks of the command line besides flags."""


def in_forms(template: str, called: Mapping[str, str]) -> str:
    """A template for a page of forms: flags as their fields are ``called``, without brackets that name anything else.

    >>> in_forms("--hands {n!r} is less than --top (add --top, or see odds --list)", {"--hands": "“Hands”"})
    '“Hands” {n!r} is less than --top'
    """
    before = before_suggestion(template)
    after = template[len(before) :]
    if _OF_COMMANDS.search(after) or not set(_FLAG.findall(after)) <= set(called):
        template = before
    return _FLAG.sub(lambda flag: called.get(flag[0], flag[0]), template)


def names_of(template: str) -> list[str]:
    """The names of the places of a template, each once."""
    return list(dict.fromkeys(name for _, name, _, _ in Formatter().parse(template) if name))


def alternatives(values: Iterable[object]) -> object:
    """Some values with *or* between them.

    >>> alternatives(["games", "odds", "compare"])
    'games or odds or compare'
    """
    return reduce(partial(Message, "{first} or {other}"), values)


def conjunction(values: Iterable[str]) -> str:
    """Some values with *and* between them.

    >>> conjunction(["100 hands", "20 games"])
    '100 hands and 20 games'
    """
    return reduce(partial(Message, "{first} and {other}"), values)


def fill_in(template: str, values: Mapping[str, object], filler: Filler, translate: Callable[[str], str]) -> str:
    """A template with its values: messages translated, and several values separated by commas."""

    def text(value: object) -> object:
        if isinstance(value, tuple):
            return ", ".join(str(text(part)) for part in value)
        return translate(value) if isinstance(value, Message) else value

    return filler.vformat(template, (), {name: text(value) for name, value in values.items()}) if values else template
