"""A person against the policies: the same game as in the kernel, saved in its file, at a forgiving terminal."""

from __future__ import annotations

import json
import random
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from judged_positions import position_number, text_of
from referee.advice import rest
from referee.players import POLICIES
from referee.replay import replay

from cirulla_sim.advice import conversation
from cirulla_sim.advice.coach import coach_record
from cirulla_sim.advice.game import Game, recorded_place
from cirulla_sim.advice.game_setup import Setup
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.chunks import game_row_names
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Games
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rule_set import RuleSet, choose
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.situation.notation import Situation
from cirulla_sim.situation.people import order_of_play
from cirulla_sim.verbs.functions import hand, play


def setup_of(name: str, seed: int) -> Setup:
    policies, players, seat, changes = CASES[name]
    rules = build("cirulla", players=players, changes=changes)
    at = Situation(i_am=order_of_play(rules)[seat])
    return Setup(RuleSet(rules), LineUp.of_sides(policies, rules, rules.side(seat)), seed, at)


CASES = {
    "cirulla": (("careful", "search:2"), 2, 0, {"target": 26}),
    "partners": (("careful", "greedy"), 4, 2, {"target": 26}),
    "three alone": (("greedy", "careful", "random"), 3, 1, {"target": 26}),
    "the deal passes with misdeals": (("careful", "greedy"), 2, 1, {"misdeal_dealer": "next", "target": 26}),
    "some hands": (("greedy", "careful"), 2, 0, {"hands_per_game": 2, "target": 51}),
    "sets at the deal": (("careful", "careful"), 2, 0, {"knock_timing": "deal", "target": 16}),
}


@pytest.mark.parametrize("name", CASES)
def test_a_person_choosing_as_a_policy_plays_the_same_game(name: str) -> None:
    setup = setup_of(name, seed=1)
    rules = setup.rules
    game = Game.of_setup(setup)
    while (table := game.table).over is None:
        alone = hand_record(setup.experiment(table.passed, table.styles), game.hand)
        game.play(1 + recorded_place(table.decision, alone))
    hands, _, winners, *_ = (row := Games(rules, setup.policies, 1, 1).play(0, 1, rows=True)[1][0])
    assert len(table.records) == hands
    place = game_row_names(rules).index("side0_points")
    assert tuple(row[place : place + rules.sides]) == table.score
    assert sum(1 << side for side in table.over.winners) == winners
    for record in table.records:
        replay(record, asdict(rules), always_knock=False)


def test_a_saved_hand_that_is_unfinished_hides_what_the_seat_cannot_know(tmp_path: Path) -> None:
    answers = iter(["1", "1", "q"])
    play(lambda line: None, lambda prompt: next(answers), output=tmp_path / "g.jsonl", seed=5)
    (line,) = (tmp_path / "g.jsonl").read_text("utf-8").splitlines()
    assert "stages" not in json.loads(line)


def test_a_choice_by_its_cards() -> None:
    """Of leave Kh, 4c takes 3h Jd, 4c takes 3h Jc, 7c takes Jd, 7c takes Jc."""
    written = {"kh": 1, "scarta kh": 1, "4C takes 3h jd": 2, "4 di fiori prende 3♥, fante denari": 2, "7c Jc": 5}
    game = Game(players=2, policy="careful", seed=3)
    for text, number in written.items():
        assert game.play(text).number == number
        game.undo()
    for answer in ("", "0", "9", "7d 7h", "1.5", "-1", "²", "leave 4c 3h", "takes"):
        with pytest.raises(InputError, match="valid: "):
            game.play(answer)


def played(path: Path, answers: list[str], **options: object) -> list[str]:
    """The output of a game for a person who gives some answers and then leaves."""
    lines: list[str] = []
    remaining = iter(answers)
    play(lines.append, lambda prompt: next(remaining, None), output=path, **options)
    return lines


def test_answers_at_the_prompt_that_are_no_choice(tmp_path: Path) -> None:
    """Nonsense, help, the score, an undo: each is answered, and the game is as if nothing had been said."""
    lines = "\n".join(played(tmp_path / "game.jsonl", ["no such thing", "99", "?", "s", "1", "u", "q"], seed=4))
    for reply in ("is no choice", "valid: 1 to", "h  hint", "you 0", "Saved in"):
        assert reply in lines
    assert Game.from_records(tmp_path / "game.jsonl").history == ((),)


def test_a_game_is_resumed_and_never_lost(tmp_path: Path) -> None:
    path, whole = tmp_path / "game.jsonl", tmp_path / "whole.jsonl"
    answers = ["1", "1", "u", "1", "1", "1", "1"]
    played(whole, answers, seed=8)
    for answer in answers:
        played(path, [answer], seed=8)
    assert path.read_bytes() == whole.read_bytes()
    with pytest.raises(InputError, match="is a game with other --seed"):
        played(path, [], seed=9)
    with pytest.raises(InputError, match="is a game with other rules"):
        played(path, [], house="no-matta")
    assert any("seed 9" in line for line in played(path, [], seed=9, force=True))


def test_the_coach_judges_a_hand_and_the_whole_game_at_its_end(tmp_path: Path) -> None:
    """What each play lost is that of ``coach_record``, and the loss a choice is the mean over the game."""
    path = tmp_path / "game.jsonl"
    answers = ["1"] * 18 + ["c", ""] + ["1"] * 18 + ["c", "q"]
    lines = played(path, answers, seed=8, rule=["hands_per_game=2", "knock_timing=deal"], samples=8)
    game = Game.from_records(path)
    assert game.over
    judged = [coach_record(record, 8, 8)["coach"] for record in game.records()]
    pages = [line for line in lines if line.startswith("Hand ") and "Thrown away" in line]
    assert len(pages) == 3  # the first hand, and both at the end of the game
    for page, coach in zip(pages, (judged[0], *judged), strict=True):
        worst = sorted((play["loss"] for play in coach["plays"] if play["clear"]), reverse=True)
        listed = [line.split()[0] for line in page.splitlines() if ": better " in line]
        assert listed == [f"{loss:.2f}" for loss in worst]
    lost = [play["loss"] for coach, seat in zip(judged, game.table.seats, strict=True)
            for play in coach["plays"] if play["seat"] == seat and play["choices"] > 1]  # fmt: skip
    assert any(line.startswith(f"You lost {np.mean(lost):.2f} ±") and f"in {len(lost)} choices: like " in line
               for line in lines)  # fmt: skip


def test_a_truncated_or_changed_file(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played(path, ["1"] * 18 + ["", "1", "1", "1"], seed=8)
    text = path.read_text("utf-8")
    first, second = text.splitlines(keepends=True)
    assert json.loads(first)["stages"]
    assert json.loads(second)["unfinished"]
    path.write_text(first + second[: len(second) // 2], "utf-8")
    assert Game.from_records(path).history[1:] == ((),)  # the next hand is dealt again
    illegal = first.replace('"choices": [', '"choices": [77, ')
    game = json.loads(second)
    other_game = json.dumps(game | {"request": game["request"] | {"situation": {"at": 7}}})
    for wrong in ("", first[:50], second, illegal, first + first + "{}\n", "[]\n", other_game):
        path.write_text(wrong, "utf-8")
        with pytest.raises(InputError, match="valid: ") as error:
            played(path, [])
        assert "\n" not in str(error.value)


def test_a_position_is_played_on_as_the_rules_say() -> None:
    """Whatever is made at random of some positions is among the ends that the referee finds."""
    played = 0
    for number in range(40):
        rules, known, _ = position_number(number, 12)
        if known.plays_left > 5:
            continue  # the referee tries everything
        played += 1
        known = replace(known, silent=(None,) * rules.players, last_capture=None)
        setup = Setup(RuleSet(rules), LineUp.parse("random"), number, Situation.parse(text_of(rules, known)))
        game, rng = Game.of_setup(setup), random.Random(number)
        while game.hand == 0 and not game.over:
            points = [choice.points for choice in game.choices()]  # the best is shown, as by policies without a choice
            game.play(1 + (rng.randrange(len(points)) if game.choices()[0].is_play else points.index(max(points))))
        record = game.records()[0]
        assert [play["seat"] for stage in record["stages"] for play in stage["plays"]][:1] == [known.seat]
        assert sum(len(stage["plays"]) for stage in record["stages"]) == known.plays_left
        ends = {tuple((*side[:9], side[-2]) for side in end) for end in rest(known, POLICIES["random"])}  # no cappotto
        assert tuple(tuple(side.values()) for side in record["points"]) in ends, number
    assert played > 5


def test_a_position_is_resumed_and_its_hand_is_judged_by_hints_alone(tmp_path: Path) -> None:
    path, position = tmp_path / "game.jsonl", "table: Jd 4c; me: Kd Kh Kc; captured us: 7d 2s; score: 22-30"
    assert "Table: Jd 4c" in played(path, ["2"], at=position, seed=3)
    assert f"{path}: resumed." in played(path, ["1"] * 20, at=position, seed=3)
    lines = played(path, ["r", "c", ""])
    assert any("began in the middle" in line for line in lines)
    assert any(line.startswith("Hand 2 ") for line in lines)
    with pytest.raises(InputError, match="began in the middle"):
        hand(record=path, coach=True)


def test_a_hint_on_sets_ranks_them_with_the_play_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the prompt for sets every choice has both; at the one for the play what was shown is shown no more."""
    monkeypatch.setattr(conversation, "HINT_SECONDS", 0.1)
    setup, seed = Setup(choose("cirulla", 2), LineUp.parse("careful"), 0), 0
    while Game.of_setup(setup).choices()[0].is_play:
        seed += 1
        setup = replace(setup, seed=seed)
    lines = played(tmp_path / "game.jsonl", ["h", "2", "h"], seed=seed)
    prompts = [place for place, line in enumerate(lines) if "samples to the end of the hand" in line]
    hint = "\n".join(lines[: prompts[0]])
    assert all(part in hint for part in ("knock with", "show nothing: ", "for the set", "takes", "±"))
    game = Game.of_setup(setup)
    game.play(2)
    after = game.table.decision
    now = after.hand.seen_by()
    assert now.shown == now.holding
    assert not any("show nothing: " in line for line in lines[prompts[0] :])


def test_a_game_begins_with_a_score_and_known_cards(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    lines = played(path, [], at="score: 12-20; me: barsega; i am: dealer", seed=3)
    assert any("careful 20, you 12" in line for line in lines)
    assert any("knock with" in line for line in lines)
    game = Game.from_records(path)
    assert (game.setup.seat, game.table.score) == (1, (20, 12))
    with pytest.raises(InputError, match="other --at"):
        played(path, [], at="score: 1-2")
