"""``cirulla-sim simulate``: many hands, what they show, with intervals."""

from __future__ import annotations

from typing import Any

import click

from .options import (
    Count,
    TableFile,
    deal_option,
    engine_option,
    first_option,
    format_option,
    keeping_options,
    line_ups_option,
    only_option,
    precision_options,
    rules_options,
    seed_option,
    show,
    threads_option,
)


@click.command("simulate")
@rules_options
@line_ups_option
@click.option("--hands", type=Count(1, 10**12), default=1_000_000, show_default="1M", help="Hands to play, at most.")
@first_option("hand")
@deal_option
@seed_option
@threads_option
@engine_option
@precision_options("points", "Stop when the 95% half-width is X or less.", "What the precision is of.")
@keeping_options
@click.option("--records", type=TableFile(), metavar="FILE", help="Keep one row a hand in a parquet file.")
@only_option
@click.option(
    "--no-controls", "controls", flag_value=False, default=True, help="Do not correct by what was dealt on average."
)
@click.option(
    "--control-hands", type=Count(1, 10**12), metavar="N",
    help="Hands that the first of several line-ups plays, many more than --hands: it corrects the others.",
)  # fmt: skip
@format_option
def command(form: str, lang: str | None, raw: bool, **asked: Any) -> None:
    """Play many hands and measure bonuses, knocks, points by category and scores, each with its 95% interval.

    The table on the screen leaves out distributions; the file of -o, the other formats and --only hold every row.
    """
    from ..verbs.simulate import simulate

    show(simulate(**asked), form, lang, raw)
