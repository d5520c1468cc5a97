"""Simulate many hands: bonuses, points and scores, each with its interval."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ..core.arguments import check_needs, exclude
from ..core.errors import InputError
from ..core.messages import Message
from ..engine.trials import Experiment, Trials
from ..experiments.comparison import Comparison, LineUpsJob
from ..experiments.hand_quantities import simulated
from ..experiments.runner import carry_out
from ..reporting.result import Result
from ..storage.request import Request
from .bind import bind, deal_constraints
from .options import Arguments


def run(given: Arguments) -> Result:
    """The result; raises ``InputError`` for arguments that do not go together."""
    arguments = bind(given)
    target, rows = arguments["output"], arguments["records"]
    if target is not None and rows is not None and target.resolve() == rows.resolve():
        raise InputError("--records {rows!r} is the file of -o too (name two files)", rows)
    number, most = arguments["hands"], arguments["control_hands"]
    exclude("--first-hand", arguments["first_hand"], precision=arguments["precision"], control_hands=most)
    if len(arguments.line_ups) > 1 and rows is not None:
        raise InputError("--records {rows!r} is of one line-up (name one --policy)", rows)
    check_needs("--control-hands", most, Message("a second --policy"), len(arguments.line_ups) > 1)
    if most is not None and most < number:
        raise InputError("--control-hands {most!r} is less than --hands {number!r} (valid: more)", most, number)
    if most is not None and not arguments["controls"]:
        raise InputError("--control-hands {most!r} requires control variates (leave --no-controls out)", most)
    return Result.of(carry_out(job_of(arguments.request(arguments.effort())), arguments.execution()))


def job_of(request: Request) -> LineUpsJob:
    """The job of a request; raises ``InputError`` for policies that cannot play and cards that cannot lie so."""
    rules, effort, most = request.rules.fields, request.effort, request.question.get("control_hands")
    constraints = deal_constraints(request.situation.get("at"), rules)
    trials: Trials
    trials, *others = (
        Experiment(rules, line_up.by_side(rules), effort.number or 1, effort.seed or 0, effort.first, constraints)
        for line_up in request.line_ups
    )
    if others:
        from ..experiments.compared_hands import hand_measures  # most runs are of one line-up

        experiments = [trials if most is None else replace(trials, hands=most), *others]
        arms = dict(zip(map(str, request.line_ups), experiments, strict=True))
        trials = Comparison(arms, hand_measures(rules), shared=None if most is None else effort.number)
    controlled = request.question.get("controls", True)
    return LineUpsJob(request, trials, partial(simulated, controls=controlled), controlled)
