"""The referee against the rules text: the worked examples of the sources, the referee's own hands, broken records.

A test named ``test_000_...`` is an example or a paragraph of source 000, and so on.
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
from referee import (
    RefereeError,
    best_sets,
    claims_for_sets,
    four_equal,
    hand_bonuses,
    is_misdeal,
    is_scopa,
    legal_captures,
    legal_choices,
    lines_of_play,
    primiera_total,
    random_hand,
    replay,
    score,
    table_bonus,
    table_status,
)
from referee.cards import PACK, own_value
from referee.hand import Hand

from cirulla_sim.ruleset.catalogue import catalogue, house_names, preset_names
from cirulla_sim.ruleset.presets import build

PRESETS_AND_SEATS = [(name, seats) for name in preset_names() for seats in catalogue()["preset"][name]["seats"]]


def rules_of(base: str = "cirulla", *houses: str, players: int | None = None, **changes: Any) -> dict:
    """The rules of a preset as a dict, with house rules and fields changed."""
    return asdict(build(base, players, houses, changes))


def lying(cards: str, **declared: int) -> dict[str, int]:
    """A table from card texts such as ``"Ah 3c"``; the value of a declared matta as ``_7h=2``."""
    values = {card: own_value(card) for card in cards.split()}
    return values | {name[1:]: value for name, value in declared.items()}


def sets(*texts: str) -> set[frozenset[str]]:
    """Captures, each given as text, such as ``"Ah 3c"``."""
    return {frozenset(text.split()) for text in texts}


CIRULLA = rules_of()
TOURNAMENT = rules_of("cirulla-tournament")
ONLINE = rules_of("cirulla-online")
PARLETT = rules_of("cirulla-parlett")
DOSSENA = rules_of("cirulla-dossena")
CIRULLONE = rules_of("cirullone")
SCOPA = rules_of("scopa")
ASSI = rules_of("scopa-assi")
QUINDICI = rules_of("scopa-quindici")


# ------------------------------------------------------------------------------------------------ captures


def test_000_an_equal_card() -> None:
    assert legal_captures(CIRULLA, lying("6c Jd"), 6) == sets("6c")
    assert legal_captures(CIRULLA, lying("Kc Jd"), 10) == sets("Kc")


def test_000_queen_takes_two_three_four() -> None:
    """2+3+4=9; the 2 and the 4 alone make a fifteen with the queen."""
    assert legal_captures(CIRULLA, lying("2c 3d 4s"), 9) == sets("2c 3d 4s", "2c 4s")


def test_000_five_takes_a_king_or_seven_and_three() -> None:
    assert legal_captures(CIRULLA, lying("Kc 7s 3d"), 5) == sets("Kc", "7s 3d")


def test_000_ace_capture_example() -> None:
    """A 3 4 6 7: the three captures listed, and A 6 7 (1+1+6+7=15) as the fourth."""
    assert legal_captures(CIRULLA, lying("Ac 3d 4s 6h 7c"), 1) == sets("3d 4s 7c", "Ac 3d 4s 6h", "Ac", "Ac 6h 7c")


def test_000_queen_choice_example() -> None:
    """Queen, 6, 5, 4, 3: the queen, 5+4, 6+3, or the 6 alone."""
    assert legal_captures(CIRULLA, lying("Qc 6h 5d 4s 3c"), 9) == sets("Qc", "5d 4s", "6h 3c", "6h")


def test_000_an_ace_takes_all_or_makes_a_fifteen() -> None:
    assert legal_captures(CIRULLA, lying("Kc 4d 2s"), 1) == sets("Kc 4d 2s", "Kc 4d")
    assert legal_captures(CIRULLA, {}, 1) == set()


def test_000_matta_named_an_ace_is_an_ace() -> None:
    assert legal_captures(CIRULLA, lying("Ac 7h", _7h=1), 1) == sets("Ac", "7h")
    assert legal_captures(CIRULLA, lying("Kc 7h", _7h=1), 1) == sets("7h")
    assert legal_captures(CIRULLA, lying("Kc 7h"), 1) == sets("Kc 7h")


def test_000_matta_named_two_takes_ace_five_seven() -> None:
    assert sets("Ad 5c 7s") <= legal_captures(CIRULLA, lying("Ad 5c 7s"), 2)


def test_000_an_ace_takes_one_ace_never_two() -> None:
    assert legal_captures(CIRULLA, lying("Ac Ad Ks"), 1) == sets("Ac", "Ad")


def test_001_002_003_ace_takes_only_the_ace() -> None:
    for name in ("cirullone", "cirulla-online", "cirulla-catsatcards"):
        assert legal_captures(rules_of(name), lying("Ac 3d 4s 6h 7c"), 1) == sets("Ac")


def test_002_an_ace_must_take_all() -> None:
    assert legal_captures(ONLINE, lying("Kc 4d 2s"), 1) == sets("Kc 4d 2s")
    assert legal_captures(ONLINE, {}, 1) == set()


def test_002_four_with_four_seven_two() -> None:
    assert legal_captures(ONLINE, lying("4c 7d 2s"), 4) == sets("4c 7d", "4c")


def test_002_king_with_five_five_three_two() -> None:
    expected = sets("5c 5d", "5c 3s 2s", "5d 3s 2s", "5c", "5d", "3s 2s")
    assert legal_captures(ONLINE, lying("5c 5d 3s 2s"), 10) == expected


def test_003_scopa_an_equal_card_must_be_taken() -> None:
    assert legal_captures(SCOPA, lying("7c 4d 3s Jd"), 7) == sets("7c")
    assert legal_captures(SCOPA, lying("7c 7s 4d 3s"), 7) == sets("7c", "7s")
    assert legal_captures(SCOPA, lying("4d 3s Jd"), 7) == sets("4d 3s")


def test_003_equal_first_does_not_exclude_fifteens() -> None:
    assert legal_captures(rules_of(equal_first=True), lying("7c 4d 3s Jd"), 7) == sets("7c", "Jd")


def test_003_scopa_has_no_ace_sweep() -> None:
    assert legal_captures(SCOPA, lying("Kc 4d"), 1) == set()
    assert legal_captures(SCOPA, lying("Ac 4d"), 1) == sets("Ac")


def test_003_scopa_assi() -> None:
    assert legal_captures(ASSI, lying("Kc 4d"), 1) == sets("Kc 4d")
    assert legal_captures(ASSI, lying("Kc Ad"), 1) == sets("Ad")


def test_003_scopa_quindici() -> None:
    assert legal_captures(QUINDICI, lying("7c 4d 4s Jd"), 7) == sets("4d 4s", "Jd")
    assert legal_captures(QUINDICI, lying("7c 7s"), 1) == sets("7c 7s")
    assert legal_captures(QUINDICI, lying("Ac"), 1) == set()


def test_ace_rules_add_only_the_sweep() -> None:
    """If only fifteens capture, a blocked ace takes no ace, and an ace may still sweep a table without aces."""
    fifteens_and_sweep = rules_of("scopa-quindici", ace_sweep=True)
    assert legal_captures(fifteens_and_sweep, lying("Ac 7d 6s"), 1) == sets("Ac 7d 6s")
    assert legal_captures(fifteens_and_sweep, lying("Kc 7d 7s"), 1) == sets("Kc 7d 7s", "7d 7s")
    assert legal_captures(fifteens_and_sweep | {"ace_blocked": "ace_only"}, lying("Ac 7d 6s"), 1) == set()


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


# ------------------------------------------------------------------------------------------------ scopa


def test_000_scopa_by_each_method() -> None:
    for table, value in (("6c", 6), ("2c 3d 4s", 9), ("Kc", 5), ("Kc 2d", 1)):
        assert is_scopa(CIRULLA, lying(table), value, frozenset(table.split()), last_play=False)
    assert not is_scopa(CIRULLA, lying("6c Kd"), 6, frozenset({"6c"}), last_play=False)
    assert not is_scopa(CIRULLA, {}, 6, frozenset(), last_play=False)


def test_000_no_scopa_with_the_last_card() -> None:
    assert not is_scopa(CIRULLA, lying("6c"), 6, frozenset({"6c"}), last_play=True)
    assert not is_scopa(CIRULLA, lying("Kc 2d"), 1, frozenset({"Kc", "2d"}), last_play=True)


def test_003_scopone_scientifico_scopa_with_the_last_card() -> None:
    assert is_scopa(rules_of("scopone-scientifico"), lying("6c"), 6, frozenset({"6c"}), last_play=True)


def test_003_scopa_assi_the_ace_sweep_is_no_scopa() -> None:
    assert not is_scopa(ASSI, lying("Kc 4d"), 1, frozenset({"Kc", "4d"}), last_play=False)
    assert is_scopa(ASSI, lying("Ac"), 1, frozenset({"Ac"}), last_play=False)


def test_ace_sweep_that_is_also_a_fifteen_is_a_scopa() -> None:
    no_scopa_by_ace = rules_of(ace_sweep_scopa=False)
    assert is_scopa(no_scopa_by_ace, lying("Kc 4d"), 1, frozenset({"Kc", "4d"}), last_play=False)
    assert not is_scopa(no_scopa_by_ace, lying("Kc 3d"), 1, frozenset({"Kc", "3d"}), last_play=False)


# ------------------------------------------------------------------------------------------------ the table cards


def test_000_two_aces_are_a_misdeal() -> None:
    assert is_misdeal(CIRULLA, ["Ah", "Ad", "5c", "6c"])
    assert is_misdeal(CIRULLA, ["Ah", "Ad", "Ac", "As"])
    assert not is_misdeal(CIRULLA, ["Ah", "4d", "5c", "6c"])
    assert not is_misdeal(CIRULLA, ["Kh", "Kd", "Kc", "6c"])


def test_000_luzzati_no_misdeal_but_fifteen() -> None:
    """4c 4s 7h As is not a misdeal, but can be captured for one scopa, the 7h as a 6."""
    table = ["4c", "4s", "7h", "As"]
    assert table_status(TOURNAMENT, table) == "play"
    assert table_bonus(TOURNAMENT, table) == {"points": 1, "matta_as": {6}}


def test_000_luzzati_three_equal_are_a_misdeal() -> None:
    assert table_status(TOURNAMENT, ["Kh", "Kd", "Kc", "6c"]) == "misdeal"
    assert table_status(CIRULLA, ["Kh", "Kd", "Kc", "6c"]) == "play"
    assert table_status(TOURNAMENT, ["7h", "7d", "7c", "6c"]) == "misdeal"  # the matta a plain 7
    assert table_status(TOURNAMENT, ["Kh", "Kd", "7h", "6c"]) == "play"  # the matta no king


def test_000_luzzati_four_equal_win_before_any_misdeal() -> None:
    for table in (
        ["Kh", "Kd", "Kc", "Ks"],
        ["Kh", "Kd", "Kc", "7h"],
        ["Ah", "Ad", "Ac", "As"],
        ["Ah", "Ad", "Ac", "7h"],
    ):
        assert four_equal(TOURNAMENT, table)
        assert table_status(TOURNAMENT, table) == "win"
        assert table_status(CIRULLA, table) != "win"
    assert table_status(TOURNAMENT, ["7h", "7d", "7c", "7s"]) == "win"
    assert not four_equal(TOURNAMENT, ["7h", "7d", "7c", "6s"])
    assert is_misdeal(rules_of("cirulla", "three-equal-misdeal"), ["Kh", "Kd", "Kc", "Ks"])
    assert not is_misdeal(rules_of("cirulla", "three-equal-misdeal"), ["Kh", "Kd", "Kc", "7h"])


def test_003_two_or_more_kings_are_a_misdeal() -> None:
    for table in (["Kh", "Kd", "2h", "3h"], ["Kh", "Kd", "Kc", "3h"], ["Kh", "Kd", "Kc", "Ks"]):
        assert is_misdeal(SCOPA, table)
    assert not is_misdeal(SCOPA, ["Ah", "Ad", "Ac", "Kd"])


def test_000_deal_examples_of_fifteen_and_thirty() -> None:
    assert table_bonus(CIRULLA, ["Ac", "2d", "4s", "Jh"]) == {"points": 1, "matta_as": {None}}
    assert table_bonus(CIRULLA, ["5c", "6d", "Qs", "Kh"]) == {"points": 2, "matta_as": {None}}


def test_000_dealer_bonus_examples() -> None:
    assert table_bonus(CIRULLA, ["4c", "7h", "3c", "6d"]) == {"points": 1, "matta_as": {2}}
    assert table_bonus(CIRULLA, ["6s", "Qs", "Kd", "5c"]) == {"points": 2, "matta_as": {None}}
    assert table_bonus(CIRULLA, ["6s", "Qs", "Kd", "4c"]) is None


def test_000_fantini_low_table() -> None:
    fantini = rules_of("cirulla-fantini")
    assert table_bonus(fantini, ["Ac", "2d", "3s", "3d"]) == {"points": 3, "matta_as": {None}}
    assert table_bonus(fantini, ["2c", "2d", "2s", "7h"]) == {"points": 3, "matta_as": {1, 2, 3}}  # 15 fits too, for 1
    assert table_bonus(CIRULLA, ["2c", "2d", "2s", "7h"]) == {"points": 1, "matta_as": {9}}
    assert table_bonus(CIRULLA, ["Ac", "2d", "3s", "3d"]) is None


def test_000_dossena_table_bonuses() -> None:
    assert table_bonus(DOSSENA, ["Ac", "2d", "3s", "3d"]) == {"points": 1, "matta_as": {None}}
    assert table_bonus(DOSSENA, ["6s", "Qs", "Kd", "5c"]) == {"points": 2, "matta_as": {None}}
    assert table_bonus(DOSSENA, ["Ac", "2d", "4s", "Jh"]) is None


def test_003_scopa_has_no_table_bonus_nor_an_empty_table() -> None:
    assert table_bonus(SCOPA, ["6s", "Qs", "Kd", "5c"]) is None
    assert table_bonus(rules_of("scopone-scientifico", "table-nine"), []) is None


# ------------------------------------------------------------------------------------------------ hand bonuses


def test_000_low_hand_with_the_matta() -> None:
    """7h 3c 4d scores 3, the 7h a 2 or an ace."""
    assert hand_bonuses(CIRULLA, ["7h", "3c", "4d"]) == {(3, 1), (3, 2)}


def test_000_three_queens_and_two_with_the_matta() -> None:
    assert hand_bonuses(CIRULLA, ["Qs", "Qd", "Qc"]) == {(10, None)}
    assert hand_bonuses(CIRULLA, ["Qs", "Qd", "7h"]) == {(10, 9)}


def test_000_three_twos_score_ten_only() -> None:
    assert hand_bonuses(CIRULLA, ["2s", "2d", "2c"]) == {(10, None)}


def test_000_nine_is_low_and_ten_is_not() -> None:
    assert hand_bonuses(CIRULLA, ["2s", "3d", "4c"]) == {(3, None)}
    assert hand_bonuses(CIRULLA, ["2s", "3d", "5c"]) == set()
    assert hand_bonuses(CIRULLA, ["5s", "4d", "7h"]) == set()


def test_one_matta_value_and_the_best_total() -> None:
    """4-4-7h scores 10 with the matta as a 4, never 3; 7-7-7h is three sevens; the smaller bonus is not offered."""
    assert hand_bonuses(CIRULLA, ["4s", "4d", "7h"]) == {(10, 4)}
    assert hand_bonuses(CIRULLA, ["7s", "7d", "7h"]) == {(10, 7)}
    assert hand_bonuses(CIRULLA, ["As", "Ad", "7h"]) == {(10, 1)}


def test_000_both_bonuses_together() -> None:
    both = rules_of("cirulla", "sum-both-bonuses")
    assert hand_bonuses(both, ["3s", "3d", "3c"]) == {(13, None)}
    assert hand_bonuses(both, ["3s", "3d", "7h"]) == {(13, 3)}
    assert hand_bonuses(both, ["4s", "4d", "7h"]) == {(10, 4)}


def test_000_no_bonus_for_three_equal() -> None:
    no_triple = rules_of("cirulla", "no-triple-bonus")
    assert hand_bonuses(no_triple, ["Qs", "Qd", "Qc"]) == set()
    assert hand_bonuses(no_triple, ["2s", "2d", "2c"]) == {(3, None)}
    assert hand_bonuses(no_triple, ["4s", "4d", "7h"]) == {(3, 1)}


def test_000_dossena_hand_bonuses() -> None:
    assert hand_bonuses(DOSSENA, ["2s", "3d", "4c"]) == {(1, None)}
    assert hand_bonuses(DOSSENA, ["Qs", "Qd", "Qc"]) == {(2, None)}
    for rank in "A23":
        assert hand_bonuses(DOSSENA, [rank + "s", rank + "d", rank + "c"]) == {(3, None)}
    assert hand_bonuses(DOSSENA, ["3s", "3d", "7h"]) == {(3, 3)}


def test_000_queen_of_hearts_as_matta() -> None:
    queen = rules_of("cirulla", "queen-matta")
    assert hand_bonuses(queen, ["Qh", "3c", "4d"]) == {(3, 1), (3, 2)}
    assert hand_bonuses(queen, ["7h", "3c", "4d"]) == set()


def test_001_two_aces_and_the_matta() -> None:
    assert hand_bonuses(CIRULLONE, ["Ah", "Ac", "7h"]) == {(10, 1)}


def test_002_matta_in_a_low_hand_is_an_ace() -> None:
    assert hand_bonuses(ONLINE, ["7h", "3c", "4d"]) == {(3, 1)}
    assert hand_bonuses(ONLINE, ["7h", "4c", "4d"]) == {(10, 4)}
    assert hand_bonuses(rules_of("cirulla", "no-matta"), ["7h", "3c", "4d"]) == set()


def test_000_cirullone_disjoint_sets() -> None:
    """Two and three sets in one holding; the matta is used in one of them."""
    holding = ["2s", "2d", "2c", "Qs", "Qd", "7h"]
    assert best_sets(CIRULLONE, holding)[0] == 20
    assert best_sets(CIRULLONE, [*holding, "As", "3d", "4d"])[0] == 23
    assert best_sets(CIRULLONE, ["Ks", "Qd", "7h", "Qs", "Kd", "Jd"])[0] == 10


def test_000_rivarolo_sets_shown_together() -> None:
    cards = ["2s", "2d", "2c", "3c", "4d", "7h"]
    assert claims_for_sets(CIRULLONE, cards) == {(13, 1), (13, 2)}
    assert claims_for_sets(CIRULLONE, ["2s", "2d", "2c", "Ks", "4d", "5h"]) == set()


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


def test_000_primiera_example() -> None:
    """7-7-6-Q beats 7-7-5-2: 70 by the table of values (the example says 68) against 69."""
    first, second = "7h 7d 6c Qs", "7c 7s 5h 2d"
    assert primiera_total(first.split()) == 70
    assert primiera_total(second.split()) == 69
    assert points_of(CIRULLA, first, second)["primiera"] == 1
    assert points_of(CIRULLA, second, first)["primiera"] == 0


def test_000_primiera_needs_every_suit() -> None:
    assert points_of(CIRULLA, "7h 7d 7c", "Kh Kd Kc Ks")["primiera"] == 0
    assert points_of(CIRULLA, "Kh Kd Kc Ks", "7h 7d 7c")["primiera"] == 1
    assert points_of(CIRULLA, "7h 7d 7c", "6h 6d 6c")["primiera"] == 0
    assert points_of(CIRULLA, "Kh Kd Kc Ks", "Qh Qd Qc Qs")["primiera"] == 0


def test_000_primiera_takes_the_best_card_of_each_suit() -> None:
    assert primiera_total(["7h", "6h", "Ad", "Kd", "5c", "4c", "3s", "2s"]) == 21 + 16 + 15 + 13


def test_003_simple_primiera_is_most_sevens() -> None:
    sevens = rules_of("scopa", "simple-primiera")
    assert points_of(sevens, "7h 7d 7c", "Kh Kd Kc Ks 7s")["primiera"] == 1
    assert points_of(sevens, "7h 7d", "7c 7s")["primiera"] == 0
    assert points_of(rules_of(primiera="none"), "7h 7d 7c Ks", "")["primiera"] == 0


def test_000_most_cards_and_diamonds() -> None:
    ahead = points_of(CIRULLA, "2h 2d 3c", "4c Kd")
    assert (ahead["cards"], ahead["diamonds"]) == (1, 0)
    assert points_of(CIRULLA, "2d 3d", "4c Kd")["diamonds"] == 1
    assert points_of(CIRULLA, "7d", "4c Kd")["settebello"] == 1


def test_three_sides_need_strictly_more_than_each_other() -> None:
    piles = [{"2h", "2d"}, {"3h", "3d"}, {"4h"}]
    points, _ = score(rules_of(players=3), piles, [0] * 3, [0] * 3, [0] * 3)
    assert [side["cards"] for side in points] == [0, 0, 0]
    points, _ = score(rules_of(players=3), [*piles[:2], {"4h", "4d", "5d"}], [0] * 3, [0] * 3, [0] * 3)
    assert [side["cards"] for side in points] == [0, 0, 1]
    assert [side["diamonds"] for side in points] == [0, 0, 1]


def test_000_piccola() -> None:
    """A 2 3 4 scores 4; at most 6; a run must start at the ace and have three cards."""
    assert points_of(CIRULLA, "Ad 2d 3d 4d")["piccola"] == 4
    assert points_of(CIRULLA, "Ad 2d 3d 5d")["piccola"] == 3
    assert points_of(CIRULLA, "Ad 2d 4d 5d")["piccola"] == 0
    assert points_of(CIRULLA, "2d 3d 4d 5d")["piccola"] == 0
    assert points_of(CIRULLA, "Ad 2d 3d 4d 5d 6d 7d")["piccola"] == 6


def test_000_piccola_of_seven() -> None:
    """Ace to 7 of diamonds are 8 points: 7 for the sequence and one for the sette bello."""
    points = points_of(rules_of("cirulla", "piccola-seven"), "Ad 2d 3d 4d 5d 6d 7d")
    assert points["piccola"] + points["settebello"] == 8


def test_004_piccola_has_no_bound() -> None:
    assert points_of(PARLETT, "Ad 2d 3d 4d 5d 6d 7d Jd Qd")["piccola"] == 9


def test_000_grande() -> None:
    assert points_of(CIRULLA, "Kd Qd Jd")["grande"] == 5
    assert points_of(CIRULLA, "Kd Qd Jd 7d 6d")["grande"] == 5
    assert points_of(CIRULLA, "Kd Qd")["grande"] == 0


def test_000_dossena_sequences() -> None:
    for pile, grande in (("Kd Qd Jd", 5), ("Kd Qd Jd 7d", 6), ("Kd Qd Jd 7d 6d", 7), ("Kd Qd Jd 6d", 5)):
        assert points_of(DOSSENA, pile)["grande"] == grande
    for pile, piccola in (("Ad 2d 3d", 3), ("Ad 2d 3d 4d", 4), ("Ad 2d 3d 4d 5d", 5), ("Ad 2d 3d 4d 5d 6d", 5)):
        assert points_of(DOSSENA, pile)["piccola"] == piccola


ALL_DIAMONDS = [card for card in PACK if card[1] == "d"]


def test_000_all_diamonds_win_the_game() -> None:
    points, cappotto = score(CIRULLA, [set(), set(ALL_DIAMONDS)], [0, 0], [0, 0], [0, 0])
    assert cappotto == 1
    assert [points[1][key] for key in ("diamonds", "settebello", "piccola", "grande")] == [1, 1, 6, 5]
    assert score(CIRULLA, [set(), set(ALL_DIAMONDS[1:])], [0, 0], [0, 0], [0, 0])[1] is None


def test_000_all_diamonds_for_ten_points() -> None:
    """10 points: 6 for la piccola, 3 for la grande, 1 for the sette bello; most diamonds stands beside them."""
    ten = rules_of("cirulla", "cappotto-ten-points")
    points, cappotto = score(ten, [set(ALL_DIAMONDS), set()], [0, 0], [0, 0], [0, 0])
    assert cappotto is None
    assert [points[0][key] for key in ("piccola", "grande", "settebello", "diamonds")] == [6, 3, 1, 1]
    for number, shares in ((0, [0, 0, 0]), (1, [0, 0, 1]), (4, [3, 0, 1]), (20, [6, 13, 1])):
        points, _ = score(rules_of(all_diamonds=number), [set(ALL_DIAMONDS), set()], [0, 0], [0, 0], [0, 0])
        assert [points[0][key] for key in ("piccola", "grande", "settebello")] == shares


def test_003_scopa_all_diamonds_are_nothing_special() -> None:
    points, cappotto = score(SCOPA, [set(ALL_DIAMONDS), set()], [2, 0], [0, 0], [0, 0])
    assert cappotto is None
    assert points[0] == {
        "cards": 1, "diamonds": 1, "settebello": 1, "primiera": 0, "grande": 0, "piccola": 0, "scope": 2,
        "table_bonus": 0, "hand_bonus": 0, "total": 5,
    }  # fmt: skip


def test_totals_count_scope_and_bonuses() -> None:
    points, _ = score(CIRULLA, [{"2h"}, {"3h"}], [2, 1], [0, 2], [13, 3])
    assert [side["total"] for side in points] == [15, 6]


# ------------------------------------------------------------------------------------------------ lines of play


def test_lines_of_play_counted_by_hand() -> None:
    assert lines_of_play(CIRULLA, [["7d"], ["7c"]], ["7s"]) == 1
    assert lines_of_play(CIRULLA, [["Ah", "2h"], ["3c", "5c"]], []) == 4
    assert lines_of_play(CIRULLA, [["Qd"], ["2c"]], ["Qs", "6h", "5d", "4s", "3c"]) == 4
    assert lines_of_play(PARLETT, [["Qd"], ["2c"]], ["Qs", "6h", "5d", "4s", "3c"]) == 2 + 1 + 2 + 2 + 4


def test_lines_of_play_a_set_reached_in_two_ways_is_one() -> None:
    assert lines_of_play(CIRULLA, [["Ah"], ["Ac"]], ["Kc", "4d"]) == 1
    assert lines_of_play(CIRULLA, [["Ah"], ["Ac"]], ["Kc", "4d", "2s"]) == 2
    assert lines_of_play(ONLINE, [["Ah"], ["Ac"]], ["Kc", "4d", "2s"]) == 1


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


@pytest.mark.parametrize("house", house_names())
def test_round_trip_of_every_house_rule(house: str) -> None:
    for preset in preset_names():
        round_trip(rules_of(preset, house), seed=1)


DEAL_PLANS = {
    2: [(3,) * 6, (9, 9), (6, 6, 6)],
    3: [(3,) * 4, (6, 6), (3, 9)],
    4: [(3,) * 3, (9,), (6, 3), (1, 8), (5, 4)],
}
CHOICES: dict[str, list[Any]] = {
    "misdeal_rank": ["A", "7"], "misdeal_count": [0, 1, 2], "misdeal_redeal": ["all", "table"],
    "misdeal_three_equal": [False, True], "misdeals_lose": [0, 3], "table_four_equal_wins": [False, True],
    "matta": [None, "7h", "Qh"], "matta_low": ["choose", "ace"], "matta_on_table": ["keeps", "reverts"],
    "table_15": [0, 1], "table_30": [0, 2], "table_low": [0, 1, 3], "hand_low": [0, 3], "hand_triple": [0, 10],
    "hand_both": ["best", "sum", 0, 3], "bonus_cards_first": [False, True],
    "capture_by": [("equal", "sum", "fifteen"), ("equal", "sum"), ("fifteen",), ("sum", "fifteen"), ("equal",)],
    "equal_first": [False, True], "capture_optional": [False, False, True], "ace_sweep": [False, True],
    "ace_choice": ["free", "sweep"], "ace_blocked": ["ace_or_fifteen", "ace_only"], "ace_sweep_scopa": [False, True],
    "last_card_scopa": [False, True], "primiera": ["full", "sevens", "none"], "grande": [0, 5],
    "grande_extended": [False, True], "piccola_max": [0, 5, 6, 7, 10], "all_diamonds": ["wins", "none", 10],
}  # fmt: skip


def test_round_trip_of_rules_mixed_at_random() -> None:
    for seed in range(150):
        rng = random.Random(seed)
        players = rng.choice([2, 3, 4])
        changes = {name: rng.choice(values) for name, values in CHOICES.items()}
        changes |= {"deal_plan": rng.choice(DEAL_PLANS[players]), "partnership": players == 4 and rng.random() < 0.5}
        round_trip(rules_of(players=players, **changes), seed)


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


@pytest.mark.parametrize("house", [None, "matta-reverts"])
def test_000_002_value_at_which_a_trailed_matta_is_taken(house: str | None) -> None:
    """In whole hands: captured alone, at its declared value (000), or as a 7 in later rounds (002)."""
    rules = rules_of("cirulla", *([house] if house else []))
    hits = 0
    for seed in range(1200):
        plays = all_plays(random_hand(rules, random.Random(seed)))
        trailed = next((number for number, play in enumerate(plays) if play["card"] == "7h"), len(plays))
        for number in range(trailed + 1, len(plays)):
            if plays[number]["captured"] == ["7h"] and plays[trailed]["as"] not in (7, 8):
                reverted = house and number // 4 > trailed // 4
                value = 7 if reverted else plays[trailed]["as"]
                assert plays[number]["as"] in (value, 15 - value, 1)
                hits += number // 4 > trailed // 4 and plays[number]["as"] == value
    assert hits >= 3


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


class NotApplicableError(Exception):
    """The change cannot be made to this record."""


def all_plays(record: dict) -> list[dict]:
    return [play for stage in record["stages"] for play in stage["plays"]]


def first(items: list[Any], wanted: Callable[[Any], bool]) -> Any:
    """The first item that satisfies a condition."""
    for item in items:
        if wanted(item):
            return item
    raise NotApplicableError


def capture_a_held_card(record: dict) -> None:
    play = first(all_plays(record), lambda play: play["captured"])
    play["captured"][0] = next(card for card in PACK if card not in play["captured"] and card != play["card"])


def capture_less(record: dict) -> None:
    first(all_plays(record), lambda play: len(play["captured"]) == 3)["captured"].pop()


def capture_twice(record: dict) -> None:
    play = first(all_plays(record), lambda play: play["captured"])
    play["captured"].append(play["captured"][0])


def trail_a_capture(record: dict) -> None:
    first(all_plays(record), lambda play: play["captured"])["captured"] = []


def flip_scopa(record: dict) -> None:
    play = first(all_plays(record), lambda play: play["scopa"])
    play["scopa"] = False


def claim_scopa(record: dict) -> None:
    first(all_plays(record), lambda play: not play["scopa"])["scopa"] = True


def change_value(record: dict) -> None:
    all_plays(record)[5]["as"] += 1


def change_seat(record: dict) -> None:
    all_plays(record)[5]["seat"] = 0


def play_an_unheld_card(record: dict) -> None:
    all_plays(record)[0]["card"] = record["stages"][0]["hands"][1][0]


def play_a_card_twice(record: dict) -> None:
    all_plays(record)[4]["card"] = all_plays(record)[0]["card"]


def knocking(record: dict) -> dict:
    return first(all_plays(record), lambda play: play["knock"])


def leave_unclaimed(record: dict) -> None:
    knocking(record)["knock"] = None


def overclaim(record: dict) -> None:
    knocking(record)["knock"]["points"] += 7


def name_a_wrong_value(record: dict) -> None:
    first(all_plays(record), lambda play: play["knock"] and play["knock"]["matta_as"])["knock"]["matta_as"] = 10


def name_a_value_without_matta(record: dict) -> None:
    first(all_plays(record), lambda play: play["knock"] and not play["knock"]["matta_as"])["knock"]["matta_as"] = 1


def claim_the_smaller_bonus(record: dict) -> None:
    first(all_plays(record), lambda play: play["knock"] and play["knock"]["points"] == 10)["knock"]["points"] = 3


def knock_with_nothing(record: dict) -> None:
    play = first(all_plays(record)[:4], lambda play: not play["knock"])
    holding = record["stages"][0]["hands"][play["seat"]]
    play["knock"] = {"points": 3, "cards": holding, "matta_as": None}


def knock_late(record: dict) -> None:
    plays = all_plays(record)
    early = first(plays[:4], lambda play: play["knock"] and play["knock"]["matta_as"] is None)
    plays[early["seat"] + 4]["knock"], early["knock"] = early["knock"], None


def knock_with_cards_of_another(record: dict) -> None:
    play = first(all_plays(record)[:4], lambda play: play["knock"])
    play["knock"]["cards"] = record["stages"][0]["hands"][(play["seat"] + 1) % 4]


def add_points(kind: str) -> Callable[[dict], None]:
    def change(record: dict) -> None:
        record["points"][0][kind] += 1

    change.__name__ = f"add_points_{kind}"
    return change


def change_last_capture(record: dict) -> None:
    record["last_capture_by"] = (record["last_capture_by"] + 1) % 4


def move_a_pile_card(record: dict) -> None:
    record["piles"][0].append(record["piles"][1].pop())


def duplicate_a_pile_card(record: dict) -> None:
    record["piles"][0].append(record["piles"][0][0])


def add_a_scopa(record: dict) -> None:
    record["scope"][1] += 1


def claim_cappotto(record: dict) -> None:
    record["cappotto"] = 1


def list_a_good_table_as_misdeal(record: dict) -> None:
    record["misdeals"].append(["2h", "3h", "4h", "5h"])


def deal_a_card_twice(record: dict) -> None:
    record["stages"][2]["hands"][0][0] = record["stages"][2]["hands"][1][0]


def deal_two_aces_to_the_table(record: dict) -> None:
    record["table"][:2] = ["Ah", "Ad"]


def drop_the_table_bonus(record: dict) -> None:
    if record["table_bonus"] is None:
        raise NotApplicableError
    record["table_bonus"] = None


def double_the_table_bonus(record: dict) -> None:
    if record["table_bonus"] is None:
        raise NotApplicableError
    record["table_bonus"]["points"] *= 2


def invent_a_table_bonus(record: dict) -> None:
    if record["table_bonus"] is not None:
        raise NotApplicableError
    record["table_bonus"] = {"points": 1, "matta_as": None, "captured": True}


def drop_a_stage(record: dict) -> None:
    record["stages"].pop()


def drop_a_play(record: dict) -> None:
    record["stages"][1]["plays"].pop()


def swap_two_plays(record: dict) -> None:
    plays = record["stages"][1]["plays"]
    plays[0], plays[1] = plays[1], plays[0]


def forget_a_field(record: dict) -> None:
    del record["scope"]


def forget_a_field_of_a_play(record: dict) -> None:
    del all_plays(record)[3]["as"]


def change_the_dealer(record: dict) -> None:
    record["dealer"] = 0


BROKEN = [
    (capture_a_held_card, "captured by"), (capture_less, "captured by"), (capture_twice, "distinct cards captured"),
    (trail_a_capture, "captured by"), (flip_scopa, "scopa"), (claim_scopa, "scopa"), (change_value, "value of"),
    (change_seat, "seat"), (play_an_unheld_card, "card"), (play_a_card_twice, "card"), (leave_unclaimed, "knock"),
    (overclaim, "knock with"), (name_a_wrong_value, "knock with"), (name_a_value_without_matta, "knock with"),
    (claim_the_smaller_bonus, "knock with"), (knock_with_nothing, "knock with"), (knock_late, "knock"),
    (knock_with_cards_of_another, "cards shown that are not held"), (add_points("cards"), "points"),
    (add_points("grande"), "points"), (add_points("total"), "points"), (change_last_capture, "last_capture_by"),
    (move_a_pile_card, "piles"), (duplicate_a_pile_card, "piles"), (add_a_scopa, "scope"),
    (claim_cappotto, "cappotto"), (list_a_good_table_as_misdeal, "misdeals"), (deal_a_card_twice, "cards dealt"),
    (deal_two_aces_to_the_table, "table: "), (drop_the_table_bonus, "table_bonus"),
    (double_the_table_bonus, "table_bonus"), (invent_a_table_bonus, "table_bonus"), (drop_a_stage, "stages"),
    (drop_a_play, "plays"), (swap_two_plays, "seat"), (forget_a_field, "missing fields"),
    (forget_a_field_of_a_play, "missing fields"), (change_the_dealer, "dealer"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), BROKEN, ids=[change.__name__ for change, _ in BROKEN])
def test_replay_refuses_a_broken_record(change: Callable[[dict], None], message: str) -> None:
    """A single change to a valid record is found and named in one line, in several hands."""
    hits = 0
    for seed in range(600):
        record = random_hand(CIRULLA, random.Random(seed))
        broken = copy.deepcopy(record)
        try:
            change(broken)
        except NotApplicableError:
            continue
        with pytest.raises(RefereeError, match=message) as error:
            replay(broken, CIRULLA)
        assert "\n" not in str(error.value)
        hits += 1
        if hits == 5:
            return
    pytest.fail("no hand to make this change in often enough")


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
