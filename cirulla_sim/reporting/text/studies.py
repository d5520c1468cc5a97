"""The files of studies, which say themselves what they show: what stands in their ``view``.

A view is data: findings, names, the columns of the readers' table, and figures, all in English with the Italian of
every text beside it. So a study that nobody has seen is described, printed and drawn like any other file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import polars as pl

from ...core.locale import Language
from .cells import Cells, Row, number_cell
from .labels import Metadata


class View:
    """The view of a file in a language."""

    def __init__(self, metadata: Metadata, locale: Language) -> None:
        self._view: Mapping[str, Any] = metadata["view"]
        self._locale = locale
        self._texts: Mapping[str, str] = {} if locale.english else self._view["italian"]

    def __getitem__(self, name: str) -> Any:
        return self._view[name]

    def say(self, text: str) -> str:
        """A text of the file, or one of the program's own, in the language."""
        return self._texts.get(text) or self._locale.say(text)

    def name(self, row: Row, columns: Iterable[str]) -> str:
        """What a row is called by the values of some columns."""
        names = self._view["names"]
        values = ((column, str(row[column])) for column in columns if row[column] is not None)
        return ", ".join(self.say(names.get(column, {}).get(value, value)) for column, value in values)


def where(frame: pl.DataFrame, chosen: Mapping[str, list[Any]]) -> pl.DataFrame:
    """The rows that have one of some values in each of some columns."""
    return frame.filter(*(pl.col(column).is_in(values) for column, values in chosen.items()))


def table(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """A line for each row, or for all rows that differ in their quantity only."""
    view = View(metadata, locale)
    for row in where(frame, view["rows"]).iter_rows(named=True):
        about = {heading: view.name(row, [column]) for heading, column in view["columns"].items()}
        yield about, view.name(row, view["what"]), number_cell(row, marks=False)
