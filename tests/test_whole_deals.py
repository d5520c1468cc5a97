"""The whole deal: against sampled deals, against means computed differently, against brute force."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from math import comb, factorial, perm, prod

import numpy as np
import polars as pl
import pytest

from cirulla_sim.exact import first_deal
from cirulla_sim.exact import whole_deals as deals
from cirulla_sim.exact.patterns import PATTERN, holding_patterns
from cirulla_sim.exact.whole_deals import deal_cases
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

CIRULLA = build("cirulla")


@cache
def cases(rules: Rules, name: str) -> tuple[pl.DataFrame, list[int]]:
    result = deal_cases(rules, name)
    assert result is not None
    return result


def results_of_deals(rules: Rules, name: str, hands: int, seed: int) -> np.ndarray:
    """The points of each side, or with three players of all, in played deals: int[hands, sides]."""
    rows = np.random.default_rng(seed).permuted(np.tile(np.arange(40, dtype=np.uint8), (hands, 1)), axis=1)
    bits = np.uint64(1) << rows.astype(np.uint64)
    tables = (np.uint64(1) << first_deal.tables().astype(np.uint64)).sum(axis=1, dtype=np.uint64)
    played = tables[~(first_deal.misdeals(rules) | first_deal.wins(rules))]
    bits = bits[np.isin(bits[:, :4].sum(axis=1, dtype=np.uint64), played)]
    result = np.zeros((len(bits), rules.sides), np.int64)
    at = 4
    for size in rules.deal_plan:
        for seat in range(rules.players):
            held = bits[:, at : at + size].sum(axis=1, dtype=np.uint64)
            result[:, rules.side(seat)] += PATTERN[name].column(rules, held)
            at += size
    return result if rules.sides == 2 else result.sum(axis=1, keepdims=True)


def test_counts_agree_with_sampled_deals() -> None:
    """Within 4.5 standard errors of 60,000 deals; an error of 0.01 in a chance of 0.2 has power 0.9."""
    frame, weights = cases(CIRULLA, "bonus")
    total, result = sum(weights), results_of_deals(CIRULLA, "bonus", 60_000, 5)
    exact = dict(zip(frame.rows(), weights, strict=True))
    counts = Counter(map(tuple, result.tolist()))
    assert set(counts) <= set(exact)
    for key, weight in exact.items():
        p = weight / total
        assert abs(counts[key] - p * len(result)) <= 4.5 * (p * len(result)) ** 0.5 + 5
    # Sides apart and together: none at all, and the mean.
    sums = result.sum(axis=1)
    numbers = frame.sum_horizontal().to_numpy()
    p = sum(weight for row, weight in exact.items() if not any(row)) / total
    assert abs((sums == 0).mean() - p) < 4.5 * (p * (1 - p) / len(sums)) ** 0.5
    mean = sum(int(n) * w for n, w in zip(numbers, weights, strict=True)) / total
    assert abs(sums.mean() - mean) < 4.5 * sums.std() / len(sums) ** 0.5


def mean_of_holding(rules: Rules, name: str, size: int) -> Fraction:
    """The mean of one holding in deals with at most one ace on the table, which depend only on its number of aces."""
    masks, weights = holding_patterns(rules, size)
    result, aces = (PATTERN[feature].column(rules, masks) for feature in (name, "aces"))
    total, tables = 0, 0
    for held in range(5):
        left = comb(36 - (size - held), 4) + (4 - held) * comb(36 - (size - held), 3)
        total += left * int((weights * result)[aces == held].sum())
        tables += left * int(weights[aces == held].sum())
    return Fraction(total, tables)


def test_means_add_up() -> None:
    """The mean of the whole deal is the sum of the means of its holdings, each from a single holding and a table."""
    frame, weights = cases(CIRULLA, "bonus")
    expected = 4 * sum(mean_of_holding(CIRULLA, "bonus", size) for size in CIRULLA.deal_plan)
    result = sum(n * w for n, w in zip(frame.sum_horizontal().to_list(), weights, strict=True))
    assert Fraction(result, sum(weights)) == expected


def test_the_two_sides_are_symmetric() -> None:
    frame, weights = cases(CIRULLA, "bonus")
    exact = dict(zip(frame.rows(), weights, strict=True))
    assert all(exact[theirs, mine] == weight for (mine, theirs), weight in exact.items())


@pytest.mark.parametrize("rules", [CIRULLA, build("cirullone", houses=["queen-matta", "sum-both-bonuses"])])
@pytest.mark.parametrize("name", ["bonus", "bonus_points"])
def test_two_holdings_by_brute_force(rules: Rules, name: str) -> None:
    """All orders of ranks of two holdings of three: their points, and the number of cards of each rank."""
    pack = deals._pack(rules)
    half = deals._dealt_all(rules, pack, [3, 3], name)
    assert len(half.alike) > 1  # or what is shared among orders would go untested
    threes = np.stack([*np.indices((11, 11, 11)).reshape(3, -1)])
    bits = np.array([(threes == rank).sum(axis=0) for rank in range(11)])
    possible = (bits <= np.array(pack.counts)[:, None]).all(axis=0)
    bits = bits[:, possible]
    held = np.zeros(bits.shape[1], np.uint64)
    for rank in range(10):
        cards = [card for card in range(rank, 40, 10) if card != pack.matta]
        for n, card in enumerate(cards):
            held |= np.where(bits[rank] > n, np.uint64(1 << card), np.uint64(0))
    if pack.matta is not None:
        held |= np.where(bits[10] > 0, np.uint64(1 << pack.matta), np.uint64(0))
    brings = PATTERN[name].column(rules, held)
    expected: Counter[tuple[int, int]] = Counter()
    words = (bits << 4 * np.arange(11)[:, None]).sum(axis=0)
    for i in range(bits.shape[1]):
        fits = (bits[:, i : i + 1] + bits <= np.array(pack.counts)[:, None]).all(axis=0)
        both = zip((words[i] + words[fits]).tolist(), (brings[i] + brings[fits]).tolist(), strict=True)
        expected.update(both)
    result = {
        (word, mark): ways
        for word, row in zip(half.ranks.words.tolist(), half.ways.tolist(), strict=True)
        for mark, ways in zip(half.marks, row, strict=True)
        if ways
    }
    assert result == expected


def test_all_orders_are_counted() -> None:
    """All orders of ranks of a pack, with the matta as a separate rank and at most one ace on the table."""
    orders = Fraction(factorial(40), factorial(4) ** 9 * factorial(3))
    assert sum(cases(CIRULLA, "bonus")[1]) == orders * Fraction(comb(36, 4) + 4 * comb(36, 3), comb(40, 4))


@pytest.mark.parametrize("rules", [build("cirulla-tournament"), build(houses=["no-matta", "three-equal-misdeal"])])
def test_tables_agree_with_enumerated_played_tables(rules: Rules) -> None:
    """Every order of the cards of every table that is no misdeal and does not win; J, Q and K may change places."""
    pack = deals._pack(rules)
    nothing = deals._dealt_all(rules, pack, [], "bonus")
    table = deals._with_table(rules, pack, nothing, 0)
    played = ~(first_deal.misdeals(rules) | first_deal.wins(rules))
    # Of each order of ranks there are as many of cards as the pack has ways to fill it.
    cards = 0
    for word, ways in zip(table.ranks.words.tolist(), table.ways[:, 0].tolist(), strict=True):
        cards += ways * prod(perm(n, word >> 4 * rank & 15) for rank, n in enumerate(pack.counts))
    assert cards == factorial(4) * int(played.sum())
    assert table.alike == (7, 8, 9)


def test_halves_contain_all_holdings() -> None:
    assert deals._halves(build(players=2)) == ([3] * 6, [3] * 6)
    assert deals._halves(build(players=3)) == ([3] * 6, [3] * 6)
    assert deals._halves(build("cirullone-6-3")) == ([6, 3, 6, 3], [6, 3, 6, 3])
    assert deals._halves(build(changes={"deal_plan": "5,4"})) == ([5, 4, 5, 4], [5, 4, 5, 4])


def test_large_deals_are_left_to_simulation() -> None:
    assert deal_cases(build("cirulla-parlett"), "bonus") is None
    assert deal_cases(build(changes={"players": 3, "partnership": False, "deal_plan": "10,1,1"}), "bonus") is None


def test_no_bonuses() -> None:
    frame, weights = cases(build("scopa", players=2), "bonus_points")
    assert frame.rows() == [(0, 0)]
    assert len(weights) == 1
