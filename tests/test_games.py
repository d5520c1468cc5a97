"""Whole games: against the referee game by game, in tables, and with intervals that cover the truth."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from intervals import RUNS, check_intervals
from referee import play_match

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.chunks import game_row_names
from cirulla_sim.engine.engines import Engine, Run, carry_out
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment, Games
from cirulla_sim.experiments.game_quantities import played, victory_points, victory_table
from cirulla_sim.kernel.game.flat import flatten_game
from cirulla_sim.kernel.game.whole_game import HANDS_AT
from cirulla_sim.ruleset.catalogue import catalogue
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.storage.request import Request
from cirulla_sim.storage.tables import SCHEMA, read
from cirulla_sim.verbs.games import job_of

ENDS = ("score", "cappotto", "deal", "last capture")


def referees(rules: Rules, policies: tuple[str, ...], seed: int, number: int) -> list[dict[str, Any]]:
    """The games of match ``number``, replayed hand by hand from single records."""
    data = asdict(rules)

    def hand_dealt_by(hand: int, seat: int) -> dict[str, Any]:
        sides = [rules.side((seat + 1 + place) % rules.players) for place in range(rules.sides)]
        seated = tuple(policies[side] for side in sides) if len(policies) > 1 else policies
        return hand_record(Experiment(rules, seated, 1, seed), (number << int(HANDS_AT)) + hand)

    return play_match(data, hand_dealt_by)


LOSING_MISDEALS = {"misdeals_lose": 3, "misdeal_count": 1}
DRAWN = {"hands_per_game": 1, "hands_tie": "draw"}
SWEEPS_ONLY = {"cards_point": 0, "diamonds_point": 0, "settebello_point": 0, "primiera": "none"}
PLAYED = [
    ({}, ("random",), 60),
    ({"players": 3}, ("random", "greedy", "random"), 30),
    ({"players": 2}, ("greedy", "random"), 40),
    ({"players": 4, "changes": {"partnership": False}}, ("greedy", "random", "random", "greedy"), 30),
    ({"base": "cirulla-tournament", "changes": {"misdeal_count": 1}}, ("greedy", "random"), 60),
    ({"base": "cirullone"}, ("greedy", "random"), 30),
    ({"base": "scopa"}, ("greedy", "random"), 60),
    ({"base": "scopa", "players": 3}, ("greedy", "random", "random"), 40),
    ({"base": "scopa", "changes": LOSING_MISDEALS}, ("random", "greedy"), 60),
    ({"base": "scopa", "players": 3, "changes": LOSING_MISDEALS}, ("random", "greedy", "greedy"), 60),
    ({"changes": {"hands_per_game": 2}}, ("greedy",), 40),
    ({"base": "scopa", "changes": DRAWN}, ("greedy", "random"), 100),
    ({"base": "cirulla-online", "changes": {"hands_per_game": 1}}, ("greedy",), 100),
    ({"base": "cirulla-online", "players": 3, "changes": {"hands_per_game": 2}}, ("greedy",), 100),
    ({"base": "cirulla-online", "changes": {"hands_per_game": 1, "knockout_tiebreak": True}}, ("greedy",), 100),
    ({"base": "scopa", "changes": SWEEPS_ONLY | {"hands_per_game": 1, "knockout_tiebreak": True}}, ("greedy",), 400),
    ({"base": "scopa", "changes": {"target": 3, "knockout_tiebreak": True}}, ("random",), 200),
]


@pytest.mark.parametrize(("options", "policies", "games"), PLAYED)
def test_games_agree_with_the_referee(options: dict[str, Any], policies: tuple[str, ...], games: int) -> None:
    rules, seed = build(**options), 61
    _, rows = Games(rules, policies, games, seed).play(0, games, rows=True)
    for number, row in enumerate(rows.tolist()):
        mine = dict(zip(game_row_names(rules), row, strict=True))
        theirs = referees(rules, policies, seed, number)[0]
        assert mine["hands"] == theirs["hands"]
        assert ENDS[mine["ended"]] == theirs["ended_by"]
        assert {side for side in range(rules.sides) if mine["winners"] >> side & 1} == theirs["winners"]
        assert [mine[f"side{side}_points"] for side in range(rules.sides)] == theirs["points"]
        for name in ("lead_changes", "comeback", "margin"):
            assert mine[name] == theirs[name], name


def test_the_games_of_the_comparison_end_in_every_way() -> None:
    """Otherwise their agreement would prove little."""
    ways, shared, drawn = set(), 0, 0
    for options, policies, games in PLAYED:
        _, rows = Games(build(**options), policies, games, 61).play(0, games, rows=True)
        ways |= set(rows[:, 1].tolist())
        shared += int((np.bitwise_count(rows[:, 2]) > 1).sum())
        drawn += int((rows[:, 2] == 0).sum())
    assert ways == {0, 1, 2, 3}
    assert shared > 0  # misdeals lose to two opponents
    assert drawn > 5


@pytest.mark.parametrize("preset", ["cirulla", "scopa"])
def test_matches_agree_with_the_referee(preset: str) -> None:
    rules, policies, seed, matches = build(preset, changes={"best_of": 3}), ("greedy", "random"), 62, 30
    frame = played(carry_out(Games(rules, policies, matches, seed)))
    theirs = [referees(rules, policies, seed, number) for number in range(matches)]
    won = [sum(rules.dealer_side in game["winners"] for game in games) * 2 > len(games) for games in theirs]
    assert find(frame, "wins_match", "dealer")["estimate"] == pytest.approx(np.mean(won))
    assert find(frame, "games_match", "all")["estimate"] == pytest.approx(np.mean([len(games) for games in theirs]))
    hands = [sum(game["hands"] for game in games) for games in theirs]
    assert find(frame, "hands_match", "all")["estimate"] == pytest.approx(np.mean(hands))
    assert {len(games) for games in theirs} == {2, 3}


# ---------------------------------------------------------------- tables


def find(frame: pl.DataFrame, quantity: str, side: str, kind: str | None = None, value: str | None = None) -> Any:
    rows = frame.filter(pl.col("value").is_null() if value is None else pl.col("value") == value)
    rows = rows.filter(quantity=quantity, side=side)
    return (rows.filter(kind=kind) if kind else rows).row(0, named=True)


@pytest.mark.parametrize(("preset", "players"), [("cirulla", 4), ("cirulla-tournament", 3), ("scopa", 2)])
def test_the_table_of_games_agrees_with_their_rows(preset: str, players: int) -> None:
    """Every number is computed again from the rows of the games."""
    rules = build(preset, players=players)
    experiment = Games(rules, ("greedy",), 3000, 63)
    tally, game_rows = experiment.play(0, 3000, rows=True)
    frame = played(Run(experiment, tally, 3000, "games"))
    assert dict(frame.schema) == SCHEMA
    rows = dict(zip(game_row_names(rules), game_rows.T.astype(float), strict=True))
    points = np.array([rows[f"side{side}_points"] for side in range(rules.sides)])
    won = np.array([game_rows[:, 2] >> side & 1 for side in range(rules.sides)])
    others, by_score = points[:-1].mean(axis=0), rows["ended"] == 0
    for quantity, side, kind, numbers in [
        ("wins_game", "dealer", "probability", won[-1]),
        ("wins_game", "others", "probability", won[:-1].mean(axis=0)),
        ("hands", "all", "mean", rows["hands"]),
        ("lead_changes", "all", "mean", rows["lead_changes"]),
        ("comeback", "all", "probability", rows["comeback"] > 0),
        ("comeback", "all", "mean", rows["comeback"]),
        ("points", "dealer", "mean", points[-1]),
        ("points", "others", "mean", others),
        ("margin", "dealer", "mean", points[-1] - others),
        ("winning_margin", "all", "mean", rows["margin"][by_score]),
    ]:
        row = find(frame, quantity, side, kind)
        assert row["estimate"] == pytest.approx(numbers.mean()), quantity
        freedom = 0 if kind == "probability" and side != "others" else 1
        assert row["std_error"] == pytest.approx(numbers.std(ddof=freedom) / len(numbers) ** 0.5, rel=1e-3), quantity
    assert find(frame, "comeback", "all", "maximum")["estimate"] == rows["comeback"].max()
    for name in ("hands", "lead_changes", "comeback"):
        for value, count in zip(*np.unique(rows[name], return_counts=True), strict=True):
            assert find(frame, f"{name}_distribution", "all", value=f"{value:g}")["estimate"] == count / 3000
    if rules.all_diamonds == "wins":
        assert find(frame, "cappotto", "all")["estimate"] == (rows["ended"] == 1).mean()
    if rules.sides == 2:
        lowest = victory_table(rules)
        assert lowest is not None
        of_winner = [10 + len(lowest) - 1 if e else victory_points(lowest, m) for e, m in game_rows[:, [1, 5]].tolist()]
        of_dealer = np.where(won[-1], of_winner, 20 - np.array(of_winner))
        row = find(frame, "victory_points", "dealer")
        assert row["estimate"] == pytest.approx(of_dealer.mean())
        assert row["std_error"] == pytest.approx(of_dealer.std(ddof=1) / 3000**0.5)
        margins = np.where(game_rows[:, 1] > 0, lowest[-1], game_rows[:, 5]) * np.where(won[-1], 1, -1)
        row = find(frame, "match_points", "dealer")
        assert (row["estimate"], find(frame, "match_points", "others")["estimate"]) == pytest.approx(
            (margins.mean(), -margins.mean())
        )
        assert row["std_error"] == pytest.approx(margins.std(ddof=1) / 3000**0.5)


def test_a_draw_has_no_winner_and_ten_victory_points_for_both() -> None:
    """002's first row of victory points is for a margin of 0; elsewhere such a tie is played on."""
    rules = build("cirulla-online", players=2, changes={"hands_per_game": 1})
    experiment = Games(rules, ("greedy",), 3000, 67)
    tally, rows = experiment.play(0, 3000, rows=True)
    frame = played(Run(experiment, tally, 3000, "games"))
    drawn = rows[:, 2] == 0
    assert 0.03 < drawn.mean() < 0.1
    assert (drawn == ((rows[:, 1] == 0) & (rows[:, 5] == 0))).all()
    tied = find(frame, "ties_game", "all")["estimate"]
    assert tied == drawn.mean()
    assert sum(find(frame, "wins_game", side)["estimate"] for side in ("dealer", "others")) == pytest.approx(1 - tied)
    assert find(frame, "winning_margin", "all")["n"] == (rows[~drawn, 1] == 0).sum()
    lowest = victory_table(rules)
    assert lowest is not None
    for side in ("dealer", "others"):  # in games of one hand a margin of 1 is the next row
        assert find(frame, "victory_points_distribution", side, value="10")["estimate"] == tied
    plain = rules.__class__(**{**asdict(rules), "hands_tie": "another"})
    _, others = Games(plain, ("greedy",), 3000, 67).play(0, 3000, rows=True)
    assert (others[~drawn] == rows[~drawn]).all()
    assert (others[drawn, 0] > 1).all()
    assert (others[:, 2] > 0).all()


def test_a_match_needs_games_that_are_won() -> None:
    changes = {"hands_per_game": 2, "best_of": 3}
    with pytest.raises(InputError, match="hands_tie 'draw': a match of up to 3 games needs a winner of each"):
        Games(build("cirulla-online", changes=changes), ("greedy",)).check()
    Games(build(changes=changes), ("greedy",)).check()
    Games(build("cirulla-online", changes={"best_of": 3}), ("greedy",)).check()


def test_victory_points_are_the_table_of_the_source() -> None:
    """002: the margins of each row, except the two misprints of the table (24 of 31, 22 of 51)."""
    source = {7: {15: (5, 6), 16: (7, 8)}, 11: {13: (5, 6), 17: (13, 14)}, 21: {14: (8, 9), 18: (18, 20)},
              31: {12: (4, 6), 17: (19, 21)}, 41: {13: (8, 10), 19: (26, 29)},
              51: {14: (12, 15), 18: (26, 28)}}  # fmt: skip
    for target, rows in source.items():
        lowest = victory_table(build(changes={"target": target}))
        assert lowest is not None
        assert list(lowest) == sorted(set(lowest))
        for points, (first, last) in rows.items():
            for margin in (first, last):
                assert victory_points(lowest, margin) == points
            assert victory_points(lowest, first - 1) == points - 1
            assert victory_points(lowest, last + 1) == points + 1
    assert [len(lowest) for lowest in catalogue()["victory_points"]["lowest"]] == [8, 9, 10, 11, 11, 11]
    assert victory_table(build(changes={"hands_per_game": 6})) == victory_table(build())
    assert victory_table(build(changes={"target": 75})) is None
    assert victory_table(build(players=3)) is None


def test_the_same_bytes_for_any_threads_and_chunks_and_when_resumed(tmp_path: Path) -> None:
    experiment = Games(build(), ("random",), 3000, 64)
    whole, _ = experiment.play(0, 3000)
    for threads, chunk in ((1, 700), (2, 999)):
        assert (carry_out(experiment, Engine(threads=threads, chunk=chunk)).tally == whole).all()
    files = [tmp_path / f"{name}.parquet" for name in ("one", "part", "two")]
    question: dict[str, Any] = {"policy": "random", "seed": 64, "progress": False}
    cs.games(**question, games=3000, output=files[0])
    cs.games(**question, games=1234, output=files[1])
    cs.games(**question, games=3000, output=files[2], resume=files[1])
    assert files[0].read_bytes() == files[2].read_bytes()
    metadata = read(files[0])[1]
    assert metadata["command"] == "cirulla-sim games --rules cirulla --players 4 --policy random --games 3000 --seed 64"
    assert (metadata["games"], metadata["stopped"], metadata["schema"]) == (3000, "games", "games/2")


def test_intervals_cover_the_truth() -> None:
    """Short games; the truth is the mean of all runs of 200 games."""
    games, runs = 200, RUNS
    experiment = Games(build("scopa", changes={"target": 7}), ("random",), games, 65)
    names = [("wins_game", "dealer"), ("hands", "all"), ("lead_changes", "all"), ("margin", "dealer"),
             ("winning_margin", "all"), ("victory_points", "dealer")]  # fmt: skip
    frames = [
        played(Run(experiment, experiment.play(run * games, games)[0], games, "games")).filter(
            pl.col("value").is_null()
        )
        for run in range(runs)
    ]
    every = pl.concat(frames)
    for quantity, side in names:
        rows = every.filter(quantity=quantity, side=side)
        truth = float((rows["estimate"] * rows["n"]).sum() / rows["n"].sum())
        check_intervals(rows.to_dicts(), truth, quantity)


def test_games_that_never_end_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """No rules of the catalogue are known to do so; a target beyond all hands shows what would happen."""
    rules = build(changes={"all_diamonds": "none"})
    endless = flatten_game(rules)._replace(target=np.uint64(10**9))
    monkeypatch.setattr("cirulla_sim.kernel.game.flat.flatten_game", lambda rules: endless)
    with pytest.raises(InputError, match="game 5 of seed 1 has not ended after 65_536 hands"):
        Games(rules, ("random",)).play(5, 2)


# ---------------------------------------------------------------- the command line


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def carried(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(["games", *words])
        out, err = capsys.readouterr()
        return int(str(end.value.code)), out, err

    return carried


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--at 'score: 51-3'", "--at: score '51-3' is not a score of an unfinished game to 51 (valid: from 0 to 50)"),
        ("--at 'score: 60-60'", "score '60-60'"),
        ("--at 'score: 3'", "--at: score: '3' is not valid (valid: a number for each side, ours first, as 38-41)"),
        ("--at 'score: 3--4'", "--at: score: '3--4' is not valid"),
        ("--at 'score: 3-4-5'", "names 3 sides (valid: a score for each of the 2 sides)"),
        (
            "--at 'score: 3-4' --rule hands_per_game=3",
            "which of the 3 hands is next?",
        ),
        ("--at 'score: 3-4' --me hem", "--me: unknown seat 'hem'"),
        ("--at 'score: 3-4-5; i am: third' --players 3", "--at: i am: nobody is 'third' with 3 players"),
        ("--at 'score: 3-4; table: Jd 4c; to play: me'", "is a position in mid-hand"),
        ("--at 'score: 3-4' --resume x", "x: there is no such file"),
        (
            "--at 'score: 3-4' --games 5",
            "--games '5' cannot be combined with a score in --at (valid: --check, --hands, --first-hand)",
        ),
        (
            "--at 'score: 3-4' --first-game 5",
            "--first-game '5' cannot be combined with a score in --at (valid: --check",
        ),
        ("--at 'score: 3-4' --aim game", "--aim 'game' cannot be combined with a score in --at"),
        (
            "--at 'score: 3-4-5' --players 3 --hands 5",
            "--hands '5' cannot be combined with a score in --at, where games are played out: the chain of scores is "
            "for two",
        ),
        (
            "--at 'score: 3-4' --rule knockout_tiebreak=true --check 5",
            "no knock-out (valid: --games, --first-game)",
        ),
        ("--at 'score: 3-4' --first-hand 5 --check 5", "--first-hand '5' cannot be used with --check (leave one out)"),
        ("--at 'score: 3-4' --first-hand 1T", "--first-hand '1T' is not a number"),
        (
            "--at 'score: 3-4' --first-hand 1000000000000",
            "first '1000000000000' is not valid (valid: 0 to 999_999_000_000",
        ),
        (
            "--first-hand 5",
            "--first-hand '5' requires a score in --at or --win-table (add it, or leave --first-hand out)",
        ),
        ("--win-table -o x --first-game 5", "--first-game '5' cannot be combined with --win-table (valid: --hands"),
        ("--at 'score: 3-4' --save-every 0", "--save-every '0' is not valid"),
        ("--at 'score: 3-4' -o nowhere/x", "the folder 'nowhere' does not exist"),
        ("--at 'score: 3-4' --win-table -o x", "--win-table cannot be combined with a score in --at"),
        ("--me first --win-table -o x", "--win-table is of either dealer: 'i am: first' cannot be combined with it"),
        ("--hands 5", "--hands '5' requires a score in --at or --win-table"),
        ("--win-table", "--win-table requires a file to write to"),
        ("--win-table -o x --players 3", "the chain of scores is for two sides, and there are 3"),
        ("--win-table -o x --rule knockout_tiebreak=true", "knockout_tiebreak 'true'"),
        ("--win-table -o x --only hands", "--only 'hands' cannot be combined with --win-table"),
        ("--win-table -o x --policy careful --policy greedy", "one line-up is enough for --win-table"),
        ("--at 'score: 3-4' --policy careful,greedy", "did you mean 'us=careful, them=greedy'?"),
        (
            "--at 'score: 3-4' --policy dealer=careful,others=greedy",
            "your seat is not given, and either side deals (valid: us=..., them=...)",
        ),
        (
            "--at 'score: 3-4-5' --players 3 --policy careful,greedy,random",
            "'me=careful, next=greedy, previous=random'?",
        ),
        ("--policy careful,greedy", "did you mean 'others=careful, dealer=greedy'?"),
        ("--win-table -o nowhere/x", "the folder 'nowhere' does not exist"),
        ("--rule target=0", "target '0' is not valid (valid: 1 to 1000)"),
        ("--games 0", "--games '0' is out of range"),
        ("--games many", "--games 'many' is not a number"),
        ("--policy gredy", "unknown policy 'gredy': did you mean 'greedy'?"),
        ("--rule best_of=3 --players 3", "best_of '3' is for two sides, and there are 3 (valid: 1)"),
        ("--only hand", "unknown quantity 'hand': did you mean 'hands'?"),
    ],
)
def test_invalid_input_is_refused_in_one_line(
    words: str, message: str, run: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*shlex.split(words))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err
    assert list(tmp_path.iterdir()) == []


def test_chances_from_a_score_use_the_chain_and_are_checked_by_games(run: Any) -> None:
    words = ["--policy", "greedy", "--at", "score: 38-41; i am: first", "--hands", "40K", "--check", "20K",
             "--format", "json"]  # fmt: skip
    code, out, err = run(*words)
    chain, by_games, apart = json.loads(out)
    assert code == 0
    assert [row["method"] for row in (chain, by_games, apart)] == ["chain", "played out", "chain less played out"]
    assert apart["estimate"] == pytest.approx(chain["estimate"] - by_games["estimate"])
    assert abs(apart["estimate"]) < 3 * apart["std_error"]
    assert f"{abs(apart['estimate']) / apart['std_error']:.2f} standard errors apart" in err
    assert run(*words, "--threads", "1") == (code, out, err)


def test_chances_from_a_score_of_three_sides_use_games(run: Any) -> None:
    """The first score is ours, whoever deals: near the end the side that leads wins most."""
    chances, dealers = [], []
    for at in ("45-10-10; i am: dealer", "10-45-10; i am: first", "10-10-45; i am: second", "45-10-10"):
        code, out, err = run("--players", "3", "--at", f"score: {at}", "--games", "2K", "--format", "json")
        assert code == 0, err
        chances.append(json.loads(out)[0]["estimate"])
        dealers.append(json.loads(out)[0]["dealer"])
    assert dealers == ["us", "previous", "next", "any"]
    assert min(chances[0], chances[3]) > 0.9
    assert max(chances[1:3]) < 0.1


def test_who_deals_matters_to_a_score_and_unsaid_it_is_anybody() -> None:
    options = {"players": 2, "policy": "greedy", "hands": "20k", "at": "score: 45-45", "progress": False}
    dealing, not_dealing, either = (
        cs.games(me=me, **options).frame.row(0, named=True) for me in ("dealer", "first", None)
    )
    assert [row["dealer"] for row in (dealing, not_dealing, either)] == ["us", "them", "any"]
    assert abs(dealing["estimate"] - not_dealing["estimate"]) > 0.01
    assert either["estimate"] == pytest.approx((dealing["estimate"] + not_dealing["estimate"]) / 2)


def test_the_dealer_can_be_named_where_the_first_dealer_is_known(run: Any, tmp_path: Path) -> None:
    """From one score the dealer's policy is ours or theirs; in a win table either side deals."""
    for me, line_up in (("dealer", "dealer=greedy, others=random"), ("first", "dealer=random, others=greedy")):
        names = [line_up, "us=greedy, them=random"]
        files = [tmp_path / f"{me}{number}.parquet" for number in range(2)]
        for policy, file in zip(names, files, strict=True):
            cs.games(policy=policy, at="score: 038-41", me=me, players=2, hands=200, output=file, progress=False)
        assert files[0].read_bytes() == files[1].read_bytes()
        metadata = read(files[0])[1]
        assert metadata["policies"] == ["us=greedy, them=random"]
        assert metadata["request"]["situation"] == {"at": f"i am: {me}; score: 38-41"}
    code, _, err = run("--win-table", "-o", str(tmp_path / "x.parquet"), "--policy", "dealer=greedy, others=random")
    assert (code, "either side deals (valid: us=..., them=...)" in err) == (2, True)


QUESTIONS: list[dict[str, Any]] = [
    {"policy": ["greedy", "random"], "games": 30, "aim": "game"},
    {"policy": "greedy", "at": "score: 30-20; me: 7h", "hands": 300, "check": 50},
    {
        "policy": "me=greedy, next=random, previous=careful",
        "at": "score: 3-4-5",
        "games": 30,
        "players": 3,
        "me": "second",
    },
    {"policy": "me=greedy, next=random, previous=careful", "at": "score: 3-4-5", "games": 30, "players": 3},
    {"policy": "us=greedy, them=random", "win_table": True, "hands": 300, "first_hand": 10},
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_file_is_reproduced_from_its_request_and_its_command(
    question: dict[str, Any], run: Any, tmp_path: Path
) -> None:
    file, again = tmp_path / "x.parquet", tmp_path / "y.parquet"
    result = cs.games(**question, output=file, progress=False)
    request = Request.from_json(read(file)[1]["request"])
    job = job_of(request)
    assert (job.request.as_json(), job.schema) == (result.metadata["request"], result.metadata["schema"])
    assert job.fingerprint == result.metadata["fingerprint"]
    run(*shlex.split(result.command)[2:], "-o", str(again))
    assert again.read_bytes() == file.read_bytes()


# ---------------------------------------------------------------- who is called what


def wins(**question: Any) -> tuple[cs.Result, float]:
    """A result, and the share of games that the first side in it wins."""
    result = cs.games(**question, progress=False)
    side = "us" if {"at", "win_table"} & set(question) else "dealer"
    rows = result.frame.filter(quantity="wins_game", side=side, kind="probability")
    if "win_table" in question:
        rows = rows.filter(us=0, them=0, dealer="us")
    return result, rows["estimate"][0]


FROM_US = {"at": "score: 20-20", "hands": 1000, "me": "dealer"}
STRONGER: list[tuple[dict[str, Any], str, str]] = [
    ({"policy": "dealer=careful, others=random", "games": 100}, "dealer’s side", "careful"),
    ({"policy": "dealer=random, others=careful", "games": 100}, "other side", "careful"),
    ({**FROM_US, "policy": "us=careful, them=random"}, "we", "careful"),
    ({**FROM_US, "policy": "us=careful, them=random", "me": "first"}, "we", "careful"),
    ({**FROM_US, "policy": "us=careful, them=random", "me": None}, "we", "careful"),
    ({**FROM_US, "policy": "us=random, them=careful"}, "they", "careful"),
    ({**FROM_US, "policy": "dealer=careful, others=random"}, "we", "careful"),
    ({**FROM_US, "policy": "dealer=careful, others=random", "me": "first"}, "they", "careful"),
    ({**FROM_US, "policy": "others=careful, dealer=random", "me": "third"}, "we", "careful"),
    ({"at": "score: 9-9-9", "players": 3, "games": 200, "policy": "us=careful, them=random"}, "we", "careful"),
    ({"at": "score: 9-9-9", "players": 3, "games": 200, "policy": "us=random, them=careful", "me": "first"}, "they",
     "careful"),
    ({"win_table": True, "hands": 1000, "policy": "us=careful, them=random"}, "we", "careful"),
    ({"win_table": True, "hands": 1000, "policy": "us=random, them=careful"}, "they", "careful"),
]  # fmt: skip
IN_ITALIAN = {
    "we": "(we|noi)", "they": "(they|loro)", "dealer’s side": "(coppia del mazziere)", "other side": "(altra coppia)",
    "careful": "accorto",
}  # fmt: skip


@pytest.mark.parametrize(("question", "side", "policy"), STRONGER)
def test_every_output_names_the_stronger_side(question: dict[str, Any], side: str, policy: str) -> None:
    result, chance = wins(**question)
    ours = side in ("we", "dealer’s side")
    assert chance > 0.6 if ours else chance < 0.4 if "players" not in question else chance < 0.2
    line_up = LineUp.from_json(result.metadata["request"]["line_ups"][0]).as_json()
    first, second = ("dealer", "others") if "dealer’s" in side or "other" in side else ("us", "them")
    assert line_up[first if ours else second] == policy
    italian = rf"{IN_ITALIAN[side]}(:| \() ?gioco {IN_ITALIAN[policy]}"
    for form in ("table", "csv", "markdown", "html", "latex"):
        assert re.search(f"{side} {policy}", result.text(form), re.IGNORECASE), form
        assert re.search(italian, result.text(form, lang="it"), re.IGNORECASE), form
    assert re.search(f"{side} {policy}", result.describe(), re.IGNORECASE)
    assert re.search(italian, result.describe("it"), re.IGNORECASE)
    assert f"={policy}" in result.method[0]


def test_line_ups_side_by_side_are_named_by_the_first_dealer() -> None:
    line_ups = ["dealer=careful, others=random", "dealer=random, others=careful"]
    result = cs.games(policy=line_ups, games=100, progress=False)
    rows = result.frame.filter(quantity="wins_game", side="dealer", kind="probability")
    assert rows["policy"].to_list() == line_ups
    assert rows["estimate"][0] > 0.7 > 0.3 > rows["estimate"][1]
    header = result.text("csv").splitlines()[0]
    assert header.index("dealer careful, others random") < header.index("dealer random, others careful")
    assert "dealer careful, others random 9" in result.describe()


# ---------------------------------------------------------------- figures


def test_the_chances_of_every_score_are_written(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "chances.parquet"
    code, _, err = run("--win-table", "-o", str(path), "--rules", "scopa", "--hands", "3K")
    assert (code, err) == (0, f"Written: {path}\n")
    frame, _ = read(path)
    assert frame.height == 2 * 11 * 11
