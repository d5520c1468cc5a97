"""A small version of ``scripts/check_coverage.py``, and coverage that can be computed instead of simulated."""

from __future__ import annotations

import importlib
import math
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import polars as pl
import pytest
from scipy import stats

from cirulla_sim.advice.judge import Advice, Problem
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation.notation import Situation
from cirulla_sim.situation.positions import read_position
from cirulla_sim.stats.estimates import bounded_mean, proportion, ratio, seen
from cirulla_sim.stats.spreads import Powers, spread_difference

SCRIPTS = Path(__file__).parent.parent / "scripts"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SCRIPTS)
    return importlib.import_module("check_coverage")


@pytest.mark.parametrize("verb", ["simulate", "games", "compare"])
def test_verbs_cover_the_truth(verb: str, script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """80 runs of 5 and of 20 trials: 160 intervals of one quantity cover 95% with a standard error of 1.7%.

    A sound interval is below the floor of 88%, four of them, in one of ten thousand kinds; one that covers 80% is above
    it in one of a hundred.
    """
    number = next(number for number, case in enumerate(script.CASES) if case.verb == verb)
    case = replace(script.CASES[number], sizes=(5, 20))
    monkeypatch.setattr(script, "CASES", [case])
    monkeypatch.setattr(script, "LONG", {"greedy": 20_000 * case.hands / 0.2})  # for the truth
    frame = pl.DataFrame(script.cells(0, "greedy", 0.2), schema=script.SCHEMA, orient="row")
    assert set(frame["kind"]) == set(case.kinds)
    assert frame["no_width"].sum() == 0
    for kind, covered in frame.group_by("kind").agg(pl.col("covered").mean()).rows():
        assert covered >= 0.88, (kind, covered)


@pytest.mark.parametrize("n", [5, 20, 200])
def test_values_listed_because_they_were_seen_are_covered(n: int) -> None:
    """Computed: of the samples in which a value comes, in 95 of 100 its interval covers how often it comes."""
    ends = np.array([(seen(proportion(count, n)).low, seen(proportion(count, n)).high) for count in range(n + 1)])
    plain = [proportion(count, n).low for count in range(n + 1)]
    assert (ends[:, 0] <= plain).all()
    covered = []
    for truth in np.geomspace(1e-5, 0.5, 200):
        chances = stats.binom.pmf(np.arange(n + 1), n, truth)
        chances[0] = 0
        held = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
        covered.append(chances[held].sum() / chances.sum())
    assert min(covered) > 0.90
    assert np.mean(covered) > 0.95


@pytest.mark.parametrize(("n", "least"), [(5, 0.95), (20, 0.93), (200, 0.93)])
def test_spreads_are_covered(n: int, least: float) -> None:
    """1,500 samples of normal numbers in whole tenths: coverage of 95% has a standard error of 0.6%."""
    drawn = np.rint(np.random.default_rng(n).normal(20, 80, (1500, n))).astype(int)
    covered = 0
    for row in drawn.tolist():
        x = [sum(number**power for number in row) for power in range(1, 5)]
        crossed = {(a, b): sum(number ** (a + b) for number in row) for a in (1, 2) for b in (1, 2)}
        level, _ = spread_difference(Powers(x, x, crossed, n, (0, 0)), 1, 1, 1000.0)  # type: ignore[arg-type]
        covered += level.low <= math.sqrt(80**2 + 1 / 12) <= level.high
        assert 0 < level.low < level.high
    assert least <= covered / 1500 <= 0.99


@pytest.mark.parametrize("gap", [0.0, 0.5])
def test_the_margin_of_the_best_choice_is_covered(gap: float) -> None:
    """Eight choices of which any may come out best, 800 samples of 64: uncorrected 89% are covered where all are equal.

    A coverage of 95% has a standard error of 0.8%; a sound interval is below 92.5% in one of a thousand cases.
    """
    now = read_position(build("cirulla", players=2), Situation.parse("table: Jd; me: Qc 2h Ks")).seats
    rng, truth, covered = np.random.default_rng(8), -gap * np.arange(8), 0
    for _ in range(800):
        advice = Advice(Problem(now), [], 64)
        advice.__dict__["margins"] = truth + rng.normal(0, 6, (64, 1)) + rng.normal(0, 5, (64, 8))
        best = int(advice.margins.mean(axis=0).argmax())
        column = advice.margins[:, best]
        half = 1.998 * advice.wider * column.std(ddof=1) / 8
        covered += abs(column.mean() - truth[best]) <= half
    assert covered / 800 >= 0.925


def test_equal_numbers_have_an_interval() -> None:
    for estimate in (bounded_mean(45, 405, 5), bounded_mean(0, 0, 5), ratio(30, 60, 180, 360, 720, 5)):
        assert estimate.low < estimate.value < estimate.high or estimate.low == 0 == estimate.value < estimate.high


def test_the_page_names_what_is_too_low_and_what_is_conservative(script: ModuleType) -> None:
    named = {"verb": "advise", "kind": "margin", "runs": 400, "intervals": 400, "half_width": 1.0, "no_width": 0}
    sizes = [("greedy", 5, 0.90), ("careful", 20, 0.99), ("greedy", 200, 0.929), ("search", 2000, 0.95)]
    rows = [named | {"policy": policy, "n": n, "covered": covered} for policy, n, covered in sizes]
    rows += [named | {"policy": policy, "n": 2000, "covered": 0.95} for policy in ("greedy", "careful")]
    page = script.page(pl.DataFrame(rows, schema=script.SCHEMA))
    low, high = page.split("## Too low")[1].split("## Conservative")
    assert "greedy 5: 90.0" in low
    assert "careful" not in low
    assert "200" not in low
    assert "careful 20: 99.0" in high
    assert script.MANY_AT_ONCE in high.replace("\n  ", " ")
