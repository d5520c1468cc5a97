"""Experiments on the same deals: what is paired, and the rows of tables of differences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import polars as pl

from ..engine.trials import Experiment
from ..stats.estimates import Difference, Estimate, holm
from ..storage.tables import SCHEMA as COLUMNS
from ..storage.tables import empty_row
from .strata import Stratum


def table_schema(label: str) -> dict[str, Any]:
    """Columns of a table of differences: what is compared is called, under ``label``; the contract's; of differences,
    how many times wider the interval of unpaired runs would be, and the chance of seeing such a difference if there
    were none, corrected by Holm's method for all differences in the table."""
    return {label: pl.String, **COLUMNS, "gain": pl.Float64, "p_holm": pl.Float64}


class Pairing(Protocol):
    """Experiments on the same deals with the same random numbers, the first the one that the others are compared with.

    ``label`` is the column that names them. ``unpaired``, the first plays the hands 0 to ``hands - 1`` and the others
    the next ``hands``, so that nothing is shared. Those that ``strata`` names play only deals in which they may differ
    from the first, as many.
    """

    @property
    def label(self) -> str: ...

    @property
    def experiments(self) -> Mapping[str, Experiment]: ...

    @property
    def hands(self) -> int: ...

    @property
    def unpaired(self) -> bool: ...

    @property
    def strata(self) -> Mapping[str, Stratum]: ...


class Quantity(NamedTuple):
    """A number that every hand has, as the result table names it."""

    name: str
    per: str
    side: str
    kind: str


def holm_corrected(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with their plain chances in ``p_holm`` replaced by those corrected for all of these rows."""
    tested = [row for row in rows if row["p_holm"] is not None]
    for row, p in zip(tested, holm([row["p_holm"] for row in tested]), strict=True):
        row["p_holm"] = p
    return rows


def difference_row(
    name: Mapping[str, str], quantity: Quantity, difference: Difference, unpaired: bool
) -> dict[str, Any]:
    """The row of how much more of a quantity there is than in the first experiment; the chance is not corrected yet."""
    row = level_row(name, quantity._replace(kind="difference"), difference.estimate)
    return row | {"gain": None if unpaired else difference.gain, "p_holm": difference.p}


def level_row(name: Mapping[str, str], quantity: Quantity, estimate: Estimate) -> dict[str, Any]:
    """The row of a quantity of an experiment, which ``name`` calls by its column."""
    return (
        dict(name)
        | empty_row()
        | {
            "quantity": quantity.name,
            "per": quantity.per,
            "side": quantity.side,
            "kind": quantity.kind,
            "estimate": estimate.value,
            "std_error": estimate.std_error,
            "ci_low": estimate.low,
            "ci_high": estimate.high,
            "n": estimate.n,
        }
        | {"gain": None, "p_holm": None}
    )
