"""Charts of rows: a name, marks with whiskers or a bar in parts, and numbers in columns; all of it measured.

Names take a third of the width at most and are broken into lines; numbers stand in columns at the right; the axis has
what is left. What may be left out is, before anything runs into anything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .axis import Scale, scale_of
from .keys import key_block
from .look import Look
from .measure import line_height, text_width, wrapped
from .rows import Mark, Row, RowData
from .sheet import Block

LABELS, SERIES, AXIS = 1 / 3, 0.2, 0.25
"""Parts of the width: what names of rows and of series may have, and what the axis must have."""

GAP = 0.11
"""Inches between columns."""

_LINES = 4
"""Lines of a name; what is longer is shortened."""


class Strip(NamedTuple):
    """A row, or the heading of a group."""

    height: float
    lines: list[str]
    row: Row | None


class Layout(NamedTuple):
    """Where things are, in inches from the left."""

    strips: list[Strip]
    plot: tuple[float, float]
    """Left end and width of the axes."""
    series: tuple[float, bool]
    """Where names of series stand, and whether they do."""
    columns: list[tuple[float, float]]
    """Left end and width of each column of numbers."""
    brief: bool
    scale: Scale
    key: Block
    """What names the series, or the parts of bars; it has no height where nothing must be named."""
    wide: float
    look: Look

    def top(self, rows: RowData) -> float:
        """Inches above the rows: the key, and a line for heads of columns and the name of the reference."""
        return self.key.height + (
            line_height(self.look.type.small) + 0.04 if rows.reference or any(rows.heads) else 0.0
        )

    def bottom(self, rows: RowData) -> float:
        """Inches below the rows: the axis, and what is said of rows that are not shown."""
        size = self.look.type.small
        return line_height(size) * (2.4 if rows.others else 1.2) + 0.05


def layout_of(rows: RowData, wide: float, look: Look) -> Layout:
    size, high = look.type.text, line_height(look.type.text)
    labels = {row.label: wrapped(row.label, LABELS * wide, size, most=_LINES) for row in rows.rows}
    left = max((text_width(line, size) for lines in labels.values() for line in lines), default=0.0)
    named = _names_fit(rows, wide, look)
    series = max(text_width(name, look.type.small) for name in rows.series) if named else 0.0
    gap = GAP * look.scale
    fixed = left + gap + (series + gap if named else 0.0)
    brief = False
    columns = _columns(rows, look, brief)
    if fixed + _width(columns, gap) > (1 - AXIS) * wide and any(mark.brief for row in rows.rows for mark in row.marks):
        brief = True
        columns = _columns(rows, look, brief)
    for _ in range(rows.optional):
        if fixed + _width(columns, gap) > (1 - AXIS) * wide:
            columns.pop()
    plot = wide - fixed - (_width(columns, gap) or 0.2 * look.scale)
    at = left + gap + plot
    places = []
    series_at = at + gap
    at += series + gap if named else 0.0
    for column in columns:
        places.append((at + gap, column))
        at += gap + column
    strips = []
    for heading, own in rows.groups:
        if heading:
            lines = wrapped(heading, wide, look.type.small, most=2)
            strips.append(Strip(len(lines) * line_height(look.type.small) + 0.5 * high, lines, None))
        for row in own:
            lines = labels[row.label]
            tall = max(len(lines), len(row.marks) * 0.92, 1.1 if row.parts else 1.0) * high
            strips.append(Strip(tall + 0.35 * high, lines, row))
    scale = scale_of(
        [(mark.low, mark.estimate, mark.high) for row in rows.rows for mark in row.marks], plot, look,
        unit=rows.unit, log=rows.log, from_zero=rows.from_zero, reference=rows.reference[0] if rows.reference else None,
        whole=any(row.parts for row in rows.rows),
    )  # fmt: skip
    in_parts = any(row.parts for row in rows.rows)
    key = key_block(rows.parts if in_parts else () if named else rows.series, wide, look, in_parts)
    return Layout(strips, (left + gap, plot), (series_at, named), places, brief, scale, key, wide, look)


def _names_fit(rows: RowData, wide: float, look: Look) -> bool:
    """Whether names of several series fit beside their marks; otherwise there is a key."""
    several = len(rows.series) > 1 and any(len(row.marks) > 1 for row in rows.rows)
    return several and max(text_width(name, look.type.small) for name in rows.series) <= SERIES * wide


def _columns(rows: RowData, look: Look, brief: bool) -> list[float]:
    """How wide each column of numbers is, its head included."""
    size = look.type.text
    lines = [texts_of(mark, brief) for row in rows.rows for mark in row.marks]
    lines += [tuple(part.text for part in row.parts) for row in rows.rows if row.parts]
    many = max((len(line) for line in lines), default=0)
    widths = [max((text_width(line[n], size) for line in lines if n < len(line)), default=0.0) for n in range(many)]
    heads = [text_width(head, look.type.small) for head in rows.heads]
    return [max(width, *heads[n : n + 1]) if heads[n : n + 1] else width for n, width in enumerate(widths)]


def texts_of(mark: Mark, brief: bool) -> tuple[str, ...]:
    return (mark.brief,) if brief and mark.brief else mark.texts


def _width(columns: Sequence[float], gap: float) -> float:
    return sum(column + gap for column in columns)
