"""``cirulla-sim compare``: what rules change, on the same deals."""

from __future__ import annotations

from typing import Any

import click

from .options import (
    Count,
    deal_option,
    engine_option,
    first_option,
    format_option,
    keeping_options,
    line_ups_option,
    only_option,
    precision_options,
    seed_option,
    show,
    threads_option,
)


@click.command("compare")
@click.option("--rules", metavar="PRESET|FILE.toml", show_default="cirulla",
              help="The rules that the others are compared with.")  # fmt: skip
@click.option("--house", multiple=True, metavar="NAME",
              help="Compare with the rules and this house rule on top; repeatable, each by itself.")  # fmt: skip
@click.option("--all-houses", is_flag=True, help="Compare with every house rule, each by itself.")
@click.option("--against", multiple=True, metavar="PRESET|FILE.toml", help="Compare with this rule set; repeatable.")
@click.option("--rule", multiple=True, metavar="FIELD=VALUE",
              help="One field changed in all that is compared; repeatable.")  # fmt: skip
@click.option("--players", type=Count(2, 4), help="Number of players in all that is compared.")
@line_ups_option
@click.option("--hands", type=Count(1, 10**11), default=1_000_000, show_default="1M",
              help="Hands to play under each rule set, at most.")  # fmt: skip
@first_option("hand")
@deal_option
@seed_option
@threads_option
@engine_option
@click.option("--games", type=Count(1, 10**9), metavar="N",
              help="Play N whole games under each too: how long, and what a rule is worth in games won.")  # fmt: skip
@click.option("--unpaired", is_flag=True, help="Play each on hands of its own; needed where the seats differ.")
@precision_options("points", "Stop when all 95% half-widths are X or less.", "The difference it is of.")
@keeping_options
@only_option
@format_option
def command(form: str, lang: str | None, raw: bool, **asked: Any) -> None:
    """Measure what house rules or whole rule sets change, each on the same deals with the same dice.

    The table on the screen shows the biggest change first: points a hand (all sides), the dealer's side's margin over
    the others, how often it wins the hand, with 95% intervals; the share of hands that went another way at all, and the
    category that points come or go through. The file of -o, the other formats and --only hold every quantity, the
    differences with their gain in precision over unpaired runs and Holm-corrected chances. Of several line-ups a column
    each, then how much more a rule changes for each than for the first.
    """
    from ..verbs.compare import compare

    show(compare(**asked), form, lang, raw)
