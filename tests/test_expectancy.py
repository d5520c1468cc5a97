"""The chain of scores: against other exact solutions, against simulated games, and its intervals."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from intervals import RUNS, check_intervals
from numpy.typing import NDArray
from scipy.interpolate import RegularGridInterpolator

from cirulla_sim.engine.chunks import game_row_names, play_rows, prepare_play, row_names, workspace
from cirulla_sim.engine.trials import Experiment, Games
from cirulla_sim.experiments import win_chance
from cirulla_sim.experiments.win_chance import (
    THEY,
    WE,
    HandCounts,
    aiming_table,
    between_hands,
    measure_chances,
    win_table,
)
from cirulla_sim.kernel.entries.values import run_courses
from cirulla_sim.kernel.game.streams import batch
from cirulla_sim.ruleset.presets import build
from cirulla_sim.stats.estimates import proportion


def by_repetition(target: int, hands: HandCounts, rounds: int) -> dict[tuple[int, int, int], float]:
    """The chances by repeated hands, from every state with a score up to a bound."""
    total = hands.points.sum(axis=(1, 2, 3)) + hands.outright.sum(axis=1)
    size = target + hands.points.shape[-1]
    chances = dict.fromkeys(product((WE, THEY), range(size), range(size)), 0.0)
    outcomes = [(*where, hands.points[*where] / total[where[0]]) for where in np.argwhere(hands.points).tolist()]

    def after(before: dict[tuple[int, int, int], float], dealer: int, us: int, them: int) -> float:
        if max(us, them) >= target and us != them:
            return float(us > them)
        level = max(0, min(us, them) - target) if us == them else 0  # every tie past the target is the same
        return before[dealer, us - level, them - level]

    for _ in range(rounds):
        before = dict(chances)
        for dealer, us, them in chances:
            if max(us, them) < target or us == them == target:
                chance = hands.outright[dealer, WE] / total[dealer]
                for who, same_dealer, x, y, p in outcomes:
                    if who == dealer:
                        chance += p * after(before, dealer if same_dealer else 1 - dealer, us + x, them + y)
                chances[dealer, us, them] = chance
    return chances


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("scopa", {"misdeal_count": 1, "misdeals_lose": 3}),
        ("cirulla", {"all_diamonds": "wins"}),
    ],
)
def test_the_chain_is_that_of_the_rows_of_hands(preset: str, changes: dict[str, Any]) -> None:
    """Who is to deal, whether a misdeal passes the deal on, and what wins outright, counted in plain Python."""
    rules, hands, target = build(preset, players=2, changes=changes | {"target": 3}), 3000, 3
    points, outright = np.zeros((2, 2, 64, 64)), np.zeros((2, 2))
    for dealer in (WE, THEY):
        names = ("random", "greedy") if dealer == WE else ("greedy", "random")  # those of the others, and the dealer's
        rows = play_rows(Experiment(rules, names, hands, 7), 0, hands)[0]
        for row in (dict(zip(row_names(rules), values, strict=True)) for values in rows.tolist()):
            lost = row["won_at_deal"] == 2  # by misdeals, of which the last passes nothing on
            passed = (row["misdeals"] - lost) % 2 if rules.misdeal_dealer == "next" else 0
            to_deal = 1 - dealer if passed else dealer
            cappotto = rules.all_diamonds == "wins"
            if row["won_at_deal"] == 1 or (cappotto and row["side1_cappotto"]):
                outright[to_deal, dealer] += 1
            elif lost or (cappotto and row["side0_cappotto"]):
                outright[to_deal, 1 - dealer] += 1
            else:
                score = (row["side1_total"], row["side0_total"])[:: 1 if dealer == WE else -1]
                points[to_deal, passed, *score] += 1
    assert points[:, 1].any() or outright.any()
    most = 1 + int(np.argwhere(points)[:, 2:].max())
    exact = by_repetition(target, HandCounts(points[:, :, :most, :most], outright), 60)
    chances = measure_chances(rules, ("greedy", "random"), hands, 7).chances
    for dealer, us, them in product((0, 1), range(target), range(target)):
        assert chances[dealer, us, them] == pytest.approx(exact[dealer, us, them], abs=1e-6)


@pytest.mark.parametrize(
    ("options", "policies"),
    [
        ({"players": 2}, ("greedy", "random")),
        ({"base": "scopa", "changes": {"target": 51, "misdeal_count": 1, "misdeals_lose": 3}}, ("greedy", "random")),
        ({"players": 2, "changes": {"lowest_wins": True}}, ("greedy", "random")),
    ],
)
def test_the_chain_agrees_with_simulated_games(options: dict[str, Any], policies: tuple[str, ...]) -> None:
    """Within 3.5 standard errors; an error of three percentage points would be detected (power above 0.8)."""
    rules, games = build(**options), 5000
    win_table, (ours, theirs) = measure_chances(rules, policies, 30_000, 72), (policies * 2)[:2]
    for us, them, dealer in [(0, 0, WE), (41, 38, THEY), (50, 50, WE), (12, 30, THEY)]:
        seats, points = ((theirs, ours), (them, us)) if dealer == WE else ((ours, theirs), (us, them))
        rows = Games(rules, seats, games, 73, points).play(0, games, rows=True)[1]
        winners = rows[:, game_row_names(rules).index("winners")]
        wins = int(np.count_nonzero(winners == (2 if dealer == WE else 1)))
        chain, played = win_table.chance(us, them, [dealer]), proportion(wins, games)
        error = np.hypot(chain.std_error, max(played.std_error, 0.001))
        assert abs(chain.value - played.value) < 3.5 * error, (us, them, dealer)


def test_intervals_cover_the_truth() -> None:
    """Chances from 400 hands each; the truth is that of 300,000 hands."""
    rules = build("scopa", changes={"target": 4})
    truth = measure_chances(rules, ("random",), 300_000, 74).chances
    tables = [measure_chances(rules, ("random",), 400, 10_000 + run, engine="serial") for run in range(RUNS)]
    for us, them, dealer in [(0, 0, WE), (2, 1, WE), (3, 0, THEY)]:
        chances = [table.chance(us, them, [dealer]) for table in tables]
        rows = [{"estimate": c.value, "std_error": c.std_error, "ci_low": c.low, "ci_high": c.high} for c in chances]
        check_intervals(rows, truth[dealer, us, them], (us, them, dealer))


@pytest.mark.slow
def test_events_that_a_small_run_cannot_show_have_an_interval() -> None:
    """At 0-50 we only win if the others never score: 300 hands show that rarely or never. The truth is of 150,000."""
    rules = build(players=2)
    truth = measure_chances(rules, ("greedy",), 150_000, 75).chance(0, 50, [WE])
    assert truth.value > 10 * truth.std_error
    tables = [measure_chances(rules, ("greedy",), 300, 20_000 + run, engine="serial") for run in range(40)]
    estimates = [table.chance(0, 50, [WE]) for table in tables]
    assert any(chance.value < 1e-4 for chance in estimates)
    assert sum(chance.low <= truth.value <= chance.high for chance in estimates) >= 36


def test_the_table_has_a_row_per_score() -> None:
    chances = measure_chances(build("scopa"), ("random",), 2000, 75)
    frame = win_table(chances)
    assert frame.height == 2 * 11 * 11
    for us, them, dealer, number in ((7, 4, "them", THEY), (0, 10, "us", WE)):
        row, chance = frame.filter(us=us, them=them, dealer=dealer), chances.chance(us, them, [number])
        assert row.select("estimate", "std_error", "ci_low", "ci_high", "n").row(0) == pytest.approx(
            (chance.value, chance.std_error, chance.low, chance.high, 2000)
        )


@pytest.mark.slow
def test_the_win_table_used_by_policies() -> None:
    """With no play left, the chances between hands; before, chances that rise with our points and fall with theirs."""
    rules = build(players=2)
    table, target = aiming_table(rules), rules.target
    assert table.shape[0] == 37
    assert table[0, :target, :target] == pytest.approx(between_hands(rules)[WE, :target, :target], abs=1e-6)
    assert (table[0, target + 9, : target + 9] == 1).all()
    assert (table[0, : target + 9, target + 9] == 0).all()
    assert (np.diff(table[1:, : target + 9, : target + 9], axis=1) > -0.003).all()
    assert (np.diff(table[1:, : target + 9, : target + 9], axis=2) < 0.003).all()


@pytest.mark.parametrize("players", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_chances_in_mid_hand_are_calibrated(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In other hands of careful play than those of the table, chances in mid-hand equal the mean chances at the end.

    Compared by plays left and score, and by fifths of the chance. Treating the points of the two sides as
    independent would be detected.
    """
    monkeypatch.setattr(win_chance, "AIMING_HANDS", 30_000)
    monkeypatch.setattr(win_chance, "COURSES", 10_000)
    rules, hands = build(players=players, changes={"target": 50}), 4000
    flat, codes, work = prepare_play(Experiment(rules, ("careful",), hands, 977))
    courses = np.zeros((hands, 41 - rules.table_cards, 2), np.float32)
    count = run_courses(flat, codes, batch(977, 0, hands), workspace().mind, work, courses)
    table, target = aiming_table(rules), rules.target

    def chance_in(left: int, points: NDArray[np.float32]) -> NDArray[np.float64]:
        """The chances at some scores, interpolated between whole points."""
        chances = RegularGridInterpolator((range(len(table[left])),) * 2, table[left].astype(float))
        return np.asarray(chances(np.clip(points, 0, len(table[left]) - 1)))

    for us, them in ((0, 0), (target - 4, target - 2), (target - 5, target // 2)):
        points = courses[: int(count)] + np.array([us, them])
        came = chance_in(0, points[:, 0])
        for left in (30, 24, 18, 12, 6, 3):
            expected = chance_in(left, points[:, left])
            for group in np.array_split(np.argsort(expected), 5):
                error = (came - expected)[group].std() / len(group) ** 0.5
                assert abs((came - expected)[group].mean()) < 4 * error + 0.02, (us, them, left)
