"""Going on from a file of an earlier run: what it keeps beside the table, and whether it is of the same experiment.

Whole numbers are kept packed, as text in the file's metadata: a tally, or scores by deal.
"""

from __future__ import annotations

import base64
import bz2
import json
import math
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from .tables import read, read_kept

TALLY = "cirulla_sim_tally"

SAME = (
    "schema", "version", "rules", "deal", "asked", "compared", "policies", "seed", "unpaired", "shared", "luck",
    "fingerprint",
)  # fmt: skip
"""What of a file's metadata must be the same, where a verb writes it."""

ENDINGS = ("precision", "decided", "interrupted", "gaps")
"""How a run may have ended before all was played; ``gaps`` where files put together leave some out."""


def check(path: Path, wanted: Mapping[str, Any], unit: str, verb: str, flag: str = "--resume") -> dict[str, Any]:
    """The metadata of a file, if it is of the experiment of the metadata ``wanted``, whichever trials it holds.

    ``unit`` is what a trial is, in the plural: ``hands`` or ``games``; ``flag`` is the argument that names the file.

    Raises ``InputError`` that names what differs.
    """
    _, made = read(path)
    for name in SAME:
        there, here = made.get(name), json.loads(json.dumps(wanted.get(name)))
        if json.dumps(there) == json.dumps(here):
            continue
        if isinstance(there, dict) and isinstance(here, dict):
            different = sorted(key for key in {**there, **here} if there.get(key) != here.get(key))
            how = f"{', '.join(different)} differ" if different else "in another order"
            raise InputError(f"{flag} {path}: was made with other rules ({how})")
        raise InputError(f"{flag} {path}: {name} is {there!r} there and {here!r} here (they must be the same)")
    if not isinstance(made.get(unit), int) or made.get("stopped") not in (unit, *ENDINGS):
        raise InputError(f"{flag} {path}: does not say how many {unit} it holds {_valid(verb)}")
    return made


def pack(numbers: NDArray[Any], dtype: str, quick: bool = False) -> str:
    """Whole numbers as text; the same numbers give the same text, a longer one where it is to be ``quick``.

    >>> text = pack(np.array([[3, 1], [4, 1]]), "<i2")
    >>> np.frombuffer(bz2.decompress(base64.b85decode(text)), "<i2").tolist()
    [3, 1, 4, 1]
    """
    raw = numbers.astype(dtype).tobytes()
    return base64.b85encode(zlib.compress(raw, 1) if quick else bz2.compress(raw, 9)).decode()


def _unpacked(text: str, largest: int) -> bytes:
    """What was packed, ``largest`` bytes at most: raises ``ValueError`` or ``OSError`` for what is not."""
    packed = base64.b85decode(text)
    unpacking = bz2.BZ2Decompressor() if packed.startswith(b"BZh") else zlib.decompressobj()
    try:
        raw = unpacking.decompress(packed, largest + 1)  # no more is unpacked
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(raw) > largest:
        raise ValueError("more than there can be")
    return raw


def read_packed(
    path: Path, name: str, dtype: str, shape: tuple[int, ...], verb: str, flag: str = "--resume", most: int = 1
) -> NDArray[Any]:
    """The numbers that a file keeps under a name, in a shape of which one length may be -1, for ``most`` or fewer.

    Raises ``InputError`` if they are not there or do not fit the shape.
    """
    kept = read_kept(path)
    if name not in kept:
        raise InputError(f"{flag} {path}: holds nothing to go on from {_valid(verb)}")
    largest = abs(math.prod(shape)) * most * np.dtype(dtype).itemsize
    try:
        numbers = np.frombuffer(_unpacked(kept[name], largest), dtype).reshape(shape)
    except (ValueError, OSError):
        raise InputError(
            f"{flag} {path}: what it holds to go on from is damaged or of another version {_valid(verb)}"
        ) from None
    return numbers.astype(numbers.dtype.newbyteorder("="))


def _valid(verb: str) -> str:
    return f"(valid: a file of cirulla-sim {verb})"
