"""Rows of tables as rows of charts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from ...core.locale import Language
from ...stats.decisions import verdict
from ..text.cells import DIFFERENCES, SIGNED, Row, is_share, is_significant, marked, number
from .rows import DOWN, UP, ChartRow, Mark, RowChart


def signed_number(row: Row, locale: Language, places: int | None = None) -> str:
    """The number of a row, of so many decimals, with a plus sign where it is a difference of more than 0."""
    return "+" * (row["quantity"] in SIGNED and row["estimate"] > 0) + number(row, locale, places)


def interval(row: Row) -> tuple[float, float, float]:
    """The low end, the estimate and the high end; of an exact number that was checked, the simulated interval."""
    checked = row.get("simulated_low") is not None
    low, high = (row["simulated_low"], row["simulated_high"]) if checked else (row["ci_low"], row["ci_high"])
    if low is None:  # of the most or least seen
        low = high = row["estimate"]
    return low, row["estimate"], high


def row_chart(
    rows: Iterable[Row], locale: Language, *, directed: bool = False, tested: bool = False,
    largest_first: bool = False, **options: Any,
) -> RowChart:  # fmt: skip
    """Groups of rows of marks, in the order of a table or ``largest_first``: one heading and one label is one row.

    The rows are of a table, each with its ``label``, and perhaps a ``heading``, a ``series``, ``texts`` in place of its
    number, and a ``key``, its name in the file, if that is not its label. Shares are in percent. ``directed`` marks
    point up for more and down for less. Marks are hollow where a difference, or a number that is ``tested`` against 0,
    is not significant.
    """
    series, shares = dict[str, int](), False
    chart_rows: dict[tuple[str, str], ChartRow] = {}
    for row in rows:
        scale, change, is_more = 100.0 if is_share(row) else 1.0, row["kind"] in DIFFERENCES, row["estimate"] > 0
        shares |= is_share(row) and not change
        place, marker = series.setdefault(row.get("series", ""), len(series)), ""
        if directed:
            place, marker = int(not is_more), UP if is_more else DOWN
        hollow = not is_significant(row) if change else tested and verdict(row) == "open"
        text = marked(row, locale) if change else signed_number(row, locale)
        texts = row.get("texts") or (f"({text})" if hollow and not change else text,)
        low, estimate, high = (scale * end for end in interval(row))
        mark = Mark(low, estimate, high, tuple(texts), place, hollow, marker)
        heading, label = row.get("heading") or "", row["label"]
        others = chart_rows.setdefault((heading, label), ChartRow(label, (), row.get("key", label), heading))
        chart_rows[heading, label] = replace(others, marks=(*others.marks, mark))
    in_order = [replace(row, marks=tuple(sorted(row.marks, key=attrgetter("series")))) for row in chart_rows.values()]
    if largest_first:
        in_order.sort(key=lambda row: -row.size)
    names = tuple(series) if len(series) > 1 else ()
    return RowChart(tuple(in_order), series=names, unit="%" if shares else "", **options)


LONGEST_FRACTION = 13
"""Characters of a fraction that are worth printing; longer ones are in the table."""

RARE = 0.3
"""Chances below it have odds: 1 in 52 says more than a percentage, 1 in 1.51 does not."""


def chance_words(rows: Iterable[Row], locale: Language) -> str:
    """What a chart of chances shows."""
    return locale.say("Chance, and odds." if any(0 < row["estimate"] < RARE for row in rows) else "Chance.")


def chance_chart(rows: Sequence[Row], locale: Language, **options: Any) -> RowChart:
    """Chances from 0 on: percentage, odds where they are rare, and the fraction if it is short.

    All percentages have as many decimals, unless some are too small for the decimals of the others.
    """
    rare = any(row["estimate"] < RARE for row in rows)
    half = 50 * max((high - low for low, _, high in map(interval, rows)), default=0.0)
    places = 2 if half < 0.05 and all(row["estimate"] < 0.1 for row in rows) else 1 if half < 2.5 else 0
    written = []
    for row in rows:
        exact, p = row.get("exact"), row["estimate"]
        fraction = f"= {exact}" if exact is not None and len(exact) <= LONGEST_FRACTION else ""
        odds = (locale.odds(p, exact is not None) if p < RARE else "",) if rare else ()
        shown = locale.numerals(f"{100 * p:.{places}f}%") if round(100 * p, places) else locale.percent(p)
        written.append({**row, "texts": (shown, *odds, fraction)})
    return row_chart(written, locale, optional=1 + rare, from_zero=True, **options)


NONE = {"ci_low": 0.0, "estimate": 0.0, "ci_high": 0.0}
"""A part of a bar that there is nothing of."""


def bar(
    label: str, parts: Sequence[Row], locale: Language, places: int = 0, key: str = "", heading: str = ""
) -> ChartRow:
    """A row with a bar, whose parts are rows of a table, with their shares of so many decimals."""
    shares = [max(0.0, row["estimate"]) for row in parts]
    marks = (
        Mark(row["ci_low"], share, row["ci_high"], (locale.numerals(f"{100 * share:.{places}f}%"),), part)
        for part, (row, share) in enumerate(zip(parts, shares, strict=True))
    )
    return ChartRow(label, tuple(marks), key or label, heading)
