"""Figures of result files, by the schema of the file: drawn from a table and its metadata alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import polars as pl
from matplotlib.figure import Figure

from ...core.errors import InputError, unknown
from ...storage.tables import SCHEMA
from ..text.labels import Metadata
from . import compare_chart as compare
from . import games_chart as games
from . import line_up_chart as line_ups
from . import nights_chart as nights
from . import odds_chart as odds
from . import rules_by_line_up_chart as rules_by_line_up
from . import several_files as several
from . import simulate_chart as simulate
from . import tournament_chart as tournament
from . import win_table_chart as win_table
from .look import Look, chosen
from .style import save, suffix_of

__all__ = ["FIGURES", "Look", "chosen", "draw", "draw_all", "names", "save", "suffix_of"]

Figures = Mapping[str, tuple[Callable[[pl.DataFrame, Metadata, Look], Figure], float]]
"""The figures of a kind of file by name: what draws each, and the inches that suit it."""

FIGURES: dict[str, Figures] = {
    "simulate/2": simulate.FIGURES,
    "odds/2": odds.FIGURES,
    "compare/2": compare.FIGURES,
    "tournament/2": tournament.FIGURES,
    "games/2": games.FIGURES,
    "simulate-line-ups/2": line_ups.FIGURES,
    "games-line-ups/2": line_ups.FIGURES,
    "compare-line-ups/2": rules_by_line_up.FIGURES,
    "compare-nights/2": nights.FIGURES,
    "win-table/2": win_table.FIGURES,
    "win-chance/2": win_table.CHANCE,
}
"""The figures of each kind of file; the first is drawn unless another is named. Studies add theirs."""


def names(metadata: Metadata) -> list[str]:
    """The figures of a file with this metadata.

    Raises ``InputError`` if there are none.
    """
    schema = str(metadata.get("schema") or None)
    if schema not in FIGURES:
        command = str(metadata.get("command") or "")
        if command.startswith("python "):
            raise InputError(f"is the file of a study, {schema!r}, which {command!r} draws (valid: files of verbs)")
        verbs = " or ".join(kind.split("/")[0] for kind in FIGURES)
        raise InputError(f"there is no figure of a file of kind {schema!r} (valid: a result file of {verbs})")
    return list(FIGURES[schema])


def draw(frame: pl.DataFrame, metadata: Metadata, name: str | None = None, look: Look | None = None) -> Figure:
    """A figure of a result table, the first unless named, as wide as suits it unless the look has a width.

    Raises ``InputError`` for a kind of file or a name that has no figure, and where there is nothing to show.
    """
    present = names(metadata)
    if name is not None and name not in present:
        raise unknown("figure", name, present)
    make, width = FIGURES[metadata["schema"]][name or present[0]]
    return make(_ready(frame), metadata, _wide(look, width))


def draw_all(
    parts: Sequence[tuple[pl.DataFrame, Metadata]], name: str | None = None, look: Look | None = None
) -> Figure:
    """The figure of a result table, or of several of one kind in one chart, a row each.

    Raises ``InputError`` as ``draw`` does, and for tables that do not go together.
    """
    if len(parts) == 1:
        return draw(*parts[0], name, look)
    return several.draw([(_ready(frame), metadata) for frame, metadata in parts], name, _wide(look, 7.2))


def _wide(look: Look | None, width: float) -> Look:
    look = look or Look()
    return look if look.width is not None else replace(look, width=width)


def _ready(frame: pl.DataFrame) -> pl.DataFrame:
    """A table with numbers for values where all are numbers, and without intervals that one trial does not give."""
    if missing := [column for column in SCHEMA if column not in frame.columns]:
        raise InputError(f"the table has no column {missing[0]!r} (valid: a table written by cirulla-sim)")
    numbers = frame["value"].cast(pl.Float64, strict=False)
    if numbers.null_count() == frame["value"].null_count():
        frame = frame.with_columns(numbers)
    single = pl.col("std_error").is_infinite().fill_null(False)
    return frame.with_columns(
        pl.when(single).then(pl.col("estimate")).otherwise(pl.col(end)).alias(end) for end in ("ci_low", "ci_high")
    )
