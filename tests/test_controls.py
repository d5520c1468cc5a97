"""Control variates: exact means, the sums of the tally, the fit against least squares, bias and coverage."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from asking import exact
from intervals import RUNS, check_intervals

import cirulla_sim as cs
from cirulla_sim.engine.chunks import play_chunk, play_rows, row_names
from cirulla_sim.engine.engines import Run
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.exact.expected_bonuses import dealt_points
from cirulla_sim.experiments.hand_quantities import control_names, simulated
from cirulla_sim.kernel.game.tallies import CONTROL_SUMS, CONTROLLED, CONTROLS, views
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.stats.control_variates import Controls
from cirulla_sim.stats.estimates import mean

GAMES: dict[str, Rules] = {
    "two": build(players=2),
    "three": build(players=3),
    "partners": build(players=4),
    "fantini": build("cirulla-fantini"),
    "won at the deal": build(players=2, houses=["four-equal-wins"]),
    "lost by misdeals": build("cirulla-tournament"),
}


def sums_of(rules: Rules, policy: str, hands: int, first: int = 0) -> np.ndarray:
    """int64[3, 8]: the sums of the controls in the tally."""
    tally, _ = play_chunk(Experiment(rules, (policy,), first + hands, 6), first, hands)
    return views(tally).hand[CONTROLLED:].reshape(len(CONTROLS), CONTROL_SUMS)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_means_agree_with_whole_deals(players: int) -> None:
    """An independent count, over all holdings of a deal at once; these rules decide no hand at the deal."""
    rules = build(players=players)
    means = dealt_points(rules)
    assert means is not None
    for side in ("dealer", "others"):
        who = {"dealer": "dealer_side", "others": "first_side" if players != 3 else "first"}[side]
        number = 1 if players != 3 or side == "dealer" else 2
        frame = exact(rules, f"mean(knock_points({who}))")
        assert frame is not None
        whole = number * Fraction(frame["exact"].item())
        assert means[f"hand_bonus_{side}"] == whole


@pytest.mark.parametrize("name", GAMES)
def test_means_agree_with_dealt_hands(name: str) -> None:
    """Within four standard errors of 300,000 hands: about 0.03 points for holdings and 0.005 for tables."""
    rules, hands = GAMES[name], 300_000
    means, sums = dealt_points(rules), sums_of(rules, "random", hands)
    assert means is not None
    for i, control in enumerate(CONTROLS):
        total, squares = int(sums[i, 0]), int(sums[i, 1 + i])
        error = np.sqrt((squares / hands - (total / hands) ** 2) / hands)
        assert abs(total / hands - float(means[control])) < 4 * error, control


@pytest.mark.parametrize("policy", ["greedy+silent", "careful"])
@pytest.mark.parametrize("name", ["two", "three", "partners", "won at the deal"])
def test_controls_do_not_depend_on_play(name: str, policy: str) -> None:
    """The same deals have the same bonuses, though ``silent`` shows none of them and other policies choose."""
    hands = 20_000 if policy == "greedy+silent" else 300
    mine, theirs = (sums_of(GAMES[name], played, hands, first=7000) for played in (policy, "random"))
    assert mine[:, :4].tolist() == theirs[:, :4].tolist()
    assert mine[0, 0] > 0


def test_sums_agree_with_the_rows() -> None:
    rules, hands = build(players=3), 2000
    rows, _ = play_rows(Experiment(rules, ("greedy",), hands, 6), 0, hands)
    names = row_names(rules)

    def column(name: str, sides: range) -> np.ndarray:
        return np.sum([rows[:, names.index(f"side{side}_{name}")].astype(int) for side in sides], axis=0)

    dealer, others = range(2, 3), range(2)
    controls = [column("hand_bonus", dealer), column("hand_bonus", others), column("table_bonus", dealer)]
    results = [column(name, sides) for name in ("total", "wins") for sides in (dealer, others)]
    wanted = [[x.sum(), *(int(x @ y) for y in controls + results)] for x in controls]
    assert sums_of(rules, "greedy", hands).tolist() == wanted


def test_the_fit_is_least_squares() -> None:
    """The intercept of a regression on the controls less their means, and its standard error."""
    rng = np.random.default_rng(8)
    c = rng.integers(0, 10, (3, 500))
    y = 2 * c[0] - c[1] + rng.integers(0, 6, 500)
    means = {"a": Fraction(9, 2), "b": Fraction(5), "c": Fraction(4)}
    controls = Controls(means, c.sum(axis=1).tolist(), (c @ c.T).tolist(), 500)
    estimate = controls.mean(int(y.sum()), int(y @ y), (c @ y).tolist())
    x = np.column_stack([np.ones(500), *(row - float(mean) for row, mean in zip(c, means.values(), strict=True))])
    fitted, residuals, *_ = np.linalg.lstsq(x, y, rcond=None)
    error = np.sqrt(residuals[0] / (500 - 4) * np.linalg.inv(x.T @ x)[0, 0])
    assert (estimate.value, estimate.std_error) == pytest.approx((fitted[0], error))
    twice = Controls(means | {"d": means["a"]}, [*c.sum(axis=1).tolist(), int(c[0].sum())],
                     np.array([*c, c[0]]).dot(np.array([*c, c[0]]).T).tolist(), 500)  # fmt: skip
    same = twice.mean(int(y.sum()), int(y @ y), np.array([*c, c[0]]).dot(y).tolist())
    assert (same.value, same.std_error) == pytest.approx((estimate.value, estimate.std_error))


KEYS = [("points", "dealer"), ("points", "others"), ("points", "all"), ("margin", "dealer"), ("wins_hand", "dealer"),
        ("wins_hand", "others"), ("ties_hand", "all")]  # fmt: skip
"""Quantities with control variates."""


def corrected(rules: Rules, tally: np.ndarray, hands: int, controls: bool = True) -> dict[tuple[str, str], Any]:
    run = Run(Experiment(rules, ("greedy",), hands, 6), tally, hands, "hands")
    rows = simulated(run, controls)
    keys = list(zip(rows["quantity"].to_list(), rows["side"].to_list(), strict=True))
    return {key: rows.row(keys.index(key), named=True) for key in KEYS}


@pytest.mark.parametrize("name", ["two", "three", "won at the deal"])
def test_small_runs_are_unbiased_and_their_intervals_cover_the_truth(name: str) -> None:
    """Over many runs of 150 hands intervals cover the truth, and estimates have the right mean.

    Fitted coefficients bias a run by the order of 1/n at most: a bias of 0.02 points in a run of 150 hands would be
    seen.
    """
    rules, hands, runs = GAMES[name], 150, RUNS
    experiment = Experiment(rules, ("greedy",), hands * runs, 6)
    tallies = [play_chunk(experiment, run * hands, hands)[0] for run in range(runs)]
    whole = corrected(rules, np.sum(tallies, axis=0), hands * runs)
    plain = corrected(rules, np.sum(tallies, axis=0), hands * runs, controls=False)
    tables = [corrected(rules, tally, hands) for tally in tallies]
    for key in KEYS:
        rows = [run[key] for run in tables]
        truth = whole[key]["estimate"]
        check_intervals(rows, truth, key)
        mean = np.mean([row["estimate"] for row in rows])
        assert abs(mean - truth) < (0.02 if key[0] in ("points", "margin") else 0.002), key
        assert whole[key]["std_error"] <= plain[key]["std_error"]
        assert (whole[key]["n"], rows[0]["n"]) == (plain[key]["n"], plain[key]["n"] // runs)
    assert whole["points", "all"]["std_error"] < 0.72 * plain["points", "all"]["std_error"]
    assert whole["margin", "dealer"]["std_error"] < 0.85 * plain["margin", "dealer"]["std_error"]


def test_controls_are_used_where_their_means_are_known() -> None:
    def names(rules: Rules, hands: int = 200) -> list[str]:
        experiment = Experiment(rules, ("random",), hands)
        return control_names(Run(experiment, play_chunk(experiment, 0, hands)[0], hands, "hands"))

    assert names(build()) == list(CONTROLS)
    assert names(build(changes={"hand_low": 0, "hand_triple": 0})) == ["table_bonus"]
    assert names(build(), hands=99) == []
    assert names(build("cirullone")) == names(build("scopa")) == names(build(houses=["bury-table"])) == []


def test_controls_are_named_and_can_be_left_out() -> None:
    on, off = (
        cs.simulate(players=2, policy="greedy", hands=500, progress=False, controls=controls)
        for controls in (True, False)
    )
    assert on.metadata["controls"] == list(CONTROLS)
    assert any("table_bonus" in sentence for sentence in on.method)
    assert "controls" not in off.metadata
    assert off.metadata["command"] == on.metadata["command"] + " --no-controls"
    shares = on.frame.filter(pl.col("quantity").is_in(["wins_hand", "ties_hand"]))["estimate"]
    assert shares.sum() == pytest.approx(1)
    assert on.stored == off.stored


# ------------------------------------------------------------------------------------------------ other players' hands


@pytest.mark.parametrize("players", [2, 3])
def test_a_fast_line_up_with_more_hands_is_a_control_for_another(players: int) -> None:
    """Against least squares on single hands, with the mean of the control from its larger sample."""
    rules, hands, control_hands = build(players=players), 700, 20_000
    frame = cs.simulate(
        policy=["greedy", "random"], hands=hands, control_hands=control_hands, players=players, seed=6, progress=False
    ).frame
    names = row_names(rules)
    rows = [play_rows(Experiment(rules, (policy,), hands, 6), 0, hands)[0] for policy in ("greedy", "random")]
    exact, dealt = dealt_points(rules), sums_by_hand(rules, hands)
    assert exact is not None

    def points(which: int) -> np.ndarray:
        return sum(rows[which][:, names.index(f"side{side}_total")].astype(float) for side in range(rules.sides))

    whole = frame.filter(policy="greedy", quantity="points", side="all", kind="mean").row(0, named=True)
    alone = cs.simulate(policy="greedy", hands=control_hands, players=players, seed=6, progress=False).frame
    assert alone.filter(quantity="points", side="all")["estimate"].item() == whole["estimate"]
    y, x = points(1), np.column_stack([dealt, points(0)])
    means = np.array([*(float(mean) for mean in exact.values()), whole["estimate"]])
    design = np.column_stack([np.ones(hands), x - means])
    fit, *_ = np.linalg.lstsq(design, y, rcond=None)
    residual = ((y - design @ fit) ** 2).sum() / (hands - 5)
    error = np.sqrt(residual * np.linalg.inv(design.T @ design)[0, 0] + (fit[-1] * whole["std_error"]) ** 2)
    row = frame.filter(policy="random", quantity="points", side="all", kind="mean").row(0, named=True)
    assert (row["estimate"], row["std_error"]) == pytest.approx((fit[0], error))
    assert row["n"] == hands


def sums_by_hand(rules: Rules, hands: int) -> np.ndarray:
    """float64[hands, 3]: the controls of each hand."""
    return np.array([sums_of(rules, "random", 1, first=hand)[:, 0] for hand in range(hands)], float)


@pytest.mark.parametrize("control_trials", [120, 2000])
def test_intervals_with_an_estimated_control_mean_cover_the_truth(control_trials: int) -> None:
    """2000 small runs with a known truth: coverage of 93 to 97%, no bias, and the expected standard error."""
    n, runs, dice = 60, 2000, np.random.default_rng(12)
    estimates = []
    for _ in range(runs):
        x = dice.normal(0, 100, control_trials).round().astype(int)
        y = (0.8 * x[:n] + dice.normal(300, 60, n)).round().astype(int)
        control_mean = mean(int(x.sum()), int((x * x).sum()), control_trials)
        mine = x[:n]
        controls = Controls({}, (), (), n).beside("x", control_mean, int(mine.sum()), int(mine @ mine), ())
        estimates.append(controls.mean(int(y.sum()), int(y @ y), [int(mine @ y)]))
    values = np.array([estimate.value for estimate in estimates])
    assert abs(values.mean() - 300) < 4 * values.std() / np.sqrt(runs)
    assert 0.93 <= np.mean([estimate.low <= 300 <= estimate.high for estimate in estimates]) <= 0.97
    assert np.mean([estimate.std_error for estimate in estimates]) == pytest.approx(
        np.sqrt(60**2 / n + 80**2 / control_trials), rel=0.05
    )


def test_a_run_with_a_control_is_resumed(tmp_path: Any) -> None:
    whole, part = tmp_path / "whole.parquet", tmp_path / "part.parquet"
    arguments = {"policy": ["greedy", "random"], "hands": 1000, "players": 2, "seed": 8, "progress": False}
    result = cs.simulate(**arguments, control_hands=9000, threads=1, output=whole)
    cs.simulate(**arguments, control_hands=4000, threads=2, output=part)
    cs.simulate(**arguments, control_hands=9000, threads=2, resume=part, output=part, force=True)
    assert whole.read_bytes() == part.read_bytes()
    assert (result.metadata["shared"], result.metadata["hands"]) == (1000, 9000)
    assert "--hands 1000 --seed 8 --control-hands 9000" in result.command
    assert "random: 1_000 hands, with the 9_000 of greedy as a control variate." in result.remarks
    with pytest.raises(cs.InputError, match="shared is"):
        cs.simulate(**arguments | {"hands": 1500}, control_hands=9000, resume=whole)
    for wrong, message in (
        ({"control_hands": 10}, "--control-hands"),
        ({"control_hands": 9000, "controls": False}, "leave"),
    ):
        with pytest.raises(cs.InputError, match=message):
            cs.simulate(**arguments | wrong)
    with pytest.raises(cs.InputError, match="needs a second --policy"):
        cs.simulate(policy="greedy", hands=100, control_hands=1000)
