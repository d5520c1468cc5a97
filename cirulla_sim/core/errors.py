"""The error for invalid input: one line that says what is wrong and what is valid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from string import Formatter
from typing import Any

from .messages import Message, alternatives

MOST_NAMES = 60
"""The most names in an error."""

LONGEST_QUOTE = 60
"""The most characters of a value in an error."""

LONGEST_SUGGESTION = 200
"""The most characters of a value in what an error suggests, which is of no use if it is cut."""

_SUGGESTION = re.compile(r"did you mean |\((?:valid|set|give|make|add|name) ?")
"""Where the suggestion of a template begins."""


class InputError(ValueError):
    """Invalid input of a user. The command line prints its message in one line and exits with 2.

    It is given as the template of a ``Message`` and its values, which are cut where they are long.

    >>> error = InputError("--policy {policy!r}: no such policy", "x" * 100_000)
    >>> len(str(error)), error.message.template
    (87, '--policy {policy!r}: no such policy')
    """

    message: Message

    def __init__(self, template: str = "", *values: object) -> None:
        given = template if isinstance(template, Message) else Message(template, *values)
        self.message = _short(given)
        super().__init__(self.message)

    @property
    def option(self) -> str:
        """The option that it is about, by its flag; empty where it names none first.

        >>> InputError("--hands {n!r} is out of range", 0).option, InputError("no question").option
        ('--hands', '')
        """
        first = str(self.message).replace(":", " ").split(" ")[0]
        return first if first.startswith("--") else ""


class NotWritten(OSError):
    """A file of a run could not be written. The command line prints the result before this error, and exits with 1.

    ``result`` is what the file would hold.
    """

    result: Any = None

    @classmethod
    def of(cls, error: OSError | InputError, result: Any) -> NotWritten:
        """The error with a result; that of the system keeps its file and reason."""
        given = (error.errno, error.strerror, error.filename) if isinstance(error, OSError) else (error.message,)
        unwritten = cls(*given)
        unwritten.result = result
        return unwritten


def _short(message: Message) -> Message:
    """A message in one line, all of whose values are cut that nobody reads to their end.

    >>> _short(Message("{path}: there is no such file", Path("in a folder/" * 10 + "x.parquet")))
    'in a folder/in a folder/in a...er/in a folder/x.parquet: there is no such file'
    """
    longest, values = LONGEST_QUOTE, dict(message.values)
    for text, name, _, conversion in Formatter().parse(message.template) if values else ():
        longest = LONGEST_SUGGESTION if _SUGGESTION.search(text) else longest
        if name:
            values[name] = _short_value(values[name], longest, conversion in ("r", "a"))
    return Message(message.template, *values.values())


def _short_value(value: object, longest: int, is_quoted: bool) -> object:
    if isinstance(value, InputError):
        return value.message
    if isinstance(value, Message):
        return _short(value)
    if isinstance(value, tuple):
        return tuple(_short_value(part, longest, is_quoted) for part in value)
    if isinstance(value, (Path, str)) or is_quoted:
        text = str(value) if is_quoted else " ".join(str(value).splitlines())  # a path may have line ends in it
        whole = is_quoted or isinstance(value, Path)
        return cut(text, longest) if whole else " ".join(cut(word, longest) for word in text.split(" "))
    return value


def cut(text: str, longest: int = LONGEST_QUOTE) -> str:
    """A text of ``longest`` characters at most; of a long path its end is shown too.

    >>> print(cut("x" * 100))
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...
    >>> print(cut("/folder" * 10 + "/x.parquet"))
    /folder/folder/folder/folder...older/folder/folder/x.parquet
    """
    if len(text) <= longest:
        return text
    shown = LONGEST_QUOTE - len("...")
    end = shown - shown // 2 if "/" in text else 0
    return f"{text[: shown - end]}...{text[len(text) - end :]}"


def unknown(kind: str, name: str, valid: Iterable[str], where: str = "", other: Mapping[str, str] = {}) -> InputError:
    """The error for a name that is not in a list: it quotes the name, suggests the nearest and lists the valid ones.

    ``other`` has other words for some of them.

    >>> print(unknown("preset", "cirula", ["cirulla", "scopa"]))
    unknown preset 'cirula': did you mean 'cirulla'? (valid: cirulla, scopa)
    """
    names = list(valid)
    words = [*names, *other]
    near = get_close_matches(name, words, n=1, cutoff=0.5) or get_close_matches(name.lower(), words, n=1, cutoff=0.5)
    shown = names[:MOST_NAMES]
    if len(names) > MOST_NAMES:
        shown.append(Message("and {count} more", len(names) - MOST_NAMES))
    return InputError(
        "{where}unknown {kind} {name!r}{hint} (valid: {names})",
        where, Message(kind), name, meant(other.get(near[0], near[0])) if near else "", shown,
    )  # fmt: skip


def meant(*names: str) -> Message:
    """The suggestion of some names, behind what is wrong."""
    return Message(": did you mean {names}?", alternatives(Message("{name!r}", name) for name in names))
