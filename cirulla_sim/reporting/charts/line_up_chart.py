"""The figures of line-ups side by side, in one file or several: how an answer depends on who plays."""

from __future__ import annotations

from functools import partial
from itertools import chain
from operator import itemgetter

import polars as pl

from ..text.findings import Noun, compared, levels
from ..text.labels import Metadata, how_much
from ..text.sentences import players_name, title
from .figure_parts import Family, Make, Row, category_name, drawn, method, row_chart
from .look import Look
from .rows import Group
from .sheet import Graphic
from .simulate_chart import outcome_row, outcomes

ASPECTS = {
    "margin": ("margin", "How many points a hand the dealer’s side makes more than the others."),
    "points": ("points", "Points a hand, all sides together."),
    "hands": ("hands", "Hands in a game, on average."),
    "leads": ("lead_changes", "Lead changes in a game, on average."),
}
"""What is drawn of a file that has it, by the name of its figure, and what is shown."""

OUTCOMES = {
    "wins": (("wins_hand", "ties_hand"), "Hands won and tied."),
    "games": (("wins_game", "ties_game"), "Games won and drawn."),
}
"""What is won, tied or lost, by the name of its figure."""

ChartSection = tuple[str, pl.DataFrame]
"""A heading, which may be empty, and a table with ``policy`` and perhaps ``label``: what its rows are called."""


def sections(frame: pl.DataFrame) -> list[ChartSection]:
    """The tables of several files, by the heading that each has; one table of one file."""
    if "heading" not in frame.columns:
        return [("", frame)]
    return [(str(heading), part) for (heading,), part in frame.group_by("heading", maintain_order=True)]


def _label(row: Row, look: Look) -> str:
    """What a row is called: its line-up, or its ``label`` where there is one."""
    return str(row.get("label") or players_name(row["policy"], look.language))


def _title(frame: pl.DataFrame, quantity: str, look: Look) -> str:
    """Of which line-up or file a quantity is the largest or the smallest."""
    named = {}
    for heading, part in sections(frame):
        for row in levels(part, quantity):
            place = row.get("place") or f"between:{row['policy']}"
            named[Noun("place", place if not heading else f"of:{heading}, {_label(row, look)}")] = row
    return title(compared(quantity, named), look.language) if named else ""


def _panel(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    quantity, shown = ASPECTS[name]
    rows = [{**row, "heading": heading} for heading, part in sections(frame) for row in levels(part, quantity)]
    if not rows:
        return None
    body = row_chart(
        rows, look, partial(_label, look=look), key=itemgetter("policy"), heading=itemgetter("heading"),
        reference=(0.0, look.say("as the others")) if quantity == "margin" else None,
    )  # fmt: skip
    return drawn(_title(frame, quantity, look), look.say(shown), body, method_of(metadata, look), metadata, look)


def _outcomes(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """A bar for each line-up: what the dealer's side wins, what is tied, what others win."""
    quantities, shown = OUTCOMES[name]
    groups = []
    for heading, part in sections(frame):
        policies = part["policy"].unique(maintain_order=True).to_list()
        tables = [part.filter(pl.col("kind") != "difference", policy=policy) for policy in policies]
        rows = [outcome_row(_label(table.row(0, named=True), look), table, quantities, look) for table in tables]
        groups.append(Group(heading, tuple(row for row in rows if row is not None)))
    groups = [group for group in groups if group.rows]
    if not groups:
        return None
    body = outcomes(groups, ("Dealer", "tied", "Others"), look)
    return drawn(_title(frame, quantities[0], look), look.say(shown), body, method_of(metadata, look), metadata, look)


def _categories(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Through which points line-ups differ: a row a category, a mark a line-up."""
    if len(sections(frame)) > 1:
        return None
    names = frame["quantity"].unique(maintain_order=True).to_list()
    every = [levels(frame, name) for name in names if name.startswith("points_")]
    every = [rows for rows in every if any(row["estimate"] for row in rows)]
    every.sort(key=lambda rows: -rows[0]["estimate"])
    if not every:
        return None
    body = row_chart(
        chain.from_iterable(every), look, lambda row: category_name(row["quantity"], look), key=itemgetter("quantity"),
        series=partial(_label, look=look), texts=lambda row: (look.points(row["estimate"]),), from_zero=True,
    )  # fmt: skip
    shown = look.say("Mean points a hand by category, all sides together.")
    return drawn(_title(frame, "points", look), shown, body, method_of(metadata, look), metadata, look)


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
