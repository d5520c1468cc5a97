"""What figures have in common: the figures of a kind of file by name, what is said of the method, rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import Any

import polars as pl

from ...core.errors import InputError
from ...core.messages import Message
from ..text.cells import DIFFERENCES, is_share, is_significant, marked, number
from ..text.findings import Finding
from ..text.labels import Metadata, capital, changed_words, how_much, play_words, quantity_name, rules_title
from ..text.sentences import title
from .look import Look
from .rows import DOWN, UP, BarPart, ChartRow, Group, Mark, RowChart, rounded
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
    words = found if isinstance(found, str) else title(found, look.language)
    return Graphic(words, shown, body, about, str(metadata.get("command") or ""))


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


SIGNED = ("margin", "strength")
"""Quantities that are differences themselves, and so have a sign."""


def mark_of(row: Row, look: Look, texts: Sequence[str] = ()) -> Mark:
    """The mark of a row of a table, in percent where it is a share, with its number unless other texts are given."""
    share, change = is_share(row), row["kind"] in DIFFERENCES
    scale, unit = (100.0, "" if change else "%") if share else (1.0, "")
    low, estimate, high = (scale * float(end) for end in interval(row))
    sign = "+" if estimate > 0 and (change or row["quantity"] in SIGNED) else ""
    hollow = change and not is_significant(row)
    short = look.numerals(sign + rounded(estimate, (high - low) / 2).replace("-", "−")) + unit
    own = marked(row, look.language) if change else sign + number(row, look.language)
    return Mark(low, estimate, high, tuple(texts or (own,)), hollow=hollow, brief=f"({short})" if hollow else short)


def row_chart(
    rows: Iterable[Row], look: Look, label: Naming, *, heading: Naming = lambda row: "", key: Naming | None = None,
    series: Naming | None = None, texts: Callable[[Row], Sequence[str]] = lambda row: (), directed: bool = False,
    **options: Any,
) -> RowChart:  # fmt: skip
    """Groups of rows of marks in the order of a table: what has one heading and one label is one row.

    ``key`` is a row's name in the file, if it is not its label. ``directed`` marks point up for more and down for less.
    """
    names, groups = dict[str, int](), dict[str, dict[str, tuple[str, list[Mark]]]]()
    for row in rows:
        place = names.setdefault(series(row) if series else "", len(names))
        mark = mark_of(row, look, texts(row))._replace(series=place)
        if directed:
            mark = mark._replace(series=int(row["estimate"] <= 0), marker=UP if row["estimate"] > 0 else DOWN)
        own = groups.setdefault(heading(row), {})
        own.setdefault(label(row), ((key or label)(row), []))[1].append(mark)
    return RowChart(
        tuple(
            Group(head, tuple(ChartRow(name, tuple(sorted(marks, key=attrgetter("series"))), key=file_name)
                              for name, (file_name, marks) in own.items()))
            for head, own in groups.items()
        ),
        series=tuple(names) if len(names) > 1 else (), **options,
    )  # fmt: skip


_CATEGORIES = {"points_scope": "Sweeps", "points_hand_bonus": "Sets shown"}
"""Categories of points that findings call otherwise than tables."""


def category_name(quantity: str, look: Look) -> str:
    """A category of points as the name of a row."""
    return look.say(_CATEGORIES[quantity]) if quantity in _CATEGORIES else quantity_name(quantity, look)


LONGEST_FRACTION = 13
"""Characters of a fraction that are worth printing; longer ones are in the table."""


def _are_rare(rows: Iterable[Row]) -> bool:
    """Whether odds say more than percentages: 1 in 52, but not 1 in 1.51."""
    return not any(0.3 < row["estimate"] < 0.9 for row in rows)


def chance_words(rows: Iterable[Row], look: Look) -> str:
    """What a chart of chances shows."""
    return look.say("Chance, and odds." if _are_rare(rows) else "Chance.")


def chances(rows: Sequence[Row], look: Look, label: Naming, **how: Any) -> RowChart:
    """Chances from 0 on: percentage, odds where they are rare, and the fraction if it is short."""
    rare = _are_rare(rows)

    def texts(row: Row) -> tuple[str, ...]:
        exact, p = row.get("exact"), row["estimate"]
        fraction = f"= {exact}" if exact is not None and len(exact) <= LONGEST_FRACTION else ""
        odds = (look.odds(p, exact is not None),) if rare else ()
        return look.percent(p), *odds, fraction

    return row_chart(rows, look, label, texts=texts, optional=1 + rare, unit="%", from_zero=True, **how)


def interval(row: Row) -> tuple[float, float, float]:
    """The low end, the estimate and the high end; of an exact number that was checked, the simulated interval."""
    low, high = row["ci_low"], row["ci_high"]
    if row.get("simulated_low") is not None:
        low, high = row["simulated_low"], row["simulated_high"]
    if low is None:  # of the most or least seen
        low = high = row["estimate"]
    return low, row["estimate"], high


def bar(label: str, key: str, rows: Sequence[Row], look: Look, places: int = 0) -> ChartRow:
    """A row with a bar, whose parts are rows of a table; their shares, of so many decimals, add up to 100%."""
    ends = [round(100 * sum(row["estimate"] for row in rows[:n]), places) for n in range(len(rows) + 1)]
    texts = (look.numerals(f"{max(0.0, after - before):.{places}f}%") for before, after in pairwise(ends))
    parts = (
        BarPart(row["ci_low"], max(0.0, row["estimate"]), row["ci_high"], text)
        for row, text in zip(rows, texts, strict=True)
    )
    return ChartRow(label, parts=tuple(parts), key=key)
