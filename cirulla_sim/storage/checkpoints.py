"""Checkpoints: whether a file is of the same request, and the numbers that it stores to be resumed from.

Whole numbers, as a tally or scores by deal, are stored packed, as text in the file's metadata.
"""

from __future__ import annotations

import base64
import bz2
import json
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.messages import Message
from ..core.version import SAME_HANDS, VERSION
from ..situation.line_up import LineUp
from .request import Request
from .tables import read, read_stored

TALLY = "cirulla_sim_tally"

ENDINGS = ("precision", "decided", "interrupted", "gaps")
"""How a run may have ended before all was played; ``gaps`` where merged files leave some out."""


@dataclass(frozen=True)
class Wanted:
    """What a file must be of to be resumed or merged: a request, without its ``free`` parts, and other metadata.

    ``unit`` is what a trial is, in the plural.
    """

    request: Request
    free: frozenset[str]
    same: Mapping[str, Any]
    unit: str


def check(path: Path, wanted: Wanted, flag: str) -> dict[str, Any]:
    """The metadata of a file, if it is of what is ``wanted``, whichever trials it holds; ``flag`` names the file.

    Raises ``InputError`` that names what differs.
    """
    _, metadata = read(path)
    verb, unit = wanted.request.verb, wanted.unit
    if metadata["schema"] != wanted.same["schema"]:
        raise InputError(
            "{flag} {path}: holds a table of {schema!r} (valid: a file of cirulla-sim {verb})",
            flag, path, metadata["schema"], verb,
        )  # fmt: skip
    if "request" not in metadata:
        raise InputError("{flag} {path}: holds no request (valid: a file of cirulla-sim {verb})", flag, path, verb)
    there = Request.from_json(metadata["request"]).identity(wanted.free)
    here = wanted.request.identity(wanted.free)
    if there.pop("line_ups", None) != (ours := here.pop("line_ups")):
        theirs = "; ".join(str(LineUp.from_json(line_up)) for line_up in metadata["request"]["line_ups"])
        named = "; ".join(str(LineUp.from_json(line_up)) for line_up in ours)
        raise InputError(
            "{flag} {path}: holds results of {theirs!r}, and you asked for {named!r} (valid: the same)",
            flag, path, theirs, named,
        )  # fmt: skip
    there |= {name: metadata.get(name) for name in wanted.same}
    if there.get("version") in SAME_HANDS:
        there["version"] = VERSION
    here |= json.loads(json.dumps(dict(wanted.same)))
    if (difference := _difference(there, here)) is not None:
        name, value, ours = difference
        raise InputError(
            "{flag} {path}: {name} is {value} there and {ours} here (they must be the same)",
            flag, path, name, value, ours,
        )  # fmt: skip
    if type(metadata.get(unit)) is not int or metadata.get("stopped") not in (unit, *ENDINGS):
        raise InputError(
            "{flag} {path}: does not say how many {unit} it holds (valid: a file of cirulla-sim {verb})",
            flag, path, Message(unit), verb,
        )  # fmt: skip
    return metadata


def _difference(there: Any, here: Any, name: str = "") -> tuple[str, str, str] | None:
    """The first name under which two values of JSON types differ, and both values as text."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in dict.fromkeys((*here, *there)):
            if (difference := _difference(there.get(key), here.get(key), key)) is not None:
                return difference
        return None if list(there) == list(here) else (name, ", ".join(there), ", ".join(here))
    if json.dumps(there) == json.dumps(here):
        return None
    return name, *(repr(value)[:60] for value in (there, here))  # type: ignore[return-value]


def pack(numbers: NDArray[Any], dtype: str, quick: bool = False) -> str:
    """Whole numbers as text; the same numbers give the same text, a longer one with ``quick``.

    >>> text = pack(np.array([[3, 1], [4, 1]]), "<i2")
    >>> np.frombuffer(bz2.decompress(base64.b85decode(text)), "<i2").tolist()
    [3, 1, 4, 1]
    """
    raw = numbers.astype(dtype).tobytes()
    return base64.b85encode(zlib.compress(raw, 1) if quick else bz2.compress(raw, 9)).decode()


def read_packed(path: Path, name: str, dtype: str, shape: tuple[int, ...], flag: str) -> NDArray[Any]:
    """The numbers that a file stores under a name, in a shape with one length of -1 at most.

    Raises ``InputError`` if they are not there or do not fit the shape.
    """
    stored = read_stored(path)
    if name not in stored:
        raise InputError("{flag} {path}: holds no checkpoint (valid: a file as it was written)", flag, path)
    try:
        packed = base64.b85decode(stored[name])
        raw = bz2.decompress(packed) if packed.startswith(b"BZh") else zlib.decompress(packed)
        numbers = np.frombuffer(raw, dtype).reshape(shape)
    except (ValueError, OSError, zlib.error):
        raise InputError(
            "{flag} {path}: its checkpoint is damaged (valid: a file as it was written)", flag, path
        ) from None
    return numbers.astype(numbers.dtype.newbyteorder("="))


@contextmanager
def damage_refused(path: Path, flag: str) -> Iterator[None]:
    """Raises ``InputError`` where computing with the numbers of a file fails: no run stores such numbers."""
    try:
        yield
    except InputError:
        raise
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError, pl.exceptions.PolarsError):
        raise InputError(
            "{flag} {path}: its checkpoint is damaged (valid: a file as it was written)", flag, path
        ) from None
