"""Simulate many hands: bonuses, points and scores, each with its interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from ..core.arguments import alone, needs
from ..core.errors import InputError
from ..core.messages import Message
from ..engine.engines import Run
from ..engine.trials import Experiment
from ..experiments.hand_quantities import Beside, control_means, simulated
from ..experiments.runner import TrialsJob, carry_out
from ..reporting.result import Result
from ..storage.request import Request
from .bind import bind, known_deal
from .options import Arguments


def run(given: Arguments) -> Result:
    """The result; raises ``InputError`` for arguments that do not go together."""
    arguments = bind(given)
    target, rows = arguments["output"], arguments["records"]
    if target is not None and rows is not None and target.resolve() == rows.resolve():
        raise InputError("--records {rows!r} is the file of -o too (name two files)", rows)
    number, most = arguments["hands"], arguments["control_hands"]
    alone("--first-hand", arguments["first_hand"], precision=arguments["precision"], control_hands=most)
    if len(arguments.line_ups) > 1 and rows is not None:
        raise InputError("--records {rows!r} is of one line-up (name one --policy)", rows)
    needs("--control-hands", most, Message("a second --policy"), len(arguments.line_ups) > 1)
    if most is not None and most < number:
        raise InputError("--control-hands {most!r} is less than --hands {number!r} (valid: more)", most, number)
    if most is not None and not arguments["controls"]:
        raise InputError("--control-hands {most!r} requires control variates (leave --no-controls out)", most)
    return Result.of(carry_out(job_of(arguments.request(arguments.effort())), arguments.execution()))


def job_of(request: Request) -> TrialsJob:
    """The job of a request; raises ``InputError`` for policies that cannot play and cards that cannot lie so."""
    rules, effort, most = request.rules.fields, request.effort, request.question.get("control_hands")
    constraints = known_deal(request.situation.get("at"), rules)
    first, *others = (
        Experiment(rules, line_up.by_side(rules), effort.number or 1, effort.seed or 0, effort.first, constraints)
        for line_up in request.line_ups
    )
    job = HandsJob(request, first)
    if not others:
        return job
    from ..experiments.compared_hands import hand_measures
    from ..experiments.comparison import Comparison, LineUpsJob

    experiments = [first if most is None else replace(first, hands=most), *others]
    arms = dict(zip(map(str, request.line_ups), experiments, strict=True))
    shared = None if most is None else effort.number
    return LineUpsJob(request, Comparison(arms, hand_measures(rules), shared=shared), job)


@dataclass(frozen=True, eq=False)
class HandsJob(TrialsJob):
    """Hands played by one line-up."""

    schema = "simulate/2"

    def rows(self, run: Run, beside: Beside | None = None) -> pl.DataFrame:
        return simulated(run, self.request.question.get("controls", True), beside)

    def controls(self, run: Run) -> list[str]:
        """The names of the control variates of a run."""
        return list(control_means(run)) if self.request.question.get("controls", True) else []

    def facts(self, state: Run) -> dict[str, Any]:
        return super().facts(state) | ({"controls": controls} if (controls := self.controls(state)) else {})

    def method_notes(self, state: Run) -> Iterator[str]:
        if controls := self.controls(state):
            yield Message(
                "Control variates of points, margin and hands won: {controls}, whose means are exact.", controls
            )
