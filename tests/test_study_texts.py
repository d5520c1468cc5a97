"""The sentences of the studies: verdict words come from tests of rows only."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from recounting import check
from test_pages import ROOT, STUDIES

from cirulla_sim.core.locale import language
from cirulla_sim.reporting.result import Result
from cirulla_sim.reporting.text.claims import Claim, advantage, best, best_of_both, counted, effect_of, of_both

ENGLISH, ITALIAN = language("en"), language("it")

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
    """The ace and the seven of a first holding, the queens among captured cards, and equal players."""
    two = best({"ace": row(0.48, 0.07), "seven": row(0.44, 0.07), "six": row(-0.12, 0.07)}, "best", ENGLISH)
    assert str(two) == "Best: ace (+0.48 ± 0.07), of 3 compared; not distinguishable from it: seven (+0.44 ± 0.07)."
    queens = {"hearts": row(1.74, 0.08), "clubs": row(1.79, 0.08), "diamonds": row(3.51, 0.07)}
    assert "not distinguishable from it: clubs" in str(best(queens, "least", ENGLISH, least=True))
    equals = {name: row(x, 0.1) for name, x in (("a", 0.02), ("b", 0.0), ("c", -0.02))}
    assert best(equals, "the strongest", ENGLISH).verdict == "all"


@pytest.mark.parametrize(
    ("careful", "search", "verdict", "start"),
    [
        ((2.0, 1.0), (1.5, 0.9), "agree", "First, of 3: ace (+2.0 ± 0.1 between careful players, +1.5 ± 0.1 between"),
        ((2.0, 1.0), (1.5, 1.48), "open", "First, of 3, between careful players: ace (+2.0 ± 0.1); between search"),
        ((2.0, 1.0), (0.5, 1.5), "differ", "First, of 3, is not the same between careful players: ace (+2.0 ± 0.1);"),
    ],
)
def test_the_first_place_of_two_kinds_of_players(
    careful: tuple[float, float], search: tuple[float, float], verdict: str, start: str
) -> None:
    one, other = ({"ace": row(ace, 0.1), "two": row(two, 0.1), "six": row(-3.0, 0.1)} for ace, two in (careful, search))
    claim = best_of_both(one, other, "first", ENGLISH)
    assert (claim.verdict, str(claim)[: len(start)]) == (verdict, start)
    check(claim)
    least = best_of_both(one, other, "last", ENGLISH, least=True)
    assert (least.verdict, "six (−3.0 ± 0.1 between" in str(least)) == ("agree", True)


def test_exact_zeros_and_corrected_differences_do_not_count_as_significant() -> None:
    rules = [row(0.0, 0.0, exact="0"), row(0.052, 0.046, p_holm=0.66), row(-0.4, 0.1, p_holm=0.01)]
    assert str(counted(rules, "{k} of {n}", ENGLISH)) == "1 of 3"
    assert str(counted(rules, "{k} of {n}", ENGLISH, ("more",))) == "0 of 3"
    assert advantage(rules[1], "dealing", "not dealing", ENGLISH).verdict == "open"
    assert str(of_both(rules[2], rules[1], "dealing", ENGLISH)).endswith("; significant only between careful players.")


UP, DOWN, FLAT, ZERO = row(0.4, 0.1), row(-0.3, 0.2), row(0.05, 0.1), row(0.0, 0.0, exact="0")


def test_each_verdict_on_a_difference_has_its_words() -> None:
    for locale in (ENGLISH, ITALIAN):
        claims = [
            *(advantage(one, "Anna", "Berto", locale) for one in (UP, DOWN, FLAT, ZERO)),
            *(effect_of(one, "The rule", "points", locale) for one in (UP, DOWN, FLAT, ZERO)),
            *(of_both(*rows, "Dealing", locale)
              for rows in ((UP, UP), (UP, DOWN), (UP, FLAT), (FLAT, UP), (FLAT, FLAT))),
        ]  # fmt: skip
        assert len({claim.text for claim in claims}) == len(claims)
        for claim in claims if locale is ENGLISH else ():
            check(claim)
            with pytest.raises(AssertionError):
                check(Claim(claim.text, claim.test, "another", claim.rows))
    assert str(advantage(UP, "Anna", "Berto", ENGLISH)) == "Anna makes 0.4 ± 0.1 points a hand more than Berto."
    assert str(advantage(DOWN, "Anna", "il mazziere", ITALIAN)) == (
        "Anna fa 0,3\u00a0±\u00a00,2\u00a0punti a smazzata meno del mazziere."
    )
    assert str(effect_of(DOWN, "the rule", "points", ENGLISH)) == "The rule lowers points by 0.3 ± 0.2."


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
