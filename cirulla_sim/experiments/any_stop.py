"""Tables of runs that a precision ends: intervals and p-values that hold at any stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from ..ruleset.bounds import bounds_of
from ..ruleset.rules_model import Rules
from ..stats.decisions import holm
from ..stats.sequential import always_valid_p, held
from ..storage.tables import estimate_of

Row = dict[str, Any]


def held_table(frame: pl.DataFrame, rules_of: Callable[[Row], Rules]) -> pl.DataFrame:
    """A table with its intervals widened so that they hold at any stop, and p-values that are valid then.

    ``rules_of`` gives the rules that a row is of.
    """
    rows = frame.to_dicts()
    if "p_holm" in frame.columns:
        _correct(rows)
    for row in rows:
        if (estimate := estimate_of(row)) is not None:
            names = (row[name] for name in ("quantity", "per", "side", "kind"))
            estimate = held(estimate, *bounds_of(rules_of(row), *names))
            row |= {"ci_low": estimate.low, "ci_high": estimate.high}
    return pl.DataFrame(rows, schema=frame.schema, orient="row")


def _correct(rows: list[Row]) -> None:
    """Replace the p-values of a table by those valid at any stop, with Holm's correction."""
    tested = [(row, estimate) for row in rows if row["p_holm"] is not None and (estimate := estimate_of(row))]
    for (row, _), p in zip(tested, holm([always_valid_p(estimate) for _, estimate in tested]), strict=True):
        row["p_holm"] = p
