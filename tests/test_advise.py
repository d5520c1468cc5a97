"""Advice: right where the truth is known, from visible cards only, reproducible, and in plain words."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations
from math import comb, prod

import numpy as np
import pytest
from scipy import stats

import cirulla_sim as cs
from cirulla_sim.advice import coach, judge
from cirulla_sim.advice.decision_points import RecordedTurn, turns
from cirulla_sim.advice.judge import Problem
from cirulla_sim.core import cards
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.exact.midhand import takers
from cirulla_sim.experiments import win_chance
from cirulla_sim.experiments.runner import Execution
from cirulla_sim.kernel.entries.rules import flat_rules
from cirulla_sim.kernel.players.opponents import BEHIND, FACTORS
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation import plays as situation
from cirulla_sim.situation.hand import HandState
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.situation.notation import Situation
from cirulla_sim.situation.positions import read_position
from cirulla_sim.stats.decisions import holm
from cirulla_sim.storage.tables import SCHEMA
from cirulla_sim.storage.tables import read_table as read_file

TWO, FOUR = build("cirulla", players=2), build("cirulla")
SEED = 5


GREEDY = LineUp.parse("greedy")


def record_of(rules: Rules, index: int, policy: str = "greedy") -> dict:
    return hand_record(Experiment(rules, (policy,), 1, SEED), index)


def at(rules: Rules, text: str) -> HandState:
    """What the player of a position knows."""
    return read_position(rules, Situation.parse(text)).first


def test_rollouts_agree_with_the_solver_where_nothing_is_hidden():
    """With two players ``careful`` plays the last stage perfectly, so a rollout is the solution.

    And along the best line, which is as long as the hand, the margin stays the same.
    """
    for index in range(4):
        moment = list(turns(record_of(TWO, index, "random")))[-6].hand
        now = moment.seen_by()
        solution = judge.solve_turn(now, now.all_holdings())
        solved = judge.own_margins(now, solution.points[None])[0]
        for seat, words in solution.line:
            here = moment
            margin = judge.own_margins(here, judge.solve_turn(here, moment.known).points[None]).max()
            assert margin * (1 if here.side == now.side else -1) == pytest.approx(solved.max(), abs=1e-4)
            assert seat == moment.to_play
            moment = moment.play(next(choice for choice in here.legal if here.in_words(choice) == words))
        assert not any(moment.known)
        assert judge.own_margins(now, Problem((now,)).play(0, 3)) == pytest.approx(np.tile(solved, (3, 1)), abs=1e-4)


def likelihoods(rules: Rules, before: list[RecordedTurn]) -> list[np.ndarray]:
    """By seat, the likelihood of each card after these plays of a stage but the last, float64[40], up to a factor."""
    likely = [np.ones(40) for _ in range(rules.players)]
    for turn, following in pairwise(before):
        deed = 2 if situation.is_scopa_play(turn.play) else 1 if situation.captured(turn.play) else 0
        for moment, factors in (
            (turn.hand, FACTORS[rules.players - 2, deed]),
            (following.hand, BEHIND[rules.players - 2]),
        ):
            can_capture, can_sweep = (
                takers(rules, moment.table, part, moment.matta_value)[0] for part in (0, moment.table)
            )
            for card in range(40):
                power = 2 if can_sweep >> card & 1 else 1 if can_capture >> card & 1 else 0
                likely[turn.hand.to_play][card] *= factors[power, int(card % 10 == 0)] if moment.table else 1
    return likely


def test_sampled_deals_have_the_right_probabilities():
    """With one card each the unseen cards lie in six ways, fewer where a seat would have knocked.

    Their probabilities follow from the plays before.
    """
    flat = flat_rules(FOUR)
    narrowed = uneven = 0
    for index in range(6):
        *before, turn, _, _, _ = list(turns(record_of(FOUR, index, "random")))
        now, moment = turn.hand.seen_by(), turn.hand
        likely = likelihoods(FOUR, [*before[-8:], turn])
        seats = [seat for seat in (1, 2, 3) if not now.known[seat]]
        hidden = [card for seat in seats for card in cards.members(moment.known[seat])]
        ways = []
        for order in permutations(hidden):
            held = list(moment.known)
            silent = True
            for seat, card in zip(seats, order, strict=True):
                held[seat] = 1 << card
                played = cards.mask(map(situation.card_of, moment.stage_plays[seat::4]))
                digits = [int(flat.digits[c]) for c in cards.members(played | 1 << card)]
                silent &= flat.sets[(digits[0] * 11 + digits[1]) * 11 + digits[2]] == 0
            if silent:
                ways.append(tuple(held))
        narrowed += len(ways) < len(list(permutations(hidden)))
        means, weights = [], []
        for held in ways:
            weights.append(prod(likely[seat][held[seat].bit_length() - 1] for seat in seats))
            means.append(
                judge.own_margins(now, Problem((replace(now, known=held),), LineUp.parse("greedy")).play(0, 1))[0]
            )
        points = judge.own_margins(now, Problem((now,), GREEDY).play(0, 4000))
        error = points.std(axis=0) / np.sqrt(len(points))
        truth = np.average(means, axis=0, weights=weights)
        assert (np.abs(points.mean(axis=0) - truth) <= 4 * error + 1e-9).all()
        uneven += (np.abs(truth - np.mean(means, axis=0)) > 8 * error).any()
    assert narrowed
    assert uneven


def test_the_same_samples_give_the_same_bytes_for_any_threads(run):
    words = ["advise", *POSITION, "--samples", "300", "--format", "json"]
    single, threaded = run(*words, "--threads", "1"), run(*words, "--threads", "3")
    assert single == threaded
    assert run(*words, "--threads", "2", "--seed", "2")[1] != single[1]
    rows = json.loads(single[1])
    makes = {f"makes_{name}" for name in ("cards", "diamonds", "settebello", "primiera", "grande")}
    assert {row["quantity"] for row in rows} == {"margin", "behind", "sweep_next", *makes}
    assert {row["n"] for row in rows if row["quantity"] == "margin"} == {300}


def test_settebello_and_scopa_on_the_table_are_taken():
    """A play that nobody would miss is the best by far, and said in plain words; a single choice is forced."""
    now = at(TWO, "table: 3d 4d; me: 7d Qs Kc; stage: 2; i am: first")
    best, second, *_ = Problem((now,)).judge(400).ranking
    assert (now.in_words(best.choice), best.sweep) == ("7d takes 3d 4d", 0)
    assert "scopa; into the pile: the settebello, 2 diamonds" in best.reason
    assert second.behind.low > 1
    forced = Problem((at(TWO, "table: 5c 2h Kd 3s; me: Qc; stage: 1; i am: first"),)).judge(16)
    assert (forced.stopped, forced.ranking[0].behind.value) == ("forced", 0)


def test_intervals_of_gaps_allow_for_the_choice_of_the_best():
    """As wide as ``wider`` says; how often they then hold the truth is measured in ``test_coverage.py``."""
    advice = Problem((at(TWO, "table: Jd; me: Qc 2h Ks"),)).judge(16)
    assert advice.wider > 1.1
    best, *others = (advice.choices.index(option.choice) for option in advice.ranking)
    for place, option in zip(others, advice.ranking[1:], strict=True):
        gap = judge.estimate(advice.values[:, best] - advice.values[:, place])
        assert option.behind.high - option.behind.low == pytest.approx(advice.wider * (gap.high - gap.low))


def test_a_score_ranks_by_the_chance_to_win(monkeypatch):
    monkeypatch.setattr(win_chance, "AIMING_HANDS", 3000)
    rules = build("cirulla", players=2, changes={"target": 50})
    now = at(rules, "table: 3d 4d; me: 7d Qs Kc; stage: 3; i am: first")
    table = np.zeros((2, 80, 80))
    table[:, 51:, :] = 1
    points = np.zeros((1, len(now.legal), 5), np.int16)
    points[0, 0, 0], points[0, 1, 4], points[0, 2, 4] = 12, 1, 2  # points, a game won outright, and one lost
    assert judge.win_chances(now.side, points, (39, 0), table, now.side == 0)[0, :3].tolist() == [1, 1, 0]
    by_points = Problem((now,), score=(48, 30), aim="points").judge(200)
    margin = [option.margin.value for option in by_points.ranking]
    assert margin == sorted(margin, reverse=True)
    assert by_points.ranking[1].behind.value == pytest.approx(margin[0] - margin[1])
    with pytest.raises(InputError, match="--aim 'game' requires the score"):
        Problem((now,), aim="game")
    advice = Problem((now,), score=(48, 30)).judge(200)
    wins = [option.wins.value for option in advice.ranking]
    assert wins == sorted(wins, reverse=True)
    assert wins[0] > 0.9


def test_sweep_next_counts_the_cards_that_sweep():
    """A table of 12 is swept by a three: four of the cards unseen, of which the other player holds three."""
    rules = build("cirulla", players=2, changes={"hand_low": 0, "hand_triple": 0, "ace_sweep": False})
    now = at(rules, "table: 2c; me: Qc Js Kd; gone: 6s 6c 4d Kh; stage: 2; i am: first")
    by_text = {now.in_words(choice): judge.sweep_next(now, choice) for choice in now.legal}
    assert by_text["leave Kd"] == 1 - Fraction(comb(28, 3), comb(32, 3))
    assert by_text["leave Qc"] == 1 - Fraction(comb(29, 3), comb(32, 3))  # 11, by a four, of which one is gone


def test_losses_are_corrected_for_all_choices() -> None:
    """Student's test of scipy on the same samples, and Holm; the best choice is not tested."""
    advice = cs.advise(at="table: Ad 5c 7h Kd; me: 7d 2s Jh", samples=64, progress=False)
    behind = advice.frame.filter(quantity="behind")
    best, *others = behind.to_dicts()
    plain = [2 * float(stats.t.sf(row["estimate"] / row["std_error"], row["n"] - 1)) for row in others]
    assert best["p_holm"] is None
    assert [row["p_holm"] for row in others] == pytest.approx(holm(plain))
    assert advice.frame["p_holm"].drop_nulls().len() == len(others)


def test_the_coach_of_a_recorded_hand_lists_the_worst_plays_first(tmp_path, run):
    """As text and as JSON: from the same samples for any number of threads."""
    file = tmp_path / "hands.jsonl"
    file.write_text("\n".join(json.dumps(record_of(TWO, index, "random")) for index in range(2)), "utf-8")
    words = ["show", "--record", file, "--hand", "1", "--coach", "--samples", "60"]
    coached = json.loads(run(*words, "--format", "json", "--threads", "1")[1])
    assert coached == coach.coach_record(record_of(TWO, 1, "random"), 60, execution=Execution(threads=3))
    plays = coached["coach"]["plays"]
    assert [play["play"] for play in plays] == list(range(1, 37))
    assert all(play["loss"] == 0 for play in plays if play["choices"] == 1)
    worst = sorted((play for play in plays if play["clear"]), key=lambda play: -play["loss"])
    assert len(worst) > 2
    text = run(*words)[1]
    listed = [line for line in text[text.index("Thrown away") :].splitlines() if ": better " in line]
    numbers = [(verdict["play"], f"{verdict['loss']:.2f}") for verdict in worst]
    assert [(int(line.split(": better ")[0].split()[-1]), line.split()[0]) for line in listed] == numbers
    assert all(text.count(f"[play {play}, −{loss}]") == 1 for play, loss in numbers)
    for seat in coached["coach"]["seats"]:
        mine = [play["loss"] for play in plays if play["seat"] == seat["seat"]]
        real = [play["loss"] for play in plays if play["seat"] == seat["seat"] and play["choices"] > 1]
        assert (seat["plays"], seat["choices"]) == (len(mine), len(real))
        assert seat["loss"] == pytest.approx(sum(mine), abs=1e-4)
        assert seat["rate"]["loss"] == pytest.approx(np.mean(real), abs=1e-5)
    file.write_text(json.dumps(coached), "utf-8")
    assert "Thrown away" not in run("show", "--record", file)[1]  # what a file says of plays is not believed


def test_losses_do_not_favour_the_best_of_many():
    """Plays of equal worth lose nothing: the best play is estimated from other samples than those that chose it."""
    rng = np.random.default_rng(3)
    lost = [coach.losses(rng.normal(size=(100, 20)), 0).mean() for _ in range(400)]
    assert abs(np.mean(lost)) < 4 * np.std(lost) / 20
    assert np.mean([(m := rng.normal(size=(100, 20))).mean(0).max() - m[:, 0].mean() for _ in range(400)]) > 0.1


@pytest.mark.parametrize("words", ["--samples 50 --policy greedy --seed 3", "--open"])
def test_a_file_holds_every_quantity_and_the_command_that_reproduces_it(words, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a hand.json").write_text(json.dumps(record_of(FOUR, 3)), "utf-8")
    command = ["advise", "--at", "a hand.json#0.30", *words.split()]
    _, out, err = run(*command, "-o", "a.parquet", "--format", "json", "--threads", "2")
    frame, metadata, _ = read_file(tmp_path / "a.parquet")
    assert frame.to_dicts() == [{name: row[name] for name in frame.columns} for row in json.loads(out)]
    assert frame.columns == ["play", *SCHEMA, "p_holm", "reason"]
    exact = words == "--open"
    assert ("Best line: " in err and "to the end of the hand: exact" in err) == exact
    assert (metadata["stopped"], metadata["policies"]) == ((None, []) if exact else ("samples", ["greedy"]))
    assert {metadata["samples"]} == set(frame.filter(quantity="margin")["n"])
    assert exact == (set(frame["std_error"]) == {0.0})
    assert run(*shlex.split(metadata["command"])[1:], "-o", "b.parquet")[0] == 0
    assert read_file(tmp_path / "b.parquet")[0].equals(frame)


def test_who_plays_on_is_not_ignored_where_all_cards_are_known(run, tmp_path, monkeypatch):
    """The line is solved unless a policy is named; ``text`` says the same as the record."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hand.json").write_text(json.dumps(record_of(TWO, 1, "random")), "utf-8")
    text = run("show", "--at", "hand.json#0.34")[1].strip()
    for at in ("hand.json#0.34", text):
        where = ["advise", "--at", at] if at != text else ["advise", "--players", "2", "--at", at]
        _, exact, err = run(*where, "--format", "json")
        assert "everybody plays their best" in err
        assert {row["std_error"] for row in json.loads(exact)} == {0.0}
        _, sampled, err = run(*where, "--format", "json", "--policy", "random", "--samples", 500)
        assert "everybody plays their best" not in err
        assert {row["n"] for row in json.loads(sampled) if row["quantity"] == "margin"} == {500}
        code, _, err = run(*where, "--open", "--policy", "random")
        assert (code, "--policy 'random' cannot be combined with --open" in err) == (2, True)


POSITION = ["--at", "table: Ad 5c 7h Kd; me: 7d 2s Jh"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "--at is missing"),
        (["--at", f"{POSITION[1]}; to play: next"], "advice is on your own play"),
        (["--at", f"{POSITION[1]}; shown me: Kc"], "you do not hold Kc"),
        ([*POSITION, "--open", "--me", "first"], "next: 0 cards are named, and next holds 3"),
        (["--at", "hand.json#0.37"], "play '37' is out of range"),
        (["--at", "hand.json#0.1; table: Ad"], "a record says that itself"),
        (["--at", "hand.json#0.1", "--players", "2"], "--players '2' cannot be combined with a record"),
        (["--at", "illegal.json#0.9"], "play 1, "),
    ],
)
def test_refused_in_one_line(words, reason, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    record = record_of(FOUR, 0)
    (tmp_path / "hand.json").write_text(json.dumps(record), "utf-8")
    record["stages"][0]["plays"][0]["card"] = record["stages"][0]["hands"][1][0]
    (tmp_path / "illegal.json").write_text(json.dumps(record), "utf-8")
    code, out, err = run("advise", *words)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert reason in err


def test_categories_decided_by_the_piles_are_certain() -> None:
    text = "table: 5h 2h; me: Ks Js 6c; captured us: 7d Ad 2d 3d 4d 6d; captured them: Kd Qd Jd 2c"
    frame = cs.advise(at=text, ends=True, players=2, samples=200, progress=False).frame
    chances = {name: set(frame.filter(quantity=f"makes_{name}")["estimate"]) for name in ("settebello", "grande")}
    assert chances == {"settebello": {1}, "grande": {0}}


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        ("2c 3d", "leaves 13, surely swept by 2"),
        ("3d 4s", "leaves 13, which the next player cannot sweep"),
        ("", "leaves 13, swept by A or 2"),
    ],
)
def test_who_sweeps_what_is_left_is_said_of_the_cards_that_the_next_player_can_have(shown: str, words: str) -> None:
    at = "table: 4c 6c; me: 7s Qd 3h" + (f"; shown next: {shown}" if shown else "")
    frame = cs.advise(at=at, players=2, samples=64, progress=False).frame
    assert words in frame.filter(play="leave 3h")["reason"][0]


def test_the_reason_agrees_with_the_chance_that_the_next_player_sweeps() -> None:
    """In every choice of ordinary hands: nobody sweeps at 0, some card does above it, and surely at 1."""
    seen = set()
    for preset, players in (("cirulla", 2), ("cirulla", 4), ("cirullone", 4), ("scopone", 4)):
        experiment = Experiment(build(preset, players), ("greedy",), 1, 7)
        for here in turns(hand_record(experiment, 0)):
            now = here.hand.seen_by()
            for choice in now.legal[:6]:
                chance, words = judge.sweep_next(now, choice), judge.reason(now, choice)
                assert ("surely swept by" in words) == (chance == 1), words
                assert ("swept by" in words) == (chance > 0), words
                assert not words.endswith("swept by "), words
                seen.add(int(chance > 0) + int(chance == 1))
    assert seen >= {0, 1}
