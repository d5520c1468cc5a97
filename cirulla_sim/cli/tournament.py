"""``cirulla-sim tournament``: every policy against every other."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..errors import InputError
from ..rules import preset_of
from .options import (
    Count,
    Positive,
    chosen_rules,
    engine_option,
    format_option,
    output_option,
    resume_option,
    rules_options,
    seed_option,
    threads_option,
)


@click.command("tournament")
@rules_options
@click.option(
    "--policy", "policies", multiple=True, metavar="NAME[,NAME...]",
    help="The policies that meet, two or more; repeatable (default: all that play fair).",
)  # fmt: skip
@click.option(
    "--hands", type=Count(1000, 10**7), default=100_000, show_default="100k", help="Deals a pairing, at most."
)
@seed_option
@threads_option
@engine_option
@click.option("--until-decided", is_flag=True, help="Stop a pairing as soon as it is decided.")
@click.option(
    "--delta", type=Positive(), metavar="X", help="Points a hand that matter to --until-decided. [default: 0.1]"
)
@click.option("--budget", type=Positive(), metavar="X", help="Choose sizes (search:N) for X microseconds a play.")
@click.option("--timed", is_flag=True, help="Keep measured costs in the table, which then never comes out the same.")
@output_option("Write the table and the scores by deal to a parquet file.")
@resume_option
@format_option
def command(
    base: str,
    players: int | None,
    houses: tuple[str, ...],
    changes: tuple[str, ...],
    policies: tuple[str, ...],
    hands: int,
    seed: int,
    threads: int | None,
    engine: str,
    until_decided: bool,
    delta: float | None,
    budget: float | None,
    timed: bool,
    output: Path | None,
    resume: Path | None,
    form: str,
) -> None:
    """Play every policy against every other on the same deals with sides exchanged, and rank them.

    Shown are points a hand over the opponent, the chance of winning a game, and the ranking, with 95% intervals. Of
    three sides and more, each policy in turn is alone against the other in every place, and so are the chances.

    --until-decided looks at each pairing after 500 deals, 1000 and so on and stops it when one policy is ahead or
    neither is by --delta points a hand; either is wrong in at most 5 of 100 pairings.

    The file of -o keeps the scores by deal, so that --resume goes on from it, to more --hands or until decided.
    """
    from .. import contest as tournament
    from ..contest import Sequential
    from ..kept import render

    if delta is not None and not until_decided:
        raise InputError(f"--delta '{delta:g}' needs --until-decided (add it, or leave --delta out)")
    if budget is not None and resume is not None:
        raise InputError("--budget cannot be used with --resume: sizes are measured anew (name them, as search:64)")
    rules = chosen_rules(base, players, houses, changes)
    names = tuple(name for words in policies for name in words.split(",")) or tournament.ladder()
    test = Sequential(delta or 0.1) if until_decided else None
    plan = tournament.Plan(rules, names, hands, seed, preset_of(base), test, timed)
    if budget is not None:
        plan = tournament.within_budget(plan, budget)
        click.echo(f"Policies within {budget:g} microseconds a play: {', '.join(plan.policies)}", err=True)
    result = tournament.carry_out_plan(
        plan, engine=engine, threads=threads, output=output, resume=resume, progress=sys.stderr
    )
    click.echo(tournament.as_text(result) if form == "table" else render(result.frame, form))
    for remark in result.remarks:
        click.echo(remark, err=True)
    raise click.exceptions.Exit(result.exit_code)
