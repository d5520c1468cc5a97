"""``cirulla-sim tournament``."""

from __future__ import annotations

from typing import Any

from .build import show, verb_command


def run(form: str, lang: str, raw: bool, all: bool, **arguments: Any) -> None:
    from ..verbs.tournament import tournament

    show(tournament(**arguments), form, lang, raw, all)


command = verb_command(
    "tournament",
    run,
    """Play every policy against every other on the same deals with sides exchanged, and rank them.

    The table shows points a hand over the opponent, the chance of winning a game, and the ranking, with 95% intervals.
    With three sides or more, each policy in turn is alone against the other in every place.

    --until-decided tests each pairing after 500 deals, 1000 and so on, and stops it when one policy is ahead or neither
    is by --delta points a hand; either verdict is wrong in at most 5 of 100 pairings.

    The file of -o stores the scores by deal, so that it can be resumed with more --hands or --until-decided.
    """,
)
