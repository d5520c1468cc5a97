"""``cirulla-sim odds``: exact chances of dealt cards, and simulated ones where there is too much to count."""

from __future__ import annotations

from typing import Any

import click

from .options import (
    Choice,
    Count,
    deal_option,
    engine_option,
    format_option,
    position_options,
    rules_options,
    saving_options,
    seed_option,
    show,
    threads_option,
)

_SUBJECTS = ("holding", "table", "first-deal", "deal", "hand", "game", "piles", "position")
_DEALS = Count(1, 10**10)


@click.command("odds")
@click.argument("question", nargs=-1)
@click.option(
    "--of",
    type=Choice("subject", _SUBJECTS),
    help="holding (default), table, first-deal (both, misdeals too), deal, hand (played), game, piles, position.",
)
@click.option("--given", metavar="EXPRESSION", help="Only where this is true.")
@click.option("--by", metavar="EXPRESSION", help="Split the answer by the values of this.")
@click.option("--mean", metavar="EXPRESSION", help="The mean of this instead of a chance.")
@click.option(
    "--quantiles", metavar="EXPRESSION", help="Quantiles of this: the values that 5%, 25%, ... do not exceed."
)
@click.option("--histogram", metavar="EXPRESSION", help="How often each value of this is.")
@click.option("--in", "in_", type=Count(1, 10**6), metavar="N", help="At least once in N of them, each dealt anew.")
@click.option("--from", "from_", metavar="US-THEM", help="The score that a game goes on from, as 38-41; we deal.")
@click.option("--list", "listed", is_flag=True, help="List what can be asked of --of.")
@click.option("--cards", type=Count(3, 10), default=3, show_default=True, help="Cards of a holding, for --of holding.")
@click.option("--sizes", metavar="N,N", help="Cards of one's pile and of the other's, for --of piles (default: 20,20).")
@click.option("--policy", metavar="NAME[,NAME]", help="Who plays a hand or a game (careful), or the piles.")
@click.option("--check", type=_DEALS, metavar="N", help="Put the question to N simulated deals too, and compare.")
@click.option("--hands", type=_DEALS, help="Deals for a question that cannot be counted (1M; of play 100k).")
@click.option("--precision", metavar="X", help="Stop when every interval is X or less to each side.")
@deal_option
@seed_option
@threads_option
@engine_option
@position_options
@rules_options
@saving_options
@format_option
def command(listed: bool, form: str, lang: str | None, raw: bool, **asked: Any) -> None:
    """Show exact chances of dealt cards, and chances of hands and games as they are played.

    Without a QUESTION: the bonuses of three cards held and of the table, and misdeals. A QUESTION is an expression over
    the words of --of, English or Italian: barsega, "sevens >= 2", "low and 10d"; of a deal "knocks = 0", of a hand
    "won_us" or "scope_us > 3" (us: the dealer's side). Several share the same hands. What is too much to count is
    simulated, and shown with its interval.

    In mid-hand, with --table and --holding: what the following players can do, as sweep, 'holds 7d' or 'capture and not
    sweep' (--list --of position), exactly; or how the hand ends, played on by --policy: won_us, "primiera_won_us and
    settebello_us" (us: your side). Every way of dealing the cards you have not seen is equally likely.
    """
    from ..verbs.odds import odds, vocabulary

    if listed:
        chosen = {name: asked[name] for name in ("rules", "players", "house", "rule", "cards", "sizes", "policy")}
        in_mid_hand = asked["table"] is not None or asked["holding"] is not None
        chosen["in_mid_hand"] = in_mid_hand
        words = vocabulary(asked["of"] or ("position" if in_mid_hand else "holding"), **chosen)
        wide = max(len(name) for name, _ in words) + 1
        for name, sentence in words:
            click.echo(f"{name:<{wide}} {sentence}")
        return
    asked["question"] = asked["question"] or None
    show(odds(**asked), form, lang, raw)
