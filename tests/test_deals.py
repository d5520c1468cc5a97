"""Bonuses as the kernel looks them up, and dealing alone: against the enumeration, the hands played, the exact odds."""

from __future__ import annotations

import random

import numpy as np
import pytest
from test_agreement import odd_rules
from test_exact import CASES

from cirulla_sim.core.cards import VALUES, parse
from cirulla_sim.engine.chunks import play_chunk
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.exact import first_deal as exact
from cirulla_sim.exact.first_deal import HandBonus, TableBonus, first_deal_odds
from cirulla_sim.kernel.entries.deals_entry import COUNTS, run_deals
from cirulla_sim.kernel.entries.states_entry import flat_rules
from cirulla_sim.kernel.game import prices
from cirulla_sim.kernel.game.hand import new_work
from cirulla_sim.kernel.game.scoring import COLUMNS
from cirulla_sim.kernel.game.tallies import (
    ANY,
    DEALER_WON,
    KNOCKS,
    MISDEALS,
    OTHERS_WON,
    SUM_D,
    SUM_O,
    TABLE_KINDS,
    views,
)
from cirulla_sim.ruleset.catalogue import preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

HAND_BONUSES = {
    prices.NONE: HandBonus.NONE,
    prices.LOW: HandBonus.LOW,
    prices.LOW_NO_ACE: HandBonus.LOW_NO_ACE,
    prices.TRIPLE: HandBonus.TRIPLE,
}
TABLE_BONUSES = {
    prices.NONE: TableBonus.NONE,
    prices.FIFTEEN: TableBonus.FIFTEEN,
    prices.THIRTY: TableBonus.THIRTY,
    prices.LOW_TABLE: TableBonus.LOW,
}


def kinds_and_points(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return words >> prices.KIND_AT & 15, words >> prices.POINTS_AT


def deal(rules: Rules, hands: int, seed: int, first: int = 0) -> dict[str, int]:
    counts = np.zeros(len(COUNTS), np.int64)
    run_deals(flat_rules(rules), np.uint64(seed), np.uint64(first), np.uint64(hands), new_work(), counts)
    return dict(zip(COUNTS, counts.tolist(), strict=True))


# ------------------------------------------------------------------------------------------------ the words looked up


@pytest.mark.parametrize("rules", CASES)
def test_bonuses_of_sets_agree_with_the_enumeration(rules: Rules) -> None:
    """All 9,880 sets, in every order of their cards."""
    kind, points = exact.hand_bonus(rules)
    digits = np.array(prices.digits(rules))[exact.holdings()]
    for order in ([0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]):
        words = np.array(prices.sets(rules))[digits[:, order] @ [121, 11, 1]]
        kinds, earned = kinds_and_points(words)
        assert earned.tolist() == points.tolist()
        assert [HAND_BONUSES[kind] for kind in kinds.tolist()] == kind.tolist()


@pytest.mark.parametrize("rules", CASES)
def test_a_matta_is_declared_as_a_value_that_makes_the_bonus(rules: Rules) -> None:
    """The value in the word, put in the matta's place, makes three equal cards or a low set; a plain set has none."""
    held = exact.holdings()
    digits = np.array(prices.digits(rules))[held]
    words = np.array(prices.sets(rules))[digits @ [121, 11, 1]]
    kinds, _ = kinds_and_points(words)
    matta = exact.with_matta(rules, held)
    assert not (words & 15)[~matta | (words == 0)].any()
    read = np.where(digits == prices.MATTA_DIGIT, (words & 15)[:, None], digits)[words > 0]
    assert read.size == 0 or read.min() >= 1
    equal, low = (read == read[:, :1]).all(axis=1), read.sum(axis=1) <= 9
    assert np.where(kinds[words > 0] == prices.TRIPLE, equal, low).all()


@pytest.mark.parametrize("rules", [case for case in CASES if case.values[0].table_cards])
def test_bonuses_of_tables_agree_with_the_enumeration(rules: Rules) -> None:
    """All 91,390 tables."""
    kind, points = exact.table_bonus(rules)
    tables = exact.tables()
    wild = exact.with_matta(rules, tables)
    words = np.array(prices.tables(rules))[exact.values(tables).sum(axis=1) + prices.WITH_MATTA * wild]
    kinds, earned = kinds_and_points(words)
    assert earned.tolist() == points.tolist()
    assert [TABLE_BONUSES[kind] for kind in kinds.tolist()] == kind.tolist()
    own = 0 if rules.matta is None else VALUES[parse(rules.matta)]
    total = exact.values(tables).sum(axis=1) - wild * own + (words & 15)
    assert not (words & 15)[~wild | (words == 0)].any()
    assert (total[kinds == prices.FIFTEEN] == 15).all()
    assert (total[kinds == prices.THIRTY] == 30).all()
    assert (total[kinds == prices.LOW_TABLE] <= 9).all()
    assert ((words & 15)[wild & (words > 0)] >= 1).all()


# ------------------------------------------------------------------------------------------------ dealing alone


def as_played(rules: Rules, hands: int, seed: int, first: int) -> dict[str, int]:
    """The same counts from hands played out."""
    flat, _ = play_chunk(Experiment(rules, ("random",), hands, seed), first, hands)
    tally = views(flat)
    sums = dict(zip(COLUMNS, (tally.sums[SUM_D] + tally.sums[SUM_O]).tolist(), strict=True))
    tables = tally.hand[TABLE_KINDS : TABLE_KINDS + 3].tolist()
    won = tally.hand[[DEALER_WON, OTHERS_WON]].tolist()
    return {
        "misdeals": int(tally.hand[MISDEALS]),
        **dict(zip(("dealer_won", "others_won"), won, strict=True)),
        "table_plain": hands - sum(won) - sum(tables),
        **dict(zip(("table_15", "table_30", "table_low"), tables, strict=True)),
        "points_table_bonus": sums["table_bonus"],
        **{kind: sums[kind] for kind in KNOCKS},
        "points_hand_bonus": sums["hand_bonus"],
        **{f"any_{kind}": int(tally.hand[ANY + place]) for place, kind in enumerate(KNOCKS)},
    }


PLAYED = [
    *(pytest.param(build(name), id=name) for name in preset_names()),
    *(pytest.param(build(players=players), id=f"{players} players") for players in (2, 3)),
    *(pytest.param(build(houses=[name]), id=name) for name in ("no-matta", "sum-both-bonuses", "no-triple-bonus")),
    pytest.param(build("cirulla-tournament", houses=["bury-table"], changes={"misdeal_count": 1}), id="buried"),
]


@pytest.mark.parametrize("rules", PLAYED)
def test_deals_agree_with_played_hands(rules: Rules) -> None:
    """Every count of dealing alone equals the count of playing the same hands."""
    assert deal(rules, 4000, 31, first=10**6) == as_played(rules, 4000, 31, 10**6)


def test_deals_of_rules_drawn_at_random() -> None:
    rng = random.Random(77)
    for _ in range(40):
        rules = odd_rules(rng)
        assert deal(rules, 500, 32) == as_played(rules, 500, 32, 0)


def test_deals_add_up() -> None:
    """Deals counted in two parts into one array equal those counted at once."""
    flat, counts = flat_rules(build("cirullone")), np.zeros(len(COUNTS), np.int64)
    for first, hands in ((0, 700), (700, 300)):
        run_deals(flat, np.uint64(4), np.uint64(first), np.uint64(hands), new_work(), counts)
    assert deal(build("cirullone"), 1000, 4) == dict(zip(COUNTS, counts.tolist(), strict=True))


def given_a_played_table(rules: Rules, holdings: np.ndarray) -> float:
    """The chance that a holding of a played hand is in a set, given as a mask over all holdings.

    Without a misdeal on the table the stock holds more aces. The tables that share no card with a holding are counted
    by inclusion and exclusion.
    """
    tables = exact.tables()[~(exact.misdeals(rules) | exact.wins(rules))]
    singles, pairs, triples = np.zeros(40, np.int64), np.zeros((40, 40), np.int64), np.zeros((40, 40, 40), np.int64)
    for a in range(4):
        np.add.at(singles, tables[:, a], 1)
        for b in range(a + 1, 4):
            np.add.at(pairs, (tables[:, a], tables[:, b]), 1)
            for c in range(b + 1, 4):
                np.add.at(triples, (tables[:, a], tables[:, b], tables[:, c]), 1)
    x, y, z = exact.holdings().T
    apart = (
        len(tables) - singles[x] - singles[y] - singles[z] + pairs[x, y] + pairs[x, z] + pairs[y, z] - triples[x, y, z]
    )
    return float(apart[holdings].sum() / apart.sum())


@pytest.mark.parametrize("preset", ["cirulla", "cirulla-tournament", "cirulla-dossena", "cirulla-fantini"])
def test_two_million_deals_have_the_exact_odds(preset: str) -> None:
    """Within 4.5 standard errors of independent holdings, which is more than those of a hand have.

    A low holding 0.6% too frequent would be found, a triple 2%, a table bonus 5%, a misdeal 3% (power above 0.99).
    """
    rules, deals = build(preset), 2_000_000
    odds = {odd.quantity: float(odd.exact) for odd in first_deal_odds(rules) if odd.per in ("table", "hand")}
    kind, _ = exact.hand_bonus(rules)
    counts = deal(rules, deals, 2026)
    played = deals - counts["dealer_won"] - counts["others_won"]
    dealt = deals + counts["misdeals"] - counts["others_won"]
    checks = [
        *((counts[f"table_{name}"], played, odds.get(f"table_{name}", 0.0)) for name in ("15", "30", "low")),
        (counts["misdeals"], dealt, odds["misdeal"]),
        (counts["dealer_won"], dealt, odds.get("table_wins", 0.0)),
        (counts["others_won"], deals, odds.get("misdeals_in_a_row", 0.0)),
        (
            counts["low"],
            12 * played,
            given_a_played_table(rules, (kind == HandBonus.LOW) | (kind == HandBonus.LOW_NO_ACE)),
        ),
        (counts["low_no_ace"], 12 * played, given_a_played_table(rules, kind == HandBonus.LOW_NO_ACE)),
        (counts["triple"], 12 * played, given_a_played_table(rules, kind == HandBonus.TRIPLE)),
    ]
    assert counts["knock"] == counts["low"] + counts["triple"]
    for count, trials, chance in checks:
        assert abs(count - trials * chance) <= 4.5 * (trials * chance * (1 - chance)) ** 0.5
