"""Chances over several independent trials, from the chance of one: at least once in twenty hands, three in a row."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import polars as pl

LONGEST = 4000
"""Digits of a fraction that is written out."""


@dataclass(frozen=True)
class Repeated:
    """Independent trials one after the other: at least once in so many ``trials``, or a ``run`` of so many in a row.

    A run without a number of trials is of the next ones; ``unit`` is what trials are called.
    """

    trials: int | None
    run: int | None
    unit: str

    def of(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The answers for one trial turned into answers for these; a mean becomes that of the sum.

        ``of_one`` is the estimate for one trial. A fraction with too many digits is left out.
        """
        rows = [self._row(row) for row in frame.to_dicts()]
        return pl.DataFrame(rows, schema={**frame.schema, "of_one": pl.Float64}, orient="row")

    def _row(self, row: dict[str, Any]) -> dict[str, Any]:
        run = f" {self.run} in a row" if self.run else ""
        of = f" in {self.trials:_} {self.unit}" if self.trials else ""
        chance = row["kind"] == "probability"
        turned: Callable[[Any], Any] = self.chance if chance else lambda mean: (self.trials or 1) * mean
        p, step = row["estimate"], 1e-6
        slope = (turned(min(p + step, 1.0)) - turned(max(p - step, 0.0))) / (min(p + step, 1.0) - max(p - step, 0.0))
        cells = {name: turned(row[name]) for name in ("estimate", "ci_low", "ci_high")}
        exact = None if row["exact"] is None else self._exactly(Fraction(row["exact"]), chance)
        std_error = row["std_error"] * (abs(slope) if chance else self.trials or 1)
        return row | cells | {
            "quantity": f"{row['quantity']}{run}{of}", "std_error": std_error, "exact": exact, "of_one": p,
        }  # fmt: skip

    def chance(self, p: Any) -> Any:
        """The chance over all trials, from that of one: a fraction of a fraction, a float of a float.

        >>> Repeated(2, None, "hands").chance(Fraction(1, 3)), Repeated(4, 3, "hands").chance(Fraction(1, 2))
        (Fraction(5, 9), Fraction(3, 16))
        """
        run = self.run or 1
        if self.trials is None or self.trials == run:
            return p**run
        if run == 1:
            return 1 - (1 - p) ** self.trials if isinstance(p, Fraction) else -math.expm1(self.trials * _log_none(p))
        some = [0 * p] * run + [p**run]  # the chances that the first n trials have such a run
        for _ in range(run, self.trials):
            some.append(some[-1] + (1 - some[-run - 1]) * (1 - p) * p**run)  # one that ends with this trial, the first
        return some[-1]

    def _exactly(self, p: Fraction, chance: bool) -> str | None:
        """
        >>> Repeated(2, None, "hands")._exactly(Fraction(1, 3), True)
        '5/9'
        """
        if not chance:
            return str((self.trials or 1) * p)
        trials = max(self.trials or 1, self.run or 1)
        if trials * len(str(p.denominator)) <= LONGEST or p in (0, 1):
            return str(self.chance(p))
        return f"1 - ({1 - p})^{trials}" if self.run is None else None


def _log_none(p: float) -> float:
    return math.log1p(-p) if p < 1 else -math.inf
