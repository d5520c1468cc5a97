"""Every finding is recounted from its rows, by a second implementation of the tests."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from every_kind import KINDS
from hypothesis import given
from hypothesis import strategies as st
from recounting import check, check_tests, sign
from test_pages import RESULTS, ROOT, STUDIES

from cirulla_sim.core.locale import language
from cirulla_sim.reporting.kinds import result_kind
from cirulla_sim.reporting.result import Result
from cirulla_sim.reporting.text import findings
from cirulla_sim.reporting.text.facts import Source
from cirulla_sim.reporting.text.findings import Finding
from cirulla_sim.reporting.text.headlines import compare_places
from cirulla_sim.ruleset.catalogue import catalogue
from cirulla_sim.storage.tables import read_table

ENGLISH = language("en")
DERIVED = ("attack", "fairer", "luckiest")
"""Studies whose numbers are sums of rows, which tests of their own count again."""

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
def test_findings_are_what_a_second_implementation_finds(some: list[dict[str, Any]]) -> None:
    names = [findings.Noun("text", name) for name in "abcdef"]
    named = dict(zip(names, some, strict=False))
    rules = dict(zip([*catalogue()["house"]][: len(some)], some, strict=True))
    check(findings.find_sign("advantage", some[0], one=findings.who("search"), other=findings.who("careful")))
    check(findings.find_signs("dealing", {"random": some[0], "greedy": some[-1]}))
    check(findings.largest_change("effect.points", rules, "points"))
    check(findings.find_extreme("rank.points", named))
    turns = (findings.Noun("place", f"between:dealer={two}") for two in ("open, others=search", "search, others=open"))
    for places in (names, turns):
        check(compare_places("margin", dict(zip(places, ({**row, "p_holm": None} for row in some), strict=False))))
    k = sum(sign(row) == 1 for row in some)
    assert findings.count_significant("pairings", some, ("more",)).about["k"] == k
    check(findings.count_significant("pairings", some, ("more",), one=findings.who("careful")))


@pytest.mark.parametrize("kind", KINDS)
def test_sentences_of_every_kind_are_recounted(results: dict[str, Result], kind: str) -> None:
    """Also those that are not significant, or titles of charts only."""
    result = results[kind]
    check_tests(result.describe("en"), result.frame)
    for view in result_kind(result.metadata).views:
        rows = view.select(result.frame)
        for finding in view.findings(rows, Source(result.frame, result.metadata, ENGLISH)) if rows else ():
            if isinstance(finding, Finding):
                check(finding, [(result.frame, result.metadata)])


@pytest.mark.parametrize("name", STUDIES)
def test_the_answer_of_every_study_is_recounted_from_its_files(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "analyses")
    study = importlib.import_module(name)
    files = [read_table(file)[:2] for file in RESULTS.glob(f"{name}*.parquet")] if name not in DERIVED else []
    of_study = study.findings(RESULTS)
    assert 2 <= len(of_study) <= 6
    for finding in of_study:
        check(finding, files)


def test_what_rules_change_for_the_better_pair_is_half_of_two_differences() -> None:
    """Of the games that the dealer's side wins, with either pair dealing first, by plain reading of the files."""
    fairer = importlib.import_module("fairer")
    assert len(fairer.changes(RESULTS)) == 8
    for (pair, rules), row in fairer.changes(RESULTS).items():
        frame = read_table(RESULTS / pair.file)[0].filter(
            rules=rules, quantity="wins_game", side="dealer", kind="difference"
        )
        by_line_up = {line["policy"]: line["estimate"] for line in frame.to_dicts()}
        worse, better = (by_line_up[line_up] for line_up in pair.line_ups)
        assert row["estimate"] == pytest.approx((better - worse) / 2)


def test_what_knowing_an_opponent_brings_is_the_difference_of_two_margins() -> None:
    attack = importlib.import_module("attack")
    for one, row in zip(attack.ATTACKS, attack.gains(RESULTS), strict=True):
        frame = read_table(RESULTS / one.file)[0].filter(quantity="margin", side="all", opponent=one.opponent)
        over = dict(frame.select("policy", "estimate").iter_rows())
        usual = f"search:{one.samples}"
        assert row["estimate"] == pytest.approx(over[f"{usual}:{one.opponent}"] - over[usual])


def test_high_scores_are_counted_by_hand_and_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four hands the dealer's side has 20 points or more in two, the other in one of these and in a third."""
    luckiest = importlib.import_module("luckiest")
    tally = luckiest.Largest(["side0_total", "side1_total"])
    tally(luckiest.np.array([[0, 25], [31, 20], [22, 4], [3, 5]]))
    counted = [
        {"quantity": quantity, "side": side, "value": str(points), "estimate": count / 4}
        for (quantity, side), counts in zip(luckiest.DISTRIBUTIONS, tally.counts, strict=True)
        for points, count in enumerate(counts)
        if count
    ]
    monkeypatch.setattr(luckiest.cs, "read", lambda file: Result(pl.DataFrame(counted), {"hands": 4}))
    assert luckiest.at_least(Path(), 20, by_side=False)["estimate"] == 3 / 4
    assert luckiest.at_least(Path(), 20, by_side=True)["estimate"] == 4 / 8
    assert [(points, luckiest.SIDES[side]) for points, _, side in tally.best[:2]] == [(31, "others"), (25, "dealer")]
