"""Whole games: against the referee game by game, in tables, and with intervals that cover the truth."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from typing import Any

import numpy as np
import polars as pl
import pytest
from playing import play_trials
from referee.game import play_match

import cirulla_sim as cs
from cirulla_sim.engine.chunks import game_row_names
from cirulla_sim.engine.engines import Run
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment, Games
from cirulla_sim.experiments.game_quantities import games_table, victory_points, victory_table
from cirulla_sim.kernel.game.whole_game import HANDS_AT
from cirulla_sim.ruleset.catalogue import catalogue
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.storage.tables import SCHEMA

ENDS = ("score", "cappotto", "deal", "last capture")


def referees(rules: Rules, policies: tuple[str, ...], seed: int, number: int) -> list[dict[str, Any]]:
    """The games of match ``number``, replayed hand by hand from single records."""

    def hand_dealt_by(hand: int, seat: int) -> dict[str, Any]:
        sides = [rules.side((seat + 1 + place) % rules.players) for place in range(rules.sides)]
        seated = tuple(policies[side] for side in sides) if len(policies) > 1 else policies
        return hand_record(Experiment(rules, seated, 1, seed), (number << int(HANDS_AT)) + hand)

    return play_match(asdict(rules), hand_dealt_by)


LOSING_MISDEALS = {"misdeals_lose": 3, "misdeal_count": 1}
ONE_HAND, BREAK_TIES = {"hands_per_game": 1}, {"knockout_tiebreak": True}
SWEEPS_ONLY = {"cards_point": 0, "diamonds_point": 0, "settebello_point": 0, "primiera": "none"}
PLAYED = [
    ({"players": 3}, ("random", "greedy", "random"), 15),
    ({"players": 4, "changes": {"partnership": False}}, ("greedy", "random", "random", "greedy"), 15),
    ({"base": "cirulla-tournament", "changes": {"misdeal_count": 1}}, ("greedy", "random"), 30),
    ({"base": "scopa", "players": 3, "changes": LOSING_MISDEALS}, ("random", "greedy", "greedy"), 40),
    ({"base": "scopa", "changes": ONE_HAND | {"hands_tie": "draw"}}, ("greedy", "random"), 50),
    ({"base": "cirulla-online", "players": 3, "changes": {"hands_per_game": 2}}, ("greedy",), 50),
    ({"base": "cirulla-online", "changes": ONE_HAND | BREAK_TIES}, ("greedy",), 50),
    ({"base": "scopa", "changes": SWEEPS_ONLY | ONE_HAND | BREAK_TIES}, ("greedy",), 200),
    ({"base": "scopa", "changes": {"target": 3} | BREAK_TIES}, ("random",), 80),
    ({"base": "scopa", "players": 3, "changes": {"lowest_wins": True}}, ("random", "greedy", "greedy"), 20),
    ({"base": "cirulla-online", "changes": {"lowest_wins": True} | ONE_HAND | BREAK_TIES}, ("greedy",), 50),
]


def test_games_agree_with_the_referee() -> None:
    """And end in every way, otherwise their agreement would prove little."""
    ways, shared, drawn = set(), 0, 0
    for options, policies, games in PLAYED:
        rules, seed = build(**options), 61  # type: ignore[arg-type]
        _, rows = Games(rules, policies, games, seed).play(0, games, rows=True)
        for number, row in enumerate(rows.tolist()):
            mine = dict(zip(game_row_names(rules), row, strict=True))
            theirs = referees(rules, policies, seed, number)[0]
            won = {side for side in range(rules.sides) if mine["winners"] >> side & 1}
            points = [mine[f"side{side}_points"] for side in range(rules.sides)]
            assert (won, points) == (theirs["winners"], theirs["points"]), options
            for side, categories in enumerate(theirs["categories"]):
                assert {name: mine[f"side{side}_{name}"] for name in categories} == categories, options
            assert ENDS[mine["ended"]] == theirs["ended_by"], options
            for name in ("hands", "lead_changes", "comeback", "margin"):
                assert mine[name] == theirs[name], (options, name)
            ways.add(theirs["ended_by"])
            shared += len(won) > 1
            drawn += not won
    assert ways == set(ENDS)
    assert shared > 0  # misdeals lose to two opponents
    assert drawn > 5


def test_matches_agree_with_the_referee() -> None:
    rules, policies, seed, matches = build("scopa", changes={"best_of": 3}), ("greedy", "random"), 62, 30
    frame = games_table(play_trials(Games(rules, policies, matches, seed)))
    theirs = [referees(rules, policies, seed, number) for number in range(matches)]
    won = [sum(rules.dealer_side in game["winners"] for game in games) * 2 > len(games) for games in theirs]
    hands = [sum(game["hands"] for game in games) for games in theirs]
    assert find(frame, "wins_match", "dealer")["estimate"] == pytest.approx(np.mean(won))
    assert find(frame, "games_match", "all")["estimate"] == pytest.approx(np.mean([len(games) for games in theirs]))
    assert find(frame, "hands_match", "all")["estimate"] == pytest.approx(np.mean(hands))
    assert {len(games) for games in theirs} == {2, 3}


def find(frame: pl.DataFrame, quantity: str, side: str, kind: str | None = None, value: str | None = None) -> Any:
    rows = frame.filter(pl.col("value").is_null() if value is None else pl.col("value") == value)
    rows = rows.filter(quantity=quantity, side=side)
    return (rows.filter(kind=kind) if kind else rows).row(0, named=True)


@pytest.mark.parametrize(("preset", "players"), [("cirulla", 4), ("cirulla-tournament", 3)])
def test_the_table_of_games_agrees_with_their_rows(preset: str, players: int) -> None:
    """Every number is computed again from the rows of the games."""
    rules = build(preset, players=players)
    experiment = Games(rules, ("greedy",), 3000, 63)
    tally, game_rows = experiment.play(0, 3000, rows=True)
    frame = games_table(Run(experiment, tally, 3000, "games"))
    assert dict(frame.schema) == SCHEMA
    rows = dict(zip(game_row_names(rules), game_rows.T.astype(float), strict=True))
    points = np.array([rows[f"side{side}_points"] for side in range(rules.sides)])
    won = np.array([game_rows[:, 2] >> side & 1 for side in range(rules.sides)])
    others, by_score = points[:-1].mean(axis=0), rows["ended"] == 0
    numbers_of = {
        ("wins_game", "dealer", "probability"): won[-1],
        ("wins_game", "others", "probability"): won[:-1].mean(axis=0),
        ("hands", "all", "mean"): rows["hands"],
        ("lead_changes", "all", "mean"): rows["lead_changes"],
        ("comeback", "all", "probability"): rows["comeback"] > 0,
        ("comeback", "all", "mean"): rows["comeback"],
        ("points", "dealer", "mean"): points[-1],
        ("points", "others", "mean"): others,
        ("margin", "dealer", "mean"): points[-1] - others,
        ("winning_margin", "all", "mean"): rows["margin"][by_score],
    }
    if rules.sides == 2:
        lowest = victory_table(rules)
        assert lowest is not None
        of_winner = [10 + len(lowest) - 1 if e else victory_points(lowest, m) for e, m in game_rows[:, [1, 5]].tolist()]
        numbers_of["victory_points", "dealer", "mean"] = np.where(won[-1], of_winner, 20 - np.array(of_winner))
        margins = np.where(game_rows[:, 1] > 0, lowest[-1], game_rows[:, 5]) * np.where(won[-1], 1, -1)
        numbers_of["match_points", "dealer", "mean"] = margins
        assert find(frame, "match_points", "others")["estimate"] == pytest.approx(-margins.mean())
    for (quantity, side, kind), numbers in numbers_of.items():
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


def test_a_draw_has_no_winner_and_ten_victory_points_for_both() -> None:
    """002's first row of victory points is for a margin of 0; elsewhere such a tie is played on."""
    rules = build("cirulla-online", players=2, changes={"hands_per_game": 1})
    experiment = Games(rules, ("greedy",), 3000, 67)
    tally, rows = experiment.play(0, 3000, rows=True)
    frame, drawn = games_table(Run(experiment, tally, 3000, "games")), rows[:, 2] == 0
    assert 0.03 < drawn.mean() < 0.1
    assert (rows[:, game_row_names(rules).index("games_played")] == 1).all()  # a drawn game is not played again
    assert (drawn == ((rows[:, 1] == 0) & (rows[:, 5] == 0))).all()
    assert find(frame, "ties_game", "all")["estimate"] == drawn.mean()
    assert find(frame, "winning_margin", "all")["n"] == (rows[~drawn, 1] == 0).sum()
    assert find(frame, "victory_points_distribution", "dealer", value="10")["estimate"] == drawn.mean()


def test_victory_points_are_the_table_of_the_source() -> None:
    """002: the margins of each row, except the two misprints of the table (24 of 31, 22 of 51)."""
    source = {7: {15: (5, 6), 16: (7, 8)}, 11: {13: (5, 6), 17: (13, 14)}, 21: {14: (8, 9), 18: (18, 20)},
              31: {12: (4, 6), 17: (19, 21)}, 41: {13: (8, 10), 19: (26, 29)},
              51: {14: (12, 15), 18: (26, 28)}}  # fmt: skip
    for target, rows in source.items():
        lowest = victory_table(build(changes={"target": target}))
        assert lowest is not None
        for points, (first, last) in rows.items():
            at = [victory_points(lowest, margin) for margin in (first - 1, first, last, last + 1)]
            assert at == [points - 1, points, points, points + 1]
    assert [len(lowest) for lowest in catalogue()["victory_points"]["lowest"]] == [8, 9, 10, 11, 11, 11]
    assert victory_table(build(changes={"target": 75})) is victory_table(build(players=3)) is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--at 'score: 51-3'", "--at: score '51-3' is not a score of an unfinished game to 51 (valid: from 0 to 50)"),
        ("--at 'score: 3-4-5'", "names 3 sides (valid: a score for each of the 2 sides)"),
        ("--at 'score: 3-4' --policy dealer=careful,others=greedy", "your seat is not given, and either side deals"),
    ],
)
def test_invalid_input_is_refused_in_one_line(words: str, message: str, run: Any) -> None:
    code, out, err = run("games", *shlex.split(words))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_chances_from_a_score_use_the_chain() -> None:
    asked: dict[str, Any] = {"policy": "greedy", "at": "score: 38-41; i am: first", "progress": False}
    with pytest.raises(cs.InputError, match=r"--games '50' cannot be combined with a score in --at \(leave it out"):
        cs.games(**asked, games=50)
    with pytest.raises(cs.InputError, match=r'the chain of scores is for two sides .*odds "wins_game\(us\)"'):
        cs.games(at="score: 20-35-5", players=3)


@pytest.mark.parametrize(("me", "points"), [("first", (20, 35, 5)), ("second", (5, 20, 35)), ("dealer", (35, 5, 20))])
def test_the_score_of_three_sides_is_ours_first_whoever_deals(me: str, points: tuple[int, ...]) -> None:
    """Then that of the next to play; ``points`` are those of the sides in their order, the dealer's last."""
    sides = {"first": 0, "second": 1, "dealer": 2}
    policies = [""] * 3
    for place, name in enumerate(("greedy", "random", "careful")):
        policies[(sides[me] + place) % 3] = name
    games = Games(build(players=3), tuple(policies), 300, 1, points)
    winners = games.play(0, 300, rows=True)[1][:, 2]
    line_up = "me=greedy, next=random, previous=careful"
    asked: dict[str, Any] = {"at": "score: 20-35-5", "me": me, "players": 3, "policy": line_up, "hands": 300}
    result = cs.odds("wins_game(us)", **asked, progress=False)
    assert result.frame["estimate"].item() == (winners >> sides[me] & 1).mean()


@pytest.mark.parametrize(("question", "ours_is_stronger"), [
    ({"policy": "dealer=careful, others=random", "games": 100}, True),
    ({"at": "score: 20-20", "policy": "us=careful, them=random", "hands": 1000, "me": None}, True),
    ({"at": "score: 20-20", "policy": "us=random, them=careful", "hands": 1000, "me": "first"}, False),
    ({"at": "score: 20-20", "policy": "dealer=careful, others=random", "hands": 1000, "me": "first"}, False),
    pytest.param({"win_table": True, "hands": 1000, "policy": "us=careful, them=random"}, True, marks=pytest.mark.slow),
])  # fmt: skip
def test_the_stronger_side_wins_more(question: dict[str, Any], ours_is_stronger: bool) -> None:
    """Whatever it is called by, the numbers of a side are those of its policy."""
    frame = cs.games(**question, progress=False).frame
    side = "us" if {"at", "win_table"} & set(question) else "dealer"
    rows = frame.filter(quantity="wins_game", side=side, kind="probability")
    if "win_table" in question:
        rows = rows.filter(us=0, them=0, dealer="us")
    assert rows["estimate"][0] > 0.6 if ours_is_stronger else rows["estimate"][0] < 0.4


def test_where_nobody_says_who_deals_the_chance_is_the_mean() -> None:
    options = {"players": 2, "policy": "greedy", "hands": "10k", "at": "score: 45-45", "progress": False}
    ours, theirs, either = (cs.games(me=me, **options).frame["estimate"][0] for me in ("dealer", "first", None))
    assert abs(ours - theirs) > 0.01
    assert either == pytest.approx((ours + theirs) / 2)
