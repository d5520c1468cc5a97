"""The parts of a margin: they add up exactly, agree between both sides, and luck has mean zero."""

from __future__ import annotations

import numpy as np
import pytest

from cirulla_sim.advice.balance import PARTS, balances, past_hand
from cirulla_sim.advice.coach import RATES, coached, grade, rate
from cirulla_sim.advice.decision_points import rules_of, turns
from cirulla_sim.engine.hand_record import Record, as_text, hand_record
from cirulla_sim.engine.luck_adjustment import stage_worths
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.experiments.runner import Execution
from cirulla_sim.ruleset.catalogue import catalogue, preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation.people import side_name
from cirulla_sim.stats.estimates import Estimate

KINDS = [(name, seats) for name in preset_names() for seats in catalogue()["preset"][name]["seats"]]


def record_of(preset: str, players: int, policy: str, number: int) -> Record:
    return hand_record(Experiment(build(preset, players=players), (policy,), 1000, 5), number, preset)


@pytest.mark.parametrize(("preset", "players"), KINDS)
def test_rollouts_of_the_last_stage_end_as_the_hand_did(preset: str, players: int) -> None:
    """``careful`` plays the last stage in rollouts as it played it, so every rollout ends as the hand did."""
    for number in range(6):
        record = record_of(preset, players, "careful", number)
        rules, played = rules_of(record).fields, list(turns(record))
        if not played:
            continue
        worths = stage_worths(rules, past_hand(rules, record, played), 3, 1)
        assert (worths.points[-1, 1] == [side["total"] for side in record["points"]]).all()
        knocked = np.zeros(rules.sides)
        for play in record["stages"][-1]["plays"]:
            knocked[rules.side(play["seat"])] += play["knock"]["points"] if play["knock"] else 0
        if rules.deal_plan[-1] == 3:
            assert (worths.knocks[-1, 1] == knocked).all()


@pytest.mark.parametrize(("preset", "players"), [("cirulla", 2), ("cirulla", 3), ("scopa", 2)])
def test_a_balance_adds_up_to_the_margin(preset: str, players: int) -> None:
    record = record_of(preset, players, "greedy", 1)
    judged = coached(record, 16, execution=Execution(threads=1))
    rules, balance_of_sides = rules_of(record).fields, judged["coach"]["balance"]
    assert judged == coached(record, 16, execution=Execution(threads=2))
    totals = [side["total"] for side in record["points"]]
    for side, balance in enumerate(balance_of_sides):
        others = sum(totals) - totals[side]
        assert balance["margin"] == round(totals[side] - others / (rules.sides - 1), 2)
        assert sum(round(100 * balance[part]) for part in PARTS) == round(100 * balance["margin"])
        for part in PARTS[1:]:
            assert round(100 * balance[part]) == sum(round(100 * event[part]) for event in balance["events"])
        lost = sum(play["loss"] for play in judged["coach"]["plays"] if rules.side(play["seat"]) == side)
        assert abs(balance["own_errors"] + lost) < 0.05
        assert f"What the margin of {side_name(rules.players, rules.sides, side)} is made of" in as_text(judged)
    if rules.sides == 2:
        for part in ("start", "cards", "knocks", "cards_lay"):
            assert abs(balance_of_sides[0][part] + balance_of_sides[1][part]) < 0.05
        assert balance_of_sides[0]["own_errors"] == -balance_of_sides[1]["others_errors"]


def test_luck_has_mean_zero() -> None:
    """For any policies; a bias of three points a hand would be detected, with a standard deviation of eight."""
    luck = []
    for number in range(80):
        record = hand_record(Experiment(build(players=2), ("greedy", "careful"), 200, 6), number)
        if played := list(turns(record)):
            balance = balances(rules_of(record).fields, record, played, [], 20, 7)[0]
            luck.append(balance["cards"] + balance["knocks"])
    error = np.std(luck) / np.sqrt(len(luck))
    assert abs(np.mean(luck)) < 3 * error < 3


def test_a_hand_won_at_the_deal_has_no_balance() -> None:
    assert balances(build(), {}, [], [], 10, 1) == []


def test_grades_follow_the_rates_of_policies_and_rates_count_real_choices() -> None:
    assert [grade(Estimate(limit, 0, limit, limit, 9)) for limit in RATES.values()] == list(RATES)
    assert list(RATES.values()) == sorted(RATES.values())
    lost = [(0, 2, 0.5), (0, 3, 0.1), (0, 1, 0.0), (1, 2, 9.0)]
    coach = {"plays": [{"seat": seat, "choices": choices, "loss": loss} for seat, choices, loss in lost]}
    estimate = rate([(coach, 0), (coach, 0)])
    assert estimate is not None
    assert (estimate.value, estimate.n) == (pytest.approx(0.3), 4)
    assert rate([({"plays": []}, 0)]) is None
