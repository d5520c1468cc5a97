"""Arguments as typed or given from Python: read, checked, and refused in one line that names the flag.

The public functions take text wherever the command line does, so ``hands="10M"`` is ten million hands.
"""

from __future__ import annotations

import errno
import inspect
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, DecimalException, Overflow
from functools import wraps
from pathlib import Path
from threading import Event
from typing import Any, ParamSpec, TypeVar

from .errors import InputError, unknown
from .messages import Message

P = ParamSpec("P")
T = TypeVar("T")

LANGUAGES = ("en", "it")
FORMATS = ("table", "json", "csv", "markdown", "latex", "html")
"""The formats of text; here because the modules that write them import polars."""

ENGINES = ("threads", "serial", "dask")


def command_text(words: Iterable[str]) -> str:
    """Words as a command, as a reader types it: in double quotes, since ``cmd.exe`` has no others, where those will do.

    >>> print(command_text(["odds", "barsega and matta", "a$"]))
    odds "barsega and matta" 'a$'
    """
    quoted = ((word, shlex.quote(word)) for word in words)
    return " ".join(f'"{word}"' if word != safe and not set(word) & set('"$`\\!') else safe for word, safe in quoted)


_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}


_FORKED = Event()
"""Set in a process that was forked from one that had imported polars, whose threads a fork does not copy."""


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _FORKED.set() if "polars" in sys.modules else None)


def public(function: Callable[P, T]) -> Callable[P, T]:
    """A public function: an argument that it does not have is refused with the nearest valid name.

    It is refused in a process that was forked from one that had used the package: there it would wait for ever.

    Its signature, as ``help`` shows it, has the types of the arguments without what is besides in ``Annotated``.
    """
    signature = inspect.signature(function)
    names = [name for name in signature.parameters if not name.startswith("_")]
    open_ended = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())

    @wraps(function)
    def called(*args: P.args, **keywords: P.kwargs) -> T:
        if _FORKED.is_set():
            raise InputError(
                "{name}: this process was forked from one that had used cirulla_sim (valid: start processes with "
                "multiprocessing's 'spawn' or 'forkserver')",
                function.__name__,
            )
        for name in keywords:
            if name not in names and not open_ended:
                raise unknown("argument", name, names, where=f"{function.__name__}: ")
        return function(*args, **keywords)

    parameters = signature.parameters.values()
    plain = [each.replace(annotation=getattr(each.annotation, "__origin__", each.annotation)) for each in parameters]
    called.__signature__ = signature.replace(parameters=plain)  # type: ignore[attr-defined]
    return called


_WRITTEN = ((10**7, Message(", as 10_000_000, 10M or 1e7")), (10**4, Message(", as 10_000, 10k or 1e4")))
"""Ways to write large numbers."""


def count(flag: str, value: object, low: int, high: int) -> int:
    """A whole number within bounds, as a number or as ``10_000_000``, ``10M`` or ``1e7``.

    Raises ``InputError`` that names the flag.

    >>> count("--hands", "2.5k", 1, 10**6), count("--hands", 1e3, 1, 10**6)
    (2500, 1000)
    """
    text = str(value).strip().lower().replace("e+", "e")
    match = re.fullmatch(r"([0-9]+(?:_[0-9]+)*(?:\.[0-9]+)?(?:e[0-9]+)?)([kmgb]?)", text)
    is_number = re.fullmatch(r"-[0-9][0-9_.]*[kmgb]?", text) is not None
    if match and not isinstance(value, bool):
        try:
            number = Decimal(match[1].replace("_", "")) * _UNITS[match[2]]
            if number.adjusted() <= 30 and number == number.to_integral_value() and low <= number <= high:
                return int(number)
            is_number = True
        except DecimalException as error:
            is_number = isinstance(error, Overflow)
    written = next((ways for least, ways in _WRITTEN if high >= least), "")
    valid = Message("(valid: a whole number from {low} to {high:_}{written})", low, high, written)
    if is_number:
        raise InputError("{flag} {value!r} is out of range {valid}", flag, value, valid)
    raise InputError("{flag} {value!r} is not a number {valid}", flag, value, valid)


def positive(flag: str, value: object) -> float:
    """A number above 0, also as text; raises ``InputError`` that names the flag."""
    try:
        number = 0.0 if isinstance(value, (bool, bytes)) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = 0.0
    if not 0 < number < float("inf"):
        raise InputError("{flag} {value!r} is not valid (valid: a number above 0, as 0.01)", flag, value)
    return number


def choice(flag: str, kind: str, value: object, names: Sequence[str]) -> str:
    """One of a few names; raises ``InputError`` with the nearest for any other."""
    if value not in names:
        raise unknown(kind, str(value), names, where=f"{flag}: ")
    return str(value)


def text_of(flag: str, value: object) -> str:
    """A text; raises ``InputError`` that names the flag for a value of another type."""
    if not isinstance(value, str):
        raise InputError("{flag} {value!r} is not valid (valid: text)", flag, value)
    return value


def path_of(flag: str, value: object) -> Path:
    """A file's path; raises ``InputError`` that names the flag for anything else.

    ``-``, by which other programs mean the standard input or output, is refused too.
    """
    if isinstance(value, str) and value == "-":
        raise InputError("{flag} '-' is not the path of a file (valid: a file's path, or /dev/stdout)", flag)
    if not isinstance(value, (str, Path)) or value == "" or "\0" in str(value):
        raise InputError("{flag} {value!r} is not valid (valid: a file's path)", flag, value)
    return Path(value)


MOST_BYTES = 1 << 26
"""The largest text file that is read: some 10,000 hand records."""


def read_text(path: Path, encoding: str = "utf-8", most: int = MOST_BYTES) -> str:
    """The text of a file; raises ``InputError`` for one that is too large, ``OSError`` and ``UnicodeDecodeError``."""
    if "\0" in str(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    with path.open("rb") as file:
        content = file.read(most + 1)  # of a pipe too
    if len(content) > most:
        raise InputError("{path}: has more than {most:_} bytes (valid: a smaller file)", path, most)
    return content.decode(encoding)


def switch_of(flag: str, value: object) -> bool:
    """True or False; raises ``InputError`` that names the flag for anything else."""
    if not isinstance(value, bool):
        raise InputError("{flag} {value!r} is not valid (valid: True or False)", flag, value)
    return value


def several(value: object, flag: str = "argument", single: tuple[type, ...] = (str, Path)) -> tuple[Any, ...]:
    """An argument that may be given more than once, as a tuple: one of the ``single`` types, or several of them.

    None is nothing. Raises ``InputError`` that names the flag for anything else.

    >>> several("no-matta", "--house"), several(["no-matta"], "--house"), several(None, "--house")
    (('no-matta',), ('no-matta',), ())
    """
    if value is None:
        return ()
    if isinstance(value, single):
        return (value,)
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise InputError("{flag} {value!r} is not valid (valid: text, or a list of texts)", flag, value)
    return tuple(value)


def texts_of(flag: str, value: object) -> tuple[str, ...]:
    """Texts, one or several; raises ``InputError`` that names the flag for a value of another type."""
    return tuple(text_of(flag, text) for text in several(value, flag, (str,)))


def paths_of(flag: str, value: object) -> tuple[Path, ...]:
    """Files' paths, one or several; raises ``InputError`` that names the flag for anything else."""
    return tuple(path_of(flag, file) for file in several(value, flag))


def read_names(flag: str, value: object) -> tuple[str, ...]:
    """Names, in a sequence or in one text with commas; none for ``None``; raises ``InputError`` that names the flag.

    >>> read_names("--only", "points,margin"), read_names("--only", ["points", "margin"])
    (('points', 'margin'), ('points', 'margin'))
    """
    return tuple(value.split(",")) if isinstance(value, str) else texts_of(flag, value)


def numbers(flag: str, value: object) -> tuple[int, ...]:
    """Some whole numbers, also as text as ``3,3,2``; none for ``None``; raises ``InputError`` that names the flag."""
    parts = [str(part).strip() for part in (value.split(",") if isinstance(value, str) else several(value, flag, ()))]
    if not all(re.fullmatch(r"[0-9]{1,6}", part) for part in parts) or (value is not None and not parts):
        raise InputError(
            "{flag} {value!r} is not valid (valid: whole numbers separated by commas, as 3,3,2)", flag, value
        )
    return tuple(int(part) for part in parts)


def table_file(flag: str, value: object) -> Path:
    """A file to write a table to, which is parquet: a name that promises something else is refused.

    Raises ``InputError`` that names the flag.
    """
    file = path_of(flag, value)
    if file.suffix.lower() not in ("", ".parquet"):
        raise InputError(
            "{flag} {value!r} is not valid: tables are written as parquet (valid: FILE.parquet)", flag, value
        )
    return file


def check_needs(flag: str, value: object, needed: str, there: bool) -> None:
    """Raise ``InputError`` for a flag that is given without another that it requires."""
    if value is not None and not there:
        given = f"{value:g}" if isinstance(value, float) else str(value)
        raise InputError("{flag} {given!r} needs {needed} (add it, or leave {flag} out)", flag, given, needed)


def exclude(flag: str, value: object, **others: object) -> None:
    """Raise ``InputError`` for a flag that is given with another, named as the argument, that excludes it."""
    for name, other in others.items():
        if value and other is not None and other is not False:
            raise InputError(
                "{flag} {value!r} cannot be used with --{other} (leave one out)", flag, value, name.replace("_", "-")
            )


SEED = 2**64 - 1
"""The largest seed."""

THREADS = 1024
