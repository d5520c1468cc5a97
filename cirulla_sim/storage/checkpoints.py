"""A result file as a checkpoint: whether it is of a request, and the numbers that it stores to be resumed from.

Whole numbers, as a tally or scores by deal, are stored packed, as text in the file's metadata.
"""

from __future__ import annotations

import base64
import bz2
import json
import zlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.messages import Message
from ..core.version import SAME_HANDS, VERSION
from ..situation.line_up import LineUp
from .request import Request
from .tables import read_table

TALLY = "cirulla_sim_tally"

ENDINGS = ("precision", "decided", "interrupted", "gaps")
"""How a run may have ended before all was played; ``gaps`` where merged files leave some out."""


class Checkpoint(NamedTuple):
    """A file to resume or merge; ``flag`` is the argument that names it, and ``stored`` are its texts by name."""

    path: Path
    flag: str
    metadata: dict[str, Any]
    stored: dict[str, str]

    def numbers(self, name: str, dtype: str, shape: tuple[int, ...]) -> NDArray[Any]:
        """The numbers that it stores under a name, in a shape with one length of -1 at most.

        Raises ``InputError`` if they are not there or do not fit the shape.
        """
        try:
            packed = base64.b85decode(self.stored[name])
            raw = bz2.decompress(packed) if packed.startswith(b"BZh") else zlib.decompress(packed)
            numbers = np.frombuffer(raw, dtype).reshape(shape)
        except (KeyError, ValueError, OSError, zlib.error):
            raise self.damaged() from None
        return numbers.astype(numbers.dtype.newbyteorder("="))

    def damaged(self) -> InputError:
        """The error for numbers that no run stores."""
        return InputError(
            "{flag} {path}: its checkpoint is damaged (valid: a file as it was written)", self.flag, self.path
        )


def pack(numbers: NDArray[Any], dtype: str, quick: bool = False) -> str:
    """Whole numbers as text for ``Checkpoint.numbers``; equal ones give equal texts, longer with ``quick``.

    >>> text = pack(np.array([[3, 1], [4, 1]]), "<i2")
    >>> np.frombuffer(bz2.decompress(base64.b85decode(text)), "<i2").tolist()
    [3, 1, 4, 1]
    """
    raw = numbers.astype(dtype).tobytes()
    return base64.b85encode(zlib.compress(raw, 1) if quick else bz2.compress(raw, 9)).decode()


def stored_run(
    path: Path, flag: str, request: Request, unit: str, same: Mapping[str, Any], free: Collection[str] = ()
) -> Checkpoint:
    """A file that ``flag`` names, if it is of a request, whichever trials it holds.

    ``unit`` is what a trial is, in the plural. ``same`` is other metadata that must be the same, and ``free`` are parts
    of the question that need not be. Raises ``InputError`` that names what differs.
    """
    _, metadata, stored = read_table(path)
    if metadata["schema"] != same["schema"]:
        raise InputError(
            "{flag} {path}: holds a table of {schema!r} (valid: a file of cirulla-sim {verb})",
            flag,
            path,
            metadata["schema"],
            request.verb,
        )
    if "request" not in metadata:
        raise InputError(
            "{flag} {path}: holds no request (valid: a file of cirulla-sim {verb})", flag, path, request.verb
        )
    there, here = Request.from_json(metadata["request"]).identity(free), request.identity(free)
    if there.pop("line_ups", None) != (ours := here.pop("line_ups")):
        theirs = "; ".join(str(LineUp.from_json(line_up)) for line_up in metadata["request"]["line_ups"])
        named = "; ".join(str(LineUp.from_json(line_up)) for line_up in ours)
        raise InputError(
            "{flag} {path}: holds results of {theirs!r}, and you asked for {named!r} (valid: the same)",
            flag, path, theirs, named,
        )  # fmt: skip
    there |= {name: metadata.get(name) for name in same}
    if there.get("version") in SAME_HANDS:
        there["version"] = VERSION
    here |= json.loads(json.dumps(dict(same)))
    if (difference := _difference(there, here)) is not None:
        name, value, ours = difference
        raise InputError(
            "{flag} {path}: {name} is {value} there and {ours} here (they must be the same)",
            flag, path, name, value, ours,
        )  # fmt: skip
    if type(metadata.get(unit)) is not int or metadata.get("stopped") not in (unit, *ENDINGS):
        raise InputError(
            "{flag} {path}: does not say how many {unit} it holds (valid: a file of cirulla-sim {verb})",
            flag, path, Message(unit), request.verb,
        )  # fmt: skip
    return Checkpoint(path, flag, metadata, stored)


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
