"""Checkpoints: result files of runs, written at intervals and on any way out, resumed, and merged.

A result file stores the tally beside its table: whole numbers, packed, as texts in its metadata.
"""

from __future__ import annotations

import base64
import bz2
import json
import os
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import reduce
from math import prod
from operator import add
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InputError
from ..core.messages import Message
from ..core.signals import note_signals, raise_on_signals
from ..core.version import SAME_HANDS, VERSION
from ..engine.engines import Folded
from ..engine.trials import Trials
from ..situation.line_up import LineUp
from ..storage.atomic_files import sole_writer
from ..storage.request import Request
from ..storage.tables import read_table

TALLY = "cirulla_sim_tally"

MOST_BYTES = 1 << 30
"""The most bytes of numbers that a file stores: some 100 million hands of a tournament."""

ENDINGS = ("precision", "decided", "interrupted", "gaps")
"""How a run may have ended before all was played; ``gaps`` where merged files leave some out."""

EVERY, SOON = 60.0, 3.0
"""Usual seconds between checkpoints; and after which the first is written, each later one after twice as long."""

MOST = 100
"""The least time between checkpoints, as a multiple of the time that one takes: they take 1% of the time at most."""

A = TypeVar("A", bound=Any)
"""What adds up."""


# ------------------------------------------------------------------------------------------------ written


@dataclass(frozen=True)
class Saving:
    """Where a run is saved: its file or None, the least seconds between checkpoints, and whether an existing file is
    replaced (``force``) or resumed.

    ``resume`` are files to resume, several if they hold parts of one request; ``flag`` is the argument that names the
    output.
    """

    output: Path | None = None
    resume: tuple[Path, ...] = ()
    every: float = EVERY
    force: bool = False
    flag: str = "-o"

    @property
    def earlier(self) -> tuple[Path, ...]:
        """The files that hold what is done already: those to resume, else the output file if it is there."""
        if self.resume or self.output is None or self.force or not os.path.isfile(self.output):
            return self.resume
        return (self.output,)

    @contextmanager
    def open(self, write: Callable[[Any], None], at_once: bool = False) -> Iterator[Autosave]:
        """Yields what saves a run as it goes on, by ``write``; ``at_once`` saves what grows first.

        Where an exception or a signal ends the block, the run so far is written first. The file is locked meanwhile.
        Raises ``InputError`` if it cannot be written.
        """
        autosave = Autosave(write, self.every, at_once)
        with raise_on_signals(), nullcontext() if self.output is None else sole_writer(self.output):
            try:
                yield autosave
            except BaseException:
                with note_signals():  # one more signal does not end the saving
                    autosave.save()
                raise


NOWHERE = Saving()
"""A run that is not saved."""


class Autosave:
    """Saves a run as it goes on: after ``SOON`` at first, in the end at intervals of ``every`` seconds at least."""

    def __init__(self, write: Callable[[Any], None], every: float, at_once: bool) -> None:
        self._write, self._every, self._wait = write, every, min(every, SOON)
        self._due = 0.0 if at_once else monotonic() + self._wait
        self._is_first = True
        self.unsaved: Any = None
        """The run so far, if it is not saved."""

    def on_growth(self, run: Any) -> None:
        """Take the run so far, and save it if it is time; a disk that is full for a while does not end the run."""
        self.unsaved = run
        if monotonic() >= self._due:
            try:
                self.save()
            except (OSError, InputError):
                self._due = monotonic() + self._every

    def save(self) -> None:
        """Save what there is, if it is not saved."""
        if self.unsaved is None:
            return
        began = monotonic()
        self._write(self.unsaved)
        self.unsaved, now = None, monotonic()
        took = 0.0 if self._is_first else now - began  # the first time takes longer, as modules are imported
        self._wait, self._is_first = min(self._every, 2 * self._wait), False
        self._due = now + max(self._wait, MOST * took)


def pack(numbers: NDArray[Any], dtype: str, quick: bool = False) -> str:
    """Whole numbers as text for ``Checkpoint.numbers``; equal ones give equal texts, longer with ``quick``.

    >>> text = pack(np.array([[3, 1], [4, 1]]), "<i2")
    >>> np.frombuffer(bz2.decompress(base64.b85decode(text)), "<i2").tolist()
    [3, 1, 4, 1]
    """
    raw = numbers.astype(dtype).tobytes()
    return base64.b85encode(zlib.compress(raw, 1) if quick else bz2.compress(raw, 9)).decode()


# ------------------------------------------------------------------------------------------------ resumed


class Checkpoint(NamedTuple):
    """A file to resume or merge; ``stored`` are its texts by name."""

    path: Path
    metadata: dict[str, Any]
    stored: dict[str, str]

    @classmethod
    def read(cls, path: Path) -> Checkpoint:
        """A result file as a checkpoint; raises ``InputError`` as ``read_table`` does."""
        return cls(path, *read_table(path)[1:])

    def damaged(self) -> InputError:
        """The error for what no run stores."""
        return InputError("{path}: its checkpoint is damaged (valid: a file as it was written)", self.path)

    def numbers(self, name: str, dtype: str, shape: tuple[int, ...]) -> NDArray[Any]:
        """The numbers that it stores under a name, in a shape with one length of -1 at most.

        Raises ``InputError`` if they are not there or do not fit the shape.
        """
        try:
            packed = base64.b85decode(self.stored[name])
            opened = bz2.BZ2Decompressor() if packed.startswith(b"BZh") else zlib.decompressobj()
            most = MOST_BYTES if -1 in shape else prod(shape) * np.dtype(dtype).itemsize
            numbers = np.frombuffer(opened.decompress(packed, most + 1), dtype).reshape(shape)
        except (KeyError, ValueError, OSError, zlib.error):
            raise self.damaged() from None
        return numbers.astype(numbers.dtype.newbyteorder("="))

    def spans(self, unit: str) -> list[Span]:
        """The trials that it holds by its metadata; raises ``InputError`` if that is not valid."""
        try:
            start, gaps = int(self.metadata.get("first", 0)), self.metadata.get("gaps", [])
            end = start + int(self.metadata[unit]) + sum(until - since for since, until in gaps)
            starts, ends = [start, *(until for _, until in gaps)], [*(since for since, _ in gaps), end]
            held = [Span(int(since), int(until), self.path) for since, until in zip(starts, ends, strict=True)]
        except (ArithmeticError, KeyError, TypeError, ValueError):
            raise self.damaged() from None
        if any(span.start >= span.end for span in held):
            raise self.damaged()
        return held

    def check(self, request: Request, unit: str, same: Mapping[str, Any], free: Collection[str] = ()) -> None:
        """Raise ``InputError`` that names what differs, unless it is of a request, whichever trials it holds.

        ``unit`` is what a trial is, in the plural. ``same`` is other metadata that must be the same, and ``free`` are
        parts of the question that need not be.
        """
        path, metadata = self.path, self.metadata
        if metadata["schema"] != same["schema"] or "request" not in metadata:
            raise InputError(
                "{path}: holds a table of {schema!r} (valid: a file of cirulla-sim {verb})",
                path, metadata["schema"], request.verb,
            )  # fmt: skip
        there, here = Request.from_json(metadata["request"]).identity(free), request.identity(free)
        theirs, ours = (
            "; ".join(str(LineUp.from_json(line_up)) for line_up in each.pop("line_ups")) for each in (there, here)
        )
        if theirs != ours:
            raise InputError(
                "{path}: holds results of {theirs!r}, and you asked for {named!r} (valid: the same)", path, theirs, ours
            )
        there |= {name: metadata.get(name) for name in same}
        if there.get("version") in SAME_HANDS:
            there["version"] = VERSION
        if (difference := _difference(there, here | json.loads(json.dumps(dict(same))))) is not None:
            raise InputError(
                "{path}: {name} is {value} there and {ours} here (they must be the same)", path, *difference
            )
        if type(metadata.get(unit)) is not int or metadata.get("stopped") not in (unit, *ENDINGS):
            raise self.damaged()


def _difference(there: Any, here: Any, name: str = "") -> tuple[str, str, str] | None:
    """The first name under which two values of JSON types differ, and both values as text."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in dict.fromkeys((*here, *there)):
            if (difference := _difference(there.get(key), here.get(key), key)) is not None:
                return difference
        return None if list(there) == list(here) else (name, ", ".join(there), ", ".join(here))
    return None if json.dumps(there) == json.dumps(here) else (name, repr(there)[:60], repr(here)[:60])


# ------------------------------------------------------------------------------------------------ merged


class Span(NamedTuple):
    """Trials ``start`` to ``end - 1``, and the file that holds them."""

    start: int
    end: int
    path: Path


def gaps_between(held: Sequence[Span], unit: str, first: int, number: int) -> tuple[tuple[int, int], ...]:
    """The ranges of trials between others, in order, that are in no file.

    Raises ``InputError`` for trials that are in two files, and unless they begin with the first and are at most
    ``number``.
    """
    if held[0].start != first:
        raise InputError(
            "{path}: begins with {trial} {start:_} there and {first:_} here (they must be the same)",
            held[0].path, Message(unit[:-1]), held[0].start, first,
        )  # fmt: skip
    if held[-1].end > first + number:
        raise InputError(
            "--{option} {number!r} is less than the {held} {unit} of {path} (valid: as many)",
            unit, number, held[-1].end - first, Message(unit), held[-1].path,
        )  # fmt: skip
    gaps, at = [], first
    for before, span in zip((held[0], *held), held, strict=False):
        if span.start < at:
            raise InputError(
                "{unit} {start:_} to {end:_} are in {path} and in {other} (each may be counted once: leave one out)",
                Message(unit), span.start, min(at, span.end) - 1, before.path, span.path,
            )  # fmt: skip
        gaps += [(at, span.start)] if span.start > at else []
        at = span.end
    return tuple(gaps)


def gap_texts(gaps: Sequence[tuple[int, int]]) -> list[Message]:
    """The ranges as text.

    >>> gap_texts([(100, 1100), (2000, 2001)])
    ['100 to 1,099', '2,000 to 2,000']
    """
    return [Message("{first:,} to {last:,}", since, until - 1) for since, until in gaps]


def merge_files(files: Sequence[Checkpoint], trials: Trials, tally_in: Callable[[Checkpoint, int], A]) -> Folded[A]:
    """What files of one request hold together of its trials.

    ``tally_in`` reads the tally of a file that holds so many. Raises ``InputError`` for trials that are held twice, and
    for a file alone with gaps.
    """
    unit = trials.unit
    held = sorted(span for file in files for span in file.spans(unit))
    gaps = gaps_between(held, unit, trials.first, trials.number)
    if gaps and len(files) == 1:
        raise InputError(
            "{path}: {unit} {gaps} are missing among those it holds (add files of them: cirulla-sim combine)",
            files[0].path, Message(unit), gap_texts(gaps),
        )  # fmt: skip
    tally = reduce(add, (tally_in(file, file.metadata[unit]) for file in files))
    done = sum(span.end - span.start for span in held)
    return Folded(tally, done, "gaps" if gaps else files[-1].metadata["stopped"], gaps)
