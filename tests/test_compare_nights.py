"""Formats of a night compared: against ``odds`` and single nights, pairing, resuming, merging, words, errors."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.errors import InputError
from cirulla_sim.experiments.compared_nights import ComparedNights
from cirulla_sim.experiments.night_quantities import night_columns
from cirulla_sim.reporting.charts import draw as figures
from cirulla_sim.reporting.result import Result
from cirulla_sim.ruleset.presets import build
from cirulla_sim.situation.night import Night
from cirulla_sim.stats.sequential import looks

PAIRS = "1 pair careful, 3 pairs random"
SWISS = f"night: {PAIRS}, 3 rounds of 2 hands, swiss, 4 minutes a hand"
ALL = f"night: {PAIRS}, all play all, 2 hands a round, 4 minutes a hand"
KNOCK_OUT = f"night: {PAIRS}, knock-out, 2 hands a round"
ONE_HAND = f"night: {PAIRS}, all play all, 1 hand a round, 4 minutes a hand"
NAMES = {"wins_night", "ties_night", "undefeated", "misdeal_run_3", "hands_played", "minutes", "cappotti"}

QUESTIONS = {
    "wins_night": "wins_night(pair 1)", "ties_night": "ties_night", "undefeated": "undefeated(pair 1)",
    "misdeal_run_3": "misdeal_run >= 3", "hands_played": "mean(hands_played)", "minutes": "mean(minutes)",
    "cappotti": "mean(cappotti)",
}  # fmt: skip


def compare(*against: str, at: str = SWISS, **options: Any) -> Result:
    return cs.compare(at=at, against=against or ONE_HAND, progress=False, **{"hands": 600, "players": 2, **options})


def format_of(text: str) -> str:
    return Night.parse(text.removeprefix("night: ")).format_text()


@pytest.fixture(scope="module")
def result() -> Result:
    return compare(ALL, ONE_HAND)


# ------------------------------------------------------------------------------------------------ the numbers


@pytest.mark.parametrize("text", [SWISS, ALL, ONE_HAND])
def test_levels_are_the_answers_of_odds(result: Result, text: str) -> None:
    answers = cs.odds([*QUESTIONS.values()], at=text, players=2, hands=600, progress=False).frame
    levels = result.frame.filter(pl.col("kind") != "difference", rules=format_of(text))
    assert levels["quantity"].to_list() == [*QUESTIONS]
    for name in ("estimate", "std_error", "ci_low", "ci_high"):
        assert levels[name].to_list() == pytest.approx(answers[name].to_list()), name


def test_differences_are_those_of_single_nights(result: Result) -> None:
    wanted = [("wins_night", 0), ("hands_played", None), ("minutes", None), ("cappotti", None)]
    base, other = (
        night_columns(build(players=2), night, night.policies(), 1, 0, 600, wanted)
        for night in (Night.parse(text.removeprefix("night: ")) for text in (SWISS, ONE_HAND))
    )
    for name, pair in wanted:
        apart = other[name, pair].astype(float) - base[name, pair]
        row = result.frame.filter(rules=format_of(ONE_HAND), quantity=name, kind="difference").row(0, named=True)
        assert row["estimate"] == pytest.approx(apart.mean())
        assert row["std_error"] == pytest.approx(apart.std(ddof=1) / np.sqrt(600))
        assert row["n"] == 600
        spread = np.hypot(base[name, pair].std(), other[name, pair].std())
        assert row["gain"] is None or row["gain"] == pytest.approx(spread / apart.std())


def test_four_pairs_that_all_meet_in_a_swiss_play_the_matches_of_all_play_all(result: Result) -> None:
    """Three rounds without rematches are every match once, with the same cards in either format."""
    rows = result.frame.filter(rules=format_of(ALL), kind="difference")
    same = rows.filter(pl.col("quantity").is_in(["wins_night", "ties_night", "undefeated", "hands_played"]))
    assert same["estimate"].to_list() == [0, 0, 0, 0]
    assert same["ci_low"].max() < 0 < same["ci_high"].min()  # type: ignore[operator]


def test_pairing_makes_intervals_narrower() -> None:
    text = "night: 1 pair careful, 3 pairs greedy"
    frame = compare(f"{text}, all play all, 4 hands a round", at=f"{text}, all play all, 3 hands a round").frame
    gain = frame.filter(kind="difference", quantity="wins_night")["gain"].item()
    assert gain > 1.2


def test_formats_that_differ_in_minutes_alone_differ_by_exactly_0() -> None:
    frame = compare(SWISS.replace("4 minutes", "5 minutes"), hands=20).frame.filter(kind="difference")
    others = frame.filter(pl.col("quantity") != "minutes")
    assert set(others["exact"]) == {"0"}
    assert set(others["p_holm"]) == {None}
    minutes = frame.filter(quantity="minutes").row(0, named=True)
    assert minutes["estimate"] == pytest.approx(6)
    assert minutes["exact"] is None


def test_quantities_that_a_format_does_not_have_are_left_out_of_all(result: Result) -> None:
    assert set(result.frame["quantity"]) == NAMES
    with_knock_out = compare(KNOCK_OUT, hands=5)
    assert set(with_knock_out.frame["quantity"]) == NAMES - {"ties_night", "minutes"}
    assert any("Minutes are left out" in remark for remark in with_knock_out.remarks)
    assert set(compare(ALL, rule="all_diamonds=none", hands=5).frame["quantity"]) == NAMES - {"cappotti"}


def test_the_policy_is_that_of_pairs_without_one() -> None:
    named, default = (
        compare(ONE_HAND.replace(pairs, own), at=SWISS.replace(pairs, own), hands=40, policy=policy)
        for pairs, own, policy in (("random", "greedy", "careful"), (" random", "", "greedy"))
    )
    assert named.frame.equals(default.frame)
    assert (named.metadata["policies"], default.metadata["policies"]) == ([], ["greedy"])
    assert "1 pair careful, 3 pairs greedy." in default.text()


# ------------------------------------------------------------------------------------------------ runs


def test_chunks_add_up() -> None:
    formats = {name: Night.parse(text.removeprefix("night: ")) for name, text in (("a", SWISS), ("b", ALL))}
    trials = ComparedNights(build(players=2), formats, formats["a"].policies())
    whole = trials.play(3, 30)[0]
    assert len(whole) == trials.tally_size()
    assert (whole == sum(trials.play(first, number)[0] for first, number in ((3, 1), (4, 20), (24, 9)))).all()


def test_the_same_bytes_for_any_threads_after_resuming_and_merging(tmp_path: Path) -> None:
    def saved(name: str, **options: Any) -> bytes:
        compare(ONE_HAND, output=tmp_path / name, **options)
        return (tmp_path / name).read_bytes()

    whole = saved("one.parquet", threads=1)
    assert whole == saved("two.parquet", threads=2)
    saved("resumed.parquet", hands=100)
    resumed = compare(ONE_HAND, output=tmp_path / "resumed.parquet")
    assert "Resumed after 100 nights." in resumed.remarks
    assert (tmp_path / "resumed.parquet").read_bytes() == whole
    saved("a.parquet", hands=250)
    saved("b.parquet", hands=350, first_hand=250)
    cs.combine([tmp_path / "b.parquet", tmp_path / "a.parquet"], output=tmp_path / "merged.parquet")
    assert (tmp_path / "merged.parquet").read_bytes() == whole


def test_the_command_in_the_file_makes_the_result_again(result: Result, capsys: pytest.CaptureFixture[str]) -> None:
    _, *words = shlex.split(result.command)
    with pytest.raises(SystemExit) as stop:
        main([*words, "--raw"])
    assert stop.value.code == 0
    assert capsys.readouterr().out.strip() == result.text(raw=True).strip()


def test_a_precision_ends_the_run() -> None:
    ended = compare(ONE_HAND, hands=9_000, precision=0.03, threads=1)
    assert ended.frame.equals(compare(ONE_HAND, hands=9_000, precision=0.03, threads=2).frame)
    assert ended.metadata["stopped"] == "precision"
    assert ended.metadata["request"]["effort"]["precision_of"] == "wins_night"
    assert ended.metadata["hands"] in list(looks(9_000))[:-1]
    row = ended.frame.filter(kind="difference", quantity="wins_night").row(0, named=True)
    assert (row["ci_high"] - row["ci_low"]) / 2 <= 0.03


def test_files_of_pairs_with_policies_of_your_own_are_merged_only_if_you_name_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code = "from pathlib import Path\nPath('ran').touch()\ndef first(x):\n    return 0\n"
    Path("mine.py").write_text(code, "utf-8")
    files = []
    for first in (0, 10):
        piece = compare(hands=10, first_hand=first)
        request = piece.metadata["request"]
        swapped = [SWISS.replace("random", "mine.py:first"), ONE_HAND.replace("random", "mine.py:first")]
        question = {**request["question"], "against": [swapped[1]]}
        request = {**request, "situation": {"at": swapped[0]}, "question": question}
        files.append(
            Result(piece.frame, {**piece.metadata, "request": request}, stored=piece.stored).save(f"{first}.parquet")
        )
    with pytest.raises(InputError, match=r"policy 'mine.py:first', whose code is not part"):
        cs.combine(files)
    assert not Path("ran").exists()


# ------------------------------------------------------------------------------------------------ words


@pytest.mark.parametrize("lang", ["en", "it"])
def test_it_is_described_and_drawn(result: Result, lang: str) -> None:
    sentences = result.describe(lang).splitlines()
    assert 3 <= len(sentences) <= 6
    text = result.text(lang=lang)
    assert ("600 nights" if lang == "en" else "600 serate") in text
    assert ("all play all, 1 hand a round" if lang == "en" else "tutti contro tutti, 1 smazzata a turno") in text
    for name in figures.names(result.metadata):
        figure = result.plot(name, lang=lang)
        FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
        assert len(figure.axes) == 1


# ------------------------------------------------------------------------------------------------ errors


@pytest.mark.parametrize(("options", "parts"), [
    ({"against": ()}, ["--at 'night: 1 pair careful", "nothing to compare with", "knock-out, 2 hands"]),
    ({"at": None}, ["--against 'night: 1 pair careful", "requires --at"]),
    ({"at": "me: 7h"}, ["--against 'night: 1 pair careful", "requires --at"]),
    ({"against": "scopa"}, ["--against 'scopa' cannot be compared with a night", "knock-out"]),
    ({"against": ALL.replace("random", "greedy")}, ["--against 'night", "its pairs are not those of --at"]),
    ({"against": ALL.replace("3 pairs", "4 pairs")}, ["its pairs are not those of --at (valid: '1 pair careful"]),
    ({"against": SWISS}, ["is compared already (name another format)"]),
    ({"against": ALL.replace("4 minutes", "4 minuets")}, ["--against: night: '4 minuets a hand'"]),
    ({"against": ALL.replace("minutes", "apples")}, ["--against: night: "]),
    ({"house": "no-matta"}, ["--house 'no-matta' cannot be combined with nights", "valid: --rules"]),
    ({"all_houses": True}, ["--all-houses cannot be combined with nights"]),
    ({"games": 10}, ["--games '10' cannot be combined with nights"]),
    ({"unpaired": True}, ["--unpaired cannot be combined with nights"]),
    ({"me": "dealer"}, ["--me 'dealer' cannot be combined with a night"]),
    ({"policy": "greedy"}, ["--policy 'greedy': every pair of --at has a policy"]),
    ({"policy": ["careful", "greedy"]}, ["--policy 'greedy': pairs have policies"]),
    ({"policy": "dealer=greedy, others=random"}, ["--policy 'dealer=greedy", "valid: one policy"]),
    ({"players": 3}, ["a match is between two sides, and there are 3"]),
    ({"hands": 10**10}, ["--hands '10000000000': nights have numbers below 2_147_483_648"]),
    ({"precision": 0.1, "precision_of": "points"}, ["--precision-of: unknown quantity 'points'"]),
    ({"only": "minuts"}, ["--only: unknown quantity 'minuts': did you mean 'minutes'?"]),
])  # fmt: skip
def test_invalid_arguments_are_refused_in_one_line(options: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(InputError) as error:
        cs.compare(**{"at": SWISS, "against": ALL, "hands": 5, "players": 2, "progress": False, **options})
    assert all(part in str(error.value) for part in parts), str(error.value)
    assert "\n" not in str(error.value)


def test_an_night_is_still_refused_elsewhere() -> None:
    with pytest.raises(InputError, match="is a night"):
        cs.simulate(at=SWISS, hands=5, progress=False)
