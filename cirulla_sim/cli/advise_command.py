"""``cirulla-sim advise``."""

from __future__ import annotations

from typing import Any

from .build import show, verb_command


def run(form: str, lang: str, raw: bool, all: bool, **arguments: Any) -> None:
    from ..verbs.advise import advise

    show(advise(**arguments), form, lang, raw, all)


command = verb_command(
    "advise",
    run,
    """Judge every legal play: points, chance to win the game, risk of a sweep next, and why; the best first.

    Describe what you see: --table, --holding (before you play), and --seen or --piles, the cards gone. Or name a play
    of a hand record (--record, --play): only what that player knew is used, or with --open everything. Without --play
    every play of the record is judged: what was lost, and what each side's margin is made of, luck and errors.

    The unseen cards are dealt as they may lie, again and again, and everybody plays on by --policy. It ends when the
    best play is separated from all others, or with --time. The same --samples and --seed give the same advice.
    """,
)
