"""The figure of the files of ``odds``: exact chances of the first deal."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
from matplotlib.figure import Figure

from ..errors import InputError
from .dots import Chance, draw_chances, height
from .page import Head, Panel, page
from .words import NAMES, Metadata, changed_words, points, rules_title

WIDTH, NARROW = 7.2, 6.2

_HEADINGS = {
    "holding": "Three cards dealt to a player",
    "table": "Four cards dealt to the table, misdeals included",
    "hand": "The table that is played, misdeals dealt again",
}
_MEANS = {"holding": "a holding earns", "table": "a table earns", "hand": "a table earns the dealer"}


def odds(frame: pl.DataFrame, metadata: Metadata, width: float = WIDTH) -> Figure:
    """Every chance as a dot with percentage, odds and fraction, grouped by what is dealt."""
    stacked = width < NARROW
    dealt = frame["per"].unique(maintain_order=True).to_list()
    groups = [(_HEADINGS.get(per, f"Per {per}"), chances) for per in dealt if (chances := _chances(frame, per))]
    if not groups:
        raise InputError("figure 'odds' has nothing to show (valid: a file of rules with bonuses or misdeals)")
    version = f" cirulla-sim {metadata['version']}." if "version" in metadata else ""
    head = Head(
        title=f"{rules_title(metadata)}: exact odds of the first deal",
        subtitle=f"Counted over every possible deal, with no sampling error.{version}{changed_words(metadata)}",
        command=metadata.get("command", ""),
    )
    panel = Panel("How likely is what the first deal brings", _means(frame), height(groups, stacked),
                  lambda axes: draw_chances(axes, groups, "odds", stacked))  # fmt: skip
    return page(head, [panel], width)


FIGURES: dict[str, Callable[..., Figure]] = {"odds": odds}


def _chances(frame: pl.DataFrame, per: str) -> list[Chance]:
    rows = frame.filter((pl.col("per") == per) & (pl.col("kind") == "probability"))
    return [
        Chance(NAMES.get(name := row["quantity"], name), row["estimate"], row["ci_low"], row["ci_high"], row["exact"])
        for row in rows.iter_rows(named=True)
    ]


def _means(frame: pl.DataFrame) -> str:
    rows = frame.filter((pl.col("kind") == "mean") & pl.col("quantity").str.starts_with("points_"))
    told = [f"{_MEANS.get(row['per'], row['per'])} {points(row['estimate'])} points (= {row['exact']})"
            for row in rows.iter_rows(named=True)]  # fmt: skip
    return f"On average {', '.join(told)}." if told else ""
