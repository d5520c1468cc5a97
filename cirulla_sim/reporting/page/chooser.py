"""House rules and strength to choose from: what each rule changes, as numbers that the page draws itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from ...core.arguments import LANGUAGES
from ..result import Result
from ..text.labels import line_up, name_of
from ..text.locale import language

QUANTITIES = (("points", "all", 1), ("margin", "dealer", 1), ("wins_hand", "dealer", 100))
"""What can be looked at: quantity, side, and the factor it is shown with."""

SCHEMA = "compare-line-ups/2"


def choices(results: Iterable[Result]) -> dict[str, Any] | None:
    """What every comparison of house rules among them found, by players, line-up, quantity and rule; None if none is.

    A cell is ``[estimate, low, high, told]``: with ``told`` whether it is told from 0 when all differences of its file
    are judged together. Where two files know the same, that of more hands counts.
    """
    found: dict[str, Any] = {}
    hands: dict[tuple[str, str], int] = {}
    rules: dict[str, None] = {}
    for result in results:
        if result.made.get("schema") != SCHEMA or result.made.get("preset") != "cirulla":
            continue
        players, many = str(result.made["players"]), int(result.made["hands"])
        for (policy,), rows in result.frame.group_by("policy", maintain_order=True):
            if hands.get((players, str(policy)), 0) >= many:
                continue
            hands[players, str(policy)] = many
            found.setdefault(players, {})[str(policy)] = {"hands": many, **_cells(rows)}
            rules |= dict.fromkeys(rows.filter(pl.col("kind") == "difference")["rules"].to_list())
    if not found:
        return None
    named = {lang: {rule: language(lang).say(name_of(rule)) for rule in rules} for lang in LANGUAGES}
    played = {policy for lines in found.values() for policy in lines}
    called = {lang: {policy: line_up(policy, language(lang)) for policy in sorted(played)} for lang in LANGUAGES}
    return {"found": found, "names": named, "policies": called}


def _cells(rows: pl.DataFrame) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for quantity, side, scale in QUANTITIES:
        mine = rows.filter(pl.col("kind") == "difference", pl.col("quantity") == quantity, pl.col("side") == side)
        told[quantity] = {
            row["rules"]: [
                *(round(scale * row[name], 6) for name in ("estimate", "ci_low", "ci_high")),
                row["p_holm"] is None or row["p_holm"] <= 0.05,
            ]
            for row in mine.iter_rows(named=True)
        }
    return told
