"""What estimates decide: more or less than nothing, best or tied with the best, the same for two kinds of players.

A row is one of a result table (``estimate``, ``std_error``, ``ci_low``, ``ci_high``, ``exact``). If it was tested with
others, its adjusted p-value (``P_VALUES``) decides; otherwise its 95% interval does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any, Literal

from .distributions import MISSED

Row = Mapping[str, Any]
Verdict = Literal["more", "less", "open", "same"]

LEVEL = MISSED
"""How often at most a sentence may claim a difference, or a best, where there is none."""

P_VALUES = ("p_tukey", "p_holm")
"""Columns of adjusted p-values: for all gaps of a ranking, and for all differences of a table."""


def p_value(row: Row) -> float | None:
    """The adjusted p-value of a row; None if it was not tested."""
    return next((row[name] for name in P_VALUES if row.get(name) is not None), None)


def verdict(row: Row) -> Verdict:
    """Whether a number is above 0, below it, not significantly apart from it, or exactly 0.

    >>> verdict({"estimate": 0.3, "ci_low": 0.1, "ci_high": 0.5}), verdict({"estimate": 0.0, "exact": "0"})
    ('more', 'same')
    >>> verdict({"estimate": 0.3, "ci_low": 0.1, "ci_high": 0.5, "p_holm": 0.2})
    'open'
    """
    if row.get("exact") is not None:
        return "same" if row["estimate"] == 0 else "more" if row["estimate"] > 0 else "less"
    p = p_value(row)
    if p is None:
        return "more" if row["ci_low"] > 0 else "less" if row["ci_high"] < 0 else "open"
    return "open" if p > LEVEL else "more" if row["estimate"] > 0 else "less"


def holm(ps: Sequence[float]) -> list[float]:
    """P-values adjusted by Holm ("A simple sequentially rejective multiple test procedure", 1979).

    Where all of 0.05 or less are called significant, the chance of any false positive is at most 5%.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    corrected, largest = [0.0] * len(ps), 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(ps) - rank) * ps[i]))
        corrected[i] = largest
    return corrected


def holm_levels(ps: Sequence[float]) -> list[float]:
    """The level at which Holm's method decides on each of some tests: those significant one after the other, the
    smallest p-value at 5% over their number; all others as the first that is not.

    >>> [round(level, 4) for level in holm_levels([0.01, 0.2, 0.02])]
    [0.0167, 0.05, 0.025]
    """
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    levels, level = [LEVEL] * len(ps), LEVEL
    is_open = False
    for rank, i in enumerate(order):
        level = level if is_open else LEVEL / (len(ps) - rank)
        is_open = is_open or ps[i] > level
        levels[i] = level
    return levels


def at_level(row: Row, p: float, level: float) -> tuple[float, float]:
    """The ends of an interval that leaves out the truth with the chance ``level`` of 5% or less, from the 95% interval.

    It leaves out 0 if and only if the plain p-value ``p`` is at most the level. How far an interval reaches is nearly
    proportional to the normal quantile; of the reach towards 0 a second point is known, that of the level ``p``.

    >>> row = {"estimate": 2.5, "ci_low": 2.5 - 1.96, "ci_high": 2.5 + 1.96}
    >>> [round(end, 2) for end in at_level(row, 0.0124, 0.025)], [round(end, 2) for end in at_level(row, 0.0124, 0.01)]
    ([0.26, 4.74], [-0.08, 5.08])
    """
    value, low, high = row["estimate"], row["ci_low"], row["ci_high"]
    towards = value - low if value > 0 else high - value
    if not value or not 0 < towards < math.inf:
        times = _normal(level) / _normal(LEVEL)
    else:
        times = _reach(_normal(level), towards, abs(value), p) / towards
    return value - times * (value - low), value + times * (high - value)


_SURELY = 1e-11
"""P-values below are not computed exactly."""


def _reach(z: float, usual: float, distance: float, p: float) -> float:
    """How far towards 0 an interval reaches at the normal quantile ``z``; ``usual`` at that of 5%."""
    at_zero, at_level = (_normal(max(chance, _SURELY)) for chance in (p, LEVEL))
    if at_zero <= at_level:  # the 95% interval holds 0 already
        return usual * z / at_level
    if z > at_zero:
        return distance * z / at_zero
    share = (z - at_level) / (at_zero - at_level) if p > _SURELY else 0.0
    between = usual + share * (distance - usual) if share else usual * z / at_level
    return min(between, distance * (1 - 1e-9))


def _normal(chance: float) -> float:
    """The normal quantile of a two-sided chance."""
    return -NormalDist().inv_cdf(min(chance, 1 - 1e-12) / 2)


def with_holm(rows: Sequence[Row]) -> list[Row]:
    """Rows that are looked at together, with Holm-adjusted p-values of a normal test against 0 (``p_holm``).

    >>> rows = with_holm([{"estimate": 2.5, "std_error": 1}, {"estimate": 1, "std_error": 1}])
    >>> [round(row["p_holm"], 3) for row in rows]
    [0.025, 0.317]
    """
    ps = [
        math.erfc(abs(row["estimate"]) / row["std_error"] / math.sqrt(2)) if row["std_error"] else 1.0 for row in rows
    ]
    return [{**row, "p_holm": p} for row, p in zip(rows, holm(ps), strict=True)]


def simultaneous_z(comparisons: int) -> float:
    """How many standard errors an interval reaches so that all of several hold together with 95% (Bonferroni).

    >>> round(simultaneous_z(1), 2), round(simultaneous_z(45), 2)
    (1.96, 3.26)
    """
    return NormalDist().inv_cdf(1 - LEVEL / (2 * max(1, comparisons)))


def with_the_best(rows: Sequence[Row]) -> list[int]:
    """The places of the largest estimate and, largest first, of all that are not distinguishable from it.

    Every pair of rows is compared, since the largest is known only after looking: the intervals of all differences hold
    together (Bonferroni). Errors are taken as independent, which is too wide for estimates that rise and fall together.

    >>> rows = [{"estimate": x, "std_error": 0.1} for x in (0.0, 1.0, 0.9)]
    >>> with_the_best(rows)
    [1, 2]
    """
    order = sorted(range(len(rows)), key=lambda i: -rows[i]["estimate"])
    first, z = rows[order[0]], simultaneous_z(len(rows) * (len(rows) - 1) // 2)
    return [order[0]] + [
        i for i in order[1:]
        if first["estimate"] - rows[i]["estimate"] <= z * math.hypot(first["std_error"], rows[i]["std_error"])
    ]  # fmt: skip


def agreement(rows: Sequence[Row]) -> Literal["agree", "differ", "some", "none"]:
    """Whether effects ``agree``: all significant with one sign; ``differ``: two are significant with opposite signs.

    Else whether ``some`` or ``none`` of them are significant.

    >>> up, flat = {"estimate": 1.0, "ci_low": 0.5, "ci_high": 1.5}, {"estimate": 0.1, "ci_low": -1.0, "ci_high": 1.2}
    >>> agreement([up, up]), agreement([up, flat]), agreement([flat, flat])
    ('agree', 'some', 'none')
    """
    found = [verdict(row) for row in rows]
    if {"more", "less"} <= set(found):
        return "differ"
    if len(set(found)) == 1 and found[0] != "open":
        return "agree"
    return "some" if {"more", "less"} & set(found) else "none"
