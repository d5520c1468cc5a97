"""``cirulla-sim advise``."""

from __future__ import annotations

from .build import verb_command

command = verb_command(
    "advise",
    """Judge every choice of your turn: a set to show, the matta's value, a card; the best first.

    --at is the position before your play: 'table: Jd 4c; me: Kd Kh 2c; captured us: 7d', or a play of a hand record,
    FILE#HAND.PLAY: only what that player knew is used, or with --open everything.

    The unseen cards are dealt as they may lie, again and again, and everybody plays on by --policy. It ends when the
    best play is separated from all others, or with --time. The same --samples and --seed give the same advice.
    """,
)
