"""Exact chances against plain enumeration with the referee, against numbers counted by hand, and as the kernel deals.

First what three cards and a table are, by the exact counters and by the kernel; then every function of the question
language about dealt cards; then larger holdings, piles, whole deals and buried tables.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import asdict
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, factorial, perm, prod
from typing import Any

import numpy as np
import oracle
import pytest
from asking import bind, exact
from question_calls import Call, calls, functions
from referee.bonuses import best_sets, table_bonus, table_status
from referee.cards import PACK, own_value
from referee.held_cards import HELD, SUIT_NAMES, set_held
from referee.questions import FUNCTIONS

import cirulla_sim as cs
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.numerals import one_in
from cirulla_sim.engine.chunks import play_chunk
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.exact import first_deal, whole_deals
from cirulla_sim.exact.features import PATTERN, patterns, pile_cases
from cirulla_sim.exact.first_deal import HandBonus, TableBonus, first_deal_odds
from cirulla_sim.exact.sums import (
    ALL,
    Placed,
    Sum,
    TooManyCasesError,
    count_of,
    count_sums,
    rank_classes,
    weighted,
)
from cirulla_sim.exact.sums import RANKS as BY_RANK
from cirulla_sim.exact.sums import SUITS as BY_SUIT
from cirulla_sim.exact.whole_deals import deal_cases
from cirulla_sim.kernel.entries.hands import MISDEAL, WON, treat_tables
from cirulla_sim.kernel.entries.rules import flat_rules
from cirulla_sim.kernel.game import prices
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
from cirulla_sim.questions.answers import exact_table
from cirulla_sim.questions.binding import Place
from cirulla_sim.questions.known_deals import known_from
from cirulla_sim.ruleset.catalogue import house_names, preset_names
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.situation.notation import Situation

HOLDINGS, TABLES = comb(40, 3), comb(40, 4)
CIRULLA, CIRULLONE = build("cirulla"), build("cirullone")
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
    "ace-matta-no-rank": {"matta": "As", "misdeal_count": 0, "misdeal_three_equal": True},
    "four-aces-or-three-equal": {"misdeal_count": 4, "misdeal_three_equal": True, "table_four_equal_wins": True},
    "no-table": {"table_cards": 0, "deal_plan": "10", "misdeal_three_equal": True},
}
EVERY = {name: build(name) for name in preset_names()}
EVERY |= {house: build(houses=[house]) for house in house_names()}
EVERY |= {name: build(changes=changes) for name, changes in EXTRA.items()}


def different(*fields: str) -> list[Any]:
    """Of all these rules those that differ in some fields."""
    of = {tuple(getattr(rules, field) for field in fields): (name, rules) for name, rules in reversed(EVERY.items())}
    return [pytest.param(rules, id=name) for name, rules in reversed(of.values())]


OF_SETS = ("matta", "matta_low", "hand_low", "hand_low_most", "hand_triple", "hand_both")
OF_TABLES = ("table_cards", "matta", "misdeal_rank", "misdeal_count", "misdeal_three_equal", "table_four_equal_wins",
             "table_15", "table_30", "table_low")  # fmt: skip

# ------------------------------------------------------------------------------------------------ the first deal


@pytest.mark.parametrize("rules", different(*OF_SETS))
def test_every_holding_earns_what_the_referee_says(rules: Rules) -> None:
    """Counted and looked up by the kernel, in every order of the cards."""
    data = asdict(rules)
    kinds = {("low", False): HandBonus.LOW, ("low", True): HandBonus.LOW_NO_ACE, ("triple", False): HandBonus.TRIPLE}

    def expected(cards: list[str]) -> tuple[int, int]:
        held = set_held(data, cards)
        return (0, 0) if held is None else (kinds[held[:2]], held[2])

    by_referee = oracle.for_every(rules.matta, 3, expected)
    kind, points = first_deal.holding_bonuses(rules)
    assert np.array_equal(np.column_stack([kind, points]), by_referee)
    of_kernel = np.zeros(4, np.int64)
    of_kernel[[HandBonus.LOW, HandBonus.LOW_NO_ACE, HandBonus.TRIPLE]] = prices.LOW, prices.LOW_NO_ACE, prices.TRIPLE
    digits = np.array(prices.card_digits(rules))[oracle.sets_of(3)]
    for order in permutations(range(3)):
        words = np.array(prices.bonuses_of_sets(rules)[0])[digits[:, list(order)] @ [121, 11, 1]]
        assert np.array_equal(words >> prices.POINTS_AT, points)
        assert np.array_equal(words >> prices.KIND_AT & 15, of_kernel[kind])


def treated(rules: Rules, tables: np.ndarray) -> np.ndarray:
    """What the kernel does with these tables, masks: a word for each."""
    words = np.zeros(len(tables), np.uint64)
    treat_tables(flat_rules(rules), tables, words)
    return words


@pytest.mark.parametrize("rules", [case for case in different(*OF_TABLES) if case.values[0].table_cards])
def test_every_table_is_treated_as_the_referee_says(rules: Rules) -> None:
    """Counted, and by the kernel."""
    data = asdict(rules)
    statuses = {"play": 0, "misdeal": 1, "win": 2}

    def expected(cards: list[str]) -> tuple[int, int]:
        bonus = table_bonus(data, cards)
        return statuses[table_status(data, cards)], bonus["points"] if bonus else 0

    status, points = oracle.for_every(rules.matta, 4, expected).T
    assert np.array_equal(first_deal.misdeals(rules) + 2 * first_deal.wins(rules), status)
    kind, counted = first_deal.table_bonuses(rules)
    assert np.array_equal(counted, points)
    words = treated(rules, oracle.masks_of(4))
    assert np.array_equal(np.select([words == MISDEAL, words == WON], [1, 2], 0), status)
    plain = words[status == 0]
    assert np.array_equal(plain >> np.uint64(prices.POINTS_AT), points[status == 0])
    of_kernel = np.zeros(5, np.int64)
    of_kernel[[prices.FIFTEEN, prices.THIRTY, prices.LOW_TABLE]] = TableBonus.FIFTEEN, TableBonus.THIRTY, TableBonus.LOW
    looked_up = (plain >> np.uint64(prices.KIND_AT) & np.uint64(15)).astype(int)
    assert np.array_equal(of_kernel[looked_up], kind[status == 0])


def odds_of(rules: Rules) -> dict[tuple[str, str], Fraction]:
    return {(odds.quantity, odds.per): odds.exact for odds in first_deal_odds(rules)}


@pytest.mark.parametrize(
    "rules", different(*OF_SETS, *OF_TABLES, "misdeals_lose", "misdeal_redeal", "players", "deal_plan")
)
def test_the_table_of_the_first_deal_is_what_the_enumeration_gives(rules: Rules) -> None:
    """Each quantity of a rule that is on, from every holding, every table, and every table that is played."""
    kind, points = first_deal.holding_bonuses(rules)
    low, triple = np.isin(kind, (HandBonus.LOW, HandBonus.LOW_NO_ACE)), kind == HandBonus.TRIPLE
    expected = {
        ("hand_low", "holding"): low, ("hand_low_no_ace", "holding"): kind == HandBonus.LOW_NO_ACE,
        ("hand_triple", "holding"): triple, ("knock", "holding"): low | triple,
        ("points_hand_bonus", "holding"): points,
    }  # fmt: skip
    if rules.table_cards:
        bonus, earned = first_deal.table_bonuses(rules)
        played = oracle.is_played(rules)
        named = {"table_15": TableBonus.FIFTEEN, "table_30": TableBonus.THIRTY, "table_low": TableBonus.LOW}
        expected |= {("misdeal", "table"): oracle.values(rules, "misdeal", 4)}
        expected |= {("table_wins", "table"): oracle.values(rules, "wins_at_deal", 4)}
        expected |= {(name, "table"): bonus == one for name, one in named.items()}
        expected |= {(name, "hand"): (bonus == one)[played] for name, one in named.items()}
        expected[("points_table_bonus", "hand")] = earned[played]
    result = odds_of(rules)
    if rules.misdeals_lose:
        assert result.pop(("misdeals_in_a_row", "hand")) == result["misdeal", "table"] ** 3
    if rules.table_cards and first_deal.buries(rules) and rules.misdeals:
        expected, result = ({key: n for key, n in one.items() if key[1] != "hand"} for one in (expected, result))
    assert result == {key: oracle.mean(numbers) for key, numbers in expected.items() if numbers.any()}
    table = exact_table(first_deal_odds(rules))
    assert [float(Fraction(text)) for text in table["exact"]] == table["estimate"].to_list()
    assert table["ci_low"].to_list() == table["ci_high"].to_list() == table["estimate"].to_list()
    assert {(row["quantity"], row["per"]) for row in table.to_dicts()} == set(odds_of(rules))


@pytest.mark.parametrize(
    ("p", "words"),
    [(0, "never"), (1, "always"), (Fraction(1, 2), "1 in 2"), (0.07, "1 in 14.3"), (0.9, "1 in 1.11"),
     (Fraction(47, 4940), "1 in 105"), (1e-3, "1 in 1,000"), (1 / 91390, "1 in 91,400"), (1e-9, "1 in 1,000,000,000")],
)  # fmt: skip
def test_a_chance_in_words(p: float | Fraction, words: str) -> None:
    assert one_in(p) == words
    with pytest.raises(ValueError, match="not a probability"):
        one_in(-p if p else 1.5)


# ------------------------------------------------------------------------------------------------ questions


def answer(text: str, rules: Rules = CIRULLA, **options: Any) -> Fraction:
    frame = exact(rules, text, **options)
    assert frame is not None, text
    return Fraction(frame["exact"].item())


def of_dealt_cards(rules: Rules, me: int, number: int, *groups: str, seed: int = 1) -> list[tuple[Call, str]]:
    """Calls of every function about dealt cards, of every person and of every stage, written in some spelling.

    At least each function once, then others drawn at random.
    """
    rng = random.Random(seed)
    every = [call for call in calls(asdict(rules), me, every_combination=True)
             if functions()[call.name]["group"] in groups and functions()[call.name]["space"] != "hand"]  # fmt: skip
    rng.shuffle(every)
    first = {call.name: call for call in every}
    for call in every:  # each function with a person, a stage and the table
        first.setdefault(f"{call.name} {call.keywords.get('seats')}", call)
    chosen = [*first.values(), *every][:number]
    return [(call, call.text(rng.choice)) for call in chosen]


def expected_mean(rules: Rules, call: Call) -> Fraction:
    """The mean of a number, or the chance of what is true, over every holding or table.

    What is dealt in the first stage comes from a full pack; later stages are dealt only where the table is played.
    """
    cards = call.keywords.get("cards", frozenset())
    if functions()[call.name]["group"] == "table" or call.keywords.get("seats") == ():
        return oracle.mean(oracle.values(rules, call.name, 4, cards))
    later = call.keywords.get("stages", (0,)) != (0,)
    return oracle.mean(oracle.values(rules, call.name, 3, cards), oracle.deals_played(rules) if later else None)


@pytest.mark.parametrize(
    ("preset", "players", "houses", "number"),
    [("cirulla", 4, (), 110), ("cirulla-tournament", 3, (), 50), ("scopa", 2, (), 40),
     ("cirulla-dossena", 2, ("queen-matta", "matta-ace"), 50)],
)  # fmt: skip
def test_every_function_of_dealt_cards_is_counted_as_by_enumeration(
    preset: str, players: int, houses: tuple[str, ...], number: int
) -> None:
    """For each kind of person and stage: the mean, and the texts one by one."""
    rules, me = build(preset, players=players, houses=houses), players // 2
    place = Place(rules, me, ())
    chosen = [
        (call, text) for call, text in of_dealt_cards(rules, me, number, "held", "table") if call.name != "misdeals"
    ]
    assert len({call.name for call, _ in chosen}) >= 33
    for call, text in chosen:
        if call.gives != "text":
            assert answer(f"mean({text})", rules, place=place) == expected_mean(rules, call), text
            continue
        if call.keywords.get("seats") == () or call.keywords.get("stages", (0,)) != (0,):
            continue
        [frame] = bind(rules, [], place, by=text).exact()
        data, record = asdict(rules), {"stages": [{"hands": [[]] * players}]}
        counts: Counter[str] = Counter()
        for row in oracle.sets_of(3):
            record["stages"][0]["hands"] = [oracle.named(row)] * players
            counts[FUNCTIONS[call.name](record, data, **call.keywords)] += 1
        assert {row["value"]: Fraction(row["exact"]) for row in frame.to_dicts()} == {
            text: Fraction(count, HOLDINGS) for text, count in counts.items()
        }
    for text in ("misdeal", "wins_at_deal"):
        if text == "misdeal" or rules.table_four_equal_wins:
            assert answer(text, rules, place=place) == oracle.mean(oracle.values(rules, text, 4))


def test_a_hand_is_ranked_among_the_others_that_may_be_held() -> None:
    mine = ("7h", "7d", "Ah")
    totals = [sum(map(own_value, held)) for held in combinations(set(PACK) - {*mine}, 3)]
    [better] = cs.odds("total(next) < total(me)", at="me: 7h 7d Ah").frame["exact"]
    assert Fraction(better) == Fraction(sum(total < 15 for total in totals), len(totals))


@pytest.mark.parametrize(("preset", "players"), [("cirulla", 4), ("cirulla-tournament", 2), ("cirulla-dossena", 3)])
def test_two_sets_of_cards_are_counted_as_by_enumeration(preset: str, players: int) -> None:
    """Joint, conditional and split answers about two holdings, a holding and the table, and one holding alone."""
    rules, rng = build(preset, players=players), random.Random(2)
    blind = ["bonus", "low", "triple", "sevens", "aces", "matta", "total", "bonus_points"]
    others = ["barsega", "barsegon", "kings", "best_total", "misci", "low"]
    tables = ["fifteen", "thirty", "misdeal", "bonus_points", "sevens", "four_equal"]
    assert answer("mean(diamonds(first) * diamonds(dealer))", rules) == 9 * Fraction(10 * 9, 40 * 39)
    for _ in range(3):
        first, second, table = (rng.choice(names) for names in (blind, others, tables))
        total, number = oracle.pair_sum(rules, oracle.values(rules, first), 3, oracle.values(rules, second))
        assert answer(f"mean({first}(first) * {second}(dealer))", rules) == Fraction(total, number), (first, second)
        told = oracle.values(rules, table, 4)
        of_table = table if table in ("misdeal", "four_equal") else f"{table}(table)"
        total, number = oracle.pair_sum(rules, oracle.values(rules, first), 4, told)
        assert answer(f"mean({first}(first) * {of_table})", rules) == Fraction(total, number), (first, table)
        given, _ = oracle.pair_sum(rules, np.ones(HOLDINGS, np.int64), 4, told > 0)
        total, _ = oracle.pair_sum(rules, oracle.values(rules, first), 4, told > 0)
        assert answer(f"mean({first}(first)) given {of_table} * 1 > 0", rules) == Fraction(total, given)
        mine, also = oracle.values(rules, first), oracle.values(rules, second)
        assert answer(f"mean({first})", rules, given=f"{second} * 1 > 0") == oracle.mean(mine[also > 0])
        split = exact(rules, f"mean({first})", by=second).drop_nulls("share")
        for row, value in zip(split.to_dicts(), np.unique(also), strict=True):
            assert Fraction(row["exact"]) == oracle.mean(mine[also == value])
            assert Fraction(row["share_exact"]) == oracle.mean(also == value)


KNOWN = [
    # what is known, by place, and who is asked
    ({"me": "7h 2d 2c"}, "partner"), ({"next": "Kd Kh Ac"}, "me"),
    ({"second": "Kd Kh Kc", "dealer": "2d 3d 4d", "table": "As 6c 6h Qd"}, "previous"),
]  # fmt: skip
OF_THREE = ("barsega", "barsegon", "misci", "low", "triple")


@pytest.mark.parametrize(
    ("known", "who"), [KNOWN[0], *(pytest.param(*case, marks=pytest.mark.slow) for case in KNOWN[1:])]
)
def test_known_cards_are_away_from_everybody_else(known: dict[str, str], who: str) -> None:
    """Every function of another holding, of the table and of the known cards themselves, over what is left."""
    rules, data = CIRULLA, asdict(CIRULLA)
    situation = Situation.parse("; ".join(f"{place}: {cards}" for place, cards in known.items()))
    seen = sum(1 << PACK.index(card) for cards in known.values() for card in cards.split())
    place, free = Place(rules, 1, (), constraints=known_from(situation, [1], rules)), oracle.without(3, seen)
    names = [name for name in HELD if name not in ("cards", "ranks", "suits", "holds")]
    names = random.Random(who).sample(names, 16 if len(known) == 1 else 4)  # many cards known are counted slowly
    for name in names:
        assert answer(f"mean({name}({who}))", place=place) == oracle.mean(oracle.values(rules, name)[free]), name
        for known_place, cards in known.items():
            if known_place == "table" and name in OF_THREE:
                continue
            record = {"table": cards.split(), "stages": [{"hands": [cards.split()]}]}
            value = HELD[name](record, data, seats=() if known_place == "table" else (0,))
            assert answer(f"mean({name}({known_place}))", place=place) == value, (name, known_place)
    if "table" not in known:
        for name in ("fifteen", "thirty", "misdeal", "four_equal"):
            expected = oracle.mean(oracle.values(rules, name, 4)[oracle.without(4, seen)])
            assert answer(name, place=place) == expected, name
        bonus, weights = oracle.values(rules, "bonus"), oracle.deals_played(rules, seen)
        assert answer(f"mean(bonus({who}, stage 2))", place=place) == oracle.mean(bonus, weights)
        assert answer(f"mean(bonus({who})) given not misdeal", place=place) == oracle.mean(bonus, weights)


def random_deals(rules: Rules, number: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Deals whose table is played: its place among all tables, int[n], and the holdings as masks by stage and seat."""
    rows = oracle.shuffled(number, seed)
    table = place_of(4, oracle.bits(rows[:, :4]))
    rows, table = (each[oracle.is_played(rules)[table]] for each in (rows, table))
    held, at = [], rules.table_cards
    for size in rules.deal_plan:
        held.append([oracle.bits(rows[:, at + seat * size : at + (seat + 1) * size]) for seat in range(rules.players)])
        at += size * rules.players
    return table, np.array(held)


def place_of(size: int, masks: np.ndarray) -> np.ndarray:
    """The places of some sets of cards among all of their size."""
    order = np.argsort(oracle.masks_of(size))
    return order[np.searchsorted(oracle.masks_of(size), masks, sorter=order)]


@pytest.mark.parametrize(("preset", "players"), [("cirulla", 4), ("cirulla-tournament", 2)])
def test_sets_shown_in_whole_deals_agree_with_random_deals(preset: str, players: int) -> None:
    """Means exactly, as sums over holdings; all else within 4.5 standard errors of 60,000 deals.

    An error of 0.01 in a chance of 0.2 has power 0.9.
    """
    rules = build(preset, players=players)
    table, held = random_deals(rules, 60_000, 5)
    weights, threes = oracle.deals_played(rules), place_of(3, held)
    kinds = {"": "bonus", "barsega": "barsega", "barsegon": "barsegon", "misci": "misci"}
    numbers = {kind: oracle.values(rules, name) for kind, name in kinds.items()}
    worth = oracle.values(rules, "bonus_points")
    stages = len(rules.deal_plan)
    us = [seat for seat in range(players) if rules.side(seat) == 0]
    people = {"together": list(range(players)), "us": us, "next": [1]}
    for kind, number in numbers.items():
        for who, seats in people.items():
            inside = f"{who}, {kind}" if kind else who
            every = len(seats) * oracle.mean(number, weights)
            assert answer(f"mean(knocks({inside}, stage 2))", rules) == every
            assert answer(f"mean(knocks({inside}))", rules) == stages * every
            points = len(seats) * oracle.mean(number * worth, weights)
            assert answer(f"mean(knock_points({inside}))", rules) == stages * points
    shown = {kind: number[threes] for kind, number in numbers.items()}  # by stage, seat and deal
    points = (shown[""] * worth[threes]).sum(axis=0)
    fifteen = oracle.values(rules, "fifteen", 4)[table]
    for text, seen in {
        "knocks = 0": shown[""].sum(axis=(0, 1)) == 0,
        "knocks(us) > knocks(them)": 2 * shown[""][:, us].sum(axis=(0, 1)) > shown[""].sum(axis=(0, 1)),
        "knocks(us, barsegon)": shown["barsegon"][:, us].sum(axis=(0, 1)) > 0,
        "knocks(misci) = 1 and knocks(barsegon) = 0":
            (shown["misci"].sum(axis=(0, 1)) == 1) & (shown["barsegon"].sum(axis=(0, 1)) == 0),
        "knock_points(next) >= 6": points[1] >= 6,
        "knocks(stage 1) = 2": shown[""][0].sum(axis=0) == 2,
        "knocks(barsega) >= 3 and fifteen": (shown["barsega"].sum(axis=(0, 1)) >= 3) & fifteen,
    }.items():  # fmt: skip
        p = float(answer(text, rules))
        assert abs(seen.mean() - p) < 4.5 * (p * (1 - p) / len(table)) ** 0.5, text
    [by_number] = bind(rules, [], by="knocks").exact()
    assert sum(Fraction(text) for text in by_number["exact"]) == 1


# ------------------------------------------------------------------------------------------------ several places


SUMS = {
    "sevens": Sum(count_of(0b1000000 * (1 | 1 << 10 | 1 << 20 | 1 << 30))),
    "total, 12 at most": Sum(weighted([card % 10 + 1 for card in range(40)]), most=12),
    "most equal": Sum(count_of(ALL), BY_RANK, greatest=True),
    "suits held": Sum(lambda masks: (masks > 0).astype(np.int64), BY_SUIT),
}


@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize("pack", [0b1100001110000111000011, 0b11 << 38 | 0b1001000011001011])
def test_sums_in_three_places_are_counted_as_by_enumeration(name: str, pack: int) -> None:
    """Of small packs: of each of two places, of both together, and how many cards of two ranks lie in the third."""
    cards, sizes = [card for card in range(40) if pack >> card & 1], (2, 1, 2)
    each = [Placed(SUMS[name], places) for places in ((0,), (1,), (0, 1))]
    third = Placed(Sum(count_of(0b11 | 0b11 << 20)), (2,))
    dealt = Counter[tuple[int, ...]]()
    for mine in combinations(cards, 2):
        for other in set(cards) - {*mine}:
            for last in combinations(set(cards) - {*mine, other}, 2):
                masks = [sum(1 << card for card in held) for held in (mine, (other,), last)]
                both = np.array([masks[0], masks[1], masks[0] | masks[1]], np.uint64)
                columns = SUMS[name].column(both), third.sum.column(np.array(masks[2:], np.uint64))
                dealt[tuple(int(number) for column in columns for number in column)] += 1
    frame, ways = count_sums(pack, sizes, {str(number): one for number, one in enumerate([*each, third])})
    assert dict(zip(frame.rows(), ways, strict=True)) == dealt


@pytest.mark.parametrize(
    ("text", "rules", "expected"),
    [
        ("matta(somebody)", CIRULLA, Fraction(3, 10)),
        ("holds(others, matta)", CIRULLA, Fraction(9, 40)),
        ("sevens(somebody) = 4", CIRULLONE, Fraction(252, 45695)),
        ("not holds(them, aces)", CIRULLA, Fraction(comb(36, 6), comb(40, 6))),
        # A table that stays has one ace or none.
        ("not holds(them, aces) given not misdeal", CIRULLA,
         Fraction(comb(36, 4) * comb(32, 6) + 4 * comb(36, 3) * comb(33, 6),
                  (comb(36, 4) + 4 * comb(36, 3)) * comb(36, 6))),
        ("most_equal(everybody) = 1",
         build("scopone-scientifico"), Fraction(24**10 * factorial(10) ** 4, factorial(40))),
        ("mean(knock_points(us) - knock_points(them))", CIRULLONE, Fraction(0)),
        ("mean(misdeals)", CIRULLA, Fraction(785, 17493)),
        ("mean(misdeals)", build("cirulla", changes={"misdeals_lose": 3}),
         sum(Fraction(3925, 91390) ** n for n in (1, 2, 3))),
    ],
)  # fmt: skip
def test_what_several_players_hold(text: str, rules: Rules, expected: Fraction) -> None:
    assert answer(text, rules) == expected


# ------------------------------------------------------------------------------------------------ larger holdings

LARGE = {
    "cirullone": CIRULLONE,
    "queen, ace if low": build("cirullone", houses=["queen-matta", "matta-ace"]),
    "no matta": build("cirullone", houses=["no-matta", "sum-both-bonuses"]),
    "equal prices": build("cirullone", changes={"hand_low": 3, "hand_triple": 3}),
    "dossena": build("cirullone", changes={"hand_low": 1, "hand_triple": 2, "hand_both": 3}),
    "partners open": build("cirullone", houses=["open-partners"]),
}


def texts_of(mask: int) -> list[str]:
    return [card for place, card in enumerate(PACK) if mask >> place & 1]


@pytest.mark.parametrize("name", LARGE)
def test_features_of_larger_holdings_agree_with_the_referee(name: str) -> None:
    """Every feature of some holdings, half of them rich in sets; and suits change nothing that sets depend on."""
    rules, data = LARGE[name], asdict(LARGE[name])
    for size in (3, 6, 9, 10):
        masks, _ = patterns(rules, size)
        rich = masks[np.random.default_rng(size).integers(0, len(masks), 10)]
        held = np.concatenate([rich, oracle.bits(oracle.shuffled(10, size)[:, :size])])
        records = [{"stages": [{"hands": [texts_of(mask)]}]} for mask in held.tolist()]
        for feature in PATTERN.keys() & HELD.keys() - {"holds"}:
            expected = [HELD[feature](record, data, seats=(0,)) for record in records]
            assert PATTERN[feature].column(rules, held).tolist() == expected, (feature, size)
        most = [best_sets(data, record["stages"][0]["hands"][0])[0] for record in records[:12]]
        assert PATTERN["bonus_points"].column(rules, held[:12]).tolist() == most


@pytest.mark.parametrize(("preset", "size"), [("cirullone-6-3", 6), ("cirullone", 9)])
def test_sets_and_suits_of_larger_holdings_are_counted_together(preset: str, size: int) -> None:
    """Suits but that of the matta are alike, and all suits together are all cards of the holding."""
    rules = build(preset)
    hearts, *others = (answer(f"mean({suit} * bonus_points)", rules) for suit in SUIT_NAMES)
    assert len(set(others)) == 1
    assert hearts + sum(others) == size * answer("mean(bonus_points)", rules)


# ------------------------------------------------------------------------------------------------ whole deals


@pytest.mark.slow
def test_bonuses_of_whole_deals_of_large_holdings() -> None:
    """By side, in 40,000 deals within 4.5 standard errors; their mean and the number of all deals exactly."""
    rules = CIRULLA
    frame, weights = deal_cases(rules, "bonus")
    counted, total = dict(zip(frame.rows(), weights, strict=True)), sum(weights)
    # All orders of the ranks of a pack, the matta apart, with at most one ace on the table.
    orders = Fraction(factorial(40), factorial(4) ** 9 * factorial(3))
    assert total == orders * Fraction(comb(36, 4) + 4 * comb(36, 3), TABLES)
    assert all(counted[theirs, mine] == weight for (mine, theirs), weight in counted.items())
    mean = Fraction(sum(n * w for n, w in zip(frame.sum_horizontal().to_list(), weights, strict=True)), total)
    assert mean == 12 * oracle.mean(oracle.values(rules, "bonus"), oracle.deals_played(rules))
    _, held = random_deals(rules, 40_000, 5)
    shown = oracle.values(rules, "bonus")[place_of(3, held)]
    seen = Counter(zip(shown[:, ::2].sum(axis=(0, 1)).tolist(), shown[:, 1::2].sum(axis=(0, 1)).tolist(), strict=True))
    assert set(seen) <= set(counted)
    for key, weight in counted.items():
        expected = float(Fraction(weight, total)) * held.shape[2]
        assert abs(seen[key] - expected) <= 4.5 * expected**0.5 + 5


def pack_of(rules: Rules) -> whole_deals.Pack:
    """The ranks of the pack of some rules."""
    classes = rank_classes(rules.matta)
    counts = tuple(map(len, classes))
    return whole_deals.Pack(classes, counts, (1, *np.cumprod([count + 1 for count in counts]).tolist()))


def test_two_holdings_of_a_whole_deal_by_brute_force() -> None:
    """All orders of ranks of two holdings of three: their points, and the number of cards of each rank."""
    rules = build("cirullone", houses=["queen-matta", "sum-both-bonuses"])
    pack = pack_of(rules)
    half = whole_deals._dealt_all(rules, pack, [3, 3], "bonus_points")
    assert len(half.alike) > 1  # or what is shared among orders would go untested
    threes = np.stack([*np.indices((11, 11, 11)).reshape(3, -1)])
    ranks = np.array([(threes == rank).sum(axis=0) for rank in range(11)])
    ranks = ranks[:, (ranks <= np.array(pack.counts)[:, None]).all(axis=0)]
    held = np.zeros(ranks.shape[1], np.uint64)
    for rank in range(11):
        for n, card in enumerate(pack.classes[rank]):
            held |= np.where(ranks[rank] > n, np.uint64(1 << card), np.uint64(0))
    brings = PATTERN["bonus_points"].column(rules, held)
    expected: Counter[tuple[int, int]] = Counter()
    words = (ranks << 4 * np.arange(11)[:, None]).sum(axis=0)
    for i in range(ranks.shape[1]):
        fits = (ranks[:, i : i + 1] + ranks <= np.array(pack.counts)[:, None]).all(axis=0)
        expected.update(zip((words[i] + words[fits]).tolist(), (brings[i] + brings[fits]).tolist(), strict=True))
    assert expected == {
        (word, mark): ways
        for word, row in zip(half.ranks.words.tolist(), half.ways.tolist(), strict=True)
        for mark, ways in zip(half.marks, row, strict=True)
        if ways
    }


@pytest.mark.parametrize("rules", [build("cirulla-tournament"), build(houses=["no-matta", "three-equal-misdeal"])])
def test_tables_of_whole_deals_are_those_that_are_played(rules: Rules) -> None:
    """Every order of the cards of every table that is no misdeal and does not win."""
    pack = pack_of(rules)
    table = whole_deals._with_table(rules, pack, whole_deals._dealt_all(rules, pack, [], "bonus"), 0)
    cards = 0
    for word, ways in zip(table.ranks.words.tolist(), table.ways[:, 0].tolist(), strict=True):
        cards += ways * prod(perm(n, word >> 4 * rank & 15) for rank, n in enumerate(pack.counts))
    assert cards == factorial(4) * int(oracle.is_played(rules).sum())


# ------------------------------------------------------------------------------------------------ piles

PILE_RULES = {
    "cirulla": CIRULLA,
    "sevens": build("scopa-team", houses=["simple-primiera"]),
    "no primiera": build(changes={"primiera": "none", "piccola_max": 10}),
    "dossena": build("cirulla-dossena"),
    "ten points": build(houses=["cappotto-ten-points"]),
    "four points": build(changes={"all_diamonds": "4", "grande": 0}),
}


def of_two_piles(rules: Rules, me: int) -> list[Call]:
    """Every call that two piles alone can answer."""
    return [
        call for call in calls(asdict(rules), me, every_combination=True)
        if (functions()[call.name]["group"] == "pile" and "after" not in call.keywords)
        or (call.name in ("wins", "ties") and "category" in call.keywords)
    ]  # fmt: skip


def counts_of_piles_agree(rules: Rules, me: int, sizes: tuple[int, int], piles: list[Any], errors: float) -> None:
    """Of some piles, ours first, all functions by the referee, within so many standard errors of the exact mean."""
    data, place = asdict(rules), Place(rules, me, (), sizes=sizes)
    records = [{"piles": pair if rules.side(me) == 0 else pair[::-1]} for pair in piles]
    every = of_two_piles(rules, me)
    assert len({call.name for call in every}) >= 9
    for call in random.Random(sum(sizes)).sample(every, 15 if errors else 25):
        values = [call.value(record, data) for record in records]
        expected = answer(f"mean({call.text()})", rules, place=place)
        if errors:
            error = errors * np.std(values) / len(values) ** 0.5 + 10 / len(values)  # or what is rare may never come
            assert abs(np.mean(values) - float(expected)) <= error, call.text()
        else:
            assert Fraction(sum(values), len(values)) == expected, call.text()


@pytest.mark.parametrize(
    ("name", "me", "sizes"),
    [
        ("cirulla", 1, (38, 2)), ("sevens", 0, (38, 2)), ("no primiera", 2, (1, 38)), ("ten points", 1, (1, 38)),
    ],
)  # fmt: skip
def test_every_function_of_small_and_large_piles_is_counted_as_by_enumeration(
    name: str, me: int, sizes: tuple[int, int]
) -> None:
    """In the second case one card is in neither pile."""
    pack, piles = set(PACK), []
    for few in combinations(PACK, 2):
        rest = pack - set(few)
        piles += [(rest, set(few))] if sizes[0] == 38 else [({few[0]}, rest), ({few[1]}, rest)]
    counts_of_piles_agree(PILE_RULES[name], me, sizes, piles, 0)


@pytest.mark.parametrize(
    ("name", "me", "sizes"),
    [("cirulla", 0, (20, 20)), pytest.param("dossena", 1, (9, 8), marks=pytest.mark.slow), ("sevens", 2, (23, 17))],
)
def test_every_function_of_piles_agrees_with_random_piles(name: str, me: int, sizes: tuple[int, int]) -> None:
    """4,000 pairs of piles; an error of 0.045 in a chance of a third has power 0.9."""
    piles = []
    for row in oracle.shuffled(4_000, 11).tolist():
        cards = [PACK[card] for card in row]
        piles.append((set(cards[: sizes[0]]), set(cards[sizes[0] : sum(sizes)])))
    counts_of_piles_agree(PILE_RULES[name], me, sizes, piles, 4.5)


def of_sizes(sizes: tuple[int, int], text: str, **options: Any) -> Fraction:
    return answer(text, CIRULLA, place=Place(CIRULLA, 1, (), sizes=sizes), **options)


@pytest.mark.parametrize(
    ("sizes", "text", "given", "expected"),
    [
        ((18, 22), "cappotto(us)", None, Fraction(comb(30, 8), comb(40, 18))),
        ((22, 18), "captured(us, sevens) = 4 and captured(them) = 18", None, Fraction(comb(36, 18), comb(40, 22))),
        ((22, 18), "wins(us, primiera)", "captured(us, sevens) = 4", 1),
        ((22, 18), "wins(us, primiera)", "captured(us, sevens) = 0", 0),
        ((4, 0), "wins(us, primiera)", None, Fraction(10**4, comb(40, 4))),
        ((20, 20), "wins(us, cards)", None, 0),
        ((20, 20), "mean(primiera * 1000) - 1000 * mean(primiera)", None, 0),  # no overflow
    ],
)
def test_chances_of_piles_counted_by_hand(
    sizes: tuple[int, int], text: str, given: str | None, expected: Fraction
) -> None:
    assert of_sizes(sizes, text, given=given) == expected


def test_so_many_cards_of_the_pack() -> None:
    ways = sum(comb(4, sevens) * comb(36, 5 - sevens) for sevens in (2, 3, 4))
    for sizes in ([5], "5", "5,0", "5,30"):
        assert cs.odds("captured(us, sevens) >= 2", sizes=sizes).frame["exact"].item() == str(
            Fraction(ways, comb(40, 5))
        )
    for text in ("wins(us, cards)", "captured(them) > 1", "ties(cards)"):
        with pytest.raises(InputError, match=r"is of both piles .valid: two numbers"):
            cs.odds(text, sizes="5")


def test_piles_that_cannot_be_counted_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="sweeps is not of two piles alone"):
        of_sizes((22, 18), "sweeps(us)")
    for sizes in ((-1, 3), (21, 20)):
        with pytest.raises(ValueError, match="pack of 40"):
            pile_cases(CIRULLA, sizes, [("grande", 0)])
    monkeypatch.setattr("cirulla_sim.exact.sums.MOST_ROWS", 5)
    with pytest.raises(TooManyCasesError):
        pile_cases(CIRULLA, (22, 18), [("primiera", 0), ("primiera", 1)])


# ------------------------------------------------------------------------------------------------ buried tables


def hypergeometric(good: int, pack: int, hits: int, drawn: int = 4) -> float:
    return comb(good, hits) * comb(pack - good, drawn - hits) / comb(pack, drawn) if hits <= drawn else 0.0


@pytest.mark.parametrize(("count", "players"), [(1, 3), (2, 2), (2, 4), (3, 4), (4, 3)])
def test_buried_tables_in_the_limit(count: int, players: int) -> None:
    """The closed form agrees with many single steps; the shares are those of played tables."""
    rules = build("cirulla-parlett", players=players, changes={"misdeal_count": count})
    shares, _ = first_deal.burials(rules)
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
    odds = odds_of(rules)
    ranked_tables = (oracle.sets_of(4) % 10 == 0).sum(axis=1)
    kind, _ = first_deal.table_bonuses(rules)
    for name, bonus in (("table_15", TableBonus.FIFTEEN), ("table_30", TableBonus.THIRTY)):
        by_count = [oracle.mean((kind == bonus)[ranked_tables == k]) for k in range(count)]
        assert odds[name, "hand"] == sum(share * each for share, each in zip(shares, by_count, strict=True))


def test_misdeals_in_a_row_and_what_is_left_to_simulation() -> None:
    """Redealt from the rest of the stock, three misdeals in a row need all aces: two, the other two, the first two.

    If three equal cards are buried too, the odds per hand are omitted rather than wrong.
    """
    rules = build("cirulla-parlett", changes={"misdeals_lose": 3})
    first_two = Fraction(comb(4, 2) * comb(36, 2), TABLES) * Fraction(comb(34, 2), comb(36, 4))
    back_in_the_stock = Fraction(comb(2, 2) * comb(22, 2), comb(24, 4))
    assert first_deal.misdeals_in_a_row(rules) == first_two * back_in_the_stock
    assert answer("misdeals = 2") == answer("misdeal") ** 2 * (1 - answer("misdeal"))
    assert {per for _, per in odds_of(build("cirulla-tournament", houses=["bury-table"]))} == {"holding", "table"}
    exchanged = odds_of(build("cirulla-parlett", changes={"deal_plan": "8,1"}))
    assert exchanged["table_15", "hand"] == odds_of(CIRULLA)["table_15", "hand"]


# ------------------------------------------------------------------------------------------------ dealt by the kernel


def deal(rules: Rules, hands: int, seed: int) -> dict[str, int]:
    """What is counted of deals, from hands played out."""
    flat, _ = play_chunk(Experiment(rules, ("random",), hands, seed), 0, hands)
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


@pytest.mark.parametrize("preset", ["cirulla", "cirulla-tournament", "cirulla-dossena", "cirulla-parlett"])
def test_a_million_deals_have_the_exact_odds(preset: str) -> None:
    """Within 4.5 standard errors of independent holdings, which is more than those of a hand have.

    A low holding 0.9% too frequent would be found, a triple 3%, a table bonus 7%, a misdeal 4% (power above 0.99).
    """
    rules, deals = build(preset), 1_000_000
    odds = {odd.quantity: float(odd.exact) for odd in first_deal_odds(rules) if odd.per in ("table", "hand")}
    kind, weights = first_deal.holding_bonuses(rules)[0], oracle.deals_played(rules)
    counts = deal(rules, deals, 2026)
    played = deals - counts["dealer_won"] - counts["others_won"]
    dealt = deals + counts["misdeals"] - counts["others_won"]
    low_no_ace, triple = kind == HandBonus.LOW_NO_ACE, kind == HandBonus.TRIPLE
    low = low_no_ace | (kind == HandBonus.LOW)
    checks = [(counts[f"table_{name}"], played, odds.get(f"table_{name}", 0.0)) for name in ("15", "30", "low")]
    if rules.misdeal_redeal == "all":  # else what was buried is missing among the other cards
        checks += [
            (counts["misdeals"], dealt, odds["misdeal"]),
            (counts["dealer_won"], dealt, odds.get("table_wins", 0.0)),
            (counts["others_won"], deals, odds.get("misdeals_in_a_row", 0.0)),
            *((counts[name], 12 * played, float(oracle.mean(has, weights)))
              for name, has in (("low", low), ("low_no_ace", low_no_ace), ("triple", triple))),
        ]  # fmt: skip
    assert counts["knock"] == counts["low"] + counts["triple"]
    for count, trials, chance in checks:
        assert abs(count - trials * chance) <= 4.5 * (trials * chance * (1 - chance)) ** 0.5


def test_of_table_bonuses_that_earn_the_same_the_first_counts() -> None:
    """Fifteen, then thirty, then a low table: what ``simulate`` counts of each, where one total earns two of them."""
    even = {"table_15": 2, "table_30": 2, "table_low": 2, "matta": None}
    for total, changes, kind in [
        (15, {"table_low_total": "= 15"}, prices.FIFTEEN),
        (30, {"table_low_total": "= 30"}, prices.THIRTY),
        (15, {"table_30_total": "= 15"}, prices.FIFTEEN),
        (15, {"table_low_total": "= 15", "table_low": 3}, prices.LOW_TABLE),
    ]:
        word = prices.table_words(build(changes=even | changes))[total]
        assert (word >> prices.KIND_AT) % 16 == kind
