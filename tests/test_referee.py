"""The referee against the rules text: the worked examples of the sources, the referee's own hands, broken records.

A test named ``test_000_...``, and a row that begins with "000", is an example or a paragraph of source 000, and so on.
"""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referee.bonuses import best_sets, claims_for_sets, hand_bonuses, table_bonus, table_status
from referee.captures import is_scopa, legal_captures, legal_choices
from referee.cards import PACK, own_value
from referee.hand import Hand
from referee.replay import RefereeError, replay
from referee.scoring import primiera_total, score
from referee.selfplay import random_hand
from rule_values import odd_rules

from cirulla_sim.ruleset.catalogue import catalogue, house_names, preset_names
from cirulla_sim.ruleset.presets import build

PRESETS_AND_SEATS = [(name, seats) for name in preset_names() for seats in catalogue()["preset"][name]["seats"]]


def rules_of(base: str = "cirulla", *houses: str, players: int | None = None, **changes: Any) -> dict:
    """The rules of a preset as a dict, with house rules and fields changed."""
    return asdict(build(base, players, houses, changes))


FIFTEENS_AND_SWEEP = rules_of("scopa-quindici", ace_sweep=True)
RULES = {
    **{name: rules_of(name) for name in preset_names()},
    **{name: rules_of("cirulla", name) for name in house_names()},
    "cirulla, equal first": rules_of(equal_first=True),
    "fifteens and sweep": FIFTEENS_AND_SWEEP,
    "fifteens, aces only": FIFTEENS_AND_SWEEP | {"ace_blocked": "ace_only"},
    "no scopa by ace": rules_of(ace_sweep_scopa=False),
    "scientifico, table of nine": rules_of("scopone-scientifico", "table-nine"),
    "scopa, most sevens": rules_of("scopa", "simple-primiera"),
    "no primiera": rules_of(primiera="none"),
}
CIRULLA, TOURNAMENT, ONLINE = RULES["cirulla"], RULES["cirulla-tournament"], RULES["cirulla-online"]
PARLETT, SCOPA, QUINDICI = RULES["cirulla-parlett"], RULES["scopa"], RULES["scopa-quindici"]


def lying(cards: str, **declared: int) -> dict[str, int]:
    """A table from card texts such as ``"Ah 3c"``; the value of a declared matta as ``_7h=2``."""
    values = {card: own_value(card) for card in cards.split()}
    return values | {name[1:]: value for name, value in declared.items()}


def sets(*texts: str) -> set[frozenset[str]]:
    """Captures, each given as text, such as ``"Ah 3c"``."""
    return {frozenset(text.split()) for text in texts}


# ------------------------------------------------------------------------------------------------ captures


@pytest.mark.parametrize(("source", "rules", "table", "value", "captures"), [
    ("000", "cirulla", "6c Jd", 6, ["6c"]),
    ("000", "cirulla", "Kc Jd", 10, ["Kc"]),
    ("000", "cirulla", "2c 3d 4s", 9, ["2c 3d 4s", "2c 4s"]),  # 2+3+4=9; the 2 and the 4 make 15 with the queen
    ("000", "cirulla", "Kc 7s 3d", 5, ["Kc", "7s 3d"]),
    ("000", "cirulla", "Ac 3d 4s 6h 7c", 1, ["3d 4s 7c", "Ac 3d 4s 6h", "Ac", "Ac 6h 7c"]),  # three listed; A 6 7 too
    ("000", "cirulla", "Qc 6h 5d 4s 3c", 9, ["Qc", "5d 4s", "6h 3c", "6h"]),
    ("000", "cirulla", "Kc 4d 2s", 1, ["Kc 4d 2s", "Kc 4d"]),  # an ace takes all or makes a fifteen
    ("000", "cirulla", "", 1, []),
    ("000", "cirulla", "Kc 7h", 1, ["Kc 7h"]),
    ("000", "cirulla", "Ad 5c 7s", 2, ["Ad 5c 7s"]),  # a matta named two
    ("000", "cirulla", "Ac Ad Ks", 1, ["Ac", "Ad"]),  # one ace, never two
    ("001", "cirullone", "Ac 3d 4s 6h 7c", 1, ["Ac"]),
    ("002", "cirulla-online", "Ac 3d 4s 6h 7c", 1, ["Ac"]),
    ("003", "cirulla-catsatcards", "Ac 3d 4s 6h 7c", 1, ["Ac"]),
    ("002", "cirulla-online", "Kc 4d 2s", 1, ["Kc 4d 2s"]),
    ("002", "cirulla-online", "", 1, []),
    ("002", "cirulla-online", "4c 7d 2s", 4, ["4c 7d", "4c"]),
    ("002", "cirulla-online", "5c 5d 3s 2s", 10, ["5c 5d", "5c 3s 2s", "5d 3s 2s", "5c", "5d", "3s 2s"]),
    ("003", "scopa", "7c 4d 3s Jd", 7, ["7c"]),
    ("003", "scopa", "7c 7s 4d 3s", 7, ["7c", "7s"]),
    ("003", "scopa", "4d 3s Jd", 7, ["4d 3s"]),
    ("003", "cirulla, equal first", "7c 4d 3s Jd", 7, ["7c", "Jd"]),  # fifteens are not excluded
    ("003", "scopa", "Kc 4d", 1, []),
    ("003", "scopa", "Ac 4d", 1, ["Ac"]),
    ("003", "scopa-assi", "Kc 4d", 1, ["Kc 4d"]),
    ("003", "scopa-assi", "Kc Ad", 1, ["Ad"]),
    ("003", "scopa-quindici", "7c 4d 4s Jd", 7, ["4d 4s", "Jd"]),
    ("003", "scopa-quindici", "7c 7s", 1, ["7c 7s"]),
    ("003", "scopa-quindici", "Ac", 1, []),
    ("none", "fifteens and sweep", "Ac 7d 6s", 1, ["Ac 7d 6s"]),  # a blocked ace takes no ace
    ("none", "fifteens and sweep", "Kc 7d 7s", 1, ["Kc 7d 7s", "7d 7s"]),
    ("none", "fifteens, aces only", "Ac 7d 6s", 1, []),
])  # fmt: skip
def test_captures(source: str, rules: str, table: str, value: int, captures: list[str]) -> None:
    assert legal_captures(RULES[rules], lying(table), value) == sets(*captures)


def test_000_matta_named_an_ace_is_an_ace() -> None:
    assert legal_captures(CIRULLA, lying("Ac 7h", _7h=1), 1) == sets("Ac", "7h")
    assert legal_captures(CIRULLA, lying("Kc 7h", _7h=1), 1) == sets("7h")


def test_004_a_card_that_could_capture_may_be_trailed() -> None:
    assert legal_choices(PARLETT, lying("6c"), 6) == {frozenset({"6c"}), frozenset()}
    assert legal_choices(CIRULLA, lying("6c"), 6) == sets("6c")
    assert legal_choices(CIRULLA, lying("6c"), 4) == {frozenset()}


@given(st.sets(st.sampled_from(PACK), max_size=8), st.integers(2, 10))
@settings(max_examples=150, deadline=None)
def test_captures_are_all_the_subsets_that_fit(table: set[str], value: int) -> None:
    """No subset is missed by the limits of the search; aces, with their special rules, are left out."""
    subsets = [set(c) for size in range(1, len(table) + 1) for c in itertools.combinations(sorted(table), size)]
    expected = {frozenset(cards) for cards in subsets if sum(map(own_value, cards)) in (value, 15 - value)}
    assert legal_captures(CIRULLA, {card: own_value(card) for card in table}, value) == expected


@pytest.mark.parametrize(("source", "rules", "table", "value", "captured", "last_play", "scopa"), [
    ("000", "cirulla", "6c", 6, "6c", False, True),
    ("000", "cirulla", "2c 3d 4s", 9, "2c 3d 4s", False, True),
    ("000", "cirulla", "Kc", 5, "Kc", False, True),
    ("000", "cirulla", "Kc 2d", 1, "Kc 2d", False, True),
    ("000", "cirulla", "6c Kd", 6, "6c", False, False),
    ("000", "cirulla", "", 6, "", False, False),
    ("000", "cirulla", "6c", 6, "6c", True, False),
    ("000", "cirulla", "Kc 2d", 1, "Kc 2d", True, False),
    ("003", "scopone-scientifico", "6c", 6, "6c", True, True),
    ("003", "scopa-assi", "Kc 4d", 1, "Kc 4d", False, False),
    ("003", "scopa-assi", "Ac", 1, "Ac", False, True),
    ("none", "no scopa by ace", "Kc 4d", 1, "Kc 4d", False, True),  # a fifteen too
    ("none", "no scopa by ace", "Kc 3d", 1, "Kc 3d", False, False),
])  # fmt: skip
def test_scopa(source: str, rules: str, table: str, value: int, captured: str, last_play: bool, scopa: bool) -> None:
    assert is_scopa(RULES[rules], lying(table), value, frozenset(captured.split()), last_play) == scopa


# ------------------------------------------------------------------------------------------------ the table cards


@pytest.mark.parametrize(("source", "rules", "table", "status"), [
    ("000", "cirulla", "Ah Ad 5c 6c", "misdeal"),
    ("000", "cirulla", "Ah 4d 5c 6c", "play"),
    ("000", "cirulla", "Kh Kd Kc 6c", "play"),
    ("000", "cirulla-tournament", "4c 4s 7h As", "play"),
    ("000", "cirulla-tournament", "Kh Kd Kc 6c", "misdeal"),
    ("000", "cirulla-tournament", "7h 7d 7c 6c", "misdeal"),  # the matta a plain 7
    ("000", "cirulla-tournament", "Kh Kd 7h 6c", "play"),  # the matta no king
    ("000", "cirulla-tournament", "Kh Kd Kc Ks", "win"),  # before any misdeal
    ("000", "cirulla-tournament", "Kh Kd Kc 7h", "win"),
    ("000", "cirulla-tournament", "Ah Ad Ac As", "win"),
    ("000", "cirulla-tournament", "Ah Ad Ac 7h", "win"),
    ("000", "cirulla-tournament", "7h 7d 7c 7s", "win"),
    ("000", "cirulla", "Kh Kd Kc Ks", "play"),
    ("000", "cirulla", "Ah Ad Ac As", "misdeal"),
    ("000", "three-equal-misdeal", "Kh Kd Kc Ks", "misdeal"),
    ("000", "three-equal-misdeal", "Kh Kd Kc 7h", "play"),
    ("003", "scopa", "Kh Kd 2h 3h", "misdeal"),
    ("003", "scopa", "Kh Kd Kc 3h", "misdeal"),
    ("003", "scopa", "Kh Kd Kc Ks", "misdeal"),
    ("003", "scopa", "Ah Ad Ac Kd", "play"),
])  # fmt: skip
def test_tables_that_are_played(source: str, rules: str, table: str, status: str) -> None:
    assert table_status(RULES[rules], table.split()) == status


@pytest.mark.parametrize(("source", "rules", "table", "points", "matta_as"), [
    ("000", "cirulla-tournament", "4c 4s 7h As", 1, {6}),
    ("000", "cirulla", "Ac 2d 4s Jh", 1, {None}),
    ("000", "cirulla", "5c 6d Qs Kh", 2, {None}),
    ("000", "cirulla", "4c 7h 3c 6d", 1, {2}),
    ("000", "cirulla", "6s Qs Kd 5c", 2, {None}),
    ("000", "cirulla", "6s Qs Kd 4c", 0, set()),
    ("000", "cirulla-fantini", "Ac 2d 3s 3d", 3, {None}),
    ("000", "cirulla-fantini", "2c 2d 2s 7h", 3, {1, 2, 3}),  # 15 fits too, for 1
    ("000", "cirulla", "2c 2d 2s 7h", 1, {9}),
    ("000", "cirulla", "Ac 2d 3s 3d", 0, set()),
    ("000", "cirulla-dossena", "Ac 2d 3s 3d", 1, {None}),
    ("000", "cirulla-dossena", "6s Qs Kd 5c", 2, {None}),
    ("000", "cirulla-dossena", "Ac 2d 4s Jh", 0, set()),
    ("003", "scopa", "6s Qs Kd 5c", 0, set()),
    ("003", "scientifico, table of nine", "", 0, set()),
])  # fmt: skip
def test_table_bonuses(source: str, rules: str, table: str, points: int, matta_as: set[int | None]) -> None:
    expected = {"points": points, "matta_as": matta_as} if points else None
    assert table_bonus(RULES[rules], table.split()) == expected


# ------------------------------------------------------------------------------------------------ hand bonuses


@pytest.mark.parametrize(("source", "rules", "held", "bonuses"), [
    ("000", "cirulla", "7h 3c 4d", {(3, 1), (3, 2)}),  # the 7h a 2 or an ace
    ("000", "cirulla", "Qs Qd Qc", {(10, None)}),
    ("000", "cirulla", "Qs Qd 7h", {(10, 9)}),
    ("000", "cirulla", "2s 2d 2c", {(10, None)}),  # only
    ("000", "cirulla", "2s 3d 4c", {(3, None)}),
    ("000", "cirulla", "2s 3d 5c", set()),
    ("000", "cirulla", "5s 4d 7h", set()),
    ("000", "cirulla", "4s 4d 7h", {(10, 4)}),  # never 3: the smaller bonus is not offered
    ("000", "cirulla", "7s 7d 7h", {(10, 7)}),
    ("000", "cirulla", "As Ad 7h", {(10, 1)}),
    ("000", "sum-both-bonuses", "3s 3d 3c", {(13, None)}),
    ("000", "sum-both-bonuses", "3s 3d 7h", {(13, 3)}),
    ("000", "sum-both-bonuses", "4s 4d 7h", {(10, 4)}),
    ("000", "no-triple-bonus", "Qs Qd Qc", set()),
    ("000", "no-triple-bonus", "2s 2d 2c", {(3, None)}),
    ("000", "no-triple-bonus", "4s 4d 7h", {(3, 1)}),
    ("000", "cirulla-dossena", "2s 3d 4c", {(1, None)}),
    ("000", "cirulla-dossena", "Qs Qd Qc", {(2, None)}),
    ("000", "cirulla-dossena", "As Ad Ac", {(3, None)}),
    ("000", "cirulla-dossena", "3s 3d 3c", {(3, None)}),
    ("000", "cirulla-dossena", "3s 3d 7h", {(3, 3)}),
    ("000", "queen-matta", "Qh 3c 4d", {(3, 1), (3, 2)}),
    ("000", "queen-matta", "7h 3c 4d", set()),
    ("001", "cirullone", "Ah Ac 7h", {(10, 1)}),
    ("002", "cirulla-online", "7h 3c 4d", {(3, 1)}),  # the matta an ace
    ("002", "cirulla-online", "7h 4c 4d", {(10, 4)}),
    ("002", "no-matta", "7h 3c 4d", set()),
])  # fmt: skip
def test_hand_bonuses(source: str, rules: str, held: str, bonuses: set[tuple[int, int | None]]) -> None:
    assert hand_bonuses(RULES[rules], held.split()) == bonuses


def test_000_cirullone_disjoint_sets() -> None:
    """Two and three sets in one holding; the matta is used in one of them."""
    cirullone, holding = RULES["cirullone"], ["2s", "2d", "2c", "Qs", "Qd", "7h"]
    assert best_sets(cirullone, holding)[0] == 20
    assert best_sets(cirullone, [*holding, "As", "3d", "4d"])[0] == 23
    assert best_sets(cirullone, ["Ks", "Qd", "7h", "Qs", "Kd", "Jd"])[0] == 10
    assert claims_for_sets(cirullone, ["2s", "2d", "2c", "3c", "4d", "7h"]) == {(13, 1), (13, 2)}  # shown together
    assert claims_for_sets(cirullone, ["2s", "2d", "2c", "Ks", "4d", "5h"]) == set()


# ------------------------------------------------------------------------------------------------ matta in the play


def hand_with_declared_matta(rules: dict) -> Hand:
    """Seat 0 has knocked with 7h 3c 4d, the 7h a 2."""
    hand = Hand(rules, ["Kd", "Ks", "Qs", "Qd"])
    hand.start_stage([["7h", "3c", "4d"], ["Kh", "Jh", "Qh"], ["5c", "6c", "6d"], ["Jc", "Jd", "Js"]])
    hand.start_round()
    hand.knock(0, ["7h", "3c", "4d"], 3, 2)
    return hand


def test_000_matta_keeps_its_value_on_the_table() -> None:
    hand = hand_with_declared_matta(CIRULLA)
    hand.play(0, "7h", frozenset(), last_play=False)
    hand.start_round()
    assert hand.table["7h"] == 2
    assert hand.hand_bonus_points == [3, 0]


def test_002_matta_on_the_table_is_a_seven_from_the_next_round_on() -> None:
    hand = hand_with_declared_matta(ONLINE)
    hand.play(0, "7h", frozenset(), last_play=False)
    assert hand.table["7h"] == 2
    hand.start_round()
    assert hand.table["7h"] == 7


def test_002_matta_still_held_keeps_its_value() -> None:
    hand = hand_with_declared_matta(ONLINE)
    hand.play(0, "3c", frozenset(), last_play=False)
    hand.start_round()
    assert hand.value("7h") == 2


def test_000_cirullone_shown_cards_are_played_first() -> None:
    holding = ["2s", "2d", "2c", "Qs", "Qd", "Qc"]
    hand = Hand(rules_of("cirullone-6-3"), ["Kd", "Ks", "4s", "4d"])
    hand.start_stage([holding, [], [], []])
    assert hand.may_knock(0)
    hand.knock(0, ["2s", "2d", "2c"], 10, None)
    for card in ("2s", "2d", "2c"):
        assert not hand.may_knock(0)
        assert card in hand.playable(0) <= {"2s", "2d", "2c"}
        hand.play(0, card, frozenset(), last_play=False)
    assert hand.may_knock(0)
    assert hand.playable(0) == {"Qs", "Qd", "Qc"}


def test_000_rivarolo_cards_are_played_in_any_order() -> None:
    holding = ["2s", "2d", "2c", "Qs", "Kd", "Qc"]
    hand = Hand(rules_of("cirullone-rivarolo"), ["Kd", "Ks", "4s", "4d"])
    hand.start_stage([holding, [], [], []])
    hand.knock(0, ["2s", "2d", "2c"], 10, None)
    assert hand.playable(0) == set(holding)
    hand.play(0, "2s", frozenset(), last_play=False)
    assert not hand.may_knock(0)


# ------------------------------------------------------------------------------------------------ score


def points_of(rules: dict, pile: str, other: str = "") -> dict[str, int]:
    """The points of a side with one pile against a side with another."""
    return score(rules, [set(pile.split()), set(other.split())], [0, 0], [0, 0], [0, 0])[0][0]


COINS = "Ad 2d 3d 4d 5d 6d 7d Jd Qd Kd"


@pytest.mark.parametrize(("source", "rules", "pile", "other", "category", "points"), [
    ("000", "cirulla", "7h 7d 6c Qs", "7c 7s 5h 2d", "primiera", 1),  # 70 by the table of values against 69
    ("000", "cirulla", "7c 7s 5h 2d", "7h 7d 6c Qs", "primiera", 0),
    ("000", "cirulla", "7h 7d 7c", "Kh Kd Kc Ks", "primiera", 0),  # every suit is required
    ("000", "cirulla", "Kh Kd Kc Ks", "7h 7d 7c", "primiera", 1),
    ("000", "cirulla", "7h 7d 7c", "6h 6d 6c", "primiera", 0),
    ("000", "cirulla", "Kh Kd Kc Ks", "Qh Qd Qc Qs", "primiera", 0),
    ("003", "scopa, most sevens", "7h 7d 7c", "Kh Kd Kc Ks 7s", "primiera", 1),
    ("003", "scopa, most sevens", "7h 7d", "7c 7s", "primiera", 0),
    ("none", "no primiera", "7h 7d 7c Ks", "", "primiera", 0),
    ("000", "cirulla", "2h 2d 3c", "4c Kd", "cards", 1),
    ("000", "cirulla", "2h 2d 3c", "4c Kd", "diamonds", 0),
    ("000", "cirulla", "2d 3d", "4c Kd", "diamonds", 1),
    ("000", "cirulla", "7d", "4c Kd", "settebello", 1),
    ("000", "cirulla", "Ad 2d 3d 4d", "", "piccola", 4),
    ("000", "cirulla", "Ad 2d 3d 5d", "", "piccola", 3),
    ("000", "cirulla", "Ad 2d 4d 5d", "", "piccola", 0),
    ("000", "cirulla", "2d 3d 4d 5d", "", "piccola", 0),
    ("000", "cirulla", "Ad 2d 3d 4d 5d 6d 7d", "", "piccola", 6),
    ("000", "piccola-seven", "Ad 2d 3d 4d 5d 6d 7d", "", "piccola", 7),
    ("004", "cirulla-parlett", "Ad 2d 3d 4d 5d 6d 7d Jd Qd", "", "piccola", 9),
    ("000", "cirulla", "Kd Qd Jd", "", "grande", 5),
    ("000", "cirulla", "Kd Qd Jd 7d 6d", "", "grande", 5),
    ("000", "cirulla", "Kd Qd", "", "grande", 0),
    ("000", "cirulla-dossena", "Kd Qd Jd", "", "grande", 5),
    ("000", "cirulla-dossena", "Kd Qd Jd 7d", "", "grande", 6),
    ("000", "cirulla-dossena", "Kd Qd Jd 7d 6d", "", "grande", 7),
    ("000", "cirulla-dossena", "Kd Qd Jd 6d", "", "grande", 5),
    ("000", "cirulla-dossena", "Ad 2d 3d", "", "piccola", 3),
    ("000", "cirulla-dossena", "Ad 2d 3d 4d 5d", "", "piccola", 5),
    ("000", "cirulla-dossena", "Ad 2d 3d 4d 5d 6d", "", "piccola", 5),
    ("003", "scopa", COINS, "", "total", 3),  # all diamonds are nothing special: cards, diamonds, settebello
])  # fmt: skip
def test_points_of_piles(source: str, rules: str, pile: str, other: str, category: str, points: int) -> None:
    assert points_of(RULES[rules], pile, other)[category] == points


def test_000_primiera_takes_the_best_card_of_each_suit() -> None:
    """The example says 68, where the table of values gives 70."""
    assert primiera_total(["7h", "7d", "6c", "Qs"]) == 70
    assert primiera_total(["7c", "7s", "5h", "2d"]) == 69
    assert primiera_total(["7h", "6h", "Ad", "Kd", "5c", "4c", "3s", "2s"]) == 21 + 16 + 15 + 13


def test_three_sides_need_strictly_more_than_each_other() -> None:
    piles = [{"2h", "2d"}, {"3h", "3d"}, {"4h"}]
    points, _ = score(rules_of(players=3), piles, [0] * 3, [0] * 3, [0] * 3)
    assert [side["cards"] for side in points] == [0, 0, 0]
    points, _ = score(rules_of(players=3), [*piles[:2], {"4h", "4d", "5d"}], [0] * 3, [0] * 3, [0] * 3)
    assert [side["cards"] for side in points] == [0, 0, 1]
    assert [side["diamonds"] for side in points] == [0, 0, 1]


@pytest.mark.parametrize(("all_diamonds", "piccola", "grande", "settebello", "cappotto"), [
    ("wins", 6, 5, 1, 0), ("none", 6, 5, 1, None), (10, 6, 3, 1, None),  # 000: 10 points, most diamonds beside them
    (0, 0, 0, 0, None), (1, 0, 0, 1, None), (4, 3, 0, 1, None), (20, 6, 13, 1, None),
])  # fmt: skip
def test_000_all_diamonds(
    all_diamonds: str | int, piccola: int, grande: int, settebello: int, cappotto: int | None
) -> None:
    rules, coins = rules_of(all_diamonds=all_diamonds), set(COINS.split())
    points, won = score(rules, [coins, set()], [0, 0], [0, 0], [0, 0])
    assert [points[0][name] for name in ("piccola", "grande", "settebello", "diamonds")] == [
        piccola, grande, settebello, 1
    ]  # fmt: skip
    assert won == cappotto
    assert score(rules, [coins - {"Ad"}, set()], [0, 0], [0, 0], [0, 0])[1] is None


def test_totals_count_scope_and_bonuses() -> None:
    points, _ = score(CIRULLA, [{"2h"}, {"3h"}], [2, 1], [0, 2], [13, 3])
    assert [side["total"] for side in points] == [15, 6]


# ------------------------------------------------------------------------------------------------ round trips


def round_trip(rules: dict, seed: int) -> dict:
    """Replay a random hand after conversion to JSON and back."""
    record = json.loads(json.dumps(random_hand(rules, random.Random(seed))))
    replay(record, rules)
    replay(record, rules, always_knock=False)
    return record


@pytest.mark.parametrize(("preset", "players"), PRESETS_AND_SEATS)
def test_round_trip_of_every_preset(preset: str, players: int) -> None:
    rules = rules_of(preset, players=players)
    for seed in range(12):
        record = round_trip(rules, seed)
        assert record == json.loads(json.dumps(random_hand(rules, random.Random(seed))))


def test_round_trip_of_rules_drawn_at_random() -> None:
    rng = random.Random(53)
    for seed in range(150):
        round_trip(asdict(odd_rules(rng)), seed)


def test_a_record_adds_up_by_itself() -> None:
    """Sums that need only the record, not the code that replay and the random hands share."""
    for seed in range(200):
        record = random_hand(CIRULLA, random.Random(seed))
        assert sorted(card for pile in record["piles"] for card in pile) == sorted(PACK)
        for side in (0, 1):
            plays = [play for play in all_plays(record) if play["seat"] % 2 == side]
            taken = {card for play in plays if play["captured"] for card in [play["card"], *play["captured"]]}
            assert taken <= set(record["piles"][side])
            assert record["scope"][side] == sum(play["scopa"] for play in plays)
            assert record["points"][side]["scope"] == record["scope"][side]
            knocks = [play["knock"]["points"] for play in plays if play["knock"]]
            assert record["points"][side]["hand_bonus"] == sum(knocks)
        bonus = record["table_bonus"]["points"] if record["table_bonus"] else 0
        assert [side["table_bonus"] for side in record["points"]] == [0, bonus]
        assert record["last_capture_by"] == [play["seat"] for play in all_plays(record) if play["captured"]][-1]


# ------------------------------------------------------------------------------------------------ stacked deals


class Stacked(random.Random):
    """A random generator whose first shuffles put given cards at given positions, counted from the top."""

    def __init__(self, seed: int, *decks: dict[int, str]) -> None:
        super().__init__(seed)
        self.decks = [{place + n: card for place, row in deck.items() for n, card in enumerate(row.split())}
                      for deck in decks]  # fmt: skip

    def shuffle(self, x: list[str]) -> None:  # type: ignore[override]
        super().shuffle(x)
        for place, card in self.decks.pop(0).items() if self.decks else ():
            other = x.index(card)
            x[place], x[other] = x[other], x[place]


def table_at(table: str, players: int = 4) -> dict[int, str]:
    """A pack with these table cards, after a first stage of three cards each."""
    return {3 * players: table}


def test_000_luzzati_three_misdeals_in_a_row_lose() -> None:
    packs = [table_at("Ah Ad 5c 6c"), table_at("Kh Kd Kc 6c"), table_at("Ah Ad As 6c")]
    record = random_hand(TOURNAMENT, Stacked(1, *packs))
    assert record["misdeals"] == [["Ah", "Ad", "5c", "6c"], ["Kh", "Kd", "Kc", "6c"], ["Ah", "Ad", "As", "6c"]]
    assert (record["table"], record["stages"], record["cappotto"]) == ([], [], 0)
    assert [side["total"] for side in record["points"]] == [0, 0]
    replay(record, TOURNAMENT)
    with pytest.raises(RefereeError, match="misdeals"):
        replay(record | {"misdeals": [*record["misdeals"], ["Ah", "Ad", "5c", "6c"]]}, TOURNAMENT)
    with pytest.raises(RefereeError, match="cappotto"):
        replay(record | {"cappotto": 1}, TOURNAMENT)


def test_three_misdeals_with_three_players_name_both_others() -> None:
    rules = rules_of("cirulla-tournament", players=3)
    record = random_hand(rules, Stacked(1, *[table_at("Ah Ad 5c 6c", players=3)] * 3))
    assert record["cappotto"] == [0, 1]
    replay(record, rules)


def test_000_luzzati_four_equal_end_the_hand_at_once() -> None:
    record = random_hand(TOURNAMENT, Stacked(1, table_at("Ah Ad 5c 6c"), table_at("Kh Kd Kc 7h")))
    assert (record["table"], record["stages"], record["cappotto"]) == (["Kh", "Kd", "Kc", "7h"], [], 1)
    assert len(record["misdeals"]) == 1
    replay(record, TOURNAMENT)
    with pytest.raises(RefereeError, match="cappotto"):
        replay(record | {"cappotto": None}, TOURNAMENT)


def test_000_table_bonus_counts_as_a_capture_and_empties_the_table() -> None:
    record = random_hand(CIRULLA, Stacked(3, table_at("4c 7h 3c 6d")))
    assert record["table_bonus"] == {"points": 1, "matta_as": 2, "captured": True}
    assert record["stages"][0]["plays"][0]["captured"] == []
    assert {"4c", "7h", "3c", "6d"} <= set(record["piles"][1])
    assert record["points"][1]["table_bonus"] == 1
    replay(record, CIRULLA)


def test_004_only_the_table_is_buried() -> None:
    record = random_hand(PARLETT, Stacked(4, table_at("Ah Ad 5c 6c")))
    assert record["misdeals"] == [["Ah", "Ad", "5c", "6c"]]
    replay(record, PARLETT)
    held = record["stages"][0]["hands"][0][0]
    misdeal = ["Ah", "Ad", "5c", held]
    with pytest.raises(RefereeError, match="held in the first stage"):
        replay(record | {"misdeals": [misdeal]}, PARLETT)
    replay(record | {"misdeals": [misdeal]}, PARLETT | {"misdeal_redeal": "all"})


def test_a_hand_with_no_capture_leaves_the_table_to_nobody() -> None:
    """No full deal is known to end like this, so the state of the hand is tested directly."""
    hand = Hand(QUINDICI, ["2h", "2d", "2c", "2s"])
    hand.start_stage([["3h"], ["3d"]])
    for seat, card in enumerate(("3h", "3d")):
        hand.play(seat, card, frozenset(), last_play=False)
    points, _ = hand.finish()
    assert hand.piles == [set(), set()]
    assert [side["total"] for side in points] == [0, 0]


def test_last_table_cards_go_to_the_last_capturing_side() -> None:
    hand = Hand(CIRULLA, ["2h", "Kd"])
    hand.start_stage([["2d"], ["Jd"], [], []])
    assert not hand.play(0, "2d", frozenset({"2h"}), last_play=False)
    hand.play(1, "Jd", frozenset(), last_play=True)
    hand.finish()
    assert hand.piles == [{"2h", "2d", "Jd", "Kd"}, set()]


# ------------------------------------------------------------------------------------------------ broken records


def all_plays(record: dict) -> list[dict]:
    return [play for stage in record["stages"] for play in stage["plays"]]


def changed_in_one_place(value: Any, rng: random.Random) -> Any:
    """A part of a record with another number, card or truth somewhere, an entry left out, or one that stands twice."""
    match value:
        case bool():
            return not value
        case int():
            return value + rng.choice((-1, 1, 7))
        case str():
            return rng.choice([card for card in PACK if card != value])
        case None:
            return 1
        case list():
            at = rng.randrange(len(value))
            entries = ([], [changed_in_one_place(value[at], rng)], [value[at]] * 2)
            return [*value[:at], *rng.choice(entries), *value[at + 1 :]]
    free = [name for name, part in value.items() if part == [] or (part is None and name in ("knock", "table_bonus"))]
    name = rng.choice([name for name in value if name not in (*free, "rules", "seed", "hand", "misdeals")])
    return value | {name: changed_in_one_place(value[name], rng)}


def test_replay_refuses_a_record_changed_in_one_place() -> None:
    """In one line."""
    rng = random.Random(54)
    for seed in range(2000):
        record = random_hand(CIRULLA, random.Random(seed % 100))
        changed = changed_in_one_place(record, rng)
        print("seed", seed, "changed", changed)
        with pytest.raises(RefereeError) as error:
            replay(changed, CIRULLA)
        assert "\n" not in str(error.value)


def knock_with_nothing(record: dict) -> None:
    for play in all_plays(record)[:4]:
        if not play["knock"]:
            play["knock"] = {"points": 3, "cards": record["stages"][0]["hands"][play["seat"]], "matta_as": None}


def knock_late(record: dict) -> None:
    plays = all_plays(record)
    for early, late in zip(plays[:4], plays[4:8], strict=True):
        early["knock"], late["knock"] = None, early["knock"]


def claim_the_smaller_bonus(record: dict) -> None:
    for play in all_plays(record):
        if play["knock"]:
            play["knock"]["points"] = 3


def invent_a_table_bonus(record: dict) -> None:
    record["table_bonus"] = record["table_bonus"] or {"points": 1, "matta_as": None, "captured": True}


def list_a_good_table_as_misdeal(record: dict) -> None:
    record["misdeals"].append(["2h", "3h", "4h", "5h"])


def move_a_pile_card(record: dict) -> None:
    record["piles"][0].append(record["piles"][1].pop())


def swap_two_plays(record: dict) -> None:
    plays = record["stages"][1]["plays"]
    plays[0], plays[1] = plays[1], plays[0]


def forget_a_field_of_a_play(record: dict) -> None:
    del all_plays(record)[3]["as"]


@pytest.mark.parametrize("change", [
    knock_with_nothing, knock_late, claim_the_smaller_bonus, invent_a_table_bonus, list_a_good_table_as_misdeal,
    move_a_pile_card, swap_two_plays, forget_a_field_of_a_play,
])  # fmt: skip
def test_replay_refuses_a_broken_record(change: Callable[[dict], None]) -> None:
    """In several of the hands in which the change makes one."""
    hits = 0
    for seed in range(100):
        record = random_hand(CIRULLA, random.Random(seed))
        broken = copy.deepcopy(record)
        change(broken)
        if broken != record:
            hits += 1
            with pytest.raises(RefereeError):
                replay(broken, CIRULLA)
    assert hits >= 5


def test_an_unclaimed_bonus_is_allowed_where_nobody_must_knock() -> None:
    """An unclaimed low set without the matta changes only the points, so the record stays valid without them."""
    for seed in range(200):
        record = random_hand(CIRULLA, random.Random(seed))
        plays = [play for play in all_plays(record) if play["knock"] and play["knock"]["matta_as"] is None]
        if plays:
            break
    side = record["points"][plays[0]["seat"] % 2]
    side["hand_bonus"] -= plays[0]["knock"]["points"]
    side["total"] -= plays[0]["knock"]["points"]
    plays[0]["knock"] = None
    replay(record, CIRULLA, always_knock=False)
    with pytest.raises(RefereeError, match="knock"):
        replay(record, CIRULLA)


def shown_first_record() -> tuple[dict, dict]:
    """A hand of Cirullone in which seat 0 has three twos, three kings and three other cards."""
    rules = rules_of("cirullone")
    return rules, random_hand(rules, Stacked(5, {0: "2h 2d 2c Kh Kd Kc 5h 6d Js", 36: "Qd Qc 4s 6h"}))


def test_000_cirullone_knocks_again_when_the_shown_cards_are_played() -> None:
    rules, record = shown_first_record()
    replay(record, rules)
    plays = [play for play in all_plays(record) if play["seat"] == 0]
    assert [play["knock"] and play["knock"]["points"] for play in plays] == [10, None, None, 10] + [None] * 5
    assert {play["card"] for play in plays[:3]} == set(plays[0]["knock"]["cards"])


def test_000_cirullone_a_card_not_shown_cannot_be_played_first() -> None:
    rules, record = shown_first_record()
    play = all_plays(record)[0]
    play["card"], play["as"], play["captured"] = "Js", 8, []
    with pytest.raises(RefereeError, match="card: expected one of"):
        replay(record, rules)


def test_cirullone_the_sets_must_be_worth_the_most() -> None:
    """2 2 2 for ten and A 3 4 for three; showing A 2 2 for three first spoils the ten."""
    rules = rules_of("cirullone")
    record = random_hand(rules, Stacked(5, {0: "2h 2d 2c Ah 3d 4c Kh Kd Js", 36: "Qd Qc 5s 6h"}))
    all_plays(record)[0]["knock"] = {"points": 3, "cards": ["Ah", "2h", "2d"], "matta_as": None}
    with pytest.raises(RefereeError, match="points of all sets: expected 13, got 6"):
        replay(record, rules)


def test_000_rivarolo_shows_all_sets_at_once() -> None:
    rules = rules_of("cirullone-rivarolo", deal_plan=(6, 3))
    record = random_hand(rules, Stacked(5, {0: "2h 2d 2c Kh Kd 7h", 24: "Qd Qc 5s 6h"}))
    knock = all_plays(record)[0]["knock"]
    assert (knock["points"], knock["matta_as"], len(knock["cards"])) == (20, 10, 6)
    replay(record, rules)
    with pytest.raises(RefereeError, match="number of cards shown"):
        replay(record, rules | {"bonus_cards_first": True})


def test_a_random_hand_names_a_low_matta_an_ace() -> None:
    """000 lets the player choose 1 or 2 for 7h 3c 4d; replay accepts either if the plays agree with it."""
    record = random_hand(CIRULLA, Stacked(1, {0: "7h 3c 4d", 12: "Qd Qc 5s 6h"}))
    assert all_plays(record)[0]["knock"] == {"points": 3, "cards": ["3c", "4d", "7h"], "matta_as": 1}
    all_plays(record)[0]["knock"]["matta_as"] = 2
    with pytest.raises(RefereeError, match=r"value of 7h: expected 2, got 1|captured by"):
        replay(record, CIRULLA)
