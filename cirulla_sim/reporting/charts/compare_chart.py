"""Figures of the files of ``compare``: what each rule set changes, the biggest change first, for one line-up or more.

Changes are drawn on an axis with a line at none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter

import polars as pl

from ...experiments.tally import is_main
from ..text import findings
from ..text.findings import Finding
from ..text.labels import Metadata, how_much, lower, name_of, side_names
from ..text.sentences import players_name, rule_name
from .figure_parts import Family, Make, Row, category_name, chances, drawn, method, row_chart
from .look import Look
from .rows import Group
from .sheet import Graphic

ASPECTS = {
    "points": ("points", "hand", "all", "Change of the mean points a hand."),
    "margin": ("margin", "hand", "dealer", "{dealer}: change of the lead over the others, in points a hand."),
    "wins": ("wins_hand", "side", "dealer", "{dealer}: change of the hands won, in percentage points."),
    "spread": ("margin_spread", "hand", "dealer", "Change of the standard deviation of the margin, in points."),
    "games": ("wins_game", "game", "dealer", "Change of the games won by who deals first, in percentage points."),
    "hands": ("hands", "game", "all", "Change of the mean hands in a game."),
    "leads": ("lead_changes", "game", "all", "Change of the mean lead changes in a game."),
}
"""What is drawn of a file that has it, by the name of its figure: quantity, trial, side, and what is shown."""


def _graphic(
    finding: Finding | None, shown: str, rows: Sequence[Row], named: Callable[[Row], str], frame: pl.DataFrame,
    metadata: Metadata, look: Look,
) -> Graphic | None:  # fmt: skip
    """The chart of differences, a row a rule set; the biggest first, a mark for each line-up."""
    changed = [row for row in rows if row["estimate"] or row["ci_low"] or row["ci_high"]]
    if not changed or finding is None:
        return None
    several = "policy" in frame.columns and frame["policy"].n_unique() > 1
    body = row_chart(
        changed, look, named, key=itemgetter("rules"), directed=not several,
        series=(lambda row: players_name(row["policy"], look.language)) if several else None,
        reference=(0.0, look.say("as in {base}", base=look.say(name_of(frame["rules"][0])))),
    )  # fmt: skip
    rows_by_size = tuple(sorted(body.rows, key=lambda row: -row.size))
    body = replace(body, groups=(Group("", rows_by_size),))
    hollow = any(mark.hollow for mark in body.chosen(look).marks)
    return drawn(finding, shown, body, _method(rows, frame, metadata, look, hollow), metadata, look)


def _method(rows: Sequence[Row], frame: pl.DataFrame, metadata: Metadata, look: Look, hollow: bool) -> str:
    base = look.say(name_of(frame["rules"][0]))
    same = "Each rule set on the same deals, less {base}."
    if "changed" not in frame["quantity"]:
        same = "Each rule set on hands of its own, less {base}."
    every = frame.filter(pl.col("p_holm").is_not_null()).to_dicts()
    together = metadata.get("levels") == "holm"  # main quantities are corrected together, and all others together
    tested = sum(not together or is_main(row) == is_main(rows[0]) for row in every)
    sentences = [
        look.say(same, base=base),
        look.say("Hollow, in parentheses: not significant ({n} tested; Holm, 5%)." if hollow else
                 "Significant among {n} tested (Holm, 5%).", n=look.numerals(f"{tested:,}")),
    ]  # fmt: skip
    return method(metadata, look, *sentences, much=how_much(metadata, look))


def _effects(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    quantity, per, side, shown = ASPECTS[name]
    rows = frame.filter(quantity=quantity, per=per, side=side, kind="difference").to_dicts()
    subtitle = look.say(shown, **side_names(metadata, look, policies=False))
    finding = findings.effect(quantity, rows, metadata) if rows else None
    return _graphic(finding, subtitle, rows, lambda row: rule_name(row["rules"], look.language), frame, metadata, look)


def _categories(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Through which points rules change: a row a rule and category."""
    if "policy" in frame.columns:
        return None
    every = frame.filter(pl.col("quantity").str.starts_with("points_"), side="all", kind="difference", per="hand")
    rows = [row for row in every.iter_rows(named=True) if row.get("p_holm") is not None]

    alone = len({row["rules"] for row in rows}) == 1

    def named(row: Row) -> str:
        category = category_name(row["quantity"], look)
        return category if alone else f"{rule_name(row['rules'], look.language)}: {lower(category)}"

    points = {row["rules"]: row for row in frame.filter(quantity="points", side="all", kind="difference").to_dicts()}
    finding = findings.through(rows, points) if rows else None
    shown = look.say("Change of the mean points a hand by category, all sides together.")
    return _graphic(finding, shown, rows, named, frame, metadata, look)


_CHANGED = {
    "winner_changed": "Hands with another winner than on the same deal without the rule.",
    "changed": "Hands that differ in a card, a capture, a knock or a point.",
}
"""What is shown of the hands that the rules change."""


def _changed(quantity: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """How many hands have another winner, or go another way at all."""
    every = frame.filter(quantity=quantity).sort("estimate", descending=True, maintain_order=True)
    rows = [row for row in every.iter_rows(named=True) if row["estimate"] > 0]
    if not rows or "policy" in frame.columns:
        return None
    body = chances(rows, look, lambda row: rule_name(row["rules"], look.language), key=itemgetter("rules"))
    about = method(metadata, look)
    return drawn(findings.changed(quantity, rows), look.say(_CHANGED[quantity]), body, about, metadata, look)


_FIGURES: dict[str, Make] = {
    "points": partial(_effects, "points"),
    "categories": _categories,
    **{name: partial(_effects, name) for name in ASPECTS if name != "points"},
    "winners": partial(_changed, "winner_changed"),
    "changed": partial(_changed, "changed"),
}

FAMILY = Family(_FIGURES, "a file with a change, as of compare --games")
LINE_UPS = Family({name: make for name, make in _FIGURES.items() if name in ASPECTS}, "a file with a change in it")
