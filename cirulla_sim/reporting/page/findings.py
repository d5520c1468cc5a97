"""The findings of a report: significant findings of its pages, one a page, in their order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ...stats.decisions import Row, verdict
from ..text.findings import Finding
from .section import Section

MOST = 5
"""Findings of a front page."""


class Chosen(NamedTuple):
    """The place of a section, and of a finding in its answer."""

    section: int
    sentence: int


def chosen(sections: Sequence[Section], lang: str) -> list[Chosen]:
    """The first significant finding of each section, others being about what it is about; sections come as asked."""
    found = []
    for place, section in enumerate(sections):
        for number, sentence in enumerate(section.sentences(lang)):
            if isinstance(sentence, Finding) and strength(sentence) > 0:
                found.append(Chosen(place, number))
                break
    return found[:MOST]


def strength(finding: Finding) -> float:
    """How many standard errors the weakest number that a finding rests on is from what would refute it.

    0 for what is not significant, and for findings that compare nothing.

    >>> row = {"estimate": 0.5, "std_error": 0.1, "ci_low": 0.3, "ci_high": 0.7}
    >>> from cirulla_sim.reporting.text.findings import Noun, ranked, signed
    >>> strength(signed("dealing", row)), strength(signed("dealing", {**row, "ci_low": -0.1}))
    (5.0, 0.0)
    >>> other = {**row, "estimate": 0.05}
    >>> round(strength(ranked("rank.points", {Noun("text", "a"): row, Noun("text", "b"): other})), 2)
    3.18
    """
    rows = list(finding.rows)
    if finding.test == "sign":
        each = [_apart(row) if verdict(row) in ("more", "less") else 0.0 for row in rows]
        return min(each + [strength(other) for other in finding.then])
    if finding.test == "signs":
        return min(map(_apart, rows))
    if finding.test in ("rank", "least", "size") and finding.direction not in ("tied", "many"):
        return _lead(rows, finding.test)
    return 0.0


def _apart(row: Row) -> float:
    return abs(row["estimate"]) / row["std_error"] if row["std_error"] else 0.0


def _lead(rows: Sequence[Row], test: str) -> float:
    """How far the first of some rows is from the second."""
    sign = -1.0 if test == "least" else 1.0
    values = [abs(row["estimate"]) if test == "size" else sign * row["estimate"] for row in rows]
    order = sorted(range(len(rows)), key=lambda i: -values[i])
    if len(order) < 2:
        return _apart(rows[0])
    first, second = order[:2]
    error = math.hypot(rows[first]["std_error"] or 0.0, rows[second]["std_error"] or 0.0)
    return (values[first] - values[second]) / error if error else 0.0
