"""The files of studies, which say themselves what they show: what stands in their ``view``.

A view is data: findings, names, the columns of the readers' table, and figures, all in English with the Italian of
every text beside it. So a study that nobody has seen is described, printed and drawn like any other file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ...core.locale import Language
from .cells import Cells, Row, number_cell
from .facts import Source
from .labels import Metadata


@dataclass(frozen=True)
class StudyView:
    """The view of a file in a language."""

    metadata: Metadata
    locale: Language

    def __getitem__(self, name: str) -> Any:
        return self.metadata["view"][name]

    def say(self, text: str) -> str:
        """A text of the file, or one of the program's own, in the language."""
        return str((not self.locale.english and self["italian"].get(text)) or self.locale.say(text))

    def name(self, row: Row, columns: Iterable[str]) -> str:
        """What a row is called by the values of some columns."""
        values = ((column, str(row[column])) for column in columns if row[column] is not None)
        return ", ".join(self.say(self["names"].get(column, {}).get(value, value)) for column, value in values)


def findings(rows: Sequence[Row], source: Source) -> list[str]:
    """What a study says that it shows."""
    view = StudyView(*source[1:])
    return [view.say(text) for text in view["findings"]]


def where(frame: pl.DataFrame, chosen: Mapping[str, list[Any]]) -> pl.DataFrame:
    """The rows that have one of some values in each of some columns."""
    return frame.filter(*(pl.col(column).is_in(values) for column, values in chosen.items()))


def study_table(frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Iterator[Cells]:
    """A line for each row, or for all rows that differ in their quantity only."""
    view = StudyView(metadata, locale)
    for row in where(frame, view["rows"]).iter_rows(named=True):
        about = {heading: view.name(row, [column]) for heading, column in view["columns"].items()}
        yield about, view.name(row, view["what"]), number_cell(row, marks=False)
