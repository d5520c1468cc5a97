"""Every sentence that claims something is recounted from its rows, by a second implementation of the tests."""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from statistics import NormalDist
from typing import Any

import polars as pl
import pytest
from every_kind import KINDS
from hypothesis import given
from hypothesis import strategies as st

import cirulla_sim as cs
from cirulla_sim.reporting.result import Result
from cirulla_sim.reporting.text import claims
from cirulla_sim.reporting.text.claims import Claim
from cirulla_sim.reporting.text.descriptions import WORDS
from cirulla_sim.reporting.text.layouts import schema_of
from cirulla_sim.reporting.text.locale import language
from cirulla_sim.storage.tables import read

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "results"
STUDIES = sorted(
    path.stem for path in (ROOT / "analyses").glob("*.py") if "study.carry_out(" in path.read_text("utf-8")
)
ENGLISH = language("en")
LEVEL = 0.05

WORDING = {
    "more": r"\bmore than\b|\bmore often than\b|\braises\b",
    "less": r"\bless than\b|\bless often than\b|\blowers\b",
    "open": r"not significant|no measurable effect|does not differ significantly",
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
    if row.get("exact") is not None:
        return (value > 0) - (value < 0)
    if row.get("p_holm") is not None:
        return None if row["p_holm"] > LEVEL else 1 if value > 0 else -1
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
    if claim.test in ("best", "least", "greatest"):
        if claim.test == "greatest" and claim.verdict == "none":
            return "none" if not {1, -1} & set(signs) else "some"
        size = {"best": lambda x: x, "least": lambda x: -x, "greatest": abs}[claim.test]
        tied = number_tied([(size(row["estimate"]), row["std_error"]) for row in claim.rows])
        alone = "alone" if tied == 1 else "tied"
        return "all" if claim.test != "greatest" and 1 < tied == len(claim.rows) else alone
    return claim.verdict


def number_tied(numbers: Sequence[tuple[float, float]]) -> int:
    """How many are not distinguishable from the largest, by intervals of all differences that hold together."""
    z = NormalDist().inv_cdf(1 - LEVEL / 2 / max(1, len([*combinations(numbers, 2)])))
    first = max(range(len(numbers)), key=lambda i: numbers[i][0])
    top, error = numbers[first]
    return sum(top - value <= z * math.hypot(error, other) * (i != first) for i, (value, other) in enumerate(numbers))


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
        assert re.search(rf"\b{sum(sign(row) in (1, -1) for row in claim.rows)}\b", claim.text) or "or" not in found
    assert not stray_numbers(claim.text, claim), claim


rows = st.builds(
    lambda value, error, p, exact: {
        "quantity": "margin", "per": "hand", "kind": "difference", "estimate": value,
        "std_error": 0.0 if exact else error, "ci_low": value - (0 if exact else 1.96 * error),
        "ci_high": value + (0 if exact else 1.96 * error), "n": 100, "exact": str(value) if exact else None,
        "p_holm": None if exact else p,
    },
    st.floats(-9, 9).map(lambda x: round(x, 3)), st.floats(0.01, 2), st.none() | st.floats(0, 1), st.booleans(),
)  # fmt: skip


@given(st.lists(rows, min_size=2, max_size=6))
def test_claims_say_what_a_second_implementation_finds(some: list[dict[str, Any]]) -> None:
    named = dict(zip("abcdef", some, strict=False))
    check(claims.advantage(some[0], "A", "B", ENGLISH))
    check(claims.effect_of(some[0], "A", "B", ENGLISH))
    check(claims.of_both(some[0], some[1], "A", ENGLISH))
    check(claims.among({"random": some[0], "greedy": some[-1]}, "A", ENGLISH))
    check(claims.best(named, "A", ENGLISH))
    check(claims.best(named, "A", ENGLISH, least=True))
    check(claims.greatest_change(named, "A", ENGLISH))
    k = sum(sign(row) == 1 for row in some)
    assert claims.counted(some, "{k} of {n}.", ENGLISH, ("more",)).text == f"{k} of {len(some)}."


@pytest.mark.parametrize("kind", KINDS)
def test_sentences_of_every_kind_are_recounted(results: dict[str, Result], kind: str) -> None:
    """Also that a sentence which names a side rests on rows of that side: with other numbers it would say otherwise."""
    result = results[kind]
    words = WORDS[schema_of(result.metadata)]
    for sentence in words.findings(result.frame, result.metadata, ENGLISH):
        if isinstance(sentence, Claim):
            check(sentence)
            for row in sentence.rows:
                assert is_of(row, result.frame)
            if sentence.test in ("advantage", "effect", "among") and re.search(
                "dealer(’s| makes| wins)", sentence.text
            ):
                assert {row["side"] for row in sentence.rows} <= {"dealer"}, sentence


def is_of(row: Any, frame: pl.DataFrame) -> bool:
    """Whether a row stands in a table, or is one of it with another scale or an adjusted p-value."""
    if row["estimate"] == 0:
        return True
    keys = [name for name in ("quantity", "per", "side", "kind", "value") if name in frame.columns]
    same = frame.filter(*(pl.col(name).eq_missing(pl.lit(row[name])) for name in keys))
    for other in same.iter_rows(named=True):
        scale = other["estimate"] / row["estimate"]
        if abs(scale) in (0.5, 1.0, 2.0) and all(
            row[name] is None or math.isclose(other[name], scale * row[name], rel_tol=1e-9, abs_tol=1e-12)
            for name in ("estimate", "ci_low", "ci_high", "std_error")
        ):
            return True
    return False


@pytest.mark.parametrize("name", STUDIES)
def test_the_answer_of_every_study_is_recounted_from_its_files(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "analyses")
    study = importlib.import_module(name)
    frames = [read(RESULTS / file)[0] for file in study.sources(RESULTS)]
    made = study.claims(RESULTS, ENGLISH)
    assert 2 <= len(made) <= 6
    for claim in made:
        check(claim)
        assert all(any(is_of(row, frame) for frame in frames) for row in claim.rows), claim
    others = study.claims(RESULTS, language("it"))
    assert [claim.verdict for claim in others] == [claim.verdict for claim in made]


def test_the_dealers_sentence_is_of_the_dealers_row() -> None:
    """All numbers of the table differ, so a sentence that takes the row of another side shows it."""
    result = cs.simulate(policy="greedy", hands=500, progress=False)
    rows = result.frame.to_dicts()
    for place, row in enumerate(row for row in rows if row["kind"] == "mean"):
        row |= {"estimate": 1.0 + place, "ci_low": 0.9 + place, "ci_high": 1.1 + place, "exact": None}
    frame = pl.DataFrame(rows, schema=result.frame.schema)
    margin = frame.filter(quantity="margin", side="dealer", kind="mean")["estimate"].item()
    described = "\n".join(map(str, WORDS["simulate"].findings(frame, result.metadata, ENGLISH)))
    assert f"The dealer’s side makes {margin:.1f} ± 0.1 points a hand more than the other side." in described
