"""Chances over several independent trials, from the chance of one: at least once in twenty hands."""

from __future__ import annotations

import math
from fractions import Fraction

import polars as pl

LONGEST = 4000
"""Digits of a fraction that is written out."""


def repeated(frame: pl.DataFrame, trials: int, unit: str) -> pl.DataFrame:
    """The answers for one trial turned into answers for ``trials`` independent ones: at least once, or the mean sum.

    ``of_one`` is the estimate for one trial. A fraction with too many digits is written as a power of the chance of
    none.
    """
    rows = []
    for row in frame.to_dicts():
        row["quantity"] += f" in {trials:_} {unit}"
        row["of_one"] = row["estimate"]
        chance = row["kind"] == "probability"
        row["std_error"] *= trials * (math.exp((trials - 1) * _log_none(row["estimate"])) if chance else 1)
        for name in ("estimate", "ci_low", "ci_high"):
            row[name] = -math.expm1(trials * _log_none(row[name])) if chance else trials * row[name]
        if row["exact"] is not None:
            row["exact"] = _exactly(Fraction(row["exact"]), trials, chance)
        rows.append(row)
    return pl.DataFrame(rows, schema={**frame.schema, "of_one": pl.Float64}, orient="row")


def _log_none(p: float) -> float:
    return math.log1p(-p) if p < 1 else -math.inf


def _exactly(p: Fraction, trials: int, chance: bool) -> str:
    """
    >>> _exactly(Fraction(1, 3), 2, True), _exactly(Fraction(1, 3), 10**5, True)
    ('5/9', '1 - (2/3)^100000')
    """
    if not chance:
        return str(trials * p)
    if trials * len(str(p.denominator)) > LONGEST and p not in (0, 1):
        return f"1 - ({1 - p})^{trials}"
    return str(1 - (1 - p) ** trials)
