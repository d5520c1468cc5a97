"""The findings of a report: the strongest significant claims of its pages, one a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ...stats.decisions import Row
from ..text.claims import Claim
from .section import Section

MOST = 5
"""Findings of a front page."""


class Finding(NamedTuple):
    """The place of a section, and of a sentence in its answer."""

    section: int
    sentence: int


def findings(sections: Sequence[Section], lang: str) -> list[Finding]:
    """The first significant claim of each section, those after it being about what it is about; the strongest first."""
    best = []
    for place, section in enumerate(sections):
        for number, sentence in enumerate(section.sentences(lang)):
            if isinstance(sentence, Claim) and (how := strength(sentence)) > 0:
                best.append((how, -place, Finding(place, number)))
                break
    return [finding for _, _, finding in sorted(best, reverse=True)[:MOST]]


def strength(claim: Claim) -> float:
    """How many standard errors the weakest number that a claim rests on is from what would refute it.

    0 for claims that are not significant, and for those that compare nothing.

    >>> row = {"estimate": 0.5, "std_error": 0.1}
    >>> strength(Claim("", "effect", "more", (row,))), strength(Claim("", "effect", "open", (row,)))
    (5.0, 0.0)
    >>> other = {"estimate": 0.1, "std_error": 0.1}
    >>> round(strength(Claim("", "best", "alone", (row, other))), 2)
    2.83
    """
    rows = list(claim.rows)
    match claim.test, claim.verdict:
        case (("advantage" | "effect"), ("more" | "less")):
            return _apart(rows[0])
        case "among", ("agree" | "differ"):
            return min(map(_apart, rows))
        case (("best" | "least" | "greatest"), "alone"):
            return _lead(rows, claim.test)
        case (("best of both" | "least of both"), "agree"):
            half = len(rows) // 2
            return min(_lead(part, claim.test) for part in (rows[:half], rows[half:]))
    return 0.0


def _apart(row: Row) -> float:
    return abs(row["estimate"]) / row["std_error"] if row["std_error"] else 0.0


def _lead(rows: Sequence[Row], test: str) -> float:
    """How far the first of some rows is from the second."""
    sign = -1.0 if test.startswith("least") else 1.0
    values = [abs(row["estimate"]) if test == "greatest" else sign * row["estimate"] for row in rows]
    order = sorted(range(len(rows)), key=lambda i: -values[i])
    if len(order) < 2:
        return _apart(rows[0])
    first, second = order[:2]
    error = math.hypot(rows[first]["std_error"] or 0.0, rows[second]["std_error"] or 0.0)
    return (values[first] - values[second]) / error if error else 0.0
