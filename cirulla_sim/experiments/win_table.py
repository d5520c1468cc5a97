"""The chance to win a game from every score, by the chain of scores."""

from __future__ import annotations

import numpy as np
import polars as pl

from ..stats.estimates import Estimate
from ..storage.request import Request
from ..storage.tables import SCHEMA
from .expectancy import Expectancy
from .win_chance import ChancesJob, Known, dealt_for

TABLE = {"us": pl.Int64, "them": pl.Int64, "dealer": pl.String} | SCHEMA
"""The columns of ``as_table``."""


def win_table_job(request: Request, known: Known) -> ChancesJob:
    """The chance to win from every score, see ``as_table``; raises ``InputError`` for rules without a chain."""

    def rows(chances: Expectancy | None, games: Estimate | None) -> pl.DataFrame:
        return pl.DataFrame(schema=TABLE) if chances is None else as_table(chances)

    return ChancesJob(request, "win-table/2", rows, dealt_for(request, known))


def as_table(expectancy: Expectancy) -> pl.DataFrame:
    """A row a score and dealer: ``us``, ``them``, ``dealer`` (``us`` or ``them``), then the contract's columns."""
    target = expectancy.rules.target
    inside = np.s_[:, :target, :target]
    dealer, us, them = np.indices(expectancy.chances[inside].shape)
    value, error = expectancy.chances[inside], expectancy.std_errors()[inside]
    low, high = (ends[inside] for ends in expectancy.intervals())
    columns = {
        "us": us.ravel(),
        "them": them.ravel(),
        "dealer": np.array(["us", "them"])[dealer.ravel()],
        "quantity": "wins_game", "per": "game", "side": "us", "kind": "probability", "value": None,
        "estimate": value.ravel(),
        "std_error": error.ravel(),
        "ci_low": low.ravel(),
        "ci_high": high.ravel(),
        "n": expectancy.hands, "exact": None,
    }  # fmt: skip
    return pl.DataFrame({name: column for name, column in columns.items() if isinstance(column, np.ndarray)}).select(
        (pl.col(name) if isinstance(column, np.ndarray) else pl.lit(column)).cast(TABLE[name]).alias(name)
        for name, column in columns.items()
    )
