"""Policies against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..core.arguments import SEED, alone, count, machine, positive, public, several, table_file
from ..core.errors import InputError
from ..engine.trials import MAX_HANDS as FARTHEST
from ..exact.constrained import deal_remarks, known_deal
from ..experiments.autosave import EVERY, saving
from ..experiments.budget import within_budget
from ..experiments.sequential import Sequential
from ..experiments.tournament_pairings import carry_out_plan
from ..experiments.tournament_plan import MAX_HANDS, MIN_HANDS, Plan, ladder
from ..reporting.result import Result
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules

DELTA = 0.1
"""Points a hand that matter, where a pairing stops when it is decided."""


@public
def tournament(
    rules: str | Path | Rules | RuleSet = "cirulla",
    *,
    players: int | str | None = None,
    house: str | Sequence[str] = (),
    rule: str | Sequence[str] | Mapping[str, Any] = (),
    deal: str | None = None,
    policy: str | Sequence[str] = (),
    hands: int | str = 100_000,
    first_hand: int | str = 0,
    seed: int | str = 1,
    threads: int | str | None = None,
    engine: str = "threads",
    scheduler: str | None = None,
    until_decided: bool = False,
    delta: float | str | None = None,
    budget: float | str | None = None,
    luck: bool = False,
    timed: bool = False,
    output: str | Path | None = None,
    resume: str | Path | Sequence[str | Path] | None = None,
    save_every: float | str = EVERY,
    force: bool = False,
    progress: bool = True,
) -> Result:
    """Play every policy against every other on the same deals with sides exchanged, and rank them.

    ``deal`` tells cards that are known of every deal. ``policy`` names two or more (all that play fair, unless told).
    Each pairing plays so many deals (``hands``), or ``until_decided``: until one is ahead or neither is by ``delta``
    points a hand. ``budget`` chooses sizes (``search:N``) for so many microseconds a play; ``luck`` adds margins less
    luck, a narrower estimate; ``timed`` keeps measured costs in the table, which then never comes out the same. The
    rest is as for ``simulate``.

    Raises ``InputError`` for what cannot be, in one line that names the argument as the command line does.

    >>> found = tournament(players=2, policy="random,greedy", hands=1000, progress=False)
    >>> found.frame.filter(quantity="margin", policy="greedy", side="all")["estimate"].item() > 4
    True
    """
    points = None if delta is None else positive("--delta", delta)
    if points is not None and not until_decided:
        raise InputError(f"--delta '{points:g}' needs --until-decided (add it, or leave --delta out)")
    if budget is not None and resume is not None:
        raise InputError("--budget cannot be used with --resume: sizes are measured anew (name them, as search:64)")
    chosen = choose(rules, players, house, rule)
    names = tuple(name for text in several(policy) for name in text.split(",")) or ladder()
    test = Sequential(points or DELTA) if until_decided else None
    deals, start = count("--hands", hands, MIN_HANDS, MAX_HANDS), count("--seed", seed, 0, SEED)
    first = count("--first-hand", first_hand, 0, FARTHEST - deals)
    alone("--first-hand", first, until_decided=until_decided)
    known = known_deal(deal, chosen.fields)
    plan = Plan(chosen.fields, names, deals, start, chosen.preset, test, timed, first, known, luck)
    remarks = deal_remarks(known, chosen.fields)
    if budget is not None:
        most = positive("--budget", budget)
        plan = within_budget(plan, most)
        remarks += [f"Policies within {most:g} microseconds a play: {', '.join(plan.policies)}"]
    kind, many = machine(engine, threads, scheduler)
    result = carry_out_plan(
        plan, saving(table_file("-o", output), resume, save_every, force), engine=kind, threads=many, progress=progress
    )
    return replace(result, remarks=(*remarks, *result.remarks))
