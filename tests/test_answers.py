"""What an answer leads with: the highest of many, the difference of two groups, the first of several questions."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from asking import exact

import cirulla_sim as cs
from cirulla_sim.engine.chunks import play_rows, row_names
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.questions.answers import highest_values
from cirulla_sim.questions.binding import BoundQuestions
from cirulla_sim.ruleset.presets import build

CIRULLA = build("cirulla")
SEEDS = range(40)


def test_the_highest_of_many_values_are_estimated_without_the_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sevens of the next player by the ranks that I hold: 220 values, of which the truth is counted."""
    truth = exact(CIRULLA, "sevens(next) >= 1", by="ranks(me)")
    assert truth is not None
    monkeypatch.setattr(BoundQuestions, "_exact", lambda *_: None)
    true = dict(zip(truth["value"], truth["estimate"], strict=True))
    covered: dict[str, list[bool]] = {"chosen by others": [], "chosen by themselves": []}
    errors = []
    for seed in SEEDS:
        options: dict[str, Any] = {"by": "ranks(me)", "hands": 4_000, "seed": seed, "progress": False}
        top = cs.odds("sevens(next) >= 1", top=5, **options).frame
        every = cs.odds("sevens(next) >= 1", **options).frame
        best = every.filter(pl.col("value").is_in(highest_values(every)[:5]))
        for name, frame in zip(covered, (top, best), strict=True):
            rows = frame.iter_rows(named=True)
            covered[name] += [row["ci_low"] <= true[row["value"]] <= row["ci_high"] for row in rows]
        errors += [row["estimate"] - true[row["value"]] for row in top.iter_rows(named=True)]
    share = {name: sum(found) / len(found) for name, found in covered.items()}
    assert len(covered["chosen by others"]) == 5 * len(SEEDS)
    assert share["chosen by others"] >= 0.94
    assert share["chosen by themselves"] < 0.85
    assert abs(sum(errors) / len(errors)) < 0.03


def test_the_choice_is_the_same_however_it_was_computed(tmp_path: Path) -> None:
    questions = ["wins(us)", "mean(margin(us))"]
    options: dict[str, Any] = {"by": "ranks(me)", "top": 4, "policy": "random", "progress": False}
    part = cs.odds(questions, hands=700, threads=1, output=tmp_path / "top.parquet", **options)
    resumed = cs.odds(questions, hands=3_000, threads=2, output=tmp_path / "top.parquet", **options)
    at_once = cs.odds(questions, hands=3_000, threads=1, **options)
    assert part.frame.height == resumed.frame.height == 8
    assert resumed.frame.equals(at_once.frame)
    assert resumed.frame["value"].to_list() == 2 * resumed.frame["value"].to_list()[:4]
    assert "values that were highest in one half of the trials, in that order" in str(resumed)


def test_two_groups_have_their_difference() -> None:
    exactly = cs.odds("barsega", by="matta").frame
    with_it, without, difference = exactly.to_dicts()
    assert (difference["value"], difference["kind"]) == ("true − false", "probability difference")
    assert Fraction(difference["exact"]) == Fraction(with_it["exact"]) - Fraction(without["exact"])
    options: dict[str, Any] = {"policy": "random", "progress": False}
    result = cs.odds("mean(margin(us))", by="barsegon(me)", hands=20_000, **options)
    none, one, difference = result.frame.to_dicts()
    assert difference["estimate"] == one["estimate"] - none["estimate"]
    assert difference["std_error"] == pytest.approx((one["std_error"] ** 2 + none["std_error"] ** 2) ** 0.5)
    assert cs.odds("wins(us)", by="barsegon(me)", top=2, hands=500, **options).frame["kind"].n_unique() == 1


def test_intervals_of_differences_between_groups_hold_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = ["sevens(next) >= 1", "mean(sevens(next))"]
    true = {text: cs.odds(text, by="matta").frame["estimate"][-1] for text in questions}
    monkeypatch.setattr(BoundQuestions, "_exact", lambda *_: None)
    found = []
    for seed in SEEDS:
        frame = cs.odds(questions, by="matta", hands=400, seed=seed, progress=False).frame
        rows = frame.filter(pl.col("value") == "true − false").to_dicts()
        found += [row["ci_low"] <= true[row["quantity"]] <= row["ci_high"] for row in rows]
    assert len(found) == 2 * len(SEEDS)
    assert sum(found) / len(found) >= 0.92


def test_the_first_question_leads_and_a_distribution_leads_with_its_mean() -> None:
    options: dict[str, Any] = {"hands": 2_000, "policy": "random", "progress": False}
    several = cs.odds(["mean(points(us))", "wins(us)", "quantiles(margin(us))"], **options)
    assert several.describe().startswith("On average we score 8")
    histogram = cs.odds(["histogram(sweeps(us))", "mean(sweeps(us))"], **options)
    *_, of_values, mean = histogram.frame.to_dicts()
    same = ("estimate", "std_error", "ci_low", "ci_high", "n")
    assert [of_values[name] for name in same] == [mean[name] for name in same]
    assert histogram.describe().splitlines()[0].startswith("Most often we make two or three sweeps, with players")
    counted = cs.odds("histogram(sevens)").frame
    assert counted.row(-1, named=True)["exact"] == "3/10"
    assert cs.odds("histogram(suits)").frame["kind"].unique().to_list() == ["probability"]


def test_deviations_medians_and_correlations_are_those_of_the_hands() -> None:
    """Against numpy on the rows of the same hands."""
    hands, rules = 3_000, build("cirulla", players=2)
    rows, names = play_rows(Experiment(rules, ("random", "random"), hands, 1), 0, hands)[0], row_names(rules)
    points, sweeps = (rows[:, names.index(f"side0_{name}")].astype(float) for name in ("total", "scope"))
    margin = points - rows[:, names.index("side1_total")]
    questions = ["sd(margin(us))", "median(points(us))", "correlation(sweeps(us), points(us))"]
    options: dict[str, Any] = {"me": "first", "players": 2, "policy": "random", "hands": hands, "progress": False}
    deviation, median, correlation = cs.odds(questions, **options).frame.to_dicts()
    assert deviation["estimate"] == pytest.approx(margin.std(ddof=1))
    assert median["estimate"] == np.quantile(points, 0.5, method="inverted_cdf")
    assert correlation["estimate"] == pytest.approx(np.corrcoef(sweeps, points)[0, 1])
    jackknife = [np.corrcoef(np.delete(sweeps, i), np.delete(points, i))[0, 1] for i in range(0, hands, 10)]
    error = (hands - 1) * np.std(jackknife) / hands**0.5
    assert correlation["std_error"] == pytest.approx(error, rel=0.15)
    assert [row["kind"] for row in (deviation, median)] == ["standard deviation", "quantile"]


def test_deviations_and_correlations_are_exact_and_their_intervals_hold_them(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = ["sd(total)", "correlation(sevens, aces)", "sd(sevens)", "correlation(total, kings)", "median(total)"]
    counted = cs.odds(questions).frame
    assert counted["exact"][1] == "-1/9"  # of two ranks of 4 cards among 40
    variance = 3 * Fraction(1, 10) * Fraction(9, 10) * Fraction(37, 39)
    assert counted["exact"][2] == f"sqrt({variance})"
    assert counted["estimate"][2] == pytest.approx(float(variance) ** 0.5)
    monkeypatch.setattr(BoundQuestions, "_exact", lambda *_: None)
    covered = dict.fromkeys(questions, 0)
    for seed in SEEDS:
        rows = cs.odds(questions, hands=600, seed=seed, progress=False).frame.to_dicts()
        for row, true in zip(rows, counted["estimate"], strict=True):
            covered[row["quantity"]] += row["ci_low"] <= true <= row["ci_high"]
    assert min(covered.values()) >= 0.85 * len(SEEDS)
    assert sum(covered.values()) >= 0.93 * len(SEEDS) * len(questions)
    with pytest.raises(cs.InputError, match="is always the same"):
        cs.odds("correlation(sevens, aces) given aces = 1")


def test_sums_of_means_are_the_mean_of_the_sum() -> None:
    options: dict[str, Any] = {"hands": 2_000, "policy": "random", "progress": False}
    same = {
        "mean(points(us)) - mean(points(them))": "mean(margin(us))",
        "2 * mean(sweeps(us)) + mean(points(us)) / 2 - 1": "mean(2 * sweeps(us) + points(us) / 2 - 1)",
        "mean(sweeps(us)) / mean(points(us))": "ratio(sweeps(us), points(us))",
        "-mean(margin(us)) given knocks(us)": "mean(-margin(us)) given knocks(us)",
    }
    numbers = ["kind", "estimate", "std_error", "ci_low", "ci_high", "n"]
    for written, plain in same.items():
        one, other = cs.odds([written, plain], **options).frame.select(numbers).rows()
        assert one == other, written
    assert cs.odds("mean(sevens) - mean(aces) + 1").frame["exact"].item() == "1"
    for wrong in ("mean(sevens) * mean(aces)", "mean(sevens) + aces", "sd(sevens) - sd(aces)"):
        with pytest.raises(cs.InputError, match="is an aggregate of a whole expression"):
            cs.odds(wrong)
