"""``cirulla-sim games``: whole games, and the chance to win from any score."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from click.core import ParameterSource

from ..errors import InputError
from ..kept import render
from ..rules import preset_of
from .options import (
    Choice,
    Count,
    Positive,
    check_needed,
    chosen_rules,
    engine_option,
    format_option,
    output_option,
    policy_option,
    rules_options,
    seed_option,
    threads_option,
)


@click.command("games")
@rules_options
@policy_option
@click.option(
    "--aim", type=Choice("aim", ("points", "game")), default="points", show_default=True,
    help="What careful, search and open maximise: points, or the chance to win; a side's own is told as search+game.",
)  # fmt: skip
@click.option("--games", type=Count(1, 10**12), default=100_000, show_default="100K", help="Games to play, at most.")
@seed_option
@threads_option
@engine_option
@click.option("--precision", type=Positive(), metavar="X", help="Stop when the 95% half-width is X or less.")
@click.option(
    "--precision-of", default="wins_game", show_default=True, metavar="QUANTITY", help="What the precision is of."
)
@click.option("--resume", type=click.Path(path_type=Path), metavar="FILE", help="Go on from a file of an earlier run.")
@click.option("--only", metavar="QUANTITY[,QUANTITY...]", help="Print these quantities only, every row of them.")
@click.option("--from", "score", metavar="US-THEM", help="The chance to win from a score, as 38-41; ours first.")
@click.option("--dealer", default="us", show_default=True, metavar="us|them", help="With --from: who deals next.")
@click.option("--check", type=Count(1, 10**9), metavar="N", help="With --from: play so many games on from there too.")
@click.option("--win-table", is_flag=True, help="The chance to win from every score; needs -o.")
@click.option(
    "--hands", type=Count(1, 10**9), default=1_000_000, show_default="1M",
    help="With --from and --win-table: hands to measure points by.",
)  # fmt: skip
@output_option("Write the whole table to a parquet file.")
@format_option
def command(
    base: str,
    players: int | None,
    houses: tuple[str, ...],
    changes: tuple[str, ...],
    policy: str,
    aim: str,
    games: int,
    seed: int,
    threads: int | None,
    engine: str,
    precision: float | None,
    precision_of: str,
    resume: Path | None,
    only: str | None,
    score: str | None,
    dealer: str,
    check: int | None,
    win_table: bool,
    hands: int,
    output: Path | None,
    form: str,
) -> None:
    """Play whole games and measure who wins, hands a game, lead changes, comebacks and margins, with 95% intervals.

    Sides are told by the first dealer. The table on the screen leaves out distributions; the file of -o, the other
    formats and --only hold every row.

    --from answers one question: the chance to win from a score. It and --win-table solve for the chances from the
    points that simulated hands bring; there --policy names one for both, or ours and theirs. Between more than two
    sides, who sit in the order of the scores, and in knock-outs, --from plays --games games out.
    """
    from ..games import GAMES, aimed, win_chance
    from ..kept import runs as simulate
    from ..play import Games

    rules = chosen_rules(base, players, houses, changes)
    policies = tuple(policy.split(","))
    _check_flags("score" if score is not None else "win_table" if win_table else "", output)
    check_needed("precision_of", "precision")
    if score is not None or win_table:
        setting = win_chance.Setting(rules, preset_of(base), policies, hands, games, seed)
        machine = win_chance.Machine(engine, threads, sys.stderr)
        if score is not None:
            frame, remarks = win_chance.answer(setting, score, dealer, check, machine)
        else:
            assert output is not None
            frame = win_chance.write_win_table(setting, output, machine)
            frame = win_chance.every_tenth(frame) if form == "table" else frame
            remarks = (f"Written: {output}",)
        click.echo(render(frame, form))
        for remark in remarks:
            click.echo(remark, err=True)
        return
    plan = simulate.Plan(
        GAMES,
        experiment=aimed(Games(rules, policies, games, seed, aim=aim)),
        preset=preset_of(base),
        precision=precision,
        precision_of=precision_of,
    )
    wanted = only.split(",") if only else []
    simulate.check_quantities(plan.kind, plan.experiment, wanted, "--only")
    result = simulate.carry_out_plan(
        plan, engine=engine, threads=threads, output=output, resume=resume, progress=sys.stderr
    )
    if wanted:
        frame = result.frame.filter(result.frame["quantity"].is_in(wanted))
    else:
        frame = result.frame if form != "table" else simulate.headlines(result.frame)
    click.echo(render(frame, form))
    for remark in result.remarks:
        click.echo(remark, err=True)
    raise click.exceptions.Exit(result.exit_code)


_FLAGS = {
    "": ("games", "precision", "precision_of", "resume", "only"),
    "score": ("games", "dealer", "check", "hands"),
    "win_table": ("hands",),
}
"""Flags that only make sense for some of the jobs, by the flag that asks for the job."""


def _check_flags(job: str, output: Path | None) -> None:
    """Raise ``InputError`` for a flag that says nothing to the job asked for."""
    context = click.get_current_context()
    names = {option.name: option.opts[0] for option in context.command.params}
    every = {flag for flags in _FLAGS.values() for flag in flags} | {"score", "win_table"}
    for flag in sorted(every - {job, *_FLAGS[job]}):
        if context.get_parameter_source(flag) is ParameterSource.COMMANDLINE:
            jobs = [names[of] for of, flags in _FLAGS.items() if of and flag in flags]
            wants = f"goes with {' or '.join(jobs)}" if jobs and not job else f"cannot be used with {names[job]}"
            raise InputError(f"{names[flag]} {wants}")
    if job == "win_table" and output is None:
        raise InputError("--win-table needs a file to write to (give -o FILE.parquet)")
    if job == "score" and output is not None:
        raise InputError("-o cannot be used with --from (give --format json)")
