"""What figures have in common: the figures of a kind of file by name, their words, rows of tables as rows of charts."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from operator import attrgetter
from typing import Any

from ...core.locale import Language
from ...stats.decisions import verdict
from ..text.cells import DIFFERENCES, is_share, is_significant, marked, number
from ..text.facts import is_corrected
from ..text.findings import Finding
from ..text.labels import Metadata, capital, changed_words, how_much, play_words, quantity_name, rules_title
from ..text.sentences import title
from .plots import Plot
from .rows import DOWN, UP, ChartRow, Mark, RowChart

TABLES = tomllib.loads(files(__package__).joinpath("figures.toml").read_text("utf-8"))
"""What figures show, by kind and name."""

Body = RowChart | Plot
Row = Mapping[str, Any]
Naming = Callable[[Row], str]


@dataclass(frozen=True)
class Graphic:
    """A chart and its words: a finding of its own as the title, what is shown, and how the numbers were made.

    The footer has what the numbers are ``about``, that whiskers are intervals, and notes.
    """

    title: str
    shown: str
    body: Body
    about: str = ""
    notes: str = ""
    whiskers: bool = True
    """Whether the footer explains whiskers."""
    corrected: bool = False
    """Whether whiskers allow for how many differences are compared."""
    tested: int = 0
    """Differences that are tested together, on which the footer says which are significant."""
    command: str = ""


def drawn(
    found: Finding | str, shown: str, body: Body, metadata: Metadata, locale: Language, *notes: str,
    rows: Sequence[Row] = (), whiskers: bool = True, tested: int = 0, much: str | None = None,
) -> Graphic:  # fmt: skip
    """A chart of a file: a finding as its title, how the numbers of its ``rows`` were made, ``notes`` on them, the
    file's command.

    ``much`` stands for the number of trials and the seed.
    """
    about = ", ".join(filter(None, (rules_title(metadata, locale), play_words(metadata, locale))))
    made = (about, how_much(metadata, locale, rows) if much is None else much)
    return Graphic(
        title=found if isinstance(found, str) else title(found, locale), shown=shown, body=body,
        about=" ".join(f"{capital(text)}." for text in made if text), whiskers=whiskers,
        corrected=is_corrected(rows, metadata),
        notes=" ".join(filter(None, (*notes, changed_words(metadata, locale).strip()))),
        tested=tested, command=str(metadata.get("command") or ""),
    )  # fmt: skip


SIGNED = ("margin", "strength")
"""Quantities that are differences themselves, and so have a sign."""


def mark_of(row: Row, locale: Language, texts: Sequence[str] = (), tested: bool = False) -> Mark:
    """The mark of a row of a table, in percent where it is a share, with its number unless other texts are given.

    It is hollow where a difference, or a number that is ``tested`` against 0, is not significant.
    """
    share, change = is_share(row), row["kind"] in DIFFERENCES
    low, estimate, high = (100.0 * end if share else float(end) for end in interval(row))
    sign = "+" if estimate > 0 and (change or row["quantity"] in SIGNED) else ""
    own = marked(row, locale) if change else sign + number(row, locale)
    unclear = not is_significant(row) if change else tested and verdict(row) == "open"
    return Mark(low, estimate, high, tuple(texts or (f"({own})" if unclear and not change else own,)), hollow=unclear)


def row_chart(
    rows: Iterable[Row], locale: Language, label: Naming, *, heading: Naming = lambda row: "",
    key: Naming | None = None, series: Naming | None = None, texts: Callable[[Row], Sequence[str]] = lambda row: (),
    directed: bool = False, tested: bool = False, **options: Any,
) -> RowChart:  # fmt: skip
    """Groups of rows of marks in the order of a table: what has one heading and one label is one row.

    ``key`` is a row's name in the file, if it is not its label. ``directed`` marks point up for more and down for less.
    """
    names, marks, keys = dict[str, int](), dict[tuple[str, str], list[Mark]](), dict[tuple[str, str], str]()
    for row in rows:
        place = names.setdefault(series(row) if series else "", len(names))
        mark = mark_of(row, locale, texts(row), tested)._replace(series=place)
        if directed:
            mark = mark._replace(series=int(row["estimate"] <= 0), marker=UP if row["estimate"] > 0 else DOWN)
        name = heading(row), label(row)
        marks.setdefault(name, []).append(mark)
        keys.setdefault(name, (key or label)(row))
    chart_rows = (
        ChartRow(name, tuple(sorted(own, key=attrgetter("series"))), keys[head, name], head)
        for (head, name), own in marks.items()
    )
    return RowChart(tuple(chart_rows), series=tuple(names) if len(names) > 1 else (), **options)


def category_name(quantity: str, locale: Language) -> str:
    """A category of points as the name of a row."""
    return quantity_name(quantity, locale)


LONGEST_FRACTION = 13
"""Characters of a fraction that are worth printing; longer ones are in the table."""


RARE = 0.3
"""Chances below it have odds: 1 in 52 says more than a percentage, 1 in 1.51 does not."""


def chance_words(rows: Iterable[Row], locale: Language) -> str:
    """What a chart of chances shows."""
    return locale.say("Chance, and odds." if any(row["estimate"] < RARE for row in rows) else "Chance.")


def chances(rows: Sequence[Row], locale: Language, label: Naming, **how: Any) -> RowChart:
    """Chances from 0 on: percentage, odds where they are rare, and the fraction if it is short."""
    rare, places = any(row["estimate"] < RARE for row in rows), _percent_places(rows)

    def texts(row: Row) -> tuple[str, ...]:
        exact, p = row.get("exact"), row["estimate"]
        fraction = f"= {exact}" if exact is not None and len(exact) <= LONGEST_FRACTION else ""
        odds = (locale.odds(p, exact is not None) if p < RARE else "",) if rare else ()
        shown = locale.percent(p) if places is None else locale.numerals(f"{100 * p:.{places}f}%")
        return shown, *odds, fraction

    return row_chart(rows, locale, label, texts=texts, optional=1 + rare, unit="%", from_zero=True, **how)


def _percent_places(rows: Sequence[Row]) -> int | None:
    """The decimals of percentages in a column; None where some are too small for the decimals of the others."""
    half = 50 * max((high - low for low, _, high in map(interval, rows)), default=0.0)
    places = 2 if half < 0.05 and all(row["estimate"] < 0.1 for row in rows) else 1 if half < 2.5 else 0
    smallest = min((row["estimate"] for row in rows if row["estimate"]), default=1.0)
    return None if 100 * smallest < 10.0**-places else places


def interval(row: Row) -> tuple[float, float, float]:
    """The low end, the estimate and the high end; of an exact number that was checked, the simulated interval."""
    low, high = row["ci_low"], row["ci_high"]
    if row.get("simulated_low") is not None:
        low, high = row["simulated_low"], row["simulated_high"]
    if low is None:  # of the most or least seen
        low = high = row["estimate"]
    return low, row["estimate"], high


NONE = {"ci_low": 0.0, "estimate": 0.0, "ci_high": 0.0}
"""A part of a bar that there is nothing of."""


def bar(
    label: str, rows: Sequence[Row], locale: Language, places: int = 0, key: str = "", heading: str = ""
) -> ChartRow:
    """A row with a bar, whose parts are rows of a table; their shares, of so many decimals, add up to 100%."""
    ends = [round(100 * sum(row["estimate"] for row in rows[:n]), places) for n in range(len(rows) + 1)]
    texts = [locale.numerals(f"{max(0.0, after - before):.{places}f}%") for before, after in pairwise(ends)]
    marks = (
        Mark(row["ci_low"], max(0.0, row["estimate"]), row["ci_high"], (text,), part)
        for part, (row, text) in enumerate(zip(rows, texts, strict=True))
    )
    return ChartRow(label, tuple(marks), key or label, heading)
