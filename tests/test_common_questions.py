"""The common questions: each is answered, says the same in both languages, and is found in other words."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

import cirulla_sim.verbs.functions  # noqa: F401 what the options of a verb are is known once it is imported
from cirulla_sim.core.locale import language
from cirulla_sim.questions.common_questions import CommonQuestion, common_questions, find_wording
from cirulla_sim.questions.reading import read_back
from cirulla_sim.ruleset.catalogue import house_names
from cirulla_sim.verbs.bind import bind
from cirulla_sim.verbs.odds import request_of
from cirulla_sim.verbs.options import arguments_of

ROOT = Path(__file__).parents[1]
Run = Callable[..., tuple[int, str, str]]


def reading(question: CommonQuestion, written: str, lang: str) -> str:
    """How a question is understood, as it is written in one language and read in another."""
    given = question.in_language(written)
    assert given.pop("verb") == "odds"
    text = given.pop("question", None)
    named = {f"{name}_" if name == "in" else name: value for name, value in given.items()}
    bound = bind(arguments_of("odds", {**named, "progress": False}), asks=True, usual_precision=None)
    return " ".join(read_back(request_of(bound, [text] if text else []), language(lang)))


@pytest.mark.parametrize("question", common_questions(), ids=lambda one: one.command)
def test_every_question_means_the_same_in_both_languages(question: CommonQuestion) -> None:
    if question.arguments["verb"] == "compare":
        assert question.arguments["house"] in house_names()
        return
    for lang in ("en", "it"):
        assert reading(question, "en", lang), "it is understood"
        assert reading(question, "it", lang) == reading(question, "en", lang)


def test_no_two_questions_have_a_wording_or_a_command_in_common() -> None:
    for lang in ("en", "it"):
        wordings = [text for one in common_questions() for text in getattr(one, lang)]
        assert len(set(wordings)) == len(wordings) > 120
    assert len({one.command for one in common_questions()}) == len(common_questions())


@pytest.mark.parametrize(("lang", "text", "understood"), [
    ("en", "how often does the dealer WIN", "wins(dealer_side)"),
    ("it", "quante volte vince il mazziere", "vince(parte_mazziere)"),
])  # fmt: skip
def test_a_wording_is_answered_but_for_case_and_marks(run: Run, lang: str, text: str, understood: str) -> None:
    code, out, err = run("odds", text, "--lang", lang, "--hands", "100")
    assert (code, err.count("\n")) == (0, 1)
    assert f'odds "{understood}"' in err
    assert "100" in out


def test_a_wording_with_other_options_than_given_is_refused(run: Run) -> None:
    code, out, err = run("odds", "How many sweeps are there in a hand of Scopa?", "--rules", "scopone")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--rules 'scopone' is what the question says too" in err


def test_a_wording_of_another_verb_names_its_command(run: Run) -> None:
    code, out, err = run("odds", "what changes if we play without the matta")
    assert (code, out) == (2, "")
    assert "compare --house no-matta" in err


@pytest.mark.parametrize("text", ["what is the capital of France?", "the best day", "", "?!"])
def test_what_is_about_something_else_finds_nothing(text: str) -> None:
    assert find_wording(text) is None


def test_the_table_of_the_documentation_is_made_of_them() -> None:
    page = (ROOT / "docs" / "how-to" / "questions.md").read_text("utf-8")
    refresh = runpy.run_path(str(ROOT / "scripts" / "refresh_pages.py"))
    assert refresh["with_questions"](page) == page
