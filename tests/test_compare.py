"""Comparing rule sets, by hands and by whole games: against single ones and exact truths; the same command; errors."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import cirulla_sim as cs
from cirulla_sim.core.numerals import effect
from cirulla_sim.engine.chunks import game_row_names, play_rows, row_names
from cirulla_sim.engine.engines import Run
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Games
from cirulla_sim.experiments.compared_hands import CHANGES, compare_rule_sets, hands_table, house_rule
from cirulla_sim.experiments.comparison import Comparison
from cirulla_sim.experiments.game_quantities import game_rows
from cirulla_sim.experiments.runner import Execution
from cirulla_sim.experiments.tally import holm_corrected
from cirulla_sim.experiments.win_chance import measure_chances
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.ruleset.scoring import most
from cirulla_sim.situation.line_up import LineUp
from cirulla_sim.stats.decisions import at_level, holm, holm_levels
from cirulla_sim.storage.tables import read_table

Row = dict[str, Any]
GREEDY: dict[str, Any] = {"policy": "greedy", "progress": False}


def comparison(base: Rules, *names: str, **options: Any) -> Comparison:
    """House rules against the rules without them, greedy play."""
    sets = {"cirulla": base} | {name: house_rule(base, name) for name in names}
    return compare_rule_sets(sets, LineUp.parse("greedy"), **options)


def table(pairs: Comparison) -> pl.DataFrame:
    """The table of all hands, played in one chunk, each comparison by itself."""
    return hands_table(Run(pairs, pairs.play(0, pairs.number)[0], pairs.number, "hands"))


def find_row(frame: pl.DataFrame, rules: str, quantity: str, side: str, kind: str = "difference") -> Row:
    return frame.filter(rules=rules, quantity=quantity, side=side, kind=kind).row(0, named=True)


@pytest.mark.parametrize(
    ("players", "house", "unpaired"),
    [(4, "no-matta", False), (3, "simple-primiera", False), (3, "no-matta", True)],
)
def test_differences_match_the_rows_of_single_hands(players: int, house: str, unpaired: bool) -> None:
    base, hands = build(players=players), 3000
    setup = comparison(base, house, hands=hands, seed=5, unpaired=unpaired)
    frame = table(setup)
    without, with_rule = setup.arms.values()
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
        if quantity in ("points", "margin"):  # others may be rare, with an interval that is wider
            assert (row["ci_high"] - row["ci_low"]) / 2 == pytest.approx(1.96 * error, rel=2e-3)
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
    [(3, {"houses": ["no-matta"]}), (4, {"houses": ["queen-matta"]}), (4, {"changes": {"partnership": False}})],
    ids=["3", "4", "with and without partners"],
)  # fmt: skip
def test_changes_match_a_recount_of_hand_records(players: int, change: dict[str, Any]) -> None:
    """Who wins each hand under both rule sets, and its points, in plain Python."""
    base, other, hands = build(players=players), build(players=players, **change), 400
    setup = compare_rule_sets({"base": base, "other": other}, LineUp.parse("greedy"), hands, 5)
    frame, several = table(setup), base.sides - 1 if base.sides == other.sides else 1
    count: Counter[tuple[str, str]] = Counter()
    for hand in range(hands):
        before, after = (hand_record(of, hand) | {"rules": None} for of in setup.arms.values())
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


def test_a_rule_without_effect_on_hands_has_differences_of_zero() -> None:
    frame = table(comparison(build(), "short-game", "long-game", hands=500))
    differences = frame.filter(kind="difference")
    changes = frame.filter(pl.col("quantity").is_in([quantity.name for quantity in CHANGES]))
    assert changes.height == 2 * len(CHANGES) < differences.height
    for column in ("estimate", "std_error", "ci_low", "ci_high"):
        assert set(differences[column]) == set(changes[column]) == {0.0}
    assert set(differences["exact"]) == set(changes["exact"]) == {"0"}
    assert differences["p_holm"].null_count() == differences["gain"].null_count() == differences.height


def test_games_are_played_where_only_their_end_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cirulla_sim.verbs.compare.USUAL_GAMES", 60)
    asked: dict[str, Any] = {"players": 2, "hands": 200, "progress": False, **GREEDY}
    longer = cs.compare(house="long-game", **asked)
    assert "Only whole games differ, so 60 are played too (--games N)." in longer.remarks
    assert longer.metadata["command"].endswith(" --games 60")
    assert longer.frame.filter(quantity="hands", kind="difference")["estimate"].item() > 1
    assert str(longer).startswith("With a target of 101 a game is 5 hands longer.")
    assert longer == cs.compare(house="long-game", games=60, **asked)
    mixed = cs.compare(house=["long-game", "no-matta"], **asked)
    assert mixed.frame.filter(quantity="hands").is_empty()
    assert cs.compare(house="open-partners", **asked | {"players": 4}).frame.filter(quantity="hands").is_empty()


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


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_agrees_with_the_step_down_test(ps: list[float]) -> None:
    corrected = holm(ps)
    for level in (0.01, 0.05, 0.5):
        rejected, left = set(), sorted(range(len(ps)), key=lambda i: ps[i])
        while left and ps[left[0]] * len(left) <= level:
            rejected.add(left.pop(0))
        assert {i for i, p in enumerate(corrected) if p <= level} == rejected


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.floats(-6, 6), min_size=1, max_size=30), st.integers(2, 200))
def test_a_difference_is_significant_if_and_only_if_its_interval_leaves_out_0(zs: list[float], freedom: int) -> None:
    """Of Student's intervals: each at its level is that of scipy to 2%, and none is narrower than 95%."""
    usual = stats.t.ppf(0.975, freedom)
    ps = [2 * stats.t.sf(abs(z), freedom) for z in zs]
    for z, p, level, adjusted in zip(zs, ps, holm_levels(ps), holm(ps), strict=True):
        low, high = at_level({"estimate": z, "ci_low": z - usual, "ci_high": z + usual}, p, level)
        assert (adjusted <= 0.05) == (low > 0 or high < 0)
        assert high - low >= 2 * usual * (1 - 1e-9)
        if freedom > 50:
            assert (high - low) / 2 == pytest.approx(stats.t.ppf(1 - level / 2, freedom), rel=0.03)


@pytest.mark.parametrize("options", [{}, {"precision": 1e-9}, {"unpaired": True}])
def test_nothing_significant_is_in_parentheses_and_no_other_interval_leaves_out_0(options: dict[str, Any]) -> None:
    arguments = {"house": ["simple-primiera", "open-last-stage", "matta-reverts", "table-nine"], "hands": 400}
    frame = cs.compare(**arguments, **options, players=2, games=40 if not options else None, **GREEDY).frame
    tested = frame.drop_nulls("p_holm").to_dicts()
    assert len(tested) > 100
    for row in tested:
        assert (row["p_holm"] <= 0.05) == (row["ci_low"] > 0 or row["ci_high"] < 0), row


def test_house_rules_together_are_the_rules_with_both() -> None:
    both = "no-matta+simple-primiera"
    result = cs.compare(players=2, house=both, hands=300, **GREEDY)
    setup = compare_rule_sets({"base": build(players=2), both: build(players=2, houses=both.split("+"))},
                       LineUp.parse("greedy"), hands=300)  # fmt: skip
    assert result.frame.filter(rules=both).equals(holm_corrected(table(setup)).filter(rules=both))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "nothing to compare with"),
        ("--house no-matta+queen-matta", "'no-matta' and 'queen-matta' clash"),
        ("--against scopa", "'scopa' has 2 seats and 'cirulla' 4, so their deals cannot be shared"),
        ("--all-houses --only pints", "did you mean 'points'?"),
    ],
)
def test_invalid_input_is_refused_in_one_line(words: str, message: str, run: Any) -> None:
    code, out, err = run("compare", *words.split())
    [line] = [line for line in err.splitlines() if not line.startswith("Left out: ")]
    assert (code, out) == (2, "")
    assert message in line


def test_a_single_field_is_compared_with_the_rules_without_it(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("compare", "--rule", "hand_triple=5", "--policy", "greedy", "--hands", 400, "-o", "x.parquet")[0] == 0
    frame, metadata = read_table(Path("x.parquet"))[:2]
    assert metadata["compared"] == {"hand_triple=5": {"hand_triple": 5}}
    assert metadata["request"]["rules"]["fields"]["hand_triple"] == 10
    five = compare_rule_sets({"cirulla": build(), "hand_triple=5": build(changes={"hand_triple": 5})},
                      LineUp.parse("greedy"), hands=400)  # fmt: skip
    assert frame.equals(holm_corrected(table(five)))
    assert cs.read("x.parquet").describe().startswith("By the rule “hand_triple=5” a hand brings ")
    code, _, err = run("compare", "--rule", "hand_triple=10")
    assert (code, "the rules have it already" in err) == (2, True)
    with_house = cs.compare(house="no-matta", rule="hand_triple=5", hands=100, **GREEDY)  # of both rule sets
    assert with_house.metadata["request"]["rules"]["fields"]["hand_triple"] == 5


@pytest.mark.parametrize(
    "words", ["--house piccola-seven --against cirulla-fantini --rule hand_low=5", "--against scopa --unpaired"]
)
def test_the_command_of_a_file_reproduces_it(
    words: str, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = run("compare", *f"{words} --policy greedy --hands 400 --format json -o x.parquet".split())
    rows, metadata = json.loads(out), read_table(Path("x.parquet"))[1]
    assert code == 0
    if "--unpaired" in words:
        assert not {quantity.name for quantity in CHANGES} & {row["quantity"] for row in rows}
        assert metadata["compared"]["scopa"]["players"] == 2
    else:  # a changed field applies to every rule set
        assert metadata["request"]["rules"]["fields"]["hand_low"] == 5
        assert metadata["compared"] == {"piccola-seven": {"piccola_max": 7}, "cirulla-fantini": {"table_low": 3}}
    assert run(*metadata["command"].split()[1:], "-o", "again.parquet")[0] == 0
    assert Path("again.parquet").read_bytes() == Path("x.parquet").read_bytes()


def test_rules_together_lead_where_each_is_compared_by_itself_too() -> None:
    together = "queen-matta+no-triple-bonus"
    houses = ["queen-matta", "no-triple-bonus", together]
    found = cs.compare(house=houses, hands=4000, policy="greedy", progress=False).text()
    assert found.startswith(
        "With the queen of hearts as the matta and without a bonus for three equal cards a hand brings"
    )
    assert (
        cs.compare(house=houses[:2], hands=4000, policy="greedy", progress=False).text().startswith("Without a bonus")
    )


CIRULLA = build("cirulla", players=2)
Key = tuple[str, str, str]


def rows_of(variant: Rules, games: int = 600, **named: Any) -> dict[Key, dict[str, Any]]:
    comparison = compare_rule_sets({"base": CIRULLA, "variant": variant}, LineUp.parse("greedy"), 4_000, 3, **named)
    rows = game_rows(comparison, games, Execution(threads=2))
    return {(row["rules"], row["quantity"], row["kind"]): row for row in rows}


def games_of(rules: Rules, games: int) -> dict[str, np.ndarray]:
    """The columns of the rows of games."""
    _, rows = Games(rules, ("greedy",), games, 3).play(0, games, rows=True)
    return dict(zip(game_row_names(rules), rows.T.astype(int), strict=True))


@pytest.mark.parametrize("house", ["no-matta", "short-game"])
def test_differences_are_paired_game_by_game(house: str) -> None:
    variant = build("cirulla", players=2, houses=[house])
    table, (x, y) = rows_of(variant), (games_of(rules, 600) for rules in (CIRULLA, variant))
    for name in ("hands", "lead_changes", "comeback"):
        difference, row = y[name] - x[name], table["variant", name, "difference"]
        assert row["estimate"] == pytest.approx(difference.mean())
        assert row["std_error"] == pytest.approx(difference.std(ddof=1) / np.sqrt(600))
        assert table["variant", name, "mean"]["estimate"] == pytest.approx(y[name].mean())


@pytest.mark.parametrize(
    ("base", "change"),
    [
        (CIRULLA, {"target": 26}),
        (build(players=3), {"matta": None}),
        (build(), {"partnership": False}),
        (build(players=3, changes={"misdeal_count": 1}), {"misdeals_lose": 3}),  # the dealer loses: two win
    ],
    ids=["2", "3", "with and without partners", "several winners"],
)
def test_changes_match_a_recount_of_games(base: Rules, change: dict[str, Any]) -> None:
    """Who wins each game under both rule sets, and its length, in plain Python."""
    other, games = replace(base, **change), 400
    comparison = compare_rule_sets({"base": base, "other": other}, LineUp.parse("greedy"), 100, 3)
    rows = {(row["quantity"], row["side"]): row for row in game_rows(comparison, games, Execution(threads=1))}
    one, count = base.sides != other.sides, Counter[tuple[str, str]]()
    before, after = games_of(base, games), games_of(other, games)
    for game in range(games):
        had = winners(int(before["winners"][game]), base.sides, one)
        gets = winners(int(after["winners"][game]), other.sides, one)
        count["game_winner_changed", "all"] += had != gets
        count["hands_moved", "all"] += abs(int(after["hands"][game] - before["hands"][game]))
        for name, won in (("games_gained", gets - had), ("games_lost", had - gets)):
            count[name, "dealer"] += "dealer" in won
            count[name, "others"] += len(won - {"dealer"}) / (1 if one else base.sides - 1)
    assert len(count) == 6
    for key, total in count.items():
        assert rows[key]["estimate"] == pytest.approx(total / games), key
        assert rows[key]["ci_low"] < rows[key]["estimate"] < rows[key]["ci_high"], key
    assert count["games_gained", "dealer"] != count["games_gained", "others"]
    assert count["games_gained", "dealer"] != count["games_lost", "dealer"]


def winners(mask: int, sides: int, others_are_one: bool) -> set[str]:
    """The sides of a mask, the first dealer's last."""
    names = [*("others" if others_are_one else str(side) for side in range(sides - 1)), "dealer"]
    return {name for side, name in enumerate(names) if mask >> side & 1}


def test_chances_to_win_are_the_chains_paired_and_compared_by_students_t_over_batches() -> None:
    """20 batches leave 19 degrees of freedom."""
    variant = build("cirulla", players=2, houses=["table-nine"])
    rows = rows_of(variant)
    x, y = (measure_chances(rules, ("greedy",), 4_000, 3) for rules in (CIRULLA, variant))
    assert rows["base", "wins_game", "probability"]["estimate"] == pytest.approx(x.chances[0, 0, 0])
    row = rows["variant", "wins_game", "difference"]
    assert row["estimate"] == pytest.approx(y.chances[0, 0, 0] - x.chances[0, 0, 0])
    assert row["std_error"] == pytest.approx(stats.sem(y.batches[:, 0, 0, 0] - x.batches[:, 0, 0, 0]))
    assert row["gain"] > 3  # a rule that touches one hand in a hundred
    plain = 2 * stats.t.sf(abs(row["estimate"] / row["std_error"]), 19)
    assert row["p_holm"] == pytest.approx(plain, rel=1e-6)  # not corrected yet
    assert row["ci_high"] - row["estimate"] == pytest.approx(stats.t.ppf(0.975, 19) * row["std_error"], rel=1e-3)


def test_a_rule_that_changes_nothing_changes_no_game_and_unpaired_games_have_no_changes() -> None:
    rows = rows_of(build("cirulla", players=2, changes={"open_partners": "false"}))
    differences = [row for (_, _, kind), row in rows.items() if kind == "difference"]
    assert all(row["estimate"] == 0 and row["ci_low"] < 0 < row["ci_high"] for row in differences)
    rows = rows_of(build("cirulla", players=2, houses=["no-matta"]), unpaired=True)
    assert {kind for rules, _, kind in rows if rules == "variant"} == {"mean", "probability", "difference"}
