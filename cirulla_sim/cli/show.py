"""``cirulla-sim show``: one hand by its number, play by play."""

from __future__ import annotations

import json

import click

from ..rules import preset_of
from .options import Choice, Count, chosen_rules, policy_option, rules_options, seed_option


@click.command("show")
@rules_options
@policy_option
@seed_option
@click.option("--hand", "first", type=Count(0, 10**12), default=0, show_default=True, help="Number of the first hand.")
@click.option("--hands", type=Count(1, 10**6), default=1, show_default=True, help="How many hands.")
@click.option(
    "--format", "form", type=Choice("format", ("text", "json")), default="text", help="text, or json: a record a line."
)
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
) -> None:
    """Play a hand by its number and show it: for a reader play by play, or as a hand record in JSON.

    The hand is the one that simulate plays under the same rules, policies and seed.
    """
    from ..experiment import Experiment
    from ..record import as_text, hand_record

    rules = chosen_rules(base, players, houses, changes)
    experiment = Experiment(rules, tuple(policy.split(",")), 1, seed)
    for index in range(first, first + hands):
        record = hand_record(experiment, index, preset_of(base))
        if form == "json":
            click.echo(json.dumps(record, ensure_ascii=False))
        else:
            click.echo(("\n\n" if index > first else "") + as_text(record))
