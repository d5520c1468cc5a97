"""Stratified sampling for rules that few deals affect: the stratum, its probability, estimates and intervals."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

import cirulla_sim as cs
from cirulla_sim.core.cards import parse_many
from cirulla_sim.engine.chunks import deal_hands, play_rare, play_rows, row_names
from cirulla_sim.engine.engines import Run
from cirulla_sim.engine.first_tables import Stratum, stratum
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.exact.first_deal import holding_bonuses, holdings, misdeals, table_bonuses, tables
from cirulla_sim.experiments.compared_hands import (
    all_house_rules,
    compare_rule_sets,
    hand_measures,
    hands_table,
    house_rule,
)
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.line_up import LineUp

SELDOM = ("table-nine", "four-equal-wins", "three-equal-misdeal", "bury-table")


def table(base: Rules, *houses: str, hands: int, first: int = 0) -> pl.DataFrame:
    sets = {"base": base} | {house: house_rule(base, house) for house in houses}
    setup = compare_rule_sets(sets, LineUp.parse("greedy"), hands, 3)
    return hands_table(Run(setup, setup.play(first, hands)[0], hands, "hands"))


def differences(base: Rules, house: str, hands: int) -> dict[tuple[str, str], dict[str, Any]]:
    """Its differences from the base, and what changes."""
    rows = table(base, house, hands=hands).filter(pl.col("kind").ne("mean") | pl.col("quantity").str.contains("moved"))
    wanted = [row for row in rows.filter(rules=house).to_dicts() if row["kind"] != "share" or row["per"] == "hand"]
    return {(row["quantity"], row["side"]): row for row in wanted if row["kind"] != "probability"}


def found(base: Rules, rules: Rules) -> Stratum:
    deals = stratum(base, rules)
    assert deals is not None
    return deals


# ------------------------------------------------------------------------------------------------ which deals


@pytest.mark.parametrize(("policy", "hands"), [("random", 20_000), ("careful", 2000)])
@pytest.mark.parametrize("house", SELDOM)
def test_hands_change_exactly_where_the_first_table_is_in_the_stratum(house: str, policy: str, hands: int) -> None:
    """Checked in ordinary deals, except those whose first table is a misdeal under both rule sets."""
    rules = build(players=2)
    variant = house_rule(rules, house)
    ways = [play_rows(Experiment(of, (policy,), hands, 9), 0, hands)[1] for of in (rules, variant)]
    first = _masks(deal_hands(rules, 9, 0, hands, again=False).decks[:, :4])
    in_stratum = np.isin(first, found(rules, variant).tables)
    again = [np.isin(first, _masks(tables()[misdeals(of)])) for of in (rules, variant)]
    comparable = ~(again[0] & again[1]) | in_stratum
    assert in_stratum.any()
    assert ((ways[0] != ways[1]) == in_stratum)[comparable].all()
    assert comparable.mean() > 0.9


def _masks(cards: np.ndarray) -> np.ndarray:
    return (np.uint64(1) << cards.astype(np.uint64)).sum(axis=1)


def test_chances_are_counted() -> None:
    """Among all tables, or those that are no misdeal under both rule sets; at most three misdeals in a row."""
    base = build()
    names = {name for name, rules in all_house_rules(base)[0].items() if stratum(base, rules) is not None}
    assert names == set(SELDOM)
    nine = house_rule(base, "table-nine")
    played = ~misdeals(base)
    differ = (np.column_stack(table_bonuses(base)) != np.column_stack(table_bonuses(nine))).any(axis=1) & played
    deals = found(base, nine)
    assert deals.chance == Fraction(int(differ.sum()), int(played.sum()))
    assert sorted(deals.tables) == sorted(_masks(tables()[differ]))
    again = Fraction(int(misdeals(base).sum()), len(played))
    lost = found(*(replace(rules, misdeals_lose=3) for rules in (base, nine)))
    assert lost.chance == Fraction(int(differ.sum()), len(played)) * (1 + again + again**2)


def test_rules_without_an_exact_stratum_use_ordinary_deals() -> None:
    base = build()
    nine = house_rule(base, "table-nine")
    buried, lost = ({"misdeal_redeal": "table"}, {"misdeals_lose": 3})
    for change, house in ((buried, "table-nine"), (lost, "three-equal-misdeal"), (buried, "three-equal-misdeal")):
        changed = replace(base, **change)
        assert stratum(changed, house_rule(changed, house)) is None, (change, house)
    for rules in (base, replace(nine, piccola_max=7), replace(nine, misdeals_lose=3), replace(base, misdeal_count=1)):
        assert stratum(base, rules) is None
    arguments: dict[str, Any] = {"house": "table-nine", "hands": 200, "policy": "greedy", "players": 2}
    assert "seldom" not in cs.compare(**arguments, unpaired=True).metadata
    result = cs.compare(**arguments)
    assert result.metadata["seldom"] == {"table-nine": {"tables": 701, "chance": "701/87465"}}


def test_tables_and_orders_of_the_other_cards_are_uniform() -> None:
    """By results of the deal alone: the dealer's bonus depends on the table, knocks on the other low cards."""
    rules, hands = build(players=2, changes={"misdeal_count": 0}), 30_000
    tables_of = {1: "5h 4d 3c 3d", 2: "Kh Kd Qc Ac", 0: "6h 6d 6c Kh"}  # fifteen, thirty, nothing
    masks = np.array([sum(1 << card for card in parse_many(text)) for text in tables_of.values()], np.uint64)
    experiment = Experiment(rules, ("greedy",), hands, 5)
    rows, digests = play_rare(experiment, masks, 0, hands)
    assert len(np.unique(digests)) == hands
    assert play_rare(experiment, masks, 100, 50)[1].tolist() == digests[100:150].tolist()
    assert not set(digests) & set(play_rows(experiment, 0, hands)[1])
    names = row_names(rules)
    for kind, text in tables_of.items():
        mine = rows[rows[:, names.index("table_bonus_kind")] == kind]
        assert abs(len(mine) - hands / 3) < 4 * np.sqrt(hands * 2 / 9)
        left = np.setdiff1d(np.arange(40), parse_many(text))
        bonus = holding_bonuses(rules)[1][np.isin(holdings(), left).all(axis=1)].mean()
        for side in range(2):
            points = mine[:, names.index(f"side{side}_hand_bonus")] / 6
            assert abs(points.mean() - bonus) < 4.5 * points.std() / np.sqrt(len(mine))


# ------------------------------------------------------------------------------------------------ what is estimated


def test_effects_on_tables_agree_with_exact_counts() -> None:
    base = build(players=2)
    played = ~misdeals(base)
    points = [table_bonuses(rules)[1][played].mean() for rules in (base, house_rule(base, "table-nine"))]
    rows = differences(base, "table-nine", 4000)
    row = rows["points_table_bonus", "dealer"]
    assert abs(row["estimate"] - (points[1] - points[0])) < 4 * row["std_error"] < 0.002
    chances = [float(found(base, house_rule(base, house)).chance) for house in ("table-nine", "four-equal-wins")]
    assert rows["changed", "all"]["estimate"] == pytest.approx(chances[0])
    row = differences(base, "four-equal-wins", 2000)["table_wins", "dealer"]  # whenever such a table is dealt
    assert row["estimate"] == pytest.approx(chances[1])
    assert 0.99 * row["estimate"] < row["ci_low"] < row["estimate"] == row["ci_high"]
    assert row["p_holm"] < 1e-9
    # Three equal are dealt again until they are not.
    again = [float(misdeals(rules).mean()) for rules in (base, house_rule(base, "three-equal-misdeal"))]
    row = differences(base, "three-equal-misdeal", 4000)["misdeals", "all"]
    truth = again[1] / (1 - again[1]) - again[0] / (1 - again[0])
    assert abs(row["estimate"] - truth) < 4 * row["std_error"]


@pytest.mark.parametrize(
    ("house", "players"), [("four-equal-wins", 2), ("three-equal-misdeal", 2), ("table-nine", 3), ("bury-table", 4)]
)
def test_estimates_agree_with_ordinary_deals(house: str, players: int) -> None:
    """Every quantity agrees with 40,000 ordinary hands within the errors, and has the precision of far more hands."""
    base, hands, few = build(players=players), 40_000, 4000
    rules = [base, house_rule(base, house)]
    rows_of = [play_rows(Experiment(of, ("greedy",), hands, 7), 0, hands)[0] for of in rules]
    x, y = (hand_measures(of).numbers(of, rows) for of, rows in zip(rules, rows_of, strict=True))
    usual = {
        (quantity.name, quantity.side): d / hand_measures(base).scale(quantity, base).several
        for quantity, d in zip(hand_measures(base).quantities, y - x, strict=True)
    } | changes_of(base, *rows_of)
    rows, ratios, chance = differences(base, house, few), [], float(found(*rules).chance)
    for key, d in usual.items():
        row, error = rows[key], float(d.std(ddof=1)) / np.sqrt(hands)
        if error:  # too small itself where few hands differ
            likely = max(error, row["std_error"] * np.sqrt(few / hands / chance))
            assert abs(row["estimate"] - d.mean()) <= 4.5 * np.hypot(likely, row["std_error"]), key
            if row["std_error"]:
                ratios.append(error * np.sqrt(hands / few) / row["std_error"])
    assert np.median(ratios) == pytest.approx(chance**-0.5, rel=0.35)
    row, spread = rows["margin_spread", "dealer"], (y[-1].std() - x[-1].std()) / (base.sides - 1)
    assert abs(row["estimate"] - spread) < 4.5 * row["std_error"] * np.hypot(1, np.sqrt(few / hands / chance))


def changes_of(base: Rules, *rows: np.ndarray) -> dict[tuple[str, str], np.ndarray]:
    """What changes in each hand: who wins, and by how much the points and the margin move."""
    names = row_names(base)
    wins, points = (
        np.array([[of[:, names.index(f"side{side}_{name}")] for side in range(base.sides)] for of in rows], float)
        for name in ("wins", "total")
    )
    gained, margin = wins[1] > wins[0], points[:, -1] - points[:, :-1].mean(axis=1)
    return {
        ("winner_changed", "all"): (wins[0] != wins[1]).any(axis=0),
        ("wins_gained", "dealer"): gained[-1], ("wins_gained", "others"): gained[:-1].mean(axis=0),
        ("points_moved", "all"): abs(np.diff(points.sum(axis=1), axis=0)[0]),
        ("margin_moved", "dealer"): abs(np.diff(margin, axis=0)[0]),
    }  # fmt: skip


@pytest.mark.slow
def test_intervals_cover_the_truth() -> None:
    """In 50 small runs the mean coverage of all quantities is 93 to 97.5%, of each at least 84%."""
    base, hands, runs, houses = build(players=2), 300, 50, ("table-nine", "three-equal-misdeal")
    truth = table(base, *houses, hands=40_000, first=10**9)["estimate"].to_numpy()
    parts = [table(base, *houses, hands=hands, first=run * hands) for run in range(runs)]
    held = np.mean([(part["ci_low"] <= truth) & (part["ci_high"] >= truth) for part in parts], axis=0)
    keys = parts[0].select("rules", "quantity", "side", "kind").rows()
    wanted = ("points", "margin", "wins_hand", "margin_spread", "captures", "points_table_bonus", "sweeps")
    shares = {key: share for key, share in zip(keys, held, strict=True) if key[1] in wanted and key[0] != "base"}
    assert 0.93 <= np.mean(list(shares.values())) <= 0.975
    assert {key: share for key, share in shares.items() if share < 0.84} == {}
