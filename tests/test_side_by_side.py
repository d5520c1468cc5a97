"""Line-ups side by side: each has the same numbers alone, and differences are paired hand by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import cirulla_sim as cs
from cirulla_sim.engine.chunks import play_rows
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.experiments.paired_hands import QUANTITIES, numbers_of, several_of
from cirulla_sim.ruleset.presets import build
from cirulla_sim.storage.tables import read

LINE_UPS = ("greedy", "random", "dealer=greedy, others=random")


def test_each_line_up_has_the_same_numbers_alone() -> None:
    together = cs.simulate(policy=LINE_UPS, hands=3000, seed=5, players=2).frame
    for name in LINE_UPS:
        alone = cs.simulate(policy=name, hands=3000, seed=5, players=2).frame
        own = together.filter(together["policy"] == name, together["kind"] != "difference")
        assert own.select(alone.columns).equals(alone)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_differences_are_paired_by_deal(players: int) -> None:
    """Against differences computed hand by hand, and Student's interval of scipy."""
    rules, hands = build(players=players), 400
    frame = cs.simulate(policy=["greedy", "random"], hands=hands, seed=6, players=players).frame
    x, y = (
        numbers_of(rules, play_rows(Experiment(rules, (name,), hands, 6), 0, hands)[0]) for name in ("greedy", "random")
    )
    differences = frame.filter(kind="difference")
    assert differences["policy"].unique().to_list() == ["random"]
    for quantity, d in zip(QUANTITIES, y - x, strict=True):
        row = differences.filter(quantity=quantity.name, per=quantity.per, side=quantity.side).row(0, named=True)
        d = d / several_of(quantity, rules)
        assert row["estimate"] == pytest.approx(d.mean())
        if (d != 0).sum() > hands / 4:
            low, high = stats.t.interval(0.95, hands - 1, d.mean(), d.std(ddof=1) / np.sqrt(hands))
            assert (row["ci_low"], row["ci_high"]) == pytest.approx((low, high), abs=(high - low) / 20)


def test_games_are_paired_game_by_game() -> None:
    frame = cs.games(policy=["greedy", "random"], games=300, seed=7, players=2).frame
    apart = [cs.games(policy=name, games=300, seed=7, players=2).frame for name in ("greedy", "random")]
    for quantity, side in (("hands", "all"), ("wins_game", "dealer")):
        levels = [single.filter(quantity=quantity, side=side)["estimate"][0] for single in apart]
        row = frame.filter(kind="difference", quantity=quantity).row(0, named=True)
        assert row["estimate"] == pytest.approx(levels[1] - levels[0])
        assert row["ci_low"] < row["estimate"] < row["ci_high"]


def test_the_same_bytes_for_any_threads_and_when_resumed(tmp_path: Path) -> None:
    whole, half = tmp_path / "whole.parquet", tmp_path / "half.parquet"
    arguments = {"policy": ["greedy", "random"], "players": 2, "seed": 8}
    cs.simulate(**arguments, hands=9000, threads=1, output=whole)
    cs.simulate(**arguments, hands=2500, threads=2, output=half)
    cs.simulate(**arguments, hands=9000, threads=2, resume=half, output=half)
    assert whole.read_bytes() == half.read_bytes()
    _, metadata = read(whole)
    assert metadata["policies"] == ["greedy", "random"]
    assert "--policy greedy --policy random" in metadata["command"]
    with pytest.raises(cs.InputError, match="holds results of 'greedy; random', and you asked for 'greedy; careful'"):
        cs.simulate(policy=["greedy", "careful"], players=2, seed=8, hands=9000, resume=whole)
