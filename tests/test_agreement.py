"""The compiled kernel against the Python referee: play by play, point by point, and on average."""

from __future__ import annotations

import random
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from playing import play_trials
from referee import is_scopa, legal_choices, random_hand, replay
from rule_values import odd_rules
from scipy import stats

from cirulla_sim.core.cards import PACK
from cirulla_sim.engine.chunks import play_chunk, row_names
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


def test_rules_drawn_at_random() -> None:
    rng = random.Random(24)
    for _ in range(200):
        agree(odd_rules(rng), "cirulla", hands=3, seed=rng.randrange(10**6))


@pytest.mark.slow
def test_twenty_thousand_hands_of_rules_drawn_at_random() -> None:
    rng = random.Random(49)
    for _ in range(200):
        agree(odd_rules(rng), "cirulla", hands=100, seed=rng.randrange(10**6))


class Seen:
    """The information of the seat to play at each play of a record, reconstructed from the record."""

    def __init__(self, record: dict[str, Any], rules: Rules) -> None:
        self.record, self.rules, self.data = record, rules, asdict(rules)

    def plays(self) -> Any:
        """Yield the play, holding, table with values, pile of the side, values of the stage's cards, and if last."""
        rules, record = self.rules, self.record
        table = {} if record["table_bonus"] else {card: PACK.index(card) % 10 + 1 for card in record["table"]}
        piles: list[set[str]] = [set() for _ in range(rules.sides)]
        if record["table_bonus"]:
            piles[rules.dealer_side] |= set(record["table"])
        for number, stage in enumerate(record["stages"]):
            held = [set(cards) for cards in stage["hands"]]
            declared = {play["card"]: play["as"] for play in stage["plays"]}
            for place, play in enumerate(stage["plays"]):
                side = rules.side(play["seat"])
                last = number == len(record["stages"]) - 1 and place == len(stage["plays"]) - 1
                yield play, held[play["seat"]], dict(table), piles[side], declared, last
                held[play["seat"]].discard(play["card"])
                if play["captured"]:
                    piles[side] |= {play["card"], *play["captured"]}
                    for card in play["captured"]:
                        del table[card]
                else:
                    table[play["card"]] = play["as"]


def worth(rules: Rules, pile: set[str], got: set[str], scopa: bool) -> tuple[int, ...]:
    """The order of preference of greedy: secured points, then settebello, diamonds, sevens, cards."""

    def secured(cards: set[str]) -> int:
        diamonds = [card for card in cards if card[1] == "d"]
        run = next((i for i, rank in enumerate("A234567JQK") if rank + "d" not in cards), 10)
        points = min(run, rules.piccola_max) if run >= 3 else 0
        points += rules.grande if {"Jd", "Qd", "Kd"} <= cards else 0
        points += rules.settebello_point if "7d" in cards else 0
        points += rules.diamonds_point if len(diamonds) > 5 else 0
        return points + (rules.cards_point if len(cards) > 20 else 0)

    points = secured(pile | got) - secured(pile) + scopa * rules.sweep_point
    return (points, *values(got))


def values(got: set[str]) -> tuple[int, ...]:
    sevens = sum(card[0] == "7" for card in got)
    return int("7d" in got), sum(card[1] == "d" for card in got), sevens, len(got)


@pytest.mark.parametrize(
    ("preset", "players", "sweep"),
    [("cirulla", 2, 1), ("cirulla", 2, 0), ("cirulla", 3, 3), ("cirulla", 4, 1), ("scopone", 4, 1)],
)
def test_greedy_follows_its_order_of_preference(preset: str, players: int, sweep: int) -> None:
    rules = build(preset, players=players, changes={"scoring": f"sweeps: each sweep = {sweep}"})
    data = asdict(rules)
    choices = 0
    for index in range(100):
        record = hand_record(Experiment(rules, ("greedy",), 10**6, 31), index, preset)
        for play, held, table, pile, declared, last in Seen(record, rules).plays():
            options = []
            for card in held:
                for got in legal_choices(data, table, declared[card]):
                    if got:
                        scopa = is_scopa(data, table, declared[card], got, last)
                        options.append(worth(rules, pile, {card, *got}, scopa))
                    else:
                        options.append((0, *(-number for number in values({card}))))
            got = frozenset(play["captured"])
            taken = {play["card"], *got}
            chosen = worth(rules, pile, taken, play["scopa"]) if got else (0, *(-n for n in values({play["card"]})))
            assert chosen == max(options)
            choices += len(options) > 1
    assert choices > 1500


def test_random_chooses_cards_and_then_captures_uniformly() -> None:
    """Chi-square over the index of the choice among its options; 600 hands detect a bias of 3% (power above 0.95)."""
    rules = build("cirulla", houses=["optional-capture"])
    data = asdict(rules)
    cards_chosen, captures_chosen = np.zeros((4, 3)), np.zeros((9, 8))
    for index in range(600):
        record = hand_record(Experiment(rules, ("random",), 10**6, 32), index)
        for play, held, table, _, _, _ in Seen(record, rules).plays():
            cards_chosen[len(held), sorted(held).index(play["card"])] += 1
            options = sorted(sorted(got) for got in legal_choices(data, table, play["as"]))
            if 1 < len(options) < 9:
                captures_chosen[len(options), options.index(sorted(play["captured"]))] += 1
    for size in (2, 3):
        assert stats.chisquare(cards_chosen[size, :size]).pvalue > 1e-3
    for size in (2, 3, 4):
        assert captures_chosen[size].sum() > 150
        assert stats.chisquare(captures_chosen[size, :size]).pvalue > 1e-3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_averages_of_random_play_agree_with_the_referees_own(players: int) -> None:
    """Two samples within three standard errors; detects a bias of half a point with power above 0.9."""
    rules, rng = build(players=players), random.Random(33)
    hands = [random_hand(asdict(rules), rng)["points"] for _ in range(600)]
    theirs = np.array([[side["total"] for side in points] for points in hands])
    _, rows = play_chunk(Experiment(rules, ("random",), 10**6, 34), 0, 200_000, rows=True)
    for side in range(rules.sides):
        ours = rows[:, row_names(rules).index(f"side{side}_total")]
        error = np.hypot(theirs[:, side].std() / len(theirs) ** 0.5, ours.std() / len(ours) ** 0.5)
        assert abs(theirs[:, side].mean() - ours.mean()) < 3 * error


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
