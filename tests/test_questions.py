"""The question language: what a text means, how its answer is added up, and what is said where it makes no sense.

The exact chances themselves are tested in ``test_exact``; here every function is compared with the records of played
hands, and expressions with Python.
"""

from __future__ import annotations

import json
import random
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
import polars as pl
import pytest
from asking import bind, simulated
from asking import exact as exact_frame
from question_calls import calls, functions
from random_expressions import Generator, damaged
from referee.questions import FUNCTIONS

import cirulla_sim as cs
from cirulla_sim.cli import main
from cirulla_sim.core.errors import InputError
from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.experiments.progress import show_if_slow
from cirulla_sim.experiments.runner import Execution, carry_out
from cirulla_sim.kernel.jit import Entry
from cirulla_sim.questions import vocabulary
from cirulla_sim.questions.answers import Counted, compare_answers
from cirulla_sim.questions.binding import Place
from cirulla_sim.questions.expressions import UNIT, group_values, numbers_of, tree_bounds, truth_of
from cirulla_sim.questions.inquiry import simulate_questions
from cirulla_sim.questions.parser import parse_expression
from cirulla_sim.questions.played import PlayedHand, score_by_side
from cirulla_sim.questions.question import bind_words
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.stats.estimates import Repeated
from cirulla_sim.stats.sequential import looks
from cirulla_sim.storage.request import Effort, Request
from cirulla_sim.verbs.odds import job_of

CIRULLA, TWO = build("cirulla"), build("cirulla", players=2)
GREEDY: dict[str, Any] = {"policy": "greedy", "progress": False}


def answer(text: str | None, rules: Rules = CIRULLA, **options: Any) -> Fraction:
    frame = exact_frame(rules, text, **options)
    assert frame is not None
    return Fraction(frame["exact"].item())


def exact(question: str | None, **options: Any) -> Fraction:
    return Fraction(cs.odds(question, **options).frame["exact"].item())


def estimate(question: str, **options: Any) -> float:
    return float(cs.odds(question, **options).frame["estimate"].item())


def played_by(rules: Rules, policy: str) -> Place:
    return Place(rules, 0, (policy,) * rules.sides)


# ------------------------------------------------------------------------------------------------ every function

SEED, HANDS, POLICY = 3, 30, "random"


@pytest.mark.parametrize(
    ("preset", "players", "houses", "me"),
    [
        ("cirulla", 2, (), 0),
        pytest.param("cirulla", 3, ("sum-both-bonuses", "simple-primiera"), 2, marks=pytest.mark.slow),
        ("cirulla", 4, ("no-triple-bonus", "piccola-seven"), 1),
        pytest.param("cirulla-dossena", 4, (), 3, marks=pytest.mark.slow),
        pytest.param("cirullone-3-6", 4, (), 2, marks=pytest.mark.slow),
        ("cirullone", 4, (), 0),
        pytest.param("scopa", 2, (), 1, marks=pytest.mark.slow),
        ("scopone-scientifico", 4, (), 3),
    ],
)
def test_every_function_agrees_with_the_records_of_hands(
    preset: str, players: int, houses: Sequence[str], me: int
) -> None:
    """For every person and stage; numbers are within the bounds that their intervals keep to."""
    assert functions().keys() == FUNCTIONS.keys()
    rules = build(preset, players=players, houses=houses)
    data, every_call = asdict(rules), list(calls(asdict(rules), me))
    texts = [f"histogram({call.text()})" for call in every_call]
    questions = bind(rules, texts, Place(rules, me, (POLICY,) * rules.sides))
    space = PlayedHand(rules, (POLICY,) * rules.sides)
    terms = tuple(dict.fromkeys(term for question in questions.questions for term in question.terms))
    frame = space.sample(terms, SEED, 0, HANDS).frame
    experiment = Experiment(rules, (POLICY,), HANDS, SEED)
    records = [hand_record(experiment, number, preset) for number in range(HANDS)]
    records = [record for record in records if record["stages"]]  # without those decided at the deal
    wrong = {}
    for call, question in zip(every_call, questions.questions, strict=True):
        expression = question.parts[0]
        expected = [call.value(record, data) for record in records]
        if call.gives == "truth":
            got = truth_of(frame, expression).tolist()
        elif call.gives == "text":
            several, group = group_values(frame, expression)
            got = [several[place] for place in group]
        else:
            got = [number / UNIT for number in numbers_of(frame, expression).tolist()]
            expected = [float(number) for number in expected]
            low, high = tree_bounds(expression.tree, rules)
            assert not got or (low <= min(got) and max(got) <= high), call.text()
        if got != (pytest.approx(expected) if call.gives == "number" else expected):
            wrong[call.text()] = next((i, a, b) for i, (a, b) in enumerate(zip(got, expected, strict=True)) if a != b)
    assert not wrong, f"{len(wrong)} of {len(every_call)}: text -> (hand played, package, record) {wrong}"


QUANTIFIERS = {"everybody": all, "somebody": any, "nobody": lambda each: not any(each), "ognuno": all, "nessuno": lambda
               each: not any(each)}  # fmt: skip


@pytest.mark.parametrize(("preset", "players"), [("cirulla", 4), ("cirulla", 3)])
def test_quantifiers_are_of_the_whole_comparison(preset: str, players: int) -> None:
    """``sweeps(somebody) = 0`` is somebody without a sweep; numbers are of ``together``, ``most`` or ``fewest``."""
    rules, dice = build(preset, players=players), random.Random(5)
    place, experiment = Place(rules, 1, (POLICY,) * rules.sides), Experiment(rules, (POLICY,), HANDS, SEED)
    records = [record for n in range(HANDS) if (record := hand_record(experiment, n, preset))["stages"]]
    data = asdict(rules)
    for call in calls(data, 1):
        if call.arguments[:1] not in ((("together", "insieme"),), (("me", "io"),), (("us", "noi"),)):
            continue
        each = [call.of_each(record, data) for record in records]
        word, rest = dice.choice(list(QUANTIFIERS)), [spelled[0] for spelled in call.arguments[1:]]
        quantified = f"{call.names[0]}({', '.join([word, *rest])})"
        known = each[0][0]
        texts = {quantified: [QUANTIFIERS[word](map(bool, one)) for one in each]}
        if call.gives == "text":
            texts = {f"{quantified} = '{known}'": [QUANTIFIERS[word](x == known for x in one) for one in each]}
        elif call.gives != "truth":
            if call.gives == "number":
                texts = {}
            texts[f"{quantified} = {known}"] = [QUANTIFIERS[word](x == known for x in one) for one in each]
            if call.name != "margin":
                texts[f"0 < 2 * {quantified} - 1 <= 3"] = [
                    QUANTIFIERS[word](0 < 2 * x - 1 <= 3 for x in one) for one in each
                ]
            for name, of in (("most", max), ("fewest", min), ("insieme", sum)):
                if (name, call.name) != ("insieme", "margin"):
                    text = f"{call.names[0]}({', '.join([name, *rest])})"
                    assert values_of(text, place, False) == pytest.approx([float(of(one)) for one in each]), text
        for text, expected in texts.items():
            assert values_of(text, place, True) == expected, text


def test_cards_of_several_players_are_those_of_each_or_of_all() -> None:
    """One ace each, four sevens with two partners, and both against the same written out player by player."""
    assert answer("holds(us, sevens) = 2") == Fraction(comb(4, 2) * comb(36, 4), comb(40, 6))
    assert answer("holds(us, settebello)") == Fraction(6, 40)
    texts = [
        "aces(everybody) = 1",
        " and ".join(f"aces({seat}) = 1" for seat in ("first", "second", "third", "dealer")),
    ]
    each, written_out = (simulated(bind(CIRULLA, [text]), 100_000) for text in texts)
    assert each.drop("quantity").equals(written_out.drop("quantity"))
    assert each["ci_low"].item() < 81 / 91390 < each["ci_high"].item()
    assert answer("bonus(somebody) given fifteen", TWO) == answer("bonus(first) or bonus(dealer) given fifteen", TWO)
    assert answer("knocks(nobody)", TWO) == answer("knocks = 0", TWO)


def values_of(text: str, place: Place, truth: bool) -> list[Any]:
    """The values of an expression on hands 0 to ``HANDS - 1``; raises ``InputError`` for one that is refused."""
    [question] = bind(place.rules, [text if truth else f"mean({text})"], place).questions
    frame = PlayedHand(place.rules, place.policies).sample(question.terms, SEED, 0, HANDS).frame
    if truth:
        return truth_of(frame, question.parts[0]).tolist()
    return [number / UNIT for number in numbers_of(frame, question.parts[0]).tolist()]


def is_rightly_refused(expected: Sequence[Any] | None, error: str) -> bool:
    """Divisions by zero, constants, and numbers that are too large or in other parts than sixths are refused."""
    if "a number is not compared with numbers" in error:
        return True
    if expected is None:
        return "divides by zero" in error or "about nothing that happens" in error
    if "about nothing that happens" in error:
        return len(set(expected)) == 1
    if "too large" in error:
        return any(abs(value) > 10**6 for value in expected)
    return "a half or a third" in error and any(abs(value * UNIT - round(value * UNIT)) > 1e-6 for value in expected)


@pytest.mark.parametrize(
    ("preset", "players", "me"), [("cirulla", 2, 0), ("cirulla", 3, 2), ("cirulla-dossena", 4, 3), ("scopa", 2, 1)]
)
def test_random_expressions_agree_with_the_records_or_are_refused_in_one_line(
    preset: str, players: int, me: int
) -> None:
    """Of some calls and any operators; damaged, they are answered or refused."""
    rules, dice = build(preset, players=players), random.Random(5 + me)
    place, experiment = Place(rules, me, (POLICY,) * rules.sides), Experiment(rules, (POLICY,), HANDS, SEED)
    records = [record for n in range(HANDS) if (record := hand_record(experiment, n, preset))["stages"]]
    generator = Generator(list(calls(asdict(rules), me)), asdict(rules), records, dice)
    answered = 0
    for number in range(100):
        truth = number % 3 > 0
        expression = generator.truth() if truth else generator.number()
        try:
            expected = [expression.value(record) for record in records]
        except ZeroDivisionError:
            expected = None
        got, refused = None, ""
        try:
            got = values_of(expression.text, place, truth)
        except InputError as error:
            refused = str(error)
        if got is None:
            assert is_rightly_refused(expected, refused), (expression.text, refused)
        else:
            assert expected is not None, expression.text
            assert got == pytest.approx([float(value) for value in expected]), expression.text
            low, high = tree_bounds(
                bind_words(expression.text, parse_expression(expression.text), place.speaker, truth).tree, rules
            )
            assert low - 1e-9 <= min(got) <= max(got) <= high + 1e-9, expression.text
            answered += 1
        with suppress(InputError):
            values_of(damaged(expression.text, dice), place, truth)
    assert answered > 50


OF_PILES = ("cards", "diamonds", "settebello", "primiera", "grande", "piccola")
HAND = {  # quantity of simulate, its side -> the question
    ("points", "dealer"): "mean(points(dealer_side))", ("points", "all"): "mean(points(together))",
    ("margin", "dealer"): "mean(margin(dealer_side))", ("wins_hand", "dealer"): "wins(dealer_side)",
    ("ties_hand", "all"): "ties",
    **{(f"points_{name}", "dealer"): f"mean(points(dealer_side, {name}))" for name in OF_PILES},
    ("points_scope", "dealer"): "mean(points(dealer_side, sweeps))",
    ("points_hand_bonus", "dealer"): "mean(points(dealer_side, knocks))",
    ("points_table_bonus", "dealer"): "mean(points(dealer_side, table))",
    **{(name, "dealer"): f"{name}(dealer_side)" for name in ("grande", "piccola", "cappotto")},
    **{(name, "dealer"): "mean(sweeps(dealer_side))" for name in ("scope", "sweeps")},
    **{(name, "all"): "mean(sweeps)" for name in ("scope", "sweeps")},
    ("knock", "dealer"): "mean(knocks(dealer_side))", ("knock", "all"): "mean(knocks)",
    ("hand_low", "all"): "mean(knocks(barsega))", ("hand_low", "dealer"): "mean(knocks(dealer_side, barsega))",
    ("hand_low_no_ace", "all"): "mean(knocks(misci))", ("hand_triple", "all"): "mean(knocks(barsegon))",
    ("primiera_won", "dealer"): "wins(dealer_side, primiera)", ("primiera_tied", "dealer"): "ties(primiera)",
    ("misdeals", "all"): "mean(misdeals)",
}  # fmt: skip


@pytest.mark.parametrize(
    ("players", "rules", "policy"), [(2, "cirulla", "greedy"), (3, "cirulla", "careful"), (4, "cirullone", "careful")]
)
def test_quantities_of_simulate_are_those_of_the_language(players: int, rules: str, policy: str) -> None:
    """The same numbers on the same 2,000 hands; of greedy players what is dealt is counted, too."""
    options = {"players": players, "rules": rules, "seed": 1, "policy": policy, "progress": False}
    frame = cs.simulate(controls=False, hands=2_000, **options).frame
    answers = cs.odds([*HAND.values()], check=2_000, **options).frame.to_dicts()
    compared = 0
    for (quantity, side), row in zip(HAND, answers, strict=True):
        if quantity == "primiera_tied" and players == 3:
            continue  # of a side: whether it is among those that tie
        number = row["estimate"] if row["exact"] is None else row["simulated"]
        rows = frame.filter(quantity=quantity, side=side, n=2_000).filter(pl.col("per").is_in(["hand", "side"]))
        rows = rows.filter((pl.col("kind") == "mean") == (row["kind"] == "mean"))
        if rows.height:
            compared += 1
            assert rows["estimate"][0] == pytest.approx(number, abs=1e-12), (quantity, side)
    assert compared >= 17


GAME = {
    ("hands", "all"): "mean(hands_left)", ("wins_game", "dealer"): "wins_game(dealer_side)",
    ("lead_changes", "all"): "mean(lead_changes)", ("comeback", "all"): "mean(comeback)",
    ("ties_game", "all"): "ties_game", ("ended_by_cappotto", "all"): "ends_by_cappotto",
    ("drawn_game", "all"): "ties_game", ("margin", "dealer"): "mean(lead(dealer_side))",
}  # fmt: skip


@pytest.mark.parametrize("players", [2, 3])
def test_quantities_of_games_are_those_of_the_language(players: int) -> None:
    frame = cs.games(games=1_000, players=players, **GREEDY).frame
    compared = set()
    for (quantity, side), question in GAME.items():
        rows = frame.filter(quantity=quantity, side=side)
        rows = rows.filter(kind="mean" if question.startswith("mean") else "probability") if rows.height > 1 else rows
        if rows.height == 1:
            compared.add(quantity)
            number = estimate(question, hands=1_000, players=players, **GREEDY)
            assert number == pytest.approx(rows["estimate"].item(), abs=1e-12), quantity
    assert compared >= {"hands", "wins_game"}


def test_a_match_is_won_as_games_says() -> None:
    options = {"players": 2, "rule": "best_of=3", **GREEDY}
    won = cs.games(games=300, **options).frame.filter(quantity="wins_match", side="dealer")["estimate"].item()
    assert estimate("wins_match(dealer_side)", hands=300, **options) == pytest.approx(won, abs=1e-12)
    assert 2 <= estimate("mean(games_played)", hands=300, **options) <= 3


# ------------------------------------------------------------------------------------------------ what a text means


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ("barsega", "low and not triple"),
        ("Barsegon AND NOT matta", "triple and not matta"),
        ("accuso", "bonus_points > 0"),
        ("settebello or 10♦ or re di coppe", "holds(7d) or holds(me, Kd) or ha(io, Kh)"),
        ("denari = 2", "diamonds = 2"),
        ("asso", "aces >= 1"),
        ("cards = '10d 7♥ 2h'", "cards = '2h 7h Kd'"),
        ("ranks = 'K7A'", "ranks = 'A7K'"),
        ("suits in ('♦h♦', 'scd')", "suits = 'hdd' or suits = 'dcs'"),
        ("14 <= total <= 16", "total >= 14 and not total > 16"),
        ("total tra 14 e 16 e non low", "total between 14 and 16 and not low"),
        ("total / 3 = 4", "total = 12"),
        ("least(sevens, 1) + aces * 0.1 * 3 = 1.3", "sevens > 0 and aces = 1"),
        ("max(hearts, spades) - 1 <> 1", "greatest(hearts, spades) <> 2"),
        ("barsega(first)", "barsega(me)"),
        ("bonus(first, stage 2) and bonus(dealer)", "bonus(dealer) > 0 and accuso(primo, giro 2)"),
        ("knocks(barsegon)", "bussate(insieme, decino) > 0"), ("aces(nobody)", "not aces(somebody) > 0"),
        ("punti_bussate(dealer_side) > 10", "knock_points(noi) > 10"),
        # Words for numbers are numbers where a number is compared with them.
        *((text, "sevens = 2") for text in ("sette = due", "sevens = two", "sette(io) = 2", "2 = sevens",
                                            "sevens in (two, 2)", "due <= sette <= due")),
        ("re = due", "kings = 2"), ("due(io) = due", "twos = 2"),
        ("low given matta", "low given holds(7h)"),
        ("total / sevens > 10 given sevens > 0", "total > 10 * sevens given sevens > 0"),
    ],
)  # fmt: skip
def test_terms_of_the_game(written: str, same: str) -> None:
    assert exact(written, players=2) == exact(same, players=2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("low and lwo", r"character 9: unknown word 'lwo': did you mean .*'low'"),
        ("knoks = 0", "unknown word 'knoks': did you mean 'knocks'"),
        ("low and", "'low and' is not an expression: character 8, something is missing"),
        ("total given accuso", r"'total' is not true or false but a number .valid: mean\(total\), or"),
        ("points(us, settebello, primiera)", "'primiera' is one too many of its kind"),
        ("wins(us) > dealer", "character 12: dealer says who"),
        ("table > 15", "character 1: table says where"),
        ("", "it is empty"),
        ("cards > 3", "character 1: a text and a number cannot be put together"),
        ("low > 3", "character 1: compares what is true or false with a number"),
        ("total", "not true or false but a number"),
        ("low given total > 99", "'total > 99' is never true: nothing can be asked given that"),
        ("total = (select max(a) from read_csv('x'))", "character 17, .* cannot be read"),
        ("low and " * 12_000, "has 96_000 characters"),
        ("total * 4611686018427387904 > 0", "character 9: 4611686018427387904 is too large"),
        ("total / sevens > 3", "divides by zero"),
        ("cards = '7d 7d Kd'", "'7d 7d Kd' names a card twice"),
        ("mean(sevens) > 1", r"is an aggregate of a whole expression"),
        ("mean(sevens(everybody))", r"each player with a value .valid: sevens\(everybody\) >= 3, sevens\(together\)"),
        ("ranks(nobody)", r"valid: ranks\(nobody\) = 'A7K'"),
        ("aces(everybody) > sevens(somebody)", "everybody, somebody cannot be in one comparison"),
        ("sevens(us)", r"held or captured\? .valid: holds\(us, sevens\), captured\(us, sevens\)"),
        ("wins(dealer)", r"is of sides, and dealer is a player .valid: wins\(dealer_side\)"),
        ("grande(partner)", r"valid: grande\(us\)"),
        ("everybody: sevens", r"no title .valid: sevens\(everybody\), --at 'everybody: sevens', another"),
        ("stock: 7d", r"'stock:' is no title .valid: --at 'stock: 7d', another title\)"),
        ("knock(me)", r"held or shown\? .valid: bonus\(me\), knocks\(me\)"),
        ("knocks(stage 7)", "there are 3 stages"),
        ("holds(me)", "of which card"),
        ("wins(us, settebello)", "nobody wins 'settebello'"),
        ("points(us, cards, stage 2)", "points for cards are of no stage"),
        ("misdeals(me)", "takes nothing in brackets"),
        ("triple(table)", "triple: of cards held"),
        ("sevens + two", "'two' may be a number"),
        ("sevens = 2-3", r"character 10: several numbers after a sign .valid: sevens in \(2, 3\)"),
        ("low given kings = 2 or 3 and matta", r"valid: kings in \(2, 3\)"),
        ("wins(us given barsega(me)", r"character 5: this bracket is not closed .valid: wins\(us\)"),
        ("(low or triple", "character 1: this bracket is not closed"),
        ("wins(us) > 50%", "no chance is compared"),
        ("captured(us, settebelo)", "did you mean 'settebello'"),
        ("misdeals >= 2 given misdeal", "valid: misdeals >= 1 in place of misdeal"),
    ],
)
def test_questions_that_make_no_sense(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        exact_frame(CIRULLA, text)
    assert "\n" not in str(error.value)


POSITION = "table: 3c 5d; me: 7d Ks; to play: next"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("primiera(us)", {}, "is not true or false but a number"),
        ("wins(us) and total(me)", {}, "cannot be put together"),
        ("wins(us) > 3", {}, "compares what is true or false with a number"),
        ("sweeps(us) = 'A'", {}, "a text and a number cannot be put together"),
        ("wins(us) and ranks = 'A7'", {}, "'A7' is a set of 2 .valid: 3 ranks, as 'A23'"),
        ("wins(us) and ranks > 'A7K'", {}, "a text has no order"),
        ("mean(ranks(dealer)) given wins(us)", {}, "is not a number but a text"),
        ("length(sweeps(us)) = 2", {}, "length of a number"),
        ("points(us) / 0 > 1", {}, "divides by zero"),
        ("wins(us)", {"given": "margin(us)"}, "is not true or false but a number"),
        ("wins(us)", {"by": "points(us) + ranks"}, "cannot be put together"),
        (["wins(us)", "primiera(us)"], {}, "'primiera.us.' is not true or false"),
        ("wins_game(us) + 1", {}, "is not true or false but a number"),
        ("mean(wins_game(us)) given score(us)", {"at": "score: 38-41"}, "is not true or false but a number"),
        ("wins(us) and wins_game(us)", {}, "is of a game"),
        ("captured(us, sevens) = 'A'", {"sizes": "22,18"}, "a text and a number"),
        ("wins(us) = 'A'", {"at": POSITION}, "compares what is true or false with a text"),
        ("wins(us) and barsega(next, stage 1)", {"at": POSITION}, "is of three cards or more, and 2 are held"),
        ("wins(us) and ranks(next) = 'A7'", {"at": POSITION}, "'A7' is a set of 2 .valid: 3 ranks"),
        ("wins(us)", {"at": "next: total"}, "is not true or false but a number"),
        ("wins(us)", {"at": f"{POSITION}; next: primiera(us)"}, "is not of these cards"),
        ("misdeal_run > 'A'", {"at": "night: 8 pairs, 4 rounds of 8 hands, swiss"}, "a text and a number"),
    ],
)
def test_nothing_is_played_for_a_question_without_meaning(
    text: str | list[str], options: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the kernel was called")

    monkeypatch.setattr(Entry, "__call__", refuse)
    monkeypatch.setattr(Entry, "load", refuse)
    with pytest.raises(InputError, match=message):
        cs.odds(text, **options)


TOKEN = r"(?:'[^']*'|\"[^\"]*\"|[\w=-]+)+"
"""A word as ``shlex`` quotes it."""


def wrong_questions(damages: int) -> Iterator[list[str]]:
    """Calls with a letter changed, and functions where they have no meaning, as arguments of ``odds``."""
    dice = random.Random(5)
    every = [call.text() for call in calls(asdict(CIRULLA), 0)]
    places: list[list[str]] = [
        [], ["--at", POSITION], ["--at", "score: 38-41"], ["--sizes", "22,18"],
        ["--at", "night: 8 pairs, 4 rounds of 8 hands, swiss, 4 minutes a hand"],
    ]  # fmt: skip
    for number, function in enumerate(vocabulary.functions().values()):
        for place in (places[number % 5], places[(number + 2) % 5]):
            yield [function.example, *place]
    for _ in range(damages):
        text = dice.choice(every)
        at = dice.randrange(len(text))
        yield [text[:at] + dice.choice(["", "x", "e", text[at] * 2]) + text[at + 1 :]]


def refusal(arguments: Sequence[str]) -> str | None:
    """The error of ``odds`` for these arguments, None for an answer."""
    options = {name.removeprefix("--"): value for name, value in zip(arguments[1::2], arguments[2::2], strict=True)}
    try:
        cs.odds(arguments[0], hands=8, progress=False, **options)
    except InputError as error:
        return str(error)
    return None


@pytest.mark.slow
def test_every_suggestion_is_valid() -> None:
    """Of a few hundred errors: the words and the commands that they name are run in turn."""
    suggested: dict[tuple[str, ...], str] = {}
    errors = 0
    for arguments in wrong_questions(60):
        message = refusal(arguments)
        if message is None:
            continue
        errors += 1
        assert "\n" not in message, message
        for command in re.findall(rf"odds ({TOKEN}(?: --at {TOKEN})?)", message):
            if "..." not in command and not command.startswith("--"):
                suggested.setdefault(tuple(shlex.split(command)), message)
        hint = re.search(r"unknown word ('[^']+'): did you mean (.*?)\?", message)
        for word in re.findall(r"'([^']+)'", hint[2]) if hint else []:
            meaning = vocabulary.meaning_of(word)
            example = word if meaning is None else meaning.function.example  # a call may be suggested, too
            suggested.setdefault((example, *arguments[1:]), message)
    assert errors > 40
    assert len(suggested) > 10
    failures = {words: (reason, message) for words, message in suggested.items() if (reason := refusal(words))}
    assert not failures


# ------------------------------------------------------------------------------------------------ answers


def test_questions_of_one_call_are_answered_as_if_alone() -> None:
    texts = ["knocks = 0", "mean(knock_points) given knocks(barsegon)", "knocks(barsega) given fifteen", "max(knocks)"]
    together = bind(CIRULLA, texts)
    frames = together.estimates(range(4), simulate_questions(together, range(4), Effort("hands", 70_000)))
    for text, frame in zip(texts, frames, strict=True):
        assert frame.equals(simulated(bind(CIRULLA, [text]), 70_000))
    texts = ["mean(points(us))", "wins(us)", "max(points(us))", "ratio(sweeps(us), captures(us))", "quantiles(margin)"]
    options = {"hands": 2_000, "me": "dealer", **GREEDY}
    frame = cs.odds(texts, **options).frame
    for text in texts:
        alone = cs.odds(text, **options).frame
        rows = frame.filter(frame["quantity"].is_in(alone["quantity"].to_list()))
        assert rows["estimate"].to_list() == alone["estimate"].to_list()


def test_a_question_keeps_its_sample_space_whatever_stands_beside_it() -> None:
    """``odds bonus`` and ``odds bonus knocks``; what needs play is answered from the same hands."""
    texts = ["bonus", "knocks", "barsega(next) and fifteen", "mean(knocks(me, stage 1))", "misdeal", "misdeals >= 2",
             "wins(us)", "mean(sweeps) given wins(us)", "hands_left = 1", "aces(everybody) = 1"]  # fmt: skip
    options: dict[str, Any] = {"me": "first", "hands": 500, "progress": False}
    together = cs.odds(texts, **options)
    for row, text in zip(together.frame.to_dicts(), texts, strict=True):
        assert row == cs.odds(text, **options).frame.row(0, named=True) | {"quantity": row["quantity"]}
    by_seat = cs.odds(["bonus", "knocks"], given="matta(dealer)", me="first").frame  # a condition is of every question
    assert by_seat["per"].to_list() == ["first-deal", "hand"]
    again = cs.odds(["knocks", "wins(us)"], **options)
    job = job_of(Request.from_json(json.loads(json.dumps(again.metadata["request"]))))
    assert carry_out(job, Execution()).frame.equals(again.frame)
    assert "--policy" not in again.command
    named = cs.odds(["knocks", "wins(us)"], policy="careful", **options)
    assert (again.frame["exact"][0], named.frame["exact"][0]) == (str(answer("knocks")), None)
    assert again.frame.row(1) == named.frame.row(1)


def test_aggregates_are_of_the_same_hands() -> None:
    texts = ["histogram(margin)", "quantiles(margin)", "mean(margin)", "wins(us)", "max(margin)", "min(margin)",
             "ratio(margin, points(together))", "mean(points(together))"]  # fmt: skip
    together = bind(TWO, texts, played_by(TWO, "greedy"))
    state = simulate_questions(together, range(8), Effort("hands", 5_000))
    histogram, quantiles, mean, won, most, least, ratio, points = together.estimates(range(8), state)
    assert histogram["estimate"][-1] == mean["estimate"].item()
    histogram = histogram.drop_nulls("value")
    shares = dict(zip(map(int, histogram["value"]), histogram["estimate"], strict=True))
    assert sum(shares.values()) == pytest.approx(1)
    assert sum(margin * share for margin, share in shares.items()) == pytest.approx(mean["estimate"].item())
    assert sum(share for margin, share in shares.items() if margin > 0) == pytest.approx(won["estimate"].item())
    assert (max(shares), min(shares)) == (most["estimate"].item(), least["estimate"].item())
    assert ratio["estimate"].item() == pytest.approx(mean["estimate"].item() / points["estimate"].item())
    middle = quantiles.filter(pl.col("quantity").str.starts_with("50%"))["estimate"].item()
    assert sum(share for margin, share in shares.items() if margin <= middle) >= 0.5
    assert sum(share for margin, share in shares.items() if margin < middle) < 0.5
    assert exact("ratio(sevens * aces, total)") == exact("mean(sevens * aces)") / exact("mean(total)")


@pytest.mark.parametrize("aggregate", ["max", "min"])
def test_the_hand_of_an_extreme_is_the_first_that_has_it(aggregate: str) -> None:
    options = {"players": 2, "seed": 4, **GREEDY}
    row = cs.odds(f"{aggregate}(points(us))", me="dealer", hands=1_000, **options).frame.row(0, named=True)
    record = cs.hand(number=row["hand"], players=2, policy="greedy", seed=4).record
    assert record["points"][1]["total"] == row["estimate"]
    first, second = (Counted({("", "0"): (1, hand), ("", "9"): (1, hand + 1)}) for hand in (3, 70))  # of two batches
    assert first + second == second + first == {("", "0"): (2, 3), ("", "9"): (2, 4)}


def test_several_trials_are_those_of_one() -> None:
    single = exact_frame(CIRULLA, "barsegon")
    assert single is not None
    p = Fraction(single["exact"].item())
    assert Fraction(Repeated(20, None, "holdings").of(single)["exact"].item()) == 1 - (1 - p) ** 20
    assert Repeated(10**6, None, "holdings").of(single)["exact"].item() == f"1 - ({1 - p})^1000000"
    estimated = simulated(bind(CIRULLA, ["barsegon"]), 1_000)
    several = Repeated(20, None, "holdings").of(estimated).row(0, named=True)
    for name in ("estimate", "ci_low", "ci_high"):
        assert several[name] == pytest.approx(1 - (1 - estimated[name].item()) ** 20)
    p = exact("barsega")
    for run, trials in ((2, None), (3, 3), (2, 6), (3, 7)):  # every way that a few independent trials may go
        expected = Fraction(0)
        for went in product((False, True), repeat=trials or run):
            if "1" * run in "".join("01"[hit] for hit in went):
                expected += p ** sum(went) * (1 - p) ** (len(went) - sum(went))
        assert Repeated(trials, run, "holdings").chance(p) == expected
        assert exact("barsega", in_a_row=run, **({} if trials is None else {"in_": trials})) == expected
    for times, trials in ((2, 3), (3, 6), (6, 6), (2, 2)):
        ways = [sum(went) for went in product((0, 1), repeat=trials)]
        expected = sum((p**hits * (1 - p) ** (trials - hits) for hits in ways if hits >= times), Fraction(0))
        assert exact("barsega", in_=trials, times=times) == expected
        row = Repeated(trials, None, "holdings", times).of(estimated).row(0, named=True)
        for name in ("estimate", "ci_low", "ci_high"):
            q = estimated[name].item()
            value = sum(q**hits * (1 - q) ** (trials - hits) for hits in ways if hits >= times)
            assert row[name] == pytest.approx(value)
    assert exact("barsega", in_=4, times=1) == exact("barsega", in_=4)
    assert exact("mean(barsega)", in_=7) == 7 * p


def test_several_trials_one_after_the_other() -> None:
    """How long to wait, the longest run and the largest number: every way that a few independent trials may go."""
    p = exact("barsega")
    waits = cs.odds("until(barsega)").frame
    assert Fraction(waits["exact"][0]) == 1 / p
    for row, share in zip(waits.to_dicts()[1:], (0.05, 0.25, 0.5, 0.75, 0.95), strict=True):
        n = int(row["exact"])
        assert 1 - (1 - p) ** (n - 1) < share <= 1 - (1 - p) ** n, share
    runs = Fraction(0)
    for went in product((False, True), repeat=6):
        longest = max(map(len, "".join("01"[hit] for hit in went).split("0")))
        runs += longest * p ** sum(went) * (1 - p) ** (6 - sum(went))
    assert exact("run(barsega)", in_=6) == runs
    spread = {int(row["value"]): Fraction(row["exact"]) for row in cs.odds("histogram(sevens)").frame.to_dicts()[:-1]}
    for aggregate, of in (("max", max), ("min", min)):
        three = product(spread.items(), repeat=3)
        expected = sum(of(x for x, _ in each) * each[0][1] * each[1][1] * each[2][1] for each in three)
        assert exact(f"{aggregate}(sevens)", in_=3) == expected
        estimated = simulated(bind(CIRULLA, [f"{aggregate}(sevens)"], Place(CIRULLA, 0, (), trials=3)), 20_000)
        assert estimated["ci_low"].item() < expected < estimated["ci_high"].item()
    first = simulated(bind(CIRULLA, ["until(barsega)"]), 20_000)
    chance = simulated(bind(CIRULLA, ["barsega"]), 20_000)
    assert first["ci_low"][0] == 1 / chance["ci_high"].item()
    with pytest.raises(InputError, match="add --in 20"):
        exact("run(barsega)")


def test_enough_trials_to_be_ahead_nine_times_in_ten() -> None:
    """The normal number of trials is that of the sums themselves, of a game with a small gain; by convolution."""
    row = cs.odds("enough(3 * diamonds - 2)").frame.row(0, named=True)
    spread = {
        int(x["value"]): float(Fraction(x["exact"])) for x in cs.odds("histogram(diamonds)").frame.to_dicts()[:-1]
    }
    one = [spread.get(number // 3, 0.0) if number % 3 == 0 else 0.0 for number in range(10)]

    def ahead(n: int) -> float:
        sums = np.ones(1)
        for _ in range(n):
            sums = np.convolve(sums, one)
        return sum(share for total, share in enumerate(sums) if total - 2 * n > 0)

    assert abs(ahead(int(row["estimate"])) - 0.9) < 0.02
    with pytest.raises(InputError, match="the mean is not above 0"):
        cs.odds("enough(diamonds - 1)")


def test_a_seat_is_a_condition() -> None:
    """``given dealer`` is the same as ``--me dealer``; two seats together are their mean."""
    options: dict[str, Any] = {"hands": 2_000, "players": 2, **GREEDY}
    given, seated = cs.odds("wins(us) given dealer", **options), cs.odds("wins(us)", me="dealer", **options)
    assert given.frame.drop("quantity").equals(seated.frame.drop("quantity"))
    assert exact("knocks(me) given first or dealer", players=2) == exact("knocks(me)", players=2)
    assert exact("knocks(me) and primo", players=2) == exact("knocks(me)", players=2, me="first") / 2
    both = cs.odds("holds(table, Ad)", by="mazziere", at="me: 7h").frame
    assert both["share_exact"].to_list()[:2] == ["3/4", "1/4"]
    assert "given that I am the dealer" in given.reading
    with pytest.raises(InputError, match="never true where you sit"):
        cs.odds("wins(us) given dealer", me="first")
    with pytest.raises(InputError, match="about nothing that happens"):
        cs.odds("dealer")


def test_somebody_holds_what_is_counted_of_each_or_sampled() -> None:
    """By the sum over players where only one of them can; by the question about each; else from simulated deals."""
    assert exact(None, at="somebody: barsega") == exact("barsega(somebody)")
    assert exact(None, at="everybody: accuso") == exact("bonus(everybody)")
    assert exact(None, at="somebody: not barsega") == 1 - exact("barsega(everybody)")
    assert exact(None, at="somebody: matta, barsega") == 4 * exact("matta and barsega")
    row = cs.odds(at="somebody: settebello, barsega", hands=50_000, progress=False).frame.row(0, named=True)
    assert row["ci_low"] < 4 * exact("settebello and barsega") < row["ci_high"]


def test_whatever_somebody_holds_that_is_low_is_counted() -> None:
    """The number of total(somebody) <= 9 is by inclusion and exclusion over how many cards of each rank are left."""
    assert exact("total(somebody) <= 9") == Fraction(3089880214403, 10754692949000)
    without = {"rule": ["matta=none"]}
    assert exact("total(somebody) <= 9", **without) == exact("low(somebody)", **without)
    assert exact("total(nobody) <= 9") + exact("total(somebody) <= 9") == 1
    every_seat = " or ".join(f"total({who}) <= 9" for who in ("me", "next", "partner", "previous"))
    assert exact(every_seat) == exact("total(somebody) <= 9")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("primiera(us) >= 100", 0), ("primiera(us) <= 84", 1), ("not primiera(us) > 84", 1), ("100 < primiera(us)", 0),
        ("primiera(somebody) > 84", 0), ("primiera(nobody) > 84", 1), ("primiera(everybody) = 85", 0),
        ("wins(us) and captured(us) > 40", 0), ("wins(us) or 0 <= sweeps(us) and piccola(us) <> 11", 1),
    ],
)  # fmt: skip
def test_what_the_rules_decide_is_exact(text: str, expected: int) -> None:
    assert exact(text) == expected


def test_bounds_of_the_rules_decide_no_more_than_they_say() -> None:
    for text in ("primiera(us) >= 84", "primiera(us) = 84", "sweeps(us) > 0", "wins(us) or captured(us) > 40"):
        assert exact_frame(CIRULLA, text) is None


def test_hands_named_in_full_leave_no_doubt() -> None:
    hands = {who: f"{who}: " + " ".join(f"{rank}{suit}" for rank in "A234567JQK")
             for who, suit in (("first", "h"), ("second", "c"), ("third", "s"))}  # fmt: skip
    scientific: dict[str, Any] = {"rules": "scopone-scientifico"}
    for number, expected in ((1, Fraction(1, 3)), (2, Fraction(1, 2)), (3, Fraction(1))):
        at = "; ".join([*hands.values()][:number])
        assert exact("settebello(dealer)", at=at, **scientific) == expected
    assert exact("suits(dealer) = 'dddddddddd' and most_equal(first) = 1", at=at, **scientific) == 1
    assert exact("bonus(dealer)", at=at, **scientific) == 0


def test_answers_split_by_texts_are_ranked_and_numbers_stay_in_order() -> None:
    whole = cs.odds("barsega", by="ranks").frame
    assert whole["estimate"].to_list() == sorted(whole["estimate"], reverse=True)
    assert cs.odds("barsega", by="ranks", top=7).frame.equals(whole.head(7))
    described = cs.odds("mean(total)", by="ranks", top=3).describe().splitlines()[0]
    assert described == (
        "When the ranks of the first three cards I hold are K K K, on average the total of the first three cards I "
        "hold is 30."
    )
    by_number = cs.odds("barsega", by="total").frame
    assert by_number["value"].to_list() == sorted(by_number["value"], key=int)
    best = cs.odds("barsega", by="total", top=3).frame
    assert set(best["estimate"]) == set(sorted(by_number["estimate"])[-3:])
    both = cs.odds(["barsega", "mean(sevens)"], by="ranks", top=4).frame
    assert both["value"].to_list() == [*whole["value"].head(4)] * 2
    rare = simulated(bind(CIRULLA, [], given="knocks = 4", by="cards(table)"), 300)  # at first nothing is given
    assert rare["n"].sum() == rare["n"][0] * rare.height > 0


def test_checked_answers_stand_side_by_side() -> None:
    frame = exact_frame(CIRULLA, "low", by="sevens")
    both = compare_answers(frame, simulated(bind(CIRULLA, ["low"], by="sevens"), 100_000))
    assert both["exact"].to_list() == frame["exact"].to_list()
    assert both["difference"].abs().max() < 5
    assert sum(both["simulated_n"]) == 100_000
    never = exact_frame(CIRULLA, "triple and matta and aces = 2")
    assert compare_answers(never, simulated(bind(CIRULLA, ["low and not low"]), 10))["simulated"].item() == 0


def test_a_question_may_have_a_name() -> None:
    named = cs.odds("a seven: mean(sevens)", given="low")
    assert named.frame["exact"].to_list() == cs.odds("mean(sevens) given low").frame["exact"].to_list()
    assert named.frame["quantity"].item() == "a seven given low"
    assert '"a seven: mean(sevens)"' in named.command
    assert cs.odds("a seven: sevens >= 1", by="twos").frame["quantity"][0] == "a seven"


# ------------------------------------------------------------------------------------------------ counted or played


def test_large_questions_are_simulated() -> None:
    three_seats = bind(CIRULLA, ["suits(first) = suits(second) or suits(first) = suits(third)"])
    assert three_seats.exact() == [None]
    result = simulated(three_seats, 100_000, threads=1)
    assert result.equals(simulated(three_seats, 100_000, threads=2))
    one = float(answer("suits(first) = suits(second)"))
    assert one < result["ci_low"].item() < 2 * one < 2 * result["ci_high"].item()


def test_no_game_is_drawn_where_ties_are_played_on() -> None:
    result = cs.odds("ties_game", rule={"hands_per_game": 6})
    assert result.frame["exact"].to_list() == ["0"]
    assert any("hands_left > 6" in remark for remark in result.remarks)
    drawn = build("cirulla", changes={"hands_per_game": 6, "hands_tie": "draw"})
    assert exact_frame(drawn, "ties_game", played_by(drawn, "greedy")) is None


def test_counting_for_long_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("cirulla_sim.experiments.progress.is_watched", lambda: True)
    for seconds, said in ((0.01, "wait\n"), (60.0, "")):
        with show_if_slow("wait", True, seconds):
            sleep(0.1)
        assert capsys.readouterr().err == said


def test_questions_about_the_deal_alone_are_counted_beside_play() -> None:
    """But careful players may keep a set back, so what they show is not counted; and played hands agree."""

    def beside_play(text: str, policy: str) -> str | None:
        frame = bind(TWO, [text, "wins(us)"], played_by(TWO, policy)).exact()[0]
        return None if frame is None else frame["exact"].item()

    for text in ("knocks = 0", "knocks(us, barsegon)", "bonus(first, stage 2)", "barsega(first) and fifteen"):
        assert beside_play(text, "greedy") == str(answer(text, TWO))
    assert beside_play("knocks = 0", "careful") is None
    assert beside_play("wins(us)", "greedy") is None
    texts = ["knocks = 0", "barsega(first)", "thirty or matta(dealer)"]
    questions = bind(CIRULLA, [*texts, "wins(us)"], played_by(CIRULLA, "random"))
    frames = questions.estimates(range(3), simulate_questions(questions, range(3), Effort("hands", 30_000)))
    for counted, dealt in zip(questions.exact(), frames, strict=False):
        p = float(Fraction(counted["exact"].item()))
        assert abs(dealt["estimate"].item() - p) < 4 * (p * (1 - p) / 30_000) ** 0.5


def test_a_game_begins_at_a_score() -> None:
    near = Place(TWO, 0, ("greedy", "greedy"), score=(50, 3))
    for text, least in (("wins_game(us)", 0.97), ("hands_left = 1 and score(us) > 50", 0.9)):
        assert simulated(bind(TWO, [text], near), 1_000)["estimate"].item() > least
    with pytest.raises(InputError, match="score: '3-4-5' names 3 sides"):
        score_by_side((3, 4, 5), TWO, 0)


def test_line_ups_and_scores_of_games_are_ours_first() -> None:
    """The same game from a score, asked for by every name of the first dealer's side, which is ours."""
    options: dict[str, Any] = {"me": "dealer", "players": 2, "hands": 400, "progress": False}
    ours, dealers, theirs = (
        cs.odds("wins_game(us)", at="score: 45-30", policy=policy, **options)
        for policy in ("us=greedy, them=random", "dealer=greedy, others=random", "them=greedy, us=random")
    )
    assert ours.frame.equals(dealers.frame)
    assert ours.metadata["policies"] == dealers.metadata["policies"] == ["dealer=greedy, others=random"]
    assert theirs.metadata["policies"] == ["dealer=random, others=greedy"]
    behind = cs.odds("wins_game(us)", at="score: 30-45", policy="us=greedy, them=random", **options)
    assert ours.frame["estimate"][0] > theirs.frame["estimate"][0] > behind.frame["estimate"][0]
    with pytest.raises(InputError, match="did you mean 'others=greedy, dealer=random'"):
        cs.odds("wins_game(us)", policy="greedy,random", **options)


def test_runs_end_when_they_should() -> None:
    """At the first look at which the precision is reached, which a condition that is never true yet does not end."""
    inquiry = bind(TWO, ["wins(us)"], played_by(TWO, "random"))

    def width(hands: int) -> float:
        frame = inquiry.estimates([0], simulate_questions(inquiry, [0], Effort("hands", hands)), any_stop=True)[0]
        return float((frame["ci_high"] - frame["ci_low"]).item()) / 2

    state = simulate_questions(inquiry, [0], Effort("hands", 10**6, precision=0.03))
    before, at = [number for number in looks(10**6) if number <= state.done][-2:]
    assert (state.done, state.stopped) == (at, "precision")
    assert width(at) <= 0.03 < width(before)
    ask = partial(cs.odds, "wins(us) given sweeps(us) >= 9", policy="random", players=2, progress=False)
    with pytest.raises(InputError, match="is never true in 500 hands"):
        ask(hands=500)
    result = ask(hands=8000, precision=0.9)
    assert (result.metadata["hands"], result.metadata["stopped"]) == (1000, "precision")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"at": "me: 7h K*; table: Ad ..", "in_": 20},
        {"question": ["low", "a pair: sevens = 2"], "given": "matta", "at": "me: 7h"},
        {"question": "low", "by": "sevens", "check": 2000, "seed": 3},
        {"question": "barsegon", "rules": "cirullone", "rule": "target=71", "in_a_row": 2, "in_": 9},
        {"question": "cappotto", "sizes": (22, 18)},
        {"question": "wins_game(us)", "at": "score: 38-41", "me": "dealer", "policy": "us=greedy, them=random",
         "hands": 100},
        {"question": "mean(points(us))", "in_": 3, "policy": "greedy", "hands": 200},
        {"question": ["sd(sevens)", "correlation(kings, matta)", "correlation(sevens, aces)"]},  # which are roots
        {"question": "barsegon", "in_": 20},  # a long fraction
        {"question": "can_sweep", "at": "table: 3c 5d; me: 7d Ks; to play: next; i am: third; shown next: 2h",
         "check": 500},
        {"question": "wins(us)", "at": "table: 3c 5d; me: 7d Ks 2h; i am: second; next: two kings",
         "policy": "us=greedy, them=random", "hands": 100},
    ],
)  # fmt: skip
def test_a_request_has_every_argument(
    options: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The job of the request in the metadata gives the same table and the same request; so do its command and file."""
    result = cs.odds(**options, progress=False)
    assert cs.read(result.save(tmp_path / "answers.parquet")).frame.equals(result.frame)
    job = job_of(Request.from_json(json.loads(json.dumps(result.metadata["request"]))))
    again = carry_out(job, Execution())
    assert again.frame.equals(result.frame)
    assert dict(again.metadata) == dict(result.metadata)
    with pytest.raises(SystemExit):
        main([*shlex.split(result.command)[1:], "--format", "json"])
    assert capsys.readouterr().out.strip() == result.text("json")
