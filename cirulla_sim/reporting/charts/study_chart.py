"""Figures of files of studies, which say themselves what is a row, a group, a series or a part of a bar."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import polars as pl

from ...core.locale import Language
from ..text.labels import Metadata
from ..text.studies import View, where
from .figure_parts import NONE, Body, Family, Graphic, Row, bar, chances, row_chart
from .plots import scatter
from .rows import RowChart


def family(metadata: Metadata) -> Family:
    """The figures of a file by the names that it has for them."""
    return Family(
        {name: partial(_graphic, figure) for name, figure in metadata["view"]["figures"].items()}, "another file"
    )


def _graphic(figure: Mapping[str, Any], frame: pl.DataFrame, metadata: Metadata, locale: Language) -> Graphic | None:
    view, rows = View(metadata, locale, locale.name), where(frame, figure["where"])
    if rows.is_empty():
        return None
    title, shown, about = (view.say(figure[name]) for name in ("title", "shown", "about"))
    return Graphic(title, shown, _body(figure, rows, view, locale), about, command=str(metadata.get("command") or ""))


def _body(figure: Mapping[str, Any], rows: pl.DataFrame, view: View, locale: Language) -> Body:
    columns = figure.get("row", ()), figure.get("group", ()), figure.get("series") or figure.get("parts") or ()
    label, heading, one = (partial(view.name, columns=names) for names in columns)
    [*split] = columns[2]
    order = {value: place for name in split for place, value in enumerate(figure["where"].get(name, ()))}
    named = sorted(rows.to_dicts(), key=lambda row: order.get(row[split[0]], 0) if split else 0)
    series = list(dict.fromkeys(map(one, named))) if split else []
    if across := figure.get("across"):
        tables = [rows.filter(pl.Series([one(row) == name for row in rows.to_dicts()])) for name in series]
        return scatter(tables, across, view.say(figure["axes"][0]), view.say(figure["axes"][1]), series)
    if "parts" in figure:
        bars: dict[tuple[str, str], dict[str, Row]] = {}
        for row in rows.to_dicts():
            bars.setdefault((heading(row), label(row)), {})[one(row)] = row
        chart_rows = (
            bar(name, [own.get(part, NONE) for part in series], locale, heading=head)
            for (head, name), own in bars.items()
        )
        return RowChart(tuple(chart_rows), series=tuple(series), stacked=True)
    if figure.get("unit") == "share":
        return chances(rows.to_dicts(), locale, label, heading=heading)
    line = (0.0, view.say(figure["reference"])) if "reference" in figure else None
    return row_chart(rows.to_dicts(), locale, label, heading=heading, series=one if series else None, reference=line)
