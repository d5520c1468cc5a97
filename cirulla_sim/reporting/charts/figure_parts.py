"""What figures have in common: the figures of a kind of file by name, what is said of the method, rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import polars as pl

from ...core.errors import InputError
from ...core.messages import Message
from ..text.findings import Finding
from ..text.labels import Metadata, capital, changed_words, how_much, play_words, rules_title
from ..text.sentences import title
from .look import Look
from .rows import BarPart, ChartRow, Group, Mark, interval, rounded
from .sheet import WHISKERS, Body, Graphic

Row = Mapping[str, Any]
Naming = Callable[[Row], str]
Make = Callable[[pl.DataFrame, Metadata, Look], Graphic | None]


@dataclass(frozen=True)
class Family:
    """The figures of a kind of file by name; the first that has something to show is drawn unless another is named."""

    figures: Mapping[str, Make]
    otherwise: str
    """A file that has something to show where this has not."""

    def graphic(self, name: str | None, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic:
        """A chart before it is drawn.

        Raises ``InputError`` if there is nothing to show.
        """
        for make in [self.figures[name]] if name else self.figures.values():
            if (graphic := make(frame, metadata, look)) is not None:
                return graphic
        present = [other for other, make in self.figures.items() if make(frame, metadata, look) is not None]
        valid = present or Message(self.otherwise)
        raise InputError(
            "figure {figure!r} has nothing to show (valid: {valid})", name or next(iter(self.figures)), valid
        )


def drawn(found: Finding | str, shown: str, body: Body, about: str, metadata: Metadata, look: Look) -> Graphic:
    """A chart of a file with what is found in it as its title, and the command that makes the file."""
    said = found if isinstance(found, str) else title(found, look.language)
    return Graphic(said, shown, body, about, str(metadata.get("command") or ""))


def method(metadata: Metadata, look: Look, *sentences: str, whiskers: bool = True, much: str | None = None) -> str:
    """How the numbers of a figure were made: the rules, who played, how much, what whiskers are, and what else."""
    about = ", ".join(part for part in (rules_title(metadata, look), play_words(metadata, look)) if part)
    parts = [f"{capital(text)}." for text in (about, how_much(metadata, look) if much is None else much) if text]
    parts += [look.say(WHISKERS)] if whiskers else []
    return " ".join([*parts, *(sentence for sentence in sentences if sentence)]) + changed_words(metadata, look)


def row_of(frame: pl.DataFrame, quantity: str, value: float | None = None, **columns: Any) -> dict[str, Any] | None:
    """The first row of a quantity with a value, or with none; None if there is no such row."""
    of_value = pl.col("value").is_null() if value is None else pl.col("value") == value
    rows = frame.filter(of_value, quantity=quantity, **columns)
    return rows.row(0, named=True) if rows.height else None


def mark_of(
    row: Row, texts: Sequence[str], look: Look, *, scale: float = 1.0, series: int = 0, hollow: bool = False,
    marker: str = "", sign: str = "", unit: str = "",
) -> Mark:  # fmt: skip
    """The mark of a row of a table, in a unit that is ``scale`` times the row's."""
    low, estimate, high = (scale * float(end) for end in interval(row))
    short = rounded(estimate, (high - low) / 2).replace("-", "−")
    short = look.numerals(f"{sign}{short}" if estimate > 0 else short) + unit
    return Mark(low, estimate, high, tuple(texts), series, hollow, marker, f"({short})" if hollow else short)


def rows_of(
    rows: Iterable[Row], label: Naming, mark: Callable[[Row], Mark], key: Naming | None = None,
    heading: Naming = lambda row: "",
) -> tuple[Group, ...]:  # fmt: skip
    """Groups of rows of marks in the order of a table: what has one heading and one label is one row.

    ``key`` is a row's name in the file, if it is not its label.
    """
    groups: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        groups.setdefault(heading(row), {}).setdefault(label(row), []).append(row)
    return tuple(
        Group(head, tuple(ChartRow(name, tuple(map(mark, same)), key=(key or label)(same[0]))
                          for name, same in own.items()))
        for head, own in groups.items()
    )  # fmt: skip


def bar(label: str, key: str, rows: Sequence[Row], look: Look, places: int = 0) -> ChartRow:
    """A row with a bar, whose parts are rows of a table; their shares, of so many decimals, add up to 100%."""
    ends = [round(100 * sum(row["estimate"] for row in rows[:n]), places) for n in range(len(rows) + 1)]
    texts = (look.numerals(f"{max(0.0, after - before):.{places}f}%") for before, after in pairwise(ends))
    parts = (
        BarPart(row["ci_low"], max(0.0, row["estimate"]), row["ci_high"], text)
        for row, text in zip(rows, texts, strict=True)
    )
    return ChartRow(label, parts=tuple(parts), key=key)
