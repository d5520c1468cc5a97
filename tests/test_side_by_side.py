"""Several line-ups in one run: each has the same numbers alone, and differences are paired deal by deal."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

import cirulla_sim as cs
from cirulla_sim.engine.chunks import play_rows
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.experiments.compared_hands import hand_measures
from cirulla_sim.experiments.tally import is_main
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

LINE_UPS = ("greedy", "random", "dealer=greedy, others=random")
HOUSES = ("no-matta", "short-game", "ace-must-sweep")
RUNS: dict[str, tuple[Any, dict[str, Any]]] = {
    "simulate": (cs.simulate, {"hands": 1000}),
    "games": (cs.games, {"games": 100}),
    "compare": (cs.compare, {"house": HOUSES[:2], "hands": 300, "games": 30}),
}


@pytest.fixture
def plain_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Differences with the intervals of single comparisons, whatever their number."""
    monkeypatch.setattr("cirulla_sim.experiments.tally.holm_levels", lambda ps: [0.05] * len(ps))


@pytest.mark.usefixtures("plain_intervals")
@pytest.mark.parametrize("verb", RUNS)
def test_each_line_up_has_the_same_numbers_alone(verb: str) -> None:
    run, arguments = RUNS[verb]
    together = run(**arguments, seed=5, players=2, policy=LINE_UPS).frame
    between = "interaction" if verb == "compare" else "difference"
    for name in LINE_UPS:
        alone = run(**arguments, seed=5, players=2, policy=name).frame
        own = together.filter(together["policy"] == name, together["kind"] != between)
        columns = [column for column in alone.columns if column != "p_holm"]  # of more differences, if more play
        order = [column for column in ("rules", "quantity", "per", "side", "kind", "value") if column in columns]
        assert own.select(columns).sort(order).equals(alone.select(columns).sort(order))


def check_rows(rows: pl.DataFrame, numbers: np.ndarray, rules: Rules) -> None:
    """Against differences computed hand by hand, and Student's interval of scipy where few hands are 0."""
    for quantity, d in zip(hand_measures(rules).quantities, numbers, strict=True):
        row = rows.filter(quantity=quantity.name, per=quantity.per, side=quantity.side).row(0, named=True)
        d = d / hand_measures(rules).scale(quantity, rules).several
        assert row["estimate"] == pytest.approx(d.mean())
        if (d != 0).sum() > len(d) / 3:
            low, high = stats.t.interval(0.95, len(d) - 1, d.mean(), d.std(ddof=1) / np.sqrt(len(d)))
            assert (row["ci_low"], row["ci_high"]) == pytest.approx((low, high), abs=(high - low) / 20)


@pytest.mark.usefixtures("plain_intervals")
@pytest.mark.parametrize(("players", "unpaired"), [(2, False), (3, False), (2, True)])
def test_differences_and_interactions_are_paired_by_deal(players: int, unpaired: bool) -> None:
    """How much more one line-up earns than the other, and how much more a rule changes for it."""
    hands, sets = 400, [build(players=players), build(players=players, houses=["no-matta"])]
    frame = cs.compare(
        house="no-matta", policy=["greedy", "random"], hands=hands, seed=6, players=players, unpaired=unpaired
    ).frame
    played = [
        [
            hand_measures(rules).numbers(rules, play_rows(Experiment(rules, (name,), hands, 6), first, hands)[0])
            for rules, first in zip(sets, (0, hands if unpaired else 0), strict=True)
        ]
        for name in ("greedy", "random")
    ]
    effects = [with_rule - without for without, with_rule in played]
    interactions = frame.filter(kind="interaction")
    assert interactions.select("policy", "rules").unique().rows() == [("random", "no-matta")]
    check_rows(interactions, effects[1] - effects[0], sets[0])
    side_by_side = cs.simulate(policy=["greedy", "random"], hands=hands, seed=6, players=players).frame
    differences = side_by_side.filter(kind="difference")
    assert differences["policy"].unique().to_list() == ["random"]
    check_rows(differences, played[1][0] - played[0][0], sets[0])


def test_interactions_are_differences_of_differences() -> None:
    """Of rules that are compared in rare deals only, too."""
    frame = cs.compare(house=["no-matta", "table-nine"], policy=["greedy", "random"], hands=400, players=2).frame
    changes = {key_of(row): row["estimate"] for row in frame.filter(kind="difference").to_dicts()}
    interactions = frame.filter(kind="interaction").to_dicts()
    assert len(interactions) == 2 * len(hand_measures(build(players=2)).quantities)
    for row in interactions:
        greedy, random = (changes[policy, *key_of(row)[1:]] for policy in ("greedy", "random"))
        assert row["estimate"] == pytest.approx(random - greedy, abs=1e-12), row


def key_of(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["policy"], row["rules"], row["quantity"], row["per"], row["side"]


def test_games_are_paired_game_by_game() -> None:
    frame = cs.games(policy=["greedy", "random"], games=300, seed=7, players=2).frame
    apart = [cs.games(policy=name, games=300, seed=7, players=2).frame for name in ("greedy", "random")]
    for quantity, side in (("hands", "all"), ("wins_game", "dealer")):
        levels = [single.filter(quantity=quantity, side=side)["estimate"][0] for single in apart]
        row = frame.filter(kind="difference", quantity=quantity).row(0, named=True)
        assert row["estimate"] == pytest.approx(levels[1] - levels[0])
        assert row["ci_low"] < row["estimate"] < row["ci_high"]


def test_p_values_are_corrected_once_for_all_differences_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of line-ups, of hands and games, and interactions, each p-value once: seen by a correction that adds 1.

    Main quantities are corrected together, and all others together.
    """
    called = []

    def add_one(ps: list[float]) -> list[float]:
        called.append(len(ps))
        return [p + 1 for p in ps]

    monkeypatch.setattr("cirulla_sim.experiments.tally.holm", add_one)
    options: dict[str, Any] = {"hands": 100, "players": 2, "games": 30, "progress": False}
    frames = (
        cs.compare(house=HOUSES, **options, policy=LINE_UPS[:2]).frame,
        cs.compare(house=HOUSES, **options, policy="greedy").frame,
        cs.simulate(hands=100, policy=["greedy", "random"], progress=False).frame,
        cs.games(games=30, players=2, policy=["greedy", "random"], progress=False).frame,
    )
    for frame in frames:
        assert frame["p_holm"].drop_nulls().is_between(1, 2).all()
    main = [sum(is_main(row) for row in frame.drop_nulls("p_holm").to_dicts()) for frame in frames]
    every = [len(frame["p_holm"].drop_nulls()) for frame in frames]
    assert called == [n for one, all_ in zip(main, every, strict=True) for n in (one, all_ - one)]
