"""The figures of line-ups side by side, in one file or several: how an answer depends on who plays."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

import polars as pl

from ..text.cells import is_share, number
from ..text.claims import Claim, best, stated
from ..text.labels import NAMES, Metadata, how_much, line_up
from .figure_parts import Family, Make, Row, drawn, mark_of, method, rows_of
from .look import Look
from .rows import Group, Mark, RowChart
from .sheet import Graphic
from .simulate_chart import outcome_row


class LineUpQuantity(NamedTuple):
    """A quantity by which line-ups differ: where it stands in the table, its superlative, and what is shown."""

    quantity: str
    per: str
    side: str
    most: str
    shown: str


ASPECTS = {
    "margin": LineUpQuantity(
        "margin", "hand", "dealer", "Dealing is worth most", "Points a hand of the dealer’s side, less the others’."
    ),
    "points": LineUpQuantity("points", "hand", "all", "Most points a hand", "Points a hand, all sides together."),
    "hands": LineUpQuantity("hands", "game", "all", "Most hands in a game", "Hands in a game, on average."),
    "leads": LineUpQuantity("lead_changes", "game", "all", "Most lead changes", "Lead changes in a game, on average."),
}
"""What is drawn of a file that has it, by the name of its figure."""

OUTCOMES = {
    "wins": (("wins_hand", "ties_hand"), "Most hands won by the dealer’s side", "Hands won and tied."),
    "games": (("wins_game", "ties_game"), "Most games won by the side that deals first", "Games won and drawn."),
}
"""What is won, tied or lost, by the name of its figure."""

ChartSection = tuple[str, pl.DataFrame]
"""A heading, which may be empty, and a table with ``policy`` and perhaps ``label``: what its rows are called."""


def sections(frame: pl.DataFrame) -> list[ChartSection]:
    """The tables of several files, by the heading that each has; one table of one file."""
    if "heading" not in frame.columns:
        return [("", frame)]
    return [(str(heading), part) for (heading,), part in frame.group_by("heading", maintain_order=True)]


def _levels(frame: pl.DataFrame, quantity: str, per: str, side: str) -> list[dict[str, Any]]:
    """The rows of a quantity, one a line-up."""
    levels = frame.filter(pl.col("kind") != "difference", pl.col("value").is_null())
    rows = levels.filter(quantity=quantity, per=per, side=side)
    return rows.unique("policy", keep="first", maintain_order=True).to_dicts()


def _label(row: Mapping[str, Any], look: Look) -> str:
    """What a row is called: its line-up, or its ``label`` where there is one."""
    return str(row.get("label") or line_up(row["policy"], look))


def _most(frame: pl.DataFrame, quantity: tuple[str, str, str], most: str, look: Look) -> Claim:
    """Of which line-up a quantity is the largest, and which are not distinguishable; of one, its number."""
    named = {}
    for heading, part in sections(frame):
        for row in _levels(part, *quantity):
            named[", ".join(text for text in (heading, _label(row, look)) if text)] = row
    if len(named) == 1:
        [(name, row)] = named.items()
        return stated("{name}: {n}", look.language, {"n": row}, name=name)
    return best(named, most, look.language)


def _panel(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    aspect = ASPECTS[name]
    place = (aspect.quantity, aspect.per, aspect.side)
    margin = aspect.quantity == "margin"

    def mark(row: Row) -> Mark:
        share, sign = is_share(row), "+" if margin and row["estimate"] > 0 else ""
        return mark_of(row, (sign + number(row, look.language),), look, scale=100.0 if share else 1.0, sign=sign,
                       unit="%" if share else "")  # fmt: skip

    levels = [{**row, "heading": heading} for heading, part in sections(frame) for row in _levels(part, *place)]
    if not levels:
        return None
    label = partial(_label, look=look)
    groups = rows_of(levels, label, mark, itemgetter("policy"), itemgetter("heading"))
    body = RowChart(groups, reference=(0.0, look.say("as the others")) if margin else None)
    claim = _most(frame, place, look.say(aspect.most), look)
    return drawn(claim.title, look.say(aspect.shown), body, method_of(metadata, look), metadata)


def _outcomes(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """A bar for each line-up: what the dealer's side wins, what is tied, what others win."""
    quantities, most, shown = OUTCOMES[name]
    groups = []
    for heading, part in sections(frame):
        policies = part["policy"].unique(maintain_order=True).to_list()
        tables = [part.filter(pl.col("kind") != "difference", policy=policy) for policy in policies]
        rows = [outcome_row(_label(table.row(0, named=True), look), table, quantities, look) for table in tables]
        groups.append(Group(heading, tuple(row for row in rows if row is not None)))
    groups = [group for group in groups if group.rows]
    if not groups:
        return None
    place = (quantities[0], "side" if name == "wins" else "game", "dealer")
    claim = _most(frame, place, look.say(most), look)
    names = tuple(map(look.say, ("Dealer", "tied", "Others")))
    body = RowChart(tuple(groups), parts=names)
    return drawn(claim.title, look.say(shown), body, method_of(metadata, look), metadata)


def _categories(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Through which points line-ups differ: a row a category, a mark a line-up."""
    if len(sections(frame)) > 1:
        return None
    levels = [_levels(frame, name, "hand", "all") for name in NAMES if name.startswith("points_")]
    levels = [rows for rows in levels if any(row["estimate"] for row in rows)]
    levels.sort(key=lambda rows: -rows[0]["estimate"])
    if not levels:
        return None
    names = [_label(row, look) for row in levels[0]]
    groups = rows_of(
        [row for rows in levels for row in rows],
        lambda row: look.say(NAMES[row["quantity"]]),
        lambda row: mark_of(row, (look.points(row["estimate"]),), look, series=names.index(_label(row, look))),
        key=lambda row: str(row["quantity"]),
    )
    claim = _most(frame, ("points", "hand", "all"), look.say("Most points a hand"), look)
    shown = look.say("Mean points a hand by category, all sides together.")
    body = RowChart(groups, series=tuple(names), from_zero=True)
    return drawn(claim.title, shown, body, method_of(metadata, look), metadata)


def method_of(metadata: Metadata, look: Look) -> str:
    """How the numbers were made; ``method`` says it of several files."""
    if "method" in metadata:
        return str(metadata["method"])
    same = look.say("{much}, the same for all.", much=how_much(metadata, look))
    return method(metadata, look, much=same.rstrip("."))


_FIGURES: dict[str, Make] = {
    "margin": partial(_panel, "margin"),
    "wins": partial(_outcomes, "wins"),
    "games": partial(_outcomes, "games"),
    "points": partial(_panel, "points"),
    "categories": _categories,
    "hands": partial(_panel, "hands"),
    "leads": partial(_panel, "leads"),
}

FAMILY = Family(_FIGURES, "a file of line-ups side by side")
