"""Questions about dealt cards: against brute force over all cases, against each other, and when they make no sense."""

from __future__ import annotations

import itertools
from dataclasses import asdict
from fractions import Fraction

import pytest
from referee import hand_bonuses, is_misdeal, table_bonus
from referee.cards import PACK, own_value

from cirulla_sim.errors import InputError
from cirulla_sim.exact.features import HOLDING, TABLE
from cirulla_sim.exact.first_deal import first_deal_odds
from cirulla_sim.questions import ask
from cirulla_sim.rules import build

CIRULLA = build("cirulla")


def answer(question: str | None, rules=CIRULLA, **asked: str) -> Fraction:
    frame = ask(rules, question, **asked)
    assert frame.height == 1
    return Fraction(frame["exact"].item())


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("low", lambda cards: sum(1 if card == "7h" else own_value(card) for card in cards) <= 9),
        ("triple", lambda cards: len({card[0] for card in cards if card != "7h"}) == 1),
        ("aces = 2 and not has_matta", lambda cards: sum(c[0] == "A" for c in cards) == 2 and "7h" not in cards),
        ("total between 14 and 16", lambda cards: 14 <= sum(own_value(card) for card in cards) <= 16),
        ("diamonds > spades", lambda cards: sum(c[1] == "d" for c in cards) > sum(c[1] == "s" for c in cards)),
        ("ranks = 'A7K'", lambda cards: sorted(card[0] for card in cards) == ["7", "A", "K"]),
        ("cards like '%7d%'", lambda cards: "7d" in cards),
        ("most_equal = 3", lambda cards: len({card[0] for card in cards}) == 1),
        ("bonus_points = 10", lambda cards: any(points == 10 for points, _ in hand_bonuses(asdict(CIRULLA), cards))),
    ],
)
def test_holdings_by_brute_force(question: str, holds) -> None:
    every = list(itertools.combinations(PACK, 3))
    assert answer(question) == Fraction(sum(holds(list(cards)) for cards in every), len(every))


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("misdeal", lambda cards: is_misdeal(asdict(CIRULLA), cards)),
        ("bonus_points = 1", lambda cards: (table_bonus(asdict(CIRULLA), cards) or {"points": 0})["points"] == 1),
        ("four_equal", lambda cards: len({card[0] for card in cards if card != "7h"}) == 1),
    ],
)
def test_tables_by_brute_force(question: str, holds) -> None:
    every = list(itertools.combinations(PACK, 4))
    assert answer(question, of="table") == Fraction(sum(holds(list(cards)) for cards in every), len(every))


@pytest.mark.parametrize(
    "house", [None, "queen-matta", "no-matta", "no-triple-bonus", "table-nine", "three-equal-misdeal"]
)
def test_questions_agree_with_the_odds_of_the_first_deal(house: str | None) -> None:
    rules = build(houses=[house] if house else [])
    odds = {(o.quantity, o.per): o.exact for o in first_deal_odds(rules)}
    assert answer("bonus_points > 0", rules) == odds["knock", "holding"]
    assert answer(None, rules, mean="bonus_points") == odds["points_hand_bonus", "holding"]
    assert answer("misdeal", rules, of="table") == odds["misdeal", "table"]
    if not rules.table_low:  # where a table fits two bonuses the dealer takes the better one
        assert answer("fifteen", rules, of="table", given="not misdeal") == odds["table_15", "hand"]
    assert answer("thirty", rules, of="table", given="not misdeal") == odds["table_30", "hand"]
    assert (
        answer(None, rules, of="table", mean="bonus_points", given="not misdeal") == odds["points_table_bonus", "hand"]
    )


def test_groups_add_up() -> None:
    by_total = ask(CIRULLA, "low", by="best_total")
    assert sum(Fraction(text) for text in by_total["exact"]) == answer("low")
    whole = ask(CIRULLA, None, by="total", of="table")
    assert sum(Fraction(text) for text in whole["exact"]) == 1
    means = ask(CIRULLA, None, mean="bonus_points", by="sevens")
    weights = ask(CIRULLA, None, by="sevens")
    assert means["value"].to_list() == weights["value"].to_list() == ["0", "1", "2", "3"]
    total = sum(Fraction(m) * Fraction(w) for m, w in zip(means["exact"], weights["exact"], strict=True))
    assert total == answer(None, mean="bonus_points")


def test_given_is_a_conditional_probability() -> None:
    assert answer("low", given="has_matta") == answer("low and has_matta") / answer("has_matta")


@pytest.mark.parametrize("name", HOLDING)
def test_every_feature_of_a_holding_can_be_asked(name: str) -> None:
    assert answer(f"{name} is not null") == 1


@pytest.mark.parametrize("name", TABLE)
def test_every_feature_of_a_table_can_be_asked(name: str) -> None:
    assert answer(f"{name} is not null", of="table") == 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"question": "low and lwo"}, r"character 9: unknown feature of a holding 'lwo': did you mean 'low'"),
        ({"question": "fifteen"}, "unknown feature of a holding 'fifteen'"),
        ({"question": "low and"}, "'low and' is not an expression"),
        ({"question": "'7d' > 3"}, "cannot be worked out: cannot compare string with numeric"),
        ({"question": "low or ranks"}, "cannot be worked out"),
        ({"question": "total"}, "not true or false but a number"),
        ({"question": "sum(total) > 3"}, "says one thing of all cases"),
        ({"question": "low", "given": "total > 99"}, "'total > 99' is never true of a holding"),
        ({"question": "total > 99", "mean": "total"}, "never true of a holding here"),
        ({"question": None, "by": "ranks"}, "'ranks' is not a whole number but a text"),
        ({"question": "(select 1)"}, "cannot be worked out"),
        ({"question": "__import__('os')"}, "'__import__"),
    ],
)
def test_questions_that_make_no_sense(asked: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said) as error:
        ask(CIRULLA, **asked)
    assert "\n" not in str(error.value)
