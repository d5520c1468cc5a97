"""Several line-ups in one comparison: each has the same numbers alone, and effects are paired deal by deal."""

from __future__ import annotations

from collections.abc import Sequence
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
HOUSES = ("no-matta", "short-game", "ace-must-sweep")


def test_each_line_up_has_the_same_numbers_alone() -> None:
    arguments = {"house": HOUSES, "hands": 1500, "seed": 5, "players": 2, "games": 60}
    together = cs.compare(**arguments, policy=LINE_UPS).frame
    assert together.columns[:2] == ["policy", "rules"]
    for name in LINE_UPS:
        alone = cs.compare(**arguments, policy=name).frame
        own = together.filter(together["policy"] == name, together["kind"] != "interaction")
        order = ["rules", "quantity", "per", "side", "kind"]
        columns = [column for column in alone.columns if column != "p_holm"]  # of more differences, if more play
        assert own.select(columns).sort(order).equals(alone.select(columns).sort(order))


def test_p_values_are_corrected_once_for_all_differences_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of line-ups, of hands and games, and interactions, each p-value once: seen by a correction that adds 1."""
    called = []

    def add_one(ps: Sequence[float]) -> list[float]:
        called.append(len(ps))
        return [p + 1 for p in ps]

    monkeypatch.setattr("cirulla_sim.experiments.paired_runs.holm", add_one)
    frames = (
        cs.compare(house=HOUSES, hands=100, players=2, games=30, policy=LINE_UPS[:2], progress=False).frame,
        cs.compare(house=HOUSES, hands=100, players=2, games=30, policy="greedy", progress=False).frame,
        cs.simulate(hands=100, policy=["greedy", "random"], progress=False).frame,
        cs.games(games=30, players=2, policy=["greedy", "random"], progress=False).frame,
    )
    for frame in frames:
        assert frame["p_holm"].drop_nulls().is_between(1, 2).all()
    assert called == [len(frame["p_holm"].drop_nulls()) for frame in frames]


@pytest.mark.parametrize(("players", "unpaired"), [(2, False), (3, False), (4, False), (2, True)])
def test_interactions_are_paired_by_deal(players: int, unpaired: bool) -> None:
    """Against effects computed hand by hand, and Student's interval of scipy."""
    hands, sets = 400, [build(players=players), build(players=players, houses=["no-matta"])]
    frame = cs.compare(
        house="no-matta", policy=["greedy", "random"], hands=hands, seed=6, players=players, unpaired=unpaired
    ).frame
    effects = []
    for name in ("greedy", "random"):
        x, y = (
            numbers_of(rules, play_rows(Experiment(rules, (name,), hands, 6), first, hands)[0])
            for rules, first in zip(sets, (0, hands if unpaired else 0), strict=True)
        )
        effects.append(y - x)
    interactions = frame.filter(kind="interaction")
    assert interactions.select("policy", "rules").unique().rows() == [("random", "no-matta")]
    for quantity, d in zip(QUANTITIES, effects[1] - effects[0], strict=True):
        row = interactions.filter(quantity=quantity.name, per=quantity.per, side=quantity.side).row(0, named=True)
        d = d / several_of(quantity, sets[0])
        assert row["estimate"] == pytest.approx(d.mean())
        if (d != 0).sum() > hands / 3:
            low, high = stats.t.interval(0.95, hands - 1, d.mean(), d.std(ddof=1) / np.sqrt(hands))
            assert (row["ci_low"], row["ci_high"]) == pytest.approx((low, high), abs=(high - low) / 20)


def test_a_rule_without_effect_on_hands_has_interactions_of_zero() -> None:
    frame = cs.compare(house=HOUSES, policy=LINE_UPS[:2], hands=300).frame.filter(kind="interaction")
    nothing = frame.filter(rules="short-game")
    assert nothing.height == len(QUANTITIES)
    assert set(nothing["exact"]) == {"0"}
    assert set(nothing["ci_high"]) == {0.0}
    assert frame.filter(rules="no-matta")["exact"].null_count() == len(QUANTITIES)


def test_the_same_bytes_for_any_threads_and_when_resumed(tmp_path: Path) -> None:
    whole, half = tmp_path / "whole.parquet", tmp_path / "half.parquet"
    arguments = {"house": ["no-matta", "table-nine"], "policy": ["greedy", "random"], "players": 2, "seed": 8}
    cs.compare(**arguments, hands=6000, threads=1, output=whole)
    cs.compare(**arguments, hands=2500, threads=2, output=half)
    cs.compare(**arguments, hands=6000, threads=2, resume=half, output=half)
    assert whole.read_bytes() == half.read_bytes()
    _, metadata = read(whole)
    assert metadata["schema"] == "compare-line-ups/2"
    assert metadata["policies"] == ["greedy", "random"]
    assert "--policy greedy --policy random" in metadata["command"]
    with pytest.raises(cs.InputError, match="holds results of 'greedy; random', and you asked for 'greedy; careful'"):
        cs.compare(**arguments | {"policy": ["greedy", "careful"]}, hands=6000, resume=whole)
    with pytest.raises(cs.InputError, match="holds a table of 'compare-line-ups/2'"):
        cs.compare(**arguments | {"policy": "greedy"}, hands=6000, resume=whole)


def test_each_line_up_is_called_by_its_name() -> None:
    line_ups = ["first=greedy, second=greedy, dealer=random", "random", "second=random, first=greedy, dealer=greedy"]
    result = cs.compare(house=HOUSES, players=3, policy=line_ups, hands=200)
    names = ["dealer=random, others=greedy", "random", "first=greedy, second=random, dealer=greedy"]
    assert result.metadata["policies"] == result.frame["policy"].unique(maintain_order=True).to_list() == names
    assert result.method[0] == f"Players: {'; '.join(names)}."
    with pytest.raises(cs.InputError, match="did you mean 'first=greedy, second=random, dealer=greedy'"):
        cs.compare(house=HOUSES, players=3, policy="greedy,random,greedy", hands=200)
