"""``cirulla-sim compare``: what rules change, on the same deals."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..errors import InputError, unknown
from ..rules import Rules, catalogue, house_names, preset_of
from .options import (
    Count,
    Positive,
    check_needed,
    chosen_rules,
    engine_option,
    format_option,
    output_option,
    policy_option,
    resume_option,
    seed_option,
    threads_option,
)


@click.command("compare")
@click.option("--rules", "base", default="cirulla", metavar="PRESET|FILE.toml", show_default=True,
              help="The rules that the others are compared with.")  # fmt: skip
@click.option("--house", "houses", multiple=True, metavar="NAME",
              help="Compare with the rules and this house rule on top; repeatable, each by itself.")  # fmt: skip
@click.option("--all-houses", is_flag=True, help="Compare with every house rule, each by itself.")
@click.option("--against", multiple=True, metavar="PRESET|FILE.toml", help="Compare with this rule set; repeatable.")
@click.option("--rule", "changes", multiple=True, metavar="FIELD=VALUE",
              help="One field changed in all that is compared; repeatable.")  # fmt: skip
@click.option("--players", type=Count(2, 4), help="Number of players in all that is compared.")
@policy_option
@click.option("--hands", type=Count(1, 10**11), default=1_000_000, show_default="1M",
              help="Hands to play under each rule set, at most.")  # fmt: skip
@seed_option
@threads_option
@engine_option
@click.option("--games", type=Count(1, 10**9), metavar="N",
              help="Play N whole games under each too: how long, and what a rule is worth in games won.")  # fmt: skip
@click.option("--unpaired", is_flag=True, help="Play each on hands of its own; needed where the seats differ.")
@click.option("--precision", type=Positive(), metavar="X", help="Stop when all 95% half-widths are X or less.")
@click.option(
    "--precision-of", default="points", show_default=True, metavar="QUANTITY", help="The difference it is of."
)
@output_option("Write the whole table to a parquet file.")
@resume_option
@click.option("--only", metavar="QUANTITY[,QUANTITY...]", help="Print these quantities only, every row of them.")
@format_option
def command(
    base: str,
    houses: tuple[str, ...],
    all_houses: bool,
    against: tuple[str, ...],
    changes: tuple[str, ...],
    players: int | None,
    policy: str,
    hands: int,
    seed: int,
    threads: int | None,
    engine: str,
    games: int | None,
    unpaired: bool,
    precision: float | None,
    precision_of: str,
    output: Path | None,
    resume: Path | None,
    only: str | None,
    form: str,
) -> None:
    """Measure what house rules or whole rule sets change, each on the same deals with the same dice.

    The table on the screen shows the biggest change first: points a hand (all sides), the dealer's side's margin over
    the others, how often it wins the hand, with 95% intervals; the share of hands that went another way at all, and the
    category that points come or go through. The file of -o, the other formats and --only hold every quantity, the
    differences with their gain in precision over unpaired runs and Holm-corrected chances.
    """
    from .. import compare
    from ..kept import render

    check_needed("precision_of", "precision")
    rules, policies = chosen_rules(base, players, (), changes), tuple(policy.split(","))
    name = catalogue_name(base)
    sets = {name: rules}
    if all_houses:
        variants, left_out = compare.all_house_rules(rules, policies)
        sets |= variants
        for house, why in left_out.items():
            click.echo(f"Left out: {house} ({why})", err=True)
    for house in houses:
        if house not in house_names():
            raise unknown("house rule", house, house_names(), where="--house: ")
        sets[house] = compare.house_rule(rules, house)
    words = compare.asking_words(base, players, changes, list(sets)[1:], against)
    for other in against:
        if catalogue_name(other) in sets:
            raise InputError(f"--against {other!r}: {catalogue_name(other)!r} is there already (name another)")
        sets[catalogue_name(other)] = _rival(other, players, changes, unpaired)
    if len(sets) == 1:
        raise InputError("nothing to compare with (valid: --house NAME, --all-houses, --against PRESET)")
    comparison = compare.Comparison(sets, policies, hands, seed, unpaired)
    plan = compare.Plan(comparison, words, preset_of(base), precision, precision_of, games or 0)
    wanted = only.split(",") if only else []
    compare.check_quantities(wanted, "--only")
    result = compare.carry_out_plan(
        plan, engine=engine, threads=threads, output=output, resume=resume, progress=sys.stderr
    )
    if wanted:
        frame = result.frame.filter(result.frame["quantity"].is_in(wanted))
    else:
        frame = compare.for_readers(result.frame) if form == "table" else result.frame
    click.echo(render(frame, form))
    for remark in result.remarks:
        click.echo(remark, err=True)
    raise click.exceptions.Exit(result.exit_code)


def catalogue_name(base: str) -> str:
    """What a rule set is called in the table: the preset's name, or the file's without its ending."""
    return Path(base).stem if base.endswith(".toml") else base


def _rival(other: str, players: int | None, changes: tuple[str, ...], unpaired: bool) -> Rules:
    """The rules of ``--against``: with the number of players asked for; unpaired, with its own if it cannot have it."""
    try:
        return chosen_rules(other, players, (), changes)
    except InputError as error:
        spec = catalogue()["preset"].get(other)
        if spec is not None and unpaired and players is not None and players not in spec["seats"]:
            return chosen_rules(other, None, (), changes)
        raise InputError(str(error).replace("--rules:", "--against:")) from None
