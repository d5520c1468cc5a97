"""Questions that people ask, in two languages, with what they mean.

Exact values are worked out by hand in ``data/question_corpus.toml``; of what is played the reading says the meaning.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest

import cirulla_sim as cs
from cirulla_sim.core.locale import language
from cirulla_sim.questions.question import Speaker, read_question
from cirulla_sim.questions.reading import reading_of
from cirulla_sim.ruleset.presets import build

CORPUS = tomllib.loads((Path(__file__).parent / "data" / "question_corpus.toml").read_text("utf-8"))
QUESTIONS: list[dict[str, Any]] = CORPUS["question"]
SPEAKER = Speaker(build("cirulla"), 1)


@pytest.mark.parametrize("question", [one for one in QUESTIONS if "value" in one], ids=lambda one: one["en"])
def test_an_exact_answer_is_that_worked_out_by_hand(question: dict[str, Any]) -> None:
    expected = eval(question["value"], {"C": comb, "F": Fraction, "sum": sum, "range": range})
    options = {name: tuple(x) if isinstance(x, list) else x for name, x in question.get("with", {}).items()}
    for text in (question["en"], question["it"]):
        assert Fraction(cs.odds(text, progress=False, **options).frame["exact"][0]) == expected, text


@pytest.mark.parametrize("question", [one for one in QUESTIONS if "reads" in one], ids=lambda one: one["en"])
def test_both_languages_are_read_alike(question: dict[str, Any]) -> None:
    options = question.get("with", {})
    rules = build("cirulla", players=options.get("players", 4))
    speaker = replace(SPEAKER, rules=rules, here=options.get("here", "fresh"), trials=options.get("in_", 0))
    for text in (question["en"], question["it"]):
        read = read_question(text, speaker)
        assert [reading_of(read, language(name)) for name in ("en", "it")] == question["reads"], text
