"""The sentences of the studies: verdict words come from tests of rows only."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from test_pages import ROOT, STUDIES

from cirulla_sim.core.locale import language
from cirulla_sim.reporting.result import Result
from cirulla_sim.reporting.text.claims import advantage, best, counted, of_both

ENGLISH = language("en")

JUDGING = (
    "hardly|mostly|surely|certainly|nearly|almost|clearly|of course|good|bad|better|best|worse|worst|gains?|loses?|"
    "beats?|improves?|pays"
)
"""Words that say neither how much nor by which test, or that only a claim function may choose, after a test."""


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_leaves_verdicts_to_the_claim_functions(name: str) -> None:
    study, source = importlib.import_module(name), (ROOT / "analyses" / f"{name}.py").read_text("utf-8")
    assert not re.search(rf"\b(?:{JUDGING})\b", study.METHOD, re.IGNORECASE)
    assert not re.search(r"\bClaim\(|\.english\b", source)
    assert not hasattr(study, "answer")
    assert not hasattr(study, "page")


def row(estimate: float, half: float, p_holm: float | None = None, **values: Any) -> dict[str, Any]:
    """A difference in margin with half its interval."""
    ends = {"ci_low": estimate - half, "ci_high": estimate + half, "std_error": half / 1.96}
    named = {"quantity": "margin", "kind": "difference", "per": "hand", "exact": None, "p_holm": p_holm}
    return {"estimate": estimate, **ends, **named, **values}


def test_a_first_place_that_is_not_significant_is_shared() -> None:
    """The ace and the seven of a first holding, and equal players; exact zeros and corrected differences are none."""
    two = best({"ace": row(0.48, 0.07), "seven": row(0.44, 0.07), "six": row(-0.12, 0.07)}, "best", ENGLISH)
    assert str(two) == "Best: ace (+0.48 ± 0.07), of 3 compared; not distinguishable from it: seven (+0.44 ± 0.07)."
    equals = {name: row(x, 0.1) for name, x in (("a", 0.02), ("b", 0.0), ("c", -0.02))}
    assert best(equals, "the strongest", ENGLISH).verdict == "all"
    rules = [row(0.0, 0.0, exact="0"), row(0.052, 0.046, p_holm=0.66), row(-0.4, 0.1, p_holm=0.01)]
    assert str(counted(rules, "{k} of {n}", ENGLISH)) == "1 of 3"
    assert str(of_both(rules[2], rules[1], "dealing", ENGLISH)).endswith("; significant only between careful players.")
    assert str(advantage(row(-0.3, 0.2), "Anna", "il mazziere", language("it"))) == (
        "Anna fa 0,3\u00a0±\u00a00,2\u00a0punti a smazzata meno del mazziere."
    )


def test_high_scores_are_counted_by_hand_and_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four hands the dealer's side has 20 points or more in two, the other in one of these and in a third."""
    luckiest = importlib.import_module("luckiest")
    tally = luckiest.Largest(["side0_total", "side1_total"])
    tally(luckiest.np.array([[0, 25], [31, 20], [22, 4], [3, 5]]))
    rows = [
        {"quantity": quantity, "side": side, "value": str(points), "estimate": count / 4}
        for (quantity, side), counts in zip(luckiest.DISTRIBUTIONS, tally.counts, strict=True)
        for points, count in enumerate(counts)
        if count
    ]
    monkeypatch.setattr(luckiest.cs, "read", lambda file: Result(pl.DataFrame(rows), {"hands": 4}))
    assert luckiest.at_least(Path(), 20, by_side=False)["estimate"] == 3 / 4
    assert luckiest.at_least(Path(), 20, by_side=True)["estimate"] == 4 / 8
    best_of = [(points, hand, luckiest.SIDES[side]) for points, hand, side in tally.best[:2]]
    assert best_of == [(31, 1, "others"), (25, 0, "dealer")]
