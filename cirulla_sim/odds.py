"""How likely is what the first deal brings: exact odds as a result table, and as words."""

from __future__ import annotations

from fractions import Fraction

import polars as pl

from .exact.first_deal import first_deal_odds
from .rules import Rules

SCHEMA = pl.Schema(
    {
        "quantity": pl.String(),
        "per": pl.String(),
        "side": pl.String(),
        "kind": pl.String(),
        "value": pl.Float64(),
        "estimate": pl.Float64(),
        "std_error": pl.Float64(),
        "ci_low": pl.Float64(),
        "ci_high": pl.Float64(),
        "n": pl.Int64(),
        "exact": pl.String(),
    }
)
"""Columns of the result table, in order."""


def first_deal(rules: Rules) -> pl.DataFrame:
    """The exact odds of the first deal, one row a quantity: fractions as text, their decimals, no error."""
    rows = [
        (odds.quantity, odds.per, "all", odds.kind, None, p := float(odds.exact), 0.0, p, p, None, str(odds.exact))
        for odds in first_deal_odds(rules)
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def one_in(p: float | Fraction) -> str:
    """A probability as odds with three figures: ``1 in 14.3``; ``never`` and ``always`` at the ends.

    Raises ``ValueError`` for a number that is no probability.

    >>> one_in(Fraction(47, 4940)), one_in(0.5), one_in(1 / 9880), one_in(0)
    ('1 in 105', '1 in 2', '1 in 9,880', 'never')
    """
    if not 0 <= p <= 1:
        raise ValueError(f"{p} is not a probability (valid: 0 to 1)")
    if p in (0, 1):
        return "always" if p else "never"
    trials = float(f"{1 / float(p):.3g}")
    return f"1 in {trials:,.0f}" if trials >= 100 else f"1 in {trials:g}"
