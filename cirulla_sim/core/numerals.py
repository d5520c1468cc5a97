"""Numbers as readers see them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

UNKNOWN = "-"
"""What readers see of an error that a single hand does not tell, and of an end that an interval so does not have."""


def digits(number: float, error: float | None) -> str:
    """A number with two figures of its error."""
    if not error or not math.isfinite(error):
        return f"{number:.6f}"
    return f"{number:.{min(9, max(0, 1 - math.floor(math.log10(error))))}f}"


def decimal(number: float) -> str:
    """A number: six decimals, or three figures of what is less than that."""
    return f"{number:.6f}" if abs(number) >= 1e-4 or not number else f"{number:.3g}"


def percent(p: float, error: float | None = None) -> str:
    """A chance in percent: four decimals, or three figures of what is less; with an error two figures of that.

    >>> percent(0.1048582), percent(2.31e-05), percent(0.1048582, 0.0003), percent(1.0)
    ('10.4858%', '0.00231%', '10.486%', '100%')
    """
    if error:
        return f"{digits(100 * p, 100 * error)}%"
    return f"{100 * p:.4f}%" if 1e-4 <= p < 1 else f"{100 * p:.3g}%"


def interval(low: float, high: float) -> str:
    """The ends of an interval, with two figures of half of it."""
    error = (high - low) / 4
    if not math.isfinite(error):
        return UNKNOWN
    return f"{digits(low, error)} to {digits(high, error)}"


def one_in(p: float | Fraction) -> str:
    """A probability as odds with three figures: ``1 in 14.3``; ``never`` and ``always`` at the ends.

    Raises ``ValueError`` for a number that is no probability.

    >>> one_in(Fraction(47, 4940)), one_in(0.5), one_in(1 / 9880), one_in(0), one_in(Fraction(2469, 2470))
    ('1 in 105', '1 in 2', '1 in 9,880', 'never', 'all but 1 in 2,470')
    """
    if not 0 <= p <= 1:
        raise ValueError(f"{p} is not a probability (valid: 0 to 1)")
    if p in (0, 1):
        return "always" if p else "never"
    trials = float(f"{1 / float(p):.3g}")
    if trials == 1:
        return f"all but {one_in(1 - p)}"
    return f"1 in {trials:,.0f}" if trials >= 100 else f"1 in {trials:g}"


def effect(row: Mapping[str, Any], scale: float = 1, unit: str = "") -> str:
    """A difference with half its interval, as ``+0.03 ± 0.01``; ``0`` where there can be none, ``none seen``."""
    half = scale * (row["ci_high"] - row["ci_low"]) / 2
    if row["estimate"] == row["std_error"] == 0 < half:
        return "none seen"
    if half == 0:
        return "0" if row["estimate"] == 0 else f"{scale * row['estimate']:+.3g}{unit}"
    if not half < float("inf"):
        return f"{scale * row['estimate']:+.3g}{unit} ± ?"
    places = min(9, max(0, -math.floor(math.log10(half * 1.0000001))))
    return f"{scale * row['estimate']:+.{places}f} ± {half:.{places}f}{unit}"


def level(row: Mapping[str, Any], scale: float = 1, unit: str = "") -> str:
    """An estimate with half its interval, two figures of it, as ``19.034 ± 0.011``.

    >>> level({"estimate": 0.4496, "ci_low": 0.4487, "ci_high": 0.4506})
    '0.44960 ± 0.00095'
    """
    value = scale * row["estimate"]
    half = scale * (row["ci_high"] - row["ci_low"]) / 2 if row["ci_low"] is not None else 0.0
    if not 0 < half < math.inf:
        return f"{value:.6g}{unit}" + (" ± ?" if half else "")
    places = min(9, max(0, 1 - math.floor(math.log10(half * 1.0000001))))
    return f"{value:.{places}f} ± {half:.{places}f}{unit}"
