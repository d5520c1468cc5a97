"""The compiled kernel against the Python referee: play by play, point by point, and on average."""

from __future__ import annotations

import random
from dataclasses import asdict

import numpy as np
import pytest
from playing import play_trials
from referee.captures import legal_choices
from referee.hand import plays_of
from referee.players import Game, greedy
from referee.replay import replay
from rule_values import odd_rules
from scipy import stats

from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.experiments.hand_quantities import simulated
from cirulla_sim.ruleset.catalogue import catalogue, house_names, preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

PRESETS = [(name, seats) for name in preset_names() for seats in catalogue()["preset"][name]["seats"]]
KNOWLEDGE = {"open-partners", "open-last-stage"}  # change what players know, not which plays are legal
HOUSES = [name for name in house_names() if name not in KNOWLEDGE]


def agree(rules: Rules, preset: str, hands: int, seed: int) -> None:
    """Replay hands, of which two in three are played at random, and the others by ``greedy``."""
    data = asdict(rules)
    for index in range(hands):
        policy = "greedy" if index % 3 == 2 else "random"
        replay(hand_record(Experiment(rules, (policy,), 10**6, seed), index, preset), data)


@pytest.mark.parametrize(("preset", "players"), PRESETS)
def test_presets(preset: str, players: int) -> None:
    agree(build(preset, players=players), preset, hands=120, seed=21)


@pytest.mark.parametrize("house", HOUSES)
def test_house_rules_on_every_preset(house: str) -> None:
    for players in (2, 3, 4):
        agree(build(players=players, houses=[house]), "cirulla", hands=45, seed=22)
    for preset in (name for name in preset_names() if name != "cirulla"):
        agree(build(preset, houses=[house]), preset, hands=3, seed=23)


@pytest.mark.parametrize(("seed", "hands"), [(24, 3), pytest.param(49, 100, marks=pytest.mark.slow)])
def test_rules_drawn_at_random(seed: int, hands: int) -> None:
    rng = random.Random(seed)
    for _ in range(200):
        agree(odd_rules(rng), "cirulla", hands, seed=rng.randrange(10**6))


@pytest.mark.parametrize(
    ("preset", "players", "sweep"),
    [("cirulla", 2, 1), ("cirulla", 2, 0), ("cirulla", 3, 3), ("cirulla", 4, 1), ("scopone", 4, 1)],
)
def test_greedy_plays_as_the_referees_greedy(preset: str, players: int, sweep: int) -> None:
    rules = build(preset, players=players, changes={"scoring": f"sweeps: each sweep = {sweep}"})
    data, last = asdict(rules), players * sum(rules.deal_plan)
    game = Game(data)
    for index in range(100):
        record = hand_record(Experiment(rules, ("greedy",), 10**6, 31), index, preset)
        for number, (hand, play) in enumerate(plays_of(record, data), 1):
            seat, table = play["seat"], frozenset(hand.table.items())
            matta_as = (play["knock"] or {}).get("matta_as") or hand.declared.get(rules.matta)
            pile = frozenset(hand.piles[rules.side(seat)])
            [chosen] = greedy(game, table, frozenset(hand.playable(seat)), pile, matta_as, number == last)
            assert chosen == (play["card"], frozenset(play["captured"]), 1)


def test_random_chooses_cards_and_then_captures_uniformly() -> None:
    """Chi-square over the index of the choice among its options; 600 hands detect a bias of 3% (power above 0.95)."""
    rules = build("cirulla", houses=["optional-capture"])
    data = asdict(rules)
    cards_chosen, captures_chosen = np.zeros((4, 3)), np.zeros((9, 8))
    for index in range(600):
        record = hand_record(Experiment(rules, ("random",), 10**6, 32), index)
        for hand, play in plays_of(record, data):
            held = sorted(hand.holdings[play["seat"]])
            cards_chosen[len(held), held.index(play["card"])] += 1
            options = sorted(sorted(got) for got in legal_choices(data, hand.table, play["as"]))
            if 1 < len(options) < 9:
                captures_chosen[len(options), options.index(sorted(play["captured"]))] += 1
    for size in (2, 3):
        assert stats.chisquare(cards_chosen[size, :size]).pvalue > 1e-3
    for size in (2, 3, 4):
        assert captures_chosen[size].sum() > 150
        assert stats.chisquare(captures_chosen[size, :size]).pvalue > 1e-3


def test_the_averages_of_another_program() -> None:
    """Random hands under ace-must-sweep against four million hands of a separate program in C.

    Points of the others and of the dealer's side, captures and sweeps of a million hands here agree with it within four
    standard errors.
    """
    run = play_trials(Experiment(build(houses=["ace-must-sweep"]), ("random",), 1_000_000, 35))
    rows = {(row["quantity"], row["side"]): row for row in simulated(run).filter(per="hand", kind="mean").to_dicts()}
    of_c = {("points", "others"): 8.3410, ("points", "dealer"): 8.2936, ("captures", "all"): 15.192,
            ("sweeps", "all"): 5.7243}  # fmt: skip
    for key, theirs in of_c.items():
        assert abs(rows[key]["estimate"] - theirs) < 4 * rows[key]["std_error"] * 1.25**0.5 + 0.0005
