"""Files of parts of one request: which trials they hold, and the run that they are together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ..core.errors import InputError
from ..core.messages import Message
from ..engine.engines import Folded
from ..engine.trials import Trials
from ..storage.checkpoints import Checkpoint

A = TypeVar("A", bound=Any)
"""What adds up."""


class Span(NamedTuple):
    """Trials ``start`` to ``end - 1``, and the file that holds them."""

    start: int
    end: int
    path: Path


def spans(metadata: Mapping[str, Any], unit: str, path: Path) -> list[Span]:
    """The trials that a file holds by its metadata; raises ``InputError`` if that is not valid."""
    try:
        start, gaps = int(metadata.get("first", 0)), metadata.get("gaps", [])
        end = start + int(metadata[unit]) + sum(until - since for since, until in gaps)
        starts, ends = [start, *(until for _, until in gaps)], [*(since for since, _ in gaps), end]
        held = [Span(int(since), int(until), path) for since, until in zip(starts, ends, strict=True)]
        if any(span.start >= span.end for span in held):
            raise ValueError("none")
        return held
    except (ArithmeticError, KeyError, TypeError, ValueError):
        raise InputError(
            "{path}: does not say which {unit} it holds (valid: a file as it was written)", path, Message(unit)
        ) from None


def gaps_between(held: Sequence[Span], unit: str, first: int, number: int, flag: str) -> tuple[tuple[int, int], ...]:
    """The ranges of trials between others, in order, that are in no file.

    Raises ``InputError`` for trials that are in two files, and unless they begin with the first and are at most
    ``number``.
    """
    if held[0].start != first:
        raise InputError(
            "{flag} {path}: begins with {trial} {start:_} there and {first:_} here (they must be the same)",
            flag, held[0].path, Message(unit[:-1]), held[0].start, first,
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


def merged(files: Sequence[Checkpoint], trials: Trials, tally_in: Callable[[Checkpoint, int], A]) -> Folded[A]:
    """What files of one request hold together of its trials.

    ``tally_in`` reads the tally of a file that holds so many. Raises ``InputError`` for trials that are held twice, and
    for a file alone with gaps.
    """
    flag, unit = files[0].flag, trials.unit
    held = sorted(span for file in files for span in spans(file.metadata, unit, file.path))
    gaps = gaps_between(held, unit, trials.first, trials.number, flag)
    if gaps and len(files) == 1:
        raise InputError(
            "{flag} {path}: {unit} {gaps} are missing among those it holds (add files of them: cirulla-sim combine)",
            flag, files[0].path, Message(unit), gap_texts(gaps),
        )  # fmt: skip
    tally = reduce(add, (tally_in(file, file.metadata[unit]) for file in files))
    done = sum(span.end - span.start for span in held)
    return Folded(tally, done, "gaps" if gaps else files[-1].metadata["stopped"], gaps)
