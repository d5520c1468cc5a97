"""Simulate many hands: bonuses, points and scores, each with its interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import polars as pl

from ..core.arguments import alone, needs
from ..core.errors import InputError
from ..core.messages import Message
from ..engine.engines import Run
from ..engine.trials import Experiment
from ..experiments.hand_quantities import control_names, simulated
from ..experiments.runner import carry_out
from ..experiments.trials_job import TrialsJob
from ..reporting.result import Result
from ..storage.request import Request
from .bind import bind, known_deal
from .options import Arguments

ControlNames = Callable[[Run], list[str]]
"""The names of the control variates of a run."""


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
    controlled = request.question.get("controls", True)
    table = simulated if controlled else partial(simulated, controls=False)
    names = control_names if controlled else lambda run: []
    if not others:
        about = partial(_about, names)
        return TrialsJob(request, first, "simulate/2", table, about=about, method=partial(_controls, names))
    return _side_by_side(request, [first if most is None else first.of_number(most), *others], table, names)


def _side_by_side(
    request: Request, experiments: list[Experiment], table: Callable[..., pl.DataFrame], names: ControlNames
) -> TrialsJob:  # fmt: skip
    """The job of several line-ups, of which the first may play more hands than all share."""
    from ..experiments.hand_quantities import CHUNK, QUANTITIES, difference_of_hands, numbers_of
    from ..experiments.side_by_side import Measures, SideBySide, first_of, side_by_side

    together = dict(zip(map(str, request.line_ups), experiments, strict=True))
    shared = request.effort.number if "control_hands" in request.question else None
    trials = SideBySide(together, Measures(QUANTITIES, numbers_of, difference_of_hands, CHUNK), shared)
    same = {} if shared is None else {"shared": shared}

    def remarks(run: Run) -> Iterator[str]:
        if shared is not None:
            first, *others = together
            yield Message(
                "{others}: {played:,} hands, with the {done:,} of {first} as a control variate.",
                "; ".join(others), trials.by_all(run.done), run.done, first,
            )  # fmt: skip

    return TrialsJob(
        request, trials, "simulate-line-ups/2", partial(side_by_side, table=table),
        about=lambda run: same | _about(names, first_of(run)), remarks=remarks,
        method=lambda run: _controls(names, first_of(run)), must_match=same, free=frozenset({"control_hands"}),
    )  # fmt: skip


def _about(names: ControlNames, run: Run) -> dict[str, Any]:
    """What the metadata says of control variates."""
    return {"controls": controls} if (controls := names(run)) else {}


def _controls(names: ControlNames, run: Run) -> Iterator[str]:
    """Which control variates were used."""
    if controls := names(run):
        yield Message("Control variates of points, margin and hands won: {controls}, whose means are exact.", controls)
