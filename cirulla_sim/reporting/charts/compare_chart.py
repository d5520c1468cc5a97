"""Figures of the files of ``compare``: what each rule set changes, the biggest change first, for one line-up or more.

Changes are drawn on a linear axis with a line at none. ``--axis log`` draws sizes instead, up and down by the marker,
for those who want to see changes of every power of ten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import polars as pl

from ...experiments.tally import is_main
from ..text import findings
from ..text.cells import is_significant, marked
from ..text.findings import Finding
from ..text.labels import NAMES, Metadata, how_much, line_up, lower, name_of, side_names
from ..text.sentences import title
from .figure_parts import Family, Make, command_of, mark_of, method
from .look import Look
from .rows import ChartRow, Group, Mark, RowChart, chance, chances
from .sheet import Graphic

WAYS = {"more": "^", "less": "v"}
"""Up and down, and their markers."""


class ChangedQuantity(NamedTuple):
    """A quantity that rules change: where it stands in the table, what is shown of it."""

    quantity: str
    per: str
    side: str
    shown: str
    scale: float = 1.0


ASPECTS = {
    "points": ChangedQuantity("points", "hand", "all", "Change of the mean points a hand."),
    "margin": ChangedQuantity(
        "margin", "hand", "dealer", "{dealer}: change of its mean points a hand, less the others’.",
    ),
    "wins": ChangedQuantity(
        "wins_hand", "side", "dealer", "{dealer}: change of its hands won, in percentage points.", 100.0,
    ),
    "spread": ChangedQuantity(
        "margin_spread", "hand", "dealer", "Change of the standard deviation of the margin, in points.",
    ),
    "games": ChangedQuantity(
        "wins_game", "game", "dealer", "Change of the games won by who deals first, in percentage points.", 100.0,
    ),
    "hands": ChangedQuantity(
        "hands", "game", "all", "Change of the mean hands in a game.",
    ),
    "leads": ChangedQuantity(
        "lead_changes", "game", "all", "Change of the mean lead changes in a game.",
    ),
}  # fmt: skip
"""What is drawn of a file that has it, by the name of its figure."""


Naming = Callable[[dict[str, Any]], str]


def _graphic(
    finding: Finding | None, shown: str, rows: Sequence[dict[str, Any]], named: Naming, scale: float,
    frame: pl.DataFrame, metadata: Metadata, look: Look,
) -> Graphic | None:  # fmt: skip
    """The chart of differences, a row a rule set; the biggest first, a mark for each line-up."""
    changed = [row for row in rows if row["estimate"] or row["ci_low"] or row["ci_high"]]
    if not changed or finding is None:
        return None
    line_ups = frame["policy"].unique(maintain_order=True).to_list() if "policy" in frame.columns else [None]
    cells: dict[str, list[Mark]] = {}
    keys: dict[str, str] = {}
    for row in sorted(changed, key=lambda row: -max(abs(other["estimate"]) for other in changed
                                                    if named(other) == named(row))):  # fmt: skip
        series = line_ups.index(row.get("policy"))
        cells.setdefault(named(row), []).append(_mark(row, scale, series, len(line_ups) > 1, look))
        keys[named(row)] = row["rules"]
    chart_rows = [ChartRow(label, tuple(sorted(marks, key=lambda mark: mark.series)), key=keys[label])
            for label, marks in cells.items()]  # fmt: skip
    base = look.say(name_of(frame["rules"][0]))
    body = RowChart(
        (Group("", tuple(chart_rows)),),
        series=tuple(line_up(str(policy), look) for policy in line_ups) if len(line_ups) > 1 else (),
        log=look.axis == "log" and any(mark.estimate for row in chart_rows for mark in row.marks),
        reference=None if look.axis == "log" else (0.0, look.say("as in {base}", base=base)),
    )  # fmt: skip
    return Graphic(
        title(finding, look.language), shown, body, _method(rows, frame, metadata, look), command_of(metadata)
    )


def _mark(row: dict[str, Any], scale: float, series: int, several: bool, look: Look) -> Mark:
    """A change; on a logarithmic axis its size, with an interval from 0 if the direction is not clear."""
    way = WAYS["more" if row["estimate"] > 0 else "less"]
    mark = mark_of(row, (marked(row, look.language),), look, scale=scale, series=series, hollow=not is_significant(row),
                   marker="" if several and look.axis != "log" else way, sign="+")  # fmt: skip
    if look.axis != "log":
        return mark if several else mark._replace(series=0 if row["estimate"] > 0 else 1)
    ends = sorted(abs(end) for end in (mark.low, mark.high))
    low = 0.0 if mark.low <= 0 <= mark.high else ends[0]
    return mark._replace(low=low, estimate=abs(mark.estimate), high=ends[1])


def _method(rows: Sequence[dict[str, Any]], frame: pl.DataFrame, metadata: Metadata, look: Look) -> str:
    base = look.say(name_of(frame["rules"][0]))
    same = "Each rule set on the same deals, less {base}."
    if "changed" not in frame["quantity"]:
        same = "Each rule set on hands of its own, less {base}."
    every = frame.filter(pl.col("p_holm").is_not_null()).to_dicts()
    together = metadata.get("levels") == "holm"  # main quantities are corrected together, and all others together
    tested = sum(not together or is_main(row) == is_main(rows[0]) for row in every)
    sentences = [
        look.say(same, base=base),
        look.say("Sizes are on a logarithmic scale; triangles point up for more and down for less.")
        if look.axis == "log" else "",
        look.say("Hollow, in parentheses: not significant ({n} tested; Holm, 5%).", n=look.numerals(f"{tested:,}")),
    ]  # fmt: skip
    return method(metadata, look, *sentences, much=how_much(metadata, look))


def _effects(name: str, frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    aspect = ASPECTS[name]
    rows = frame.filter(
        quantity=aspect.quantity, per=aspect.per, side=aspect.side, kind="difference"
    ).to_dicts()  # fmt: skip
    names = side_names(metadata, look, policies=False)
    finding = findings.effect(aspect.quantity, rows, metadata) if rows else None
    return _graphic(
        finding, look.say(aspect.shown, **names), rows, lambda row: look.say(name_of(row["rules"])), aspect.scale,
        frame, metadata, look,
    )  # fmt: skip


def _categories(frame: pl.DataFrame, metadata: Metadata, look: Look) -> Graphic | None:
    """Through which points rules change: a row a rule and category."""
    if "policy" in frame.columns:
        return None
    every = frame.filter(pl.col("quantity").str.starts_with("points_"), side="all", kind="difference", per="hand")
    rows = [row for row in every.iter_rows(named=True) if row["quantity"] in NAMES and is_significant(row)]

    def named(row: dict[str, Any]) -> str:
        return f"{look.say(name_of(row['rules']))}: {lower(look.say(NAMES[row['quantity']]))}"

    points = {row["rules"]: row for row in frame.filter(quantity="points", side="all", kind="difference").to_dicts()}
    finding = findings.through(rows, points) if rows else None
    shown = look.say("Change of the mean points a hand by category, all sides together.")
    return _graphic(finding, shown, rows, named, 1.0, frame, metadata, look)


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
    named = {look.say(name_of(row["rules"])): row for row in rows}
    finding = findings.changed(quantity, rows)
    body = chances([("", [chance(name, row, look, key=row["rules"]) for name, row in named.items()])], look)
    return Graphic(
        title(finding, look.language), look.say(_CHANGED[quantity]), body, method(metadata, look), command_of(metadata)
    )


_FIGURES: dict[str, Make] = {
    "points": partial(_effects, "points"),
    "categories": _categories,
    **{name: partial(_effects, name) for name in ASPECTS if name != "points"},
    "winners": partial(_changed, "winner_changed"),
    "changed": partial(_changed, "changed"),
}

FAMILY = Family(_FIGURES, "a file with a change, as of compare --games")
LINE_UPS = Family({name: make for name, make in _FIGURES.items() if name in ASPECTS}, "a file with a change in it")
