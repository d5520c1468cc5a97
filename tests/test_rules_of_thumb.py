"""Rules of thumb are yardsticks: the default player is ahead of them in every game, and they of greedy in Scopone."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import cirulla_sim as cs

RULES_OF_THUMB = Path(__file__).parent.parent / "analyses" / "rules_of_thumb.py"
GAMES = ("scopone-scientifico", "scopone", "cirullone", "cirulla")


def lead(rules: str, ahead: str, behind: str, hands: int) -> float:
    """The lower end of the 95% interval of how far one pair is ahead of another, in points a hand."""
    result = cs.tournament(rules=rules, policy=[ahead, behind], players=4, hands=hands, seed=47, progress=False)
    row = result.frame.filter(pl.col("policy") == ahead, pl.col("quantity") == "margin")
    return float(row["ci_low"][0])


@pytest.mark.parametrize(
    "player", ["chitarrella", *(pytest.param(name, marks=pytest.mark.slow) for name in ("simple", "masters"))]
)
@pytest.mark.parametrize("rules", GAMES)
def test_no_rule_player_beats_careful(rules: str, player: str) -> None:
    assert lead(rules, "careful", f"{RULES_OF_THUMB}:{player}", 2000 if player == "chitarrella" else 20_000) > 0


def test_knowing_ranks_is_worth_something_in_scopone() -> None:
    simple, chitarrella = (f"{RULES_OF_THUMB}:{name}" for name in ("simple", "chitarrella"))
    assert lead("scopone-scientifico", chitarrella, simple, 2000) > 0
    assert lead("scopone-scientifico", simple, "greedy", 2000) > 0
