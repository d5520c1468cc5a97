"""Readings: one sentence has one meaning, every function has a phrase in both languages, and Italian is Italian."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import cycle, product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import cirulla_sim as cs
from cirulla_sim.core.cards import PACK
from cirulla_sim.core.errors import InputError
from cirulla_sim.core.locale import language
from cirulla_sim.questions.expressions import _value_of, canonical_set, truth_of
from cirulla_sim.questions.parser import FUNCTIONS
from cirulla_sim.questions.question import Expression, Question, Speaker, read_question
from cirulla_sim.questions.reading import SETTEBELLO, grammar, reading_of
from cirulla_sim.questions.vocabulary import (
    CATEGORIES,
    EXTREMES,
    KINDS,
    PEOPLE,
    Function,
    Term,
    aggregates,
    cards_counted,
    functions,
)
from cirulla_sim.reporting.text.answers import answers_of
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

ENGLISH, ITALIAN = language("en"), language("it")
GOLDEN = tomllib.loads((Path(__file__).parent / "data" / "readings.toml").read_text("utf-8"))
"""Questions with their sentences in both languages."""
GRAMMAR = grammar()

RULES = {
    "pairs": build("cirulla"), "three": build("cirulla", players=3), "two": build("cirulla", players=2),
    "ten cards": build("scopone-scientifico"),
}  # fmt: skip

SPELLED = {
    "stage": ("stage 1", "stages 1-2"), "after": ("after stage 1", "after stage 2"), "turn": ("card 1", "card 2"),
    "cards": ("7d", "aces", "diamonds", "2-5h"), "with": ("with ace", "with 7d"),
    "by": ("by scopa",), "kind": ("barsega", "misci"), "suit": ("hearts", "spades"),
    "category": ("cards", "primiera", "sweeps", "table"),
}  # fmt: skip
"""Other arguments than people; the words for the rest of them are compared by themselves."""


def readings(question: Question) -> tuple[str, str]:
    return reading_of(question, ENGLISH), reading_of(question, ITALIAN)


def parsed(text: str, rules: Rules, me: int = 1) -> Question | None:
    """A question, None where it makes no sense."""
    try:
        return read_question(text, Speaker(rules, me))
    except InputError:
        return None


# ------------------------------------------------------------------------------------------------ one meaning


ROWS = 48
"""Cases by which meanings are compared: random values of all terms."""


def column(term: Term) -> pl.Series:
    """Random values of a term; the same for terms of the same meaning."""
    if term.function.who == "holder" and not term.stages:
        term = replace(term, stages=(0,))
    if cards := cards_counted(term.name):
        term = replace(term, name="holds", cards=cards)
    if term.name == "settebello":
        return column(replace(term, name="holds", cards=SETTEBELLO)) >= 1
    dice = random.Random(repr(term))
    if term.function.gives == "truth":
        return pl.Series([dice.random() < 0.5 for _ in range(ROWS)])
    if term.function.gives == "text":
        each = (dice.sample(PACK, 3) for _ in range(ROWS))
        wanted = {"cards": " ".join, "ranks": lambda cards: "".join(card[0] for card in cards)}
        text = wanted.get(term.name, lambda cards: "".join(card[1] for card in cards))
        return pl.Series([canonical_set(term.name, text(cards), 3) for cards in each])
    return pl.Series([dice.randrange(5) for _ in range(ROWS)])


def meaning(question: Question) -> tuple[object, ...]:
    """What a question is of, by random cases: questions that differ in them have different meanings."""
    frame = pl.DataFrame({term.key: column(term) for term in question.terms})

    def values(expression: Expression, truth: bool) -> str:
        if truth:
            return repr(truth_of(frame, expression).tolist())
        data = _value_of(frame, expression).data
        return repr(data.to_list() if isinstance(data, pl.Series) else np.asarray(data, np.float64).tolist())

    chance = question.aggregate == "chance"
    return (
        question.aggregate, *(values(part, chance) for part in question.parts), "given",
        *sorted(values(part, True) for part in question.given),
    )  # fmt: skip


def check_injective(texts: Sequence[str], rules: Rules) -> int:
    """That no two questions of different meaning have one sentence, in either language; how many there are."""
    meant: dict[str, tuple[tuple[object, ...], str]] = {}
    for question in filter(None, (parsed(text, rules) for text in texts)):
        try:
            means = meaning(question)
        except InputError:  # as a division by zero
            continue
        for sentence in readings(question):
            known = meant.setdefault(sentence, (means, question.text))
            assert known[0] == means, f"{sentence!r} is {known[1]!r} and {question.text!r}"
    return len(meant)


def calls_of(function: Function) -> Iterator[str]:
    """A function with every person, with every other argument, and with two of these."""
    people = list(dict.fromkeys(PEOPLE.values())) if function.who not in ("", "pair") else []
    people += ["pair 1", "pair 3"] if function.who == "pair" else ["table"] if function.who == "holder" else []
    kinds = function.arguments
    one = [("",), *((word,) for kind in kinds for word in SPELLED[kind])]
    two = [pair for a, b in product(kinds, kinds) if a < b for pair in product(SPELLED[a], SPELLED[b])]
    for person, more in [*product(("", *people), [("",)]), *product(("", "us"), one), *product(("",), two)]:
        arguments = ", ".join(filter(None, (person, *more)))
        yield f"{function.name}({arguments})" if arguments else function.name


@cache
def calls(rules: Rules) -> dict[str, list[str]]:
    """Every call that makes sense under some rules, by what it gives."""
    found: dict[str, list[str]] = {"truth": [], "number": [], "text": []}
    for function in functions().values():
        kind = "number" if function.gives == "count" else function.gives
        for call in calls_of(function):
            alone = {"truth": call, "number": f"{call} >= 2", "text": f"{call} = 'A7K'"}[kind]
            if parsed(alone, rules) is not None:
                found[kind].append(call)
    return found


FORMS = (
    "{0} = 0", "{0} = 1", "{0} >= 1", "{0} < 3", "{0} <> 2", "{0} in 1..2", "{0} in (1, 3)", "0 < {0} <= 2",
    "mean({0})", "max({0})", "min({0})", "quantiles({0})", "histogram({0})", "{0} > sevens(me)", "{0} + 1 = 2",
    "{0} > holds(us, aces)",
)  # fmt: skip


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_every_call(rules: Rules) -> None:
    each = calls(rules)
    texts = [*each["truth"], *each["number"], *(f"{call} = 'A7K'" for call in each["text"])]
    assert check_injective(texts, rules) > 500


def test_every_form() -> None:
    each, forms = calls(RULES["pairs"]), cycle(FORMS)
    some = {call.partition("(")[0]: call for call in each["number"]}
    texts = [form.format(call) for call in some.values() for form in FORMS]
    texts += [next(forms).format(call) for call in each["number"]]
    texts += [f"not {call}" for call in each["truth"]]
    texts += [f"{call} = {text}" for call in each["text"] for text in ("'7h 7d Ad'", "'hhd'", "ranks(me)")]
    assert check_injective(texts, RULES["pairs"]) > 1_000


@pytest.mark.parametrize("section", ["kinds", "categories", "contests", "people", "together"])
def test_words_for_different_things_differ(section: str) -> None:
    for place in (0, 1):
        words = [entry[place] for entry in GRAMMAR[section].values()]
        assert len(set(filter(None, words))) == len(list(filter(None, words)))


def truth(dice: random.Random, each: dict[str, list[str]], depth: int) -> str:
    kind = dice.randrange(8) if depth else dice.randrange(4)
    if kind == 0:
        return dice.choice(each["truth"])
    if kind == 1:
        return dice.choice(each["number"])
    if kind == 2:
        return f"{number(dice, each, depth)} in ({dice.randrange(3)}, {dice.randrange(3)}..{dice.randrange(3, 5)})"
    if kind == 3:
        return (
            f"{number(dice, each, depth)} {dice.choice(('=', '<>', '<', '<=', '>', '>='))} {number(dice, each, depth)}"
        )
    a, b = truth(dice, each, depth - 1), truth(dice, each, depth - 1)
    return (f"(not ({a}))", f"(({a}) and ({b}))", f"(({a}) or ({b}))", f"(({a}) = ({b}))")[kind - 4]


def number(dice: random.Random, each: dict[str, list[str]], depth: int) -> str:
    kind = dice.randrange(8) if depth else dice.randrange(2)
    if kind == 0:
        return str(dice.randrange(4))
    if kind < 4:
        return dice.choice(each["number"])
    a, b = number(dice, each, depth - 1), number(dice, each, depth - 1)
    return (f"abs({a})", f"least({a}, {b})", f"({a} {dice.choice('+-*')} {b})", f"(-{a})")[kind - 4]


def test_random_trees() -> None:
    """Of few calls, so that trees often meet."""
    every, dice = calls(RULES["pairs"]), random.Random(1)
    some = {kind: dice.sample(every[kind], 6) for kind in ("truth", "number")}
    texts = [truth(dice, some, dice.randrange(3)) for _ in range(2_500)]
    texts += [f"({a}) given {b}" for a, b in zip(texts[:500], texts[500:], strict=False)]
    assert check_injective(texts, RULES["pairs"]) > 2_000


def test_of_two_quantifiers_each_is_read_with_its_own_people() -> None:
    texts = ["(aces(nobody) = aces(me)) = settebello(somebody)", "(aces(somebody) = aces(me)) = settebello(nobody)"]
    assert check_injective(texts, RULES["pairs"]) == 4  # two in each language


# ------------------------------------------------------------------------------------------------ words


def test_everything_that_can_be_written_has_words() -> None:
    words = {*GRAMMAR["operations"], *GRAMMAR["truths"], *aggregates()}
    assert {*FUNCTIONS} <= words
    assert {"+", "-", "*", "/", "//", "%", "minus", *EXTREMES} <= GRAMMAR["operations"].keys()
    people = {*GRAMMAR["people"], *GRAMMAR["one_of_several"], "together", *EXTREMES}
    assert {*PEOPLE.values()} <= people
    assert {*CATEGORIES} <= GRAMMAR["categories"].keys()
    assert {*KINDS} < GRAMMAR["kinds"].keys()


@pytest.mark.parametrize("text", [text for part in GOLDEN.values() for text in part])
def test_golden(text: str) -> None:
    part = next(part for part in GOLDEN if text in GOLDEN[part])
    question = parsed(text, RULES.get(part, RULES["pairs"]))
    assert question is not None
    assert list(readings(question)) == GOLDEN[part][text]


def test_italian_has_no_english_words() -> None:
    """Every word of a word in English sentences that is none in Italian ones, and the other way round."""
    english: set[str] = set()
    italian: set[str] = set()
    for rules in RULES.values():
        each = calls(rules)
        texts = [*each["truth"], *each["number"], *(form.format(each["number"][0]) for form in FORMS)]
        for text in texts:
            if (question := parsed(text, rules)) is not None:
                for words, sentence in zip((english, italian), readings(question), strict=True):
                    words.update(re.findall(r"[^\W\d_]+", sentence.lower()))
    assert english & italian <= {
        "a", "i", "o", "so", "come", "barsega", "barseghe", "barsegon", "barsegoni", "matta", "settebello", "primiera",
        "grande", "piccola", "napola", "cappotto", "figure", "in", "me", "no", "h",
    }  # fmt: skip
    assert len(english) > 100 < len(italian)


@pytest.mark.parametrize(("questions", "players", "common", "own"), [
    ("mean(points(us)), mean(points(them))", 4, "The number of points each side scores, on average",
     ["We", "The other side"]),
    ("mean(points(us)), mean(points(them))", 2, "The number of points each player scores, on average",
     ["I", "The opponent"]),
    ("sweeps(me), sweeps(next), sweeps(partner)", 4, "How often each player makes a sweep",
     ["I", "The next player", "My partner"]),
    ("sweeps(me), sweeps(them)", 4, "", ["I make a sweep", "At least one opponent makes a sweep"]),  # of them somebody
    ("sweeps(me) given aces(me), sweeps(me) given kings(me)", 4, "How often I make a sweep",
     ["When I hold an ace", "When I hold a king"]),
    ("sweeps(me), knocks(me)", 4, "", ["I make a sweep", "I show a set"]),
    ("settebello, barsega and matta", 4, "I hold …", ["The settebello", "A barsega and the matta"]),
])  # fmt: skip
def test_questions_are_called_by_what_they_differ_in(questions: str, players: int, common: str, own: list[str]) -> None:
    texts = questions.split(", ")
    result = cs.odds(texts, players=players, hands=20, progress=False)
    answers = answers_of(result.frame, result.metadata, ENGLISH)
    assert (answers[0].common, [answer.label for answer in answers]) == (common, own)
