"""Figures of result files, by the schema of the file: drawn from a table and its metadata alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from ...core.errors import InputError
from ...storage.tables import SCHEMA
from ..text.labels import Metadata, titled
from ..text.readings import readings
from . import figures
from . import several_files as several
from .figure_parts import Graphic
from .figures import chart_names as chart_names
from .look import Look
from .sheet import Chart, draw


def graphic_of(frame: pl.DataFrame, metadata: Metadata, name: str | None, look: Look) -> Graphic:
    """A figure before it is drawn: its finding, what it shows, its rows.

    Raises ``InputError`` for a name that has no figure, and where there is nothing to show.
    """
    return figures.graphic_of(_ready(titled(frame, metadata)), metadata, name, look.language)


def draw_all(
    parts: Sequence[tuple[pl.DataFrame, Metadata]], name: str | None = None, look: Look | None = None
) -> Chart:
    """The figure of a result table, or of several of one kind in one chart, as wide as a page or as asked.

    It is the first that has something to show unless named.

    Raises ``InputError`` for a kind of file or a name that has no figure, where there is nothing to show, and for
    tables that do not go together.
    """
    look = look or Look()
    if len(parts) > 1:
        tables = [(_ready(titled(frame, metadata)), metadata) for frame, metadata in parts]
        graphic = several.graphic(tables, name, look.language)
    else:
        [(frame, metadata)] = parts
        graphic = graphic_of(frame, metadata, name, look)
        if not metadata["schema"].startswith("odds/"):  # the subtitle of which is the reading
            graphic = replace(graphic, shown=" ".join([graphic.shown, *readings(metadata, look.language, about=False)]))
    return draw(graphic, look)


def _ready(frame: pl.DataFrame) -> pl.DataFrame:
    """A table with numbers for values where all are numbers, and without intervals that one trial does not give."""
    if missing := [column for column in SCHEMA if column not in frame.columns]:
        raise InputError("the table has no column {column!r} (valid: a table written by cirulla-sim)", missing[0])
    numbers = frame["value"].cast(pl.Float64, strict=False)
    if numbers.null_count() == frame["value"].null_count():
        frame = frame.with_columns(numbers)
    single = pl.col("std_error").is_infinite().fill_null(False)
    return frame.with_columns(
        pl.when(single).then(pl.col("estimate")).otherwise(pl.col(end)).alias(end) for end in ("ci_low", "ci_high")
    )
