"""Result tables for spreadsheets: plain numbers, the ends of intervals and other units in columns of their own."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator

import polars as pl

from ...core.locale import Language
from .cells import NUMBERS, NumberCell
from .labels import Metadata
from .layouts import cells_of, pivoted


def spreadsheet_table(frame: pl.DataFrame, metadata: Metadata, locale: Language, whole: bool = False) -> pl.DataFrame:
    """A result table for spreadsheets: numbers without ± and marks, each kind and unit in a column of its own."""
    cells = list(cells_of(frame, metadata, locale, whole))
    table = pivoted(
        ({head: for_spreadsheet(text, locale) for head, text in about.items()}, column, text)
        for about, heading, cell in cells
        for column, text in _columns(heading, cell, locale)
    )
    headings = list(dict.fromkeys(heading for _, heading, _ in cells))
    place = {  # columns with one heading stand together
        column: (1 + headings.index(heading), "" if isinstance(cell, str) else cell.unit, number)
        for _, heading, cell in cells
        for number, (column, _) in enumerate(_columns(heading, cell, locale))
    }
    order = sorted(table.columns, key=lambda name: place.get(name, (0, "", 0)))
    return table.select(name for name in order if (table[name] != "").any())


def _columns(heading: str, cell: str | NumberCell, locale: Language) -> Iterator[tuple[str, str]]:
    """The columns of a spreadsheet that a cell fills, and what stands in each."""
    if isinstance(cell, str):
        yield heading, "" if set(cell) <= {"█", "·"} else for_spreadsheet(cell, locale)
        return
    named = f"{heading} ({locale.say(cell.unit)})" if cell.unit else heading
    for part in NUMBERS:
        number = cell.numbers.get(part)
        column = f"{named}, {locale.say(part)}" if part else named
        yield (
            column,
            "" if number is None or not math.isfinite(number) else locale.numerals(f"{number:.10g}").replace("−", "-"),
        )


def for_spreadsheet(text: str, locale: Language) -> str:
    """A text of which a spreadsheet makes neither a formula nor a date; a number is written as it reads one.

    >>> from cirulla_sim.core.locale import language
    >>> english = language("en")
    >>> [for_spreadsheet(text, english) for text in ("=1+1", "+best", "−0.5", "1/12", "10-8")]
    ["'=1+1", "'+best", '-0.5', '1⁄12', '10–8']
    """
    if re.fullmatch(rf"[+−-]?\d+({'[,]' if locale.comma else '[.]'}\d+)?", text):
        return text.replace("−", "-")
    text = re.sub(r"^\d+([/-]\d+){1,2}$", lambda date: date[0].replace("/", "⁄").replace("-", "–"), text)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def comma_separated(texts: pl.DataFrame, caption: str, locale: Language) -> str:
    """A table of texts with its caption as the last column; semicolons in a language with decimal commas."""
    texts = texts.with_columns(pl.lit(for_spreadsheet(caption, locale)).alias(locale.say("Of what")))
    written = io.StringIO()
    lines = csv.writer(written, delimiter=";" if locale.comma else ",", lineterminator="\n")
    lines.writerow(for_spreadsheet(name, locale) for name in texts.columns)
    lines.writerows(texts.rows())
    return written.getvalue().rstrip("\n")
