"""The rest of a hand, by features of played hands: against whole constrained hands, and known truths."""

from __future__ import annotations

import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner

import cirulla_sim as cs
from cirulla_sim.cli import app

DEALT: dict[str, Any] = {"players": 2, "policy": "greedy", "hands": 4_000, "progress": False}
QUESTIONS = (
    "wins(us)", "wins(us, primiera) and captured(us, 7d)", "points(us, cards) > points(them, cards)", "sweeps(us) = 0",
    "captured(us, 7h)",
)  # fmt: skip


def largest_difference(first: pl.DataFrame, other: pl.DataFrame) -> float:
    """The greatest difference between rows in standard errors."""
    errors = (first["std_error"] ** 2 + other["std_error"] ** 2).sqrt()
    difference = first["estimate"] - other["estimate"]
    return (difference / errors).abs().fill_nan(0).max()  # type: ignore[return-value]  # nan: both sure, and the same


@pytest.mark.parametrize(
    ("held", "here", "whole"),
    [
        ("7d Ks 2h", "", ""),
        ("7c Ks 2h", "; next: settebello", "; dealer: settebello"),
        ("7d Ks 2h", "; next: two kings; not stock: 7h", "; dealer: two kings 7h"),
    ],
)
def test_the_rest_of_a_hand_agrees_with_constrained_whole_hands(held: str, here: str, whole: str) -> None:
    """At the first play a position is a deal constraint, which other code samples."""
    dealt = f"table: 3c 5d 7s Kh, no aces; first: {held}{whole}; i am: first"  # without to play: a fresh deal
    texts = [*QUESTIONS, "mean(margin)"]
    rest = cs.odds(texts, at=f"table: 3c 5d 7s Kh; me: {held}{here}", **DEALT)
    assert largest_difference(rest.frame, cs.odds(texts, at=dealt, **DEALT).frame) < 4


def test_conditions_splits_names_and_files(tmp_path: Path) -> None:
    position = "table: 3c 5d; me: 7d Ks; to play: next; shown next: 2h 2c 2s; i am: first"
    at: dict[str, Any] = {"players": 4, "at": position, "policy": "greedy", "hands": 500, "given": "captured(us, 7d)"}
    split = cs.odds("leading: margin > 0", by="captured(us, sevens)", **at, output=tmp_path / "x.parquet")
    assert split.frame["quantity"].unique().to_list() == ["leading given captured(us, 7d)"]
    whole = cs.odds("margin > 0", **at).frame["estimate"][0]
    assert (split.frame["share"] * split.frame["estimate"]).sum() == pytest.approx(whole)
    again = CliRunner().invoke(app, shlex.split(split.metadata["command"])[1:])
    assert split.text() in again.output
    assert cs.read(tmp_path / "x.parquet").frame.equals(split.frame)


def test_questions_of_the_next_plays_are_counted_with_the_piles_and_those_of_the_rest_are_not() -> None:
    """Cards to be held agree with their exact number where they are asked for together with what is played."""
    position = "table: 3c 5d; me: 7d Ks; to play: next"
    gone = cs.odds("can_sweep", at=f"{position}; gone: 6h 4d 5s", players=2).frame
    assert gone["exact"].item()
    assert cs.odds("can_sweep", at=f"{position}; captured us: 6h; captured them: 4d 5s", players=2).frame.equals(gone)
    assert cs.odds("sweeps(next)", at=position, players=2, hands=10, progress=False).frame["exact"].item() is None
    early = f"{position}; stage: 1; gone: 6h 4d 5s"
    held = Fraction(cs.odds("mean(diamonds(next, stage 2))", at=early, players=2).frame["exact"].item())
    both, swept = cs.odds(["mean(diamonds(next, stage 2) + sweeps)", "mean(sweeps)"], at=early, **DEALT).frame[
        "estimate"
    ]
    assert abs(both - swept - float(held)) < 4 * (0.6 / DEALT["hands"]) ** 0.5


def test_advice_knows_what_is_known_besides() -> None:
    """To players that look at nobody's cards a card known is as good as one shown; the sweep next is not counted."""
    position, options = "table: 3c 5d Qh; me: 7h Ks", {"players": 2, "policy": "greedy", "samples": 4096}
    shown, constrained, plain = (
        cs.advise(at=f"{position}{known}", **options).frame for known in ("; shown next: 7d", "; next: settebello", "")
    )
    assert set(shown["quantity"].unique()) - set(constrained["quantity"].unique()) == {"sweep_next"}
    shown, constrained, plain = (frame.filter(quantity="margin").sort("play") for frame in (shown, constrained, plain))
    assert shown["play"].equals(constrained["play"])
    assert largest_difference(shown, constrained) < 4 < largest_difference(constrained, plain)
