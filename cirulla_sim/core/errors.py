"""The error for invalid input: one line that says what is wrong and what is valid."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

MOST_NAMES = 60
"""The most names in an error."""

LONGEST_QUOTE = 60
"""The most characters that a message quotes."""


MOST_CHARACTERS = 200
"""The most characters of a path or a suggestion, which messages show whole."""

_LONG = re.compile(rf"""'(?:[^'\\]|\\.){{{MOST_CHARACTERS},}}'|"(?:[^"\\]|\\.){{{MOST_CHARACTERS},}}\"""")
"""What is quoted, as ``repr`` does it, and too long to be a path or a suggestion."""


def short(message: str, words: Iterable[str] = ()) -> str:
    """A message without what nobody reads to its end: long quotes, and long words of the command line in it, are cut.

    >>> len(short(f"{'x' * 100_000}: no row {'y' * 100_000!r}", ["x" * 100_000]))
    131
    """
    for word in sorted((word for word in words if len(word) > MOST_CHARACTERS), key=len, reverse=True):
        message = message.replace(word, quoted(word)[1:-1])
    return _LONG.sub(lambda long: quoted(long[0][1:-1]), message)


class InputError(ValueError):
    """Invalid input of a user. The command line prints its message in one line and exits with 2.

    >>> len(str(InputError(f"--policy {'x' * 100_000!r}: no such policy")))
    87
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(short(message))


def quoted(value: object) -> str:
    """A value as a message quotes it: in quotation marks, in one line, and cut where it is long.

    >>> print(quoted("cirula"), quoted("x" * 100))
    'cirula' 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'
    """
    text = value if isinstance(value, str) else str(value)
    return repr(text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 3]}...")


def unknown(kind: str, name: str, valid: Iterable[str], where: str = "") -> InputError:
    """The error for a name that is not in a list: it quotes the name, suggests the nearest and lists the valid ones.

    >>> print(unknown("preset", "cirula", ["cirulla", "scopa"]))
    unknown preset 'cirula': did you mean 'cirulla'? (valid: cirulla, scopa)
    """
    names = list(valid)
    near = get_close_matches(name, names, n=1, cutoff=0.5) or get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    hint = f": did you mean {near[0]!r}? (valid: " if near else " (valid: "
    shown = names if len(names) <= MOST_NAMES else [*names[:MOST_NAMES], f"and {len(names) - MOST_NAMES} more"]
    return InputError(f"{where}unknown {kind} {quoted(name)}{hint}{', '.join(shown)})")
