"""Comparing rule sets: against brute force and exact truths; interval coverage; same bytes for any threads; errors."""

from __future__ import annotations

import itertools
import json
import signal
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from intervals import RUNS, check_intervals

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.numerals import effect
from cirulla_sim.engine.chunks import play_rows, row_names
from cirulla_sim.engine.engines import Engine, Folded
from cirulla_sim.engine.engines import carry_out as play
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.exact.first_deal import first_deal_odds
from cirulla_sim.experiments.hand_quantities import simulated
from cirulla_sim.experiments.paired_effects import CHANGES, compared
from cirulla_sim.experiments.paired_hands import play_pairs
from cirulla_sim.experiments.paired_runs import holm_corrected, table_schema
from cirulla_sim.experiments.rule_sets import Comparison, all_house_rules, house_rule
from cirulla_sim.experiments.runner import Execution, carry_out
from cirulla_sim.reporting.result import Result
from cirulla_sim.ruleset.bounds import most
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.stats.decisions import holm
from cirulla_sim.stats.sequential import looks
from cirulla_sim.storage.request import Request
from cirulla_sim.storage.tables import read
from cirulla_sim.verbs.compare import job_of

Row = dict[str, Any]


def comparison(base: Rules, *names: str, **options: Any) -> Comparison:
    """House rules against the rules without them, greedy play."""
    sets = {"cirulla": base} | {name: house_rule(base, name) for name in names}
    return Comparison(sets, LineUp.parse("greedy"), **options)


def run_compare(base: Rules, *names: str, **options: Any) -> Result:
    """The same comparison by the public function."""
    return cs.compare(base, house=names, policy="greedy", progress=False, **options)


def table(pairs: Comparison, first: int = 0) -> pl.DataFrame:
    """The table of the hands from ``first`` on, played in one chunk."""
    return holm_corrected(compared(pairs, Folded(play_pairs(pairs, first, pairs.hands)[0], pairs.hands, "hands")))


def find_row(frame: pl.DataFrame, rules: str, quantity: str, side: str, kind: str = "difference") -> Row:
    return frame.filter(rules=rules, quantity=quantity, side=side, kind=kind).row(0, named=True)


# ------------------------------------------------------------------------------------------------ the numbers


@pytest.mark.parametrize(("players", "house"), [(4, "no-matta"), (3, "simple-primiera"), (2, "queen-matta")])
@pytest.mark.parametrize("unpaired", [False, True])
def test_differences_match_the_rows_of_single_hands(players: int, house: str, unpaired: bool) -> None:
    base, hands = build(players=players), 3000
    setup = comparison(base, house, hands=hands, seed=5, unpaired=unpaired)
    frame = table(setup)
    without, with_rule = setup.experiments.values()
    rows = [play_rows(without, 0, hands)[0], play_rows(with_rule, hands if unpaired else 0, hands)[0]]
    names = row_names(base)

    def numbers(which: int, name: str, side: str) -> np.ndarray:
        columns = [rows[which][:, names.index(f"side{s}_{name}")].astype(float) for s in range(base.sides)]
        return {"dealer": columns[-1], "others": np.mean(columns[:-1], axis=0), "all": np.sum(columns, axis=0)}[side]

    def margin(which: int) -> np.ndarray:
        return numbers(which, "total", "dealer") - numbers(which, "total", "others")

    pairs = {
        (quantity, side): (numbers(0, name, side), numbers(1, name, side))
        for quantity, name in {
            "points": "total", "points_scope": "scope", "sweeps": "scope", "captures": "captures", "knock": "knock",
            "points_hand_bonus": "hand_bonus", "points_primiera": "primiera", "wins_hand": "wins",
        }.items()
        for side in ("dealer", "others", "all")
        if (quantity, side) != ("wins_hand", "all")
    } | {("margin", "dealer"): (margin(0), margin(1)), ("misdeals", "all"): (rows[0][:, 0], rows[1][:, 0])}  # fmt: skip
    for (quantity, side), (x, y) in pairs.items():
        apart = np.sqrt(x.var(ddof=1) / hands + y.var(ddof=1) / hands)
        error = apart if unpaired else (y - x).std(ddof=1) / np.sqrt(hands)
        row = find_row(frame, house, quantity, side)
        assert (row["estimate"], row["std_error"]) == pytest.approx((y.mean() - x.mean(), error)), quantity
        if unpaired or error == 0:
            assert row["gain"] is None
        else:
            assert row["gain"] == pytest.approx(apart / error)
        kind = "share" if quantity == "wins_hand" else "mean"
        for rules, of in (("cirulla", x), (house, y)):
            row = find_row(frame, rules, quantity, side, kind)
            assert (row["estimate"], row["std_error"]) == pytest.approx((of.mean(), of.std(ddof=1) / hands**0.5))
    row = find_row(frame, house, "margin_spread", "dealer")
    x, y = pairs["margin", "dealer"]
    assert row["estimate"] == pytest.approx(y.std(ddof=1) - x.std(ddof=1))
    jackknife = leave_one_out_deviations(y) - (0 if unpaired else leave_one_out_deviations(x))
    error = np.sqrt((hands - 1) ** 2 / hands * jackknife.var(ddof=1))
    if unpaired:
        error = np.hypot(error, np.sqrt((hands - 1) ** 2 / hands * leave_one_out_deviations(x).var(ddof=1)))
    assert row["std_error"] == pytest.approx(error, rel=0.02)


def leave_one_out_deviations(numbers: np.ndarray) -> np.ndarray:
    """The standard deviation of all other numbers, for each number."""
    n = len(numbers) - 1
    total, squares = numbers.sum() - numbers, (numbers**2).sum() - numbers**2
    return np.sqrt((squares - total**2 / n) / (n - 1))


@pytest.mark.parametrize("players", [2, 4])
def test_changed_counts_hands_with_different_records(players: int) -> None:
    base = build(players=players)
    names = ["no-matta", "piccola-seven", "matta-reverts", "simple-primiera"]
    setup = comparison(base, *names, hands=400)
    frame, experiments = table(setup), setup.experiments

    def record(name: str, hand: int) -> Row:
        return hand_record(experiments[name], hand) | {"rules": None}

    usual = [record("cirulla", hand) for hand in range(setup.hands)]
    for name in names:
        changed = sum(record(name, hand) != usual[hand] for hand in range(setup.hands))
        row = find_row(frame, name, "changed", "all", "share")
        assert changed > 0
        assert row["estimate"] == changed / setup.hands, name


@pytest.mark.parametrize(
    ("players", "change"),
    [(2, {"houses": ["no-matta"]}), (3, {"houses": ["no-matta"]}), (4, {"houses": ["queen-matta"]}),
     (4, {"changes": {"partnership": False}})],
    ids=["2", "3", "4", "with and without partners"],
)  # fmt: skip
def test_changes_match_a_recount_of_hand_records(players: int, change: dict[str, Any]) -> None:
    """Who wins each hand under both rule sets, and its points, in plain Python."""
    base, other, hands = build(players=players), build(players=players, **change), 500
    setup = Comparison({"base": base, "other": other}, LineUp.parse("greedy"), hands, 5)
    frame, several = table(setup), base.sides - 1 if base.sides == other.sides else 1
    count = dict.fromkeys(itertools.product(("wins_gained", "wins_lost"), ("dealer", "others")), Fraction(0))
    moved = dict.fromkeys((("points_moved", "all"), ("margin_moved", "dealer")), Fraction(0))
    changed = between_others = 0
    for hand in range(hands):
        totals = [
            [side["total"] for side in hand_record(of, hand)["points"]] for of in setup.experiments.values()
        ]  # by side, the dealer's last
        before, after = (winner(points, others_are_one=several == 1) for points in totals)
        changed += before != after
        between_others += before != after and {before, after} <= {"0", "1"}
        for name, gets, had in (("wins_gained", after, before), ("wins_lost", before, after)):
            if gets != had and gets is not None:
                count[name, "dealer" if gets == "dealer" else "others"] += Fraction(
                    1, 1 if gets == "dealer" else several
                )
        moved["points_moved", "all"] += abs(sum(totals[1]) - sum(totals[0]))
        was, margin = (points[-1] - Fraction(sum(points[:-1]), len(points) - 1) for points in totals)
        moved["margin_moved", "dealer"] += abs(margin - was)
    assert (between_others > 0) == (base.sides == other.sides == 3)
    rows = {(name, side): find_row(frame, "other", name, side, "share") for name, side in count}
    rows |= {(name, side): find_row(frame, "other", name, side, "mean") for name, side in moved}
    row = find_row(frame, "other", "winner_changed", "all", "share")
    assert row["estimate"] == changed / hands
    for key, total in (count | moved).items():
        assert rows[key]["estimate"] == pytest.approx(float(total / hands)), key
        assert rows[key]["ci_low"] < rows[key]["estimate"] < rows[key]["ci_high"]
    assert len({rows[key]["estimate"] for key in count}) == 4
    if base.sides == other.sides:
        for side in ("dealer", "others"):
            net = rows["wins_gained", side]["estimate"] - rows["wins_lost", side]["estimate"]
            assert find_row(frame, "other", "wins_hand", side)["estimate"] == pytest.approx(net)


def winner(points: list[int], others_are_one: bool) -> str | None:
    """The side with the most points, the dealer's last; None of a tie."""
    best = [side for side, mine in enumerate(points) if mine == max(points)]
    if len(best) > 1:
        return None
    return "dealer" if best == [len(points) - 1] else "0" if others_are_one else str(best[0])


def test_levels_equal_those_of_simulate() -> None:
    setup = comparison(build(players=3), "no-matta", hands=2000, seed=3)
    levels = table(setup).filter(rules="cirulla")
    run = play(Experiment(build(players=3), ("greedy",), 2000, 3), Engine("serial"))
    keys = ["quantity", "per", "side", "kind"]
    theirs = simulated(run, controls=False).filter(pl.col("value").is_null())
    both = levels.join(theirs, on=keys, how="inner", suffix="_there")
    assert both.height >= 40
    for column in ("estimate", "std_error", "ci_low", "ci_high", "n"):
        assert both[column].to_list() == both[f"{column}_there"].to_list(), column


def test_a_rule_without_effect_on_hands_has_differences_of_zero() -> None:
    setup = comparison(build(), "short-game", "long-game", hands=500)
    frame = table(setup)
    differences = frame.filter(kind="difference")
    assert differences.height == 98
    for column in ("estimate", "std_error", "ci_low", "ci_high"):
        assert set(differences[column]) == {0.0}
    assert set(differences["exact"]) == {"0"}
    assert differences["p_holm"].null_count() == differences["gain"].null_count() == 98
    changes = frame.filter(pl.col("quantity").is_in([quantity.name for quantity in CHANGES]))
    assert changes.height == 2 * len(CHANGES)
    assert set(changes["ci_high"]) == {0.0}
    assert set(changes["exact"]) == {"0"}


def test_an_effect_never_seen_has_an_interval() -> None:
    """In a hundred hands no cappotto changes anything, but some may: at most their share times the largest effect."""
    frame = table(comparison(build(), "cappotto-ten-points", hands=100))
    likely = 1 - 0.05 ** (1 / 100)
    bounds = most(build(houses=["cappotto-ten-points"]))
    for quantity, largest in {
        "points": bounds["total"], "sweeps": 18, "wins_hand": 1, "cappotto": 1, "points_piccola": 6,
    }.items():  # fmt: skip
        row = find_row(frame, "cappotto-ten-points", quantity, "dealer")
        assert (row["estimate"], row["std_error"], row["p_holm"]) == (0.0, 0.0, 1.0)
        assert row["ci_high"] == -row["ci_low"] == pytest.approx(largest * likely), quantity
        assert effect(row) == "none seen"


# ------------------------------------------------------------------------------------------------ truths


def hand_bonus(rules: Rules) -> Fraction:
    """Exact points for the holdings of a hand; without misdeals each is any three cards of the pack."""
    [odds] = [odds for odds in first_deal_odds(rules) if odds.quantity == "points_hand_bonus"]
    return 12 * odds.exact


def test_the_effect_on_bonuses_agrees_with_the_exact_one() -> None:
    base = build(changes={"misdeal_count": 0})
    names = ["no-triple-bonus", "no-matta", "sum-both-bonuses"]
    frame = run_compare(base, *names, hands=150_000, seed=11).frame
    for name in names:
        truth = float(hand_bonus(house_rule(base, name)) - hand_bonus(base))
        row = find_row(frame, name, "points_hand_bonus", "all")
        assert abs(row["estimate"] - truth) < 4 * row["std_error"]
        assert row["std_error"] < 0.01
    assert float(hand_bonus(house_rule(base, "no-triple-bonus")) - hand_bonus(base)) == pytest.approx(-1.01, abs=0.01)


def test_intervals_cover_the_truth() -> None:
    """The truth is exact where it is known, else the mean of all runs."""
    hands, runs = 300, RUNS
    base = build(changes={"misdeal_count": 0})
    setup = comparison(base, "no-matta", hands=hands, seed=23)
    keys = [
        ("points_hand_bonus", "all"), ("points", "others"), ("margin", "dealer"), ("margin_spread", "dealer"),
        ("wins_hand", "dealer"), ("sweeps", "all"), ("knock", "dealer"), ("changed", "all"),
    ]  # fmt: skip
    tallies = np.array([play_pairs(setup, run * hands, hands)[0] for run in range(runs)])
    whole = compared(setup, Folded(tallies.sum(axis=0), hands * runs, "hands"))
    kinds = {key: "share" if key[0] == "changed" else "difference" for key in keys}
    truth = {key: find_row(whole, "no-matta", *key, kinds[key])["estimate"] for key in keys}
    truth["points_hand_bonus", "all"] = float(hand_bonus(house_rule(base, "no-matta")) - hand_bonus(base))
    frames = [compared(setup, Folded(tally, hands, "hands")).filter(rules="no-matta") for tally in tallies]
    tables = [{(r["quantity"], r["side"], r["kind"]): r for r in frame.iter_rows(named=True)} for frame in frames]
    for key in keys:
        check_intervals([rows[*key, kinds[key]] for rows in tables], truth[key], key)


def test_intervals_cover_the_truth_for_a_rule_that_changes_few_hands() -> None:
    """Four equal cards win one hand in two thousand: most runs of a thousand hands see none, some one or two.

    Intervals cover the truth, the mean of all 200 runs, in at least 92 of 100 runs. Intervals without width where
    nothing is seen would in 40. For the spread at least 89: it depends on squares, which vary much more.
    """
    hands, runs = 1000, 200
    setup = comparison(build(players=2), "four-equal-wins", hands=hands, seed=29)
    tallies = [play_pairs(setup, run * hands, hands)[0] for run in range(runs)]
    whole = compared(setup, Folded(np.sum(tallies, axis=0), hands * runs, "hands"))
    keys = [(name, side) for name in ("points", "sweeps", "points_hand_bonus") for side in ("dealer", "others", "all")]
    keys += [("wins_hand", "dealer"), ("margin", "dealer"), ("margin_spread", "dealer"), ("table_wins", "dealer")]
    truth = {key: find_row(whole, "four-equal-wins", *key)["estimate"] for key in keys}
    held = dict.fromkeys(keys, 0)
    for tally in tallies:
        frame = compared(setup, Folded(tally, hands, "hands")).filter(rules="four-equal-wins", kind="difference")
        rows = {(row["quantity"], row["side"]): row for row in frame.iter_rows(named=True)}
        for key in keys:
            held[key] += rows[key]["ci_low"] <= truth[key] <= rows[key]["ci_high"]
    assert truth["points", "all"] < -0.003
    assert held.pop(("margin_spread", "dealer")) >= 0.89 * runs
    assert min(held.values()) >= 0.92 * runs, held


def test_pairing_makes_intervals_three_times_narrower_where_few_hands_change() -> None:
    base = build()
    names = ["piccola-seven", "table-nine", "matta-reverts", "three-equal-misdeal", "bury-table", "sum-both-bonuses"]
    frames = {unpaired: run_compare(base, *names, hands=40_000, unpaired=unpaired).frame for unpaired in (False, True)}
    for name in names:
        assert find_row(frames[False], name, "changed", "all", "share")["estimate"] < 0.05
        for quantity, side in (("points", "all"), ("margin", "dealer"), ("wins_hand", "dealer")):
            pair, apart = (find_row(frames[unpaired], name, quantity, side) for unpaired in (False, True))
            assert pair["gain"] >= 3
            assert apart["std_error"] / pair["std_error"] == pytest.approx(pair["gain"], rel=0.05)
            assert abs(apart["estimate"] - pair["estimate"]) < 4 * apart["std_error"]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_agrees_with_the_step_down_test(ps: list[float]) -> None:
    corrected = holm(ps)
    for level in (0.01, 0.05, 0.5):
        rejected, left = set(), sorted(range(len(ps)), key=lambda i: ps[i])
        while left and ps[left[0]] * len(left) <= level:
            rejected.add(left.pop(0))
        assert {i for i, p in enumerate(corrected) if p <= level} == rejected


# ------------------------------------------------------------------------------------------------ carrying it out


def test_any_engine_threads_and_chunks_give_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = []
    ways: tuple[dict[str, Any], ...] = ({"engine": "serial"}, {"threads": 2}, {"threads": 3})
    for number, (way, chunk) in enumerate(zip(ways, (20_000, 777, 8192), strict=True)):
        monkeypatch.setattr(Comparison, "chunk", chunk)
        path = tmp_path / f"{number}.parquet"
        result = run_compare(build(), "no-matta", "short-game", "table-nine", hands=20_000, output=path, **way)
        files.append(path.read_bytes())
        assert dict(result.frame.schema) == table_schema("rules")
        assert (result.metadata["hands"], result.exit_code) == (20_000, 0)
    assert files[0] == files[1] == files[2]


def test_a_precision_stops_the_run() -> None:
    result = run_compare(build(), "table-nine", hands=100_000, precision=0.01)
    assert (result.metadata["stopped"], result.exit_code) == ("precision", 0)
    assert result.metadata["hands"] in list(looks(100_000))[:-1]
    row = find_row(result.frame, "table-nine", "points", "all")
    assert (row["ci_high"] - row["ci_low"]) / 2 <= 0.01
    result = run_compare(build(), "no-matta", hands=1000, precision=1e-6)
    assert (result.metadata["hands"], result.metadata["stopped"], result.exit_code) == (1000, "hands", 3)
    assert "The precision 1e-06 is not reached in 1_000 hands." in result.remarks


def interrupt_third(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupt the run while a function of the package plays its third chunk."""
    module, _, function = name.rpartition(".")
    play, chunks = getattr(sys.modules[module], function), []

    def third_is_interrupted(*arguments: Any) -> Any:
        chunks.append(arguments)
        if len(chunks) == 3:
            signal.raise_signal(signal.SIGINT)
        return play(*arguments)

    monkeypatch.setattr(name, third_is_interrupted)


def test_an_interrupted_comparison_keeps_the_hands_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_third("cirulla_sim.experiments.rule_sets.play_pairs", monkeypatch)
    path = tmp_path / "x.parquet"
    result = run_compare(build(), "no-matta", hands=10_000, output=path, engine="serial")
    hands = result.metadata["hands"]
    assert 0 < hands < 10_000
    assert (result.metadata["stopped"], result.exit_code, read(path)[1]["hands"]) == ("interrupted", 130, hands)
    assert result.frame.equals(table(comparison(build(), "no-matta", hands=hands)))


@pytest.mark.parametrize("unpaired", [False, True])
def test_a_resumed_comparison_equals_an_uninterrupted_one(
    unpaired: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted while hands are played, and then while games are."""
    request: dict[str, Any] = {"hands": 9000, "unpaired": unpaired, "games": 9000}
    base, names, whole, other = build(players=2), ("no-matta", "short-game"), *(tmp_path / x for x in ("a", "b c"))
    run_compare(base, *names, **request, output=whole)
    with monkeypatch.context() as during:
        interrupt_third("cirulla_sim.experiments.rule_sets.play_pairs", during)
        result = run_compare(base, *names, **request, output=other, engine="serial")
    assert 0 < result.metadata["hands"] < 9000
    assert result.exit_code == 130
    assert result.remarks[-1] == f"To resume, give the same command again: {result.command} -o '{other}'"
    with monkeypatch.context() as during:
        interrupt_third("cirulla_sim.experiments.compared_games.play_games", during)
        result = run_compare(base, *names, **request, output=other, engine="serial")
    stopped = read(other)[1]["stopped"]
    assert (result.metadata["hands"], result.exit_code, stopped) == (9000, 130, "interrupted")
    assert "wins_game" not in result.frame["quantity"]
    run_compare(base, *names, **request, output=other)
    assert other.read_bytes() == whole.read_bytes()
    extended = run_compare(base, *names, **request | {"games": 100}, output=other)  # games are played again each time
    assert "All 9_000 hands were there: nothing was played." in extended.remarks
    assert find_row(extended.frame, "no-matta", "hands", "all")["n"] == 100


def test_a_resumed_run_checks_its_precision_at_the_same_hands(tmp_path: Path) -> None:
    whole, other = tmp_path / "whole.parquet", tmp_path / "other.parquet"

    def nine(hands: int, precision: float | None = None, **files: Any) -> pl.DataFrame:
        result = run_compare(build(), "table-nine", hands=hands, precision=precision, **files)
        return result.frame.filter(quantity="points", kind="difference")

    frames = [nine(hands, 1e-9) for hands in (500, 1000)]
    widths = [float((frame["ci_high"] - frame["ci_low"]).max()) / 2 for frame in frames]  # type: ignore[arg-type]
    assert widths[0] > 1.1 * widths[1]
    for width, hands in zip(widths, (500, 1000), strict=True):
        nine(9000, 1.05 * width, output=whole, force=True)
        assert read(whole)[1]["hands"] == hands
        befores: list[tuple[int, float | None]] = [(300, None), (500, None), (9000, 1.05 * widths[0]), (700, 1e-9)]
        for before in befores[: 3 if hands == 500 else 4]:
            nine(*before, output=other, force=True)
            nine(9000, 1.05 * width, output=other)
            assert other.read_bytes() == whole.read_bytes()


def test_a_file_of_another_comparison_is_not_resumed(tmp_path: Path) -> None:
    path, base = tmp_path / "x.parquet", build()
    names = ("no-matta", "table-nine")
    run_compare(base, *names, hands=1000, output=path)
    for houses, options, message in (
        (names, {"seed": 2}, "seed is 1 there and 2 here"),
        (names, {"hands": 999}, "--hands '999' is less than the 1000 hands"),
        (names, {"unpaired": True}, "unpaired is None there and True here"),
        (("no-matta",), {}, "house is "),
        (names[::-1], {}, "house is "),
    ):
        with pytest.raises(InputError, match=message):
            run_compare(base, *houses, **{"hands": 1000} | options, resume=path)
    unpaired = tmp_path / "unpaired.parquet"
    run_compare(base, *names, hands=1000, unpaired=True, output=unpaired)
    with pytest.raises(InputError, match="unpaired is 1000 there and 2000 here"):
        run_compare(base, *names, hands=2000, unpaired=True, output=unpaired)


def test_a_request_reproduces_the_comparison(tmp_path: Path) -> None:
    """From its JSON text, after the files that it names are deleted."""
    first, other = tmp_path / "mine.toml", tmp_path / "theirs.toml"
    first.write_text('preset = "cirulla"\nmatta = "none"\n', "utf-8")
    other.write_text('preset = "cirullone"\ntarget = 75\n', "utf-8")
    result = cs.compare(
        first, against=[str(other), "cirulla-dossena"], house="table-nine", rule={"hand_low": 5}, policy="greedy",
        hands=500, games=20,
    )  # fmt: skip
    first.unlink()
    other.unlink()
    request = Request.from_json(json.loads(json.dumps(result.metadata["request"])))
    again = carry_out(job_of(request), Execution())
    assert again.frame.equals(result.frame)
    assert again.metadata["request"] == result.metadata["request"]
    assert result.frame["rules"].unique(maintain_order=True).to_list() == ["mine", "table-nine", "theirs",
                                                                           "cirulla-dossena"]  # fmt: skip
    assert request.command().split(" --policy")[0] == (
        "cirulla-sim compare --rules mine.toml --rule hand_low=5 --house table-nine --against theirs.toml "
        "--against cirulla-dossena"
    )


def test_a_rule_set_from_python_is_compared_by_its_fields() -> None:
    rules = cs.rules("scopa", players=2, target=21)
    result = cs.compare(rules, house="simple-primiera", policy="greedy", hands=300)
    text = cs.compare("scopa", players=2, rule="target=21", house="simple-primiera", policy="greedy", hands=300)
    assert result.command == text.command
    assert result.frame.equals(text.frame)


@pytest.mark.parametrize("policy", ["dealer=random, others=greedy", "first=greedy, dealer=random"])
def test_line_ups_name_sides(policy: str) -> None:
    """The weaker dealer's side loses, with two and with three players."""
    result = cs.compare(house="no-matta", players=2, policy=policy, hands=500, games=200)
    assert result.metadata["policies"] == ["dealer=random, others=greedy"]
    for rules, quantity in itertools.product(("cirulla", "no-matta"), ("wins_hand", "wins_game")):
        kind = "share" if quantity == "wins_hand" else "probability"
        assert find_row(result.frame, rules, quantity, "dealer", kind)["estimate"] < 0.3
    line_up = "dealer=random, others=greedy"
    three = cs.compare(against="scopa", players=3, unpaired=True, policy=line_up, hands=500).frame
    two = cs.compare(players=3, against="cirullone", unpaired=True, policy=line_up, hands=500).frame
    for frame, rules in ((three, "cirulla"), (three, "scopa"), (two, "cirullone")):
        assert find_row(frame, rules, "margin", "dealer", "mean")["estimate"] < -0.5


def test_house_rules_together_are_the_rules_with_both() -> None:
    """Named part by part, in either language, and repeated by the command that the file has."""
    both = "no-matta+simple-primiera"
    result = cs.compare(house=["no-matta", both], policy="greedy", hands=300, progress=False)
    rules = build("cirulla", houses=both.split("+"))
    setup = Comparison({"cirulla": build("cirulla"), "no-matta": house_rule(build("cirulla"), "no-matta"), both: rules},
                       LineUp.parse("greedy"), hands=300)  # fmt: skip
    assert setup.sets[both] == house_rule(build("cirulla"), both)
    assert f"--house {both} " in result.command
    changes = result.frame.filter(quantity="points", side="all", kind="difference")
    assert changes["estimate"].n_unique() == 2
    assert "No matta + Simple primiera" in result.text()
    assert "Senza matta + Primiera dei sette" in result.text(lang="it")


def test_all_house_rules_are_compared_or_left_out_with_a_reason() -> None:
    variants, left_out = all_house_rules(build("cirulla-fantini"))
    assert left_out["table-nine"] == "the rules have it already"
    for name, rules in variants.items():
        assert rules.differences(build("cirulla-fantini")), name


def test_rule_sets_with_different_numbers_of_seats_must_be_unpaired() -> None:
    sets = {"cirulla": build(), "two": build(players=2)}
    with pytest.raises(InputError, match=r"'two' has 2 seats and 'cirulla' 4, so their deals cannot be shared \(valid"):
        Comparison(sets)
    frame = table(Comparison(sets, LineUp.parse("greedy"), 500, unpaired=True))
    assert not {quantity.name for quantity in CHANGES} & set(frame["quantity"])
    with pytest.raises(InputError, match="nothing to compare"):
        Comparison({"cirulla": build()})


# ------------------------------------------------------------------------------------------------ verb and chart


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run a command in a folder of its own: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def run_command(*arguments: str) -> tuple[Any, str, str]:
        with pytest.raises(SystemExit) as stop:
            main(["compare", *arguments])
        return stop.value.code, *capsys.readouterr()

    return run_command


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        ([], ["nothing to compare with", "--all-houses"]),
        (["--house", "nomatta"], ["--house", "'nomatta'", "did you mean 'no-matta'?"]),
        (["--house", "no-matta+nomatta"], ["--house", "'nomatta'", "did you mean 'no-matta'?"]),
        (["--house", "no-matta+queen-matta"], ["'no-matta' and 'queen-matta' clash"]),
        (["--against", "cirulone"], ["--against", "'cirulone'", "did you mean 'cirullone'?"]),
        (["--against", "cirulla"], ["--against 'cirulla'", "compared already"]),
        (["--against", "scopa"], ["'scopa' has 2 seats and 'cirulla' 4", "--players", "--unpaired"]),
        (["--against", "cirullone", "--players", "2"], ["players '2'", "'cirullone'", "(valid: 4)"]),
        (["--all-houses", "--policy", "gredy"], ["policy 'gredy'", "did you mean 'greedy'?"]),
        (["--all-houses", "--only", "pints"], ["--only", "'pints'", "did you mean 'points'?"]),
        (["--all-houses", "--precision", "1", "--precision-of", "x"], ["--precision-of", "'x'", "valid"]),
        (["--all-houses", "--unpaired", "--only", "winner_changed"], ["--only", "'winner_changed'", "valid"]),
        (["--all-houses", "--hands", "0"], ["--hands '0'"]),
        (["--all-houses", "--rule", "matta=7x"], ["matta '7x' is not valid"]),
        (["--house", "no-matta", "-o", "/nowhere/x"], ["folder '/nowhere' does not exist"]),
    ],
    ids=lambda value: " ".join(value)[:40],
)
def test_invalid_input_is_refused_in_one_line(
    arguments: list[str], fragments: list[str], run: Callable[..., Any], tmp_path: Path
) -> None:
    code, out, err = run(*arguments)
    lines = [line for line in err.splitlines() if not line.startswith("Left out: ")]
    assert (code, out, len(lines)) == (2, "", 1), err
    assert lines[0].startswith("cirulla-sim: ")
    assert all(fragment in lines[0] for fragment in fragments), err
    assert list(tmp_path.iterdir()) == []


def test_the_command_of_a_file_reproduces_it(run: Callable[..., Any]) -> None:
    names = [
        "--house",
        "piccola-seven",
        "--house",
        "no-matta",
        "--against",
        "cirulla-dossena",
        "--against",
        "cirullone",
    ]
    options = ["--policy", "greedy", "--hands", "4000"]
    code, _, err = run(*names, *options, "-o", "x.parquet", "--verbose")
    assert code == 0
    assert "cirullone deals the cards in another order" in err
    _, metadata = read(Path("x.parquet"))
    assert metadata["schema"] == "compare/2"
    assert metadata["compared"]["piccola-seven"] == {"piccola_max": 7}
    words = metadata["command"].split()
    assert words[:2] == ["cirulla-sim", "compare"]
    assert run(*words[2:], "-o", "again.parquet")[0] == 0
    assert Path("again.parquet").read_bytes() == Path("x.parquet").read_bytes()
    rows = json.loads(run(*names, *options, "--format", "json", "--only", "margin")[1])
    assert [(row["rules"], row["kind"]) for row in rows][:3] == [
        ("cirulla", "mean"), ("piccola-seven", "mean"), ("piccola-seven", "difference"),
    ]  # fmt: skip
    assert list(rows[0]) == [*table_schema("rules"), "players", "policy", "seed"]


def test_all_houses_are_named_in_the_command(run: Callable[..., Any]) -> None:
    options = "--rules cirulla-fantini --policy greedy --hands 50 -o x.parquet"
    code, _, err = run("--all-houses", "--house", "no-matta", *options.split())
    assert (code, err.count("Left out: table-nine (the rules have it already)")) == (0, 1)
    _, metadata = read(Path("x.parquet"))
    assert "--all-houses" not in metadata["command"]
    assert list(metadata["compared"]) == metadata["request"]["question"]["house"]
    assert metadata["command"].count("--house") == len(metadata["compared"]) > 10


def test_a_changed_field_applies_to_every_rule_set(run: Callable[..., Any]) -> None:
    options = ["--hands", "300", "--rule", "hand_low=5", "--format", "json", "-o", "x.parquet"]
    assert run("--house", "no-matta", "--against", "cirulla-fantini", *options)[0] == 0
    _, metadata = read(Path("x.parquet"))
    assert metadata["request"]["rules"]["fields"]["hand_low"] == 5
    assert metadata["compared"] == {"no-matta": {"matta": None}, "cirulla-fantini": {"table_low": 3}}


def test_rule_sets_with_different_numbers_of_seats_are_compared_unpaired(run: Callable[..., Any]) -> None:
    code, out, _ = run("--against", "scopa", "--hands", "300", "--unpaired", "--format", "json", "-o", "x.parquet")
    assert code == 0
    assert all(row["gain"] is None for row in json.loads(out))
    _, metadata = read(Path("x.parquet"))
    assert metadata["compared"]["scopa"]["players"] == 2
    assert run(*metadata["command"].split()[2:], "-o", "again.parquet")[0] == 0
    assert Path("again.parquet").read_bytes() == Path("x.parquet").read_bytes()
