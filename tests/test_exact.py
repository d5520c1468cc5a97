"""The exact first deal against the referee, card by card, and against what can be counted by hand."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import asdict, replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import polars as pl
import pytest
from referee import hand_bonuses, table_bonus, table_status
from referee.cards import PACK, own_value, rank_of

from cirulla_sim.core.numerals import one_in
from cirulla_sim.exact import first_deal as exact
from cirulla_sim.exact.first_deal import HandBonus, TableBonus, first_deal_odds
from cirulla_sim.questions.answers import first_deal
from cirulla_sim.ruleset.catalogue import house_names, preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.storage.tables import SCHEMA

HOLDINGS, TABLES = comb(40, 3), comb(40, 4)
CIRULLA = build("cirulla")
EXTRA = {
    "ace-matta": {"matta": "Ah"},
    "queen-matta-low-ace": {"matta": "Qh", "matta_low": "ace", "hand_both": "sum"},
    "matta-ace-sum": {"matta_low": "ace", "hand_both": "sum"},
    "low-dearer": {"hand_low": 5, "hand_triple": 2},
    "low-dearer-matta-ace": {"hand_low": 5, "hand_triple": 2, "matta_low": "ace"},
    "equal-prices": {"hand_low": 3, "hand_triple": 3},
    "both-dearer-than-triple": {"hand_triple": 1, "hand_both": 3},
    "both-cheaper-than-low": {"hand_triple": 0, "hand_both": 1},
    "both-worthless": {"hand_both": 0},
    "both-only": {"hand_low": 0, "hand_triple": 0, "hand_both": 4},
    "no-triple-sum": {"hand_triple": 0, "hand_both": "sum"},
    "low-table-cheap": {"table_low": 1, "table_15": 3},
    "low-table-even": {"table_low": 1, "table_15": 1},
    "sevens-misdeal": {"misdeal_rank": "7", "misdeal_count": 1, "misdeal_three_equal": True},
    "wins-and-three-equal": {"misdeal_three_equal": True, "table_four_equal_wins": True, "matta": None},
}


CASES = [
    *(pytest.param(build(name), id=name) for name in preset_names()),
    *(pytest.param(build("cirulla", houses=[house]), id=house) for house in house_names()),
    *(pytest.param(build("cirulla", changes=changes), id=name) for name, changes in EXTRA.items()),
]


@cache
def every_holding() -> list[list[str]]:
    return named(exact.holdings())


def named(rows: np.ndarray) -> list[list[str]]:
    return [[PACK[card] for card in row] for row in rows.tolist()]


@cache
def referee_holdings(*relevant: tuple[str, Any]) -> list[set[tuple[int, int | None]]]:
    """The referee's claims for every holding; cached, as most rules do not concern them."""
    return [hand_bonuses(dict(relevant), cards) for cards in every_holding()]


def claims_of_all_holdings(rules: Rules) -> list[set[tuple[int, int | None]]]:
    concerned = ("matta", "matta_low", "hand_low", "hand_triple", "hand_both")
    return referee_holdings(*((name, getattr(rules, name)) for name in concerned))


def kind_by_referee(rules: Rules, cards: list[str], claims: set[tuple[int, int | None]]) -> HandBonus:
    """The kind of a claim, spelled out from the values its cards may have."""
    kinds = set()
    for points, matta_as in claims:
        read = [own_value(card) if card != rules.matta else matta_as for card in cards]
        equal, low = len(set(read)) == 1, sum(read) <= 9 and (rules.matta_low == "choose" or matta_as in (None, 1))
        if equal and not (low and points == rules.hand_low and rules.hand_triple == 0):
            kinds.add(HandBonus.TRIPLE)
        else:
            assert low
            no_ace = rules.matta not in cards and all(rank_of(card) != "A" for card in cards)
            kinds.add(HandBonus.LOW_NO_ACE if no_ace else HandBonus.LOW)
    return max(kinds, default=HandBonus.NONE)


def check_tables(rules: Rules, rows: np.ndarray) -> None:
    """Status and bonus of these rows of ``tables()`` as the referee gives them."""
    fields = asdict(rules)
    kind, points = exact.table_bonus(rules)
    misdealt, won = exact.misdeals(rules), exact.wins(rules)
    prices = {
        TableBonus.NONE: 0,
        TableBonus.LOW: rules.table_low,
        TableBonus.THIRTY: rules.table_30,
        TableBonus.FIFTEEN: rules.table_15,
    }
    assert points.tolist() == [prices[TableBonus(k)] for k in kind.tolist()]
    for row, cards in zip(rows.tolist(), named(exact.tables()[rows]), strict=True):
        status = "win" if won[row] else "misdeal" if misdealt[row] else "play"
        assert status == table_status(fields, cards), cards
        bonus = table_bonus(fields, cards)
        assert points[row] == (bonus["points"] if bonus else 0), cards
        if bonus:
            rest = sum(own_value(card) for card in cards if card != rules.matta)
            totals = {rest + (matta_as or 0) for matta_as in bonus["matta_as"]}
            fits = {TableBonus.FIFTEEN: 15 in totals, TableBonus.THIRTY: 30 in totals, TableBonus.LOW: min(totals) <= 9}
            best = [k for k in fits if fits[k] and prices[k] == bonus["points"]]
            assert kind[row] == best[0], cards


# ------------------------------------------------------------------------------------------------ against the referee


@pytest.mark.parametrize("rules", CASES)
def test_holdings_agree_with_the_referee(rules: Rules) -> None:
    kind, points = exact.hand_bonus(rules)
    claims = claims_of_all_holdings(rules)
    assert points.tolist() == [max((points for points, _ in some), default=0) for some in claims]
    cards = every_holding()
    assert kind.tolist() == [kind_by_referee(rules, *pair) for pair in zip(cards, claims, strict=True)]


@pytest.mark.parametrize("rules", [case for case in CASES if case.values[0].table_cards])
def test_tables_agree_with_the_referee(rules: Rules) -> None:
    misdealt, won = exact.misdeals(rules), exact.wins(rules)
    sample = random.Random(2024).sample(range(TABLES), 3000)
    rare = random.Random(7).sample(np.flatnonzero(misdealt).tolist(), min(300, int(misdealt.sum())))
    check_tables(rules, np.array([*sample, *rare, *np.flatnonzero(won).tolist()]))


@pytest.mark.parametrize("preset", ["cirulla", "cirulla-tournament"])
def test_all_tables_agree_with_the_referee(preset: str) -> None:
    check_tables(build(preset), np.arange(TABLES))


def test_an_empty_table_has_no_bonus() -> None:
    rules = build("cirulla", changes={"table_cards": 0, "deal_plan": "10", "misdeal_three_equal": True})
    assert not (exact.misdeals(rules).any())
    assert not (exact.wins(rules).any())
    assert not (exact.table_bonus(rules)[1].any())
    assert {odds.per for odds in first_deal_odds(rules)} == {"holding"}


# ------------------------------------------------------------------------------------------------ counted by hand


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_combinations_agree_with_itertools(size: int) -> None:
    rows = exact.combinations(size)
    assert rows.dtype == np.uint8
    assert not rows.flags.writeable
    assert list(map(tuple, rows.tolist())) == list(combinations(range(40), size))


def odds_of(rules: Rules) -> dict[tuple[str, str], Fraction]:
    return {(odds.quantity, odds.per): odds.exact for odds in first_deal_odds(rules)}


def test_triples_by_hand() -> None:
    natural_without_matta = 10 * comb(4, 3) - comb(3, 2)
    pairs_beside_matta = 9 * comb(4, 2) + comb(3, 2)
    assert odds_of(CIRULLA)["hand_triple", "holding"] == Fraction(natural_without_matta + pairs_beside_matta, HOLDINGS)
    no_matta = build("cirulla", houses=["no-matta"])
    assert odds_of(no_matta)["hand_triple", "holding"] == Fraction(10 * comb(4, 3), HOLDINGS)


def test_low_without_ace_by_hand() -> None:
    """No ace, no matta, total of nine or less, ranks not all equal: 2-2-3, 2-2-4, 2-2-5, 2-3-3 and 2-3-4."""
    assert odds_of(CIRULLA)["hand_low_no_ace", "holding"] == Fraction(4 * comb(4, 2) * 4 + 4**3, HOLDINGS)


def test_points_per_holding_are_chances_times_bonuses() -> None:
    odds = odds_of(CIRULLA)
    low, triple = odds["hand_low", "holding"], odds["hand_triple", "holding"]
    assert odds["points_hand_bonus", "holding"] == 3 * low + 10 * triple
    assert odds["knock", "holding"] == low + triple


@pytest.mark.parametrize("preset", ["cirulla", "scopa", "cirulla-parlett"])
def test_two_of_a_rank_are_a_misdeal_by_hand(preset: str) -> None:
    assert odds_of(build(preset))["misdeal", "table"] == 1 - Fraction(comb(36, 4) + 4 * comb(36, 3), TABLES)


def test_wins_by_hand() -> None:
    """Ten fours, and the matta beside three of another rank."""
    tournament = odds_of(build("cirulla-tournament"))
    assert tournament["table_wins", "table"] == Fraction(10 + 9 * comb(4, 3), TABLES)
    assert tournament["misdeals_in_a_row", "hand"] == tournament["misdeal", "table"] ** 3
    aces_only = odds_of(build("cirulla", houses=["four-equal-wins"]))
    assert odds_of(CIRULLA)["misdeal", "table"] - aces_only["misdeal", "table"] == Fraction(1 + comb(4, 3), TABLES)


def test_three_equal_misdeals_by_hand() -> None:
    """Two aces or more, or another rank four times, or three times beside anything but the matta, itself a seven."""
    aces = comb(4, 2) * comb(36, 2) + comb(4, 3) * 36 + 1
    others = 8 * (comb(4, 3) * 35 + 1) + (comb(4, 3) * 36 + 1)
    rules = build("cirulla", houses=["three-equal-misdeal"])
    assert odds_of(rules)["misdeal", "table"] == Fraction(aces + others, TABLES)


def test_tables_of_fifteen_without_matta_by_hand() -> None:
    """Multisets of four values with total 15, each counted with its cards: a generating function of the pack."""
    ways = {(0, 0): 1}
    for card in PACK:
        for (size, total), count in list(ways.items()):
            ways[size + 1, total + own_value(card)] = ways.get((size + 1, total + own_value(card)), 0) + count
    odds = odds_of(build("cirulla", houses=["no-matta", "table-nine"]))
    assert odds["table_15", "table"] == Fraction(ways[4, 15], TABLES)
    assert odds["table_30", "table"] == Fraction(ways[4, 30], TABLES)
    assert odds["table_low", "table"] == Fraction(sum(ways.get((4, n), 0) for n in range(10)), TABLES)


def test_played_tables_are_those_without_misdeals() -> None:
    for rules in (CIRULLA, build("cirulla-tournament")):
        out = exact.misdeals(rules) | exact.wins(rules)
        kind, _ = exact.table_bonus(rules)
        share = Fraction(int((kind[~out] == TableBonus.THIRTY).sum()), int((~out).sum()))
        assert odds_of(rules)["table_30", "hand"] == share


# ------------------------------------------------------------------------------------------------ buried tables


def test_buried_tables_as_dealt() -> None:
    """The share of tables without an ace when misdeals are buried, from deals made with real cards."""
    rules = build("cirulla-parlett")
    rng, aces, deals, none = random.Random(5), set(range(4)), 150_000, 0
    for _ in range(deals):
        stock = rng.sample(range(40), 28)
        table = set(stock[:4])
        while len(table & aces) >= 2:
            table = set(rng.sample([card for card in stock if card not in table], 4))
        none += not table & aces
    shares, _ = exact.burials(rules)
    expected = float(shares[0])
    assert abs(none / deals - expected) < 4 * (expected * (1 - expected) / deals) ** 0.5
    assert abs(expected - comb(36, 4) / (comb(36, 4) + 4 * comb(36, 3))) > 0.005


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_buried_tables_in_the_limit(count: int, players: int) -> None:
    """The closed form of the limit agrees with many single steps; the shares are those of played tables."""
    rules = build("cirulla-parlett", players=players, changes={"misdeal_count": count})
    shares, _ = exact.burials(rules)
    stepped = [0.0] * count
    for ranked in range(5):
        pool = 40 - 3 * players
        row = [hypergeometric(4 - ranked, pool, k) * hypergeometric(4, 40, ranked, 3 * players) for k in range(5)]
        for _ in range(200):
            stepped = [share + row[k] for k, share in enumerate(stepped)]
            again = range(count, 5 - ranked)
            row = [sum(row[k] * hypergeometric(4 - ranked - k, pool - 4, j) for k in again) for j in range(5)]
    assert sum(shares) == 1
    assert [float(share) for share in shares] == pytest.approx(stepped, abs=1e-12)


def hypergeometric(good: int, pack: int, hits: int, drawn: int = 4) -> float:
    return comb(good, hits) * comb(pack - good, drawn - hits) / comb(pack, drawn) if hits <= drawn else 0.0


def test_buried_misdeals_in_a_row() -> None:
    """Redealt from the rest of the stock, three misdeals in a row need all aces: two, the other two, the first two."""
    rules = build("cirulla-parlett", changes={"misdeals_lose": 3})
    first_two = Fraction(comb(4, 2) * comb(36, 2), TABLES) * Fraction(comb(34, 2), comb(36, 4))
    back_in_the_stock = Fraction(comb(2, 2) * comb(22, 2), comb(24, 4))
    assert exact.misdeals_in_a_row(rules) == first_two * back_in_the_stock
    shuffled = replace(rules, misdeal_redeal="all")
    assert exact.misdeals_in_a_row(shuffled) == odds_of(shuffled)["misdeal", "table"] ** 3


def test_buried_tables_left_to_simulation() -> None:
    """If three equal cards are buried too, the odds per hand are omitted rather than wrong."""
    buried = odds_of(build("cirulla-tournament", houses=["bury-table"]))
    assert {per for _, per in buried} == {"holding", "table"}
    no_stock = odds_of(build("cirullone", houses=["bury-table"]))
    assert no_stock == odds_of(build("cirullone"))
    exchanged = odds_of(build("cirulla-parlett", changes={"deal_plan": "8,1"}))
    assert exchanged["table_15", "hand"] == odds_of(CIRULLA)["table_15", "hand"]


# ------------------------------------------------------------------------------------------------ the result table


@pytest.mark.parametrize("rules", CASES)
def test_rules_that_are_off_are_left_out(rules: Rules) -> None:
    names = {odds.quantity for odds in first_deal_odds(rules)}
    assert ("hand_low" in names) == (rules.hand_low > 0)
    assert ("table_15" in names) == bool(rules.table_cards and rules.table_15)
    assert ("table_low" in names) == bool(rules.table_cards and rules.table_low)
    assert ("table_wins" in names) == rules.table_four_equal_wins
    assert ("misdeals_in_a_row" in names) == bool(rules.misdeals_lose)
    assert ("misdeal" in names) == bool(rules.table_cards and (rules.misdeal_count or rules.misdeal_three_equal))


def test_no_triple_bonus_counts_three_equal_as_low() -> None:
    odds = odds_of(build("cirulla", houses=["no-triple-bonus"]))
    assert ("hand_triple", "holding") not in odds
    assert odds["knock", "holding"] == odds["hand_low", "holding"] > odds_of(CIRULLA)["hand_low", "holding"]


def test_table_has_the_columns_of_the_contract() -> None:
    table = first_deal(build("cirulla-tournament"))
    assert table.schema == pl.Schema(SCHEMA)
    assert table.columns == [
        *("quantity", "per", "side", "kind", "value"),
        *("estimate", "std_error", "ci_low", "ci_high", "n", "exact"),
    ]
    assert table["value"].null_count() == table["n"].null_count() == table.height
    assert table["estimate"].to_list() == table["ci_low"].to_list() == table["ci_high"].to_list()
    assert table["std_error"].to_list() == [0.0] * table.height
    assert set(table["side"]) == {"all"}
    assert [float(Fraction(text)) for text in table["exact"]] == table["estimate"].to_list()
    triple = table.row(by_predicate=pl.col("quantity") == "hand_triple", named=True)
    assert triple["exact"] == "47/4940"


def test_scopa_has_a_table_without_bonuses() -> None:
    assert first_deal(build("scopa"))["quantity"].to_list() == ["misdeal"]
    assert first_deal(build("scopone-scientifico")).height == 0


@pytest.mark.parametrize(
    ("p", "words"),
    [
        (0, "never"),
        (1, "always"),
        (Fraction(1, 2), "1 in 2"),
        (0.07, "1 in 14.3"),
        (0.9, "1 in 1.11"),
        (Fraction(47, 4940), "1 in 105"),
        (1e-3, "1 in 1,000"),
        (1 / 91390, "1 in 91,400"),
        (1e-9, "1 in 1,000,000,000"),
    ],
)
def test_one_in(p: float | Fraction, words: str) -> None:
    assert one_in(p) == words


@pytest.mark.parametrize("p", [-0.1, 1.5, float("nan")])
def test_one_in_refuses_numbers_that_are_no_probability(p: float) -> None:
    with pytest.raises(ValueError, match="not a probability"):
        one_in(p)


def test_exact_odds_need_no_numba() -> None:
    code = "import sys, cirulla_sim.questions; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
