"""Tables of a page: rows in groups that can be compared, so that sorting never mixes units."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from ...core.locale import Language

UNITS = ("Per", "As")
"""Columns that say what a number of a row is, besides its name."""

ABOUT = ("Side", "What", *UNITS)
"""Columns that need not stand in every row of a narrow table if they are the same in all."""

NARROW = 9
"""Columns that fit a printed page."""


class Table(NamedTuple):
    """Headings, rows in groups of one unit, how many rows the file has, and what marks mean."""

    head: list[str]
    groups: list[list[list[str]]]
    every: int
    marks: str
    about: str = ""
    """What is the same in all rows, where no column has it."""

    @property
    def shown(self) -> int:
        """How many rows there are."""
        return sum(map(len, self.groups))


def table_of(
    texts: pl.DataFrame, most: int, locale: Language, marks: str, every: int | None = None, narrow: bool = False
) -> Table:  # fmt: skip
    """The first rows of a table of texts; rows of one unit, such as points a hand, stand together.

    Shares of all kinds are one unit, means are if they are of one quantity. In a table of rules the first row has
    levels, the others differences from them.

    A ``narrow`` table has no columns that say nothing in these rows, and no more than fit a printed page.

    >>> names = {"What": ["Points", "Hands", "Sweeps"], "Per": ["hand", "game", "hand"], "All": ["1", "2", "3"]}
    >>> frame = pl.DataFrame(names)
    >>> from cirulla_sim.core.locale import language
    >>> table_of(frame, 9, language("en"), "").groups
    [[['Points', 'hand', '1'], ['Sweeps', 'hand', '3']], [['Hands', 'game', '2']]]
    """
    shown = texts.head(most)
    about = ""
    if narrow and shown.height > 1:
        keep = [name for name in shown.columns if (shown[name] != "").any()]
        same = [name for name in keep if name in map(locale.say, ABOUT) and shown[name].n_unique() == 1]
        about = ", ".join(shown[name][0] for name in same)
        shown = shown.select([name for name in keep if name not in same][:NARROW])
    columns, rules, what = shown.columns, locale.say("Rules"), locale.say("What")
    units = [name for name in map(locale.say, UNITS) if name in columns]
    levels = columns[0] == rules and not units
    repeated = what in columns and shown[what].n_unique() < shown.height
    groups: dict[tuple[str, ...], list[list[str]]] = {}
    for number, row in enumerate(shown.iter_rows(named=True)):
        cells = list(row.values())
        is_share = rules not in columns and any("%" in cell for cell in cells)
        by = [*units, what] if repeated and not is_share else units
        key = (str(number == 0),) if levels else tuple(row[name] for name in by)
        groups.setdefault(key, []).append(cells)
    return Table(shown.columns, list(groups.values()), every or texts.height, marks, about)
