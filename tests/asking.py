"""Questions bound for tests: about fresh deals of some rules, or at a place."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from cirulla_sim.experiments.runner import Execution
from cirulla_sim.questions import binding
from cirulla_sim.questions.binding import BoundQuestions, Place
from cirulla_sim.questions.inquiry import simulate_questions
from cirulla_sim.ruleset.rules_model import Rules
from cirulla_sim.storage.request import Effort


def bind(
    rules: Rules, texts: Sequence[str], place: Place | None = None, given: str | None = None, by: str | None = None
) -> BoundQuestions:
    """Questions asked from one seat; of hands that nobody is named for, ``careful`` plays."""
    return BoundQuestions((binding.questions_at(place or Place(rules, 0, ()), texts, given, by),))


def exact(
    rules: Rules, text: str, place: Place | None = None, given: str | None = None, by: str | None = None
) -> pl.DataFrame | None:
    """The exact answer to one question, None where there are too many cases to count."""
    return bind(rules, [text], place, given, by).exact()[0]


def simulated(questions: BoundQuestions, number: int, seed: int = 1, threads: int | None = None) -> pl.DataFrame:
    """The estimate that ``number`` trials of a seed give for the first question, with its 95% interval."""
    state = simulate_questions(questions, [0], Effort("hands", number, seed=seed), Execution(threads=threads))
    return questions.estimates([0], state)[0]
