"""``cirulla-sim show``: one hand by its number, play by play."""

from __future__ import annotations

import json

import click

from ..errors import InputError
from ..rules import preset_of
from .options import Choice, Count, chosen_rules, policy_option, rules_options, seed_option, threads_option


@click.command("show")
@rules_options
@policy_option
@seed_option
@click.option("--hand", "first", type=Count(0, 10**12), default=0, show_default=True, help="Number of the first hand.")
@click.option("--hands", type=Count(1, 10**6), default=1, show_default=True, help="How many hands.")
@click.option(
    "--format", "form", type=Choice("format", ("text", "json")), default="text", help="text, or json: a record a line."
)
@click.option("--coach", is_flag=True, help="Judge every play, and tell where points were thrown away.")
@click.option("--samples", type=Count(4, 1 << 20), help="With --coach: deals played out for each play (default: 1000).")
@threads_option
def command(
    base: str,
    players: int | None,
    houses: tuple[str, ...],
    changes: tuple[str, ...],
    policy: str,
    seed: int,
    first: int,
    hands: int,
    form: str,
    coach: bool,
    samples: int | None,
    threads: int | None,
) -> None:
    """Play a hand by its number and show it: for a reader play by play, or as a hand record in JSON.

    The hand is the one that simulate plays under the same rules, policies and seed. With --coach each play is judged by
    what its player knew: how much it loses against the best, where everybody plays on as careful.
    """
    from ..play import Experiment, as_text, hand_record

    if samples is not None and not coach:
        raise InputError(f"--samples '{samples}' goes with --coach (leave it out, or give --coach)")
    rules = chosen_rules(base, players, houses, changes)
    experiment = Experiment(rules, tuple(policy.split(",")), 1, seed)
    for index in range(first, first + hands):
        record = hand_record(experiment, index, preset_of(base))
        if coach:
            from ..advice import SAMPLES, coached

            record = coached(record, samples or SAMPLES, seed, threads=threads)
        if form == "json":
            click.echo(json.dumps(record, ensure_ascii=False))
        else:
            click.echo(("\n\n" if index > first else "") + as_text(record))
