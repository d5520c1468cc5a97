"""Rule files of a club: written with comments, read by every verb, explained, and their mistakes named by line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

import cirulla_sim as cs
from cirulla_sim.cli import app
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.ruleset.catalogue import catalogue, preset_names
from cirulla_sim.ruleset.doubts import DOUBTS, TABLE_BONUSES
from cirulla_sim.ruleset.how_to_play import ORDER
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import FIELDS, Rules


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, answers: str = "") -> str:
    result = CliRunner().invoke(app, ["rules", *arguments], input=answers)
    if isinstance(result.exception, InputError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("preset", preset_names())
def test_a_new_file_is_its_rules_and_explains_every_field(preset: str, folder: Path) -> None:
    for lang, seats in (("en", None), ("it", catalogue()["preset"][preset]["seats"][0])):
        more = ["--players", str(seats)] if seats else []
        run("new", "club.toml", "--force", "--rules", preset, *more, "--house", "napola", "--lang", lang)
        text = Path("club.toml").read_text("utf-8")
        assert build("club.toml") == build(preset, players=seats, houses=["napola"])
        for field in FIELDS:
            assert re.search(rf"\n\n# [^\n]+[).]\n(# )?{field} = [^\n]+\n", text), field
        uncommented = re.sub(r"^# (\w+ = )", r"\1", text, flags=re.M)
        assert {*FIELDS, "preset"} == set(tomllib.loads(uncommented)), "what is a comment can be made a rule"


def test_a_file_is_not_overwritten_and_has_an_ending_that_is_read(folder: Path) -> None:
    Path("club.toml").write_text("target = 31\n", "utf-8")
    with pytest.raises(InputError, match=r"club.toml: there is such a file .*--force"):
        run("new", "club.toml", "--rules", "scopa")
    with pytest.raises(InputError, match=r"FILE 'club' is not valid \(valid: a name that ends in .toml\)"):
        run("new", "club", "--rules", "scopa")
    assert Path("club.toml").read_text("utf-8") == "target = 31\n"
    assert [path.name for path in folder.iterdir()] == ["club.toml"]


def test_new_asks_where_no_rule_is_given_and_enter_keeps(folder: Path) -> None:
    run("new", "kept.toml")
    assert build("kept.toml") == Rules()
    out = run(
        "new", "club.toml", "--lang", "it", answers="scopo\nscopa\n5\n4\n21\n\nsì\ntrue\ntrue\nsevens\n10\nwins\n"
    )
    assert "'scopo'" in out
    assert "ace_sweep 'sì' non è valido" in out
    wanted = {"target": 21, "ace_sweep": True, "last_card_scopa": True, "primiera": "sevens", "piccola_max": 10,
              "all_diamonds": "wins"}  # fmt: skip
    assert build("club.toml") == build("scopa", players=4, changes=wanted)


FAULTS = [
    ('preset = "scopa"\n\ncapture_mots = 2', "line 3: unknown field 'capture_mots': did you mean 'capture_most'?"),
    ("barsega = 2", "line 1: unknown field 'barsega': did you mean 'hand_low'? (valid: players, "),
    (
        "barsega = 2\nbarsegone = 3",
        "line 1: unknown field 'barsega': did you mean 'hand_low'?; line 2: unknown field "
        "'barsegone': did you mean 'hand_triple'? (valid: players, ",
    ),
    ("# target\ntarget = 'many'", "line 2: target 'many' is not valid (valid: 1 to 1000)"),
    ('preset = "scop"', "line 1: unknown preset 'scop': did you mean 'scopa'?"),
    ("players = 2\ndeal_plan = [3, 3]", "line 2: deal_plan '3,3' with 2 players"),
    ('preset = "scopone"\nplayers = 2', "line 2: players '2' is not valid with preset 'scopone'"),
    ("capture_optional = 1", "line 1: capture_optional '1' is not valid (valid: true, false)"),
    ("target = 51\ntarget 51", "line 2: is not valid TOML: expected '=' after a key"),
    ('matta = "7h', "line 1: is not valid TOML"),
    ("target = 3\n\ntarget = 4", "line 3: is not valid TOML: cannot overwrite a value"),
]


@pytest.mark.parametrize(("text", "fault"), FAULTS)
def test_a_mistake_is_named_with_its_line_wherever_the_file_is_used(text: str, fault: str, folder: Path) -> None:
    Path("club.toml").write_text(text, "utf-8")
    for use in (lambda: run("check", "club.toml"), lambda: cs.rules("club.toml"), lambda: cs.simulate("club.toml")):
        with pytest.raises(InputError) as refused:
            use()
        assert str(refused.value).startswith(f"club.toml, {fault}")
        assert "\n" not in str(refused.value)


def test_every_mistake_of_a_file_is_named_at_once(folder: Path) -> None:
    Path("club.toml").write_text("matta = 'zz'\nhand_low_most = 99\ntargt = 3\n", "utf-8")
    with pytest.raises(InputError) as refused:
        cs.rules("club.toml")
    assert re.findall(r"line (\d): (?:unknown field ')?(\w+)", str(refused.value)) == [
        ("1", "matta"), ("2", "hand_low_most"), ("3", "targt"),
    ]  # fmt: skip


def test_an_option_beside_a_file_is_not_told_to_be_a_line_of_it(folder: Path) -> None:
    Path("club.toml").write_text("target = 31\n", "utf-8")
    with pytest.raises(InputError, match=r"^target '0' is not valid"):
        cs.rules("club.toml", target=0)


@pytest.mark.parametrize("preset", preset_names())
def test_a_game_is_told_whole_and_no_preset_is_doubtful(preset: str) -> None:
    rules = cs.rules(preset)
    assert rules.doubts == []
    told = [line for line in rules.how_to_play().split("\n") if not line.startswith(" ")]
    assert told == [part for part in ORDER if part in told]
    assert {"Deal", "Capture", "Score", "Game"} <= {*told}
    assert rules.how_to_play("it").count("\n") == rules.how_to_play().count("\n")
    english = {*rules.how_to_play().split("\n")} & {*rules.how_to_play("it").split("\n")}
    assert english <= {"Matta"}, "all is said in Italian"


def test_a_total_is_told_as_it_is_played() -> None:
    told = cs.rules(table_30_total="> 30", table_low=1, table_low_total="< 9", hand_low_most=8).how_to_play()
    for words in ("total more than 30", "total less than 9", "total exactly 15", "three cards that total 8 or less"):
        assert words in told
    assert "exactly 30" not in told
    assert "51 points" not in cs.rules(hands_per_game=4).how_to_play()
    low = cs.rules(hand_low_most=12, hand_both="sum", show_bonus="at_once").how_to_play()
    assert "at 12 or less" in low
    assert "total 12 or less: both" in low
    assert "nine" not in low


def test_what_the_list_of_points_replaces_is_not_told() -> None:
    """By a name of any spelling and language: what is told is what the referee pays."""
    own = "coins: each 2d = 1; SCOPA: each sweep = 2; primiera: all Kd Kh = 3; carte: run 3c = 1"
    told = cs.rules(scoring=own).how_to_play()
    assert "coins: each of 2♦, points: 1." in told
    assert "makes a scopa, points: 2." in told
    assert "primiera: all of K♥ K♦, points: 3." in told
    assert "carte: 3♣ and the next cards" in told
    for usual in ("Most cards", "Most diamonds", "prime value", "lacks a suit", "Points of your own"):
        assert usual not in told
    assert "Settebello" in told


# What is doubtful: the changes to Cirulla, the field that is named, and words of the sentence.
DOUBTFUL = [
    ({"ace_sweep": False, "ace_choice": "sweep"}, "ace_choice", "an ace does not take the table"),
    ({"grande": 0, "grande_extended": True}, "grande_extended", "there is no grande"),
    ({"table_30_total": "> 39"}, None, ""),  # 10 + 10 + 10 + 10
    ({"table_30_total": "> 40"}, "table_30", "never paid for a total > 40"),
    ({"table_low": 1, "table_low_total": "< 5"}, "table_low", "never paid"),  # one ace, with two and three: 6, or less
    ({"table_low": 1, "table_low_total": "< 7", "table_15": 0}, None, ""),  # A, matta, 2, 2
    ({"table_low": 1, "table_low_total": "= 15"}, None, ""),  # worth as much as fifteen
    ({"table_low": 2, "table_low_total": "= 15"}, "table_15", "never paid"),
    ({"scoring": "low: run Jd = 1"}, None, ""),
    ({"scoring": "high: run Qc = 1"}, "scoring", "there are not so many from Qc on"),
    ({"scoring": "denari: each *d = 1"}, "scoring", "Paid twice, by settebello and by denari: 7d"),
    ({"scoring": "suit: most *d = 1"}, "scoring", "diamonds and suit pay for the same"),
    ({"scoring": "a: each Kd Kc = 1; b: each Kc = 1"}, "scoring", "by a and by b: Kc"),
    (
        {"players": 2, "deal_plan": (10, 10), "table_cards": 0, "table_15": 0, "table_30": 0},
        "misdeal_count",
        "no misdeal",
    ),
    ({"misdeal_count": 1}, "misdeal_count", "One A on the table is a misdeal"),
    ({"misdeal_count": 0, "misdeals_lose": 3}, "misdeals_lose", "nobody loses"),
    ({"hand_low": 0, "hand_triple": 0, "table_15": 0, "table_30": 0}, "matta", "7h is a card like the others"),
    ({"hand_low": 0, "matta_low": "ace"}, "matta_low", "A low set earns nothing"),
    ({"hand_low_most": 17}, "hand_low_most", "More than half"),
    ({"hand_both": 5}, "hand_both", "earn 5, less than the 10"),
    ({"deal_plan": (9,), "open_last_stage": True}, "open_last_stage", "whole hand is played open"),
    ({"equal_first": True, "fewest_first": True}, "equal_first", "fewest_first includes equal_first"),
    ({"capture_by": ("fifteen",), "fewest_first": True}, "fewest_first", "fifteens only"),
    ({"capture_most": 1}, "capture_most", "no sums"),
    ({"capture_by": ("sum", "fifteen"), "ace_blocked": "ace_only"}, "ace_blocked", "captures nothing"),
    ({"ace_takes_itself": True}, "ace_takes_itself", "dealt to the table"),
    ({"all_diamonds": 11}, "all_diamonds", "worth 11, less than the 12"),
    ({"all_diamonds": 12}, None, ""),
    ({"all_diamonds": 20, "scoring": "piccola: run Ad = 2"}, "all_diamonds", "are not worth 20"),
    ({"last_card_scopa": True, "scoring": "sweeps: each sweep = 0"}, "last_card_scopa", "A sweep earns nothing"),
    (
        {
            "base": "scopa",
            "cards_point": 0,
            "diamonds_point": 0,
            "settebello_point": 0,
            "primiera": "none",
            "scoring": "sweeps: each sweep = 0",
        },
        "target",
        "Nothing earns a point",
    ),
    ({"hands_per_game": 4, "hands_tie": "draw", "best_of": 3}, "hands_per_game", "a winner of each game"),
    ({"hands_per_game": 4, "target": 31}, "target", "a fixed number of hands"),
    ({"cards_point": 2, "scoring": "carte: each *c = 1"}, "cards_point", "scoring says anew"),
    ({"scoring": "king: each Kd = 0"}, "scoring", "king pays nothing"),
    ({"lowest_wins": True}, "all_diamonds", "yet all ten diamonds win"),
    ({"lowest_wins": True, "shutout": 7, "all_diamonds": "none"}, "shutout", "a hand won to nothing wins"),
    ({"capture_optional": True, "ace_choice": "sweep"}, "capture_optional", "may be left there"),
    ({"table_15_total": "<= 40"}, "table_15", "the dealer always takes it"),
    ({"players": 3, "best_of": 3}, "best_of", "between two sides"),
    ({"players": 3, "knockout_tiebreak": True}, "knockout_tiebreak", "between two sides"),
]


@pytest.mark.parametrize(("changes", "field", "words"), DOUBTFUL, ids=str)
def test_what_is_doubtful_is_named(changes: dict, field: str | None, words: str) -> None:
    doubts = cs.rules(**changes).doubts
    assert [doubt.field for doubt in doubts] == ([field] if field else [])
    for doubt in doubts:
        assert words in doubt.text
        assert language("it").translate(doubt.text) != doubt.text


def test_each_doubt_and_each_reason_is_tried() -> None:
    tried = {field for _, field, _ in DOUBTFUL}
    assert {field for field, _, _ in DOUBTS} <= tried
    assert {"table_15", "table_30", "table_low"} == {*TABLE_BONUSES} <= tried
    assert {spec["needs"] for spec in catalogue()["field"].values() if "needs" in spec} == set(catalogue()["needs"])


def test_check_tells_the_game_what_differs_and_what_is_doubtful_with_its_line(folder: Path) -> None:
    Path("club.toml").write_text('preset = "scopa"\n\ntarget = 61\nmisdeal_count = 1\n', "utf-8")
    english, italian = run("check", "club.toml"), run("check", "club.toml", "--lang", "it")
    parts = ("How club.toml is played", "\nDeal\n", "\nCapture\n", "\nScore\n", "\nGame\n", "What differs from scopa",
             "\n  target = 61: The game is played to 61 points.\n    scopa: The game is played to 11 points.",
             "hands on average", "What is doubtful", "\n  line 4, misdeal_count: One K on the table",
             "\n  line 3, target: A game of ")  # fmt: skip
    assert sorted(parts, key=english.index) == [*parts]
    assert "riga 4, misdeal_count: " in italian
    assert not {*english.split("\n")} & {*italian.split("\n")} - {""}
    assert run("check", "cirulla").endswith("Nothing is doubtful.\n")
    assert "What differs from cirulla\n" in run("check", "table-nine")
    for field in ("equal_first", "misdeal_rank"):
        assert f"{field} =" not in run("check", "escoba"), "a difference that says nothing"
    assert "Mandano a monte: re." in run("check", "scopa", "--lang", "it")


def test_check_gives_up_on_games_that_do_not_end(folder: Path) -> None:
    """Who has fewer points wins a game of whom nobody wants to make any; other workers end before the program does."""
    Path("endless.toml").write_text('preset = "escoba"\nlowest_wins = true\n', "utf-8")
    assert "target '21': game 0 of seed 1 has not ended after 4_096 hands" in run("check", "endless.toml")


def test_a_category_of_ones_own_is_found_by_all_names_of_the_usual_one() -> None:
    """Denari in the place of the diamonds: a point each, which are as many points as diamonds in the pile."""
    rules = cs.rules("scopa", scoring="denari: each *d = 1")
    asked = [
        "mean(points(us, diamonds))",
        "mean(points(us, coins))",
        "mean(points(us, denari))",
        "mean(captured(us, diamonds))",
    ]
    answers = cs.odds(asked, rules=rules, hands=300, policy="greedy", progress=False).frame["estimate"]
    assert answers.n_unique() == 1
    with pytest.raises(InputError, match="nobody wins 'denari'"):
        cs.odds("wins(us, diamonds)", rules=rules, hands=300, progress=False)
