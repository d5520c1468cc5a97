"""``cirulla-sim odds``."""

from __future__ import annotations

from typing import Any

import click

from .build import show, verb_command


def run(listed: bool, form: str, lang: str, raw: bool, all: bool, **arguments: Any) -> None:
    from ..verbs.odds import odds, vocabulary

    if not listed:
        show(odds(**arguments), form, lang, raw, all)
    chosen = {name: arguments[name] for name in ("rules", "players", "house", "rule", "cards")}
    from ..situation.notation import Situation

    at = arguments["at"]
    in_mid_hand = at is not None and ("#" in at or Situation.parse(at).is_position)
    of = arguments["of"] or ("position" if in_mid_hand else "holding")
    words = vocabulary(of, in_mid_hand=in_mid_hand, **chosen)
    width = max(len(name) for name, _ in words) + 1
    for name, sentence in words:
        click.echo(f"{name:<{width}} {sentence}")


command = verb_command(
    "odds",
    """Chances of dealt cards, of hands and of games as they are played.

    Without a QUESTION: the bonuses of three cards held and of the table, and misdeals. A QUESTION is an expression over
    the words of --of, English or Italian: barsega, "sevens >= 2", "low and 10d"; of a deal "knocks = 0", of a hand
    "won_us" or "scope_us > 3". Several share the same hands. What is too much to count is
    simulated, and shown with its interval.

    --at says what you know: cards of a deal, or a position in mid-hand. There you ask what the other players can do, as
    sweep, 'holds 7d' or 'capture and not sweep' (--list --of position), exactly; or how the hand ends, played on by
    --policy: won_us, "primiera_won_us and settebello_us". Every way of dealing the cards that you have not seen is
    equally likely. Players are me, next, partner, previous, or first, second, third, dealer; --me says where you sit.
    """,
    click.argument("question", nargs=-1),
    click.option("--list", "listed", is_flag=True, help="List the words for questions about --of."),
    run=run,
)
