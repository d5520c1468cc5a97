"""The exact odds of the first deal as a result table."""

from __future__ import annotations

import polars as pl

from ..exact.first_deal import first_deal_odds
from ..ruleset.rules_model import Rules
from ..storage.tables import empty_row, table

FIRST_DEAL = "the first deal"
"""What one trial is, in the metadata, where there is no question."""


def first_deal(rules: Rules) -> pl.DataFrame:
    """The exact odds of the first deal, one row a quantity (see ``tables``): fractions, decimals, no error."""
    rows = []
    for odds in first_deal_odds(rules):
        p = float(odds.exact)
        exact = {"estimate": p, "std_error": 0.0, "ci_low": p, "ci_high": p, "exact": str(odds.exact)}
        rows.append(
            empty_row() | {"quantity": odds.quantity, "per": odds.per, "side": "all", "kind": odds.kind} | exact
        )
    return table(rows)
