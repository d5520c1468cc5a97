"""Control variates: exact means, the sums of the tally, the fit against least squares, bias and coverage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cirulla_sim as cs
from cirulla_sim.engine.chunks import play_chunk, play_rows, row_names
from cirulla_sim.engine.engines import Run
from cirulla_sim.engine.first_tables import mean_bonus_points
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.experiments.hand_quantities import control_means
from cirulla_sim.kernel.game.tallies import CONTROL_SUMS, CONTROLLED, CONTROLS, views
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

GAMES: dict[str, Rules] = {
    "three": build(players=3),
    "fantini": build("cirulla-fantini"),
    "won at the deal": build(players=2, houses=["four-equal-wins"]),
    "lost by misdeals": build("cirulla-tournament"),
}


def sums_of(rules: Rules, policy: str, hands: int, first: int = 0) -> np.ndarray:
    """int64[3, 8]: the sums of the controls in the tally."""
    tally, _ = play_chunk(Experiment(rules, (policy,), first + hands, 6), first, hands)
    return views(tally).hand[CONTROLLED:].reshape(len(CONTROLS), CONTROL_SUMS)


@pytest.mark.parametrize("name", GAMES)
def test_means_agree_with_dealt_hands(name: str) -> None:
    """Within four standard errors of 100,000 hands: about 0.05 points for holdings and 0.01 for tables."""
    rules, hands = GAMES[name], 100_000
    means, sums = mean_bonus_points(rules), sums_of(rules, "random", hands)
    assert means is not None
    for i, control in enumerate(CONTROLS):
        total, squares = int(sums[i, 0]), int(sums[i, 1 + i])
        error = np.sqrt((squares / hands - (total / hands) ** 2) / hands)
        assert abs(total / hands - float(means[control])) < 4 * error, control


def least_squares(y: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, float]:
    """The coefficients of a regression with an intercept, and the intercept's standard error."""
    design = np.column_stack([np.ones(len(y)), x])
    fit, *_ = np.linalg.lstsq(design, y, rcond=None)
    residual = ((y - design @ fit) ** 2).sum() / (len(y) - design.shape[1])
    return fit, np.sqrt(residual * np.linalg.inv(design.T @ design)[0, 0])


def test_controls_are_used_where_their_means_are_known() -> None:
    def names(rules: Rules, hands: int = 200) -> list[str]:
        experiment = Experiment(rules, ("random",), hands)
        return list(control_means(Run(experiment, play_chunk(experiment, 0, hands)[0], hands, "hands")))

    assert names(build()) == list(CONTROLS)
    assert names(build(changes={"hand_low": 0, "hand_triple": 0})) == ["table_bonus"]
    assert names(build(), hands=99) == []
    assert names(build("cirullone")) == names(build("scopa")) == names(build(houses=["bury-table"])) == []
    arguments: dict[str, Any] = {"players": 2, "policy": "greedy", "hands": 500, "progress": False}
    on, off = (cs.simulate(**arguments, controls=controls).metadata.get("controls") for controls in (True, False))
    assert (on, off) == (list(CONTROLS), None)


@pytest.mark.parametrize("players", [2, 3])
def test_a_fast_line_up_with_more_hands_is_a_control_for_another(players: int) -> None:
    """Against least squares on single hands, with the mean of the control from its larger sample."""
    rules, hands, many = build(players=players), 700, 20_000
    both: dict[str, Any] = {"players": players, "seed": 6, "progress": False}
    frame = cs.simulate(policy=["greedy", "random"], hands=hands, control_hands=many, **both).frame
    alone = cs.simulate(policy="greedy", hands=many, **both).frame.filter(quantity="points", side="all")
    names, known = row_names(rules), mean_bonus_points(rules)
    assert known is not None

    def points(policy: str) -> np.ndarray:
        rows = play_rows(Experiment(rules, (policy,), hands, 6), 0, hands)[0]
        return sum(rows[:, names.index(f"side{side}_total")].astype(float) for side in range(rules.sides))

    dealt = np.array([sums_of(rules, "random", 1, first=hand)[:, 0] for hand in range(hands)], float)
    means = np.array([*(float(mean) for mean in known.values()), alone["estimate"].item()])
    fit, error = least_squares(points("random"), np.column_stack([dealt, points("greedy")]) - means)
    row = frame.filter(policy="random", quantity="points", side="all", kind="mean").row(0, named=True)
    error = np.hypot(error, fit[-1] * alone["std_error"].item())
    assert (row["estimate"], row["std_error"], row["n"]) == pytest.approx((fit[0], error, hands))


def test_a_run_with_a_control_is_resumed(tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.parquet", tmp_path / "part.parquet"
    arguments: dict[str, Any] = {"policy": ["greedy", "random"], "hands": 1000, "players": 2, "progress": False}
    cs.simulate(**arguments, control_hands=9000, threads=1, output=whole)
    cs.simulate(**arguments, control_hands=4000, threads=2, output=part)
    cs.simulate(**arguments, control_hands=9000, threads=2, resume=part, output=part, force=True)
    assert whole.read_bytes() == part.read_bytes()
    with pytest.raises(cs.InputError, match="shared is"):
        cs.simulate(**arguments | {"hands": 1500}, control_hands=9000, resume=whole)
