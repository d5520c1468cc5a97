"""Hands of a record judged by the coach: each as in ``show --coach``, with totals that add up."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import cirulla_sim as cs
from cirulla_sim.advice import balance
from cirulla_sim.advice.balance import PARTS, total_balance
from cirulla_sim.advice.coach import coached, grade, rate
from cirulla_sim.advice.review import QUANTITIES
from cirulla_sim.cli import app
from cirulla_sim.engine.hand_record import Record, hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation.people import side_name
from cirulla_sim.storage.tables import read

TWO = build(players=2)
SAMPLES = 8


def games_hand(number: int) -> Record:
    """A hand of a game of two in which the person sat at seat 1 at first, and the deal has passed on since."""
    record = hand_record(Experiment(TWO, ("greedy", "random") if number % 2 else ("random", "greedy"), 1, 3), number)
    seat = (1 - number) % 2
    return record | {"person": {"seat": seat, "first_seat": 1, "choices": []}}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of three hands of a game, and a fourth that is in play."""
    path = tmp_path_factory.mktemp("game") / "game.jsonl"
    lines = [games_hand(number) for number in range(3)] + [{"unfinished": True, "hand": 3}]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return path


@pytest.fixture(scope="module")
def whole(game: Path) -> cs.Result:
    return cs.advise(record=game, samples=SAMPLES, progress=False)


def rows(result: cs.Result, **where: object) -> list[dict[str, Any]]:
    """The rows with these values; null is None."""
    return [row for row in result.frame.to_dicts() if all(row[name] == value for name, value in where.items())]


def by_quantity(table: list[dict[str, Any]]) -> dict[str, float]:
    return {row["quantity"]: row["estimate"] for row in table}


def cents(number: float) -> int:
    return round(100 * number)


def test_a_single_hand_is_judged_as_by_the_coach(game: Path) -> None:
    review = cs.advise(record=game, hand=1, samples=SAMPLES, progress=False, threads=1)
    judged = coached(games_hand(1), SAMPLES)["coach"]
    assert {row["hand"] for row in rows(review)} == {1}
    for side in judged["balance"]:
        who = side_name(2, 2, side["side"])
        numbers = by_quantity(rows(review, side=who, stage=None, kind="part"))
        assert numbers.items() >= {QUANTITIES[name]: side[name] for name in QUANTITIES}.items()
        for event in side["events"]:
            parts = by_quantity(rows(review, side=who, stage=event["stage"], kind="part"))
            assert parts == {QUANTITIES[part]: event[part] for part in PARTS[1:]}
    lost = rows(review, quantity="lost", per="play")
    choices = [play for play in judged["plays"] if play["choices"] > 1]
    assert [row["play"] for row in lost] == [play["play"] for play in choices]
    assert [row["remark"] is not None for row in lost] == [play["clear"] for play in choices]


def test_a_game_adds_up_by_side_of_the_first_hand(whole: cs.Result) -> None:
    """Sides are followed as the deal passes on: margins are differences of points, and parts add up to them."""
    for side in (0, 1):
        points = 0
        for number in range(3):
            totals = [side_points["total"] for side_points in games_hand(number)["points"]]
            sat = (side - number) % 2
            points += totals[sat] - totals[1 - sat]
        mine = rows(whole, side=side_name(2, 2, side), stage=None)
        total = by_quantity([row for row in mine if row["hand"] is None])
        assert total["margin"] == points
        assert sum(cents(total[QUANTITIES[part]]) for part in PARTS) == cents(points)
        for name in QUANTITIES.values():
            each = [row for row in mine if row["quantity"] == name and row["hand"] is not None]
            assert [row["hand"] for row in each] == [0, 1, 2]
            assert sum(cents(row["estimate"]) for row in each) == cents(total[name])
    seats = rows(whole, hand=None, quantity="lost_a_choice")
    for row in seats:
        seat = ("first", "dealer").index(row["side"])
        played = [(coached(games_hand(number), SAMPLES)["coach"], (seat - number) % 2) for number in range(3)]
        mean = rate(played)
        assert mean is not None
        assert (row["estimate"], row["n"]) == (pytest.approx(mean.value, abs=1e-5), mean.n)
        assert row["remark"] == grade(mean)
    assert seats[0]["estimate"] > seats[1]["estimate"] + 0.1  # random sat at seat 0 at first


def test_the_value_of_a_seat_cancels_with_its_error() -> None:
    """With both seats equally often the value of the seat cancels; with one seat its error grows with the hands."""
    starts = balance.start_worths(TWO)
    half = balance.half(starts[0])

    def error(sat: list[int]) -> float:
        balances = [dict.fromkeys(("margin", *PARTS), 0.0) | {"luck_error": half} for _ in sat]
        return float(total_balance(TWO, balances, sat)["luck_error"])

    assert error([0, 1, 1, 0]) == 0
    assert error([0, 0, 0, 0]) == pytest.approx(4 * half, abs=0.006)


def test_texts_explain_the_names_of_seats(whole: cs.Result) -> None:
    assert any("you were dealer" in remark for remark in whole.remarks)


def test_a_review_is_written_to_a_file_and_its_command_reproduces_it(game: Path, whole: cs.Result) -> None:
    target = game.with_name("a.parquet")
    ran = CliRunner().invoke(app, ["advise", "--record", str(game), "--samples", str(SAMPLES), "-o", str(target)])
    assert ran.exit_code == 0, ran.output
    frame, metadata = read(target)
    assert frame.equals(whole.frame)
    assert all(words in cs.read(target).text(all=True) for words in ("Luck of cards", "all hands", "Loses as much as"))
    assert (metadata["command"], metadata["hands"], metadata["samples"]) == (whole.command, 3, SAMPLES)
    _, *again = shlex.split(whole.command)
    assert CliRunner().invoke(app, [*again, "-o", str(target)]).exit_code == 0
    assert read(target)[0].equals(frame)
    assert "--rules" not in again


def test_hands_of_several_rules_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mixed.jsonl"
    other = hand_record(Experiment(build("scopa", players=2), ("greedy",), 1), 0, "scopa")
    path.write_text("\n".join(map(json.dumps, (games_hand(0), other))), "utf-8")
    with pytest.raises(cs.InputError, match="hand 1 is of other rules than hand 0"):
        cs.advise(record=path)


def test_a_hand_decided_at_the_deal_is_refused() -> None:
    record = games_hand(0) | {"stages": []}
    with pytest.raises(cs.InputError, match="decided at the deal"):
        cs.advise(record=record)
