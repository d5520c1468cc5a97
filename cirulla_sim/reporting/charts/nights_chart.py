"""Figures of formats of a night compared: a panel a quantity, a row a format."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl
from matplotlib.axes import Axes

from ..text.cells import Row, is_share, is_significant, marked, number
from ..text.labels import Metadata, how_much, rules_title
from ..text.nights_layout import format_names, label, pairs_words
from .chart_rows import Column, beside, draw_mark, grid_of_numbers, name_rows, pitch
from .figure_parts import Family, MakePanel, head
from .look import Look
from .page_layout import Head, Panel

QUANTITIES = {
    "wins": "wins_night", "ties": "ties_night", "undefeated": "undefeated", "hands": "hands_played",
    "minutes": "minutes", "misdeals": "misdeal_run_3", "cappotti": "cappotti",
}  # fmt: skip
"""What is drawn of a file that has it, by the name of its figure."""

_MOST_IN_TITLE = 2
"""Formats whose numbers stand in a title."""


def _levels(frame: pl.DataFrame, quantity: str) -> list[Row]:
    return list(frame.filter(pl.col("kind") != "difference", quantity=quantity).iter_rows(named=True))


def _panel(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Panel | None:
    levels = _levels(frame, QUANTITIES[name])
    if not levels:
        return None
    rows = frame.filter(kind="difference", quantity=QUANTITIES[name]).iter_rows(named=True)
    differences: dict[str, Row] = {row["rules"]: row for row in rows}
    tall = pitch(look, 0.3 if look.stacked else 0.24) * len(levels) + 0.4 * look.scale
    named = format_names(metadata, look.language)
    names = [str(named.get(row["rules"], row["rules"])) for row in levels]
    draw = partial(_draw, levels=levels, differences=differences, names=names, gid=name, look=look)
    return Panel(label(levels[0], metadata, look.language), "", tall, draw)


def _draw(
    axes: Axes, levels: Sequence[Row], differences: dict[str, Row], names: Sequence[str], gid: str, look: Look
) -> None:
    """Marks with whiskers; at the right the numbers, and how much more there is than in the first format."""
    share, ys = is_share(levels[0]), range(len(levels))
    for y, row in zip(ys, levels, strict=True):
        low, estimate, high = ((100 if share else 1) * row[name] for name in ("ci_low", "estimate", "ci_high"))
        draw_mark(axes, y, (low, estimate, high), y, look).set_gid(f"{gid}-{y}")
    axes.set_ylim(len(levels) - 0.4, -0.75 if look.stacked else -0.6)
    grid_of_numbers(axes, "x", look, "%" if share else "")
    name_rows(axes, ys, names, look)
    ink, muted = look.colours.ink, look.colours.muted
    changes = [differences.get(row["rules"]) for row in levels]
    columns = [
        Column([number(row, look.language) for row in levels], [ink] * len(levels)),
        Column(
            ["" if row is None else marked(row, look.language) for row in changes],
            [ink if row is not None and is_significant(row) else muted for row in changes],
        ),
    ]
    beside(axes, ys, columns, look)


def _title(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> str:
    """The numbers of a quantity; of many formats the least and the most."""
    levels = _levels(frame, QUANTITIES.get(name, "wins_night"))
    if len(levels) > _MOST_IN_TITLE:
        levels = sorted(levels, key=lambda row: float(row["estimate"]))
        levels = [levels[0], levels[-1]]
    names = format_names(metadata, look.language)
    each = "; ".join(f"{names.get(row['rules'], row['rules'])} {_short(row, look)}" for row in levels)
    return f"{label(levels[0], metadata, look.language)}: {each}" if levels else ""


def _short(row: Row, look: Look) -> str:
    return look.percent(row["estimate"]) if is_share(row) else look.numerals(f"{row['estimate']:.3g}")


def _head(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Head:
    names = format_names(metadata, look.language)
    base = frame["rules"][0]
    tested = frame.filter(pl.col("p_holm").is_not_null()).height
    return head(
        metadata, look, _title(name, frame, metadata, look),
        f"{pairs_words(metadata, look.language)}.",
        look.say("{much}, the same for all.", much=how_much(metadata, look)),
        look.say("Whiskers are 95% intervals."),
        look.say("At the right: differences from {base}, in parentheses if not significant ({n} tested; Holm, 5%).",
                 base=names.get(base, base), n=look.numerals(f"{tested:,}")),
        what=rules_title(metadata, look),
    )  # fmt: skip


_PANELS: dict[str, MakePanel] = {name: partial(_panel, name) for name in QUANTITIES}

FIGURES = Family("overview", _PANELS, _head, "a comparison of nights").figures(7.2)
