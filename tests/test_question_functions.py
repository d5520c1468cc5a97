"""Every function of the question language, for every person and stage: the package against the records of hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from asking import bind
from question_calls import Call, calls, functions
from referee.questions import FUNCTIONS, people, sides_of

from cirulla_sim.engine.hand_record import hand_record
from cirulla_sim.engine.trials import Experiment
from cirulla_sim.questions.binding import terms_of
from cirulla_sim.questions.expression_bounds import bounds_of
from cirulla_sim.questions.expressions import UNIT, groups_of, numbers_of, truth_of
from cirulla_sim.questions.meaning import Expression
from cirulla_sim.questions.spaces import Place
from cirulla_sim.ruleset.presets import build
from cirulla_sim.ruleset.rules_model import Rules

SEED, HANDS, POLICY = 3, 40, "random"

CASES = [  # preset, players, house rules, the seat of the person asking
    ("cirulla", 2, (), 0),
    ("cirulla", 3, ("sum-both-bonuses", "simple-primiera"), 2),
    ("cirulla", 4, ("no-triple-bonus", "piccola-seven"), 1),
    ("cirulla-dossena", 4, (), 3),
    ("cirullone-3-6", 4, (), 2),
    ("cirullone", 4, (), 0),
    ("scopa", 2, (), 1),
    ("scopone-scientifico", 4, (), 3),
]
KINDS = {"truth": bool, "count": int, "number": (int, Fraction), "text": str}


def package_values(rules: Rules, every_call: Sequence[Call], me: int, hands: int) -> list[list[Any]]:
    """The values of some calls on hands 0 to ``hands - 1`` of ``SEED``, played by ``POLICY``: a list for each call.

    Numbers are within the bounds that their intervals keep to. ``me`` is the seat of the person asking. Hands decided
    at the deal are left out.
    """
    texts = [call.text() for call in every_call]
    questions = bind(rules, texts, Place(rules, me, (POLICY,) * rules.sides))
    frame = questions.space.sample(terms_of(questions.questions), SEED, 0, hands).frame
    columns = []
    for call, question in zip(every_call, questions.questions, strict=True):
        columns.append(_values(frame, question.parts[0], call.gives))
        if call.gives in ("count", "number") and columns[-1]:
            low, high = bounds_of(question.parts[0].tree, rules)
            assert low <= min(columns[-1]), call.text()
            assert max(columns[-1]) <= high, call.text()
    return columns


def _values(frame: pl.DataFrame, expression: Expression, gives: str) -> list[Any]:
    if gives == "truth":
        return list(truth_of(frame, expression).tolist())
    if gives == "text":
        texts, group = groups_of(frame, expression)
        return [texts[place] for place in group]
    return [number / UNIT for number in numbers_of(frame, expression).tolist()]


def played_records(rules: Rules, preset: str, hands: int = HANDS) -> list[dict]:
    """The records of the same hands, without those decided at the deal."""
    experiment = Experiment(rules, (POLICY,), hands, SEED)
    records = [hand_record(experiment, number, preset) for number in range(hands)]
    return [record for record in records if record["stages"]]


@pytest.mark.parametrize(("preset", "players", "houses", "me"), CASES)
def test_the_package_agrees_with_the_records(preset: str, players: int, houses: Sequence[str], me: int) -> None:
    rules = build(preset, players=players, houses=houses)
    every_call = list(calls(asdict(rules), me))
    values = package_values(rules, every_call, me, HANDS)
    records = played_records(rules, preset)
    wrong = {}
    for call, answered in zip(every_call, values, strict=True):
        expected = [plain_number(call.value(record, asdict(rules))) for record in records]
        got = [plain_number(value) for value in answered]
        if got != pytest.approx(expected) if call.gives == "number" else got != expected:
            wrong[call.text()] = next((i, a, b) for i, (a, b) in enumerate(zip(got, expected, strict=True)) if a != b)
    assert not wrong, f"{len(wrong)} of {len(every_call)}: text -> (hand played, package, record) {wrong}"


def plain_number(value: Any) -> Any:
    """A value of either side as one of Python: fractions as floats, numpy's as Python's own."""
    return float(value) if isinstance(value, Fraction) else getattr(value, "item", lambda: value)()


def test_every_function_is_worked_out_from_records() -> None:
    assert functions().keys() == FUNCTIONS.keys()


@pytest.mark.parametrize(("preset", "players", "houses", "me"), CASES)
def test_values_are_of_the_kind_that_the_vocabulary_names(
    preset: str, players: int, houses: Sequence[str], me: int
) -> None:
    rules = build(preset, players=players, houses=houses)
    data, records = asdict(rules), played_records(rules, preset, 2)
    every_call = list(calls(data, me))
    assert len({call.text() for call in every_call}) == len(every_call)
    for call in every_call:
        for record in records:
            assert isinstance(call.value(record, data), KINDS[call.gives]), call.text()


def test_parts_add_up() -> None:
    for preset, players, *_ in CASES:
        rules = build(preset, players=players)
        data, stages = asdict(rules), range(len(rules.deal_plan))
        everybody = people(data, 0)["everybody"]
        sides = sides_of(data, everybody)
        for record in played_records(rules, preset, 10):

            def value(name: str, record: dict = record, data: dict = data, **arguments: Any) -> Any:
                return FUNCTIONS[name](record, data, **arguments)

            total = value("points", sides=sides)
            assert total == sum(value("points", sides=(side,)) for side in sides)
            for name in ("sweeps", "captures", "knocks", "knock_points"):
                parts = [value(name, seats=(seat,), stages=(stage,)) for seat in everybody for stage in stages]
                assert value(name, seats=everybody) == sum(parts)
            assert value("knocks", seats=everybody) == sum(
                value("knocks", seats=everybody, kind=kind) for kind in ("barsega", "barsegon")
            )
            until_the_end = value("points", sides=sides, after=len(stages))
            assert until_the_end == sum(value("points", sides=sides, category=c) for c in ("sweeps", "knocks", "table"))
            assert sum(value("margin", sides=(side,)) for side in sides) == 0
            assert value("ties") == (not value("wins", sides=sides))
            assert sum(value("captured", sides=(side,)) for side in sides) in (
                40,
                40 - value("leftovers", seats=everybody),
            )
