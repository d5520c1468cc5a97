"""``cirulla-sim tournament``: every policy against every other."""

from __future__ import annotations

from typing import Any

import click

from .options import (
    Count,
    Positive,
    deal_option,
    engine_option,
    first_option,
    format_option,
    keeping_options,
    rules_options,
    seed_option,
    show,
    threads_option,
)


@click.command("tournament")
@rules_options
@click.option(
    "--policy", multiple=True, metavar="NAME[,NAME...]",
    help="The policies that meet, two or more; repeatable (default: all that play fair).",
)  # fmt: skip
@click.option(
    "--hands", type=Count(1000, 10**7), default=100_000, show_default="100k", help="Deals a pairing, at most."
)
@first_option("hand")
@deal_option
@seed_option
@threads_option
@engine_option
@click.option("--until-decided", is_flag=True, help="Stop a pairing as soon as it is decided.")
@click.option(
    "--delta", type=Positive(), metavar="X", help="Points a hand that matter to --until-decided. [default: 0.1]"
)
@click.option("--budget", type=Positive(), metavar="X", help="Choose sizes (search:N) for X microseconds a play.")
@click.option("--luck", is_flag=True, help="Tell luck apart: margins less luck, narrower and longer to play.")
@click.option("--timed", is_flag=True, help="Keep measured costs in the table, which then never comes out the same.")
@keeping_options
@format_option
def command(form: str, lang: str | None, raw: bool, **asked: Any) -> None:
    """Play every policy against every other on the same deals with sides exchanged, and rank them.

    Shown are points a hand over the opponent, the chance of winning a game, and the ranking, with 95% intervals. Of
    three sides and more, each policy in turn is alone against the other in every place, and so are the chances.

    --until-decided looks at each pairing after 500 deals, 1000 and so on and stops it when one policy is ahead or
    neither is by --delta points a hand; either is wrong in at most 5 of 100 pairings.

    The file of -o keeps the scores by deal, so that it is gone on from, to more --hands or until decided.
    """
    from ..verbs.tournament import tournament

    show(tournament(**asked), form, lang, raw)
