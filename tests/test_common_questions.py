"""The common questions: each is answered, says the same in both languages, and is found in other words."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from cirulla_sim.core.locale import language
from cirulla_sim.questions.common_questions import CommonQuestion, nearest, questions
from cirulla_sim.ruleset.catalogue import house_names
from cirulla_sim.server.ask_tab import _as_arguments, _reading

ROOT = Path(__file__).parents[1]
Run = Callable[..., tuple[int, str, str]]


def reading(question: CommonQuestion, written: str, lang: str) -> str:
    """How a question is understood, as it is written in one language and read in another."""
    given = _as_arguments(question.in_language(written))
    assert given.pop("verb") == "odds"
    return _reading(given, language(lang))


@pytest.mark.parametrize("question", questions(), ids=lambda one: one.command)
def test_every_question_means_the_same_in_both_languages(question: CommonQuestion) -> None:
    if question.arguments["verb"] == "compare":
        assert question.arguments["house"] in house_names()
        return
    for lang in ("en", "it"):
        assert reading(question, "en", lang), "it is understood"
        assert reading(question, "it", lang) == reading(question, "en", lang)


def test_no_two_questions_have_a_wording_or_a_command_in_common() -> None:
    for lang in ("en", "it"):
        wordings = [text for one in questions() for text in getattr(one, lang)]
        assert len(set(wordings)) == len(wordings) > 120
    assert len({one.command for one in questions()}) == len(questions())


@pytest.mark.parametrize(("text", "question"), [
    ("how likely is a barsega?", "barsega"), ("probability of barsega", "barsega"),
    ("how often does the dealer win?", "wins(dealer_side)"), ("quante volte vince il mazziere?", "wins(dealer_side)"),
    ("three sevens in my hand", "sevens = 3"), ("con che frequenza si va a monte?", "monte"),
    ("how many swepps per hand, on averge", "mean(sweeps)"), ("quanto dura una partita in media?", "mean(hands_left)"),
    ("all ten diamonds for one side: a cappotto?", "cappotto(us) or cappotto(them)"),
])  # fmt: skip
def test_plain_words_find_their_question(text: str, question: str) -> None:
    assert nearest(text, n=1)[0].arguments["question"] == question


@pytest.mark.parametrize("text", ["what is the capital of France?", "the best day", "che tempo fa domani?", "", "?!"])
def test_what_is_about_something_else_finds_nothing(text: str) -> None:
    assert nearest(text) == []


@pytest.mark.parametrize(("lang", "text"), [
    ("en", "how often does the dealer win?"), ("it", "quante volte vince il mazziere?"),
])  # fmt: skip
def test_the_command_line_names_the_nearest_with_commands_that_run(run: Run, lang: str, text: str) -> None:
    code, out, err = run("odds", text, "--lang", lang)
    assert (code, out, err.count("\n")) == (2, "", 1)
    commands = re.findall(r"\(cirulla-sim ([^()]*(?:\([^()]*\)[^()]*)*)\)", err)
    assert [f"odds {one.partition('odds ')[2]}" for one in commands] == [one.command for one in nearest(text, lang)]
    assert all(one.text(lang) in err for one in nearest(text, lang))


def test_the_table_of_the_documentation_is_made_of_them() -> None:
    page = (ROOT / "docs" / "how-to" / "questions.md").read_text("utf-8")
    refresh = runpy.run_path(str(ROOT / "scripts" / "refresh_pages.py"))
    assert refresh["with_questions"](page) == page
