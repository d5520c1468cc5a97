"""Tables of runs that a precision ends: intervals and p-values that hold at any stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

from ..ruleset.bounds import bounds_of
from ..ruleset.rules_model import Rules
from ..stats.sequential import always_valid_p, held
from ..storage.tables import estimate_of

Row = dict[str, Any]


def held_table(frame: pl.DataFrame, rules_of: Callable[[Row], Rules]) -> pl.DataFrame:
    """A table with its intervals widened so that they hold at any stop, and p-values that are valid then.

    The p-values are not corrected for their number. ``rules_of`` gives the rules that a row is of.
    """
    rows = frame.to_dicts()
    for row in rows:
        if (estimate := estimate_of(row)) is not None:
            names = (row[name] for name in ("quantity", "per", "side", "kind"))
            wider = held(estimate, *bounds_of(rules_of(row), *names))
            row |= {"ci_low": wider.low, "ci_high": wider.high}
            if row.get("p_holm") is not None:
                row["p_holm"] = always_valid_p(estimate)
    return pl.DataFrame(rows, schema=frame.schema, orient="row")
