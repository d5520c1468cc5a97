"""What charts of rows show: names, estimates with their intervals, bars in parts, numbers as they are printed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple


class Mark(NamedTuple):
    """An estimate with its interval in the unit of the axis, and its numbers as they are printed."""

    low: float
    estimate: float
    high: float
    texts: tuple[str, ...]
    series: int = 0
    hollow: bool = False
    """Whether it was tested and is not significant."""
    marker: str = ""
    """Its shape, where the series does not decide."""
    brief: str = ""
    """Its number where there is little room."""


class Part(NamedTuple):
    """A part of a bar that is whole at 1."""

    low: float
    share: float
    high: float
    text: str


@dataclass(frozen=True)
class Row:
    """A name, and marks or parts of a bar. ``key`` is its name in the file."""

    label: str
    marks: tuple[Mark, ...] = ()
    parts: tuple[Part, ...] = ()
    key: str = ""

    @property
    def dull(self) -> bool:
        """Whether there is no measurable effect."""
        return bool(self.marks) and all(mark.hollow for mark in self.marks)


class Group(NamedTuple):
    """Rows under a heading, which may be empty."""

    heading: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class RowData:
    """What a chart of rows shows."""

    groups: tuple[Group, ...]
    heads: tuple[str, ...] = ()
    """What the columns of numbers are called."""
    parts: tuple[str, ...] = ()
    """What the parts of bars are called."""
    optional: int = 0
    """Columns, from the right, that are left out where there is little room."""
    series: tuple[str, ...] = ()
    unit: str = ""
    log: bool = False
    from_zero: bool = False
    reference: tuple[float, str] | None = None
    """A line and its name."""
    others: str = ""
    """What is said of the rows that are not shown."""

    @property
    def rows(self) -> list[Row]:
        """The rows of all groups."""
        return [row for group in self.groups for row in group.rows]


def rounded(number: float, half: float) -> str:
    """A number with as many digits as its interval allows, for where there is little room.

    >>> rounded(0.3614, 0.012), rounded(-12.34, 1.5), rounded(3.0, 0)
    ('0.36', '-12', '3')
    """
    if not half or not math.isfinite(half):
        return f"{number:.4g}"
    return f"{number:.{min(6, max(0, -math.floor(math.log10(half))))}f}"
