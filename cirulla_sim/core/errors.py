"""The error for invalid input: one line that says what is wrong and what is valid."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

MOST_NAMES = 60
"""The most names in an error."""

LONGEST_QUOTE = 60
"""The most characters that a message quotes."""

LONGEST_SUGGESTION = 200
"""The most characters of what a message suggests, which is of no use if it is cut."""

_SUGGESTION = re.compile(r"did you mean |\((?:valid|set|give|make|add|name) ")


def _patterns(longest: int) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What is quoted, as ``repr`` does it, and words without quotation marks, where they are longer.

    No quotation begins within a word.
    """
    quotation = rf"""(?<!\w)(?P<mark>['"])(?P<text>(?:(?!(?P=mark))[^\\]|\\.){{{longest + 1},}})(?P=mark)"""
    return re.compile(quotation), re.compile(rf"""[^\s'":]{{{longest + 1},}}""")


_LONG = {longest: _patterns(longest) for longest in (LONGEST_QUOTE, LONGEST_SUGGESTION)}


def short(message: str, words: Iterable[str] | None = None) -> str:
    """A message without what nobody reads to its end: all that it quotes is cut.

    Given the ``words`` of the command line, those are cut too where they are not quoted.

    >>> short(f"--at {'x' * 100!r}: no such card")
    "--at 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...': no such card"
    >>> short(f"{'in a folder/' * 10}x.parquet: there is no such file", ["in a folder/" * 10 + "x.parquet"])
    'in a folder/in a folder/in a...er/in a folder/x.parquet: there is no such file'
    """
    suggestion = _SUGGESTION.search(message)
    end = suggestion.start() if suggestion else len(message)
    return _cut(message[:end], LONGEST_QUOTE, words) + _cut(message[end:], LONGEST_SUGGESTION, words)


def _cut(message: str, longest: int, words: Iterable[str] | None) -> str:
    texts = {text for word in words or () for text in (word, word.partition("=")[2]) if len(text) > longest}
    for word in sorted(texts, key=len, reverse=True):
        for text in (word, repr(word)[1:-1]):
            message = message.replace(text, cut(text))
    quotation, run = _LONG[longest]
    message = quotation.sub(lambda long: f"{long['mark']}{cut(long['text'])}{long['mark']}", message)
    return message if words is None else run.sub(lambda long: cut(long[0]), message)


class InputError(ValueError):
    """Invalid input of a user. The command line prints its message in one line and exits with 2.

    >>> len(str(InputError(f"--policy {'x' * 100_000!r}: no such policy")))
    87
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(" ".join(short(message).splitlines()))  # a path may have line ends in it


def cut(text: str) -> str:
    """A text of ``LONGEST_QUOTE`` characters at most; of a long path its end is shown too.

    >>> print(cut("x" * 100))
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...
    >>> print(cut("/folder" * 10 + "/x.parquet"))
    /folder/folder/folder/folder...older/folder/folder/x.parquet
    """
    if len(text) <= LONGEST_QUOTE:
        return text
    shown = LONGEST_QUOTE - len("...")
    end = shown - shown // 2 if "/" in text else 0
    return f"{text[: shown - end]}...{text[len(text) - end :]}"


def quoted(value: object) -> str:
    """A value as a message quotes it: in quotation marks, in one line, and cut where it is long.

    >>> print(quoted("cirula"), quoted("x" * 100))
    'cirula' 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'
    """
    return repr(cut(value if isinstance(value, str) else str(value)))


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
