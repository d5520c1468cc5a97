"""A person against the policies: the same game as in the kernel, saved in its file, at a forgiving terminal."""

from __future__ import annotations

import json
import os
import random
import select
import subprocess
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from judged_positions import position_number, text_of
from referee import replay
from referee.advice import rest
from referee.players import POLICIES

from cirulla_sim.advice import screen
from cirulla_sim.advice.coach import coached
from cirulla_sim.advice.decision_points import turns
from cirulla_sim.advice.game import Game
from cirulla_sim.advice.game_setup import Setup
from cirulla_sim.core.cards import mask, parse
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.engine.chunks import game_row_names
from cirulla_sim.engine.hand_in_play import Decision, play_with_callers
from cirulla_sim.engine.hand_record import Record, hand_record
from cirulla_sim.engine.trials import Experiment, Games
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rule_set import RuleSet, choose
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.situation.notation import Situation
from cirulla_sim.situation.people import order_of_play
from cirulla_sim.verbs.advise import advise
from cirulla_sim.verbs.play import play


def setup_of(name: str, seed: int) -> Setup:
    """The setup of a case, its line-up by the person's names."""
    policies, players, seat, changes = CASES[name]
    rules = build("cirulla", players=players, changes=changes)
    at = Situation(i_am=order_of_play(rules)[seat])
    return Setup(RuleSet(rules), LineUp.of_sides(policies, rules, rules.side(seat)), seed, at)


def recorded_choice(decision: Decision, record: Record) -> int:
    """The index of the choice that a recorded hand made at a person's decision."""
    seat = int(decision.view[0]["seat"])
    stage = record["stages"][int(decision.view[0]["stage"])]
    recorded = stage["plays"][len(decision.record["stages"][-1]["plays"])]
    assert recorded["seat"] == seat or decision.to_show
    if not decision.to_show:
        cards = mask([parse(card) for card in recorded["captured"]])
        return next(
            place
            for place, word in enumerate(decision.offered)
            if word & (1 << 40) - 1 == cards and word >> 40 & 63 == parse(recorded["card"])
        )
    turn = len(decision.record["stages"][-1]["plays"]) // record["players"]
    knock = stage["plays"][turn * record["players"] + seat]["knock"]
    if knock is None:
        return 0
    cards, value = mask([parse(card) for card in knock["cards"]]), knock["matta_as"] or 0
    return next(p for p, w in enumerate(decision.offered) if w >> 8 & (1 << 40) - 1 == cards and w & 15 == value)


CASES = {
    "cirulla": (("careful", "search:2"), 2, 0, {"target": 26}),
    "partners": (("careful", "greedy"), 4, 2, {"target": 26}),
    "three alone": (("greedy", "careful", "random"), 3, 1, {"target": 26}),
    "the deal passes with misdeals": (("careful", "greedy"), 2, 1, {"misdeal_dealer": "next", "target": 26}),
    "some hands": (("greedy", "careful"), 2, 0, {"hands_per_game": 2, "target": 51}),
    "sets at the deal": (("careful", "careful"), 2, 0, {"knock_timing": "deal", "target": 16}),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_person_choosing_as_a_policy_plays_the_same_game(name: str, seed: int) -> None:
    setup = setup_of(name, seed)
    rules = setup.rules
    game = Game.of_setup(setup)
    while (table := game.table).over is None:
        alone = hand_record(setup.experiment(table.passed, table.styles), game.hand)
        game.play(1 + recorded_choice(table.decision, alone))
    hands, _, winners, *_ = (row := Games(rules, setup.policies, 1, seed).play(0, 1, rows=True)[1][0])
    assert len(table.records) == hands
    place = game_row_names(rules).index("side0_points")
    assert tuple(row[place : place + rules.sides]) == table.score
    assert sum(1 << side for side in table.over.winners) == winners
    for record in table.records:
        replay(record, asdict(rules), always_knock=False)


def test_the_page_of_a_game_adds_up_hand_by_hand() -> None:
    game = Game.of_setup(setup_of("some hands", 1))
    while (table := game.table).over is None:
        game.play(1)
    judged = [coached(record, 8) for record in table.records]
    _, head, *rows, total, lost = screen.game_page(game.setup, list(table.seats), judged, language("en"))
    assert head.split()[-1] == "margin"
    margins = [round(float(row.split()[-1]), 2) for row in rows]
    assert margins == [(1 - 2 * seat) * (hand["points"][0]["total"] - hand["points"][1]["total"])
                       for hand, seat in zip(table.records, table.seats, strict=True)]  # fmt: skip
    assert sum(round(100 * float(word)) for word in total.split()[1:-1]) == round(100 * float(total.split()[-1]))
    assert float(total.split()[-1]) == sum(margins) == table.score[0] - table.score[1]
    choices = sum(play["choices"] > 1 and play["seat"] == seat
                  for hand, seat in zip(judged, table.seats, strict=True)
                  for play in hand["coach"]["plays"])  # fmt: skip
    assert f"in {choices} choices: like " in lost


def test_an_unfinished_hand_hides_what_the_seat_cannot_know(tmp_path: Path) -> None:
    experiment = Experiment(build("cirulla"), ("careful",), 1, 5)
    decision = play_with_callers(experiment, 0, [1], (0, 0))
    assert isinstance(decision, Decision)
    assert [bool(held) for held in decision.record["stages"][-1]["hands"]] == [False, True, False, False]
    assert not decision.view[0]["hidden"].any()
    answers = iter(["1", "1", "q"])
    play(lambda line: None, lambda prompt: next(answers), output=tmp_path / "g.jsonl", seed=5)
    (line,) = (tmp_path / "g.jsonl").read_text("utf-8").splitlines()
    assert "stages" not in json.loads(line)


@pytest.mark.parametrize("answer", ["", "0", "9", "7d 7h", "Ks", "seven", "1.5", "-1", "²", "leave 4c 3h", "takes"])
def test_an_invalid_choice_lists_the_valid_ones(answer: str) -> None:
    with pytest.raises(InputError, match="valid: "):
        Game(players=2, policy="careful", seed=3).play(answer)


def test_a_choice_by_its_cards() -> None:
    """Of leave Kh, 4c takes 3h Jd, 4c takes 3h Jc, 7c takes Jd, 7c takes Jc."""
    written = {"kh": 1, "scarta kh": 1, "4C takes 3h jd": 2, "4 di fiori prende 3♥, fante denari": 2, "7c Jc": 5}
    game = Game(players=2, policy="careful", seed=3)
    for text, number in written.items():
        assert game.play(text).number == number
        game.undo()


def played(path: Path, answers: list[str], **options: object) -> list[str]:
    """The output of a game for a person who gives some answers and then leaves."""
    lines: list[str] = []
    remaining = iter(answers)
    play(lines.append, lambda prompt: next(remaining, None), output=path, **options)
    return lines


def test_a_game_is_resumed_and_never_lost(tmp_path: Path) -> None:
    path, whole = tmp_path / "game.jsonl", tmp_path / "whole.jsonl"
    answers = ["1", "1", "u", "1", "1", "1", "1", "1", "1", "1"]
    played(whole, answers, seed=8)
    for answer in answers:
        played(path, [answer], seed=8)
    assert path.read_bytes() == whole.read_bytes()
    with pytest.raises(InputError, match="is a game with other --seed"):
        played(path, [], seed=9)
    with pytest.raises(InputError, match="is a game with other rules"):
        played(path, [], house="no-matta")
    with pytest.raises(InputError, match="did you mean 'search'"):
        played(path, [], policy="serch")
    four = tmp_path / "four.jsonl"
    played(four, [], players=4, me="dealer")
    with pytest.raises(InputError, match="is a game with other rules"):
        played(four, [], players=2)
    assert any("seed 9" in line for line in played(path, [], seed=9, force=True))


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
    huge = first.replace('"choices": [', f'"choices": [{10**30}, ')
    for wrong in ("", first[:50], second, illegal, huge, first + first + "{}\n", "[]\n"):
        path.write_text(wrong, "utf-8")
        with pytest.raises(InputError, match="valid: "):
            played(path, [])


OWN = "def best(view, plays):\n    return 0\n"


def test_a_user_policy_must_be_named_again_and_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path, own = Path("game.jsonl"), Path("own.py")
    own.write_text(OWN, "utf-8")
    played(path, ["1"], seed=8, policy="own.py:best")
    assert json.loads(path.read_text("utf-8"))["sources"].keys() == {"own.py:best"}
    with pytest.raises(InputError, match=r"'own.py:best' plays, a policy of your own"):
        played(path, ["1"])
    with pytest.raises(InputError, match=r"'own.py:best' plays, a policy of your own"):
        played(path, ["1"], policy="greedy")
    assert "resumed" in played(path, ["1"], policy="own.py:best")[0]
    own.write_text(f"{OWN}# changed\n", "utf-8")
    with pytest.raises(InputError, match="the source of its policies has changed"):
        played(path, ["1"], policy="own.py:best")


@pytest.mark.parametrize(
    "forged",
    [
        {"request": {}},
        {"request": None},
        {"verb": "advise"},
        {"line_ups": [{"all": "careful"}, {"all": "greedy"}]},
        {"line_ups": [{"all": "nobody"}]},
        {"question": {"seat": 1}},
        {"situation": {"at": "i am: third"}},
        {"situation": {"at": 7}},
        {"situation": {"at": "i am: nobody"}},
        {"situation": {"at": "i am: dealer", "output": "elsewhere"}},
        {"effort": {}},
        {"situation": {"deal": "me: 7d"}},
        {"rules": {"preset": "elsewhere.toml", "fields": {}}},
    ],
)
def test_a_game_with_another_request_is_refused(tmp_path: Path, forged: dict[str, object]) -> None:
    path = tmp_path / "game.jsonl"
    played(path, ["1"], seed=8)
    line = json.loads(path.read_text("utf-8"))
    line["request"] = forged["request"] if "request" in forged else line["request"] | forged
    path.write_text(json.dumps(line), "utf-8")
    with pytest.raises(InputError, match="valid: a file that play wrote") as error:
        played(path, [])
    assert "\n" not in str(error.value)


def test_a_game_of_an_earlier_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(json.dumps({"hand": 0, "person": {"choices": [], "policies": ["careful"]}}), "utf-8")
    with pytest.raises(InputError, match=r"is a game of cirulla-sim 0\.1"):
        played(path, [])


def test_a_position_is_played_on_as_the_rules_say() -> None:
    """Whatever is made at random of 60 positions is among the ends that the referee finds."""
    for number in range(60):
        rules, known, _ = position_number(number, 12)
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


def test_a_position_is_resumed_and_its_hand_is_judged_by_hints_alone(tmp_path: Path) -> None:
    path, position = tmp_path / "game.jsonl", "table: Jd 4c; me: Kd Kh Kc; captured us: 7d 2s; score: 22-30"
    lines = played(path, ["2", "h"], at=position, seed=3)
    assert "Table: Jd 4c" in lines
    assert any("captured card" in line for line in lines)
    assert any(line.startswith(("Best of ", "First of ")) for line in lines)
    ended = played(path, ["1"] * 20, at=position, seed=3)
    assert f"{path}: resumed." in ended
    lines = played(path, ["r", "c", ""])
    assert "Stage 2" in "\n".join(lines)
    assert any("began in the middle" in line for line in lines)
    assert any(line.startswith("Hand 2 ") for line in lines)
    with pytest.raises(InputError, match="began in the middle"):
        advise(record=path)


def test_a_play_of_a_record_is_played_on_under_its_rules(tmp_path: Path) -> None:
    record = hand_record(Experiment(build("cirullone", players=4), ("careful",), 1, 4), 0, "cirullone")
    path = tmp_path / "hands.json"
    path.write_text(json.dumps(record), "utf-8")
    lines = played(tmp_path / "game.jsonl", ["1"], at=f"{path}#0.20", seed=3)
    assert lines[0].startswith("cirullone, 4 players")
    with pytest.raises(InputError, match="has rules of its own"):
        played(tmp_path / "other.jsonl", ["1"], at=f"{path}#0.20", rules="scopa")


def test_a_hint_judges_every_play(tmp_path: Path) -> None:
    lines = played(tmp_path / "game.jsonl", ["h", "h", "1", "h"], seed=8)
    assert any("takes" in line and "±" in line for line in lines)
    assert any("samples to the end of the hand" in line for line in lines)


def test_a_hint_on_sets_ranks_them_with_the_play_after(tmp_path: Path) -> None:
    """At the prompt for sets every choice has both; at the one for the play what was shown is shown no more."""
    setup, seed = Setup(choose("cirulla", 2), LineUp.parse("careful"), 0), 0
    while Game.of_setup(setup).choices()[0].is_play:
        seed += 1
        setup = replace(setup, seed=seed)
    lines = played(tmp_path / "game.jsonl", ["h", "2", "h"], seed=seed)
    prompts = [place for place, line in enumerate(lines) if "samples to the end of the hand" in line]
    hint = "\n".join(lines[: prompts[0]])
    assert "knock with" in hint
    assert "show nothing: " in hint
    assert "for the set" in hint
    game = Game.of_setup(setup)
    game.play(2)
    after = game.table.decision
    assert after.shown == after.view[0]["holding"]
    assert not any("show nothing: " in line for line in lines[prompts[0] :])


def test_invalid_setups_are_refused() -> None:
    chosen = choose("cirulla", 2)
    position = "table: 2c; me: 3c 4c 5c 6c; to play: me"
    beginnings = ("i am: third", "score: 60-2", "score: 1-2-3", "hand: 2 of 3; score: 1-2", position)
    others = [{"line_up": LineUp.parse("carefull")}, {"line_up": LineUp.parse("careful+silent")}]
    for changes in [*({"at": Situation.parse(text)} for text in beginnings), *others]:
        with pytest.raises(InputError, match=r"valid: |valid here: |did you mean|leave it out"):
            replace(Setup(chosen, LineUp.parse("careful"), 1), **changes)


class Terminal:
    """The program in a terminal, answered at its prompt."""

    def __init__(self, *words: str) -> None:
        self.master, slave = pytest.importorskip("pty").openpty()
        program = [sys.executable, "-c", "from cirulla_sim.cli import main; main()", "play", *words]
        self.process = subprocess.Popen(program, stdin=slave, stdout=slave, stderr=slave, close_fds=True)
        os.close(slave)
        self.text = ""

    def until(self, *ends: str, seconds: float = 120) -> str:
        """The output up to one of these endings."""
        until, output = time.monotonic() + seconds, ""
        while not output.endswith(ends):
            assert time.monotonic() < until, output
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    output += os.read(self.master, 4096).decode("utf-8", "replace")
                except OSError:
                    break
            elif self.process.poll() is not None:
                break
        self.text += output
        return output

    def answer(self, text: str) -> None:
        os.write(self.master, text.encode() + b"\n")


def test_a_game_at_a_terminal(tmp_path: Path) -> None:
    """Invalid answers, a hint, an undo, quitting and resuming, to the end; then other verbs read the file."""
    path = tmp_path / "game.jsonl"
    words = ("--seed", "4", "--rule", "target=11", "-o", str(path))
    first = Terminal(*words)
    assert "you" in first.until("play: ", "show: ")
    for answer, reply in (("no such thing", "is no choice"), ("99", "valid: 1 to"), ("?", "hint"), ("s", "you 0")):
        first.answer(answer)
        assert reply in first.until("play: ", "show: ")
    first.answer("1")
    first.until("play: ", "show: ")
    first.answer("u")
    assert "Hand 1" in first.until("play: ", "show: ")
    first.answer("q")
    first.until("\x00", seconds=20)
    assert first.process.wait(10) == 0
    assert json.loads(path.read_text("utf-8"))["person"]["choices"] == []
    second = Terminal(*words)
    for _ in range(400):
        reply = second.until("play: ", "show: ", "leave: ")
        if reply.endswith("leave: "):
            if "the game is over" in reply:
                break
            second.answer("")
        else:
            second.answer("1")
    assert "the game, by the score" in reply
    second.answer("q")
    second.until("\x00", seconds=20)
    assert second.process.wait(10) == 0
    setup = Game.from_records(path).setup
    for line in path.read_text("utf-8").splitlines():
        record = json.loads(line)
        replay(record, asdict(setup.rules), always_knock=False)
        assert list(turns(record))


def test_a_game_begins_with_a_score_and_known_cards(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    lines = played(path, [], at="score: 12-20; me: barsega; i am: dealer", seed=3)
    assert any("careful 20, you 12" in line for line in lines)
    assert any("knock with" in line for line in lines)
    game = Game.from_records(path)
    assert (game.setup.seat, game.table.score) == (1, (20, 12))
    resumed = played(path, [])
    assert any("careful 20, you 12" in line for line in resumed)
    with pytest.raises(InputError, match="other --at"):
        played(path, [], at="score: 1-2")
    with pytest.raises(InputError, match="cannot be read"):
        played(tmp_path / "other.jsonl", [], at="hands.jsonl#0.3")
