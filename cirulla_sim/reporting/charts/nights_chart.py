"""Figures of formats of a night compared: a row a format."""

from __future__ import annotations

from functools import partial
from operator import itemgetter

import polars as pl

from ..text.cells import is_share, marked, number
from ..text.findings import nights
from ..text.labels import Metadata, how_much
from ..text.layouts import format_names, label, pairs_words
from .figure_parts import Family, Make, Row, drawn, method, row_chart
from .look import Look
from .sheet import Graphic

QUANTITIES = {
    "wins": "wins_night", "ties": "ties_night", "undefeated": "undefeated", "hands": "hands_played",
    "minutes": "minutes", "misdeals": "misdeal_run_3", "cappotti": "cappotti",
}  # fmt: skip
"""What is drawn of a file that has it, by the name of its figure."""


def _graphic(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """A row a format: its number, and how much more that is than in the first."""
    levels = frame.filter(pl.col("kind") != "difference", quantity=QUANTITIES[name]).to_dicts()
    if not levels:
        return None
    differences = {row["rules"]: row for row in frame.filter(kind="difference", quantity=QUANTITIES[name]).to_dicts()}
    names = format_names(metadata, look.language)

    def texts(row: Row) -> tuple[str, str]:
        change = differences.get(row["rules"])
        return number(row, look.language), "" if change is None else marked(change, look.language)

    what, base = label(levels[0], metadata, look.language), frame["rules"][0]
    finding = nights(QUANTITIES[name], levels, what, names)
    tested = frame.filter(pl.col("p_holm").is_not_null()).height
    body = row_chart(
        levels, look, lambda row: str(names.get(row["rules"], row["rules"])), key=itemgetter("rules"), texts=texts,
        heads=("", look.say("difference")), optional=1, unit="%" if is_share(levels[0]) else "",
    )  # fmt: skip
    about = method(
        metadata, look, f"{pairs_words(metadata, look.language)}.",
        look.say("Differences from {base}, in parentheses if not significant ({n} tested; Holm, 5%).",
                 base=names.get(base, base), n=look.numerals(f"{tested:,}")),
        much=look.say("{much}, the same for all.", much=how_much(metadata, look)).rstrip("."),
    )  # fmt: skip
    return drawn(finding, f"{what}.", body, about, metadata, look)


_FIGURES: dict[str, Make] = {name: partial(_graphic, name) for name in QUANTITIES}

FAMILY = Family(_FIGURES, "a comparison of nights")
