"""Rows of chances: a dot on an axis from 0, with percentage, odds and, where it is known, the fraction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .look import Look
from .rows import Group, Mark, Row, Rows

LONGEST_FRACTION = 13
"""Characters of a fraction that are worth printing; longer ones are in the table."""

FEW, FAR, LARGE = 3, 20.0, 0.5
"""An axis of chances is logarithmic for as many as this or more, the largest so many times the least, none above."""


def chance(label: str, row: Mapping[str, Any], look: Look, key: str = "") -> Row:
    """The row of a chance: percentage, odds, and its fraction if it is short."""
    (low, estimate, high), exact = interval(row), row.get("exact")
    fraction = f"= {exact}" if exact is not None and len(exact) <= LONGEST_FRACTION else ""
    texts = (look.percent(estimate), look.odds(estimate, exact is not None), fraction)
    return Row(label, (Mark(low, estimate, high, texts),), key=key or str(row.get("quantity", "")))


def interval(row: Mapping[str, Any]) -> tuple[float, float, float]:
    """The low end, the estimate and the high end; of an exact number that was checked, the simulated interval."""
    low, high = row["ci_low"], row["ci_high"]
    if row.get("simulated_low") is not None:
        low, high = row["simulated_low"], row["simulated_high"]
    if low is None:  # of the most or least seen
        low = high = row["estimate"]
    return low, row["estimate"], high


def chances(groups: Sequence[tuple[str, Sequence[Row]]], look: Look) -> Rows:
    """Chances in groups, on a logarithmic axis if they are far apart, or if that was asked for."""
    seen = [mark.estimate for _, rows in groups for row in rows for mark in row.marks if mark.estimate > 0]
    far = len(seen) >= FEW and max(seen) <= LARGE and max(seen) >= FAR * min(seen)
    log = bool(seen) and (far or look.axis == "log")
    return Rows(
        tuple(Group(heading, tuple(rows)) for heading, rows in groups), optional=2, unit="share", log=log,
        from_zero=True,
    )  # fmt: skip
