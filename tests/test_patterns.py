"""Holdings of any size as patterns: against every holding of three, random ones, the referee, and sums by hand."""

from __future__ import annotations

import itertools
from dataclasses import asdict
from fractions import Fraction
from math import comb

import numpy as np
import polars as pl
import pytest
from referee import best_sets
from referee.cards import PACK

from cirulla_sim.core.errors import InputError
from cirulla_sim.exact import first_deal
from cirulla_sim.exact.families import index_of
from cirulla_sim.exact.features import columns
from cirulla_sim.exact.patterns import PATTERN, holding_cases, holding_patterns, knocks_shown
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

CIRULLONE = build("cirullone")
RULES = {
    "cirullone": CIRULLONE,
    "queen, ace if low": build("cirullone", houses=["queen-matta", "matta-ace"]),
    "no matta": build("cirullone", houses=["no-matta", "sum-both-bonuses"]),
    "equal prices": build("cirullone", changes={"hand_low": 3, "hand_triple": 3}),
    "dossena": build("cirullone", changes={"hand_low": 1, "hand_triple": 2, "hand_both": 3}),
    "partners open": build("cirullone", houses=["open-partners"]),
}


def masks(rows: np.ndarray) -> np.ndarray:
    return (np.uint64(1) << rows.astype(np.uint64)).sum(axis=1, dtype=np.uint64)


def random_holdings(size: int, count: int, seed: int) -> np.ndarray:
    rows = np.random.default_rng(seed).permuted(np.tile(np.arange(40, dtype=np.uint8), (count, 1)), axis=1)
    return masks(rows[:, :size])


def counted(rules: Rules, holdings: np.ndarray, names: list[str]) -> pl.DataFrame:
    frame = pl.DataFrame({name: PATTERN[name].column(rules, holdings) for name in names})
    return frame.group_by(names).agg(weight=pl.len().cast(pl.Int64)).sort(names)


def cases(rules: Rules, size: int, names: list[str]) -> pl.DataFrame:
    frame, weights = holding_cases(rules, size, names)
    assert int(weights.sum()) == comb(40, size)
    return frame.with_columns(weight=weights).sort(names)


@pytest.mark.parametrize("name", ["cirullone", "queen, ace if low", "no matta"])
def test_what_a_holding_contains_by_brute_force(name: str) -> None:
    rules = RULES[name]
    low, equal = (first_deal_columns(rules, feature) for feature in ("low", "triple"))
    for size in (3, 5, 9):
        held = random_holdings(size, 300, size)
        rows = [[card for card in range(40) if int(mask) >> card & 1] for mask in held]
        index = [index_of(np.array(list(itertools.combinations(row, 3)), np.uint8)) for row in rows]
        lows, equals = PATTERN["contains_low"].column(rules, held), PATTERN["contains_triple"].column(rules, held)
        assert lows.tolist() == [bool((low & ~equal)[threes].any()) for threes in index]
        assert equals.tolist() == [bool(equal[threes].any()) for threes in index]


def first_deal_columns(rules: Rules, feature: str) -> np.ndarray:
    return columns("holding", rules, (feature,))[feature].to_numpy()


@pytest.mark.parametrize("rules", [pytest.param(rules, id=name) for name, rules in RULES.items()])
def test_holdings_of_three_agree_with_the_first_deal(rules: Rules) -> None:
    """Every feature together, over all 9,880 holdings of three; and bonuses as the first deal counts them."""
    holdings = masks(first_deal.holdings())
    assert cases(rules, 3, list(PATTERN)).equals(counted(rules, holdings, list(PATTERN)))
    kind, points = first_deal.hand_bonus(rules)
    for name, expected in {
        "bonus_points": points,
        "bonus": kind > 0,
        "barsega": (kind == first_deal.HandBonus.LOW) | (kind == first_deal.HandBonus.LOW_NO_ACE),
        "misci": kind == first_deal.HandBonus.LOW_NO_ACE,
        "barsegon": kind == first_deal.HandBonus.TRIPLE,
    }.items():
        assert np.array_equal(PATTERN[name].column(rules, holdings), expected), name


@pytest.mark.parametrize("rules", [pytest.param(rules, id=name) for name, rules in RULES.items()])
def test_all_holdings_of_a_pattern_are_worth_the_same(rules: Rules) -> None:
    """What is shown does not depend on suits: cards of one rank, the matta apart, change places and nothing changes."""
    rng = np.random.default_rng(3)
    matta = None if rules.matta is None else PACK.index(rules.matta)
    for size in (6, 9, 10):
        rows = np.array([rng.permutation(40)[:size] for _ in range(2000)])
        swapped = np.empty_like(rows)
        for i, row in enumerate(rows):
            new = np.arange(40)
            for rank in range(10):
                cards = [card for card in range(rank, 40, 10) if card != matta]
                new[cards] = rng.permutation(cards)
            swapped[i] = new[row]
        first, second = (knocks_shown(rules, masks(cards)) for cards in (rows, swapped))
        assert np.array_equal(first >> np.uint64(48), second >> np.uint64(48))
        assert np.array_equal(first & np.uint64(255), second & np.uint64(255))


@pytest.mark.parametrize("size", [6, 9, 10])
def test_bonus_points_agree_with_the_referee(size: int) -> None:
    for rules in RULES.values():
        patterns, _ = holding_patterns(rules, size)
        some = patterns[np.random.default_rng(size).integers(0, len(patterns), 12)]
        points = PATTERN["bonus_points"].column(rules, some)
        for mask, result in zip(some.tolist(), points.tolist(), strict=True):
            assert result == best_sets(asdict(rules), [card for i, card in enumerate(PACK) if mask >> i & 1])[0]


def test_patterns_by_hand() -> None:
    """Each pattern once, weighted by the number of its holdings."""
    patterns, weights = holding_patterns(CIRULLONE, 6)
    expected = {}
    for counts in itertools.product(range(5), repeat=10):
        if sum(counts) == 6:
            others = np.prod([comb(4, n) for rank, n in enumerate(counts) if rank != 6])
            for with_matta in (False, True):
                ways = others * comb(3, counts[6] - with_matta) if counts[6] >= with_matta else 0
                if ways:
                    expected[counts, with_matta] = ways
    result = {}
    for mask, weight in zip(patterns.tolist(), weights.tolist(), strict=True):
        counts = tuple(sum(mask >> card & 1 for card in range(rank, 40, 10)) for rank in range(10))
        result[counts, bool(mask >> 6 & 1)] = weight
    assert len(result) == len(patterns)
    assert result == expected


@pytest.mark.parametrize(("size", "suits"), [(6, ["hearts", "diamonds"]), (9, ["diamonds"])])
def test_large_holdings_agree_with_sampled_ones(size: int, suits: list[str]) -> None:
    """Within 4.5 standard errors of 200,000 random holdings; an error of 0.0055 in a chance of 0.2: power 0.9."""
    names = ["bonus", "misci", "bonus_points", "sevens", "best_total", "settebello", *suits]
    exact, result = (weighed(CIRULLONE, size, names) for weighed in (cases, cases_dealt))
    for question in (
        pl.col("bonus") == 0,
        pl.col("bonus") == 2,
        pl.col("misci") > 0,
        pl.col("bonus_points") >= 10,
        (pl.col("sevens") == 2) & (pl.col("diamonds") > 2),
        pl.col("settebello") & (pl.col("best_total") < 5 * size),
        (pl.col("bonus") > 0) & (pl.col("diamonds") == 2),
    ):
        p, q = (float(frame.filter(question)["weight"].sum() / frame["weight"].sum()) for frame in (exact, result))
        assert abs(p - q) < 4.5 * (p * (1 - p) / 200_000) ** 0.5


def cases_dealt(rules: Rules, size: int, names: list[str]) -> pl.DataFrame:
    return counted(rules, random_holdings(size, 200_000, size), names)


def test_suits_by_hand() -> None:
    frame = cases(CIRULLONE, 6, ["diamonds", "settebello"])
    for diamonds in range(7):
        row = frame.filter(pl.col("diamonds") == diamonds, pl.col("settebello"))["weight"].sum()
        assert row == (comb(9, diamonds - 1) * comb(30, 6 - diamonds) if diamonds else 0)


def test_means_are_linear() -> None:
    """The mean of a rank's cards is their share of the pack, whatever the size of the holding."""
    for size in (3, 6, 9, 10):
        frame = cases(CIRULLONE, size, ["aces", "kings"])
        for name in ("aces", "kings"):
            assert Fraction((frame[name] * frame["weight"]).sum(), comb(40, size)) == Fraction(size, 10)


def test_no_bonuses_no_knocks() -> None:
    assert cases(build("scopone"), 9, ["bonus", "bonus_points"])["bonus"].to_list() == [0]


def test_too_many_suits() -> None:
    with pytest.raises(InputError, match=r"hearts and spades of 9 cards are too much at once.*valid: one suit"):
        holding_cases(CIRULLONE, 9, ["spades", "hearts"])
