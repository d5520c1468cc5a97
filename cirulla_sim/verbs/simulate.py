"""Many hands, and what they show: the main job."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ..core.arguments import SEED, alone, count, door, line_ups, machine, needs, positive, table_file, words
from ..core.errors import InputError
from ..engine.engines import Run
from ..engine.policies import USUAL
from ..engine.trials import MAX_HANDS, Experiment
from ..exact.constrained import known_deal
from ..experiments.autosave import EVERY, saving
from ..experiments.hand_quantities import control_names, simulated
from ..experiments.paired_effects import difference_of_hands
from ..experiments.paired_hands import CHUNK, QUANTITIES, numbers_of
from ..experiments.runner import Kind, Plan, carry_out_plan
from ..experiments.side_by_side import Measures, SideBySide, first_of, side_by_side
from ..experiments.side_by_side import for_readers as line_ups_for_readers
from ..reporting.result import Result
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules

HANDS = Kind("simulate", "simulate/1", simulated, controls=control_names)
PLAIN = Kind("simulate", "simulate/1", partial(simulated, controls=False), flags=("--no-controls",))
"""The same without corrections."""

LINE_UPS = replace(
    HANDS,
    schema="simulate-line-ups/1",
    table=partial(side_by_side, table=simulated),
    shown=line_ups_for_readers,
    controls=lambda run: control_names(first_of(run)),
    made=lambda run: {} if (shared := _shared(run)) is None else {"shared": shared},
    said=lambda run: _control_said(run),
)
"""Several line-ups on the same deals."""

PLAIN_LINE_UPS = replace(
    PLAIN,
    schema=LINE_UPS.schema,
    table=partial(side_by_side, table=PLAIN.table),
    shown=line_ups_for_readers,
)


def _shared(run: Run) -> int | None:
    """Hands that all line-ups were to play, None for all."""
    assert isinstance(run.experiment, SideBySide)
    return run.experiment.shared


def _control_said(run: Run) -> Iterator[str]:
    if (shared := _shared(run)) is not None:
        first, *others = run.experiment.line_ups
        yield f"{', '.join(others)}: {min(shared, run.done):_} hands, corrected by the {run.done:_} of {first} too."


MEASURES = Measures(QUANTITIES, numbers_of, difference_of_hands, CHUNK)


@door
def simulate(
    rules: str | Path | Rules | RuleSet = "cirulla",
    *,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
    deal: str | None = None,
    policy: str | Sequence[str] = USUAL,
    hands: int | str = 1_000_000,
    first_hand: int | str = 0,
    seed: int | str = 1,
    threads: int | str | None = None,
    engine: str = "threads",
    scheduler: str | None = None,
    precision: float | str | None = None,
    precision_of: str | None = None,
    output: str | Path | None = None,
    records: str | Path | None = None,
    resume: str | Path | Sequence[str | Path] | None = None,
    save_every: float | str = EVERY,
    force: bool = False,
    only: str | Sequence[str] | None = None,
    controls: bool = True,
    control_hands: int | str | None = None,
    progress: bool = True,
) -> Result:
    """Play many hands and measure bonuses, knocks, points by category and scores, each with its 95% interval.

    ``rules`` is a preset, a TOML file, or what ``rules`` has made of one; ``players``, ``house`` and ``rule`` go on top
    of a name. ``deal`` tells cards that are known, as ``"me: 7h K*; table: Ad"``: every deal that has them, and whose
    first table stays, is as likely. ``policy`` is one for all, or one a side with commas, the dealer's last; several,
    in a sequence, play the same deals side by side and are told with their paired differences from the first. So many
    ``hands`` are played, or fewer if the 95% half-width of ``precision_of`` (a quantity, ``points`` unless named) is
    ``precision`` before. The same ``seed`` gives the same hands, whatever ``threads`` and ``engine`` (``threads``,
    ``serial``, ``dask``); ``scheduler`` is the address of that of a dask cluster. ``first_hand`` is the number of the
    first of them, so that several machines play parts of one question; ``combine`` adds up what they make.

    ``output`` writes the whole table, ``records`` a row a hand, both as parquet. A long run saves its output every
    ``save_every`` seconds and on any way out, and a run whose output is there already goes on from it; of anything else
    it is replaced with ``force`` only. ``resume`` goes on from another file. ``only`` are the quantities to be shown.
    Ctrl-C ends the run; the result is of the hands done.

    From 100 hands on, where nothing is known of the deals, points, margin and hands won are corrected by the bonuses
    dealt, whose means are known exactly where cards are dealt by threes: their intervals are those of two times the
    hands or so. ``controls=False`` leaves it out. Of several line-ups the first plays ``control_hands`` in all, many
    more than the others, and corrects them too: quick players say how far the deals of slow ones were from the usual.

    Raises ``InputError`` for what cannot be, in one line that names the argument as the command line does.

    >>> found = simulate("cirulla", players=2, policy="greedy", hands="20k", progress=False)
    >>> found
    <cirulla-sim simulate --rules cirulla --players 2 --policy greedy --hands 20000 --seed 1>
    >>> found.frame.filter(quantity="sweeps", side="all")["estimate"].round(1).item()
    8.1
    """
    target, rows = table_file("-o", output), table_file("--records", records)
    if target is not None and rows is not None and target.resolve() == rows.resolve():
        raise InputError(f"--records {str(rows)!r} is the file of -o too (name two files)")
    needs("--precision-of", precision_of, "--precision", precision is not None)
    chosen = choose(rules, players, house, rule)
    number, start = count("--hands", hands, 1, MAX_HANDS), count("--seed", seed, 0, SEED)
    first = count("--first-hand", first_hand, 0, MAX_HANDS - number)
    alone("--first-hand", first, precision=precision, control_hands=control_hands)
    known = known_deal(deal, chosen.fields)
    line_up, *others = (Experiment(chosen.fields, names, number, start, first, known) for names in line_ups(policy))
    if others and rows is not None:
        raise InputError(f"--records {str(rows)!r} is of one line-up (name one --policy)")
    needs("--control-hands", control_hands, "a second --policy", bool(others))
    many_more = None if control_hands is None else count("--control-hands", control_hands, number, MAX_HANDS)
    if many_more is not None and not controls:
        raise InputError(f"--control-hands {many_more} is for corrections (leave --no-controls out)")
    if many_more is not None:
        line_up = line_up.of_number(many_more)
    shared = None if many_more is None else number
    together = {one.line_ups[0]: one for one in (line_up, *others)}
    width = None if precision is None else positive("--precision", precision)
    kind, many = machine(engine, threads, scheduler)
    return carry_out_plan(
        Plan(
            (LINE_UPS if controls else PLAIN_LINE_UPS) if others else (HANDS if controls else PLAIN),
            SideBySide(together, MEASURES, shared) if others else line_up,
            chosen.preset,
            width,
            precision_of or "points",
        ),
        saving(target, resume, save_every, force),
        engine=kind,
        threads=many,
        records=rows,
        only=words(only),
        progress=progress,
    )
