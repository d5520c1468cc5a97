"""Simulate many hands: bonuses, points and scores, each with its interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ..core.arguments import alone, needs
from ..core.errors import InputError
from ..engine.engines import Run
from ..engine.trials import Experiment
from ..experiments.hand_quantities import control_names, simulated
from ..experiments.paired_hands import CHUNK, QUANTITIES, difference_of_hands, numbers_of
from ..experiments.runner import carry_out
from ..experiments.side_by_side import Measures, SideBySide, first_of, side_by_side
from ..experiments.trials_job import TrialsJob
from ..reporting.result import Result
from ..storage.request import Request
from .bind import bind, known_deal
from .options import Arguments

MEASURES = Measures(QUANTITIES, numbers_of, difference_of_hands, CHUNK)


def run(given: Arguments) -> Result:
    """The result; raises ``InputError`` for arguments that do not go together."""
    arguments = bind(given)
    target, rows = arguments["output"], arguments["records"]
    if target is not None and rows is not None and target.resolve() == rows.resolve():
        raise InputError(f"--records {str(rows)!r} is the file of -o too (name two files)")
    number, most = arguments["hands"], arguments["control_hands"]
    alone("--first-hand", arguments["first_hand"], precision=arguments["precision"], control_hands=most)
    if len(arguments.line_ups) > 1 and rows is not None:
        raise InputError(f"--records {str(rows)!r} is of one line-up (name one --policy)")
    needs("--control-hands", most, "a second --policy", len(arguments.line_ups) > 1)
    if most is not None and most < number:
        raise InputError(f"--control-hands '{most}' is less than --hands '{number}' (valid: more)")
    if most is not None and not arguments["controls"]:
        raise InputError(f"--control-hands '{most}' requires control variates (leave --no-controls out)")
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
    if most is not None:
        first = first.of_number(most)
    together = dict(zip(map(str, request.line_ups), (first, *others), strict=True))
    shared = None if most is None else effort.number
    trials = SideBySide(together, MEASURES, shared)
    same = {} if shared is None else {"shared": shared}
    return TrialsJob(
        request, trials, "simulate-line-ups/2", partial(side_by_side, table=table),
        about=lambda run: same | _about(names, first_of(run)), remarks=_shared,
        method=lambda run: _controls(names, first_of(run)), must_match=same, free=frozenset({"control_hands"}),
    )  # fmt: skip


def _about(names: Callable[[Run], list[str]], run: Run) -> dict[str, Any]:
    """What the metadata says of control variates."""
    return {"controls": controls} if (controls := names(run)) else {}


def _controls(names: Callable[[Run], list[str]], run: Run) -> Iterator[str]:
    """Which control variates were used."""
    if controls := names(run):
        yield f"Control variates of points, margin and hands won: {', '.join(controls)}, whose means are exact."


def _shared(together: Run) -> Iterator[str]:
    """How many hands were played by the line-ups after the first, where that played more."""
    if isinstance(trials := together.experiment, SideBySide) and trials.shared is not None:
        first, *others = trials.experiments
        played = min(trials.shared, together.done)
        yield f"{'; '.join(others)}: {played:_} hands, with the {together.done:_} of {first} as a control variate."
