"""Claims recounted from their rows by a second implementation of the tests that choose their words."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from itertools import combinations
from statistics import NormalDist
from typing import Any

import polars as pl
from cirulla_sim.reporting.text.claims import Claim

LEVEL = 0.05

WORDING = {
    "more": r"\bmore than\b|\braises\b",
    "less": r"\bless than\b|\blowers\b",
    "open": r"not significant|no measurable effect",
    "same": r"exactly",
    "agree": r"; they agree\.$",
    "differ": r"; they differ in sign\.$",
    "some": r"; significant only ",
    "none": r"no measurable effect|^No measurable effect",
}
"""Words that a verdict requires; no other verdict's may stand in the sentence."""


def sign(row: Any) -> int | None:
    """The sign of a number that is significantly above or below 0, 0 if it is exactly 0, None if it is neither."""
    value = row["estimate"]
    if row["ci_low"] is None:
        return None
    if row.get("exact") is not None:
        return (value > 0) - (value < 0)
    for p in (row.get("p_tukey"), row.get("p_holm")):
        if p is not None:
            return None if p > LEVEL else 1 if value > 0 else -1
    return 1 if row["ci_low"] > 0 else -1 if row["ci_high"] < 0 else None


def recount(claim: Claim) -> str:
    """What a claim should have found."""
    signs = [sign(row) for row in claim.rows]
    if claim.test in ("advantage", "effect"):
        return {1: "more", -1: "less", None: "open", 0: "same"}[signs[0]]
    if claim.test == "among":
        if 1 in signs and -1 in signs:
            return "differ"
        if len(set(signs)) == 1 and signs[0] is not None:
            return "agree"
        return "some" if {1, -1} & set(signs) else "none"
    if claim.test == "greatest" and claim.verdict == "none":
        return "none" if not {1, -1} & set(signs) else "some"
    size = {"best": lambda x: x, "least": lambda x: -x, "greatest": abs}.get(claim.test.partition(" ")[0])
    if size is not None and claim.test.endswith("of both"):
        half = len(claim.rows) // 2
        one, other = (in_front(rows, size) for rows in (claim.rows[:half], claim.rows[half:]))
        return "agree" if one == other and len(one) == 1 else "differ" if not one & other else "open"
    if size is not None:
        tied = len(in_front(claim.rows, size))
        return "all" if claim.test != "greatest" and 1 < tied == len(claim.rows) else "alone" if tied == 1 else "tied"
    return claim.verdict


def in_front(rows: Sequence[Any], size: Callable[[float], float]) -> set[int]:
    """The places of the rows not distinguishable from the largest, by intervals that hold together for all pairs."""
    z = NormalDist().inv_cdf(1 - LEVEL / 2 / max(1, len([*combinations(rows, 2)])))
    sizes = [size(row["estimate"]) for row in rows]
    first = sizes.index(max(sizes))
    return {first} | {
        place for place, row in enumerate(rows)
        if sizes[first] - sizes[place] <= z * math.hypot(rows[first]["std_error"], row["std_error"])
    }  # fmt: skip


def allowed_numbers(claim: Claim) -> list[float]:
    """The numbers that may stand in the sentence: those of its rows, their half-widths and ends, and their count."""
    numbers = [float(len(claim.rows)), float(sum(sign(row) in (1, -1) for row in claim.rows))]
    numbers += [float(sum(sign(row) == way for row in claim.rows)) for way in (1, -1)]
    for row in claim.rows:
        ends = [row[name] for name in ("estimate", "ci_low", "ci_high") if row[name] is not None]
        half = [(row["ci_high"] - row["ci_low"]) / 2] if len(ends) == 3 else []
        numbers += [scale * abs(number) for number in ends + half for scale in (1, 100)]
        numbers += [100 * (1 - number) for number in ends]
        numbers += [float(row[name]) for name in ("n", "value") if re.fullmatch(r"[\d.]+", str(row.get(name)))]
    return numbers


def stray_numbers(text: str, claim: Claim) -> list[str]:
    """The decimal numbers of a sentence that are not those of its rows, rounded as they are written."""
    allowed, stray = allowed_numbers(claim), []
    for word in re.findall(r"(?<![\w:.-])\d[\d,]*\.\d+(?![\w:])", text):
        number, half = float(word.replace(",", "")), 0.51 * 10.0 ** -len(word.partition(".")[2])
        if f"1 in {word}" in text:
            number, half = 1 / number, 0.006 / number
        if not any(abs(number - x) <= half for x in allowed):
            stray.append(word)
    return stray


def check(claim: Claim) -> None:
    """Raise ``AssertionError`` unless the words and numbers of an English sentence follow from its rows."""
    found = recount(claim)
    assert claim.verdict == found, claim
    required = WORDING.get(found)
    if required and claim.test in ("advantage", "effect", "among"):
        assert re.search(required, claim.text), claim
    if claim.test == "count":
        ways = [{"more": 1, "less": -1}[verdict] for verdict in found.split(" or ")]
        assert re.search(rf"\b{sum(sign(row) in ways for row in claim.rows)}\b", claim.text), claim
    assert not stray_numbers(claim.text, claim), claim


def is_of(row: Any, frame: pl.DataFrame) -> bool:
    """Whether a row's numbers stand in a table, from as many trials: with their sign turned, halved or doubled too.

    A relative change is a difference over something else, so it may have any scale. Exact numbers are counted again.
    """
    if row["estimate"] == 0 or row.get("exact") is not None or not {"estimate", "n"} <= set(frame.columns):
        return row["estimate"] == 0 or row.get("exact") is not None
    names = [name for name in ("estimate", "ci_low", "ci_high") if row[name] is not None]
    for other in frame.filter(n=row["n"]).iter_rows(named=True):
        if any(other[name] is None for name in names) or not other["estimate"]:
            continue
        scale = row["estimate"] / other["estimate"]
        ends = [scale * other[name] for name in names]
        if scale < 0:
            ends[1:] = ends[:0:-1]
        is_scaled = row["quantity"] == "relative_change" or round(abs(scale), 9) in (0.5, 1, 2)
        same = (
            math.isclose(row[name], end, rel_tol=1e-9, abs_tol=1e-12) for name, end in zip(names, ends, strict=True)
        )
        if is_scaled and all(same):
            return True
    return False
