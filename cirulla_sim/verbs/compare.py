"""House rules and other rule sets compared on the same deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..core.arguments import SEED, alone, count, line_ups, machine, needs, positive, public, several, table_file, words
from ..core.errors import InputError, unknown
from ..engine.policies import USUAL
from ..engine.trials import MAX_HANDS
from ..exact.constrained import known_deal
from ..experiments.autosave import EVERY, saving
from ..experiments.compare_plan import Plan, asking_words, carry_out_plan
from ..experiments.compared_line_ups import together
from ..experiments.rule_sets import Comparison, all_house_rules, house_rule
from ..reporting.result import Result
from ..ruleset.catalogue import catalogue, house_names
from ..ruleset.presets import command_words
from ..ruleset.rule_set import RuleSet, choose
from ..ruleset.rules_model import Rules

Change = str | Sequence[str] | Mapping[str, Any]


@public
def compare(
    rules: str | Path | Rules | RuleSet = "cirulla",
    *,
    house: str | Sequence[str] = (),
    all_houses: bool = False,
    against: str | Sequence[str] = (),
    rule: Change = (),
    players: int | str | None = None,
    deal: str | None = None,
    policy: str | Sequence[str] = USUAL,
    hands: int | str = 1_000_000,
    first_hand: int | str = 0,
    seed: int | str = 1,
    threads: int | str | None = None,
    engine: str = "threads",
    scheduler: str | None = None,
    games: int | str | None = None,
    unpaired: bool = False,
    precision: float | str | None = None,
    precision_of: str | None = None,
    output: str | Path | None = None,
    resume: str | Path | Sequence[str | Path] | None = None,
    save_every: float | str = EVERY,
    force: bool = False,
    only: str | Sequence[str] | None = None,
    progress: bool = True,
) -> Result:
    """Measure what house rules or whole rule sets change, each on the same deals with the same dice.

    The ``rules`` are compared with themselves and each ``house`` rule on top (``all_houses``: every one that there is),
    and with the presets or files of ``against``; ``rule`` and ``players`` change all that is compared, ``deal`` tells
    cards that are known of every deal, and of the first hand of every game. Each plays so many ``hands``, and with
    ``games`` so many whole games too; ``unpaired`` plays each on hands of its own.
    ``precision`` is that of all differences of ``precision_of``, ``points`` unless named. The rest is as in
    ``simulate``; of several line-ups, rows of kind ``interaction`` tell how much more a rule changes for each than for
    the first, by the same deals.

    Raises ``InputError`` for what cannot be, in one line that names the argument as the command line does.

    >>> found = compare("cirulla", house="no-matta", policy="greedy", hands="20k", progress=False)
    >>> found.frame.filter(quantity="points", side="all", kind="difference")["estimate"].round(1).item()
    -1.6
    """
    needs("--precision-of", precision_of, "--precision", precision is not None)
    base, seated = choose(rules, players, (), rule), line_ups(policy)
    sets, remarks = {base.name: base.fields}, []
    if all_houses:
        variants, left_out = all_house_rules(base.fields, *seated)
        sets |= variants
        remarks = [f"Left out: {house} ({why})" for house, why in left_out.items()]
    for name in several(house):
        if name not in house_names():
            raise unknown("house rule", name, house_names(), where="--house: ")
        sets[name] = house_rule(base.fields, name)
    named = list(sets)[1:]
    for other in several(against):
        rival = _rival(other, players, rule, unpaired)
        if rival.name in sets:
            raise InputError(f"--against {other!r}: {rival.name!r} is there already (name another)")
        sets[rival.name] = rival.fields
    if len(sets) == 1:
        raise InputError("nothing to compare with (valid: --house NAME, --all-houses, --against PRESET)")
    number, start = count("--hands", hands, 1, 10**11), count("--seed", seed, 0, SEED)
    first = count("--first-hand", first_hand, 0, MAX_HANDS - number)
    alone("--first-hand", first, precision=precision, games=games, unpaired=unpaired)
    known = known_deal(deal, *sets.values())
    comparisons = [Comparison(sets, names, number, start, unpaired, first, known) for names in seated]
    width = None if precision is None else positive("--precision", precision)
    whole = 0 if games is None else count("--games", games, 1, 10**9)
    asking = (*_base_words(rules, base, players, rule), *asking_words((), named, several(against)))
    asked = together(comparisons) if len(comparisons) > 1 else comparisons[0]
    plan = Plan(asked, asking, base.preset, width, precision_of or "points", whole)
    kind, many = machine(engine, threads, scheduler)
    result = carry_out_plan(
        plan, saving(table_file("-o", output), resume, save_every, force), engine=kind, threads=many,
        only=words(only), progress=progress,
    )  # fmt: skip
    return replace(result, remarks=(*remarks, *result.remarks))


def _base_words(
    rules: str | Path | Rules | RuleSet, base: RuleSet, players: int | str | None, rule: Change
) -> tuple[str, ...]:
    """The words of a command that ask for the rules that others are compared with, as they were asked for."""
    if isinstance(rules, (Rules, RuleSet)):
        return tuple(command_words(base.fields, base.preset))
    changes = [f"{name}={value}" for name, value in rule.items()] if isinstance(rule, Mapping) else several(rule)
    seats = () if players is None else ("--players", str(count("--players", players, 2, 4)))
    return "--rules", base.base, *seats, *asking_words(changes)


def _rival(other: str, players: int | str | None, rule: Change, unpaired: bool) -> RuleSet:
    """The rules of ``--against``: with the number of players asked for; unpaired, with its own if it cannot have it."""
    try:
        return choose(other, players, (), rule)
    except InputError as error:
        spec = catalogue()["preset"].get(other)
        if spec is not None and unpaired and players is not None and int(players) not in spec["seats"]:
            return choose(other, None, (), rule)
        raise InputError(str(error).replace("--rules:", "--against:")) from None
