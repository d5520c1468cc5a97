"""House rules and strength to choose from: what each rule changes, as numbers that the page draws itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from ...core.arguments import LANGUAGES
from ...core.locale import language
from ..result import Result
from ..text.cells import is_significant
from ..text.labels import line_up, name_of, rules_of

QUANTITIES = (("points", "all", 1), ("margin", "dealer", 1), ("wins_hand", "dealer", 100))
"""What can be looked at: quantity, side, and the factor it is shown with."""

SCHEMA = "compare-line-ups/2"


def choices(results: Iterable[Result]) -> dict[str, Any] | None:
    """The differences of all comparisons of house rules, by players, line-up, quantity and rule; None if none.

    A cell is ``[estimate, low, high, significant]``, significant after the correction for all differences of its file.
    Of two files on the same line-up that of more hands counts.
    """
    cells: dict[str, Any] = {}
    hands: dict[tuple[str, str], int] = {}
    rules: dict[str, None] = {}
    for result in results:
        metadata, base = result.metadata, rules_of(result.metadata)
        if metadata.get("schema") != SCHEMA or base is None or base.preset != "cirulla":
            continue
        players, number = str(metadata["players"]), int(metadata["hands"])
        for (policy,), rows in result.frame.group_by("policy", maintain_order=True):
            if hands.get((players, str(policy)), 0) >= number:
                continue
            hands[players, str(policy)] = number
            cells.setdefault(players, {})[str(policy)] = {"hands": number, **_differences(rows)}
            rules |= dict.fromkeys(rows.filter(pl.col("kind") == "difference")["rules"].to_list())
    if not cells:
        return None
    names = {lang: {rule: language(lang).say(name_of(rule)) for rule in rules} for lang in LANGUAGES}
    policies = sorted({policy for by_policy in cells.values() for policy in by_policy})
    called = {lang: {policy: line_up(policy, language(lang)) for policy in policies} for lang in LANGUAGES}
    return {"found": cells, "names": names, "policies": called}


def _differences(rows: pl.DataFrame) -> dict[str, dict[str, list[float | bool]]]:
    """The cells of a line-up, by quantity and rule."""
    differences = rows.filter(kind="difference")
    return {
        quantity: {
            row["rules"]: [
                *(round(scale * row[name], 6) for name in ("estimate", "ci_low", "ci_high")),
                is_significant(row),
            ]
            for row in differences.filter(quantity=quantity, side=side).iter_rows(named=True)
        }
        for quantity, side, scale in QUANTITIES
    }
