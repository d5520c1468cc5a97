"""Questions about dealt cards: against brute force over all cases, against each other, and when they make no sense."""

from __future__ import annotations

import itertools
import math
import re
import runpy
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referee import hand_bonuses, is_misdeal, table_bonus
from referee.cards import PACK, own_value

import cirulla_sim as cs
from cirulla_sim.core.errors import InputError
from cirulla_sim.exact.families import count_deals, multinomial
from cirulla_sim.exact.features import HOLDING, TABLE
from cirulla_sim.exact.first_deal import HandBonus, first_deal_odds, hand_bonus, holdings
from cirulla_sim.questions.answers import checked
from cirulla_sim.questions.binding import BoundQuestions, exact, simulated
from cirulla_sim.questions.cases import Subject
from cirulla_sim.questions.inquiry import simulate
from cirulla_sim.questions.played_piles import RandomPiles
from cirulla_sim.questions.question import Question
from cirulla_sim.questions.subjects import SUBJECTS, LargeHolding
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.storage.request import Effort

CIRULLA = build("cirulla")
RULES = asdict(CIRULLA)


def ask(rules: Rules, text: str | None, **options: str) -> pl.DataFrame:
    frame = exact(rules, Question(text, **options))
    assert frame is not None
    return frame


def answer(text: str | None, rules: Rules = CIRULLA, **options: str) -> Fraction:
    frame = ask(rules, text, **options)
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
        ("has_7d", lambda cards: "7d" in cards),
        ("most_equal = 3", lambda cards: len({card[0] for card in cards}) == 1),
        ("bonus_points = 10", lambda cards: any(points == 10 for points, _ in hand_bonuses(RULES, cards))),
    ],
)
def test_holdings_by_brute_force(question: str, holds) -> None:
    every = list(itertools.combinations(PACK, 3))
    assert answer(question) == Fraction(sum(holds(list(cards)) for cards in every), len(every))


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("misdeal", lambda cards: is_misdeal(RULES, cards)),
        ("bonus_points = 1", lambda cards: (table_bonus(RULES, cards) or {"points": 0})["points"] == 1),
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
    assert sum(Fraction(text) for text in by_total["joint_exact"]) == answer("low")
    shares = ask(CIRULLA, None, by="best_total")
    total = sum(Fraction(p) * Fraction(w) for p, w in zip(by_total["exact"], shares["exact"], strict=True))
    assert total == answer("low")
    whole = ask(CIRULLA, None, by="total", of="table")
    assert sum(Fraction(text) for text in whole["exact"]) == 1
    means = ask(CIRULLA, None, mean="bonus_points", by="sevens")
    weights = ask(CIRULLA, None, by="sevens")
    assert means["value"].to_list() == weights["value"].to_list() == ["0", "1", "2", "3"]
    total = sum(Fraction(m) * Fraction(w) for m, w in zip(means["exact"], weights["exact"], strict=True))
    assert total == answer(None, mean="bonus_points")


def test_numbers_do_not_overflow() -> None:
    assert answer(None, of="piles", mean="primiera * 1000") == 1000 * answer(None, of="piles", mean="primiera")


def test_given_is_a_conditional_probability() -> None:
    assert answer("low", given="has_matta") == answer("low and has_matta") / answer("has_matta")


@pytest.mark.parametrize("name", HOLDING)
def test_every_feature_of_a_holding_is_answered(name: str) -> None:
    assert answer(f"{name} = {name}") == 1


@pytest.mark.parametrize("name", TABLE)
def test_every_feature_of_a_table_is_answered(name: str) -> None:
    assert answer(f"{name} = {name}", of="table") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"text": "low and lwo"}, r"character 9: unknown feature of a holding 'lwo': did you mean 'low'"),
        ({"text": "fifteen"}, "unknown feature of a holding 'fifteen'"),
        ({"text": "knoks = 0", "of": "deal"}, "unknown feature of a deal 'knoks': did you mean 'knocks'"),
        ({"text": "low and"}, "'low and' is not an expression: character 5, 'and' cannot be read"),
        ({"text": "low and (total"}, r"character 5, 'and \(total' cannot be read"),
        ({"text": "low triple"}, "character 5, 'triple' cannot be read"),
        ({"text": ""}, "it is empty"),
        ({"text": "'7d' > 3"}, "character 1: a text and a number cannot be put together"),
        ({"text": "low or ranks"}, "what is true or false and a text cannot be put together"),
        ({"text": "low > 3"}, "character 1: compares what is true or false with a number"),
        ({"text": "3 < low < 9"}, "compares what is true or false with a number"),
        ({"text": "total"}, "not true or false but a number"),
        ({"text": "sum(total) > 3"}, "character 1: unknown function 'sum'"),
        ({"text": "low", "given": "total > 99"}, "--given 'total > 99' is never true of a holding"),
        ({"text": "total > 99", "mean": "total"}, "never true of a holding here"),
        ({"text": None, "mean": "ranks"}, "'ranks' is not a whole number but a text"),
        ({"text": "total = (select max(a) from read_csv('x'))"}, "unknown function 'read_csv'"),
        ({"text": "__import__('os')"}, "unknown function '__import__'"),
        ({"text": "ranks in 5('A7K')"}, "character 11, .* cannot be read"),
        ({"text": "low.real"}, "character 4, '.real' cannot be read"),
        ({"text": "low and " * 12_000}, "has 96_000 characters"),
        ({"text": "(" * 101 + "low" + ")" * 101}, "nested too deeply"),
        ({"text": "not " * 900 + "low"}, "nested too deeply"),
        ({"text": "total * 4611686018427387904 > 0"}, "character 9: 4611686018427387904 is too large"),
        ({"text": "total * 1000000000 * 1000000 > 0"}, "too large to be exact"),
        ({"text": "total / sevens > 3"}, "divides by zero"),
        ({"text": "sqrt(total - 20) > 1"}, "square root of a negative number"),
        ({"text": "ranks > 'A'"}, "a text has no order"),
        ({"text": "cards = '7d 7d Kd'"}, "'7d 7d Kd' names a card twice"),
        ({"text": "ranks in ('A7K', 'A7KK')"}, "'A7KK' is a set of 4"),
        ({"text": "suits = 'hxd'"}, "names 'x'"),
    ],
)
def test_questions_that_make_no_sense(options: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        exact(CIRULLA, Question(**options))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ("barsega", "low and not triple"),
        ("Barsegon AND NOT matta", "triple and not has_matta"),
        ("accuso", "bonus_points > 0"),
        ("settebello or 10♦ or re di coppe", "has_7d or has_Kd or has_Kh"),
        ("denari = 2", "diamonds = 2"),
        ("asso", "aces >= 1"),
        ("cavalli >= 2", "queens >= 2"),
        ("cards = '10d 7♥ 2h'", "cards = '2h 7h Kd'"),
        ("ranks = 'K7A'", "ranks = 'A7K'"),
        ("suits in ('♦h♦', 'scd')", "suits = 'hdd' or suits = 'dcs'"),
        ("14 <= total <= 16", "total >= 14 and not total > 16"),
        ("total tra 14 e 16 e non low", "total between 14 and 16 and not low"),
        ("low + triple = 2", "low and triple"),
        ("total / 3 = 4", "total = 12"),
        ("least(sevens, 1) + aces * 0.1 * 3 = 1.3", "sevens > 0 and aces = 1"),
        ("max(hearts, spades) - 1 <> 1", "greatest(hearts, spades) <> 2"),
    ],
)
def test_terms_of_the_game(written: str, same: str) -> None:
    assert answer(written) == answer(same)


def test_features_of_deals_and_tables() -> None:
    assert answer("barsegon", of="deal") == answer("triples >= 1", of="deal")
    assert answer("tavolo_quindici", of="first-deal") == answer("fifteen", of="table")
    assert answer("first_barsega", of="first-deal") == answer("barsega")
    assert (
        answer("accusi_us", of="deal")
        == answer("knocks_them >= 1", of="deal")
        == answer("knocks_dealer >= 1", of="deal")
    )
    with pytest.raises(InputError, match="'knocks_us' is not true or false but a number"):
        answer("knocks_us", of="deal")


def test_expressions_are_not_evaluated_outside_the_condition() -> None:
    assert answer("total / sevens > 10", given="sevens > 0") == answer("total > 10 * sevens", given="sevens > 0")


# Knocks of whole deals.


def test_whole_deals_by_brute_force() -> None:
    """Two holdings and no table: few enough to enumerate all disjoint pairs that earn points."""
    every = list(itertools.combinations(range(40), 3))
    kind, _ = hand_bonus(CIRULLA)
    low, triple = (kind == HandBonus.LOW) | (kind == HandBonus.LOW_NO_ACE), kind == HandBonus.TRIPLE
    sets = [set(cards) for cards in every]
    lows = [cards for cards, is_low in zip(sets, low, strict=True) if is_low]
    triples = [cards for cards, equal in zip(sets, triple, strict=True) if equal]
    both = sum(not (a & b) for a in lows for b in triples)
    deals = count_deals(CIRULLA, np.where(low, 1, np.where(triple, 2, 0)), np.zeros(1, np.int64), 2)[0]
    assert deals[1, 1] == both
    assert deals[2, 0] == sum(not (a & b) for a in lows for b in lows)
    assert deals[0, 2] == sum(not (a & b) for a in triples for b in triples)
    assert deals[1, 0] == len(lows) * 7770 - both - deals[2, 0]
    ways = {degrees: multinomial(2, degrees) for degrees in deals}
    assert sum(ways[degrees] * number for degrees, number in deals.items()) == 9880 * 7770


@pytest.mark.parametrize("preset", ["cirulla", "cirulla-dossena", "cirulla-tournament"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_deals_are_counted_once(preset: str, players: int) -> None:
    rules = build(preset, players=players)
    assert sum(Fraction(text) for text in ask(rules, None, by="knocks", of="deal")["exact"]) == 1
    # What a holding earns on average does not depend on how many are dealt beside it, nor on the stage or the seat.
    share = Fraction(1, len(rules.deal_plan))
    mean = answer(None, rules, mean="hand_bonus_points", of="deal")
    assert answer(None, rules, mean="hand_bonus_points_stage2", of="deal") == share * mean
    assert answer(None, rules, mean="hand_bonus_points_first", of="deal") == mean / players


def test_two_sets_of_cards_agree_with_families() -> None:
    by_families = answer("first_low and second_triple", of="first-deal")
    by_pairs = answer("first_low and second_triple and first_total < 99", of="first-deal")
    assert by_families == by_pairs
    assert answer("third_low", of="first-deal") == answer("low")
    assert answer("table_fifteen and first_low", of="first-deal", given="not misdeal") == answer(
        "table_fifteen and first_low and first_total < 99", of="first-deal", given="not misdeal"
    )
    assert answer("misdeal", of="first-deal") == answer("misdeal", of="table")


def test_large_questions_are_simulated() -> None:
    three_seats = Question("first_aces + second_aces + third_aces = 3", "first-deal")
    assert exact(CIRULLA, three_seats) is None
    result = simulated(CIRULLA, three_seats, 200_000, threads=1)
    assert result.equals(simulated(CIRULLA, three_seats, 200_000, threads=2))
    # Three of the four aces among nine cards of forty.
    truth = 4 * math.comb(36, 6) / math.comb(40, 9)
    assert result["ci_low"].item() < truth < result["ci_high"].item()


# Every word, counted and dealt.

_CHECKED = ("cirulla", "cirulla-dossena", "cirulla-fantini", "cirulla-online", "cirulla-tournament")
_DEALS = 40_000


@pytest.mark.parametrize("preset", _CHECKED)
@pytest.mark.parametrize("of", [of for of in SUBJECTS if of not in ("hand", "game")])
def test_exact_features_agree_with_simulation(preset: str, of: str) -> None:
    """About 1,600 comparisons; by chance one fails once in 1,000 sets of deals."""
    check_against_simulation(build(preset, players=2), SUBJECTS[of])


@pytest.mark.parametrize(
    ("preset", "subject"),
    [
        ("cirulla", LargeHolding(6)),
        ("cirullone", LargeHolding(9)),
        ("cirulla", RandomPiles((13, 14))),
        ("cirulla-dossena", RandomPiles((20, 20))),
    ],
)
def test_larger_holdings_and_piles_agree_with_simulation(preset: str, subject: Subject) -> None:
    check_against_simulation(build(preset), subject)


def check_against_simulation(rules: Rules, subject: Subject) -> None:
    """Check the mean of each number, and the chance of each boolean and of the first text, within 5 standard errors.

    An error of a tenth of a standard deviation is detected almost surely.
    """
    names = [name for name in subject.features(rules) if not re.search(r"has_[2-6JQ][hdcs]|^(dealer|me|next)_", name)]
    dealt = subject.sample(rules, names, 5, 0, _DEALS)
    for name in names:
        cases = subject.cases(rules, (name,))
        if cases is None:
            assert name in ("table_cards", "table_suits", "first_cards", "first_suits")  # too many to count for a deal
            continue
        column = cases.frame[name]
        if column.dtype == pl.String:
            first = dealt[name][0]
            column, result = column == first, dealt[name] == first
        else:
            result = dealt[name]
        numbers = column.cast(pl.Int64).to_numpy()
        moments = []
        for power in (0, 1, 2):
            sums = np.bincount(cases.which, weights=numbers**power, minlength=len(cases.weights)).astype(np.int64)
            moments.append(sum(weight * int(x) for weight, x in zip(cases.weights, sums, strict=True)))
        mean, square = (float(Fraction(moment, moments[0])) for moment in moments[1:])
        error = math.sqrt(max(square - mean**2, 0) / dealt.height)
        assert abs(float(result.cast(pl.Float64).mean()) - mean) <= 5 * error + 1e-12, name


def test_checked_answers_stand_side_by_side() -> None:
    question = Question("low", by="sevens")
    frame = ask(CIRULLA, "low", by="sevens")
    both = checked(frame, simulated(CIRULLA, question, 100_000))
    assert both["exact"].to_list() == frame["exact"].to_list()
    assert both["difference"].abs().max() < 5
    assert sum(both["simulated_n"]) == 100_000
    never = checked(
        ask(CIRULLA, "triple and has_matta and aces = 2"), simulated(CIRULLA, Question("low and not low"), 10)
    )
    assert never["simulated"].item() == 0


def test_questions_asked_together_are_answered_as_if_alone() -> None:
    questions = [
        Question("knocks = 0", "deal"),
        Question(None, "deal", mean="hand_bonus_points", by="triples"),
        Question("lows >= 1", "deal", given="table_fifteen"),
    ]
    together = BoundQuestions(CIRULLA, tuple(questions), SUBJECTS["deal"])
    frames = together.estimates(
        range(len(questions)), simulate(together, range(len(questions)), Effort("hands", 70_000))
    )
    for question, frame in zip(questions, frames, strict=True):
        assert frame.equals(simulated(CIRULLA, question, 70_000))


def test_split_answers_where_at_first_nothing_is_given() -> None:
    result = simulated(CIRULLA, Question(None, "deal", given="knocks = 4", by="table_cards"), 300)
    assert result["n"].sum() == result["n"][0] * result.height > 0


def test_a_question_may_have_a_name() -> None:
    named, plain = (cs.odds(text, mean=f"{also}total", given="low") for text, also in
                    (("a seven: sevens >= 1", "sum: "), ("sevens >= 1", "")))  # fmt: skip
    assert named.frame["exact"].to_list() == plain.frame["exact"].to_list()
    assert named.frame["quantity"].item() == "mean of sum (a seven) given low"
    assert "'a seven: sevens >= 1'" in named.command
    assert cs.odds("a seven: sevens >= 1", by="twos").frame["quantity"][0] == "a seven"


def test_mutated_questions_are_answered_or_refused_in_one_line() -> None:
    script = runpy.run_path(str(Path(__file__).parent.parent / "scripts" / "fuzz_questions.py"))
    assert list(script["findings"](150, 5, slowest=math.inf)) == []


# The language.

HELD = pl.DataFrame(
    {name: HOLDING[name][1](CIRULLA, holdings()) for name in ("total", "sevens", "hearts", "low", "triple", "ranks")}
)
CASES = HELD.to_dicts()

_NUMBER = st.recursive(
    st.sampled_from(["total", "sevens", "hearts"]) | st.integers(0, 30).map(str),
    lambda parts: st.one_of(
        st.tuples(parts, st.sampled_from(["+", "-", "*"]), parts).map(lambda result: f"({' '.join(result)})"),
        parts.map(lambda part: f"abs({part})"),
        st.tuples(parts, parts).map(lambda result: f"max({', '.join(result)})"),
        parts.map(lambda part: f"-{part}"),
    ),
    max_leaves=6,
)
_TRUTH = st.recursive(
    st.one_of(
        st.sampled_from(["low", "triple"]).map(lambda name: (name, name)),
        st.tuples(_NUMBER, st.sampled_from(["<", "<=", "=", "<>", ">", ">="]), _NUMBER).map(
            lambda result: (
                " ".join(result),
                f"({result[0]}) {({'=': '==', '<>': '!='}).get(result[1], result[1])} ({result[2]})",
            )
        ),
        st.tuples(_NUMBER, _NUMBER, _NUMBER).map(
            lambda result: (
                f"{result[0]} between {result[1]} and {result[2]}",
                f"{result[1]} <= {result[0]} <= {result[2]}",
            )
        ),
        st.tuples(_NUMBER, _NUMBER, _NUMBER).map(
            lambda result: (
                f"{result[0]} not in ({result[1]}, {result[2]})",
                f"{result[0]} not in ({result[1]}, {result[2]})",
            )
        ),
        st.sampled_from(["A7K", "777", "A23"]).map(lambda text: (f"ranks = '{text}'", f"ranks == {text!r}")),
    ),
    lambda parts: st.one_of(
        st.tuples(parts, st.sampled_from(["and", "or"]), parts).map(
            lambda result: tuple(f"({result[0][i]}) {result[1]} ({result[2][i]})" for i in range(2))
        ),
        parts.map(lambda part: (f"NOT ({part[0]})", f"not ({part[1]})")),
    ),
    max_leaves=4,
)


@settings(max_examples=60, deadline=None)
@given(_TRUTH)
def test_expressions_agree_with_python(written: tuple[str, str]) -> None:
    text, meaning = written
    code = compile(meaning, "", "eval")
    every = sum(bool(eval(code, {"__builtins__": {"abs": abs, "max": max}}, case)) for case in CASES)
    assert answer(text) == Fraction(every, len(CASES))


_PIECES = st.sampled_from(
    ["low", "and", "or", "not", "(", ")", "total", ">", "=", "3", "between", "in", ",", "'7d'", "like", "is", "null",
     "/", "0", "*", "-", "sqrt", "barsega", "10d", "♦", "re di coppe", "settebello", "_us", "\"", "'", ";", "9" * 12,
     "ranks", "%", "[", "lambda", "select", "\x00", "é", "x0", "between(", "max("]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(_PIECES, max_size=12).map(" ".join) | st.text(max_size=30))
def test_any_text_has_an_answer_or_one_line(text: str) -> None:
    result: float | str
    try:
        result = ask(CIRULLA, text)["estimate"].item()
    except InputError as error:
        result = str(error)
    assert "\n" not in result if isinstance(result, str) else 0 <= result <= 1
