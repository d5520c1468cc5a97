"""Comparing rule sets: against single hands and exact truths; coverage; the same bytes for any threads; errors."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from cirulla_sim.experiments.rule_sets import Comparison, house_rule
from cirulla_sim.reporting.result import Result
from cirulla_sim.ruleset.bounds import most
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.stats.decisions import holm
from cirulla_sim.storage.tables import read

Row = dict[str, Any]


def comparison(base: Rules, *names: str, **options: Any) -> Comparison:
    """House rules against the rules without them, greedy play."""
    sets = {"cirulla": base} | {name: house_rule(base, name) for name in names}
    return Comparison(sets, LineUp.parse("greedy"), **options)


def run_compare(base: Rules, *names: str, **options: Any) -> Result:
    """The same comparison by the public function."""
    return cs.compare(base, house=names, policy="greedy", progress=False, **options)


def table(pairs: Comparison) -> pl.DataFrame:
    """The table of all hands, played in one chunk."""
    return holm_corrected(compared(pairs, Folded(play_pairs(pairs, 0, pairs.hands)[0], pairs.hands, "hands")))


def find_row(frame: pl.DataFrame, rules: str, quantity: str, side: str, kind: str = "difference") -> Row:
    return frame.filter(rules=rules, quantity=quantity, side=side, kind=kind).row(0, named=True)


# ------------------------------------------------------------------------------------------------ the numbers


@pytest.mark.parametrize(
    ("players", "house", "unpaired"),
    [(4, "no-matta", False), (3, "simple-primiera", False), (2, "queen-matta", True), (3, "no-matta", True)],
)
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
    of_x, of_y = (leave_one_out_deviations(margins) for margins in (x, y))
    variance = of_x.var(ddof=1) + of_y.var(ddof=1) if unpaired else (of_y - of_x).var(ddof=1)
    assert row["std_error"] == pytest.approx((hands - 1) * np.sqrt(variance / hands), rel=0.02)


def leave_one_out_deviations(numbers: np.ndarray) -> np.ndarray:
    """The standard deviation of all other numbers, for each number: their spread is the jackknife's."""
    n = len(numbers) - 1
    total, squares = numbers.sum() - numbers, (numbers**2).sum() - numbers**2
    return np.sqrt((squares - total**2 / n) / (n - 1))


@pytest.mark.parametrize(
    ("players", "change"),
    [(2, {"houses": ["no-matta"]}), (3, {"houses": ["no-matta"]}), (4, {"houses": ["queen-matta"]}),
     (4, {"changes": {"partnership": False}})],
    ids=["2", "3", "4", "with and without partners"],
)  # fmt: skip
def test_changes_match_a_recount_of_hand_records(players: int, change: dict[str, Any]) -> None:
    """Who wins each hand under both rule sets, and its points, in plain Python."""
    base, other, hands = build(players=players), build(players=players, **change), 400
    setup = Comparison({"base": base, "other": other}, LineUp.parse("greedy"), hands, 5)
    frame, several = table(setup), base.sides - 1 if base.sides == other.sides else 1
    count: Counter[tuple[str, str]] = Counter()
    for hand in range(hands):
        before, after = (hand_record(of, hand) | {"rules": None} for of in setup.experiments.values())
        count["changed", "all"] += before != after
        points, now = ([side["total"] for side in record["points"]] for record in (before, after))
        had, gets = (winner(of, others_are_one=several == 1) for of in (points, now))
        count["winner_changed", "all"] += had != gets
        for name, mine, theirs in (("wins_gained", gets, had), ("wins_lost", had, gets)):
            if mine not in (theirs, None):
                side = "dealer" if mine == "dealer" else "others"
                count[name, side] += Fraction(1, 1 if side == "dealer" else several)
        count["points_moved", "all"] += abs(sum(now) - sum(points))
        was, margin = (of[-1] - Fraction(sum(of[:-1]), len(of) - 1) for of in (points, now))
        count["margin_moved", "dealer"] += abs(margin - was)
    assert len(count) == 8
    for (name, side), total in count.items():
        row = find_row(frame, "other", name, side, "mean" if "moved" in name else "share")
        assert row["estimate"] == pytest.approx(float(total / hands)), name
        assert row["ci_low"] < row["estimate"] < row["ci_high"] or row["estimate"] == 1
    for side in ("dealer", "others") if base.sides == other.sides else ():
        net = float(count["wins_gained", side] - count["wins_lost", side]) / hands
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
    theirs = simulated(run, controls=False).filter(pl.col("value").is_null())
    both = levels.join(theirs, on=["quantity", "per", "side", "kind"], how="inner", suffix="_there")
    assert both.height >= 40
    for column in ("estimate", "std_error", "ci_low", "ci_high", "n"):
        assert both[column].to_list() == both[f"{column}_there"].to_list(), column


def test_a_rule_without_effect_on_hands_has_differences_of_zero() -> None:
    frame = table(comparison(build(), "short-game", "long-game", hands=500))
    differences = frame.filter(kind="difference")
    changes = frame.filter(pl.col("quantity").is_in([quantity.name for quantity in CHANGES]))
    assert (differences.height, changes.height) == (98, 2 * len(CHANGES))
    for column in ("estimate", "std_error", "ci_low", "ci_high"):
        assert set(differences[column]) == set(changes[column]) == {0.0}
    assert set(differences["exact"]) == set(changes["exact"]) == {"0"}
    assert differences["p_holm"].null_count() == differences["gain"].null_count() == 98


def test_an_effect_never_seen_has_an_interval() -> None:
    """In a hundred hands no cappotto changes anything, but some may: at most their share times the largest effect."""
    frame = table(comparison(build(), "cappotto-ten-points", hands=100))
    likely = 1 - 0.05 ** (1 / 100)
    largest = most(build(houses=["cappotto-ten-points"]))["total"]
    for quantity, effects in {"points": largest, "sweeps": 18, "wins_hand": 1, "points_piccola": 6}.items():
        row = find_row(frame, "cappotto-ten-points", quantity, "dealer")
        assert (row["estimate"], row["std_error"], row["p_holm"]) == (0.0, 0.0, 1.0)
        assert row["ci_high"] == -row["ci_low"] == pytest.approx(effects * likely), quantity
        assert effect(row) == "none seen"


def hand_bonus(rules: Rules) -> Fraction:
    """Exact points for the holdings of a hand; without misdeals each is any three cards of the pack."""
    [odds] = [odds for odds in first_deal_odds(rules) if odds.quantity == "points_hand_bonus"]
    return 12 * odds.exact


def test_intervals_cover_the_truth() -> None:
    """100 runs: 95% on average of these quantities, each at least 87%, 3.6 standard errors below; see ``estimates``.

    The truth is exact where it is known, else the mean of all runs.
    """
    hands, runs = 300, 100
    base = build(changes={"misdeal_count": 0})
    setup = comparison(base, "no-matta", hands=hands, seed=23)
    keys = [("points_hand_bonus", "all"), ("points", "others"), ("margin", "dealer"), ("margin_spread", "dealer"),
            ("wins_hand", "dealer"), ("sweeps", "all"), ("knock", "dealer")]  # fmt: skip
    tallies = [play_pairs(setup, run * hands, hands)[0] for run in range(runs)]
    whole = compared(setup, Folded(np.sum(tallies, axis=0), hands * runs, "hands"))
    truth = {key: find_row(whole, "no-matta", *key)["estimate"] for key in keys}
    truth["points_hand_bonus", "all"] = float(hand_bonus(house_rule(base, "no-matta")) - hand_bonus(base))
    held = dict.fromkeys(keys, 0)
    for tally in tallies:
        frame = compared(setup, Folded(tally, hands, "hands")).filter(rules="no-matta", kind="difference")
        for row in frame.iter_rows(named=True):
            if (key := (row["quantity"], row["side"])) in held:
                held[key] += row["ci_low"] <= truth[key] <= row["ci_high"]
    assert min(held.values()) >= 87, held
    assert 93 <= np.mean([*held.values()]) <= 97.5, held


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
        run_compare(build(), "no-matta", "short-game", "table-nine", hands=10_000, output=path, **way)
        files.append(path.read_bytes())
    assert files[0] == files[1] == files[2]


def test_a_file_of_another_comparison_is_not_resumed(tmp_path: Path) -> None:
    path, base = tmp_path / "x.parquet", build()
    names = ("no-matta", "table-nine")
    run_compare(base, *names, hands=500, output=path)
    for houses, options, message in (
        (names, {"seed": 2}, "seed is 1 there and 2 here"),
        (names, {"hands": 499}, "--hands '499' is less than the 500 hands"),
        (names, {"unpaired": True}, "unpaired is None there and True here"),
        (names[::-1], {}, "house is "),
    ):
        with pytest.raises(InputError, match=message):
            run_compare(base, *houses, **{"hands": 500} | options, resume=path)


@pytest.mark.parametrize("players", [2, 3])
def test_line_ups_name_sides(players: int) -> None:
    """The weaker dealer's side loses under either rule set."""
    line_up = "dealer=random, others=greedy"
    frame = cs.compare(house="no-matta", players=players, policy=line_up, hands=500, games=100).frame
    for rules, (quantity, kind) in itertools.product(
        ("cirulla", "no-matta"), {"wins_hand": "share", "wins_game": "probability"}.items()
    ):
        assert find_row(frame, rules, quantity, "dealer", kind)["estimate"] < 0.3


def test_house_rules_together_are_the_rules_with_both() -> None:
    both = "no-matta+simple-primiera"
    result = run_compare(build(players=2), both, hands=300)
    setup = Comparison({"base": build(players=2), both: build(players=2, houses=both.split("+"))},
                       LineUp.parse("greedy"), hands=300)  # fmt: skip
    assert result.frame.filter(rules=both).equals(table(setup).filter(rules=both))
    assert f"--house {both} " in result.command


# ------------------------------------------------------------------------------------------------ the command line


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
        ("", ["nothing to compare with", "--all-houses"]),
        ("--house no-matta+nomatta", ["--house", "'nomatta'", "did you mean 'no-matta'?"]),
        ("--house no-matta+queen-matta", ["'no-matta' and 'queen-matta' clash"]),
        ("--against cirulla", ["--against 'cirulla'", "compared already"]),
        ("--against scopa", ["'scopa' has 2 seats and 'cirulla' 4, so their deals cannot be shared", "--unpaired"]),
        ("--all-houses --only pints", ["--only", "'pints'", "did you mean 'points'?"]),
        ("--all-houses --unpaired --only winner_changed", ["--only", "'winner_changed'", "valid"]),
    ],
)
def test_invalid_input_is_refused_in_one_line(
    arguments: str, fragments: list[str], run: Callable[..., Any], tmp_path: Path
) -> None:
    code, out, err = run(*arguments.split())
    lines = [line for line in err.splitlines() if not line.startswith("Left out: ")]
    assert (code, out, len(lines)) == (2, "", 1), err
    assert lines[0].startswith("cirulla-sim: ")
    assert all(fragment in lines[0] for fragment in fragments), err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "options", ["--house piccola-seven --against cirulla-fantini --rule hand_low=5", "--against scopa --unpaired"]
)
def test_the_command_of_a_file_reproduces_it(options: str, run: Callable[..., Any]) -> None:
    options += " --policy greedy --hands 400 --format json -o x.parquet"
    code, out, _ = run(*options.split())
    rows = json.loads(out)
    assert code == 0
    assert list(rows[0]) == [*table_schema("rules"), "players", "policy", "seed"]
    _, metadata = read(Path("x.parquet"))
    assert metadata["schema"] == "compare/2"
    if "--unpaired" in options:
        assert not {quantity.name for quantity in CHANGES} & {row["quantity"] for row in rows}
        assert metadata["compared"]["scopa"]["players"] == 2
    else:  # a changed field applies to every rule set
        assert metadata["request"]["rules"]["fields"]["hand_low"] == 5
        assert metadata["compared"] == {"piccola-seven": {"piccola_max": 7}, "cirulla-fantini": {"table_low": 3}}
    assert run(*metadata["command"].split()[2:], "-o", "again.parquet")[0] == 0
    assert Path("again.parquet").read_bytes() == Path("x.parquet").read_bytes()
