"""``cirulla-sim simulate``: many hands, what they show, with intervals."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..errors import InputError
from ..kept import render
from ..rules import preset_of
from .options import (
    Count,
    Positive,
    TableFile,
    check_needed,
    chosen_rules,
    engine_option,
    format_option,
    output_option,
    policy_option,
    resume_option,
    rules_options,
    seed_option,
    threads_option,
)


@click.command("simulate")
@rules_options
@policy_option
@click.option("--hands", type=Count(1, 10**12), default=1_000_000, show_default="1M", help="Hands to play, at most.")
@seed_option
@threads_option
@engine_option
@click.option("--precision", type=Positive(), metavar="X", help="Stop when the 95% half-width is X or less.")
@click.option(
    "--precision-of", default="points", show_default=True, metavar="QUANTITY", help="What the precision is of."
)
@output_option("Write the whole table to a parquet file.")
@click.option("--records", type=TableFile(), metavar="FILE", help="Keep one row a hand in a parquet file.")
@resume_option
@click.option("--only", metavar="QUANTITY[,QUANTITY...]", help="Print these quantities only, every row of them.")
@format_option
def command(
    base: str,
    players: int | None,
    houses: tuple[str, ...],
    changes: tuple[str, ...],
    policy: str,
    hands: int,
    seed: int,
    threads: int | None,
    engine: str,
    precision: float | None,
    precision_of: str,
    output: Path | None,
    records: Path | None,
    resume: Path | None,
    only: str | None,
    form: str,
) -> None:
    """Play many hands and measure bonuses, knocks, points by category and scores, each with its 95% interval.

    The table on the screen leaves out distributions; the file of -o, the other formats and --only hold every row.
    """
    from ..hands import HANDS
    from ..kept import runs as simulate
    from ..play import Experiment

    if output is not None and records is not None and output.resolve() == records.resolve():
        raise InputError(f"--records {str(records)!r} is the file of -o too (name two files)")
    check_needed("precision_of", "precision")
    rules = chosen_rules(base, players, houses, changes)
    plan = simulate.Plan(
        HANDS,
        experiment=Experiment(rules, tuple(policy.split(",")), hands, seed),
        preset=preset_of(base),
        precision=precision,
        precision_of=precision_of,
    )
    wanted = only.split(",") if only else []
    simulate.check_quantities(plan.kind, plan.experiment, wanted, "--only")
    result = simulate.carry_out_plan(
        plan,
        engine=engine,
        threads=threads,
        output=output,
        records=records,
        resume=resume,
        progress=sys.stderr,
    )
    if wanted:
        frame = result.frame.filter(result.frame["quantity"].is_in(wanted))
    else:
        frame = result.frame if form != "table" else simulate.headlines(result.frame)
    click.echo(render(frame, form))
    for remark in result.remarks:
        click.echo(remark, err=True)
    raise click.exceptions.Exit(result.exit_code)
