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
    """Replace the p-values of rows by those valid at any stop, with Holm's correction."""
    families: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        if row["p_holm"] is not None:
            families.setdefault(_family(row), []).append(row)
    for family in families.values():
        ps = [always_valid_p(estimate) for row in family if (estimate := estimate_of(row)) is not None]
        for row, p in zip(family, holm(ps), strict=True):
            row["p_holm"] = p


def _family(row: Row) -> tuple[Any, ...]:
    """What the rows that are corrected together share: of rules compared, each line-up has a table of its own."""
    return row["kind"], row.get("policy") if "rules" in row and row["kind"] == "difference" else None
