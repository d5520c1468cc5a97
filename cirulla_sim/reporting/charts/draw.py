"""Figures of result files. They know tables and their metadata, nothing of how the numbers were made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import polars as pl
from matplotlib.figure import Figure

from ...core.errors import InputError, unknown
from ...storage.tables import SCHEMA
from ..text.labels import rules_title
from . import compare_chart as compare
from . import curve_chart as curve
from . import games_chart as games
from . import line_up_chart as line_ups
from . import luck_chart as luck
from . import odds_chart as odds
from . import reading_chart as reading
from . import rules_by_line_up_chart as rules_by_line_up
from . import several_files as several
from . import simulate_chart as simulate
from . import study_charts as studies
from . import tournament_chart as tournament
from . import win_table_chart as win_table
from .look import NARROWEST, WIDEST, Look, chosen
from .style import known_suffix, save

__all__ = [
    "FIGURES",
    "NARROWEST",
    "WIDEST",
    "Look",
    "chosen",
    "draw",
    "draw_several",
    "known_suffix",
    "names",
    "rules_title",
    "save",
]

FIGURES: Mapping[str, Mapping[str, tuple[Callable[..., Figure], float]]] = MappingProxyType(
    {
        "simulate/2": simulate.FIGURES,
        "odds/2": odds.FIGURES,
        "compare/2": compare.FIGURES,
        "tournament/2": tournament.FIGURES,
        "games/2": games.FIGURES,
        "simulate-line-ups/2": line_ups.FIGURES,
        "games-line-ups/2": line_ups.FIGURES,
        "compare-line-ups/2": rules_by_line_up.FIGURES,
        "win-table/2": win_table.FIGURES,
        "win-chance/2": win_table.CHANCE,
        "luck/2": luck.FIGURES,
        "aim/2": studies.AIM,
        "reading/2": reading.FIGURES,
        "curve/2": curve.FIGURES,
        "known-answers/2": studies.KNOWN,
    }
)
"""The figures of each kind of file by name, how each is made and how many inches suit it; the first is drawn unless
another is asked for."""


def names(metadata: Mapping[str, Any]) -> list[str]:
    """The figures there are of a file with this metadata.

    Raises ``InputError`` if there are none.
    """
    schema = metadata.get("schema", "")
    if schema not in FIGURES:
        verbs = " or ".join(kind.split("/")[0] for kind in FIGURES)
        raise InputError(
            f"there is no figure of a file of kind {str(schema or None)!r} (valid: a result file of {verbs})"
        )
    return list(FIGURES[schema])


def draw(frame: pl.DataFrame, metadata: Mapping[str, Any], name: str | None = None, look: Look | None = None) -> Figure:
    """The figure of a result table; without a name the first there is, without a width as wide as suits it.

    Raises ``InputError`` for a kind of file or a figure that there is not, and for one with nothing to show.
    """
    known = names(metadata)
    if name is not None and name not in known:
        raise unknown("figure", name, known)
    make, usual = FIGURES[metadata["schema"]][name or known[0]]
    look = look or Look()
    return make(_ready(frame), metadata, look if look.width is not None else replace(look, width=usual))


def draw_several(
    parts: Sequence[tuple[pl.DataFrame, Mapping[str, Any]]], name: str | None = None, look: Look | None = None
) -> Figure:
    """Several result tables of one kind in one chart, a row each; a name is one of a file of line-ups side by side.

    Raises ``InputError`` for tables that do not go together and a figure that there is not.
    """
    look = look or Look()
    ready = [(_ready(frame), made) for frame, made in parts]
    return several.draw(ready, name, look if look.width is not None else replace(look, width=7.2))


def _ready(frame: pl.DataFrame) -> pl.DataFrame:
    """A table as it is drawn: values as numbers, no interval where one trial tells none."""
    if missing := [column for column in SCHEMA if column not in frame.columns]:
        raise InputError(f"the table has no column {missing[0]!r} (valid: a table written by cirulla-sim)")
    numbers = frame["value"].cast(pl.Float64, strict=False)
    if numbers.null_count() == frame["value"].null_count():  # what is drawn along an axis is a number
        frame = frame.with_columns(numbers)
    # One hand or game tells no error: what has none is drawn without an interval.
    alone = pl.col("std_error").is_infinite().fill_null(False)
    return frame.with_columns(
        pl.when(alone).then(pl.col("estimate")).otherwise(pl.col(end)).alias(end) for end in ("ci_low", "ci_high")
    )
